"""Kelasu's moves as runs of actions; how they are read and written is cpp/games/kelasu/description.hpp.

Actions are 0..99 cells, 100..105 merge kinds (W R D C G S), 106 the end of the turn. A move is `from, to`, a
merge `kind, target, cell...`.
"""

from __future__ import annotations

from collections.abc import Sequence

from tengen import _core
from tengen.games.kelasu.details import MoveKind
from tengen.games.kelasu.pieces import CELLS, KINDS, cell_name


def move_length(first: int) -> int:
    """How many actions the move has that begins with this one."""
    return _core.kelasu_move_length(first)


def split_moves(actions: Sequence[int]) -> list[Sequence[int]]:
    """The actions since a start of a turn, cut into moves; the last one may be incomplete."""
    moves, at = [], 0
    while at < len(actions):
        moves.append(actions[at : at + move_length(actions[at])])
        at += len(moves[-1])
    return moves


def move_kind(cells: bytes, start: int, to: int) -> MoveKind:
    """What a legal move is, by the board before it."""
    return _core.kelasu_move_kind(cells, start, to)


def stages_text(actions: Sequence[int]) -> str:
    return " ".join(f"={KINDS[a - CELLS]}" if a >= CELLS else cell_name(a) for a in actions)
