"""What the square boards of Go and Great Kingdom share: cell names, passes, drawing, the eight symmetries.

Columns are letters without I from the left, rows numbers from the bottom, as every Go program writes them.
Cells are numbered row by row from the top left, so A1 is the first cell of the last row.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tengen.game import Game, IllegalAction, NotationError, State

COLUMNS = "ABCDEFGHJKLMNOPQRST"
PASS_WORDS = ("pass", "p", "--")

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


def turned(cell: int, size: int, symmetry: int) -> int:
    """Where a cell goes: bit 2 of the symmetry swaps rows and columns, bit 1 mirrors rows, bit 0 columns."""
    row, column = divmod(cell, size)
    if symmetry & 4:
        row, column = column, row
    if symmetry & 2:
        row = size - 1 - row
    if symmetry & 1:
        column = size - 1 - column
    return row * size + column


def draw(marks: Sequence[str], size: int, last: int | None = None) -> str:
    """The board with coordinates on both sides; the last move stands in brackets."""
    header = "   " + " ".join(COLUMNS[:size])
    lines = [header]
    for row in range(size):
        cells = ""
        for column in range(size):
            cell = row * size + column
            before = "(" if cell == last else ")" if column > 0 and cell - 1 == last else " "
            cells += before + marks[cell]
        cells += ")" if row * size + size - 1 == last else " "
        lines.append(f"{size - row:2}{cells}{size - row}")
    lines.append(header)
    return "\n".join(lines)


class GridGame(Game):
    """A game of placing one piece on a square board, or passing: actions are the cells, then the pass."""

    symmetries = 8

    def _set_size(self, size: int) -> None:
        self.width = self.height = size
        self.action_count = size * size + 1

    @property
    def size(self) -> int:
        return self.width

    @property
    def pass_action(self) -> int:
        return self.action_count - 1

    def parse(self, state: State, text: str) -> list[int]:
        self._own(state)
        word = text.strip()
        action = self.pass_action if word.lower() in PASS_WORDS else read_cell(word, self.size)
        state.play(action)
        return [action]

    def format(self, state: State, actions: Sequence[int]) -> str:
        self._own(state)
        if len(actions) != 1:
            raise ValueError(f"A move of {self.title} is one action.")
        state.play(actions[0])
        return "pass" if actions[0] == self.pass_action else cell_name(actions[0], self.size)

    def action_map(self, symmetry: int) -> tuple[int, ...]:
        self._check_symmetry(symmetry)
        return (*(turned(cell, self.size, symmetry) for cell in range(self.pass_action)), self.pass_action)

    def _last_cell(self, state: State) -> int | None:
        last = state.actions[-1] if state.actions else self.pass_action
        return last if 0 <= last < self.pass_action else None
