"""The board with a cursor: arrow keys and the mouse move it, Enter and a click tap the cell below it."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import events
from textual.binding import Binding
from textual.containers import Center
from textual.geometry import Region, Size
from textual.message import Message
from textual.widget import Widget

from tengen.facets.look import Marks, Surface
from tengen.game import Game, State
from tengen.terminal.full.layout import Layout

CURSOR, CURSOR_IN_COLOUR = "reverse", "not reverse bold #000000 on #7fb4ff"
TARGET = "bold underline"
CHOSEN = "bold reverse"


class Board(Widget, can_focus=True):
    BINDINGS: ClassVar = [
        Binding("up,k", "move(0, -1)", "Up", show=False),
        Binding("down,j", "move(0, 1)", "Down", show=False),
        Binding("left", "move(-1, 0)", "Left", show=False),
        Binding("right,l", "move(1, 0)", "Right", show=False),
        Binding("enter,space", "tap", "Play here", show=False),
    ]

    class Tapped(Message):
        def __init__(self, cell: int) -> None:
            self.cell = cell
            super().__init__()

    def __init__(self, surface: Surface) -> None:
        super().__init__(id="board")
        self._surface = surface
        self._state: State | None = None
        self._marks: Marks | None = None
        self._layout: Layout | None = None
        self.cursor = 0
        self.chosen: frozenset[int] = frozenset()
        self.targets: frozenset[int] = frozenset()

    def show(
        self, state: State, marks: Marks | None, chosen: frozenset[int], targets: frozenset[int]
    ) -> None:
        if self._state is None or state.game != self._state.game:
            self.cursor = _middle(state.game)
        changed = state is not self._state or marks is not self._marks
        self._state, self._marks, self.chosen, self.targets = state, marks, chosen, targets
        if changed:
            self._lay_out()
        self.refresh(layout=changed)

    def _lay_out(self) -> None:
        if self._state is not None:
            parent = self.parent
            room = parent.size.width if isinstance(parent, Widget) and parent.size.width else 80
            self._layout = Layout.of(self._state.game, self._state, self._surface, self._marks, room)

    def fit(self) -> None:
        """To the room that it has now."""
        self._lay_out()
        self.refresh(layout=True)
        self.call_after_refresh(self._show_cursor)

    def _show_cursor(self) -> None:
        """Where there is no room for the whole board."""
        if self._layout is not None and isinstance(self.parent, Widget):
            column, line = self.spot(self.cursor)
            around = Region(column - 2, line, 5, 1).translate(self.virtual_region.offset)
            self.parent.scroll_to_region(around, animate=False)

    @property
    def least_width(self) -> int:
        """Without which it cannot be shown; a row can be broken."""
        if self._layout is None or self._state is None:
            return 0
        return 4 * self._layout.pitch if self._state.game.height == 1 else self._layout.width

    def get_content_width(self, container: Size, viewport: Size) -> int:
        return 0 if self._layout is None else self._layout.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return 0 if self._layout is None else len(self._layout.lines)

    def render(self) -> Text:
        if self._layout is None:
            return Text()
        lines = [line.copy() for line in self._layout.lines]
        for cells, style in ((self.targets, TARGET), (self.chosen, CHOSEN)):
            for cell in cells:
                line, column = self._layout.spots[cell]
                lines[line].stylize(style, column, column + 1)
        line, column = self._layout.spots[self.cursor]
        if self.has_focus:
            style = CURSOR_IN_COLOUR if self._surface.colour else CURSOR
            lines[line].stylize(style, max(0, column - 1), column + 2)
        return Text("\n").join(lines)

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()

    def action_move(self, right: int, down: int) -> None:
        if self._state is None:
            return
        game = self._state.game
        row, column = divmod(self.cursor, game.width)
        if game.height == 1:
            self.cursor = (column + right + down * self._cells_a_line()) % game.width
        else:
            self.cursor = (row + down) % game.height * game.width + (column + right) % game.width
        self.refresh()
        self._show_cursor()

    def _cells_a_line(self) -> int:
        assert self._layout is not None
        return sum(line == 0 or line == self._layout.spots[0][0] for line, _ in self._layout.spots)

    def action_tap(self) -> None:
        self.post_message(self.Tapped(self.cursor))

    def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        if at is None or self._layout is None:
            return
        cell = self._layout.cell_at(at.y, at.x)
        if cell is not None:
            self.cursor = cell
            self.refresh()
            self.post_message(self.Tapped(cell))

    def spot(self, cell: int) -> tuple[int, int]:
        """Where that cell is drawn: column and row of the widget."""
        assert self._layout is not None
        line, column = self._layout.spots[cell]
        return column, line


class Field(Center):
    """The room that a board has."""

    def on_resize(self) -> None:
        self.query_one(Board).fit()


def _middle(game: Game) -> int:
    return game.height // 2 * game.width + game.width // 2
