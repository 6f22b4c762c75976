"""Kelasu, naively. Letters: "." empty, Blue (seat 0) upper case, Red (seat 1) lower case:
B blank, W warrior, R runner, D diplomat, C champion, G general, S stone.

Actions come in stages: 0..99 cells, 100..105 merge kinds (W R D C G S), 106 ends the turn early. `picked`
holds the stages of the move under way: [from], or [kind, target, cell...]. Start reading at `LINES`, the
table of moves, then `_perform` and `_end_turn`.
"""

from collections import Counter
from collections.abc import Iterator
from copy import copy
from functools import cache
from typing import Self

START = "BBBBBBBBBBBBBBBBBBBBS.S....S.S........................................s.s....s.sbbbbbbbbbbbbbbbbbbbb"
VICTORY_TILES = (44, 45, 54, 55)
KINDS = "WRDCGS"
COSTS = (2, 4, 4, 5, 10, 21)
END_TURN = 106

# Lines a piece moves along: (forward, right, reach, may move to empty cells, first distance of a capture).
NEVER = 99
ORTHOGONAL = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
LINES: dict[str, list[tuple[int, int, int, bool, int]]] = {
    "B": [(1, 0, 1, True, NEVER), (0, 1, 1, True, NEVER), (0, -1, 1, True, NEVER)],
    "W": [
        (1, 0, 1, True, 1),
        (0, 1, 1, True, 1),
        (0, -1, 1, True, 1),
        (1, 1, 1, False, 1),
        (1, -1, 1, False, 1),
    ],
    "R": [(*step, 9, True, 2) for step in DIAGONAL],
    "D": [(*step, 3, True, NEVER) for step in ORTHOGONAL] + [(*step, 1, False, 1) for step in DIAGONAL],
    "C": [
        *((1, 0, 9, True, 1), (-1, 0, 9, True, NEVER)),
        *((0, 1, 3, True, 1), (0, -1, 3, True, 1), (1, 1, 1, True, 1), (1, -1, 1, True, 1)),
    ],
    "G": [(*step, 9, True, 1) for step in ORTHOGONAL + DIAGONAL],
    "S": [],
}

Path = tuple[tuple[int, ...], bool, int]


@cache
def paths(piece: str, cell: int) -> list[Path]:
    """(cells in order, may move to empty cells, index of the first cell that may be captured)."""
    ahead = 1 if piece.isupper() else -1
    rank, file = divmod(cell, 10)
    result: list[Path] = []
    for forward, right, reach, may_move, capture_from in LINES[piece.upper()]:
        cells = []
        for distance in range(1, reach + 1):
            r, f = rank + forward * ahead * distance, file + right * distance
            if not (0 <= r < 10 and 0 <= f < 10):
                break
            cells.append(r * 10 + f)
        if cells:
            result.append((tuple(cells), may_move, capture_from - 1))
    if piece.upper() == "W" and rank == (9 if ahead == 1 else 0):
        result.append((((9 - rank) * 10 + file,), True, 0))  # Recall
    return result


@cache
def beside(cell: int) -> tuple[int, ...]:
    rank, file = divmod(cell, 10)
    steps = ((rank + r, file + f) for r, f in ORTHOGONAL)
    return tuple(r * 10 + f for r, f in steps if 0 <= r < 10 and 0 <= f < 10)


class Kelasu:
    def __init__(
        self, *, may_end_turn_early: bool = False, cells: str | None = None, to_move: int = 0
    ) -> None:
        self.may_end_turn_early = may_end_turn_early
        self.cells = list(cells or START)
        self.to_move = to_move
        self.energy = self.count("S", to_move)
        self.moved: set[int] = set()
        self.acted = False  # whether this turn has seen an action
        self.picked: list[int] = []
        self.seen: Counter[tuple[str, int]] = Counter()  # positions at the ends of turns
        self.quiet = 0
        self.quiet_round = True
        self.outcome: tuple[int | None, str, tuple[float, float] | None] | None = None
        self._starts = self._find_starts()

    @property
    def over(self) -> bool:
        return self.outcome is not None

    @property
    def board(self) -> str:
        return "".join(self.cells)

    def own(self, piece: str, seat: int | None = None) -> bool:
        seat = self.to_move if seat is None else seat
        return piece.islower() if seat else piece.isupper()

    def count(self, kind: str, seat: int) -> int:
        return self.cells.count(kind.lower() if seat else kind)

    def targets(self, cell: int) -> Iterator[int]:
        """Where the mover's piece on this cell may go, captures and conversions included."""
        for line, may_move, capture_from in paths(self.cells[cell], cell):
            for index, target in enumerate(line):
                piece = self.cells[target]
                if piece != ".":
                    if index >= capture_from and not self.own(piece):
                        yield target
                    break
                if may_move:
                    yield target

    def mergeable(self) -> list[set[int]]:
        """The connected groups of blanks that may merge this turn."""
        blank, home = ("b", range(80, 100)) if self.to_move else ("B", range(20))
        todo = {
            cell
            for cell, piece in enumerate(self.cells)
            if piece == blank and cell not in home and cell not in self.moved
        }
        result = []
        while todo:
            group = {todo.pop()}
            stack = list(group)
            while stack:
                for near in beside(stack.pop()):
                    if near in todo:
                        todo.remove(near)
                        group.add(near)
                        stack.append(near)
            result.append(group)
        return result

    def _find_starts(self) -> list[int]:
        """The pieces that can act and the kinds that can be completed."""
        starts = [
            cell
            for cell, piece in enumerate(self.cells)
            if self.own(piece) and cell not in self.moved and next(self.targets(cell), None) is not None
        ]
        largest = max(map(len, self.mergeable()), default=0)
        return starts + [100 + kind for kind, cost in enumerate(COSTS) if cost <= largest]

    def legal_actions(self) -> list[int]:
        if self.over:
            return []
        if not self.picked:
            return self._starts + ([END_TURN] if self.may_end_turn_early and self.acted else [])
        first, *chosen = self.picked
        if first < 100:
            return sorted(self.targets(first))
        if not chosen:
            groups = (group for group in self.mergeable() if len(group) >= COSTS[first - 100])
            return sorted(cell for group in groups for cell in group)
        group = next(group for group in self.mergeable() if chosen[0] in group)
        reach = {near for cell in chosen for near in beside(cell)}
        return sorted((reach & group) - set(chosen))

    def play(self, action: int) -> None:
        if action == END_TURN:
            self._end_turn()
            return
        self.picked.append(action)
        first = self.picked[0]
        if len(self.picked) == (2 if first < 100 else 1 + COSTS[first - 100]):
            self._perform(self.picked)
            self.picked = []

    def _perform(self, move: list[int]) -> None:
        cells, seat = self.cells, self.to_move
        if move[0] < 100:
            start, target = move
            piece, victim = cells[start], cells[target]
            cells[start] = "."
            if piece in "Dd" and victim != ".":
                cells[target] = victim.swapcase()
            else:
                cells[target] = piece
                self.moved.add(target)
            busy = piece in "Bb" or victim != "."
            cost = 1
        else:
            kind, target, *_ = move
            for cell in move[1:]:
                cells[cell] = "."
            letter = KINDS[kind - 100]
            cells[target] = letter.lower() if seat else letter
            busy = True
            cost = COSTS[kind - 100]
        self.acted = True
        if busy:
            self.quiet, self.quiet_round = 0, False
        self.energy = max(0, self.energy - cost)
        self.outcome = self._win()
        if self.over:
            return
        self._starts = self._find_starts() if self.energy else []
        if not self._starts:
            self._end_turn()

    def _win(self) -> tuple[int | None, str, None] | None:
        """The endings that are checked after every action, in their order."""
        mover, other = self.to_move, 1 - self.to_move
        if all(self.own(self.cells[tile]) for tile in VICTORY_TILES):
            return mover, "victory-tiles", None
        if not self.count("S", other):
            return mover, "no-stones", None
        for seat in (other, mover):
            stone = "s" if seat else "S"
            if not any(self.own(piece, seat) and piece != stone for piece in self.cells):
                return 1 - seat, "no-pieces", None
        return None

    def _end_turn(self) -> None:
        self.to_move = 1 - self.to_move
        self.energy = self.count("S", self.to_move)
        self.moved = set()
        self.acted = False
        self._starts = self._find_starts()
        position = self.board, self.to_move
        self.seen[position] += 1
        if self.to_move == 0:
            self.quiet += self.quiet_round
            self.quiet_round = True
        if self.seen[position] == 4:
            self.outcome = (None, "repetition", None)
        elif self.quiet == 64:
            self.outcome = (None, "quiet", None)
        elif not self._starts:
            self.outcome = (None, "stalemate", None)

    def key(self) -> tuple[object, ...]:
        """The position as a value; the cells chosen for a merge form a set."""
        chosen = tuple(self.picked[:2]), frozenset(self.picked[2:])
        return self.board, self.to_move, self.energy, frozenset(self.moved), chosen, self.acted

    def copy(self) -> Self:
        other = copy(self)
        other.cells = list(self.cells)
        other.moved = set(self.moved)
        other.picked = list(self.picked)
        other.seen = Counter(self.seen)
        return other
