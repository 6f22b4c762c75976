"""Dominion Duel, naively. Letters: "." open, "X" and "O" claimed, "#" locked. Action = number - 1."""

from typing import Self


class DominionDuel:
    def __init__(self, *, n: int = 9, cells: str | None = None, to_move: int = 0) -> None:
        self.board = cells if cells is not None else "." * n
        self.to_move = to_move

    @property
    def over(self) -> bool:
        return "." not in self.board

    @property
    def outcome(self) -> tuple[int | None, str, tuple[float, float] | None] | None:
        if not self.over:
            return None
        first, second = self.score()
        winner = None if first == second else 0 if first > second else 1
        return winner, "claims", (first, second)

    def score(self) -> tuple[float, float]:
        return self.board.count("X"), self.board.count("O")

    def legal_actions(self) -> list[int]:
        return [cell for cell, letter in enumerate(self.board) if letter == "."]

    def play(self, action: int) -> None:
        cells = list(self.board)
        cells[action] = "XO"[self.to_move]
        for near in (action - 1, action + 1):
            if 0 <= near < len(cells) and cells[near] == ".":
                cells[near] = "#"
        self.board = "".join(cells)
        self.to_move = 1 - self.to_move

    def copy(self) -> Self:
        return type(self)(cells=self.board, to_move=self.to_move)
