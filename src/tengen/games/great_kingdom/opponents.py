"""Machines that play Great Kingdom: levels and exact play of small boards. docs/levels.md measures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen import _core
from tengen.facets.opponents import Opponents

if TYPE_CHECKING:
    from tengen.facets.solving import Solution, Work
    from tengen.game import Game, State
    from tengen.games.great_kingdom.rules import GreatKingdom


class GreatKingdomOpponents(Opponents):
    game: GreatKingdom
    # From level 5 on the visits are for where no brain plays: other rules, or none installed.
    table = (
        (20, 0.20),
        (110, 0.045),
        (800, 0.0),
        (3800, 0.0),
        (5000, 0.0),
        (8000, 0.0),
        (12_000, 0.0),
        (20_000, 0.0),
        (35_000, 0.0),
        (60_000, 0.0),
    )
    brains = {5: 14, 6: 45, 7: 220, 8: 1100, 9: 4000, 10: 40_000}  # the last by its second
    seconds = {10: 1.0}  # in the page, too, which has time for fewer simulations
    brain_is_stronger = True
    timed = (("9x9", {"size": 9}),)

    def trained_for(self, trained: Game) -> bool:
        """Why, says cpp/games/great_kingdom/description.cpp, which the browser asks too."""
        from tengen.games.great_kingdom.rules import GreatKingdom

        return isinstance(trained, GreatKingdom) and _core.GreatKingdom19.trained_for(
            self.game._rules, trained._rules
        )

    def solve(self, state: State, memory_mb: int, work: Work) -> Solution:
        from tengen.games.great_kingdom.solver import solve

        return solve(state, memory_mb, work)
