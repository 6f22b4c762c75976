"""How a net learns Great Kingdom: the settings of training are its own, and DQN knows its rewards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen.facets.learning import Learning

if TYPE_CHECKING:
    from tengen.games.great_kingdom.rules import GreatKingdom


class GreatKingdomLearning(Learning):
    game: GreatKingdom
    algorithms = ("gumbel", "dqn")
    settings = {}

    @property
    def bounds(self) -> tuple[float, float]:
        lead = abs(self.game.lead) / 8
        return -lead, max(1.0, lead)
