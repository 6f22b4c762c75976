"""A board as lines of text, and where on them each cell is. A row that is too long goes on below."""

from __future__ import annotations

from dataclasses import dataclass

from rich.text import Text

from tengen.facets import plain
from tengen.facets.look import Look, Marks, Surface
from tengen.game import Game, State


@dataclass(frozen=True)
class Layout:
    lines: list[Text]
    spots: list[tuple[int, int]]  # the line and the column of each cell
    pitch: int  # columns from one cell to the next

    @staticmethod
    def of(game: Game, state: State, surface: Surface, marks: Marks | None, most_columns: int) -> Layout:
        look, cells = game.look, range(game.width * game.height)
        if _says_where(game):
            lines = [Text.assemble(*row) for row in look.rows(state, surface, marks)]
            spots = [look.spot(cell) for cell in cells]
        else:
            lines = [Text(line) for line in plain.draw(game, state).split("\n")]
            spots = [plain.spot(game, cell) for cell in cells]
        pitch = spots[1][1] - spots[0][1] if game.width > 1 else 2
        layout = Layout(lines, spots, pitch)
        return layout._folded(most_columns) if game.height == 1 else layout

    @property
    def width(self) -> int:
        return max(line.cell_len for line in self.lines)

    def cell_at(self, line: int, column: int) -> int | None:
        """The cell under a pointer."""
        near = [
            (abs(at - column), cell)
            for cell, (on, at) in enumerate(self.spots)
            if on == line and abs(at - column) <= self.pitch // 2
        ]
        return min(near)[1] if near else None

    def _folded(self, most_columns: int) -> Layout:
        each = max(1, most_columns // self.pitch)
        if each >= len(self.spots):
            return self
        span, deep = each * self.pitch, len(self.lines) + 1
        lines = [
            line[start : start + span]
            for start in range(0, len(self.spots) * self.pitch, span)
            for line in (*self.lines, Text())
        ]
        spots = [(column // span * deep + line, column % span) for line, column in self.spots]
        return Layout(lines, spots, self.pitch)


def _says_where(game: Game) -> bool:
    """Whether `Look.spot` is about what `Look.rows` draws."""
    look = type(game.look)
    own = look.rows is not Look.rows or type(game).text is not Game.text
    return look.spot is not Look.spot or not own
