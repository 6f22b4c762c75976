"""Kelasu: staged actions, the notation of whole moves and turns, drawing. Rules: docs/rules/kelasu.md.

Actions are 0..99 cells, 100..105 merge kinds (W R D C G S), 106 the end of the turn. A move is `from, to`, a
merge `kind, target, cell...`; people write whole ones: `B1-C1`, `F6xF5` (capture), `D0%C1` (convert),
`A5@J5` (recall, with or without a capture), `=W E0+E1>E1`, `end`. A turn is its moves joined by `;`. A move
that is not complete is written as its stages so far, `B1` or `=W E1 E0` (target first), and one that is under
way goes on with bare cells. Start reading at `Kelasu.parse` and `Kelasu.format`.

`View.details` holds
- `energy`, `quiet_rounds`, `may_end_turn`;
- `moved` and `victory_tiles`: cells;
- `stages`: the actions of the move under way;
- `moves`: for each piece that can move `from` and `targets`, each a `cell` and a `kind` (move, capture,
  convert or recall);
- `merges`: for each kind that can be merged `kind`, `cost` and `targets`, the cells where the new piece may
  stand. Its blanks are among the same cells.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tengen import _core
from tengen.game import (
    Game,
    IllegalAction,
    NotationError,
    Option,
    OptionValue,
    State,
    View,
    restore,
    text_to_cells,
)

RANKS = "ABCDEFGHIJ"
SIZE = len(RANKS)
CELLS = SIZE * SIZE
KINDS = "WRDCGS"
NAMES = ("warrior", "runner", "diplomat", "champion", "general", "stone")
COSTS = (2, 4, 4, 5, 10, 21)  # blanks that a merge takes, by kind
END_TURN = CELLS + len(KINDS)
VICTORY_TILES = (44, 45, 54, 55)
MARKS = {"move": "-", "capture": "x", "convert": "%", "recall": "@"}

_CELL = re.compile(r"([A-Z])\s*([0-9]{1,3})")
_CELLS = re.compile(rf"{_CELL.pattern}(?:[-X%@>+,\s]*{_CELL.pattern})*")
_MERGE = re.compile(r"=\s*([A-Z])\s*(.*)", re.DOTALL)


def cell_name(cell: int) -> str:
    return f"{RANKS[cell // SIZE]}{cell % SIZE}"


def move_length(first: int) -> int:
    """How many actions the move has that begins with this one."""
    if first < CELLS:
        return 2
    return 1 if first == END_TURN else 1 + COSTS[first - CELLS]


def split_moves(actions: Sequence[int]) -> list[Sequence[int]]:
    """The actions since a start of a turn, cut into moves; the last one may be incomplete."""
    moves, at = [], 0
    while at < len(actions):
        moves.append(actions[at : at + move_length(actions[at])])
        at += len(moves[-1])
    return moves


def move_kind(cells: bytes, start: int, to: int) -> str:
    """What a legal move is, by the board before it: a key of MARKS."""
    piece = Kelasu.letters[cells[start]].upper()
    if piece == "W" and abs(to - start) == (SIZE - 1) * SIZE:
        return "recall"
    if cells[to]:
        return "convert" if piece == "D" else "capture"
    return "move"


class Kelasu(Game):
    name = "kelasu"
    title = "Kelasu"
    seats = ("Blue", "Red")
    reasons = ("victory-tiles", "no-stones", "no-pieces", "stalemate", "repetition", "quiet")
    letters = ".BWRDCGSbwrdcgs"
    option_list = (
        Option("may_end_turn_early", bool, False, "a turn may be ended while there is energy left"),
    )
    width = height = SIZE
    symmetries = 2

    def __init__(self, **options: OptionValue) -> None:
        super().__init__(**options)
        may_end_turn_early = bool(self.options["may_end_turn_early"])
        self.action_count = END_TURN + may_end_turn_early
        self._rules = _core.KelasuRules(may_end_turn_early)

    def start(self) -> State:
        return _core.Kelasu.start(self, self._rules)

    def position(self, text: str, to_move: int = 0) -> State:
        cells = text_to_cells(text, self.letters, self.width, self.height)
        return _core.Kelasu.from_cells(self, self._rules, cells, to_move, (text.strip(), to_move))

    def parse(self, state: State, text: str) -> list[int]:
        """The actions of a turn or part of one; cells of a merge come in the order that `_merge` gives."""
        self._own(state)
        words = [word for word in text.upper().split(";") if word.strip()]
        if not words or not text.isascii():
            raise NotationError(f"{text!r} is not a move such as B1-C1 or =W E0+E1>E1.")
        mover, actions = state.to_move, []
        for word in words:
            if state.to_move != mover:
                raise IllegalAction(f"The turn is over before {word.strip()}.")
            for action in _read(word, _under_way(state)):
                try:
                    state = state.play(action)
                except IllegalAction as error:
                    raise error if len(words) == 1 else IllegalAction(f"{word.strip()}: {error}") from None
                actions.append(action)
        return actions

    def format(self, state: State, actions: Sequence[int]) -> str:
        self._own(state)
        if not actions:
            raise ValueError("There is no action to write down.")
        mover, words = state.to_move, []
        move = list(_under_way(state))
        written = len(move)  # how much of the move was there before
        for action in actions:
            if state.to_move != mover:
                raise ValueError("Those actions go on after the end of the turn.")
            before, state = state, state.play(action)
            move.append(action)
            if len(move) == move_length(move[0]):
                words.append(_stages(move[written:]) if written else _whole(before, move))
                move, written = [], 0
        if len(move) > written:
            words.append(_stages(move[written:]))
        return ";".join(words)

    def text(self, state: State) -> str:
        self._own(state)
        assert isinstance(state, _core.Kelasu)
        moved = set(state.moved)
        header = "    " + "  ".join(str(file) for file in range(SIZE))
        lines = [header]
        for rank, letter in enumerate(RANKS):
            row = ""
            for cell in range(rank * SIZE, (rank + 1) * SIZE):
                tile, mark = ":" if cell in VICTORY_TILES else " ", "'" if cell in moved else " "
                row += tile + self.letters[state.cells()[cell]] + mark
            lines.append(f" {letter} {row} {letter}")
        lines.append(header)
        if state.outcome is None:
            lines.append(f"{self.seats[state.to_move]} to move, energy {state.energy}{' #' * state.energy}")
            if stages := _under_way(state):
                lines.append(f"begun: {_stages(stages)}")
        lines.append(": victory tile" + ("   ' has moved this turn" if moved else ""))
        return "\n".join(lines)

    def mid_move(self, state: State) -> bool:
        assert isinstance(state, _core.Kelasu)
        return state.stage != "choose"

    def view(self, state: State) -> View:
        self._own(state)
        assert isinstance(state, _core.Kelasu)
        cells = state.cells()
        last, captured = self._last_move(state)
        stages = _under_way(state)
        return View(
            board="squares",
            width=self.width,
            height=self.height,
            cells=tuple(self.letters[code] for code in cells),
            to_move=state.to_move,
            last=last,
            captured=captured,
            details={
                "energy": state.energy,
                "quiet_rounds": state.quiet_rounds,
                "moved": list(state.moved),
                "victory_tiles": list(VICTORY_TILES),
                "stages": list(stages),
                "moves": [
                    {
                        "from": start,
                        "targets": [
                            {"cell": to, "kind": move_kind(cells, start, to)} for to in state.targets(start)
                        ],
                    }
                    for start in state.movable()
                ],
                "merges": [
                    {"kind": kind, "cost": COSTS[number], "targets": list(targets)}
                    for number, kind in enumerate(KINDS)
                    if (targets := state.merge_targets(number))
                ],
                "may_end_turn": not stages and END_TURN in state.legal_actions(),
            },
        )

    def action_map(self, symmetry: int) -> tuple[int, ...]:
        self._check_symmetry(symmetry)
        if symmetry == 0:
            return tuple(range(self.action_count))
        mirrored = (cell // SIZE * SIZE + SIZE - 1 - cell % SIZE for cell in range(CELLS))
        return (*mirrored, *range(CELLS, self.action_count))

    def _last_move(self, state: State) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The cells of the last whole move, and those of them where it took a piece."""
        stages = _under_way(state)
        done = state.actions[: len(state.actions) - len(stages)]
        moves = [move for move in split_moves(done) if move[0] != END_TURN]
        if not moves:
            return (), ()
        last = moves[-1]
        if last[0] >= CELLS:
            return tuple(sorted(last[1:])), ()
        start, to = last
        ended = done[-1] == END_TURN
        before = restore(self, state.origin, done[: len(done) - len(last) - ended]).cells()
        taken = before[to] and move_kind(before, start, to) != "convert"
        return (start, to), (to,) if taken else ()


def _under_way(state: State) -> Sequence[int]:
    """The actions of the move that has been begun and is not complete."""
    assert isinstance(state, _core.Kelasu)
    return () if state.stage == "choose" else split_moves(state.actions)[-1]


def _stages(actions: Sequence[int]) -> str:
    return " ".join(f"={KINDS[a - CELLS]}" if a >= CELLS else cell_name(a) for a in actions)


def _whole(before: State, move: Sequence[int]) -> str:
    """A complete move, by a state before its last stage."""
    if move[0] == END_TURN:
        return "end"
    if move[0] >= CELLS:
        cells = "+".join(cell_name(cell) for cell in sorted(move[1:]))
        return f"={KINDS[move[0] - CELLS]} {cells}>{cell_name(move[1])}"
    start, to = move
    return cell_name(start) + MARKS[move_kind(before.cells(), start, to)] + cell_name(to)


def _read(word: str, under_way: Sequence[int]) -> list[int]:
    """The actions of one move in upper case, by its form alone."""
    if "".join(word.split()) in ("END", "ENDTURN"):
        return [END_TURN]
    if merge := _MERGE.fullmatch(word.strip()):
        return _read_merge(merge[1], merge[2])
    cells = _read_cells(word)
    most = move_length(under_way[0]) - len(under_way) if under_way else 2
    if not 1 <= len(cells) <= most:
        hint = "put ; between moves" if len(cells) > most else "a move is written like B1-C1"
        raise NotationError(f"{word.strip()!r} is not one move: {hint}.")
    return cells


def _read_merge(letter: str, rest: str) -> list[int]:
    kind = KINDS.find(letter)
    if kind < 0:
        raise NotationError(f"Blanks do not merge into {letter!r}: use one of {' '.join(KINDS)}.")
    chosen, arrow, target = rest.partition(">")
    cells = _read_cells(chosen)
    if len(set(cells)) != len(cells):
        raise NotationError("A merge names each cell once.")
    if not arrow:
        if "+" in rest or len(cells) > COSTS[kind]:
            raise NotationError("A merge says where the new piece stands, as in =W E0+E1>E1.")
        return [CELLS + kind, *cells]
    targets = _read_cells(target)
    if len(targets) != 1 or not cells:
        raise NotationError("A merge names its cells and one of them as the target, as in =W E0+E1>E1.")
    if len(cells) != COSTS[kind]:
        raise IllegalAction(f"A {NAMES[kind]} takes {COSTS[kind]} blanks, not {len(cells)}.")
    if targets[0] not in cells:
        raise IllegalAction("The new piece stands on one of the merged cells.")
    return [CELLS + kind, *_merge_order(cells, targets[0])]


def _merge_order(cells: Sequence[int], target: int) -> list[int]:
    """The target, then again and again the lowest cell that touches those before it.

    Cells that are not connected come last, for the rules to refuse.
    """
    order, rest = [target], sorted(set(cells) - {target})
    while rest:
        touching = (cell for cell in rest if any(_touch(cell, other) for other in order))
        order.append(next(touching, rest[0]))
        rest.remove(order[-1])
    return order


def _touch(a: int, b: int) -> bool:
    return abs(a // SIZE - b // SIZE) + abs(a % SIZE - b % SIZE) == 1


def _read_cells(text: str) -> list[int]:
    """The cells of a list with any separators between them; an empty text has none."""
    if text.strip() and not _CELLS.fullmatch(text.strip()):
        raise NotationError(f"{text.strip()!r} is not a move such as B1-C1 or =W E0+E1>E1.")
    return [_cell(letter, digits) for letter, digits in _CELL.findall(text)]


def _cell(letter: str, digits: str) -> int:
    rank, file = RANKS.find(letter), int(digits)
    if rank < 0 or file >= SIZE:
        raise IllegalAction(f"{letter}{file} is not on the board, which goes from A0 to J9.")
    return rank * SIZE + file
