"""How people write Kelasu: whole moves and turns, read into staged actions and back.

Actions are 0..99 cells, 100..105 merge kinds (W R D C G S), 106 the end of the turn. A move is `from, to`, a
merge `kind, target, cell...`; people write whole ones: `B1-C1`, `F6xF5` (capture), `D0%C1` (convert),
`A5@J5` (recall, with or without a capture), `=W E0+E1>E1`, `end`. A turn is its moves joined by `;`. A move
that is not complete is written as its stages so far, `B1` or `=W E1 E0` (target first), and one that is under
way goes on with bare cells. Start reading at
`parse` and `format_moves`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tengen import _core
from tengen.game import IllegalAction, NotationError, State
from tengen.games.kelasu.details import MoveKind
from tengen.games.kelasu.pieces import CELLS, COSTS, END_TURN, KINDS, LETTERS, NAMES, RANKS, SIZE, cell_name

MARKS: dict[MoveKind, str] = {"move": "-", "capture": "x", "convert": "%", "recall": "@"}

_CELL = re.compile(r"([A-Z])\s*([0-9]{1,3})")
_CELLS = re.compile(rf"{_CELL.pattern}(?:[-X%@>+,\s]*{_CELL.pattern})*")
_MERGE = re.compile(r"=\s*([A-Z])\s*(.*)", re.DOTALL)


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


def move_kind(cells: bytes, start: int, to: int) -> MoveKind:
    """What a legal move is, by the board before it: a key of MARKS."""
    piece = LETTERS[cells[start]].upper()
    if piece == "W" and abs(to - start) == (SIZE - 1) * SIZE:
        return "recall"
    if cells[to]:
        return "convert" if piece == "D" else "capture"
    return "move"


def parse(state: State, text: str) -> list[int]:
    """The actions of a turn or part of one; cells of a merge come in the order that `_merge_order` gives."""
    words = [word for word in text.upper().split(";") if word.strip()]
    if not words or not text.isascii():
        raise NotationError(f"{text!r} is not a move such as B1-C1 or =W E0+E1>E1.")
    mover, actions = state.to_move, []
    for word in words:
        if state.to_move != mover:
            raise IllegalAction(f"The turn is over before {word.strip()}.")
        move = _read(word, under_way(state))
        if len(words) == 1 and _is_simple(state, move):
            return move
        try:
            state = _played(state, move)
        except IllegalAction as error:
            raise error if len(words) == 1 else IllegalAction(f"{word.strip()}: {error}") from None
        actions += move
    return actions


def _is_simple(state: State, move: Sequence[int]) -> bool:
    """Whether those are a whole legal move of a piece, which need not be played to know it."""
    assert isinstance(state, _core.Kelasu)
    return (
        len(move) == 2
        and state.stage == "choose"
        and move[0] < CELLS
        and state.why_illegal(move[0]) is None
        and move[1] in state.targets(move[0])
    )


def _played(state: State, actions: Sequence[int]) -> State:
    assert isinstance(state, _core.Kelasu)
    return state.play_all(actions)


def format_moves(state: State, actions: Sequence[int]) -> str:
    if not actions:
        raise ValueError("There is no action to write down.")
    if _is_simple(state, actions):
        return _whole(state, actions)
    mover, words = state.to_move, []
    move = list(under_way(state))
    written = len(move)  # how much of the move was there before
    for action in actions:
        if state.to_move != mover:
            raise ValueError("Those actions go on after the end of the turn.")
        before, state = state, state.play(action)
        move.append(action)
        if len(move) == move_length(move[0]):
            words.append(stages_text(move[written:]) if written else _whole(before, move))
            move, written = [], 0
    if len(move) > written:
        words.append(stages_text(move[written:]))
    return ";".join(words)


def under_way(state: State) -> Sequence[int]:
    """The actions of the move that has been begun and is not complete."""
    assert isinstance(state, _core.Kelasu)
    return state.stages


def stages_text(actions: Sequence[int]) -> str:
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
