"""Kelasu's squares: `:` marks a victory tile, `'` a piece that has moved, an underline the last move."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from tengen import _core
from tengen.facets.look import Look, Marks, Piece, Row, Surface
from tengen.games.kelasu.pieces import LETTERS, PIECES, RANKS, SIZE, VICTORY_TILES, cell_name

if TYPE_CHECKING:
    from tengen.game import State

_ARMIES = ("bold #5fafff", "bold #ff6f61")
_TILE = "on #5f5f00"
_FIRST_RED = LETTERS.index("b")


class KelasuLook(Look):
    bottom = 1  # Red's home is the last rank
    colours = ("#3f7fd0", "#d0433a")
    hand = "own"
    column_names = "0123456789"
    pieces = tuple(
        Piece(letter, f"{('Blue', 'Red')[letter.islower()]} {PIECES[letter.upper()]}", int(letter.islower()))
        for letter in LETTERS[1:]
    )

    def cell_name(self, cell: int) -> str:
        return cell_name(cell)

    def rows(self, state: State, surface: Surface, marks: Marks | None = None) -> list[Row]:
        assert isinstance(state, _core.Kelasu)
        cells, moved, last = state.cells(), set(state.moved), self.game.view(state).last
        chosen: Collection[int] = state.selected if state.selected_from is None else [state.selected_from]
        header: Row = [("    " + "  ".join(str(file) for file in range(SIZE)), "")]
        lines = [header]
        for rank, name in enumerate(RANKS):
            line: Row = [(f" {name} ", "")]
            for cell in range(rank * SIZE, (rank + 1) * SIZE):
                ground = f" {_TILE}" if cell in VICTORY_TILES else ""
                code = cells[cell]
                style = _ARMIES[code >= _FIRST_RED] if code else "dim"
                if cell in moved:
                    style = style.replace("bold ", "")
                style += " underline" if cell in last else ""
                style += " reverse" if cell in chosen else ""
                line.append((":" if ground else " ", ground.strip()))
                line.append((LETTERS[code], style + ground))
                line.append(("'" if cell in moved else " ", ground.strip()))
            line.append((f" {name}", ""))
            lines.append(line)
        return [*lines, header]

    def spot(self, cell: int) -> tuple[int, int]:
        rank, file = divmod(cell, SIZE)
        return 1 + rank, 4 + 3 * file
