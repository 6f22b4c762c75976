"""SGF: FF[4] is written, and what people really have is read.

A game that has a number in SGF says in its `Records` what the root means. A file of any other has no GM and
names the game and all options in the private property TENGEN; docs/records.md shows it. The grammar is
sgfmill's, mended in `_sgf_structure`; what values mean is in `_sgf_values`. All text is decoded first
(`_sgf_encoding`), so that from there on bytes are UTF-8. Start reading at `read_sgf` and `write_sgf`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from sgfmill import sgf_grammar

from tengen.facets.records import SgfStart
from tengen.facets.table import PASS_WORDS
from tengen.facets.words import read_number
from tengen.game import Game, InvalidOption
from tengen.games import game_classes
from tengen.records import _sgf_values as values
from tengen.records._sgf_encoding import decode
from tengen.records._sgf_structure import VALUES_A_NODE, parse, split
from tengen.records.record import (
    Player,
    Record,
    RecordError,
    Result,
    check_size,
    game_from_words,
    option_words,
    shorten,
)
from tengen.records.tree import GameTree, Node

MAX_NODES = 200_000  # a large dictionary of openings has half as many
PRIVATE = "TENGEN"  # the game's name, then its options, a value each
OPENING = 10  # moves that tell where stones cannot have stood
NUMBER = "1"  # SGF's GM, where a file does not say

INFO = {
    "EV": "event",
    "RO": "round",
    "PC": "place",
    "GN": "name",
    "GC": "about",
    "ON": "opening",
    "AN": "annotator",
    "US": "user",
    "SO": "source",
    "CP": "copyright",
    "TM": "time_limit",
    "OT": "overtime",
    "BT": "team_0",
    "WT": "team_1",
}

_TIME_OF_DAY = re.compile(r"(\d{4}-\d\d-\d\d)[T ]\d\d:\d\d.*")

Properties = dict[str, list[bytes]]

read_result, write_result = values.read_result, values.write_result


def split_sgf(data: str | bytes, *, max_nodes: int = MAX_NODES) -> list[str]:
    """The text of each game of a collection, for `read_sgf`; raises RecordError when there is none."""
    return [game.decode("utf-8", "replace") for game in _games(data, max_nodes)]


def _games(data: str | bytes, max_nodes: int) -> list[bytes]:
    check_size(len(data))
    text = decode(data) if isinstance(data, bytes) else data
    return split(text.encode("utf-8", "replace"), max_nodes)


def read_sgf(data: str | bytes, *, number: int = 1, max_nodes: int = MAX_NODES) -> GameTree:
    """A game of an SGF text, the first unless another is asked for, with its variations; raises RecordError.

    `games` of the tree says how many there are. What options and results cannot hold of KM, RU and RE is
    kept in `info`, for writing.
    More nodes than that, or more than VALUES_A_NODE times as many values, are refused before they are read.
    Moves are not checked against the rules: `GameTree.state` and `GameTree.record` do that.
    """
    games = _games(data, max_nodes)
    if not 1 <= number <= len(games):
        raise RecordError(f"There is no game {number}: the SGF text has {len(games)}.")
    coarse = parse(games[number - 1], max_nodes)
    root = coarse.sequence[0]
    _gather_info(coarse)
    game = _private_game(root)
    kind = _numbered_kind(root) if game is None else type(game)
    size = _size(root)
    tree_root = _nodes(coarse, size if game is None else game.width, max_nodes)
    tree = GameTree(game or _numbered(kind, root, tree_root, size), tree_root)
    tree.number, tree.games = number, len(games)
    tree.players = (
        Player(_simple(root, "PB"), _simple(root, "BR")),
        Player(_simple(root, "PW"), _simple(root, "WR")),
    )
    tree.started = _simple(root, "DT")
    tree.info = {name: text for ident, name in INFO.items() if (text := _simple(root, ident))}
    if about := _text(root.get("GC", [b""])[0]).strip():
        tree.info["about"] = about  # the only one of several lines
    outcome = _settle_rules(tree)
    if game is None:
        texts = {ident: _simple(root, ident) for ident in root}
        tree.info |= tree.game.records.sgf_stated(texts, tree_root.setup, tree_root.to_move)
    if game is not None and (mark := _mark(game)) and tree_root.properties.get("MA") == (mark,):
        del tree_root.properties["MA"]
    tree.result = _settled(tree, outcome, values.read_result(result := _simple(root, "RE")))
    if not values.is_plain_result(result):
        tree.info["result"] = result
    return tree


def write_sgf(game: GameTree | Record) -> str:
    """The SGF text; RecordError for a game that has none."""
    tree = GameTree.from_record(game) if isinstance(game, Record) else game
    if "sgf" not in tree.game.records.formats:
        raise RecordError(f"{tree.game.title} has no SGF: save the game as a JSON record.")

    def properties(node: Node) -> Properties:
        own = _node_properties(node, tree.game)
        return _root_properties(tree) | own if node is tree.root else own

    coarse = sgf_grammar.make_coarse_game_tree(tree.root, lambda node: node.children, properties)
    text: bytes = sgf_grammar.serialise_game_tree(coarse)
    return text.decode()


# What nodes say beside moves, set-ups and comments


def marks_of(node: Node) -> dict[str, tuple[str, ...]]:
    """The clocks, marks and other properties of a node, with their escapes."""
    found = {ident: texts for ident, texts in node.properties.items() if ident not in _SET_UP}
    if node.clock_s is not None:
        found["BW"[node.seat or 0] + "L"] = (f"{node.clock_s:.10g}",)
    return found


def add_marks(node: Node, marks: Mapping[str, Sequence[str]]) -> None:
    """Gives a node what `marks_of` gave; what is no property, or says what nodes have fields for, is left."""
    for ident, texts in marks.items():
        raws = [text.encode("utf-8", "replace") for text in texts]
        if (
            raws
            and ident not in _SET_UP
            and (node.parent is not None or ident not in _ROOT)
            and sgf_grammar.is_valid_property_identifier(ident)
            and all(map(sgf_grammar.is_valid_property_value, raws))
        ):
            node.properties[ident] = _kept(raws)
    own = node.properties.get("BW"[node.seat or 0] + "L")
    if node.move is not None and own and (clock_s := values.read_clock(own[0])) is not None:
        node.clock_s = clock_s
        del node.properties["BW"[node.seat or 0] + "L"]


# Reading


def _gather_info(coarse: Any) -> None:
    """Puts what nodes before the first move say of the game as a whole into the root, where it is not there.

    Some programs begin with an empty node, and SGF lets most of it stand anywhere.
    """
    root, *others = coarse.sequence
    for properties in others:
        if "B" in properties or "W" in properties:
            return
        for ident in [ident for ident in properties if ident in _ROOT and ident not in root]:
            root[ident] = properties.pop(ident)


def _nodes(coarse: Any, size: int, max_nodes: int) -> Node:
    """The tree of nodes; a node that says several things at once becomes several."""
    root, count, set_up = Node(), 0, 0
    waiting: list[tuple[Any, Node, bool]] = [(coarse, root, True)]
    while waiting:
        part, node, is_root = waiting.pop()
        for number, properties in enumerate(part.sequence):
            count += 1
            at = root if is_root and number == 0 else node.append(Node())
            node = _fill(at, properties, size, count)
            set_up += len(at.setup)
            if set_up > VALUES_A_NODE * max_nodes:
                raise RecordError(f"The SGF text sets up more than {VALUES_A_NODE * max_nodes} points.")
        waiting.extend((child, node, False) for child in reversed(part.children))
    return root


def _fill(node: Node, properties: Properties, size: int, number: int) -> Node:
    """Puts the properties into the node; moves beside a set-up or another move go to nodes after it.

    Returns the last of them.
    """
    for ident, code in (("AE", 0), ("AB", 1), ("AW", 2)):
        texts = [_text(raw) for raw in properties.get(ident, [])]
        cells = values.read_cells(texts, size)
        if cells is None:
            node.fault = f"Node {number} sets up a point that is not on a board of size {size}."
            if number == 1:
                raise RecordError(node.fault)
            node.properties[ident] = _kept(properties[ident])
            continue
        node.setup.update(dict.fromkeys(cells, code))
    if turn := _simple(properties, "PL").lower():
        node.to_move = {"b": 0, "1": 0, "w": 1, "2": 1}.get(turn[0])
    for ident, raws in properties.items():
        if ident not in _UNDERSTOOD and (number > 1 or ident not in _ROOT):
            node.properties[ident] = _kept(raws)
    comment = "\n".join(_text(raw) for raw in properties.get("C", []))
    moves = [ident for ident in properties if ident in ("B", "W")]
    clocks = {ident: values.read_clock(_simple(properties, ident + "L")) for ident in moves}
    for ident in ("B", "W"):  # the other side's clock, or one that is no number of seconds
        if ident + "L" in properties and clocks.get(ident) is None:
            node.properties[ident + "L"] = _kept(properties[ident + "L"])
    for ident in moves:
        if node.setup or node.move is not None or number == 1:
            node = node.append(Node())
        node.seat = "BW".index(ident)
        node.move = values.read_point(_text(properties[ident][0]), size)
        node.clock_s = clocks[ident]
    node.comment = comment
    return node


def _kept(raws: list[bytes]) -> tuple[str, ...]:
    return tuple(raw.decode("utf-8", "replace") for raw in raws)


def _text(raw: bytes) -> str:
    return values.text_of(raw).decode("utf-8", "replace")


def _simple(properties: Properties, ident: str) -> str:
    """The value of a property on one line, empty when it is not there."""
    raw = properties.get(ident, [b""])[0]
    return values.text_of(raw, one_line=True).decode("utf-8", "replace").strip()


def _private_game(root: Properties) -> Game | None:
    """The game that a file names in our own property."""
    if PRIVATE not in root:
        return None
    name, *words = (_text(raw) for raw in root[PRIVATE])
    try:
        game = game_from_words(name, words)
    except InvalidOption as error:
        raise RecordError(f"The game in {PRIVATE} cannot be set up: {error}") from None
    if "sgf" not in game.records.formats:
        raise RecordError(f"{game.title} has no SGF: it uses the JSON record.")
    return game


def _numbered_kind(root: Properties) -> type[Game]:
    """The game of SGF's number; files without one mean the first."""
    number = _simple(root, "GM")
    wanted = number.lstrip("0") if number.isdigit() else ""
    kinds = {kind.records_kind.sgf_number: kind for kind in game_classes().values()}
    if (wanted or NUMBER) not in kinds:
        known = " or ".join(kind.title for number, kind in kinds.items() if number)
        raise RecordError(f"The SGF text holds a game that is not {known}: GM is {shorten(number)}.")
    return kinds[wanted or NUMBER]


def _size(root: Properties) -> int:
    text = _simple(root, "SZ")
    sides = {word.strip() for word in re.split("[:xX×]", text)} if text else {"19"}
    if len(sides) > 1:
        raise RecordError(f"SZ is {shorten(text)!r}, and boards have as many rows as columns.")
    number = read_number(sides.pop())
    if number is None or number != int(number) or not 2 <= number <= 19:
        raise RecordError(f"SZ is {shorten(text)!r}, and boards have 2 to 19 points a side.")
    return int(number)


def _numbered(kind: type[Game], root: Properties, node: Node, size: int) -> Game:
    """The game that the root describes; what that says leaves the root's set-up."""
    moves = [(one.seat, one.move) for one in _down(node) if one.move is not None][:OPENING]
    first = moves[0][0] if moves else None
    texts = {ident: _simple(root, ident) for ident in root}
    start = SgfStart(size, texts, node.setup, node.to_move, first, [move for _, move in moves])
    game = kind.records_kind.from_sgf(kind, start)
    node.setup, node.to_move = start.setup, start.to_move
    return game


def _down(node: Node) -> list[Node]:
    nodes = [node]
    while nodes[-1].children:
        nodes.append(nodes[-1].children[0])
    return nodes


def _settle_rules(tree: GameTree) -> Any:
    """Takes other rules when only those allow the main line. Returns the final outcome."""
    stated = tree.game
    for tree.game in stated.records.sgf_alternatives():
        outcome = _final_outcome(tree)
        if outcome is not _BROKEN:
            return outcome
    tree.game = stated
    return _BROKEN


_BROKEN = object()


def _final_outcome(tree: GameTree) -> Any:
    """The outcome after the main line, _BROKEN when the rules do not allow it."""
    line, state = tree.main_line(), tree.game.start()
    try:
        for node in line:
            state = tree._step(state, node)
    except RecordError:
        return _BROKEN
    return state.outcome


def _settled(tree: GameTree, outcome: Any, stated: Result | None) -> Result | None:
    """The result as the board gives it where that agrees with what the file says, else the file's."""
    if outcome is None or outcome is _BROKEN:
        return stated
    found = Result.of(outcome)
    if stated is None:
        return None if tree.game.records.sgf_scored else found
    if stated.winner != found.winner or stated.reason not in ("score", "agreement", "void"):
        return stated
    if stated.winner is None:
        return found if (stated.reason == "void") == (found.reason == "repetition") else stated
    if not tree.game.records.sgf_scored:
        return found
    margin = abs(found.score[0] - found.score[1]) if found.score else None
    return found if margin is not None and margin == stated.margin else stated


# Writing


def _raw(text: str) -> bytes:
    raw: bytes = sgf_grammar.escape_text(text.encode("utf-8", "replace"))
    return raw


def _mark(game: Game) -> str:
    """The point that stands for a piece that SGF does not know, empty where there is none."""
    cell = game.records.sgf_mark
    return "" if cell is None else values.write_point(cell, game.width)


def _root_properties(tree: GameTree) -> Properties:
    game, own = tree.game, tree.game.records
    texts = {"FF": "4", "CA": "UTF-8", "SZ": str(game.width), "DT": tree.started}
    if moment := _TIME_OF_DAY.fullmatch(tree.started):
        texts["DT"] = moment[1]
    black, white = tree.players
    texts |= {"PB": black.name, "BR": black.rank, "PW": white.name, "WR": white.rank}
    texts |= {ident: tree.info.get(name, "") for ident, name in INFO.items()}
    found: Properties = {"AP": [b"tengen:1"]}
    if own.sgf_number:
        count, stones = own.sgf_stones(tree.root.setup, tree.root.to_move)
        texts |= own.sgf_texts(tree.info, count)
        if stones:
            found["AB"] = [values.write_point(cell, game.width).encode() for cell in stones]
    else:
        found[PRIVATE] = [_raw(word) for word in (game.name, *option_words(game))]
        if mark := _mark(game):
            found["MA"] = [mark.encode()]
    texts["RE"] = _written_result(tree)
    return found | {ident: [_raw(text)] for ident, text in texts.items() if text}


def _written_result(tree: GameTree) -> str:
    """RE as the file had it where that is still the result."""
    result, kept = tree.result, tree.info.get("result", "")
    if kept and _settled_from(values.read_result(kept), result):
        return kept
    return "" if result is None else values.write_result(result, scored=tree.game.records.sgf_scored)


def _settled_from(stated: Result | None, result: Result | None) -> bool:
    """Whether the result is the stated one, or the same with the board's score."""
    if stated is None or result is None or stated == result:
        return stated == result
    return result.score is not None and (stated.winner, stated.reason) == (result.winner, result.reason)


def _node_properties(node: Node, game: Game) -> Properties:
    size = game.width
    found: Properties = {
        ident: [text.encode("utf-8", "replace") for text in texts] for ident, texts in node.properties.items()
    }
    for ident, code in (("AE", 0), ("AB", 1), ("AW", 2)):
        if cells := sorted(cell for cell, set_to in node.setup.items() if set_to == code):
            found[ident] = [values.write_point(cell, size).encode() for cell in cells]
    if node.to_move is not None:
        found["PL"] = [b"BW"[node.to_move : node.to_move + 1]]
    if node.move is not None:
        letter = "BW"[node.seat or 0]
        found[letter] = [_raw(_written_move(node.move, game))]
        if node.clock_s is not None:
            found[letter + "L"] = [f"{node.clock_s:.10g}".encode()]
    if node.comment:
        found["C"] = [_raw(node.comment)]
    return found


def _written_move(move: str, game: Game) -> str:
    if move.strip().lower() in PASS_WORDS:
        return ""
    try:
        return values.write_point(game.table.read_cell(move), game.width)
    except ValueError:  # a move that was not on the board when it was read
        return move


_SET_UP = {"B", "W", "AB", "AW", "AE", "PL", "C"}
_UNDERSTOOD = {*_SET_UP, "BL", "WL"}
_ROOT = {
    *INFO,
    *("FF", "GM", "CA", "AP", "SZ", "KM", "RU", "RE", "HA", "PB", "PW", "BR", "WR", "DT", PRIVATE),
}
