"""Go's search finds what a player sees: captures, ladders, nets, snapbacks, life and death, races.

A diagram is rows top to bottom separated by spaces: "." empty, "X" Black, "O" White. Komi is chosen so that
the answer decides the game. `POSITIONS` is the table; after it come proven values of tiny boards, passing and
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
    ("catch in a net", NET, BLACK, -7.5, {"D3", "D4", "E4"}),
    ("run where the ladder is broken", BROKEN_LADDER, WHITE, 12.5, {"E7"}),
]


@pytest.mark.parametrize(
    ("diagram", "to_move", "komi", "answers"), [p[1:] for p in POSITIONS], ids=[p[0] for p in POSITIONS]
)
def test_finds_the_move(diagram: str, to_move: int, komi: float, answers: set[str]) -> None:
    state = at(diagram, to_move, komi)
    assert best(state) in answers


# As above, with a komi that decides the game whatever is played there.
DECIDED = [
    ("live though the game is won", CORNER, BLACK, -58.5, {"B7"}),
    ("kill though the game is lost", BULKY_FIVE, WHITE, -16.5, {"B7"}),
    ("catch in a net though the game is lost", NET, BLACK, 12.5, {"D3", "D4", "E4"}),
]


@pytest.mark.parametrize(
    ("diagram", "to_move", "komi", "answers"), [p[1:] for p in DECIDED], ids=[p[0] for p in DECIDED]
)
def test_plays_for_points_where_the_game_is_decided(
    diagram: str, to_move: int, komi: float, answers: set[str]
) -> None:
    state = at(diagram, to_move, komi)
    assert best(state, 1000) in answers


def test_chases_in_a_ladder_more_often_than_not() -> None:
    state = at(CHASE, BLACK, 20.5)
    found = [best(state, seed=seed) for seed in range(1, 6)]
    assert sum(move in {"E6", "F5", "F6"} for move in found) >= 3


def test_does_not_run_into_a_ladder() -> None:
    state = at(LADDER, WHITE, 20.5)
    assert best(state) != "E7"


# Best results under area scoring and superko: Black +1 on 2x2; on 3x3 +9 from the centre, +3 from the side,
# -9 from the corner (van der Werf, van den Herik, Uiterwijk: Solving Go on Small Boards, 2003).
@pytest.mark.parametrize(
    ("diagram", "to_move", "komi", "proven"),
    [
        (".. ..", BLACK, 0.5, "win"),
        (".. ..", BLACK, 1.5, "loss"),
        ("... ... ...", BLACK, 8.5, "win"),
        ("... .O. ...", BLACK, -8.5, "loss"),
        (".X. ... ...", WHITE, 2.5, "loss"),
        (".X. ... ...", WHITE, 3.5, "win"),
        ("X.. ... ...", WHITE, -8.5, "win"),
    ],
)
def test_proven_results_are_the_known_values(diagram: str, to_move: int, komi: float, proven: str) -> None:
    assert searched(at(diagram, to_move, komi), visits=400_000).proven == proven


@pytest.mark.parametrize("ko", ["simple", "superko"])
@pytest.mark.parametrize("komi", [-9.5, -4.5, -0.5, 0.5, 4.5, 8.5])
def test_nothing_false_is_proven_on_3x3(komi: float, ko: str) -> None:
    state = at("... ... ...", BLACK, komi, ko=ko)
    assert searched(state, visits=20_000).proven in (None, "win")


# Black has 15 points on the board, White 10; nothing is left to play.
FINISHED = ".XO.O .XOO. XXXOO .X.XO X.XXO"
# A dead white stone in Black's area: as the board stands, White would win by half a point.
UNFINISHED = ".XO.O .XOO. XXXOO OX.XO ..XXO"
PASS = 25


def test_answers_a_pass_with_a_pass_when_that_wins() -> None:
    state = at(FINISHED, WHITE, 0.5).play(PASS)
    report = searched(state, visits=500)
    assert report.actions[0].action == PASS
    assert report.proven == "win"


@pytest.mark.parametrize("scoring", ["area", "territory"])
def test_passes_when_nothing_is_left(scoring: str) -> None:
    assert best(at(FINISHED, BLACK, -3.5, scoring), visits=500) == "pass"


def test_takes_dead_stones_off_before_passing() -> None:
    state = at(UNFINISHED, WHITE, 4.5).play(PASS)
    moves = 0
    while state.outcome is None:
        action = searched(state, visits=500, seed=moves).actions[0].action if state.to_move == BLACK else PASS
        state = state.play(action)
        moves += 1
        assert moves < 20
    assert state.outcome.winner == BLACK


def test_territory_is_what_playouts_make_of_it_after_two_passes() -> None:
    state = at(UNFINISHED, BLACK, 0.5, "territory")
    report = searched(state, visits=1000)
    stone = 15
    assert report.ownership is not None
    assert report.ownership[stone] > 0.8
    assert report.lead > 3


@pytest.mark.parametrize("light", [False, True])
def test_the_same_seed_makes_the_same_tree(light: bool) -> None:
    state = tengen.game("go", size=9, scoring="area", komi=7.5).start()
    one, two, other = (searched(state, 1500, seed=seed, light_playouts=light) for seed in (5, 5, 6))
    assert one == two
    assert one != other


@pytest.mark.parametrize("size", [5, 7, 13, 19])
@pytest.mark.parametrize("scoring", ["area", "territory"])
def test_searches_boards_of_any_size(size: int, scoring: str) -> None:
    state = tengen.game("go", size=size, scoring=scoring).start()
    report = searched(state, visits=300)
    assert report.visits == 300
    assert report.ownership is not None
    assert len(report.ownership) == size * size
    assert all(-1 <= share <= 1 for share in report.ownership)
    assert report.actions[0].action != state.game.action_count - 1


def test_opens_in_the_centre_of_5x5() -> None:
    assert best(at("..... ..... ..... ..... .....", BLACK, 8.5), visits=4000) == "C3"
