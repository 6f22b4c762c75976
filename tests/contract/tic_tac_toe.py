"""Tic-tac-toe in plain Python against the contract: the smallest example of a game of one's own.

A `Position` is a frozen value: nine cell codes, the mover, and how it came about. Actions are the cells row
by row from the top left; a move is written `b2`, columns a to c from the left, rows 1 to 3 from the bottom.
`TicTacToe` reads, writes and draws it. The contract suite plays it, and `test_plugins.py` registers it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import index
from typing import TYPE_CHECKING, ClassVar, SupportsIndex

from tengen import Game, IllegalAction, InvalidPosition, NotationError, Outcome, State, View
from tengen.game import describe, text_to_cells

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SIZE = 3
CELLS = SIZE * SIZE
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


@dataclass(frozen=True, repr=False)
class Position:
    game: TicTacToe
    board: bytes = bytes(CELLS)
    to_move: int = 0
    actions: tuple[int, ...] = field(default=(), compare=False)
    origin: tuple[str, int] | None = field(default=None, compare=False)

    resumptions: ClassVar[tuple[tuple[int, int], ...]] = ()

    @property
    def outcome(self) -> Outcome | None:
        for seat in (0, 1):
            if any(all(self.board[cell] == seat + 1 for cell in line) for line in LINES):
                return Outcome(seat, "line")
        return None if 0 in self.board else Outcome(None, "full")

    def legal_actions(self) -> list[int]:
        return [] if self.outcome else [cell for cell in range(CELLS) if not self.board[cell]]

    def play(self, action: SupportsIndex, /) -> Position:
        cell = index(action)
        if self.outcome:
            raise IllegalAction("The game is over.")
        if not 0 <= cell < CELLS:
            raise IllegalAction("There is no such cell.")
        if self.board[cell]:
            raise IllegalAction("That cell is taken.")
        board = bytearray(self.board)
        board[cell] = self.to_move + 1
        return Position(self.game, bytes(board), 1 - self.to_move, (*self.actions, cell), self.origin)

    def resume(self, seat: int, /) -> Position:
        raise IllegalAction("A game that is over stays over.")

    def encode(self) -> NDArray[np.float32]:
        """The mover's marks, then the opponent's."""
        import numpy as np

        board = np.frombuffer(self.board, np.uint8).reshape(SIZE, SIZE)
        return np.stack([board == self.to_move + 1, board == 2 - self.to_move]).astype(np.float32)

    def cells(self) -> bytes:
        return self.board

    def __repr__(self) -> str:
        return describe(self)


class TicTacToe(Game):
    name = "tic-tac-toe"
    title = "Tic-tac-toe"
    seats = ("Crosses", "Noughts")
    reasons = ("line", "full")
    letters = ".XO"
    action_count = CELLS
    width = height = SIZE
    symmetries = 8

    def start(self) -> Position:
        return Position(self)

    def position(self, text: str, to_move: int = 0) -> Position:
        cells = text_to_cells(text, self.letters, SIZE, SIZE)
        if cells.count(1) - cells.count(2) != to_move:
            raise InvalidPosition("Players alternate, so X has as many marks as O or one more.")
        if any(all(cells[cell] == to_move + 1 for cell in line) for line in LINES):
            raise InvalidPosition("The player to move has a line already.")
        return Position(self, cells, to_move, origin=(text.strip(), to_move))

    def parse(self, state: State, text: str) -> list[int]:
        self._own(state)
        word = text.strip().lower()
        if len(word) != 2 or word[0] not in "abc" or word[1] not in "123":
            raise NotationError(f"{text!r} is not a cell such as b2.")
        action = (SIZE - int(word[1])) * SIZE + "abc".index(word[0])
        state.play(action)
        return [action]

    def format(self, state: State, actions: Sequence[int]) -> str:
        self._own(state)
        (action,) = actions
        state.play(action)
        return f"{'abc'[action % SIZE]}{SIZE - action // SIZE}"

    def text(self, state: State) -> str:
        marks = "".join(self.letters[code] for code in state.cells())
        return "\n".join(" ".join(marks[row : row + SIZE]) for row in range(0, CELLS, SIZE))

    def view(self, state: State) -> View:
        cells = tuple(self.letters[code] for code in state.cells())
        return View("squares", SIZE, SIZE, cells, state.to_move, last=state.actions[-1:])

    def action_map(self, symmetry: int) -> tuple[int, ...]:
        """Bit 2 of the symmetry swaps rows and columns, bit 1 mirrors rows, bit 0 columns."""
        self._check_symmetry(symmetry)
        target = []
        for cell in range(CELLS):
            row, column = divmod(cell, SIZE)
            if symmetry & 4:
                row, column = column, row
            row = SIZE - 1 - row if symmetry & 2 else row
            column = SIZE - 1 - column if symmetry & 1 else column
            target.append(row * SIZE + column)
        return tuple(target)
