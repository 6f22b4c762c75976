"""Go's stones: full and empty discs where colours and Unicode are there, else X and O; marks on top."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen import _core
from tengen.facets.look import Marks, Piece, Row, Surface
from tengen.games._grid_facets import GridLook

if TYPE_CHECKING:
    from tengen.game import State

_STONES = ("#000000", "#ffffff")


class GoLook(GridLook):
    colours = ("#1c1c1e", "#f4f1e8")
    sizes = {"size": (9, 13, 19)}
    asks_size = True
    pieces = (Piece("X", "Black", 0), Piece("O", "White", 1))
    ground = "on #d8a860"  # wood

    def rows(self, state: State, surface: Surface, marks: Marks | None = None) -> list[Row]:
        assert isinstance(state, _core.Go9 | _core.Go19)
        cells, stars = state.cells(), set(star_points(self.game.size))
        discs = surface.colour and surface.unicode
        owner = (
            () if marks is None else state.count(sorted(marks.dead), sorted(marks.neutral)).owner
        )  # by cell, 1 Black's and 2 White's

        def stone(seat: int) -> str:
            return _STONES[seat] if surface.colour else ""

        def cell_of(cell: int) -> tuple[str, str]:
            code = cells[cell]
            if code and marks is not None and cell in marks.dead:
                return "xo"[code - 1], _STONES[code - 1]
            if code:
                return ("●○" if discs else "XO")[code - 1], stone(code - 1)
            if marks is not None and cell in marks.neutral:
                return "?", ""
            if owner and owner[cell]:
                return "#~"[owner[cell] - 1], stone(owner[cell] - 1)
            return (
                "+" if cell in stars else "·" if discs else ".",
                "#6b4f1d" if surface.colour else "",
            )

        return self.points(state, surface, cell_of)


def star_points(size: int) -> list[int]:
    """The marked points of a board: corners, sides and centre as printed boards have them."""
    if size < 7:
        return []
    near = 3 if size >= 13 else 2
    lines = [near, size - 1 - near]
    middle = size // 2
    points = [row * size + column for row in lines for column in lines]
    if size % 2:
        points.append(middle * size + middle)
    if size % 2 and size >= 15:
        points += [cell for line in lines for cell in (middle * size + line, line * size + middle)]
    return sorted(points)
