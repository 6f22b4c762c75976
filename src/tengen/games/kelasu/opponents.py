"""Machines that play Kelasu. The search is alpha-beta: a visit is a position, a million of them a second."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen.facets.opponents import Opponents
from tengen.facets.solving import NotSolvableError, Solution, Work

if TYPE_CHECKING:
    from tengen.game import State


class KelasuOpponents(Opponents):
    table = (
        (20, 0.6),
        (32, 0.27),
        (38, 0.215),
        (60, 0.165),
        (100, 0.12),
        (200, 0.07),
        (500, 0.027),
        (1400, 0.006),
        (4000, 0.0),
        (1_400_000, 0.0),
    )
    seconds = {10: 1.0}  # where there is no time for so many
    opening_moves = 4
    timed = (("10x10", {}),)

    def solve(self, state: State, memory_mb: int, work: Work) -> Solution:
        raise NotSolvableError(f"{self.game.title} has no exact solver.")
