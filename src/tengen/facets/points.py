"""Names of points on a board: columns are letters without I from the left, rows numbers from the bottom.

Cells are numbered row by row from the top left, so A1 is the first of the last row.
"""

from __future__ import annotations

import re

from tengen._core import IllegalAction
from tengen.facets.errors import NotationError

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"

_CELL = re.compile(r"([A-Za-z])\s*([0-9]{1,2})")


def cell_name(cell: int, size: int) -> str:
    return f"{COLUMNS[cell % size]}{size - cell // size}"


def read_cell(text: str, size: int) -> int:
    """The number of the cell with that name; IllegalAction when it lies beside the board."""
    match = _CELL.fullmatch(text.strip())
    if match is None or not text.isascii():
        raise NotationError(f"{text!r} is neither a point such as D4 nor 'pass'.")
    letter, row = match[1].upper(), int(match[2])
    if letter == "I":
        raise NotationError("There is no column I: the columns go from H straight to J.")
    column = COLUMNS.find(letter)
    if not (0 <= column < size and 1 <= row <= size):
        raise IllegalAction(
            f"{letter}{row} is not on the board, which goes from A1 to {cell_name(size - 1, size)}."
        )
    return (size - row) * size + column
