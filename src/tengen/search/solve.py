"""Exact play: who wins a position, by how much, and how, with nothing left to chance.

How a game is solved stands in its folder; docs/solved.md says what takes how long.
"""

from __future__ import annotations

from collections.abc import Callable

from tengen.facets.solving import NotSolvableError, Progress, Solution, SolvingStopped, Work
from tengen.game import State

__all__ = ["NotSolvableError", "Progress", "Solution", "SolvingStopped", "solve"]


def solve(
    state: State, *, memory_mb: int = 256, progress: Callable[[Progress], object] | None = None
) -> Solution:
    """Solves the position, however long that takes; `progress` is called about ten times a second.

    Earlier positions of the game are not taken into account: repetitions count from here. Raises
    NotSolvableError, and SolvingStopped for Ctrl-C. An exception from `progress` stops the solver too and
    comes out of here.
    """
    if memory_mb < 1:
        raise ValueError("The solver needs at least 1 MB of memory.")
    if state.outcome is not None:
        return _finished(state)
    return state.game.opponents.solve(state, memory_mb, Work(progress))


def _finished(state: State) -> Solution:
    outcome, game = state.outcome, state.game
    assert outcome is not None
    value = game.opponents.value_of(outcome)
    who = "drawn" if outcome.winner is None else f"won by {game.seats[outcome.winner]}"
    return Solution(f"The game is over, {who}.", value, outcome.winner, True, value, value)
