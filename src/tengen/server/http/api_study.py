"""The HTTP API for looking at games: positions of a line, analysis, review, import and export.

What takes long is computed in threads: the search by the engines, which are bounded, the rest a few at a
time. Start reading at `ENDPOINTS`.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from typing import Any, TypeVar

import msgspec
from starlette.responses import Response, StreamingResponse

from tengen.server.errors import Refusal
from tengen.server.http import studies
from tengen.server.http.endpoints import Call, Endpoint, Parameter, now_ms
from tengen.server.http.limits import group
from tengen.server.http.replies import body_response, encode
from tengen.server.matches import places
from tengen.server.protocol import (
    MAX_UPLOAD_BYTES,
    Analysis,
    AnalysisRequest,
    Import,
    Line,
    Place,
    ReviewedMove,
    ReviewRequest,
    Study,
)

T = TypeVar("T")
NDJSON = "application/x-ndjson"
MEDIA = {"json": "application/json", "sgf": "application/x-go-sgf"}
REVIEWS_PER_S = 20_000  # simulations that count as a second of search


async def in_thread(call: Call, compute: Callable[..., T], *args: Any) -> T:
    async with call.service.heavy:
        return await asyncio.to_thread(compute, *args)


async def line(call: Call) -> Response:
    place: Place = call.body
    headers = call.request.headers

    def compute() -> Response:
        return body_response(encode(places.line(place)), "application/json", request_headers=headers)

    return await in_thread(call, compute)


async def analysis(call: Call) -> Response:
    wish: AnalysisRequest = call.body
    most = call.service.config.analysis_s
    if not 0 < wish.seconds <= most:
        raise Refusal("malformed", f"seconds must be above 0 and at most {most:g}.")
    call.service.limits.take("engine", call.address, wish.seconds)
    found = await call.service.hub.engines.analyse(wish.place, wish.seconds, key=group(call.address))
    return call.reply(found)


async def review(call: Call) -> Response:
    """A stream of lines. What is wrong with the request is said before the first of them."""
    wish: ReviewRequest = call.body
    most = call.service.config.review_visits
    if not 1 <= wish.visits <= most:
        raise Refusal("malformed", f"visits must be from 1 to {most}.")
    call.service.limits.take("engine", call.address, 2 * wish.visits * len(wish.place.moves) / REVIEWS_PER_S)
    found = call.service.hub.engines.review(wish.place, wish.visits, key=group(call.address))
    moves = aiter(found)
    first = await anext(moves, None)

    async def lines() -> AsyncIterator[bytes]:
        try:
            if first is not None:
                yield encode(first) + b"\n"
                async for move in moves:
                    yield encode(move) + b"\n"
        finally:
            await found.aclose()

    return StreamingResponse(lines(), media_type=NDJSON, headers={"cache-control": "no-store"})


async def import_study(call: Call) -> Response:
    wish: Import = call.body
    call.service.limits.take("uploads", call.address)
    person = await call.person()
    study = await in_thread(call, studies.read_study, wish.text)
    study = msgspec.structs.replace(study, id=secrets.token_urlsafe(12))
    assert study.id is not None
    owner = None if person is None else person.id
    await call.service.store.add_study(study.id, owner, now_ms(), encode(study))
    return call.reply(study, 201, location=f"/api/studies/{study.id}")


async def get_study(call: Call) -> Response:
    data = await call.service.store.study(call.parameter("study"))
    if data is None:
        raise Refusal("unknown", "There is no such study.")
    return body_response(data, "application/json", request_headers=call.request.headers)


async def export_study(call: Call) -> Response:
    form = call.choice("format", ("json", "sgf"))
    text = await in_thread(call, studies.write_study, call.body, form)
    return body_response(
        text.encode("utf-8", "replace"),
        MEDIA[form],
        request_headers=call.request.headers,
        headers={"content-disposition": f'attachment; filename="{call.body.game}.{form}"'},
    )


_FORMAT = Parameter("format", "json for a tengen record, sgf for SGF.", {"enum": ["json", "sgf"]})

ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        "POST",
        "/api/line",
        line,
        "Every position on the way to a place",
        body=Place,
        max_bytes=MAX_UPLOAD_BYTES,
        answer=Line,
        problems=(409,),
    ),
    Endpoint(
        "POST",
        "/api/analysis",
        analysis,
        "What the search thinks of a position",
        body=AnalysisRequest,
        max_bytes=MAX_UPLOAD_BYTES,
        answer=Analysis,
        problems=(409,),
    ),
    Endpoint(
        "POST",
        "/api/review",
        review,
        "What the search thinks of each move, a line each as it is found",
        body=ReviewRequest,
        max_bytes=MAX_UPLOAD_BYTES,
        answer=ReviewedMove,
        media=(NDJSON,),
        problems=(409,),
    ),
    Endpoint(
        "POST",
        "/api/studies",
        import_study,
        "Keeps a game to look at, from SGF or a tengen record",
        body=Import,
        max_bytes=MAX_UPLOAD_BYTES,
        answer=Study,
        status=201,
        identity=True,
    ),
    Endpoint(
        "GET", "/api/studies/{study:id}", get_study, "A game that was kept", answer=Study, problems=(404,)
    ),
    Endpoint(
        "POST",
        "/api/studies/export",
        export_study,
        "A study as a file",
        body=Study,
        max_bytes=MAX_UPLOAD_BYTES,
        media=tuple(MEDIA.values()),
        problems=(409,),
        query=(_FORMAT,),
    ),
)
