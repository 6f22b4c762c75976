"""What Go and Great Kingdom say and show alike, beside the notation of `_grid`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from tengen.facets.look import Look, Row, Surface
from tengen.facets.points import COLUMNS, cell_name, read_cell
from tengen.facets.table import Table
from tengen.games._grid import GridGame

if TYPE_CHECKING:
    from tengen.game import State

_REVERSED = re.compile(r"(\d{1,2})\s*([a-z])", re.IGNORECASE)
_LAST, _LAST_ON_GROUND = "bold #ff5f5f", "bold #c00000"


class GridTable(Table):
    game: GridGame
    examples = {"D4": "play there"}

    @property
    def pass_action(self) -> int:
        return self.game.pass_action

    def read(self, text: str) -> str:
        turned = _REVERSED.fullmatch(text)
        return turned[2] + turned[1] if turned else text

    def read_cell(self, text: str) -> int:
        return read_cell(text, self.game.size)

    def names_of(self, cells: Iterable[int]) -> str:
        return " ".join(cell_name(cell, self.game.size) for cell in sorted(cells))

    def legal_words(self, state: State) -> list[str]:
        size, legal = self.game.size, state.legal_actions()
        lines = []
        for row in range(size):
            if cells := [a for a in legal if a < self.pass_action and a // size == row]:
                names = " ".join(COLUMNS[cell % size] for cell in cells)
                lines.append(f"Row {size - row:2}: {names}")
        lines += self.warning_words(state)
        return [*lines, "or pass"] if self.pass_action in legal else lines

    def warning_words(self, state: State) -> list[str]:
        """What should be known before a move."""
        return []


class GridLook(Look):
    game: GridGame
    hand = "place"
    ground = ""  # a style behind the whole board

    def points(self, state: State, surface: Surface, cell_of: Callable[[int], tuple[str, str]]) -> list[Row]:
        """The board with coordinates on both sides; the last move stands in brackets."""
        size = self.game.size
        ground = self.ground if surface.colour else ""
        bracket = f"{_LAST_ON_GROUND} {ground}" if ground else _LAST
        last = self.game.view(state).last
        header: Row = [("   " + " ".join(COLUMNS[:size]), "")]
        lines = [header]
        for row in range(size):
            number = f"{size - row:2}"
            line: Row = [(number, "")]
            for column in range(size):
                cell = row * size + column
                after = column > 0 and cell - 1 in last
                line.append(("(" if cell in last else ")" if after else " ", bracket))
                letter, style = cell_of(cell)
                line.append((letter, style if " on " in style else f"{style} {ground}".strip()))
            line.append((")" if row * size + size - 1 in last else " ", bracket))
            line.append((number.lstrip(), ""))
            lines.append(line)
        return [*lines, header]

    def spot(self, cell: int) -> tuple[int, int]:
        row, column = divmod(cell, self.game.size)
        return 1 + row, 3 + 2 * column
