"""Games to look at: the protocol's `Study`, to and from records and SGF trees.

A study is a tree of whole turns that the rules allow, and of positions that are set up on the way. What a
file has beyond that is kept as far as it can be: a branch with a move that the rules forbid ends there, and a
comment says why. Nothing here waits for anything, but it may compute for a second: call it in a thread.
Everything raises `Refusal`. Start reading at `read_study` and `write_study`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from tengen.game import Game, State, resumptions_of, steps
from tengen.line import Line
from tengen.records import (
    GameTree,
    Node,
    Player,
    Record,
    RecordError,
    Result,
    load_tree,
    read_sgf,
    split_sgf,
    write_sgf,
)
from tengen.records.annotate import annotate
from tengen.records.record import shorten
from tengen.records.sgf import add_marks, marks_of, read_result, write_result
from tengen.server import protocol
from tengen.server.errors import LONGEST, Refusal
from tengen.server.games import make_game
from tengen.server.protocol import Collection, GameEntry, Person, Study, StudyNode

MAX_NODES = 8000  # of a study, and
MOST_WORK = 3_000_000  # nodes times cells: a hundred megabytes while they are replayed
MOST_ESCAPES = 40_000  # backslashes of an SGF file: others wait while they are searched through
MOST_LISTED = 500  # games of a collection
LONGEST_COMMENT = 200_000  # characters, which are read in one piece when the study is opened
LONGEST_INFO = 4000  # characters of what else a file says of the game, and
MOST_MARKS = 200_000  # of what it says of its nodes
RANKS = ("rank_0", "rank_1")  # of `info`: what a player's name ends with


def first_state(game: Game, origin: tuple[str, int] | None) -> State:
    try:
        return game.start() if origin is None else game.position(*origin)
    except (ValueError, TypeError, OverflowError) as error:
        raise Refusal("malformed", f"The position to begin with cannot be used: {error}") from None


def play_move(state: State, actions: Sequence[int], number: int) -> tuple[int, str, State]:
    """Who makes that move, how it is written, and what it leads to; the number is for the error."""
    try:
        seat, after = state.to_move, state
        for action in actions:
            if after.to_move != seat:
                raise Refusal("malformed", f"Move {number} goes on after the turn has changed.")
            after = after.play(action)
        if state.game.mid_move(after):
            raise Refusal("malformed", f"Move {number} is only half a move.")
        return seat, state.game.format(state, list(actions)), after
    except (ValueError, TypeError, OverflowError) as error:
        raise Refusal("illegal", f"Move {number}: {error}") from None


def resumed(state: State, seat: int, number: int) -> tuple[str, State]:
    """How it is written that the seat plays on, and what it leads to."""
    try:
        step = Line(state).resume(seat)
        return step.text, step.after
    except ValueError as error:
        raise Refusal("illegal", f"Move {number}: {error}") from None


def modern(data: bytes) -> bytes:
    """A stored study as it is told now: older ones have a resumption as the move [-1 - seat]."""
    if b'"actions":[-' not in data:
        return data
    study = msgspec.json.decode(data, type=Study)
    return msgspec.json.encode(replace(study, nodes=[_modern(node) for node in study.nodes]))


def _modern(node: StudyNode) -> StudyNode:
    if len(node.actions) == 1 and node.actions[0] < 0:
        return replace(node, seat=None, actions=[], resumed=-1 - node.actions[0])
    return node


# Reading


def read_study(source: str | bytes, number: int = 1) -> Study:
    """The study in an SGF file or a JSON record; of a collection the game with that number."""
    try:
        tree = load_tree(_bytes(source), number, max_nodes=MAX_NODES + 1)
        try:
            study = study_of(tree)
        finally:
            _take_apart(tree.root)
    except RecordError as error:
        raise Refusal("malformed", str(error)) from None
    if any(len(node.comment) > LONGEST_COMMENT for node in study.nodes):
        raise Refusal("malformed", f"A comment has at most {LONGEST_COMMENT} characters here.")
    return study


def _take_apart(root: Node) -> None:
    """Nodes and their parents know each other, so they would stay until garbage is next collected."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        node.parent = None
        waiting += node.children


def read_collection(source: str | bytes) -> Collection:
    """The games of an SGF file, to choose among."""
    try:
        games = split_sgf(_bytes(source))
    except RecordError as error:
        raise Refusal("malformed", str(error)) from None
    listed = [_entry(text, number) for number, text in enumerate(games[:MOST_LISTED], start=1)]
    return Collection(listed, len(games))


def _entry(text: str, number: int) -> GameEntry:
    try:
        tree = read_sgf(text, max_nodes=MAX_NODES + 1)
    except RecordError as error:
        return GameEntry(number, problem=str(error))
    first, second = (_person(player).name for player in tree.players)
    return GameEntry(
        number, tree.game.name, _title(tree), (first, second), tree.started, _result(tree.result)
    )


def _title(tree: GameTree) -> str:
    return tree.info.get("name") or tree.info.get("event", "")


def _bytes(source: str | bytes) -> bytes:
    data = source.encode("utf-8", "replace") if isinstance(source, str) else source
    if not data.removeprefix(b"\xef\xbb\xbf").strip():
        raise Refusal("malformed", "The file is empty.")
    if data.count(b"\\") > MOST_ESCAPES and not data.lstrip().startswith(b"{"):
        raise Refusal("malformed", f"The file has more than {MOST_ESCAPES} escaped characters.")
    return data


def study_of(tree: GameTree) -> Study:
    """The study of a tree; RecordError when not even its start can be used."""
    game = make_game(tree.game.name, tree.game.options)
    if sum(1 for _ in tree.nodes()) > _most_nodes(game) + 1:
        raise _too_many(game)
    return _Reader(tree).study()


def _most_nodes(game: Game) -> int:
    return min(MAX_NODES, MOST_WORK // (game.width * game.height))


def _too_many(game: Game) -> Refusal:
    most = _most_nodes(game)
    return Refusal("malformed", f"There are more than {most} moves, which is the most of this game here.")


_Way = tuple[tuple[int, ...], tuple[tuple[int, int], ...]]  # the actions and resumptions that led to a state


class _Reader:
    """Turns the nodes of a tree, which say all kinds of things, into turns that follow on each other."""

    def __init__(self, tree: GameTree) -> None:
        self._tree = tree
        self._nodes: list[StudyNode] = []
        self._comments: list[list[str]] = []
        self._states: list[State] = []
        self._last_way: tuple[int, _Way] = (-1, ((), ()))
        self._lost: set[Node] = set()
        self._marks: list[dict[str, list[str]]] = []
        self._left = MOST_MARKS
        self._notice = ""
        self._most = _most_nodes(tree.game)

    def study(self) -> Study:
        tree = self._tree
        start = tree.state(tree.root)
        origin = start.origin
        self._add(StudyNode(None), first_state(tree.game, origin))
        at: dict[Node, int] = {tree.root: self._extend(0, start)}
        self._note(at[tree.root], tree.root)
        for node in tree.nodes():
            if node.parent is None:
                continue
            if node.parent in self._lost:
                self._lost.add(node)
                continue
            above = at[node.parent]
            try:
                at[node] = self._read(node, above)
            except RecordError as error:
                self._lost.add(node)
                why = shorten(str(error), LONGEST)
                stopped = f"The file goes on here with what cannot be shown: {why}"
                if stopped not in self._comments[above]:  # of several variations
                    self._comments[above].append(stopped)
                after = f"after move {self._depth(above)}" if above else "from its start"
                self._notice = self._notice or f"The file cannot be followed {after}: {why}"
        players = (_person(tree.players[0]), _person(tree.players[1]))
        return Study(
            game=tree.game.name,
            options=dict(tree.game.options),
            nodes=[
                replace(node, comment="\n".join(comments), sgf=marks)
                for node, comments, marks in zip(self._nodes, self._comments, self._marks, strict=True)
            ],
            origin=origin,
            players=players,
            result=_result(tree.result),
            title=_title(tree),
            number=tree.number,
            games=tree.games,
            info={name: shorten(text, LONGEST_INFO) for name, text in _info(tree).items()},
            started=tree.started,
            notice=self._notice,
        )

    def _depth(self, index: int) -> int:
        """How many turns lead to that one."""
        depth, parent = 0, self._nodes[index].parent
        while parent is not None:
            depth, parent = depth + 1, self._nodes[parent].parent
        return depth

    def _read(self, node: Node, above: int) -> int:
        """The index of the turn that a node amounts to, which is the one above where it has no move."""
        before = self._tree.state(node.parent) if node.parent is not None else self._states[0]
        state = self._tree.state(node)
        if state is before:
            self._note(above, node)
            return above
        if state.origin != before.origin or not state.actions:
            index = self._add(StudyNode(above, origin=state.origin), state)
            self._note(index, node)
            return index
        plain = not node.setup and node.move is not None and node.seat in (None, before.to_move)
        if plain and before.outcome is None and before == self._states[above]:
            actions = self._tree.game.parse(before, node.move or "")
            text = self._tree.game.format(before, actions)
            index = self._add(StudyNode(above, before.to_move, text, actions), state)
        else:
            index = self._extend(above, state)
        self._note(index, node)
        return index

    def _extend(self, above: int, state: State) -> int:
        """The turn with that state, below the nearest one above that leads to it."""
        actions, resumptions = _way_to(state)
        index: int | None = above
        while index is not None:
            had, resumed = self._way_to(index)
            played, later = len(had), resumptions[len(resumed) :]
            same = actions[:played] == had and resumptions[: len(resumed)] == resumed
            if same and (not later or later[0][0] >= played):
                break
            index = self._nodes[index].parent
        assert index is not None  # the root, and what is set up, have no actions
        rest = steps(actions[played:], [(after - played, seat) for after, seat in later])
        for turn in Line(self._states[index]).turns(list(rest)):
            seat = None if turn.resumed is not None else turn.seat
            node = StudyNode(index, seat, turn.text, list(turn.actions), resumed=turn.resumed)
            index = self._add(node, turn.after)
        if index != above:
            self._last_way = index, (actions, resumptions)
        return index

    def _way_to(self, index: int) -> _Way:
        """That of a long game takes a while to tell, and nearly always the last one is asked for."""
        return self._last_way[1] if self._last_way[0] == index else _way_to(self._states[index])

    def _add(self, node: StudyNode, state: State) -> int:
        if len(self._nodes) > self._most:
            raise _too_many(self._tree.game)
        self._nodes.append(node)
        self._comments.append([])
        self._marks.append({})
        self._states.append(state)
        return len(self._nodes) - 1

    def _note(self, index: int, node: Node) -> None:
        if node.comment:
            self._comments[index].append(node.comment)
        for ident, texts in marks_of(node).items():
            self._left -= sum(map(len, texts))
            if self._left >= 0:
                self._marks[index].setdefault(ident, list(texts))


def _info(tree: GameTree) -> dict[str, str]:
    """What a study says of the game beside its own fields: also the margin and the ranks, which have none."""
    info = dict(tree.info) | {
        name: one.rank for name, one in zip(RANKS, tree.players, strict=True) if one.rank
    }
    if tree.result is not None and tree.result.margin is not None:
        info.setdefault("result", write_result(tree.result, scored=tree.game.records.sgf_scored))
    return info


def _way_to(state: State) -> _Way:
    return tuple(state.actions), tuple(resumptions_of(state))


def _person(player: Player) -> Person:
    name = f"{player.name} ({player.rank})" if player.rank else player.name
    return Person(name, player.kind)


def _result(result: Result | None) -> protocol.Outcome | None:
    return None if result is None else protocol.Outcome(result.winner, result.reason, result.score)


# Writing


def tree_of(study: Study, *, annotated: bool = False) -> GameTree:
    """The tree of a study, replayed; actions go before text, and seats are worked out anew."""
    if not study.nodes or study.nodes[0].parent is not None:
        raise Refusal("malformed", "A study begins with a node that has no move and no parent.")
    game = make_game(study.game, study.options)
    if len(study.nodes) > _most_nodes(game) + 1:
        raise _too_many(game)
    start = first_state(game, study.origin)
    record = Record(game.name, game.options, origin=study.origin, comment=study.nodes[0].comment)
    tree = GameTree.from_record(record)
    first, second = (study.info.get(name, "") for name in RANKS)
    tree.players = (_player(study.players[0], first), _player(study.players[1], second))
    tree.result = _written_result(study.result, study.info.get("result", ""))
    tree.info = {name: text for name, text in study.info.items() if name not in RANKS}
    add_marks(tree.root, study.nodes[0].sgf)
    if study.title and study.title not in (tree.info.get("name"), tree.info.get("event")):
        tree.info["name"] = study.title
    tree.started = study.started
    states, nodes = [start], [tree.root]
    for number, wanted in enumerate(map(_modern, study.nodes[1:]), start=1):
        if wanted.parent is None or not 0 <= wanted.parent < number:
            raise Refusal("malformed", f"Node {number} of the study does not follow on one before it.")
        before, above = states[wanted.parent], nodes[wanted.parent]
        if wanted.resumed is not None:
            states.append(resumed(before, wanted.resumed, number)[1])
            nodes.append(above)  # the next move's seat says the same
            continue
        if wanted.origin is not None:
            states.append(first_state(game, wanted.origin))
            nodes.append(above.append(_set_up(before, states[-1], wanted.comment)))
            add_marks(nodes[-1], wanted.sgf)
            continue
        seat, text, after = play_move(before, wanted.actions or _parsed(before, wanted, number), number)
        states.append(after)
        nodes.append(above.append(Node(seat, text, comment=wanted.comment)))
        add_marks(nodes[-1], wanted.sgf)
    if annotated:
        for node, wanted in zip(nodes, study.nodes, strict=True):
            if wanted.resumed is None:
                annotate(tree, node, wanted.analysis, wanted.review)
    return tree


def _set_up(before: State, after: State, comment: str) -> Node:
    changed = enumerate(zip(before.cells(), after.cells(), strict=True))
    setup = {cell: new for cell, (old, new) in changed if new != old}
    return Node(setup=setup, to_move=after.to_move, comment=comment)


class StudyMove(NamedTuple):
    """A move of a study: its node, how many moves and resumptions lead to it, and what it was made in."""

    node: int
    number: int
    before: State
    actions: Sequence[int]


def moves_of(study: Study) -> list[StudyMove]:
    """Every move of the tree, the main line first; raises Refusal."""
    game = make_game(study.game, study.options)
    if not study.nodes or len(study.nodes) > _most_nodes(game) + 1:
        raise _too_many(game)
    states, depths, moves = [first_state(game, study.origin)], [0], list[StudyMove]()
    for number, node in enumerate(map(_modern, study.nodes[1:]), start=1):
        if node.parent is None or not 0 <= node.parent < number:
            raise Refusal("malformed", f"Node {number} of the study does not follow on one before it.")
        before = states[node.parent]
        depths.append(depths[node.parent] + 1)
        if node.resumed is not None:
            states.append(resumed(before, node.resumed, number)[1])
            continue
        if node.origin is not None:
            states.append(first_state(game, node.origin))
            continue
        actions = node.actions or _parsed(before, node, number)
        states.append(play_move(before, actions, number)[2])
        moves.append(StudyMove(number, depths[number], before, actions))
    main = _main_line(study)
    return sorted(moves, key=lambda move: move.node not in main)


def _main_line(study: Study) -> set[int]:
    first = dict[int, int]()
    for number, node in enumerate(study.nodes):
        if node.parent is not None:
            first.setdefault(node.parent, number)
    at, found = 0, {0}
    while (at := first.get(at, -1)) >= 0:
        found.add(at)
    return found


def _parsed(state: State, node: StudyNode, number: int) -> list[int]:
    try:
        return state.game.parse(state, node.text)
    except ValueError as error:
        raise Refusal("illegal", f"Move {number}: {error}") from None


def _player(person: Person, rank: str) -> Player:
    name = person.name.removesuffix(f" ({rank})")
    return Player(name, rank if name != person.name else "", person.kind)


def _written_result(outcome: protocol.Outcome | None, text: str) -> Result | None:
    """The outcome, with the margin that the text of a file gives it."""
    if outcome is None:
        return None
    if outcome.winner not in (None, 0, 1):
        raise Refusal("malformed", "The winner is 0, 1 or nobody.")
    stated = read_result(text[:LONGEST_INFO])
    if stated == Result(outcome.winner, outcome.reason, outcome.score, stated.margin if stated else None):
        return stated
    return Result(outcome.winner, outcome.reason, outcome.score)


def write_study(study: Study, form: str, *, annotated: bool = False) -> str:
    """SGF with all variations, or the main line as a JSON record that can be read back.

    An annotated one says in SGF what the nodes know of their positions and moves.
    """
    tree = tree_of(study, annotated=annotated and form == "sgf")
    try:
        if form == "sgf":
            return write_sgf(tree)
        record = tree.record()
        text = record.to_json()
        Record.from_json(text)
        return text
    except RecordError as error:
        raise Refusal("malformed", str(error)) from None


def write_record(record: Record, form: str) -> str:
    try:
        return write_sgf(record) if form == "sgf" else record.to_json()
    except RecordError as error:
        raise Refusal("malformed", str(error)) from None
