"""Boards in letters and colours. Every piece has its own letter, so that nothing depends on colours alone.

A row is drawn as Rich text. Go's stones are discs where colours and Unicode are there, else X and O. The last
move stands in brackets on boards of points; on squares its cells are underlined, and `'` follows a piece
that has moved this turn.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from rich.text import Text

from tengen import _core
from tengen.game import State
from tengen.games import kelasu
from tengen.games._grid import COLUMNS, GridGame
from tengen.games.go import star_points
from tengen.match import Marking
from tengen.terminal.screen import Screen

WOOD = "on #d8a860"
_BLUE, _ORANGE, _GREY = "bold #ffffff on #1f5fbf", "bold #000000 on #f08a24", "bold #ffffff on #707070"
_KELASU = ("bold #5fafff", "bold #ff6f61")
_TILE = "on #5f5f00"
_LAST, _LAST_ON_WOOD = "bold #ff5f5f", "bold #c00000"

Cell = tuple[str, str]  # a letter and its style


def board(state: State, screen: Screen, marking: Marking | None = None) -> list[Text]:
    """The board of a state, with the marks of an agreement if there is one."""
    if isinstance(state, _core.Go9 | _core.Go19):
        return _points(state, screen, lambda cell: _go_cell(state, screen, cell, marking), ground=WOOD)
    if isinstance(state, _core.GreatKingdom7 | _core.GreatKingdom9 | _core.GreatKingdom19):
        territory, cells = state.territory(), state.cells()
        return _points(state, screen, lambda cell: _castle(cells[cell], territory[cell], screen))
    if isinstance(state, _core.Kelasu):
        return _squares(state)
    return [Text(line) for line in state.game.text(state).split("\n")]


def _points(state: State, screen: Screen, look: Callable[[int], Cell], ground: str = "") -> list[Text]:
    game = state.game
    assert isinstance(game, GridGame)
    ground = ground if screen.colour else ""
    bracket = f"{_LAST_ON_WOOD} {ground}" if ground else _LAST
    last = game.view(state).last
    header = Text("   " + " ".join(COLUMNS[: game.size]))
    lines = [header]
    for row in range(game.size):
        number = f"{game.size - row:2}"
        line = Text(number)
        for column in range(game.size):
            cell = row * game.size + column
            after = column > 0 and cell - 1 in last
            line.append("(" if cell in last else ")" if after else " ", bracket)
            letter, style = look(cell)
            line.append(letter, f"{style} {ground}".strip() if " on " not in style else style)
        line.append(")" if row * game.size + game.size - 1 in last else " ", bracket)
        line.append(number.lstrip())
        lines.append(line)
    return [*lines, header]


def _go_cell(state: _core.Go9 | _core.Go19, screen: Screen, cell: int, marking: Marking | None) -> Cell:
    code = state.cells()[cell]
    discs = screen.colour and screen.unicode
    if code and marking is not None and cell in marking.dead:
        return "xo"[code - 1], ("#000000", "#ffffff")[code - 1]
    if code:
        letter = "●" if discs else "XO"[code - 1]
        return letter, ("#000000", "#ffffff")[code - 1] if screen.colour else ""
    if marking is not None:
        if cell in marking.neutral:
            return "?", ""
        owner = state.count(sorted(marking.dead), sorted(marking.neutral)).owner[cell]
        if owner:
            return "#~"[owner - 1], ("#000000", "#ffffff")[owner - 1] if screen.colour else ""
    star = cell in star_points(state.game.width)
    return "+" if star else "·" if discs else ".", "#6b4f1d" if screen.colour else ""


def _castle(code: int, owner: int, screen: Screen) -> Cell:
    if code:
        return "BON"[code - 1], (_BLUE, _ORANGE, _GREY)[code - 1]
    if owner:
        return "bo"[owner - 1], ("#5f9fff", "#f0a050")[owner - 1]
    return "·" if screen.colour and screen.unicode else ".", "dim"


def _squares(state: _core.Kelasu) -> list[Text]:
    cells, moved, last = state.cells(), set(state.moved), state.game.view(state).last
    chosen: Collection[int] = state.selected if state.selected_from is None else [state.selected_from]
    header = Text("    " + "  ".join(str(file) for file in range(kelasu.SIZE)))
    lines = [header]
    for rank, name in enumerate(kelasu.RANKS):
        line = Text(f" {name} ")
        for cell in range(rank * kelasu.SIZE, (rank + 1) * kelasu.SIZE):
            tile = cell in kelasu.VICTORY_TILES
            ground = f" {_TILE}" if tile else ""
            code = cells[cell]
            style = _KELASU[code > 7] if code else "dim"
            if cell in moved:
                style = style.replace("bold ", "")
            if cell in last:
                style += " underline"
            if cell in chosen:
                style += " reverse"
            line.append(":" if tile else " ", ground.strip())
            line.append(kelasu.Kelasu.letters[code], style + ground)
            line.append("'" if cell in moved else " ", ground.strip())
        line.append(f" {name}")
        lines.append(line)
    return [*lines, header]
