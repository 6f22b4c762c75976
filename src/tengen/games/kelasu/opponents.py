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
        (35, 0.24),
        (56, 0.172),
        (110, 0.115),
        (420, 0.035),
        (1300, 0.0075),
        (2800, 0.0),
        (19_000, 0.0),
        (160_000, 0.0),
        (1_400_000, 0.0),
    )
    seconds = {10: 1.0}  # where there is no time for so many
    opening_moves = 4
    timed = (("10x10", {}),)

    def solve(self, state: State, memory_mb: int, work: Work) -> Solution:
        raise NotSolvableError(f"{self.game.title} has no exact solver.")
