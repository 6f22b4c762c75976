"""What a game of somebody's own has without saying more: moves from cell to cell, and points."""

from __future__ import annotations

import io

import pytest

from tengen import Game, IllegalAction, NotationError, Outcome, PythonState, game
from tengen.records.gtp_engine import GtpEngine
from tengen.testing import check_game

WIDTH, HEIGHT = 3, 4


class Pawns(PythonState):
    """Pawns step ahead into an empty cell; whoever reaches the far row wins, whoever is stuck loses."""

    @property
    def outcome(self) -> Outcome | None:
        for seat, far in enumerate((self.board[:WIDTH], self.board[-WIDTH:])):
            if seat + 1 in far:
                return Outcome(seat, "far")
        return None if self.steps() else Outcome(1 - self.to_move, "stuck")

    @property
    def score(self) -> tuple[float, float]:
        rows = [
            [cell // WIDTH for cell, code in enumerate(self.board) if code == seat + 1] for seat in (0, 1)
        ]
        return HEIGHT - 1 - min(rows[0]), max(rows[1])

    def steps(self) -> list[int]:
        """From a cell times the number of cells, plus where to."""
        cells, ahead = len(self.board), WIDTH if self.to_move else -WIDTH
        own = [cell for cell in range(cells) if self.board[cell] == self.to_move + 1]
        return [
            at * cells + at + ahead for at in own if 0 <= at + ahead < cells and not self.board[at + ahead]
        ]

    def legal_actions(self) -> list[int]:
        return [] if self.outcome else self.steps()

    def after(self, action: int) -> Pawns:
        start, to = divmod(action, len(self.board))
        board = bytearray(self.board)
        board[start], board[to] = 0, self.board[start]
        return self.moved(bytes(board))


class Run(Game):
    name, title = "run", "Run"
    seats, reasons, letters = ("White", "Black"), ("far", "stuck"), ".wb"
    width, height, action_count = WIDTH, HEIGHT, (WIDTH * HEIGHT) ** 2

    def start(self) -> Pawns:
        return Pawns(self, bytes([2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1]))

    def action_name(self, action: int) -> str:
        return "-".join(self.look.cell_name(cell).lower() for cell in divmod(action, WIDTH * HEIGHT))


def test_a_move_may_be_named_from_cell_to_cell() -> None:
    check_game(Run())
    run = Run()
    start = run.start()
    b2 = run.parse(start, "b1-b2")
    assert run.format(start, b2) == "b1-b2"
    assert run.parse(start, " B1 - B2 ") == b2
    assert run.parse(start, "b1-b2, a4-a3 b2-b3") == run.parse(start, "b1-b2-a4-a3-b2-b3")
    for text in ("b1", "b1-", "b1-b2-a4", "-", "12"):
        with pytest.raises(NotationError):
            run.parse(start, text)
    with pytest.raises(IllegalAction):
        run.parse(start, "b1-b3")


def test_a_hand_takes_the_piece_first() -> None:
    run = Run()
    moves = {one.text: one.cells for one in run.look.moves(run.start())}
    assert moves == {"b1-b2": (10, 7), "c1-c2": (11, 8)}


def test_points_are_seen_while_the_game_goes_on() -> None:
    run = Run()
    state = run.start().play(run.parse(run.start(), "b1-b2")[0])
    assert run.view(state).score == (1, 0)
    assert run.table.status_words(state) == run.table.standing_words(state) == ["White 1, Black 0"]


class Filling(PythonState):
    """A stone turns all the stones in its row to its colour."""

    @property
    def outcome(self) -> Outcome | None:
        return None if 0 in self.board else Outcome(None, "full")

    def legal_actions(self) -> list[int]:
        return [cell for cell, code in enumerate(self.board) if not code]

    def after(self, action: int) -> Filling:
        row, own = action // 2, self.to_move + 1
        turned = [own if code and cell // 2 == row else code for cell, code in enumerate(self.board)]
        turned[action] = own
        return self.moved(bytes(turned))


class Fill(Game):
    name, title = "fill", "Fill"
    seats, reasons, letters = ("White", "Black"), ("full",), ".wb"
    width, height, action_count = 2, 2, 4

    def start(self) -> Filling:
        return Filling(self, bytes(4))


def test_the_last_move_is_the_stone_and_not_what_it_turned() -> None:
    fill = Fill()
    state = fill.start().play(0).play(1)
    assert state.cells() == bytes([2, 2, 0, 0])
    assert fill.view(state).last == (1,)


def test_a_gtp_program_may_name_the_only_size_that_there_is() -> None:
    out = io.StringIO()
    lines = io.StringIO("boardsize 10\nboardsize 9\nquit\n")
    GtpEngine(lambda _, __: None, stdin=lines, stdout=out, game=game("kelasu")).run()
    assert out.getvalue().split("\n\n")[:2] == ["=", "? unacceptable size"]
