"""The HTTP API for looking on: a position that is searched while somebody watches, and a whole tree.

Both are streams of lines and end when the client leaves. What is found out is kept (`kept`), and told at once
to whoever asks for it again. Seconds of search are taken from the address as they are used.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import TypeVar

from starlette.responses import Response, StreamingResponse

from tengen.server.errors import Refusal
from tengen.server.games import make_game
from tengen.server.http import studies
from tengen.server.http.api_study import NDJSON, REVIEW_S, check_place
from tengen.server.http.endpoints import Call, Endpoint
from tengen.server.http.kept import Judgement, is_worth_more, place_key, study_keys
from tengen.server.http.replies import encode
from tengen.server.limits import TooMany, group
from tengen.server.matches import places
from tengen.server.protocol import (
    MAX_UPLOAD_BYTES,
    Analysis,
    Exploration,
    Finding,
    NodeReview,
    ReviewedMove,
    Study,
    StudyReview,
    TurningPoint,
    TurningRequest,
)

T = TypeVar("T")
MAX_STUDY_BYTES = 4 * MAX_UPLOAD_BYTES  # of one that carries what is known of its positions
ENOUGH = "That is all the search that there is for you at the moment; look again in a minute."


def stream(lines: AsyncIterator[bytes]) -> Response:
    return StreamingResponse(lines, media_type=NDJSON, headers={"cache-control": "no-store"})


async def explore(call: Call) -> Response:
    """What is wrong with the request is said before the first line."""
    wish: Exploration = call.body
    config, limits, address = call.service.config, call.service.limits, call.address
    if not 0 < wish.seconds <= config.explore_s:
        raise Refusal("malformed", f"seconds must be above 0 and at most {config.explore_s:g}.")
    check_place(wish.place)
    limits.take("engine", address, REVIEW_S)
    state = await call.aside(places.last_state, wish.place, config.max_line)
    key, kept = place_key(wish.place), call.service.kept
    known = (await kept.known([key])).get(key, Judgement()).analysis

    def spent(seconds: float) -> None:
        limits.take("engine", address, seconds)

    engines = call.service.hub.engines
    engine = engines.engine_for(wish.engine, state.game)
    found = engines.explore(state, wish.seconds, group(address), spent, engine)
    first = await anext(found)

    async def lines() -> AsyncIterator[bytes]:
        best, better, message = known, False, ""
        try:
            async with aclosing(found):
                if known is not None:
                    yield _line(Finding(known))
                async for analysis, message in _with(first, found):
                    more = is_worth_more(analysis, best)
                    if more:
                        best, better = analysis, True
                    yield _line(Finding(analysis if more else None, message))
        except TooMany:
            message = ENOUGH
        except Refusal as refusal:
            message = refusal.message
        except BaseException:  # the client has left
            if better:
                call.service.hub.spawn(_keep(call, key, analysis=best))
            raise
        if better:
            await _keep(call, key, analysis=best)
        yield _line(Finding(None, message, done=True))

    return stream(lines())


async def _with(first: T, rest: AsyncIterator[T]) -> AsyncIterator[T]:
    yield first
    async for one in rest:
        yield one


async def _keep(
    call: Call,
    key: str,
    analysis: Analysis | None = None,
    review: ReviewedMove | None = None,
    visits: int = 0,
) -> None:
    size = await call.service.kept.keep(key, analysis=analysis, review=review, visits=visits)
    call.service.limits.charge("stored", call.address, size)


async def turning(call: Call) -> Response:
    wish: TurningRequest = call.body
    limits, address = call.service.limits, call.address
    if wish.loser not in (0, 1):
        raise Refusal("malformed", "loser is the seat 0 or 1.")
    check_place(wish.place)
    limits.take("engine", address, REVIEW_S)

    def spent(seconds: float) -> None:
        limits.charge("engine", address, seconds)

    engines = call.service.hub.engines
    return call.reply(await engines.turning(wish.place, wish.loser, key=group(address), spent=spent))


async def review_study(call: Call) -> Response:
    """Every move of a tree, the main line first; what is known already comes at once."""
    wish: StudyReview = call.body
    most, limits, address = call.service.config.review_visits, call.service.limits, call.address
    if not 1 <= wish.visits <= most:
        raise Refusal("malformed", f"visits must be from 1 to {most}.")
    limits.take("engine", address, REVIEW_S)
    moves = await call.aside(studies.moves_of, wish.study)
    if len(moves) > call.service.config.max_line:
        raise Refusal("malformed", "That study has too many moves to be reviewed here.")
    keys = study_keys(wish.study)
    known = await call.service.kept.known(keys)
    parents = [node.parent for node in wish.study.nodes]

    engines = call.service.hub.engines
    engine = engines.engine_for(wish.engine, make_game(wish.study.game, wish.study.options))

    def is_known(move: studies.StudyMove) -> bool:
        had = known.get(keys[move.node])
        if had is None or had.review is None or had.visits < wish.visits:
            return False
        return engine == "own" or had.review.by in ("katago", "exact")

    def spent(seconds: float) -> None:
        limits.charge("engine", address, seconds)

    new = [move for move in moves if not is_known(move)]

    async def lines() -> AsyncIterator[bytes]:
        done, total, message = len(moves) - len(new), len(moves), ""
        for number, key in enumerate(keys):
            if (had := known.get(key)) is not None:
                yield _line(NodeReview(number, had.review, had.analysis, done=done, total=total))
        judge = engine
        if new and engine == "katago":
            async for message in engines.katago_waited():
                yield _line(NodeReview(0, message=message, done=done, total=total))
            if message:
                judge = "own"
        wanted = [(move.number, move.before, move.actions) for move in new]
        try:
            async with aclosing(
                engines.review_moves(wanted, wish.visits, group(address), spent, judge)
            ) as found:
                for move in new:
                    review, before = await anext(found)
                    done, parent = done + 1, parents[move.node]
                    assert parent is not None
                    await _keep(call, keys[parent], analysis=before)
                    await _keep(call, keys[move.node], review=review, visits=wish.visits)
                    yield _line(NodeReview(parent, analysis=before, done=done - 1, total=total))
                    yield _line(NodeReview(move.node, review, done=done, total=total))
        except Refusal as refusal:
            yield _line(NodeReview(0, message=refusal.message, done=done, total=total))

    return stream(lines())


def _line(value: Finding | NodeReview) -> bytes:
    return encode(value) + b"\n"


async def known_study(call: Call) -> Response:
    """The same study with what is known of its positions."""
    study: Study = call.body
    if len(study.nodes) > studies.MAX_NODES + 1 or not study.nodes:
        raise Refusal("malformed", f"A study has from 1 to {studies.MAX_NODES} nodes.")
    return await call.aside(call.reply, await call.service.kept.filled(study))


ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        "POST",
        "/api/explore",
        explore,
        "What the search thinks of a position, a line each time that it knows more",
        body=Exploration,
        max_bytes=MAX_UPLOAD_BYTES,
        answer=Finding,
        media=(NDJSON,),
        problems=(409,),
    ),
    Endpoint(
        "POST",
        "/api/turning",
        turning,
        "Why a game was lost: the last move that would have saved it",
        body=TurningRequest,
        max_bytes=MAX_UPLOAD_BYTES,
        answer=TurningPoint,
        problems=(409,),
    ),
    Endpoint(
        "POST",
        "/api/studies/review",
        review_study,
        "What the search thinks of every move of a study, a line each as it is found",
        body=StudyReview,
        max_bytes=MAX_STUDY_BYTES,
        answer=NodeReview,
        media=(NDJSON,),
        problems=(409,),
    ),
    Endpoint(
        "POST",
        "/api/studies/known",
        known_study,
        "A study with what is known of its positions",
        body=Study,
        max_bytes=MAX_STUDY_BYTES,
        answer=Study,
        problems=(409,),
    ),
)
