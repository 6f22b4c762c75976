"""Exact play of a small game by its rules alone: who wins, not by how much (cpp/search/plain_solver.hpp)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tengen._core import NotSolvable, solve_plainly
from tengen.facets.solving import NotSolvableError, Solution, Work

if TYPE_CHECKING:
    from tengen.game import State

_POSITIONS_A_MB = 1000  # a state written in Python takes about a kilobyte


class PlainTask:
    """A question for the plain solver, which answers it in one step; it is its own `solver`."""

    def __init__(self, state: State, memory_mb: int, work: Work) -> None:
        self.state, self.nodes = state, 0
        self._most, self._work = memory_mb * _POSITIONS_A_MB, work
        self._found: tuple[int, list[int]] | None = None

    @property
    def solver(self) -> PlainTask:
        return self

    def find_value(self) -> None:
        with self._work.reporting("Who wins?", -math.inf, math.inf) as report:
            try:
                winner, line, self.nodes = solve_plainly(self.state, self._most, report)
            except NotSolvable as error:
                raise NotSolvableError(f"{self.state.game.title}: {error}") from None
        self._found = winner, line

    def line(self) -> list[int]:
        assert self._found is not None
        return self._found[1]

    def known(self) -> Solution:
        if self._found is None:
            return Solution("Nothing is known yet.", None, None, False, -math.inf, math.inf)
        winner = self._found[0]
        if winner < 0:
            return Solution("With best play it is a draw.", 0.0, None, True, 0.0, 0.0)
        value = math.inf if winner == 0 else -math.inf
        text = f"{self.state.game.seats[winner]} wins with best play."
        return Solution(text, value, winner, True, value, value)
