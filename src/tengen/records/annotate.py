"""What a search found, written into a tree for SGF: comments for people, properties for other programs.

V is the lead of the first seat, SBKV its win rate in per cent, BM and DO a bad or doubtful move, GB, GW and
DM who is better, LB the best moves by letter. What would have been better is a variation beside the move. A
judgement by playouts alone is rough: its figures are rounded and say nothing more.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Protocol

from tengen.game import Game
from tengen.records._sgf_values import write_point
from tengen.records.record import RecordError
from tengen.records.tree import GameTree, Node
from tengen.search.mcts import Judge, Proven

LABELS = "ABC"  # the best moves, as many as there are letters
LONGEST_LINE = 6  # moves of what would have been better
ROUGH = 0.05  # to what a win rate by playouts alone is rounded
_BETTER = ((0.95, "2"), (0.75, "1"))  # the win rate that SGF's GB and GW are written for, with their values
_JUDGES = {"exact": "known", "katago": "KataGo", "brain": "our brain", "search": "our search alone, rough"}
_BAD = {"blunder": ("BM", "2"), "mistake": ("BM", "1"), "inaccuracy": ("DO", "")}


class Move(Protocol):
    @property
    def move(self) -> str: ...


class Position(Protocol):
    """An analysis: that of `tengen.analysis`, or the protocol's."""

    @property
    def to_move(self) -> int: ...
    @property
    def visits(self) -> int: ...
    @property
    def win(self) -> float: ...
    @property
    def lead(self) -> float | None: ...
    @property
    def proven(self) -> Proven: ...
    @property
    def moves(self) -> Sequence[Move]: ...
    @property
    def by(self) -> Judge: ...


class Reviewed(Protocol):
    """A reviewed move, likewise."""

    @property
    def seat(self) -> int: ...
    @property
    def win_before(self) -> float: ...
    @property
    def win_after(self) -> float: ...
    @property
    def best(self) -> str: ...
    @property
    def line(self) -> Sequence[str]: ...
    @property
    def mistake(self) -> str | None: ...
    @property
    def by(self) -> Judge: ...


def annotate(tree: GameTree, node: Node, position: Position | None, move: Reviewed | None) -> None:
    """Notes at a node what is known of the position there and of the move that led to it."""
    texts = [node.comment]
    if move is not None and move.mistake is not None:
        texts.append(_mistake_text(move))
        ident, value = _BAD[move.mistake]
        node.properties[ident] = (value,)
        _add_better(tree, node, move)
    if position is not None:
        texts.append(_position_text(tree.game, position))
        node.properties |= _values(position) | _labels(tree.game, position)
    elif move is not None:
        first = move.win_after if move.seat == 0 else 1 - move.win_after
        node.properties["SBKV"] = (f"{100 * first:.2f}",)
    node.comment = "\n".join(filter(None, texts))


def _mistake_text(move: Reviewed) -> str:
    given = f"{max(0.0, move.win_before - move.win_after):.0%} given away"
    assert move.mistake is not None
    return f"{move.mistake.capitalize()}: {move.best} was better, {given}."


def _position_text(game: Game, found: Position) -> str:
    seat = found.to_move
    if found.proven is not None:
        how = {"win": "wins", "draw": "draws", "loss": "loses"}[found.proven]
        return f"{game.seats[seat]} {how} for certain."
    first, lead = first_win(found), first_lead(found)
    if found.by == "search":
        first, chance = round(first / ROUGH) * ROUGH, "about "
    else:
        chance = ""
    points = ""
    if lead is not None and found.by != "search":
        points = f", {game.seats[0 if lead >= 0 else 1]} leads by {abs(lead):.1f}"
    return f"{game.seats[0]} {chance}{first:.0%}{points} ({_JUDGES[found.by]}, {found.visits} visits)."


def first_win(found: Position) -> float:
    """The win rate of the first seat."""
    return found.win if found.to_move == 0 else 1 - found.win


def first_lead(found: Position) -> float | None:
    """The lead of the first seat."""
    return found.lead if found.lead is None or found.to_move == 0 else -found.lead


def _values(found: Position) -> dict[str, tuple[str, ...]]:
    first, lead = first_win(found), first_lead(found)
    values: dict[str, tuple[str, ...]] = {"SBKV": (f"{100 * first:.2f}",)}
    if found.by == "search":
        return values
    if lead is not None:
        values["V"] = (f"{lead:.1f}",)
    for ident, win in (("GB", first), ("GW", 1 - first)):
        if value := next((value for least, value in _BETTER if win >= least), ""):
            values[ident] = (value,)
    if abs(first - 0.5) < ROUGH:
        values["DM"] = ("1",)
    return values


def _labels(game: Game, found: Position) -> dict[str, tuple[str, ...]]:
    """The best moves that are points of the board."""
    labels = []
    for letter, one in zip(LABELS, found.moves, strict=False):
        with contextlib.suppress(ValueError):
            labels.append(f"{write_point(game.table.read_cell(one.move), game.width)}:{letter}")
    return {"LB": tuple(labels)} if labels else {}


def _add_better(tree: GameTree, node: Node, move: Reviewed) -> None:
    """What would have been better, as a variation; nothing where it cannot be played there."""
    if node.parent is None or not move.line:
        return
    with contextlib.suppress(RecordError):
        at = tree.add(node.parent, move.line[0])
        if not at.comment:
            at.comment = f"Better than {node.move}."
        for text in move.line[1:LONGEST_LINE]:
            at = tree.add(at, text)
