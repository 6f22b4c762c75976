"""The HTTP API for looking on: a position that is searched while somebody watches, and a whole tree.

Both are streams of lines and end when the client leaves. What is found out is kept (`kept`), and told at once
to whoever asks for it again. Seconds of search are taken from the address as they are used.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import TypeVar

import msgspec
from starlette.responses import Response, StreamingResponse

from tengen.server.errors import Refusal
from tengen.server.games import make_game
from tengen.server.http import studies
from tengen.server.http.api_study import MAX_PLACE_BYTES, NDJSON, REVIEW_S, check_place
from tengen.server.http.endpoints import Call, Endpoint
from tengen.server.http.kept import is_worth_more, next_key, place_key, start_key, study_keys
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
from tengen.turning import FAIR, Lost, seeking, told

T = TypeVar("T")
MAX_STUDY_BYTES = 4 * MAX_UPLOAD_BYTES  # of one that carries what is known of its positions
VISITS = 400  # of a move that is judged to say why a game was lost, as a StudyReview has them
OPEN_S = 0.4  # of search, to say whether a game was lost when it was given up
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
    key = await call.aside(place_key, wish.place)
    known = (await call.service.kept.known_of(key)).analysis

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
    """Moves are judged as `review_study` does, and kept for it: what it says later is the same."""
    wish: TurningRequest = call.body
    limits, address, engines = call.service.limits, call.address, call.service.hub.engines
    if wish.loser not in (0, 1):
        raise Refusal("malformed", "loser is the seat 0 or 1.")
    check_place(wish.place)
    limits.take("engine", address, REVIEW_S)
    played = await call.aside(lambda: list(places.steps(wish.place, call.service.config.max_line)))
    if not played:
        raise Refusal("malformed", "No move has been made there.")
    seat, last = wish.loser, played[-1].after
    if last.outcome is None:
        found = await engines.analyse(wish.place, OPEN_S, group(address))
        chance = found.win if found.to_move == seat else 1.0 - found.win
        if chance >= FAIR:
            return call.reply(TurningPoint("open", seat, chance=chance))
    engine = engines.engine_for("auto", last.game)
    if engine == "katago" and [sentence async for sentence in engines.katago_waited()][-1]:
        engine = "own"
    keys = [start_key(last.game, wish.place.origin)]
    for step in played:
        keys.append(next_key(keys[-1], step.actions, step.resumed))
    known = await call.service.kept.known(keys, call.aside)
    befores = {key: had.analysis for key, had in known.items()}

    def spent(seconds: float) -> None:
        limits.charge("engine", address, seconds)

    async def reviewed(number: int) -> ReviewedMove:
        had, step = known.get(keys[number]), played[number - 1]
        if had is not None and had.serves(VISITS, engine):
            assert had.review is not None
            return had.review
        wanted = [(number, step.before, step.actions)]
        async with aclosing(engines.review_moves(wanted, VISITS, group(address), spent, engine)) as found:
            review, befores[keys[number - 1]] = await anext(found)
        await _keep(call, keys[number - 1], analysis=befores[keys[number - 1]])
        await _keep(call, keys[number], review=review, visits=VISITS)
        return review

    own = [
        at for at, step in enumerate(played, start=1) if step.resumed is None and step.before.to_move == seat
    ]
    seek, reviews = seeking(own), dict[int, ReviewedMove]()
    try:
        number = next(seek)
        while True:
            reviews[number] = await reviewed(number)
            number = seek.send(reviews[number])
    except StopIteration as end:
        lost: Lost | None = end.value

    def proven(number: int) -> bool:
        before = befores.get(keys[number - 1])
        return before is not None and before.proven == "win"

    return call.reply(msgspec.convert(told(lost, seat, reviews, proven), TurningPoint, from_attributes=True))


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
    keys = await call.aside(study_keys, wish.study)
    known = await call.service.kept.known(keys, call.aside)
    parents = [node.parent for node in wish.study.nodes]

    engines = call.service.hub.engines
    engine = engines.engine_for(wish.engine, make_game(wish.study.game, wish.study.options))

    def is_known(move: studies.StudyMove) -> bool:
        had = known.get(keys[move.node])
        return had is not None and had.serves(wish.visits, engine)

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
    return await call.aside(call.reply, await call.service.kept.filled(study, call.aside))


ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        "POST",
        "/api/explore",
        explore,
        "What the search thinks of a position, a line each time that it knows more",
        body=Exploration,
        max_bytes=MAX_PLACE_BYTES,
        answer=Finding,
        media=(NDJSON,),
        problems=(409,),
        searches=True,
    ),
    Endpoint(
        "POST",
        "/api/turning",
        turning,
        "Why a game was lost: the last move that would have saved it, or how it slipped away",
        body=TurningRequest,
        max_bytes=MAX_PLACE_BYTES,
        answer=TurningPoint,
        problems=(409,),
        searches=True,
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
        searches=True,
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
