"""Kelasu's board, its pieces and what a merge of blanks costs: the numbers that everything else refers to."""

from __future__ import annotations

from tengen import _core

RANKS = "ABCDEFGHIJ"
SIZE = len(RANKS)
CELLS = SIZE * SIZE
KINDS = "WRDCGS"
NAMES = ("warrior", "runner", "diplomat", "champion", "general", "stone")
COSTS = _core.KELASU_COSTS  # blanks that a merge takes, by kind
END_TURN = CELLS + len(KINDS)
VICTORY_TILES = _core.KELASU_VICTORY_TILES
LETTERS = _core.Kelasu.letters  # of cell codes: Blue in capitals
PIECES = {"B": "blank", **dict(zip(KINDS, NAMES, strict=True))}


def cell_name(cell: int) -> str:
    return f"{RANKS[cell // SIZE]}{cell % SIZE}"
