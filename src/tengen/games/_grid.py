"""What the square boards of Go and Great Kingdom share: passes, drawing, the eight symmetries."""

from __future__ import annotations

from collections.abc import Sequence

from tengen import _core
from tengen.facets.points import COLUMNS
from tengen.facets.solving import NotSolvableError
from tengen.game import State
from tengen.games.compiled import CompiledGame


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


class GridGame(CompiledGame):
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

    def action_map(self, symmetry: int) -> tuple[int, ...]:
        self._check_symmetry(symmetry)
        return (*(turned(cell, self.size, symmetry) for cell in range(self.pass_action)), self.pass_action)

    def _last_cell(self, action: int | None) -> int | None:
        """Where that action put a piece, if it was one that does."""
        return action if action is not None and action < self.pass_action else None
