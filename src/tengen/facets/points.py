"""Names of points on a board: columns are letters without I from the left, rows numbers from the bottom.

Cells are numbered row by row from the top left, so A1 is the first of the last row.
"""

from __future__ import annotations

from tengen._core import point_name, read_point

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


def cell_name(cell: int, size: int) -> str:
    return point_name(cell, size, size)


def read_cell(text: str, size: int) -> int:
    """The number of the cell with that name; IllegalAction when it lies beside the board."""
    return read_point(text, size, size)
