"""Rows of new matches: from what somebody wishes for, and from a match that a rematch follows.

Pure: what comes out is for the store. Ids have about 95 random bits, so a private match cannot be guessed;
an invitation is stored only as a hash. Raises Refusal.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import replace

import msgspec
from msgspec import structs

from tengen.game import InvalidOption
from tengen.match import Clock, Match, Setup
from tengen.server import protocol as p
from tengen.server.errors import Refusal
from tengen.server.games import make_game
from tengen.server.matches.describe import summary_of, waiting_setup
from tengen.server.matches.machines import lasting, seat_name
from tengen.server.people import hash_secret
from tengen.server.store.rows import MatchRow, PersonRow, SeatRow, Summary


def new_id() -> str:
    return secrets.token_urlsafe(12)


def new_match(
    wish: p.NewMatch, person: PersonRow, name: str, programs: Mapping[str, str], now_ms: int
) -> tuple[MatchRow, str | None]:
    """The row, and the token of the invitation if there is one."""
    game = make_game(wish.game, wish.options)
    kinds = [seat.kind for seat in wish.seats]
    if kinds.count("invited") == 2:
        raise Refusal("malformed", "Only one seat can wait for whoever has the link.")
    token = secrets.token_urlsafe(16) if "invited" in kinds else None
    seats = []
    for seat in wish.seats:
        if seat.kind == "me":
            seats.append(SeatRow("person", name, holder=person.id))
        elif seat.kind == "machine":
            seats.append(SeatRow("machine", seat_name(seat.player, game, programs), seat.player))
        else:
            invitation = hash_secret(token) if seat.kind == "invited" and token else None
            seats.append(SeatRow(seat.kind, invitation_hash=invitation))
    try:
        clock = Clock.from_json(msgspec.to_builtins(wish.clock))
    except InvalidOption as error:
        raise Refusal.of(error) from None
    row = MatchRow(
        id=new_id(),
        game=game.name,
        options=dict(game.options),
        clock=clock.to_json(),
        origin=None if wish.origin is None else (wish.origin[0].strip(), wish.origin[1]),
        public=wish.public,
        created_ms=now_ms,
        creator=person.id,
        started_ms=None,
        setup=None,
        rematch_of=None,
        rematch=None,
        seats=(seats[0], seats[1]),
        summary=Summary(0, 0, None, now_ms, "", "open", None, None, False),
        estimate=wish.estimate,
    )
    try:
        match = Match(waiting_setup(row))
    except (ValueError, TypeError, OverflowError) as error:
        raise Refusal("malformed", f"That position cannot be used: {error}") from None
    if match.outcome is not None or match.phase != "playing":
        raise Refusal("malformed", "The game is over in that position.")
    row = replace(row, summary=structs.replace(row.summary, diagram=match.game.diagram(match.state)))
    return (started(row, now_ms) if is_full(row) else row), token


def is_full(row: MatchRow) -> bool:
    """Whether nobody is waited for any more."""
    return all(seat.kind in ("person", "machine") for seat in row.seats)


def started(row: MatchRow, now_ms: int) -> MatchRow:
    """The row of a full match with its setup, from which on it is its log.

    The setup names the machines for good: the champion of today plays the match to its end.
    """
    setup = waiting_setup(row)
    first, second = (
        replace(one, id=lasting(one.id, setup.game)) if one.kind == "machine" else one for one in setup.seats
    )
    return _begun(row, replace(setup, seats=(first, second), started_ms=now_ms))


def rematch(row: MatchRow, match: Match, now_ms: int) -> MatchRow:
    """The row of the match that follows, seats swapped; it begins at once."""
    setup = match.rematch_setup(now_ms)
    following = replace(
        row,
        id=new_id(),
        created_ms=now_ms,
        seats=(row.seats[1], row.seats[0]),
        rematch_of=row.id,
        rematch=None,
    )
    return _begun(following, setup)


def _begun(row: MatchRow, setup: Setup) -> MatchRow:
    return replace(row, setup=setup.to_json(), started_ms=setup.started_ms, summary=summary_of(Match(setup)))
