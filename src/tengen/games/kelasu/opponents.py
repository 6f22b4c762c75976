"""Machines that play Kelasu. The search is alpha-beta: a visit is a position, a million of them a second."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen.facets.opponents import Opponents
from tengen.facets.solving import NotSolvableError, Solution, Work

if TYPE_CHECKING:
    from tengen.game import State


class KelasuOpponents(Opponents):
    table = (
        (40, 0.20),
        (65, 0.155),
        (110, 0.125),
        (440, 0.043),
        (1000, 0.014),
        (2000, 0.0),
        (10_000, 0.0),
        (40_000, 0.0),
        (160_000, 0.0),
        (640_000, 0.0),
    )
    opening_moves = 4
    timed = (("10x10", {}),)

    def solve(self, state: State, memory_mb: int, work: Work) -> Solution:
        raise NotSolvableError(f"{self.game.title} has no exact solver.")
