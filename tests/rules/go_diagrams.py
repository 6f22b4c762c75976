"""Diagrams of Go for the tests of its rules.

A diagram is rows top to bottom separated by spaces: "." empty, "X" Black, "O" White. Its number of rows is
the board's size.
"""

from __future__ import annotations

import pickle
import re
from typing import Any

import tengen

BLACK, WHITE = 0, 1
KO_RULES = ("simple", "superko")
COLUMNS = "ABCDEFGHJKLMNOPQRST"
KOMI = 6.5

KO = "..... ..XO. .XO.O ..XO. ....."  # Black takes with D3, White retakes with C3
WALLS = ".XO.. .XO.. .XO.. .XO.. .XO.."
INVADED = ".XO.. .XO.. .XOX. .XO.. .XO.."


def packed(diagram: str) -> str:
    """The diagram as `Game.position` reads it."""
    return re.sub(r"\.+", lambda run: str(len(run[0])), "/".join(diagram.split()))


def at(diagram: str, to_move: int = BLACK, **options: Any) -> Any:
    game = tengen.game("go", size=len(diagram.split()), **options)
    return game.position(packed(diagram), to_move)


def play(state: Any, moves: str) -> Any:
    for move in moves.split():
        (action,) = state.game.parse(state, move)
        state = state.play(action)
    return state


def cell(state: Any, name: str) -> int:
    size: int = state.game.size
    return (size - int(name[1:])) * size + COLUMNS.index(name[0])


def cells(state: Any, names: str) -> list[int]:
    return [cell(state, name) for name in names.split()]


def is_sentence(error: BaseException) -> bool:
    text = str(error)
    return len(text) > 10 and text[0] != " " and text[-1] == "." and "\n" not in text


def everything(state: Any) -> tuple[Any, ...]:
    """All that a refused action might have changed."""
    board = (state.cells(), state.legal_actions(), state.liberties(), state.ko, state.captured)
    phase = (state.to_move, state.passes, state.prisoners, state.outcome, state.actions)
    return (*board, *phase, hash(state), pickle.dumps(state))
