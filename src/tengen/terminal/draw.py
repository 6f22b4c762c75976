"""Boards as Rich text, in the letters and colours that the game's `Look` gives them."""

from __future__ import annotations

from rich.text import Text

from tengen.facets.look import Marks
from tengen.game import State
from tengen.terminal.screen import Screen


def board(state: State, screen: Screen, marking: Marks | None = None) -> list[Text]:
    """The board of a state, with the marks of an agreement if there is one."""
    return [Text.assemble(*row) for row in state.game.look.rows(state, screen, marking)]
