"""What the square boards of Go and Great Kingdom share: notation, passes, drawing, the eight symmetries."""

from __future__ import annotations

from collections.abc import Sequence

from tengen import _core
from tengen.facets.points import COLUMNS, cell_name, read_cell
from tengen.facets.solving import NotSolvableError
from tengen.facets.table import PASS_WORDS
from tengen.game import Game, State


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


def check_solvable(state: State) -> None:
    """Refuses boards that are larger than the exact solvers take."""
    side, largest = state.game.width, _core.SOLVER_LARGEST_SIDE
    if side > largest:
        raise NotSolvableError(f"Exact play needs a board of at most {largest}×{largest}, not {side}×{side}.")


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

    def _last_cell(self, action: int | None) -> int | None:
        """Where that action put a piece, if it was one that does."""
        return action if action is not None and action < self.pass_action else None
