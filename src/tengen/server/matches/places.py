"""Positions that a client names by their moves (`Place`): replayed, checked and described.

What is wrong with one is a Refusal that names the move. Nothing here waits, but a long line takes a while:
call it from a thread.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tengen.game import IllegalAction, State
from tengen.records.record import RESUME
from tengen.server import protocol as p
from tengen.server.errors import Refusal
from tengen.server.matches.describe import make_game, outcome, view_of

MOST_MOVES = 2000
MOST_WORK = 1_000_000  # positions of a line times their cells: some megabytes


def first_state(place: p.Place) -> State:
    """Where the line begins; raises Refusal."""
    game = make_game(place.game, place.options)
    try:
        return game.start() if place.origin is None else game.position(*place.origin)
    except (ValueError, TypeError, OverflowError) as error:
        raise Refusal("malformed", f"That position cannot be used: {error}") from None


def steps(place: p.Place, most: int = MOST_MOVES) -> Iterator[tuple[State, list[int], State]]:
    """Each move with the states before and after it; raises Refusal at the first wrong one."""
    state = first_state(place)
    if len(place.moves) > min(most, MOST_WORK // (state.game.width * state.game.height)):
        raise Refusal("malformed", "That line has too many moves to be looked at here.")
    for number, actions in enumerate(place.moves, start=1):
        try:
            after = play(state, actions)
        except (ValueError, TypeError, OverflowError) as error:
            raise Refusal("illegal", f"Move {number}: {error}") from None
        yield state, actions, after
        state = after


def last_state(place: p.Place, most: int = MOST_MOVES) -> State:
    state = first_state(place)
    for _, _, state in steps(place, most):  # noqa: B007
        pass
    return state


def line(place: p.Place, most: int = MOST_MOVES) -> p.Line:
    """Every position on the way to a place."""
    positions = [_position("", None, first_state(place))]
    for before, actions, after in steps(place, most):
        if actions[0] < 0:
            positions.append(_position(RESUME + before.game.seats[-1 - actions[0]], None, after))
        else:
            positions.append(_position(before.game.format(before, actions), before.to_move, after))
    return p.Line(positions)


def _position(text: str, seat: int | None, state: State) -> p.Position:
    return p.Position(
        text=text,
        seat=seat,
        view=view_of(state),
        legal=state.legal_actions(),
        diagram=state.game.diagram(state),
        outcome=outcome(state.outcome),
    )


def play(state: State, actions: Sequence[int]) -> State:
    """The state after the actions of one or more whole moves of a turn, or after play was resumed.

    Raises IllegalAction.
    """
    if not actions:
        raise IllegalAction("A move has at least one action.")
    if actions[0] < 0:
        resume = getattr(state, "resume", None)
        if resume is None or len(actions) != 1 or actions[0] < -2:
            raise IllegalAction("There is no such move.")
        resumed: State = resume(-1 - actions[0])
        return resumed
    mover = state.to_move
    for action in actions:
        if state.to_move != mover:
            raise IllegalAction("The turn is over before the last of those moves.")
        state = state.play(action)
    if state.game.mid_move(state):
        raise IllegalAction("That move is not complete.")
    return state
