"""Kelasu: `pieces` (the board and what stands on it), `notation` (moves and turns), `rules` (options and
view), `table`, `look`, `opponents`, `learning`. Rules: docs/rules/kelasu.md.
"""

from tengen.games.kelasu.notation import move_kind, move_length, split_moves
from tengen.games.kelasu.pieces import (
    CELLS,
    COSTS,
    END_TURN,
    KINDS,
    NAMES,
    RANKS,
    SIZE,
    VICTORY_TILES,
    cell_name,
)
from tengen.games.kelasu.rules import Kelasu

__all__ = [
    "CELLS",
    "COSTS",
    "END_TURN",
    "KINDS",
    "NAMES",
    "RANKS",
    "SIZE",
    "VICTORY_TILES",
    "Kelasu",
    "cell_name",
    "move_kind",
    "move_length",
    "split_moves",
]
