"""What the house does about a duty: it thinks, and comes back with what is to be done to the match.

That takes as long as the search does: call `perform` from a thread.
"""

from __future__ import annotations

from collections.abc import Callable

from tengen.match import Event, Match, Request
from tengen.server.matches.duties import Duty
from tengen.server.matches.minds import Thinker

Act = Callable[[Match, int], Event]  # what to do to the match, at which time


def moved(seat: int, actions: list[int] | None) -> Act:
    """A machine's move, or that it resigns."""
    if actions is None:
        return lambda match, at_ms: match.apply(Request.resign(seat, at_ms))
    return lambda match, at_ms: match.apply(Request.move(seat, actions, at_ms))


def perform(found: Duty, match: Match, mind: Thinker) -> Act:
    """What to do about any duty but a move; raises whatever a mind comes to grief on."""
    state, seat = match.state, found.seat
    if found.kind == "answer":
        assert match.offer is not None
        what = match.offer.what
        program = match.setup.seats[seat].id.startswith("program:")
        accept = what != "draw" or mind.draw(program, state, seat)
        return lambda match, at_ms: match.apply(Request.answer(seat, what, accept, at_ms))
    if found.kind == "suggest":
        dead, neutral = mind.dead(state)
        return lambda match, at_ms: match.suggest(dead, neutral, at_ms)
    position = match.position
    if mind.plays_on(match.setup.to_json(), [event.to_json() for event in match.events], seat):
        return lambda match, at_ms: match.apply(Request.resume(seat, at_ms))
    return lambda match, at_ms: match.apply(Request.accept(seat, at_ms, position))
