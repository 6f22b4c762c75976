"""`View.details` of Kelasu, for clients of any language: web/src/protocol.ts is made from it."""

from __future__ import annotations

from typing import Literal, TypedDict

MoveKind = Literal["move", "capture", "convert", "recall"]


class KelasuTarget(TypedDict):
    cell: int
    kind: MoveKind


KelasuMoves = TypedDict("KelasuMoves", {"from": int, "targets": list[KelasuTarget]})


class KelasuMerge(TypedDict):
    kind: str  # the letter of the piece, in capitals
    cost: int  # how many blanks it takes
    targets: list[int]  # the blanks that can take part, and where the piece may stand


class KelasuDetails(TypedDict):
    """`View.details` of Kelasu."""

    energy: int
    quiet_rounds: int
    moved: list[int]  # cells of pieces that have moved this turn
    victory_tiles: list[int]
    stages: list[int]  # the actions of the move under way
    moves: list[KelasuMoves]  # for each piece that can move
    merges: list[KelasuMerge]  # for each kind that can be merged
    may_end_turn: bool
