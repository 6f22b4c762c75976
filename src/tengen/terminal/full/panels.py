"""What stands beside the board: who plays and the clocks, the win graph, the moves and their variations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.text import Text
from textual.events import Resize
from textual.widgets import OptionList, RichLog, Static
from textual.widgets.option_list import Option

from tengen.records import Node
from tengen.terminal.picture import Picture
from tengen.terminal.variations import steps_to

_EIGHTHS = " ▁▂▃▄▅▆▇█"
GRAPH_ROWS = 4
MOST_SHOWN = 40  # characters of a move in the list


class Players(Static):
    """The two seats, whose turn it is, and the clocks."""

    def show(self, picture: Picture) -> None:
        clocks = picture.clocks()
        lines = [Text(f"{picture.game.title} {picture.game.table.size_words}".rstrip(), "bold")]
        for seat, name in enumerate(picture.game.seats):
            moving = picture.phase == "playing" and picture.whole.to_move == seat
            line = Text(f"{'▶' if moving else ' '} {name}", "bold" if moving else "")
            if clocks is not None:
                line.append("  ").append(clocks[seat], "reverse" if moving else "")
            if picture.players[seat]:
                line.append(f"  {picture.players[seat]}", "not bold")
            lines.append(line)
        self.update(Text("\n").join(lines))


class Graph(Static):
    """The chances of the first seat along a line; what was not looked at is left out."""

    def show(self, picture: Picture, line: Sequence[Node], wins: Mapping[Node, float], at: Node) -> None:
        known = [(index, wins[node]) for index, node in enumerate(line) if node in wins]
        if not known:
            self.update(Text("g  win graph" if picture.helps else "", "dim"))
            return
        wide = max(10, self.size.width)
        columns = _columns([wins.get(node) for node in line], wide)
        rows = []
        for row in range(GRAPH_ROWS - 1, -1, -1):
            rows.append("".join(_block(value, row) for value in columns))
        first = picture.game.seats[0]
        here = f"{first} {wins[at]:.0%}" if at in wins else f"{first}'s chances"
        self.update(Text("\n").join([Text(here, "bold"), *(Text(row) for row in rows)]))


def _columns(values: Sequence[float | None], wide: int) -> list[float | None]:
    """As many values as there are columns at most, each the last that was known there."""
    if len(values) <= wide:
        return list(values)
    found: list[float | None] = []
    for column in range(wide):
        part = values[column * len(values) // wide : (column + 1) * len(values) // wide]
        found.append(next((value for value in reversed(part) if value is not None), None))
    return found


def _block(value: float | None, row: int) -> str:
    if value is None:
        return "·" if row == 0 else " "
    eighths = round(value * 8 * GRAPH_ROWS) - 8 * row
    return _EIGHTHS[max(0, min(8, eighths))]


class Log(RichLog):
    """What was said. Its end stays in sight when the graph, or a smaller window, takes room from it."""

    def on_resize(self, event: Resize) -> None:
        self.scroll_end(animate=False)


class Moves(OptionList):
    """The line that is looked at, and under each move what else was tried there."""

    def __init__(self) -> None:
        super().__init__(id="moves")
        self.nodes: list[Node] = []
        self._listed: tuple[Node, int, int] | None = None

    def show(self, picture: Picture, at: Node) -> None:
        line, total = line_through(at), sum(1 for _ in picture.tried.tree.nodes())
        key = (line[-1], total, len(line))
        if key != self._listed:
            self._listed = key
            self._fill(picture, line)
        if at in self.nodes:
            self.highlighted = self.nodes.index(at)
            self.call_after_refresh(self.scroll_to_highlight)
        else:
            self.highlighted = None

    def _fill(self, picture: Picture, line: Sequence[Node]) -> None:
        self.nodes, options = [], list[Option]()
        for number, node in enumerate(line[1:], start=1):
            assert node.parent is not None
            self.nodes.append(node)
            options.append(Option(Text(f"{number:3} {_seat(picture, node)} {_text(node)}")))
            for other in node.parent.children:
                if other is not node and other.move is not None:
                    self.nodes.append(other)
                    options.append(Option(Text(f"      or {_text(other)}", "dim italic")))
        self.clear_options()
        self.add_options(options)


def _text(node: Node) -> str:
    text = node.move or "…"
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 1]}…"


def _seat(picture: Picture, node: Node) -> str:
    return " " if node.seat is None else picture.game.seats[node.seat]


def line_through(node: Node) -> list[Node]:
    """From the root over that node to the end, the first way from there on: the root and its moves."""
    line = [node.path()[0], *steps_to(node)]
    at = node
    while at.children:
        at = at.children[0]
        if at.move is not None:
            line.append(at)
    return line
