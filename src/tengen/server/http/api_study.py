"""The HTTP API for looking at games: positions of a line, analysis, review, import and export.

What takes long is computed in threads: the search by the engines, which are bounded, the rest a few at a
time. Limits are checked before that. Start reading at `ENDPOINTS`.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator

import msgspec
from starlette.responses import Response, StreamingResponse

from tengen.server.errors import Refusal
from tengen.server.http import bodies, studies
from tengen.server.http.endpoints import Call, Endpoint, Parameter, now_ms
from tengen.server.http.replies import body_response, encode
from tengen.server.limits import group
from tengen.server.matches import places
from tengen.server.matches.engines import SHORTEST_S
from tengen.server.names import clean_study
from tengen.server.protocol import (
    MAX_UPLOAD_BYTES,
    Analysis,
    AnalysisRequest,
    Collection,
    Import,
    Line,
    Place,
    ReviewedMove,
    ReviewRequest,
    Study,
)

NDJSON = "application/x-ndjson"
MEDIA = {"json": "application/json", "sgf": "application/x-go-sgf"}
REVIEW_S = 1.0  # of search, that a review costs beside what it takes: who leaves early pays for the last move
MAX_IMPORT_BYTES = MAX_UPLOAD_BYTES * 4 // 3 + 1024  # of a file in base64
MAX_ORIGIN = 4096  # characters of a position to begin with
MAX_ACTIONS = 50_000  # of all moves of a place
MAX_PLACE_BYTES = 320 * 1024  # which holds them: reading more would keep others waiting


def check_place(place: Place) -> None:
    """Refuses one that is larger than any game; whether it makes sense is found out later."""
    if place.origin is not None and len(place.origin[0]) > MAX_ORIGIN:
        raise Refusal("malformed", f"The position to begin with has more than {MAX_ORIGIN} characters.")
    if sum(map(len, place.moves)) > MAX_ACTIONS or len(place.moves) > MAX_ACTIONS:
        raise Refusal("malformed", "That line has too many moves to be looked at here.")


async def line(call: Call) -> Response:
    place: Place = call.body
    check_place(place)
    headers = call.request.headers

    def compute() -> Response:
        return body_response(encode(places.line(place)), "application/json", request_headers=headers)

    return await call.aside(compute)


async def analysis(call: Call) -> Response:
    wish: AnalysisRequest = call.body
    most = call.service.config.analysis_s
    if not 0 < wish.seconds <= most:
        raise Refusal("malformed", f"seconds must be above 0 and at most {most:g}.")
    check_place(wish.place)
    call.service.limits.take("engine", call.address, max(wish.seconds, SHORTEST_S))
    found = await call.service.hub.engines.analyse(wish.place, wish.seconds, key=group(call.address))
    return call.reply(found)


async def review(call: Call) -> Response:
    """A stream of lines. What is wrong with the request is said before the first of them.

    A review that has begun goes on to its end; who owes seconds of search then has to wait for the next.
    """
    wish: ReviewRequest = call.body
    most = call.service.config.review_visits
    if not 1 <= wish.visits <= most:
        raise Refusal("malformed", f"visits must be from 1 to {most}.")
    check_place(wish.place)
    limits, address = call.service.limits, call.address
    limits.take("engine", address, REVIEW_S)

    def spent(seconds: float) -> None:
        limits.charge("engine", address, seconds)

    found = call.service.hub.engines.review(wish.place, wish.visits, key=group(address), spent=spent)
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
    study_id, headers = secrets.token_urlsafe(12), call.request.headers

    def compute() -> tuple[bytes, Response]:
        study = clean_study(studies.read_study(wish.data or wish.text, wish.number))
        call.service.hub.house.words.check_study(study)
        data = encode(msgspec.structs.replace(study, id=study_id))
        location = {"location": f"/api/studies/{study_id}"}
        return data, body_response(data, "application/json", 201, headers, location)

    data, response = await call.aside(compute)
    call.service.limits.take("stored", call.address, len(data))
    await call.service.shelf.take(len(data))
    await call.service.store.add_study(study_id, None if person is None else person.id, now_ms(), data)
    return response


async def list_games(call: Call) -> Response:
    wish: Import = call.body
    call.service.limits.take("uploads", call.address)
    return call.reply(await call.aside(studies.read_collection, wish.data or wish.text))


async def get_study(call: Call) -> Response:
    data = await call.service.store.study(call.parameter("study"))
    if data is None:
        raise Refusal("unknown", "There is no such study.")
    study = await bodies.decoded(await call.aside(studies.modern, data), Study)
    return await call.aside(call.reply, await call.service.kept.filled(study, call.aside))


async def export_study(call: Call) -> Response:
    form, annotated = call.choice("format", ("json", "sgf")), call.choice("analysis", ("0", "1")) == "1"
    study, request_headers = call.body, call.request.headers
    if annotated and study.nodes:
        study = await call.service.kept.filled(study, call.aside)
    headers = {"content-disposition": f'attachment; filename="{study.game}.{form}"'}

    def compute() -> Response:
        text = studies.write_study(study, form, annotated=annotated)
        body = text.encode("utf-8", "replace")
        return body_response(body, MEDIA[form], request_headers=request_headers, headers=headers)

    return await call.aside(compute)


_FORMAT = Parameter("format", "json for a tengen record, sgf for SGF.", {"enum": ["json", "sgf"]})
_ANALYSIS = Parameter("analysis", "1 for SGF that says what is known of the positions.", {"enum": ["0", "1"]})

ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        "POST",
        "/api/line",
        line,
        "Every position on the way to a place",
        body=Place,
        max_bytes=MAX_PLACE_BYTES,
        answer=Line,
        problems=(409,),
    ),
    Endpoint(
        "POST",
        "/api/analysis",
        analysis,
        "What the search thinks of a position",
        body=AnalysisRequest,
        max_bytes=MAX_PLACE_BYTES,
        answer=Analysis,
        problems=(409,),
        searches=True,
    ),
    Endpoint(
        "POST",
        "/api/review",
        review,
        "What the search thinks of each move, a line each as it is found",
        body=ReviewRequest,
        max_bytes=MAX_PLACE_BYTES,
        answer=ReviewedMove,
        media=(NDJSON,),
        problems=(409,),
        searches=True,
    ),
    Endpoint(
        "POST",
        "/api/studies",
        import_study,
        "Keeps a game to look at, from SGF or a tengen record",
        body=Import,
        max_bytes=MAX_IMPORT_BYTES,
        answer=Study,
        status=201,
        problems=(409,),
        identity=True,
    ),
    Endpoint(
        "POST",
        "/api/studies/games",
        list_games,
        "The games of a collection, to choose among",
        body=Import,
        max_bytes=MAX_IMPORT_BYTES,
        answer=Collection,
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
        max_bytes=4 * MAX_UPLOAD_BYTES,
        media=tuple(MEDIA.values()),
        problems=(409,),
        query=(_FORMAT, _ANALYSIS),
    ),
)
