"""A game with its variations, as review needs it: nodes with a move, a set-up or only a comment.

A tree holds text, not states: a branch that breaks the rules can be loaded, looked at and corrected, and only
`state` of it raises. The first child of each node is the main line. Start reading at `GameTree`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from tengen.facets.table import PASS_WORDS
from tengen.game import Game, IllegalAction, State, cells_to_text, restore, resumptions_of
from tengen.line import RESUME
from tengen.records.record import Move, Player, Record, RecordError, Result, play_turn, shorten

LONGEST_TAKEBACK = 2000  # actions that are replayed to take back passes, and
MOST_REPLAYED = 300_000  # of all moves of a tree that come after the end of a game


@dataclass(eq=False)
class Node:
    """One point of a tree. A node has a move, a set-up, or neither, never both."""

    seat: int | None = None  # who made the move
    move: str | None = None  # in the game's notation
    setup: dict[int, int] = field(default_factory=dict)  # cell codes by cell, 0 takes a piece off
    to_move: int | None = None  # who is to move from here on, where that is said
    comment: str = ""
    clock_s: float | None = None  # what the mover had left
    properties: dict[str, tuple[str, ...]] = field(
        default_factory=dict
    )  # what else SGF said, with its escapes
    fault: str = ""  # why a file's node cannot be used
    children: list[Node] = field(default_factory=list, repr=False)
    parent: Node | None = field(default=None, repr=False)
    _state: State | None = field(default=None, repr=False)

    def append(self, child: Node) -> Node:
        child.parent = self
        self.children.append(child)
        return child

    def path(self) -> list[Node]:
        """The nodes from the root to this one."""
        nodes: list[Node] = []
        node: Node | None = self
        while node is not None:
            nodes.append(node)
            node = node.parent
        return nodes[::-1]

    def moves(self) -> int:
        """How many moves there are from the root to here."""
        return sum(1 for node in self.path() if node.move is not None)


@dataclass(eq=False)
class GameTree:
    """A game, its tree of moves and what is known about it."""

    game: Game
    root: Node = field(default_factory=Node)
    players: tuple[Player, Player] = (Player(), Player())
    result: Result | None = None
    started: str = ""
    info: dict[str, str] = field(default_factory=dict)
    number: int = 1  # of the game in its file, and
    games: int = 1  # how many that has
    _replayed: int = field(default=0, repr=False)

    @classmethod
    def from_record(cls, record: Record) -> GameTree:
        """A tree without variations. Analysis and events stay behind."""
        start = record.start()
        tree = cls(start.game, Node(comment=record.comment), record.players, record.result, record.started)
        tree.info = dict(record.info)
        if record.origin is not None:
            before = start.game.start().cells()
            tree.root.setup = {cell: code for cell, code in enumerate(start.cells()) if code != before[cell]}
            tree.root.to_move = record.origin[1]
        node, movers = tree.root, record.states()
        for state, move in zip(movers, record.moves, strict=False):
            if not move.text.startswith(RESUME):  # the next move's seat says the same
                node = node.append(Node(state.to_move, move.text, comment=move.comment, clock_s=move.clock_s))
        return tree

    def record(self, leaf: Node | None = None) -> Record:
        """The main line, or the line to that node, as a record; raises RecordError where it breaks the rules.

        A record has no set-up after its first move. A move out of turn gets a pass of the other side before
        it where the game has passes. Comments of nodes without a move go to the move before.
        """
        line = self.main_line() if leaf is None else leaf.path()
        state, count, notes, comment = self.game.start(), 0, dict[int, Move](), ""
        for node in line:
            if node.setup and count:
                raise RecordError(f"Pieces are set up after move {count}, which only a tree can hold.")
            state = self._step(state, node)
            count = len(state.actions) if self.game.table.passes else count + (node.move is not None)
            if count == 0:
                comment = "\n".join(filter(None, (comment, node.comment)))
            elif node.comment or node.clock_s is not None:
                old = notes.get(count - 1, Move(""))
                text = "\n".join(filter(None, (old.comment, node.comment)))
                notes[count - 1] = Move("", old.clock_s if node.clock_s is None else node.clock_s, text)
        record = Record.from_state(
            state,
            players=self.players,
            notes=notes,
            started=self.started,
            comment=comment,
            info=dict(self.info),
        )
        return replace(record, result=self.result)

    def opened(self) -> Record:
        """The main line as far as a record can hold it; RecordError when not even its start can be used.

        Where that is not all, a comment on the last move and `stopped` of `info` say why.
        """
        state, last, moved = self._step(self.game.start(), self.root), self.root, False
        for node in self.main_line()[1:]:
            try:
                if node.setup and moved:
                    raise RecordError(
                        f"Pieces are set up after move {last.moves()}, which only a tree can hold."
                    )
                state = self._step(state, node)
            except RecordError as error:
                return self._stopped(last, str(error))
            last, moved = node, moved or node.move is not None
        return self.record()

    def _stopped(self, last: Node, why: str) -> Record:
        record, note = self.record(last), f"The file goes on here with what cannot be played: {why}"
        info = {**record.info, "stopped": why}
        if not record.moves:
            return replace(record, info=info, comment="\n".join(filter(None, (record.comment, note))))
        *before, move = record.moves
        move = replace(move, comment="\n".join(filter(None, (move.comment, note))))
        return replace(record, info=info, moves=(*before, move))

    def nodes(self) -> Iterator[Node]:
        """All nodes, each before its children."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    def main_line(self) -> list[Node]:
        nodes = [self.root]
        while nodes[-1].children:
            nodes.append(nodes[-1].children[0])
        return nodes

    def state(self, node: Node) -> State:
        """The state at a node; raises RecordError naming the first move on the way that the rules forbid."""
        waiting: list[Node] = []
        at: Node | None = node
        while at is not None and at._state is None:
            waiting.append(at)
            at = at.parent
        state = self.game.start() if at is None or at._state is None else at._state
        for step in reversed(waiting):
            state = self._step(state, step)
        node._state = state
        return state

    def add(self, parent: Node, move: str) -> Node:
        """The child of that node with that move, a new one unless there is one; raises RecordError."""
        before = self.state(parent)
        after = play_turn(before, move, 1 + parent.moves())
        for child in parent.children:
            if child.move is not None and child.seat == before.to_move and self.state(child) == after:
                return child
        return parent.append(Node(before.to_move, move, _state=after))

    def _step(self, state: State, node: Node) -> State:
        """The state after a node."""
        if node.fault:
            raise RecordError(node.fault)
        if node.setup:
            state = self._set_up(state, node)
        if node.move is not None:
            self._count_replayed(state)
            try:
                return play_as(state, state.to_move if node.seat is None else node.seat, node.move)
            except ValueError as error:
                raise RecordError(f"Move {node.moves()}, {shorten(node.move)!r}: {error}") from None
        if node.to_move is not None and state.outcome is None and state.to_move != node.to_move:
            if not state.actions:
                return self._position(state.cells(), node.to_move, node)
            return give_turn(state, node.to_move)
        return state

    def _count_replayed(self, state: State) -> None:
        if state.outcome is not None:
            self._replayed += len(state.actions)
            if self._replayed > MOST_REPLAYED:
                raise RecordError("The game goes on too often after it is over.")

    def _set_up(self, state: State, node: Node) -> State:
        cells = bytearray(state.cells())
        for cell, code in node.setup.items():
            cells[cell] = code
        to_move = state.to_move if node.to_move is None else node.to_move
        if bytes(cells) == state.cells() and to_move == state.to_move:
            return state
        return self._position(bytes(cells), to_move, node)

    def _position(self, cells: bytes, to_move: int, node: Node) -> State:
        text = cells_to_text(cells, self.game.letters, self.game.width)
        try:
            return self.game.position(text, to_move)
        except ValueError as error:
            number = len(node.path())
            raise RecordError(f"The position set up in node {number} cannot be used: {error}") from None


def play_as(state: State, seat: int, text: str) -> State:
    """The state after that seat's move, as `give_turn` allows it; raises the errors of `Game.parse`.

    A pass after the game has ended by passes changes nothing.
    """
    if state.game.table.can_resume(state) and text.strip().lower() in PASS_WORDS:
        return state
    state = give_turn(state, seat)
    for action in state.game.parse(state, text):
        state = state.play(action)
    return state


def give_turn(state: State, seat: int) -> State:
    """The state with that seat to move, for programs and files, which move out of turn freely.

    The other side passes if need be. After two passes play is resumed, or, where the rules do not know that
    (area scoring), the passes are taken back. Raises IllegalAction in a game that has no such thing.
    """
    if state.outcome is None and state.to_move != seat:
        passing = state.game.table.pass_action
        if passing is None:
            raise IllegalAction(f"It is the turn of {state.game.seats[state.to_move]}.")
        state = state.play(passing)
    if state.outcome is None:
        return state
    if not state.game.table.can_resume(state):
        raise IllegalAction("The game is over.")
    if state.game.table.agreement:
        return state.resume(seat)
    if len(state.actions) > LONGEST_TAKEBACK:
        raise IllegalAction("The game is over.")
    earlier = _back(state, 1)
    return earlier if earlier.to_move == seat else _back(state, 2)


def _back(state: State, actions: int) -> State:
    return restore(state.game, state.origin, state.actions[:-actions], resumptions_of(state))
