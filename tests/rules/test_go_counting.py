"""Counting a game of Go: docs/rules/go.md, cited as "GO 11". The table is `COUNTS`."""

from __future__ import annotations

import random
from typing import Any

import pytest

import tengen
from tests.rules.go_diagrams import BLACK, INVADED, KOMI, WALLS, WHITE, at, cells, play

# Counting. The position, a stone of each dead chain, the neutral points, who then owns what under territory
# scoring, and the numbers: territory, dead stones, area points.

SEKI = (  # the three black stones and the six white ones share A9 and E9; whoever plays there is lost
    ".XXX.OX.. OOOOOOX.. XXXXXXX.. ......... XXXXXXXXX OOOOOOOOO ......... ......... ........."
)
SEKI_WITH_EYES = (  # each side has an eye, A9 and E9; neither can play the shared C9
    ".X.O.OX.. XXXOOOX.. OOOXXXX.. ..OX..... ..OX..... ..OX..... ..OX..... ..OX..... ..OX....."
)
COUNTS = [
    ("GO 11: the empty board", "... ... ...", "", "", "... ... ...", (0, 0), (0, 0), (0, 0)),
    ("GO 11: a single stone", "... .X. ...", "", "", "XXX XXX XXX", (8, 0), (0, 0), (9, 0)),
    ("GO 12, 13: two walls", WALLS, "", "", "XXOOO " * 5, (5, 10), (0, 0), (10, 15)),
    ("GO 11: dame", ".X.O. " * 5, "", "", "XX.OO " * 5, (5, 5), (0, 0), (10, 10)),
    (
        "GO 11: a hole in the wall",
        ".XO.. .X... .XO.. .XO.. .XO..",
        "",
        "",
        "XXO.. XX... XXO.. XXO.. XXO..",
        (5, 0),
        (0, 0),
        (10, 4),
    ),
    (
        "GO 11: nobody said it is dead",
        INVADED,
        "",
        "",
        "XXO.. XXO.. XXOX. XXO.. XXO..",
        (5, 0),
        (0, 0),
        (11, 5),
    ),
    ("GO 12, 17: a dead stone", INVADED, "D3", "", "XXOOO " * 5, (5, 10), (1, 0), (10, 15)),
    ("GO 17: named twice", INVADED, "D3 D3", "", "XXOOO " * 5, (5, 10), (1, 0), (10, 15)),
    (
        "GO 17: a dead chain by one of its stones",
        ".XO.. .XOX. .XOX. .XOXX .XO..",
        "E2",
        "",
        "XXOOO " * 5,
        (5, 10),
        (4, 0),
        (10, 15),
    ),
    (
        "GO 17: dead stones of both",
        "OXO.. .XO.. .XOX. .XO.. OXO.X",
        "A5 A1 D3 E1",
        "",
        "XXOOO " * 5,
        (5, 10),
        (2, 2),
        (10, 15),
    ),
    ("GO 17: a dead wall", WALLS, "C1", "", "XXXXX " * 5, (20, 0), (0, 5), (25, 0)),
    ("GO 17: everything is dead", WALLS, "B1 C1", "", "..... " * 5, (0, 0), (5, 5), (0, 0)),
    (
        "GO 11, 15: neutral where a dead stone was, and beside",
        INVADED,
        "D3",
        "D3 E5",
        "XXOO. XXOOO XXO.O XXOOO XXOOO",
        (5, 8),
        (1, 0),
        (10, 15),
    ),
    (
        "GO 22: seki without eyes needs no mark",
        SEKI,
        "",
        "",
        ".XXX.OXXX OOOOOOXXX XXXXXXXXX XXXXXXXXX XXXXXXXXX OOOOOOOOO OOOOOOOOO OOOOOOOOO OOOOOOOOO",
        (15, 27),
        (0, 0),
        (36, 43),
    ),
    (
        "GO 22: seki with eyes, unmarked",
        SEKI_WITH_EYES,
        "",
        "",
        "XX.OOOXXX XXXOOOXXX OOOXXXXXX" + " OOOXXXXXX" * 6,
        (37, 13),
        (0, 0),
        (53, 27),
    ),
    (
        "GO 22: seki with eyes, marked neutral",
        SEKI_WITH_EYES,
        "",
        "A9 E9",
        ".X.O.OXXX XXXOOOXXX OOOXXXXXX" + " OOOXXXXXX" * 6,
        (36, 12),
        (0, 0),
        (53, 27),
    ),
]


@pytest.mark.parametrize(
    ("diagram", "dead", "neutral", "owners", "territory", "lifted", "area"),
    [pytest.param(*row[1:], id=row[0]) for row in COUNTS],
)
def test_counting(
    diagram: str,
    dead: str,
    neutral: str,
    owners: str,
    territory: tuple[int, int],
    lifted: tuple[int, int],
    area: tuple[int, int],
) -> None:
    state = at(diagram)
    marks = {"dead": cells(state, dead), "neutral": cells(state, neutral)}
    sheet = state.count(**marks)
    stones = tuple(diagram.count(letter) - lost for letter, lost in zip("XO", lifted, strict=True))
    assert "".join(".XO"[code] for code in sheet.owner) == "".join(owners.split())
    assert (sheet.territory, sheet.dead, sheet.stones, sheet.lost) == (territory, lifted, stones, (0, 0))
    assert sheet.points == (territory[0] - lifted[0], territory[1] - lifted[1] + KOMI)
    assert state.score(**marks) == sheet.points
    # Adding the opponent's lost stones instead gives the same difference (GO 12).
    assert sheet.points[0] + sum(lifted) == territory[0] + lifted[1]
    assert sheet.points[1] + sum(lifted) == territory[1] + lifted[0] + KOMI

    by_area = at(diagram, scoring="area").count(**marks)
    assert by_area.points == (area[0], area[1] + KOMI)
    assert (by_area.dead, by_area.stones) == (lifted, stones)
    assert not neutral or by_area.points == at(diagram, scoring="area").score(marks["dead"])


def test_stones_captured_in_play_are_lost() -> None:
    """GO 12: a snapback costs White three stones and Black one; the sheet and the prisoners agree."""
    state = play(at("..X.. OOX.. XX... ..... ....."), "A5 B5 A5 E1")
    sheet = state.count()
    assert state.prisoners == (3, 1) and sheet.lost == (1, 3)
    assert sheet.territory == (3, 0) and sheet.points == (3 - 1, 0 - 3 + KOMI)
    sheet = state.count(dead=cells(state, "E1"))
    assert sheet.dead == (0, 1) and sheet.points == (20 - 1, 0 - 3 - 1 + KOMI)


@pytest.mark.parametrize("seed", range(6))
def test_both_ways_of_counting_and_both_scorings_agree(seed: int) -> None:
    """GO 12, and the first strategy fact: area = territory + stones placed, whatever happened."""
    rng = random.Random(seed)
    options: dict[str, Any] = {"size": 7, "komi": 0, "handicap": seed if 2 <= seed <= 4 else 0}
    state: Any = tengen.game("go", **options).start()
    by_area: Any = tengen.game("go", scoring="area", **options).start()
    placed = [options["handicap"], 0]
    for _ in range(200):
        action = rng.choice(state.legal_actions())
        placed[state.to_move] += action != state.game.pass_action
        following = state.play(action)
        if following.outcome:
            break
        state, by_area = following, by_area.play(action)
        sheet = state.count()
        assert sheet.lost == state.prisoners[::-1]
        taken = sum(sheet.lost)
        for seat in (BLACK, WHITE):
            assert sheet.points[seat] + taken == sheet.territory[seat] + state.prisoners[seat]
            assert by_area.score()[seat] == sheet.points[seat] + placed[seat]


@pytest.mark.parametrize("scoring", ["territory", "area"])
@pytest.mark.parametrize(
    ("komi", "winner"), [(0.5, WHITE), (0, None), (-0.5, BLACK), (1, WHITE), (-1, BLACK)]
)
def test_komi_and_the_winner(scoring: str, komi: float, winner: int | None) -> None:
    """GO 14, on a board that is split evenly."""
    state = at(".X.O. " * 5, scoring=scoring, komi=komi)
    points = 5 if scoring == "territory" else 10
    assert play(state, "pass pass").outcome == (winner, "score", (points, points + komi))
