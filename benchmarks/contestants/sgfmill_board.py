"""sgfmill: replay of a recorded game of Go on its Board."""

import importlib
from collections.abc import Callable

from benchmarks.measure import Work

boards = importlib.import_module("sgfmill.boards")


def replay(size: int, cells: list[int], final_cells: bytes) -> Callable[[], Work]:
    """The whole recorded game a batch.

    Cells are turned into rows and columns beforehand, outside the measured time. The board that comes out
    is first checked against `final_cells`: a wrong replay is not worth timing.
    """
    moves = [(cell // size, cell % size, "bw"[number % 2]) for number, cell in enumerate(cells)]

    board = boards.Board(size)
    for row, column, colour in moves:
        board.play(row, column, colour)
    codes = {None: 0, "b": 1, "w": 2}
    if bytes(codes[board.get(row, column)] for row, column in board.board_points) != final_cells:
        raise RuntimeError("sgfmill and tengen come to different boards after the same game")

    def batch() -> Work:
        board = boards.Board(size)
        for row, column, colour in moves:
            board.play(row, column, colour)
        return Work(len(moves), len(moves))

    return batch
