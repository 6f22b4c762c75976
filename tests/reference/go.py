"""Go, naively. Letters: "." empty, "X" Black (seat 0), "O" White (seat 1). Action = cell, size * size = pass.

Start reading at `after`, which says what a placement does. Simple ko is the rulebook's sentence taken at its
word (the board before the opponent's last action may not come back), superko looks in the set of all boards,
situational superko in that of all boards with the player to move.
"""

from collections import Counter
from copy import copy
from typing import Self

from .grid import Chain, chains, empty_regions, neighbours

# Handicap points in the order of the GTP specification, as (row from the bottom, column) on a 3 x 3 pattern.
# An odd number from five on takes the centre last.
CORNERS_THEN_SIDES = ((0, 0), (2, 2), (2, 0), (0, 2), (1, 0), (1, 2), (0, 1), (2, 1))


def handicap_points(size: int, count: int) -> list[int]:
    """The cells of GTP's fixed handicap: fourth line from size 13 on, third line below."""
    edge = 3 if size >= 13 else 2
    lines = (edge, (size - 1) // 2, size - 1 - edge)
    places = list(CORNERS_THEN_SIDES[:count])
    if count >= 5 and count % 2 == 1:
        places = [*CORNERS_THEN_SIDES[: count - 1], (1, 1)]
    return [(size - 1 - lines[row]) * size + lines[column] for row, column in places]


class Go:
    def __init__(
        self,
        *,
        size: int = 19,
        ko: str = "simple",
        scoring: str = "territory",
        komi: float | None = None,
        handicap: int = 0,
        bonus: str = "zero",
        suicide: bool = False,
        cells: str | None = None,
        to_move: int | None = None,
    ) -> None:
        self.size = size
        self.ko_rule = ko
        self.scoring = scoring
        self.komi = komi if komi is not None else 0.5 if handicap else 6.5
        if handicap:
            self.komi += {"zero": 0, "less_one": handicap - 1, "full": handicap}[bonus]
        self.suicide = suicide
        stones = handicap_points(size, handicap)
        self.board = cells or "".join("X" if cell in stones else "." for cell in range(size * size))
        self.to_move = to_move if to_move is not None else 1 if handicap and not cells else 0
        self.prisoners = [0, 0]  # stones captured by each seat
        self.passes = 0
        self.outcome: tuple[int | None, str, tuple[float, float] | None] | None = None
        self.before: str | None = None  # the board before the last action
        self.boards = {self.board}  # every board so far
        self.situations = {(self.board, self.to_move)}  # and with the player to move
        self.counts = Counter([(self.board, self.to_move)])  # positions that came up by a placement
        self._chains: dict[int, Chain] | None = None

    @property
    def over(self) -> bool:
        return self.outcome is not None

    def chains(self) -> dict[int, Chain]:
        if self._chains is None:
            self._chains = chains(self.board, self.size, "XO")
        return self._chains

    def captured(self, cell: int) -> set[int]:
        """The enemy stones that a stone on this empty cell would capture."""
        found, enemy, known = set(), "OX"[self.to_move], self.chains()
        for near in neighbours(self.size)[cell]:
            if self.board[near] == enemy and len(known[near][1]) == 1:
                found |= known[near][0]
        return found

    def after(self, cell: int) -> str | None:
        """The board after a stone on this cell, or None where that is occupied or a suicide that is not
        allowed. Ignores ko.
        """
        if self.board[cell] != ".":
            return None
        own, known = "XO"[self.to_move], self.chains()
        captured = self.captured(cell)
        if captured:
            cells = list(self.board)
            cells[cell] = own
            for stone in captured:
                cells[stone] = "."
            return "".join(cells)
        for near in neighbours(self.size)[cell]:
            letter = self.board[near]
            if letter == "." or (letter == own and len(known[near][1]) > 1):
                return self.board[:cell] + own + self.board[cell + 1 :]
        if not self.suicide:
            return None
        lost = self.lost(cell)
        return "".join("." if here in lost else letter for here, letter in enumerate(self.board))

    def lost(self, cell: int) -> set[int]:
        """The own stones that a suicide on this cell takes off, the one that is played included."""
        own, known = "XO"[self.to_move], self.chains()
        beside = [known[near][0] for near in neighbours(self.size)[cell] if self.board[near] == own]
        return {cell}.union(*beside)

    def banned_by_ko(self, board: str) -> bool:
        if self.ko_rule == "superko":
            return board in self.boards
        if self.ko_rule == "situational":
            return (board, 1 - self.to_move) in self.situations
        return board == self.before and board != self.board  # the suicide of one stone retakes nothing

    @property
    def ko(self) -> int | None:
        """The point that simple ko bans for the player to move."""
        for cell, letter in enumerate(self.before or ""):
            if letter == "XO"[self.to_move] and self.board[cell] == "." and self.after(cell) == self.before:
                return cell
        return None

    def legal_actions(self) -> list[int]:
        if self.over:
            return []
        boards = ((cell, self.after(cell)) for cell in range(self.size**2))
        return [cell for cell, board in boards if board and not self.banned_by_ko(board)] + [self.size**2]

    def play(self, action: int) -> None:
        before = self.board
        if action == self.size**2:
            self.passes += 1
            self.to_move = 1 - self.to_move
            if self.passes == 2:
                black, white = self.score()
                winner = None if black == white else 0 if black > white else 1
                self.outcome = (winner, "score", (black, white))
        else:
            board = self.after(action)
            assert board is not None
            self.passes = 0
            if board[action] == ".":
                self.prisoners[1 - self.to_move] += len(self.lost(action))
            else:
                self.prisoners[self.to_move] += len(self.captured(action))
            self.board = board
            self._chains = None
            self.to_move = 1 - self.to_move
            self.boards.add(board)
            self.counts[board, self.to_move] += 1
            if self.ko_rule == "simple" and self.counts[board, self.to_move] == 3:
                self.outcome = (None, "repetition", None)
        self.situations.add((self.board, self.to_move))
        self.before = before

    def score(self) -> tuple[float, float]:
        """(Black, White) as the board stands: no stone is taken to be dead."""
        points = [0.0, self.komi]
        for cells, borders in empty_regions(self.board, self.size):
            if len(borders) == 1:
                points["XO".index(borders.pop())] += len(cells)
        for seat in (0, 1):
            if self.scoring == "area":
                points[seat] += self.board.count("XO"[seat])
            else:
                points[seat] -= self.prisoners[1 - seat]
        return points[0], points[1]

    def liberties(self) -> list[int]:
        known = self.chains()
        return [len(known[cell][1]) if cell in known else 0 for cell in range(self.size**2)]

    def copy(self) -> Self:
        other = copy(self)
        other.prisoners = list(self.prisoners)
        other.boards = set(self.boards)
        other.situations = set(self.situations)
        other.counts = Counter(self.counts)
        return other
