"""How a game is written, drawn and described that says nothing of it itself: the defaults of `Game`.

An action is written by `Game.action_name`; the actions of a move, or of a turn, are joined by `-`, which a
name may hold too: `A2-A3` is one action where that is an action's name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tengen._core import IllegalAction
from tengen.facets.errors import NotationError
from tengen.facets.table import PASS_WORDS

if TYPE_CHECKING:
    from tengen.game import Game, State

_BETWEEN = re.compile(r"[\s,;]+")
_JOINED = re.compile(r"\s*-\s*")


def action_name(game: Game, action: int) -> str:
    """A cell's name where actions are cells, `pass` for the pass, else a number from 1 on."""
    if action == game.table.pass_action:
        return "pass"
    cells = game.width * game.height
    if (game.look.hand == "place" or game.has_stages) and 0 <= action < cells <= game.action_count:
        return game.look.cell_name(action)
    return str(action + 1)


def parse(game: Game, state: State, text: str) -> list[int]:
    """The actions of a move, each played before the next is read, since it may decide what follows."""
    words = _BETWEEN.split(_JOINED.sub("-", text).strip(" \t\r\n,;"))
    if text.strip().lower() in PASS_WORDS and game.table.passes:
        words = ["pass"]
    actions = []
    for word in words:
        rest = word.strip("-").split("-")
        while rest:
            action, taken = _first_named(game, state, rest)
            state, rest = state.play(action), rest[taken:]
            actions.append(action)
    return actions


def _first_named(game: Game, state: State, parts: Sequence[str]) -> tuple[int, int]:
    """The action that the parts begin with and how many of them name it: most, as a name may hold a `-`."""
    names: dict[str, int] = {}
    for action in (*state.legal_actions(), *range(game.action_count)):
        names.setdefault(game.action_name(action).upper(), action)
    for taken in range(len(parts), 0, -1):
        if (action := names.get("-".join(parts[:taken]).upper())) is not None:
            return action, taken
    word = parts[0] if len(parts) > 1 and parts[0].upper() in names else "-".join(parts)
    if word.isascii() and word.isdigit() and _example(game).isdigit():
        raise IllegalAction(f"There is no move {word[:20]}.")
    raise NotationError(f"{word!r} is not a move such as {_example(game)}.")


def _example(game: Game) -> str:
    return game.action_name(game.start().legal_actions()[0])


def format_actions(game: Game, state: State, actions: Sequence[int]) -> str:
    if not actions:
        raise ValueError("There is no action to write down.")
    mover = state.to_move
    for action in actions:
        if state.to_move != mover:
            raise ValueError("Those actions go on after the end of the turn.")
        state = state.play(action)
    return "-".join(game.action_name(action) for action in actions)


def draw(game: Game, state: State) -> str:
    """The letters of the board with the names of rows and columns around it."""
    cells, names = state.cells(), [str(name) for name in game.look.column_names]
    wide = max(len(name) for name in names)
    margin = len(str(game.height)) if game.height > 1 else 0
    header = " " * (margin + 1) + " ".join(name.rjust(wide) for name in names)
    lines = [header]
    for row in range(game.height):
        here = cells[row * game.width : (row + 1) * game.width]
        letters = " ".join(game.letters[code].rjust(wide) for code in here)
        number = str(game.height - row).rjust(margin) if margin else ""
        lines.append(f"{number} {letters} {number.strip()}".rstrip())
    return "\n".join([*lines, header] if game.height > 1 else lines)


def spot(game: Game, cell: int) -> tuple[int, int]:
    """The line and the column of `draw` where that cell stands."""
    wide = max(len(str(name)) for name in game.look.column_names)
    margin = len(str(game.height)) if game.height > 1 else 0
    row, column = divmod(cell, game.width)
    return 1 + row, margin + 1 + column * (wide + 1) + wide - 1


def last_cells(game: Game, state: State) -> tuple[int, ...]:
    """The cells that the last action touched, as far as that can be told without playing it again."""
    if (seen := getattr(state, "last_cells", None)) is not None:
        return tuple(seen)
    cells = game.width * game.height
    placed = state.actions and game.look.hand == "place" and state.actions[-1] < cells
    return (state.actions[-1],) if placed else ()
