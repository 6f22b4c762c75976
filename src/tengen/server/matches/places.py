"""Positions that a client names by their moves (`Place`): replayed, checked and described.

What is wrong with one is a Refusal that names the move. Nothing here waits, but a long line takes a while:
call it from a thread.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tengen.game import State
from tengen.line import RESUME, Line
from tengen.server import protocol as p
from tengen.server.errors import Refusal
from tengen.server.games import choices, make_game, outcome, view_of

MOST_MOVES = 2000
MOST_WORK = 1_000_000  # positions of a line times their cells: some megabytes


def first_state(place: p.Place) -> State:
    """Where the line begins; raises Refusal."""
    game = make_game(place.game, place.options)
    try:
        return game.start() if place.origin is None else game.position(*place.origin)
    except (ValueError, TypeError, OverflowError) as error:
        raise Refusal("malformed", f"That position cannot be used: {error}") from None


@dataclass(frozen=True, slots=True)
class Step:
    """A move with the states before and after it, or with no actions a resumption by the seat `resumed`."""

    before: State
    actions: Sequence[int]
    after: State
    resumed: int | None = None


def steps(place: p.Place, most: int = MOST_MOVES) -> Iterator[Step]:
    """What leads to a place, one after another; raises Refusal at the first that is wrong."""
    state = first_state(place)
    wanted = list(_in_order(place))
    if len(wanted) > min(most, MOST_WORK // (state.game.width * state.game.height)):
        raise Refusal("malformed", "That line has too many moves to be looked at here.")
    for number, (actions, resumed) in enumerate(wanted, start=1):
        try:
            line = Line(state)
            after = (line.move(actions) if resumed is None else line.resume(resumed)).after
        except (ValueError, TypeError, OverflowError) as error:
            raise Refusal("illegal", f"Move {number}: {error}") from None
        yield Step(state, actions, after, resumed)
        state = after


def _in_order(place: p.Place) -> Iterator[tuple[list[int], int | None]]:
    """The moves with the resumptions between them. Older clients write one as the move [-1 - seat]."""
    waiting = list(place.resumptions)
    if any(not 0 <= after <= len(place.moves) for after, _ in waiting) or waiting != sorted(waiting):
        raise Refusal("malformed", "The resumptions of a line come in order, each after a move of it.")
    for number, actions in enumerate([*place.moves, None]):
        while waiting and waiting[0][0] == number:
            yield [], waiting.pop(0)[1]
        if actions is not None and len(actions) == 1 and actions[0] < 0:
            yield [], -1 - actions[0]
        elif actions is not None:
            yield actions, None


def last_state(place: p.Place, most: int = MOST_MOVES) -> State:
    state = first_state(place)
    for step in steps(place, most):
        state = step.after
    return state


def line(place: p.Place, most: int = MOST_MOVES) -> p.Line:
    """Every position on the way to a place."""
    positions = [_position("", None, first_state(place))]
    for step in steps(place, most):
        game = step.before.game
        if step.resumed is not None:
            positions.append(_position(RESUME + game.seats[step.resumed], None, step.after, step.resumed))
        else:
            text = game.format(step.before, step.actions)
            positions.append(_position(text, step.before.to_move, step.after))
    return p.Line(positions)


def _position(text: str, seat: int | None, state: State, resumed: int | None = None) -> p.Position:
    return p.Position(
        text=text,
        seat=seat,
        view=view_of(state),
        legal=state.legal_actions(),
        diagram=state.game.diagram(state),
        outcome=outcome(state.outcome),
        moves=choices(state),
        resumed=resumed,
    )
