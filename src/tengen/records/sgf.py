"""SGF, the format of every Go program: FF[4] is written, and what people really have is read.

Go is game 1 of SGF. Great Kingdom has no number there, so its files have no GM and name the game and all
options in the private property TENGEN; docs/records.md shows it. The grammar is sgfmill's; what values mean
is in `_sgf_values`. All text is decoded first, so that from there on bytes are UTF-8. Start reading at
`read_sgf` and `write_sgf`.
"""

from __future__ import annotations

import re
from typing import Any

from sgfmill import sgf_grammar

from tengen.game import Game, InvalidOption, OptionValue
from tengen.games import game as make_game
from tengen.games._grid import PASS_WORDS, GridGame, read_cell
from tengen.records import _sgf_values as values
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
VALUES_A_NODE = 5
PRIVATE = "TENGEN"  # the game's name, then its options, a value each
GO_NUMBER = "1"  # SGF's GM

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

_START = re.compile(rb"\(\s*;")
# One that is never closed goes to the end of the text, so that a search takes linear time.
_VALUE = re.compile(rb"\[[^\\\]]*(?:\\.[^\\\]]*)*(?:\]|\\?\Z)", re.DOTALL)
_VALUE_OR_NAME = re.compile(_VALUE.pattern + rb"|[A-Za-z]+", re.DOTALL)
_DATE = re.compile(r"\d{4}-\d\d-\d\d")

Properties = dict[str, list[bytes]]


def read_sgf(data: str | bytes, *, max_nodes: int = MAX_NODES) -> GameTree:
    """The first game of an SGF text, with its variations; raises RecordError.

    More nodes than that, or more than VALUES_A_NODE times as many values, are refused before they are read.
    Moves are not checked against the rules: `GameTree.state` and `GameTree.record` do that.
    """
    check_size(len(data))
    text = values.decode(data) if isinstance(data, bytes) else data
    coarse = _parse(text.encode("utf-8", "replace"), max_nodes)
    root = coarse.sequence[0]
    size = _size(root)
    game = _private_game(root)
    tree_root = _nodes(coarse, size if game is None else game.width, max_nodes)
    tree = GameTree(game or _go(root, tree_root, size), tree_root)
    tree.players = (
        Player(_simple(root, "PB"), _simple(root, "BR")),
        Player(_simple(root, "PW"), _simple(root, "WR")),
    )
    tree.started = _simple(root, "DT")
    tree.info = {name: text for ident, name in INFO.items() if (text := _simple(root, ident))}
    outcome = _settle_ko(tree) if game is None else _final_outcome(tree)
    if game is not None and (mark := _neutral_mark(game)) and tree_root.properties.get("MA") == (mark,):
        del tree_root.properties["MA"]
    tree.result = _settled(tree, outcome, values.read_result(_simple(root, "RE")))
    return tree


def write_sgf(game: GameTree | Record) -> str:
    """The SGF text; RecordError for a game that has none."""
    tree = GameTree.from_record(game) if isinstance(game, Record) else game
    if not isinstance(tree.game, GridGame) or tree.game.name not in ("go", "great-kingdom"):
        raise RecordError(f"{tree.game.title} has no SGF: save the game as a JSON record.")
    size = tree.game.size

    def properties(node: Node) -> Properties:
        own = _node_properties(node, size)
        return _root_properties(tree) | own if node is tree.root else own

    coarse = sgf_grammar.make_coarse_game_tree(tree.root, lambda node: node.children, properties)
    text: bytes = sgf_grammar.serialise_game_tree(coarse)
    return text.decode()


# Reading


def _parse(data: bytes, max_nodes: int) -> Any:
    """sgfmill's parse tree, after mending names in small letters and brackets that are not closed."""
    start = _START.search(data)
    if start is None:
        raise RecordError("This is not SGF: there is no game that begins with '(;'.")
    data = data[start.start() :]
    _check_structure(data, max_nodes)
    data = _VALUE_OR_NAME.sub(lambda m: m[0].upper() if m[0].islower() and m[0][:1] != b"[" else m[0], data)
    tokens, end = sgf_grammar.tokenise(data)
    brackets = [token for kind, token in tokens if kind == "D"]
    open_count = brackets.count(b"(") - brackets.count(b")")
    if open_count > 0 and not data[end:].strip(b" \t\r\n\0\x1a"):
        data = data[:end] + b")" * open_count
    try:
        return sgf_grammar.parse_sgf_game(data)
    except ValueError as error:
        raise RecordError(f"The SGF text cannot be read: {error}.") from None


def _check_structure(data: bytes, max_nodes: int) -> None:
    """Refuses what would take too much memory, before it does."""
    bare, value_count = _VALUE.subn(b"", data)
    if bare.count(b";") > max_nodes or bare.count(b"(") > max_nodes:
        raise RecordError(f"The SGF text has more than {max_nodes} nodes.")
    if value_count > VALUES_A_NODE * max_nodes:
        raise RecordError(f"The SGF text has more than {VALUES_A_NODE * max_nodes} values.")


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
            raise RecordError(f"Node {number} sets up a point that is not on a board of size {size}.")
        node.setup.update(dict.fromkeys(cells, code))
    if turn := _simple(properties, "PL").lower():
        node.to_move = {"b": 0, "1": 0, "w": 1, "2": 1}.get(turn[0])
    for ident, raws in properties.items():
        if ident not in _UNDERSTOOD and (number > 1 or ident not in _ROOT):
            node.properties[ident] = tuple(raw.decode("utf-8", "replace") for raw in raws)
    comment = "\n".join(_text(raw) for raw in properties.get("C", []))
    for ident in [ident for ident in properties if ident in ("B", "W")]:
        if node.setup or node.move is not None or number == 1:
            node = node.append(Node())
        node.seat = "BW".index(ident)
        node.move = values.read_point(_text(properties[ident][0]), size)
        node.clock_s = values.read_number(_simple(properties, ident + "L"))
    node.comment = comment
    return node


def _text(raw: bytes) -> str:
    text: bytes = sgf_grammar.text_value(raw)
    return text.decode("utf-8", "replace")


def _simple(properties: Properties, ident: str) -> str:
    """The value of a property on one line, empty when it is not there."""
    raw = properties.get(ident, [b""])[0]
    text: bytes = sgf_grammar.simpletext_value(raw)
    return text.decode("utf-8", "replace").strip()


def _private_game(root: Properties) -> Game | None:
    if PRIVATE not in root:
        number = _simple(root, "GM")
        if number.isdigit() and number.lstrip("0") not in (GO_NUMBER, ""):
            raise RecordError(f"The SGF text holds a game that is not Go: GM is {shorten(number)}.")
        return None
    name, *words = (_text(raw) for raw in root[PRIVATE])
    try:
        game = game_from_words(name, words)
    except InvalidOption as error:
        raise RecordError(f"The game in {PRIVATE} cannot be set up: {error}") from None
    if not isinstance(game, GridGame):
        raise RecordError(f"{game.title} has no SGF: it uses the JSON record.")
    return game


def _size(root: Properties) -> int:
    text = _simple(root, "SZ")
    sides = {word.strip() for word in text.split(":")} if text else {"19"}
    number = values.read_number(sides.pop()) if len(sides) == 1 else None
    if number is None or number != int(number) or not 2 <= number <= 19:
        raise RecordError(f"SZ is {shorten(text)!r}, and boards have 2 to 19 points a side.")
    return int(number)


def _go(root: Properties, node: Node, size: int) -> Game:
    """The game of Go that the root describes. Handicap stones on the usual points leave the root's set-up."""
    options: dict[str, OptionValue] = {"size": size, "komi": values.read_komi(_simple(root, "KM"))}
    options |= values.read_rules(_simple(root, "RU"))
    handicap = int(values.read_number(_simple(root, "HA")) or 0)
    stones = set(node.setup.values())
    first = next((move.seat for move in _down(node) if move.move is not None), None)
    if node.to_move is None:
        node.to_move = first if first is not None else 1 if stones == {1} or handicap >= 2 else 0
    game = make_game("go", **options)
    if stones - {1} or node.to_move != 1 or (not stones and handicap < 2):
        if not stones and node.to_move == 0:
            node.to_move = None
        return game
    try:
        usual = make_game("go", **options, handicap=len(node.setup) or handicap)
    except InvalidOption:
        return game
    on_usual = {cell for cell, code in enumerate(usual.start().cells()) if code}
    if node.setup and set(node.setup) != on_usual:
        return game
    node.setup, node.to_move = {}, None
    return usual


def _down(node: Node) -> list[Node]:
    nodes = [node]
    while nodes[-1].children:
        nodes.append(nodes[-1].children[0])
    return nodes


def _settle_ko(tree: GameTree) -> Any:
    """Takes the other ko rule when only that one allows the main line: files rarely say which they mean.

    Returns the final outcome.
    """
    stated = tree.game
    for ko in dict.fromkeys((stated.options["ko"], "simple", "superko")):
        tree.game = make_game("go", **(stated.options | {"ko": ko}))
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
        return None if tree.game.name == "go" else found
    if stated.winner != found.winner or stated.reason not in ("score", "agreement", "void"):
        return stated
    if stated.winner is None:
        return found if (stated.reason == "void") == (found.reason == "repetition") else stated
    if tree.game.name != "go":
        return found
    margin = abs(found.score[0] - found.score[1]) if found.score else None
    return found if margin is not None and margin == stated.margin else stated


# Writing


def _raw(text: str) -> bytes:
    raw: bytes = sgf_grammar.escape_text(text.encode("utf-8", "replace"))
    return raw


def _neutral_mark(game: Game) -> str:
    """The point of the neutral castle of Great Kingdom, empty where there is none."""
    if not game.options.get("neutral"):
        return ""
    return values.write_point(game.width * game.height // 2, game.width)


def _root_properties(tree: GameTree) -> Properties:
    game, options = tree.game, tree.game.options
    texts = {"FF": "4", "CA": "UTF-8", "SZ": str(game.width), "DT": tree.started}
    if date := _DATE.match(tree.started):
        texts["DT"] = date[0] if "T" in tree.started or " " in tree.started else tree.started
    black, white = tree.players
    texts |= {"PB": black.name, "BR": black.rank, "PW": white.name, "WR": white.rank}
    texts |= {ident: tree.info.get(name, "") for ident, name in INFO.items()}
    found: Properties = {"AP": [b"tengen:1"]}
    if game.name == "go":
        texts |= {"GM": GO_NUMBER, "KM": f"{options['komi']:.10g}"}
        texts["RU"] = values.write_rules(str(options["ko"]), str(options["scoring"]))
        found |= _handicap(tree)
    else:
        found[PRIVATE] = [_raw(word) for word in (game.name, *option_words(game))]
        if mark := _neutral_mark(game):
            found["MA"] = [mark.encode()]
    if tree.result is not None:
        texts["RE"] = values.write_result(tree.result, scored=game.name == "go")
    return found | {ident: [_raw(text)] for ident, text in texts.items() if text}


def _handicap(tree: GameTree) -> Properties:
    """Handicap stones of the options, and the number of them however they were placed."""
    size = tree.game.width
    stones = [cell for cell, code in enumerate(tree.game.start().cells()) if code]
    if stones and not tree.root.setup:
        points = [values.write_point(cell, size).encode() for cell in stones]
        return {"HA": [str(len(stones)).encode()], "AB": points}
    placed = tree.root.setup
    if len(placed) >= 2 and set(placed.values()) == {1} and tree.root.to_move == 1:
        return {"HA": [str(len(placed)).encode()]}
    return {}


def _node_properties(node: Node, size: int) -> Properties:
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
        found[letter] = [_raw(_written_move(node.move, size))]
        if node.clock_s is not None:
            found[letter + "L"] = [f"{node.clock_s:.10g}".encode()]
    if node.comment:
        found["C"] = [_raw(node.comment)]
    return found


def _written_move(move: str, size: int) -> str:
    if move.strip().lower() in PASS_WORDS:
        return ""
    try:
        return values.write_point(read_cell(move, size), size)
    except ValueError:  # a move that was not on the board when it was read
        return move


_UNDERSTOOD = {"B", "W", "BL", "WL", "AB", "AW", "AE", "PL", "C"}
_ROOT = {
    *INFO,
    *("FF", "GM", "CA", "AP", "SZ", "KM", "RU", "RE", "HA", "PB", "PW", "BR", "WR", "DT", PRIVATE),
}
