"""What a client asks for (`Ask`) as something to do to a match. Who holds which seat is settled here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tengen.match import (
    Correspondence,
    Event,
    Malformed,
    Match,
    MatchOver,
    NotNow,
    NotYourTurn,
    Request,
    Stale,
    Stranger,
)
from tengen.server.errors import Refusal
from tengen.server.protocol import MAX_CLIENT_ID, Ask

HOUSE_IDS = "machine-"  # what ids of the server itself begin with
MOST_EVENTS = 10_000  # of a log, before its match can only be ended
ENDING = ("resign", "accept", "answer", "claim", "unpause")

Act = Callable[[Match, int], Event]


def check_id(client_id: str) -> None:
    """Raises Refusal for an id that cannot be stored or that is the server's own."""
    fine = 0 < len(client_id) <= MAX_CLIENT_ID and client_id.isprintable()
    if not fine or client_id.startswith(HOUSE_IDS):
        raise Refusal("malformed", f"The id of a request has 1 to {MAX_CLIENT_ID} printable characters.")


def check_length(ask: Ask, match: Match) -> None:
    """Raises NotNow for what would let a log grow without end."""
    if len(match.events) >= MOST_EVENTS and match.outcome is None and ask.kind not in ENDING:
        raise NotNow("So much has happened in this match that it can only be ended, such as by resigning.")


def asker(event: Event) -> int:
    """The seat that asked for an event with a client's id. Of those without a seat only a claim has one."""
    return event.seat if event.seat is not None else 1 - int(event.data["loser"])


def act_of(ask: Ask, held: list[int], lag_ms: int = 0) -> Act:
    """What the holder of those seats asks for; the network takes `lag_ms`. Claims are made by `claim_of`."""

    def act(match: Match, at_ms: int) -> Event:
        seat, data = seat_of(ask, held, match), _data(ask)
        if ask.kind == "move" and lag_ms:
            data["lag_ms"] = lag_ms
        return match.apply(Request(ask.kind, seat, at_ms, data, ask.position))

    return act


def claim_of(ask: Ask, held: list[int]) -> Act:
    """Ends the match against the other seat. That its person is gone is for the caller to know."""

    def act(match: Match, at_ms: int) -> Event:
        loser = 1 - seat_of(ask, held, match)
        check_claim(match, loser)
        if ask.position is not None and ask.position != match.position:
            raise Stale("The match has moved on since.")
        return match.abandon(loser, at_ms)

    return act


def check_claim(match: Match, loser: int) -> None:
    """Raises MatchError when that seat cannot be claimed against, gone or not."""
    if match.outcome is not None:
        raise MatchOver("The match is over.")
    if match.setup.hot_seat or match.setup.seats[loser].kind == "machine":
        raise NotNow("Nobody has left this match.")
    if isinstance(match.setup.clock, Correspondence):
        raise NotNow("In correspondence everybody may be away until the time is over.")
    if match.paused:
        raise NotNow("The match is paused: let it go on first.")
    if match.phase == "playing" and match.state.to_move != loser:
        raise NotYourTurn("It is your turn: only who has to move can be claimed against.")
    if match.marking is not None and match.marking.accepted[loser]:
        raise NotNow("Your opponent has accepted the marks; it is for you to answer.")


def seat_of(ask: Ask, held: list[int], match: Match) -> int:
    """The seat that is meant; raises Stranger for somebody else's."""
    if ask.seat is not None:
        if ask.seat not in held:
            raise Stranger("That seat is not yours.")
        return ask.seat
    if len(held) == 1:
        return held[0]
    if not held:
        raise Stranger("You have no seat in this match.")
    if ask.kind == "answer" and match.offer is not None:
        return 1 - match.offer.seat
    if ask.kind == "accept" and match.marking is not None:
        return int(match.marking.accepted[0])
    return match.state.to_move


def _data(ask: Ask) -> dict[str, Any]:
    if ask.kind == "move":
        if ask.actions is not None:
            return {"actions": tuple(ask.actions)}
        if ask.text is None:
            raise Malformed("A move is given as text or as actions.")
        return {"text": ask.text}
    if ask.kind == "mark":
        data = {"what": ask.what, "cell": ask.cell}
        return data if ask.on is None else data | {"on": ask.on}
    if ask.kind == "answer":
        return {"what": ask.what, "accept": ask.accept}
    return {"what": ask.what} if ask.kind == "offer" else {}
