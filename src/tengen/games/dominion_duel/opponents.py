"""Machines that play Dominion Duel: the game is solved, so a level is only a chance of carelessness."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen.facets.opponents import NAMES, Level, Opponents

if TYPE_CHECKING:
    from tengen.facets.solving import Solution, Work
    from tengen.game import State

_CARELESS = ((NAMES[0], 1.0), (NAMES[3], 0.5), (NAMES[6], 0.2), ("Perfect", 0.0))


class DominionDuelOpponents(Opponents):
    opening_moves = 0
    timed = (("9", {"n": 9}),)

    @property
    def levels(self) -> tuple[Level, ...]:
        return tuple(Level(number, name, 0, blur) for number, (name, blur) in enumerate(_CARELESS, start=1))

    def outcomes(self, state: State) -> dict[int, int | None]:
        from tengen.games.dominion_duel.perfect import outcomes

        return outcomes(state)

    def solve(self, state: State, memory_mb: int, work: Work) -> Solution:
        from tengen.games.dominion_duel.perfect import solve

        return solve(state, work)
