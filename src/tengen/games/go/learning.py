"""How a net learns Go. There is no sudden death: longer games, more noise allowed, and the score is all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tengen.facets.learning import Learning

if TYPE_CHECKING:
    from tengen.game import Game
    from tengen.games.go.rules import Go


class GoLearning(Learning):
    game: Go
    options = {"size": 9}
    # From 7.5 the steps lead to 4.5, 6.5, 7.5 and 9.5: each side wins about half, which a value is learned
    # from best, and the brain plays with every komi of those and under territory scoring.
    # The search of the levels teaches it first, since a net that knows nothing plays like dice.
    settings = {
        "teacher_games": 750,
        "games_per_iteration": 150,
        "full_simulations": 64,
        "fast_simulations": 12,  # 25 simulations a move
        "ratio": 6.0,
        "rate_samples": 2_500_000,
        "window_first": 100_000,
        "noise_actions": 20,
        "late_noise": 0.5,
        "lead_weight": 0.5,
        "max_actions": 250,
        "komi_steps": (-3.0, -1.0, -1.0, -1.0, 0.0, 0.0, 0.0, 2.0),
    }

    @property
    def bounds(self) -> tuple[float, float]:
        """Territory scoring is told as a komi that grows with the stones that one side has placed more than
        the other. Twice the board is more than anybody gets to unless the other passes for ever.
        """
        stones = 0 if self.game.options["scoring"] == "area" else 2 * self.game.size**2
        komi = (abs(self.game.komi) + stones) / self.game.size
        return -komi, max(1.0, komi)

    def variants(self, steps: Sequence[float]) -> list[Game]:
        """The same game with each step added to its komi."""
        game = self.game
        return [
            type(game)(**{**game.options, "komi": float(game.options["komi"] or 0) + step}) for step in steps
        ] or [game]
