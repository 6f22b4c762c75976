"""How games of Go end: what is dead, what is seki, and when machines pass. Diagrams are 9x9."""

from __future__ import annotations

import pytest

import tengen
from tengen.brains.strongest import strongest_search
from tengen.game import State, cells_to_text
from tengen.games.go.estimate import estimate_dead
from tengen.games.go.judgement import SMALL, judged
from tengen.players.levels import level_player
from tengen.search import level
from tengen.search.mcts import Search

PASS = 81
FIELD = " ..OX....." * 6  # White's left, Black's right; the top three rows are the position


def at(diagram: str, to_move: int = 0, **options: float | str) -> State:
    cells = bytes(".XO".index(letter) for letter in diagram.replace(" ", ""))
    size = round(len(cells) ** 0.5)
    game = tengen.game("go", size=size, **options)
    return game.position(cells_to_text(cells, game.letters, size), to_move)


def stopped(state: State) -> State:
    return state.play(PASS).play(PASS)


def names(state: State, cells: tuple[int, ...]) -> set[str]:
    return {state.game.format(at("." * len(state.cells())), [cell]) for cell in cells}


# What it shows, the diagram, the dead, the stones in seki.
ENDS = [
    ("an invader without room", "..XO..... " * 4 + "O.XO..... " + "..XO..... " * 4, "A5", ""),
    ("a seki with an eye each", ".X.O.OX.. XXXOOOX.. OOOXXXX.." + FIELD, "", "B9 D9 F9 A8 B8 C8 D8 E8 F8"),
    ("a seki without eyes",
     ".XXX.OX.. OOOOOOX.. XXXXXXX.. ......... XXXXXXXXX OOOOOOOOO ......... ......... .........", "",
     "B9 C9 D9 F9 A8 B8 C8 D8 E8 F8"),
    ("a seki between walls with room behind them",
     "OX.OX.... OX.OX.... OXXOX.... OOOXX.... " + "..OX..... " * 5, "", "B9 B8 B7 C7 D9 D8 D7"),
    ("a seki with four liberties",
     "OX.OX.... " * 4 + "OXXOX.... OOOXX.... " + "..OX..... " * 3, "",
     "B9 B8 B7 B6 B5 C5 D9 D8 D7 D6 D5"),
    ("an eye against none is no seki",
     ".X.OX.... XX.OX.... OXXOX.... OOOXX.... " + "..OX..... " * 5, "D9 D8 D7", ""),
    ("strays in a large territory",
     "XX.X...X. OXX..X..X OOOXXOXXX ...OOOOOO .OO.X.... ..O.OO... ......... X.X...... ....X....",
     "A2 C2 E1 E5", ""),
    ("a stray in the corner",
     "OOOOOOOO. OXXO.OXOX OXOOOXXOO XXXXOXOXO X...XX.XX ...X...X. ..O...... X......OX ....XO..O",
     "J8 G6 C3 H2 F1 J1", ""),
    ("a stone among its own, beside dead ones",
     "XO..O.X.. XOOOOOOOO XOXXOXXOO XX..X..XO ..X..X.XX OO.....XO .O....... ...X..... .XO...X..",
     "G9 A4 B4 B3 J4 C1", ""),
    ("bent four in the corner",
     ".....XO.. .....XO.. .....XO.. XXXXXXO.. OOOOOOO.. OOO...... XXOOOO... .XXXXO... OOO.XO...",
     "A3 B3 B2 C2 D2 E2 E1", ""),
]  # fmt: skip


@pytest.mark.parametrize(("diagram", "dead", "seki"), [end[1:] for end in ENDS])
def test_dead_and_seki(diagram: str, dead: str, seki: str) -> None:
    state = stopped(at(diagram))
    found = estimate_dead(state)
    assert names(state, found.dead) == set(dead.split())
    assert names(state, found.seki) == set(seki.split())


WALLS = "...XO.... " * 9


@pytest.mark.parametrize("number", [1, 3, 7, 10])
@pytest.mark.parametrize("to_move", [0, 1])
def test_every_level_passes_when_nothing_is_left(number: int, to_move: int) -> None:
    state = at(WALLS, 1 - to_move)
    state = state.play(PASS)
    player = level_player(level("go", number), state.game)
    assert player.choose(state) == [PASS]


@pytest.mark.parametrize(("komi", "to_move"), [(-9.5, 0), (-9.5, 1), (-8.5, 0), (-8.5, 1)])
def test_half_a_point_is_not_thrown_away(komi: float, to_move: int) -> None:
    """White has nine points more; nobody passed yet, and a move inside would cost the point."""
    state = at(WALLS, to_move, komi=komi)
    search = Search(state)
    search.run(visits=200)
    best = search.report().actions[0]
    assert best.action == PASS
    assert (best.win > 0.5) == ((komi == -9.5) == (to_move == 0))
    assert abs(best.lead) == pytest.approx(0.5, abs=0.01)


def test_a_search_with_time_to_look_finds_nothing_better_than_the_end() -> None:
    state = at("..XO..OX. " * 9, 0, komi=2.5)
    search = strongest_search(state)
    search.run(visits=200)
    found = search.report()
    assert search.by == "brain" and found.visits > 100, "it has looked"
    assert found.actions[0].action == PASS
    assert found.actions[0].lead == 27 - 18 - 2.5 and found.win > 0.9, "the count itself"


def test_a_dame_is_filled_before_the_first_pass_and_not_after_it() -> None:
    """D5 is nobody's point: it costs nothing, and people play it before they stop."""
    state = at("..XO..OX. " * 4 + "..X.O.OX. " + "..XO..OX. " * 4, 0, komi=2.5)
    for before, wanted in ((state, "D5"), (at_after_pass(state), "pass")):
        search = strongest_search(before)
        search.run(visits=300)
        assert before.game.format(before, [search.report().actions[0].action]) == wanted


def at_after_pass(state: State) -> State:
    """The same position, to which the opponent has passed."""
    return state.play(PASS).play(PASS).resume(1).play(PASS)


def test_an_open_border_is_played() -> None:
    """One point of the wall is missing: whoever comes first gains, so the game is not over."""
    state = at("...XO.... " * 4 + "......... " + "...XO.... " * 4, 0)
    state = state.play(PASS)
    search = Search(state)
    search.run(visits=400)
    assert search.report().actions[0].action != PASS


def test_own_territory_is_left_out_of_the_search_while_play_goes_on() -> None:
    """A5 to C5 decide whether White's wall lives; H1, far in White's own corner, is not looked at."""
    state = at("...XO.... " * 4 + "...X..... " + "...XO.... " * 4, 1)
    search = Search(state)
    search.run(visits=300)
    tried = {state.game.format(state, [found.action]) for found in search.report().actions}
    assert "E5" in tried
    assert state.game.format(state, [search.report().actions[0].action]) == "E5"


def test_under_area_scoring_a_dame_is_filled() -> None:
    state = at("...X.O... " * 4 + "...XXO... " + "...X.O... " * 4, 0, scoring="area", komi=0.5)
    state = state.play(PASS)
    search = Search(state)
    search.run(visits=400)
    assert search.report().actions[0].action != PASS


# Black is behind by 12.5 points, and no stone is dead.
LOST = "...XOO... ..XXXO.O. ..XOOOO.. ..XOOXXOO XXXXXXXXO XOXXXXOXX OOOOXOOOX ...OOOXXX .....OOOX"


@pytest.mark.parametrize("number", [1, 5, 8])
def test_under_area_scoring_a_lost_game_is_ended_too(number: int) -> None:
    state = at(LOST, 1, scoring="area", komi=7.5).play(PASS)
    assert level_player(level("go", number), state.game).choose(state) == [PASS]


def test_under_area_scoring_dead_stones_that_decide_are_taken_first() -> None:
    """With A5 on the board White has a point more, without it Black has."""
    state = at("..XO..... " * 4 + "O.XO..... " + "..XO..... " * 4, 1, scoring="area", komi=-27.5)
    state = state.play(PASS)
    assert state.play(PASS).outcome.winner == 1  # type: ignore[union-attr]
    while state.cells()[36]:
        search = Search(state)
        search.run(visits=100)
        action = search.report().actions[0].action
        assert action != PASS and action % 9 < 2  # beside it, and nowhere else
        state = state.play(action).play(PASS)
    assert level_player(level("go", 1), state.game).choose(state) == [PASS]


STRAY = "..XO..... " * 4 + "O.XO..... " + "..XO..... " * 4  # A5 is dead


@pytest.mark.parametrize("number", [1, 5, 10])
@pytest.mark.parametrize("komi", [-27.5, 7.5])
def test_where_dead_stones_are_agreed_on_they_are_left_alone_under_area_scoring_too(
    number: int, komi: float
) -> None:
    state = at(STRAY, 1, scoring="area", dead="agreed", komi=komi).play(PASS)
    player = level_player(level("go", number), state.game)
    assert player.choose(state) == [PASS]


def test_before_anybody_has_passed_the_end_is_seen_under_an_agreement_by_area() -> None:
    state = at("..XO..OX. " * 9, 0, scoring="area", dead="agreed", komi=2.5)
    search = strongest_search(state)
    search.run(visits=200)
    best = search.report().actions[0]
    assert best.action == PASS
    assert best.lead == 45 - 36 - 2.5, "the count itself"


@pytest.mark.parametrize("win", [0.02, 0.2, 0.45, 0.55, 0.8, 0.98])
@pytest.mark.parametrize("lead", [-20.0, -3.0, 0.0, 3.0, 20.0])
@pytest.mark.parametrize("empty", [1, 30, 361])
def test_win_rate_and_lead_say_the_same_side(win: float, lead: float, empty: int) -> None:
    told, points = judged(empty, win, lead, SMALL)
    assert (told - 0.5) * points > 0
    assert abs(points) >= min(abs(lead), abs(judged(empty, win, 0.0, SMALL)[1])) - 1e-9


def test_a_lead_that_contradicts_the_win_rate_says_nothing() -> None:
    assert judged(49, 0.2, 5.0, SMALL) == judged(49, 0.2, 0.0, SMALL)
