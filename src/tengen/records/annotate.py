"""What a search found, written into a tree for SGF: comments for people, properties for other programs.

V is the lead of the first seat, SBKV its win rate in per cent, BM and DO a bad or doubtful move, GB, GW and
DM who is better, LB the best moves by letter. What would have been better is a variation beside the move. A
judgement by playouts alone is rough: its figures are rounded and say nothing more.
"""

from __future__ import annotations

import contextlib
import re
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
_VALUES = {"V", "SBKV", "GB", "GW", "DM"}
# A line of a comment that an analysis has written: see `_position_text` and `_mistake_text`.
_OURS = re.compile(
    r"\w+ (?:(?:wins|draws|loses) for certain"
    r"|(?:about )?\d+%(?:, \w+ leads(?: by \d+\.\d)?)? "
    r"\((?:" + "|".join(_JUDGES.values()) + r"), \d+ visits\))\."
    r"|(?:Blunder|Mistake|Inaccuracy): .{1,80} was better, \d+% given away\."
)
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
    """Notes at a node what is known of the position there and of the move that led to it.

    It takes the place of what an earlier analysis noted there; the labels of others stay.
    """
    texts = [node.comment]
    if move is not None or position is not None:
        texts = [line for line in node.comment.split("\n") if _OURS.fullmatch(line) is None]
    if move is not None and move.mistake is not None:
        texts.append(_mistake_text(move))
        ident, value = _BAD[move.mistake]
        _forget(node, {one for one, _ in _BAD.values()})
        node.properties[ident] = (value,)
        _add_better(tree, node, move)
    if position is not None:
        texts.append(_position_text(tree.game, position))
        _forget(node, _VALUES)
        labels = _labels(tree.game, position)
        points = {label.partition(":")[0] for label in labels}
        others = [label for label in node.properties.get("LB", ()) if not _is_ours(label, points)]
        node.properties |= _values(position) | ({"LB": (*labels, *others)} if labels or others else {})
    elif move is not None:
        first = move.win_after if move.seat == 0 else 1 - move.win_after
        node.properties["SBKV"] = (f"{100 * first:.2f}",)
    node.comment = "\n".join(filter(None, texts))


def _forget(node: Node, idents: set[str]) -> None:
    for ident in idents:
        node.properties.pop(ident, None)


def _is_ours(label: str, points: set[str]) -> bool:
    """Whether a label is one of an analysis, or stands where one of ours goes."""
    point, _, text = label.partition(":")
    return text in LABELS or point in points


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
        leader = f"{game.seats[0 if lead > 0 else 1]} leads by {abs(lead):.1f}"
        points = f", {leader if lead else 'nobody leads'}"
    return f"{game.seats[0]} {chance}{first:.0%}{points} ({_JUDGES[found.by]}, {found.visits} visits)."


def first_win(found: Position) -> float:
    """The win rate of the first seat."""
    return found.win if found.to_move == 0 else 1 - found.win


def first_lead(found: Position) -> float | None:
    """The lead of the first seat, as precise as it is written."""
    if found.lead is None:
        return None
    return round(found.lead if found.to_move == 0 else -found.lead, 1) + 0.0  # no -0.0


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


def _labels(game: Game, found: Position) -> list[str]:
    """The best moves that are points of the board."""
    labels = []
    for letter, one in zip(LABELS, found.moves, strict=False):
        with contextlib.suppress(ValueError):
            labels.append(f"{write_point(game.table.read_cell(one.move), game.width)}:{letter}")
    return labels


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
