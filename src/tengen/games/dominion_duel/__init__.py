"""Dominion Duel: `rules` (the row, its notation and view), `table`, `look`, `opponents`, `learning`,
`perfect` (the game is solved), `conversation` (what the rulebook has a program say).
Rules: docs/rules/dominion-duel.md.
"""

from tengen.games.dominion_duel.rules import DominionDuel

__all__ = ["DominionDuel"]
