"""All that was tried in a game: a `GameTree`, and where in it the line of the match is.

Moves that were taken back stay in the tree as variations. It is saved as SGF where the game has that, and
kept with an unfinished game as lines of moves (`lines`, `add_lines`). Start reading at `Tried.follow`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tengen.game import State
from tengen.records import GameTree, Node

Made = tuple[int | None, str]  # who moved, and how it is written; nobody where play was resumed


class Tried:
    def __init__(self, tree: GameTree) -> None:
        self.tree = tree
        self._line: list[Made] = []
        self._nodes = [tree.root]

    @staticmethod
    def since(start: State) -> Tried:
        """Nothing yet, from that position on."""
        tree = GameTree(start.game)
        if start.origin is not None:
            before = start.game.start().cells()
            tree.root.setup = {cell: code for cell, code in enumerate(start.cells()) if code != before[cell]}
            tree.root.to_move = start.origin[1]
        return Tried(tree)

    @property
    def here(self) -> Node:
        """Where the match stands."""
        return self._nodes[-1]

    def follow(self, line: Sequence[Made]) -> None:
        """Brings it to the line of the match, which may have lost moves and gained others."""
        same = 0
        for one, other in zip(line, self._line, strict=False):
            if one != other:
                break
            same += 1
        del self._line[same:], self._nodes[same + 1 :]
        for seat, text in line[same:]:
            self._line.append((seat, text))
            self._nodes.append(self.here if seat is None else _grown(self.here, seat, text))

    @property
    def branches(self) -> bool:
        return any(len(node.children) > 1 for node in self.tree.nodes())

    def lines(self) -> list[list[Made]]:
        """Every line to its end."""
        ends = [node for node in self.tree.nodes() if not node.children]
        return [[(node.seat, node.move) for node in end.path() if node.move is not None] for end in ends]

    def add_lines(self, lines: Iterable[Sequence[Made]]) -> None:
        for line in lines:
            node = self.tree.root
            for seat, text in line:
                assert seat is not None
                node = _grown(node, seat, text)

    def put_first(self) -> None:
        """Makes the line of the match the main line."""
        for node in self.here.path()[1:]:
            assert node.parent is not None
            node.parent.children.remove(node)
            node.parent.children.insert(0, node)


def steps_to(node: Node) -> list[Node]:
    """The nodes with moves that lead there."""
    return [step for step in node.path() if step.move is not None]


def _grown(parent: Node, seat: int, text: str) -> Node:
    """The node with that move below the parent, past nodes that only say something; a new one if need be."""
    waiting = list(parent.children)
    while waiting:
        child = waiting.pop(0)
        if child.move is None and not child.setup:
            waiting = [*child.children, *waiting]
        elif (child.seat, child.move) == (seat, text):
            return child
    return parent.append(Node(seat, text))
