"""What a match waits for from the house: a machine's move or answer, or the suggestion of dead stones.

`duty` says it from the log alone, so every process comes to the same answer. `perform` computes it, which
takes as long as the search does: call it from a thread.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from tengen import _core
from tengen.game import State
from tengen.match import Event, Match, Request
from tengen.players import Player, PlayerError
from tengen.players.judgement import agrees_to_draw, gives_up
from tengen.search.estimate import estimate_dead

MOST_RESUMES = 2  # a machine that disagrees about dead stones plays on that often, then gives in

Act = Callable[[Match, int], Event]  # what to do to the match, at which time


@dataclass(frozen=True, slots=True)
class Duty:
    """`seat` is the machine's; a suggestion has none. `move` is the only one that needs its player."""

    kind: Literal["move", "answer", "suggest", "agree"]
    seat: int = -1


def duty(match: Match) -> Duty | None:
    """What the house has to do next, if anything."""
    machines = [seat for seat in (0, 1) if match.setup.seats[seat].kind == "machine"]
    if match.suspended or match.outcome is not None:
        return None
    if match.phase == "playing":
        offer = match.offer
        if offer is not None and 1 - offer.seat in machines:
            return Duty("answer", 1 - offer.seat)
        return Duty("move", match.state.to_move) if match.state.to_move in machines else None
    marking = match.marking
    assert marking is not None
    if not marking.touched and not _suggested(match):
        return Duty("suggest")
    waiting = [seat for seat in (0, 1) if not marking.accepted[seat]]
    return Duty("agree", waiting[0]) if len(waiting) == 1 and waiting[0] in machines else None


def _suggested(match: Match) -> bool:
    """Whether the suggestion has been made in this agreement, which began with the last move."""
    last = match.line[-1].number if match.length else 0
    return any(event.kind == "suggest" for event in match.events[last:])


def perform(found: Duty, match: Match, player: Player | None, seconds: float) -> Act:
    """What to do about it; raises PlayerError, or whatever a player comes to grief on."""
    state, seat = match.state, found.seat
    if found.kind == "move":
        assert player is not None
        actions = None if gives_up(player, state) else player.choose(state, seconds)
        if actions is None:
            return lambda match, at_ms: match.apply(Request.resign(seat, at_ms))
        _check(state, actions)
        return lambda match, at_ms: match.apply(Request.move(seat, actions, at_ms))
    if found.kind == "answer":
        assert match.offer is not None
        what, accept = match.offer.what, match.offer.what != "draw" or agrees_to_draw(state, seat)
        return lambda match, at_ms: match.apply(Request.answer(seat, what, accept, at_ms))
    estimate = estimate_dead(state)
    if found.kind == "suggest":
        return lambda match, at_ms: match.suggest(estimate.dead, estimate.neutral, at_ms)
    position = match.position
    resumed = sum(event.kind == "resume" and event.seat == seat for event in match.events)
    if resumed < MOST_RESUMES and _robbed(match, seat, estimate.dead, estimate.neutral):
        return lambda match, at_ms: match.apply(Request.resume(seat, at_ms))
    return lambda match, at_ms: match.apply(Request.accept(seat, at_ms, position))


def _check(state: State, actions: list[int]) -> None:
    try:
        for action in actions:
            state = state.play(action)
    except ValueError as error:
        raise PlayerError(f"The machine made a move that is not allowed: {error}") from None


def _robbed(match: Match, seat: int, dead: tuple[int, ...], neutral: tuple[int, ...]) -> bool:
    """Whether the marks take a win from the machine that its own estimate gives it."""
    state, count = match.state, match.count
    assert isinstance(state, _core.Go9 | _core.Go19) and count is not None
    own = state.score(dead, neutral)
    return own[seat] > own[1 - seat] and count.points[seat] <= count.points[1 - seat]
