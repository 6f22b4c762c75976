"""Machines that play Go: levels (docs/levels.md), resigning, dead stones, exact play of small boards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen import _core
from tengen.facets.opponents import DeadEstimate, Opponents, Standing

if TYPE_CHECKING:
    from tengen.facets.solving import Solution, Work
    from tengen.game import Game, Outcome, State
    from tengen.games.go.rules import Go


class GoOpponents(Opponents):
    game: Go
    table = (  # good moves differ by little, so a small blur costs much
        (25, 0.16),
        (85, 0.055),
        (110, 0.04),
        (170, 0.02),
        (200, 0.0),
        (350, 0.0),
        (650, 0.0),
        (1500, 0.0),
        (3200, 0.0),
        (16_000, 0.0),
    )
    brains = {3: 8, 4: 20, 5: 38, 6: 80, 7: 150, 8: 340, 9: 1000, 10: 8000}
    brain_blurs = {3: 0.02}
    seconds = {10: 1.0}
    brain_is_stronger = True
    estimates = True
    resigns = True  # elsewhere an end is near or a turn can change everything
    timed = (
        ("9x9", {"size": 9, "scoring": "area"}),
        ("19x19", {"size": 19, "scoring": "area"}),
    )

    def trained_for(self, trained: Game) -> bool:
        """Why, says cpp/games/go/description.cpp, which the browser asks too."""
        from tengen.games.go.rules import Go

        return isinstance(trained, Go) and _core.Go19.trained_for(self.game._rules, trained._rules)

    def estimate_dead(self, state: State) -> DeadEstimate:
        from tengen.games.go.estimate import estimate_dead

        return estimate_dead(state)

    def standing(self, state: State) -> Standing:
        from tengen.games.go.estimate import standing

        return standing(self.game, self.game._go(state))

    def judged(self, state: State, win: float, lead: float, *, by_net: bool) -> tuple[float, float]:
        from tengen.games.go.judgement import judged, scale_of

        return judged(state.cells().count(0), win, lead, scale_of(self.game.width, by_net))

    def value_of(self, outcome: Outcome) -> float:
        """In area before komi; a repetition draws like exactly komi."""
        return self.game.komi + super().value_of(outcome)

    def solve(self, state: State, memory_mb: int, work: Work) -> Solution:
        from tengen.games.go.solver import solve

        return solve(state, memory_mb, work)
