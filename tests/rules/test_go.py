"""Go's rules in diagrams: docs/rules/go.md, cited as "GO 5".

A diagram is rows top to bottom separated by spaces: "." empty, "X" Black, "O" White. Its number of rows is the
board's size. The tables come first (`PLACEMENTS`, `REFUSED`, `COUNTS`), then what takes a whole game to show.
"""

from __future__ import annotations

import pickle
import random
import re
from typing import Any

import pytest

import tengen

BLACK, WHITE = 0, 1
KO_RULES = ("simple", "superko")
COLUMNS = "ABCDEFGHJKLMNOPQRST"


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


# What a placement does, under either ko rule: position, mover, move, position after it, what it captures, and
# the point that simple ko bans ("" for none).
PLACEMENTS = [
    ("GO 2: onto an empty point", "... ... ...", BLACK, "B2", "... .X. ...", "", ""),
    ("GO 5: a stone in the corner", "OX. ... ...", BLACK, "A2", ".X. X.. ...", "A3", ""),
    ("GO 5: a stone at the edge", ".OX .X. ...", BLACK, "A3", "X.X .X. ...", "B3", ""),
    ("GO 5: White captures alike", "XO. ... ...", WHITE, "A2", ".O. O.. ...", "A3", ""),
    (
        "GO 4: diagonals join nothing",
        "..... .X... XO.X. .XOX. .....",
        BLACK,
        "C3",
        "..... .X... X.XX. .XOX. .....",
        "B3",
        "",
    ),
    (
        "GO 5: a bent chain of four",
        ".XX.. XOOX. XO.X. XOX.. .X...",
        BLACK,
        "C3",
        ".XX.. X..X. X.XX. X.X.. .X...",
        "B4 C4 B3 B2",
        "",
    ),
    (
        "GO 5: two chains at once",
        "..... .X.X. XO.OX .X.X. .....",
        BLACK,
        "C3",
        "..... .X.X. X.X.X .X.X. .....",
        "B3 D3",
        "",
    ),
    (
        "GO 5: three chains at once",
        "OO.OX XXOX. ..X.. ..... .....",
        BLACK,
        "C5",
        "..X.X XX.X. ..X.. ..... .....",
        "A5 B5 D5 C4",
        "",
    ),
    (
        "GO 5: four chains at once",
        "..X.. .XOX. XO.OX .XOX. ..X..",
        BLACK,
        "C3",
        "..X.. .X.X. X.X.X .X.X. ..X..",
        "C4 B3 D3 C2",
        "",
    ),
    (
        "GO 6: no liberty, but it captures",
        ".XO.. XXO.. OOO.. ..... .....",
        WHITE,
        "A5",
        "O.O.. ..O.. OOO.. ..... .....",
        "B5 A4 B4",
        "",
    ),
    (
        "GO 6: no liberty, but it joins a chain that keeps one",
        ".XO.. X.O.. OO... ..... .....",
        BLACK,
        "A5",
        "XXO.. X.O.. OO... ..... .....",
        "",
        "",
    ),
    (
        "GO 7: ko in the middle",
        "..... ..XO. .XO.O ..XO. .....",
        BLACK,
        "D3",
        "..... ..XO. .X.XO ..XO. .....",
        "C3",
        "C3",
    ),
    (
        "GO 6, 7: ko in the corner",
        ".OX.. OX... ..... ..... .....",
        BLACK,
        "A5",
        "X.X.. OX... ..... ..... .....",
        "B5",
        "B5",
    ),
    (
        "GO 7: White takes a ko",
        "...O. ..OX. .O.XO ..OX. ...O.",
        WHITE,
        "C3",
        "...O. ..OX. .OOXO ..OX. ...O.",
        "",
        "",
    ),
    (
        "GO 7: two stones are no ko",
        "...... ...... .XXO.. XOO.O. .XXO.. ......",
        BLACK,
        "D3",
        "...... ...... .XXO.. X..XO. .XXO.. ......",
        "B3 C3",
        "",
    ),
    (
        "GO 7: with a second liberty it is no ko",
        "..... ..XO. .XO.. ..XO. .....",
        BLACK,
        "D3",
        "..... ..XO. .X.X. ..XO. .....",
        "C3",
        "",
    ),
    (
        "GO 7: joined to a chain it is no ko",
        "O.O.. XXO.. OO... ..... .....",
        BLACK,
        "B5",
        ".XO.. XXO.. OO... ..... .....",
        "A5",
        "",
    ),
]
PLACEMENTS[13] = (
    "GO 7: White takes a ko",
    "..... ..OX. .OX.X ..OX. .....",
    WHITE,
    "D3",
    "..... ..OX. .O.OX ..OX. .....",
    "C3",
    "C3",
)


@pytest.mark.parametrize("ko", KO_RULES)
@pytest.mark.parametrize(
    ("before", "mover", "move", "after", "captured", "banned"),
    [pytest.param(*row[1:], id=row[0]) for row in PLACEMENTS],
)
def test_what_a_placement_does(
    ko: str, before: str, mover: int, move: str, after: str, captured: str, banned: str
) -> None:
    state = at(before, mover, ko=ko)
    earlier = everything(state)
    placed = play(state, move)
    assert everything(state) == earlier
    assert placed.game.diagram(placed) == packed(after)
    assert list(placed.captured) == cells(placed, captured)
    assert placed.prisoners[mover] == len(captured.split()) and placed.prisoners[1 - mover] == 0
    assert placed.to_move == 1 - mover and placed.outcome is None
    assert placed.ko == (cell(placed, banned) if banned and ko == "simple" else None)
    assert (placed.ko is None) or placed.ko not in placed.legal_actions()
    empty = {point for point, code in enumerate(placed.cells()) if code == 0}
    assert set(placed.legal_actions()) - {placed.game.pass_action} <= empty - set(cells(placed, banned))


# Position, mover, move, a word of the refusal.
REFUSED = [
    ("GO 2: an occupied point", "X.. ... ...", WHITE, "A3", "already"),
    ("GO 2: one's own stone", "X.. ... ...", BLACK, "A3", "already"),
    ("GO 6: a stone in the corner", ".O. O.. ...", BLACK, "A3", "no liberty"),
    ("GO 6: White's suicide", ".X. X.. ...", WHITE, "A3", "no liberty"),
    ("GO 6: a chain", "XO... .O... O.... ..... .....", BLACK, "A4", "no liberty"),
    ("GO 6: two chains joined", "X.X.O OOO.. ..... ..... .....".replace("X.X.O", "X.XO."), BLACK, "B5", "no liberty"),
    ("GO 6: one's own last eye", ".XO.. XXO.. OOO.. ..... .....", BLACK, "A5", "no liberty"),
    ("GO 6: the first of two eyes", ".X.XO XXXXO OOOOO ..... .....", WHITE, "A5", "no liberty"),
    ("GO 6: the second of two eyes", ".X.XO XXXXO OOOOO ..... .....", WHITE, "C5", "no liberty"),
]


@pytest.mark.parametrize("ko", KO_RULES)
@pytest.mark.parametrize(
    ("before", "mover", "move", "why"), [pytest.param(*row[1:], id=row[0]) for row in REFUSED]
)
def test_what_is_refused(ko: str, before: str, mover: int, move: str, why: str) -> None:
    state = at(before, mover, ko=ko)
    earlier = everything(state)
    with pytest.raises(tengen.IllegalAction, match=why) as refusal:
        state.play(cell(state, move))
    assert is_sentence(refusal.value)
    assert everything(state) == earlier
    assert cell(state, move) not in state.legal_actions()
    assert state.why_illegal(cell(state, move)) == str(refusal.value)
