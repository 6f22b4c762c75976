"""Whether a game fits a full screen here. Nothing of the toolkit is imported to find out."""

from __future__ import annotations

import importlib.util
import os
import sys

from tengen.game import Game
from tengen.terminal.full.layout import Layout
from tengen.terminal.screen import Screen

SIDE = 30  # columns beside the board
BELOW = 2  # rows under it
LEAST = (60, 20)  # columns and rows below which lines are better


def fits(game: Game, screen: Screen) -> bool:
    """Whether the terminal can show the whole of that board, with what belongs beside it."""
    size = _size(screen)
    if size is None or importlib.util.find_spec("textual") is None:
        return False
    columns, rows = size
    if columns < LEAST[0] or rows < LEAST[1] or game.width * game.height > columns * rows:
        return False
    layout = Layout.of(game, game.start(), screen, None, columns - SIDE)
    return layout.width <= columns - SIDE and len(layout.lines) <= rows - BELOW


def _size(screen: Screen) -> tuple[int, int] | None:
    """Of a terminal with a cursor, whose keys come one by one. The toolkit writes to stderr."""
    if not (screen.typed and screen.live and screen.unicode and sys.stdout.isatty() and sys.stderr.isatty()):
        return None
    try:
        size = os.get_terminal_size(sys.stdout.fileno())
    except (OSError, ValueError):
        return None
    return size.columns, size.lines
