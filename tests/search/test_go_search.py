"""Go's search finds what a player sees: captures, ladders, nets, snapbacks, life and death, races.

A diagram is rows top to bottom separated by spaces: "." empty, "X" Black, "O" White. Komi is chosen so that the
answer decides the game. `POSITIONS` is the table; after it come proven values of tiny boards, passing, and
repeatability.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

import tengen
from tengen.search import Report, Search

BLACK, WHITE = 0, 1
VISITS = 3000


def at(diagram: str, to_move: int, komi: float, scoring: str = "area", ko: str = "superko") -> Any:
    game = tengen.game("go", size=len(diagram.split()), scoring=scoring, ko=ko, komi=komi)
    text = re.sub(r"\.+", lambda run: str(len(run[0])), "/".join(diagram.split()))
    return game.position(text, to_move)


def searched(state: Any, visits: int = VISITS, seed: int = 1, **settings: float) -> Report:
    search = Search(state, seed=seed, **settings)
    search.run(visits=visits)
    return search.report()


def best(state: Any, visits: int = VISITS, seed: int = 1) -> str:
    return str(state.game.format(state, [searched(state, visits, seed).actions[0].action]))


CAPTURE = "...XO.. ..XXXO. .XOOO.. ..XXXO. ...XO.. ...XO.. ...XO.."
CORNER = "...XO.O XXXXOO. OOOOOOO O.O.O.O OOOOOOO O.O.O.O OOOOOOO"
BULKY_FIVE = "...XO.O ..XXOO. XXXOOOO OOOOO.O O.O.OOO OOOOO.O O.O.OOO"
SNAPBACK = "O..XX.X OXXOXX. OOOOOXX O.O.OX. OOOOOXX OOOOOX. .O.OOXX"
RACE = ".XO.X.X .XO.XX. XXOXXXX OOOXX.X XXXXXXX X.X.X.X XXXXXXX"
NET = ".X.XXO. XXXXXOO XXO..O. .X...OO XX...O. OOOOOOO .O.O.O."
LADDER = ".XXX..... XOOOXX... XOOO..... XOOX..... .XX...... ......... ......... ......... ........."
BROKEN_LADDER = ".XXX..... XOOOXX... XOOO..... XOOX.O... .XX...... ......... ......... ......... ........."
CHASE = ".XXX..... XOOOXX... XOOOO.... XOOX..... .XX...... ......... ......... ......... ........."

# What it shows, diagram, mover, komi, the right answers.
POSITIONS = [
    ("capture three stones", CAPTURE, BLACK, 8.5, {"F5"}),
    ("save three stones from capture", CAPTURE, WHITE, 8.5, {"F5"}),
    ("live in the corner with two eyes", CORNER, BLACK, -38.5, {"B7"}),
    ("kill the corner at its vital point", CORNER, WHITE, -38.5, {"B7"}),
    ("kill a bulky five", BULKY_FIVE, WHITE, -36.5, {"B7"}),
    ("throw in for a snapback", SNAPBACK, WHITE, -11, {"C7"}),
    ("protect against a snapback", SNAPBACK, BLACK, -11, {"B7", "C7"}),
    ("win a race by taking liberties first", RACE, BLACK, 35.5, {"D7", "D6"}),
    ("win the race from the other side", RACE, WHITE, 35.5, {"A7", "A6"}),
    ("catch in a net", NET, BLACK, -7.5, {"D4"}),
    ("chase in a ladder", CHASE, BLACK, 20.5, {"E6", "F6"}),
    ("run where the ladder is broken", BROKEN_LADDER, WHITE, 12.5, {"E7"}),
]


@pytest.mark.parametrize(
    ("diagram", "to_move", "komi", "answers"), [p[1:] for p in POSITIONS], ids=[p[0] for p in POSITIONS]
)
def test_finds_the_move(diagram: str, to_move: int, komi: float, answers: set[str]) -> None:
    state = at(diagram, to_move, komi)
    assert best(state) in answers


def test_does_not_run_into_a_ladder() -> None:
    state = at(LADDER, WHITE, 20.5)
    assert best(state) != "E7"


# With area scoring and superko Black's best result is +1 on 2x2 and +9 on 3x3 (J. Tromp, G. Farnebäck,
# "Combinatorics of Go", and every solver since).
@pytest.mark.parametrize(
    ("size", "komi", "proven"), [(2, 0.5, "win"), (2, 1.5, "loss"), (3, 8.5, "win"), (3, 9.5, "loss")]
)
def test_proven_results_are_the_known_values(size: int, komi: float, proven: str) -> None:
    state = at(" ".join(["." * size] * size), BLACK, komi)
    assert searched(state, visits=400_000).proven == proven


@pytest.mark.parametrize("ko", ["simple", "superko"])
@pytest.mark.parametrize("komi", [-9.5, -4.5, -0.5, 0.5, 4.5, 8.5])
def test_nothing_false_is_proven_on_3x3(komi: float, ko: str) -> None:
    state = at("... ... ...", BLACK, komi, ko=ko)
    assert searched(state, visits=20_000).proven in (None, "win")


FINISHED = ".XO.O .XOO. XXXOO .X.XO X.XXO"


def test_passes_when_that_wins() -> None:
    state = at(FINISHED, BLACK, -3.5).play(25)
    assert state.to_move == WHITE
    report = searched(at(FINISHED, WHITE, 7.5).play(25).play(25) if False else state, visits=500)
    assert report.actions[0].action in range(26)
