"""Connect Four: discs fall to the bottom of a column, and four in a row win. An action is a column."""

from __future__ import annotations

from functools import cached_property

from tengen import Game, Option, OptionValue, Outcome, PythonState
from tengen.facets import Look, Piece, Table

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


class Position(PythonState):
    game: ConnectFour
    board: bytes
    last: int | None = None  # the cell of the last disc: only a line through it can be new

    @cached_property
    def outcome(self) -> Outcome | None:
        if any(self.is_four(cell) for cell in ([self.last] if self.actions else range(len(self.board)))):
            return Outcome(1 - self.to_move, "line")
        return None if 0 in self.board else Outcome(None, "full")

    def is_four(self, cell: int | None) -> bool:
        if cell is None or not self.board[cell]:
            return False
        return any(self.run(cell, r, c) + self.run(cell, -r, -c) >= 3 for r, c in DIRECTIONS)

    def run(self, cell: int, down: int, right: int) -> int:
        """How many discs of the same colour follow in that direction."""
        width, height = self.game.width, self.game.height
        (row, column), count = divmod(cell, width), 0
        while 0 <= (row := row + down) < height and 0 <= (column := column + right) < width:
            if self.board[row * width + column] != self.board[cell]:
                break
            count += 1
        return count

    def legal_actions(self) -> list[int]:
        if self.outcome is not None:
            return []
        return [column for column in range(self.game.width) if not self.board[column]]

    def why_illegal(self, action: int) -> str | None:
        full = self.outcome is None and 0 <= action < self.game.width and self.board[action]
        return "That column is full." if full else super().why_illegal(action)

    def after(self, action: int) -> Position:
        cell = action
        while cell + self.game.width < len(self.board) and not self.board[cell + self.game.width]:
            cell += self.game.width
        board = bytearray(self.board)
        board[cell] = self.to_move + 1
        return self.moved(bytes(board), last=cell)


class ConnectFourTable(Table):
    about = "Drop discs into columns; four in a row win."
    rules = "Red and Yellow drop a disc into a column in turn.\nFour in a row, in any direction, win."
    wins = {"line": "four in a row"}
    draws = {"full": "because the board is full"}


class ConnectFourLook(Look):
    colours = ("#d03030", "#e0b020")
    pieces = (Piece("R", "Red", 0), Piece("Y", "Yellow", 1))


class ConnectFour(Game):
    name = "connect-four"
    title = "Connect Four"
    seats = ("Red", "Yellow")
    reasons = ("line", "full")
    letters = ".RY"
    option_list = (
        Option("width", int, 7, "columns", minimum=4, maximum=12),
        Option("height", int, 6, "rows", minimum=4, maximum=12),
    )
    table_kind, look_kind = ConnectFourTable, ConnectFourLook
    symmetries = 2  # itself and its mirror image

    def __init__(self, **options: OptionValue) -> None:
        super().__init__(**options)
        self.width, self.height = int(self.options["width"] or 7), int(self.options["height"] or 6)
        self.action_count = self.width

    def start(self) -> Position:
        return Position(self, bytes(self.width * self.height))

    def action_map(self, symmetry: int) -> tuple[int, ...]:
        columns = range(self.width)
        return tuple(reversed(columns)) if symmetry else tuple(columns)

    def cell_map(self, symmetry: int) -> tuple[int, ...]:
        columns = self.action_map(symmetry)
        return tuple(row * self.width + to for row in range(self.height) for to in columns)
