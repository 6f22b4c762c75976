"""A second implementation of the four games, written from `docs/rules` alone and kept naive on purpose.

It shares nothing with the engine: boards are strings of letters (row by row from the top left), everything
else is worked out afresh by flood fill. The differential tests play both side by side, and the perft counts
come from here. Every class has `to_move`, `over`, `outcome` (None or (winner, reason, score)), `board`,
`legal_actions()`, `play(action)` in place, and `copy()`; options are keyword arguments, and `cells` with
`to_move` start from a position. Nothing is validated: illegal actions and impossible positions give nonsense.
"""

from .dominion_duel import DominionDuel
from .go import Go
from .great_kingdom import GreatKingdom
from .kelasu import Kelasu

Reference = DominionDuel | Go | GreatKingdom | Kelasu
Outcome = tuple[int | None, str, tuple[float, float] | None]

REFERENCES: dict[str, type[Reference]] = {
    "dominion-duel": DominionDuel,
    "go": Go,
    "great-kingdom": GreatKingdom,
    "kelasu": Kelasu,
}

__all__ = ["REFERENCES", "DominionDuel", "Go", "GreatKingdom", "Kelasu", "Outcome", "Reference"]
