"""Machines that play Great Kingdom: levels and exact play of small boards. docs/levels.md measures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen.facets.opponents import Opponents

if TYPE_CHECKING:
    from tengen.facets.solving import Solution, Work
    from tengen.game import Game, OptionValue, State

NEAR = 2  # cells: the brain for 7×7 to 11×11 beat the search on 13×13 too, and not on 5×5


class GreatKingdomOpponents(Opponents):
    # From level 6 on the visits are for where no brain plays: other rules, or none installed.
    table = (
        (20, 0.20),
        (80, 0.065),
        (280, 0.0),
        (1150, 0.0),
        (3200, 0.0),
        (5000, 0.0),
        (9000, 0.0),
        (16_000, 0.0),
        (30_000, 0.0),
        (60_000, 0.0),
    )
    brains = {6: 28, 7: 75, 8: 320, 9: 1800, 10: 10_000}  # the last about a second of one core
    brain_is_stronger = True
    timed = (("9x9", {"size": 9}),)

    def trained_for(self, trained: Game) -> bool:
        """A brain knows boards up to two cells wider than its own, with a neutral castle or without.

        Rules that no good move can tell apart are the same to it.
        """
        near = trained.width <= self.game.width <= trained.width + NEAR
        return near and _felt(self.game) == _felt(trained)

    def solve(self, state: State, memory_mb: int, work: Work) -> Solution:
        from tengen.games.great_kingdom.solver import solve

        return solve(state, memory_mb, work)


def _felt(game: Game) -> dict[str, OptionValue]:
    """The options that change how one plays.

    Search never looks at a suicide, lost or illegal, and castles for half of the board hardly run out.
    """
    options = dict(game.options)
    castles, cells = options.pop("castles"), game.width * game.height
    few = isinstance(castles, int) and castles < cells // 2
    for name in ("rules", "suicide", "size", "neutral"):
        del options[name]
    return options | {"castles": castles if few else None}
