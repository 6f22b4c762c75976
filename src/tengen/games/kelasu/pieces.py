"""Kelasu's board, its pieces and what a merge of blanks costs: the numbers that everything else refers to."""

from __future__ import annotations

RANKS = "ABCDEFGHIJ"
SIZE = len(RANKS)
CELLS = SIZE * SIZE
KINDS = "WRDCGS"
NAMES = ("warrior", "runner", "diplomat", "champion", "general", "stone")
COSTS = (2, 4, 4, 5, 10, 21)  # blanks that a merge takes, by kind
END_TURN = CELLS + len(KINDS)
VICTORY_TILES = (44, 45, 54, 55)
LETTERS = ".BWRDCGSbwrdcgs"  # of cell codes: Blue in capitals
PIECES = {"B": "blank", **dict(zip(KINDS, NAMES, strict=True))}


def cell_name(cell: int) -> str:
    return f"{RANKS[cell // SIZE]}{cell % SIZE}"
