"""Great Kingdom's castles as capitals, territory as its owner's small letter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen import _core
from tengen.facets.look import Marks, Piece, Row, Surface
from tengen.games._grid_facets import GridLook

if TYPE_CHECKING:
    from tengen.game import State

_CASTLES = ("bold #ffffff on #1f5fbf", "bold #000000 on #f08a24", "bold #ffffff on #707070")
_TERRITORY = ("#5f9fff", "#f0a050")


class GreatKingdomLook(GridLook):
    colours = ("#1f5fbf", "#f08a24")
    config_size = True
    sizes = {"size": (7, 9, 11)}
    pieces = (Piece("B", "Blue", 0), Piece("O", "Orange", 1), Piece("N", "neutral castle"))

    def rows(self, state: State, surface: Surface, marks: Marks | None = None) -> list[Row]:
        assert isinstance(state, _core.GreatKingdom7 | _core.GreatKingdom9 | _core.GreatKingdom19)
        cells, territory = state.cells(), state.territory()

        def cell_of(cell: int) -> tuple[str, str]:
            if code := cells[cell]:
                return "BON"[code - 1], _CASTLES[code - 1]
            if owner := territory[cell]:
                return "bo"[owner - 1], _TERRITORY[owner - 1]
            return "·" if surface.colour and surface.unicode else ".", "dim"

        return self.points(state, surface, cell_of)
