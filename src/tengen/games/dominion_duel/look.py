"""Dominion Duel's row: claims and locks, each territory with its number or its mark in brackets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen.facets.look import Look, Marks, Piece, Row, Surface

if TYPE_CHECKING:
    from tengen.game import State

_CLAIMS = ("bold #ffffff on #8a5a2b", "bold #ffffff on #2f7d5b")
_LOCKED = 3  # the code of a cell


class DominionDuelLook(Look):
    colours = ("#8a5a2b", "#2f7d5b")
    sizes = {"n": (9, 15, 21)}
    hand = "place"
    pieces = (Piece("X", "claim of Player 1", 0), Piece("O", "claim of Player 2", 1), Piece("#", "locked"))

    def rows(self, state: State, surface: Surface, marks: Marks | None = None) -> list[Row]:
        wide = len(str(self.game.width))
        row: Row = []
        for number, code in enumerate(state.cells(), start=1):
            label = self.game.letters[code] if code else str(number)
            style = "" if not code else "dim" if code == _LOCKED else _CLAIMS[code - 1]
            row += [(f"[{label.center(wide)}]", style), (" ", "")]
        return [row]

    def spot(self, cell: int) -> tuple[int, int]:
        wide = len(str(self.game.width))
        return 0, 1 + cell * (wide + 3) + (wide - 1) // 2
