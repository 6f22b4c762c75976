"""The rows under "Tests that must hold" in docs/rules, checked against the reference itself.

The differential tests then carry these rules over to the engine.
"""

import pytest

from . import DominionDuel, Go, GreatKingdom, Kelasu
from .go import handicap_points
from .text import unpack

COLUMNS = "ABCDEFGHJKLMNOPQRST"


def point(name: str, size: int) -> int:
    return (size - int(name[1:])) * size + COLUMNS.index(name[0])


# Great Kingdom: row number, position, moves ("O:" starts Orange, "pp" two passes), winner, reason, score.
CASTLES = [
    (1, "OB7/9/9/9/4N4/9/9/9/8O", "A8", (0, "capture", None)),
    (2, "2BOOB3/3B5/9/9/4N4/9/9/9/9", "E8", (0, "capture", None)),
    (3, "9/9/9/3B5/2BON4/9/9/9/9", "D4", (0, "capture", None)),
    (4, "1B7/BOB6/2O6/9/4N4/9/9/9/9", "B7", (0, "capture", None)),
    (5, "9/2B6/1BO6/9/4N4/9/9/9/9", "C6", None),
    (6, "1O7/O8/9/9/4N4/9/9/9/9", "A9", (1, "suicide", None)),
    (7, "OBO6/O1O6/1O7/9/4N4/9/9/9/9", "B8", (1, "suicide", None)),
    (8, "6BO1/6BOB/7BO/9/4N4/9/9/9/9", "J9", (0, "capture", None)),
    (9, "6OB1/6OBO/7OB/9/4N4/9/9/9/9", "O: J9", (1, "capture", None)),
    (10, "1OB6/OOB6/BB7/9/4N4/9/9/9/9", "A9", (0, "capture", None)),
    (12, "9/9/9/9/4N4/9/9/9/9", "pp", (1, "territory", (0, 0))),
    (13, "9/9/9/9/4N4/9/9/9/9", "pass A9 pass", None),
    (13, "9/9/9/9/4N4/9/9/9/9", "pass A9 pp", (1, "territory", (0, 0))),
    (14, "2B6/BB7/9/9/4N4/9/9/9/8O", "pp", (1, "territory", (2, 0))),
    (15, "3B5/BBB6/9/9/4N4/9/9/9/8O", "pp", (0, "territory", (3, 0))),
    (16, "4B4/BBBB5/9/9/4N4/9/9/7OO/6O2", "pp", (1, "territory", (4, 2))),
    (16, "5B3/BBBBB4/9/9/4N4/9/9/7OO/6O2", "pp", (0, "territory", (5, 2))),
    (17, "9/9/4B4/3B1B3/2B1N1B2/3B1B3/4B4/9/8O", "pp", (0, "territory", (4, 0))),
    (18, "/".join(["2B6"] * 4 + ["2B1N4"] + ["2B6"] * 3 + ["2B5O"]), "pp", (0, "territory", (18, 0))),
    (19, "6BO1/7BO/8B/9/4N4/9/9/9/9", "pp", (1, "territory", (0, 1))),
    (20, "O2B5/BBB6/9/9/4N4/9/9/9/9", "pp", (1, "territory", (0, 0))),
    (21, "BBBBBBBBB/9/9/9/4N4/9/9/9/9", "pp", (0, "territory", (71, 0))),
]


@pytest.mark.parametrize(("row", "position", "moves", "outcome"), CASTLES)
def test_great_kingdom(row: int, position: str, moves: str, outcome: object) -> None:
    state = GreatKingdom(cells=unpack(position), to_move=int(moves.startswith("O:")))
    for move in moves.replace("O:", "").replace("pp", "pass pass").split():
        action = 81 if move == "pass" else point(move, 9)
        assert action in state.legal_actions()
        state.play(action)
    assert state.outcome == outcome


def test_great_kingdom_published_and_options() -> None:
    for position in ("1O7/O8/9/9/4N4/9/9/9/9", "1OB6/OOB6/BB7/9/4N4/9/9/9/9"):  # rows 6, 10
        assert 0 not in GreatKingdom(rules="published", cells=unpack(position)).legal_actions()
    state = GreatKingdom(cells=unpack("1B7/B8/9/9/4N4/9/9/9/8O"))  # row 11
    assert state.score() == (1, 0)
    state.play(0)
    assert state.score() == (0, 0)
    assert not state.over
    assert {0, 1, 9, 40, 80}.isdisjoint(state.legal_actions())  # row 22
    suicide = "OBO6/O1O6/1O7/9/4N4/9/9/9/9"
    assert 10 not in GreatKingdom(suicide="illegal", cells=unpack(suicide)).legal_actions()
    assert 8 in GreatKingdom(suicide="illegal", cells=unpack(CASTLES[7][1])).legal_actions()
    assert GreatKingdom(castles=2, cells=unpack("BB7/9/9/9/4N4/9/9/9/8O")).legal_actions() == [81]


def go(text: str, to_move: int = 0, **options: object) -> Go:
    return Go(size=text.count("/") + 1, cells=unpack(text), to_move=to_move, **options)  # type: ignore[arg-type]


def test_go_capture_suicide_and_ko() -> None:
    state = go("1XO1/X1XO/1XO1/4", to_move=1)
    state.play(5)  # without a liberty of its own, it takes the stone on its right
    assert state.board == unpack("1XO1/XO1O/1XO1/4")
    assert state.ko == 6
    assert 6 not in state.legal_actions()
    state.play(15)
    state.play(14)
    assert 6 in state.legal_actions()
    assert 0 not in go("1O2/O3/4/4").legal_actions()  # suicide
    assert 0 in go("1OX1/OX2/X3/4").legal_actions()  # captures two lone stones
    state = go("1OX1/OX2/X3/4")
    state.play(0)
    assert (state.board, state.prisoners) == (unpack("X1X1/1X2/X3/4"), [2, 0])
    state = go("1OOX/XXX1/4/4")  # two stones captured: no ko
    state.play(0)
    assert (state.board, state.ko) == (unpack("X2X/XXX1/4/4"), None)


def test_go_snapback() -> None:
    state = go("X2OX/XOOOX/1XXX1/5/5")
    for action in (2, 1):  # the throw-in is taken
        state.play(action)
    assert (state.prisoners, state.ko) == ([0, 1], None)
    state.play(2)
    assert state.prisoners == [5, 1]


def test_go_repetition_superko_and_passes() -> None:
    cycle = [1, 2, 3, 0, 2, 0]  # on 2 x 2: two stones, then one, then three are taken
    state = go("2/2")
    for action in [0, *cycle, *cycle]:
        assert not state.over
        assert action in state.legal_actions()
        state.play(action)
    assert state.outcome == (None, "repetition", None)
    state = go("2/2", ko="superko")
    for action in [0, *cycle[:-1]]:
        state.play(action)
    assert state.legal_actions() == [4]
    state = go("1X/O1", komi=0.0, scoring="area")
    state.play(4)
    state.play(4)
    assert state.outcome == (None, "score", (1, 1))
    assert go("XX2/XX2/2OO/2OO").score() == (0, 6.5)
    assert go("1X2/XX2/2OO/2O1").score() == (1, 7.5)
    assert go("1X2/XX2/2OO/2O1", scoring="area").score() == (4, 10.5)


def test_go_handicap_order() -> None:
    names = ["D4", "Q16", "D16", "Q4", "D10", "Q10", "K4", "K16", "K10"]
    for count in (2, 3, 4, 6, 8, 9):
        assert handicap_points(19, count) == [point(name, 19) for name in names[:count]]
    assert handicap_points(19, 5) == [point(name, 19) for name in [*names[:4], "K10"]]
    assert handicap_points(9, 2) == [point("C3", 9), point("G7", 9)]
    assert Go(size=9, handicap=2).to_move == 1


def cell(name: str) -> int:
    return "ABCDEFGHIJ".index(name[0]) * 10 + int(name[1])


def kelasu(tokens: str, to_move: int = 0) -> Kelasu:
    """Tokens are piece + cell; "!" leaves out the four pieces that are otherwise always there."""
    cells = ["."] * 100
    for token in (tokens.removeprefix("! ") if tokens[0] == "!" else tokens + " SC0 sH9 BB9 bI0").split():
        cells[cell(token[1:])] = token[0]
    return Kelasu(cells="".join(cells), to_move=to_move)


def targets(tokens: str, start: str, to_move: int = 0) -> set[str]:
    state = kelasu(tokens, to_move)
    if cell(start) not in state.legal_actions():
        return set()
    state.play(cell(start))
    return {"ABCDEFGHIJ"[action // 10] + str(action % 10) for action in state.legal_actions()}


def move(state: Kelasu, *names: str) -> None:
    for name in names:
        for part in name.split("-"):
            action = 100 + "WRDCGS".index(part[1]) if part[0] == "=" else cell(part)
            assert action in state.legal_actions(), name
            state.play(action)


def test_kelasu_moves() -> None:
    assert Kelasu().legal_actions() == [11, 13, 14, 15, 16, 18]
    assert targets("BE4 wE5", "E4") == {"E3", "F4"}
    assert targets("WE5 bF4", "E5") == {"E4", "E6", "F5", "F4"}
    assert targets("wE5 BD4 BF4", "E5", 1) == {"D4", "D5", "E4", "E6"}
    assert targets("wA0", "A0", 1) == {"A1", "J0"}
    assert "J5" in targets("wA5 bE5 BF5", "A5", 1)
    assert "J5" in targets("wA5 bE5 BF5 BJ5", "A5", 1)
    assert "J5" not in targets("wA5 bE5 BF5 bJ5", "A5", 1)
    assert targets("wB5", "B5", 1) == {"A5", "B4", "B6"}
    assert targets("RE4 bD3", "E4").isdisjoint({"D3", "C2", "B1", "A0"})
    assert targets("RE4 bC2", "E4") & {"D3", "C2", "B1"} == {"D3", "C2"}
    assert len(targets("CE4", "E4")) == 17
    assert targets("CE4 bC4", "E4") & {"D4", "C4", "D3"} == {"D4"}
    assert targets("cF5", "F5", 1) & {"E4", "E6", "G4", "G6"} == {"E4", "E6"}
    assert targets("GE4 wE7", "E4") & {"E7", "E8"} == {"E7"}
    assert len(targets("GE4", "E4")) == 35


def test_kelasu_conversion() -> None:
    state = kelasu("! sA0 SA1 wC1 DD0 WH4 dH7")  # row 9
    move(state, "D0-C1")
    assert (state.cells[cell("C1")], state.cells[cell("D0")], state.to_move) == ("W", ".", 1)
    state.play(cell("H7"))
    assert cell("H4") not in state.legal_actions()
    assert cell("E7") in state.legal_actions()
    state = kelasu("DG8 sH7")  # row 10
    move(state, "G8-H9", "I0-I1")
    assert (state.cells[cell("H9")], state.energy) == ("S", 2)
    state = kelasu("! SC0 DG8 sH9 sH7 bJ0")  # row 20
    move(state, "G8-H9")
    assert state.outcome == (1, "no-pieces", None)


def test_kelasu_merging() -> None:
    state = kelasu("BH5 BH6 BI4 BI5 BJ5")  # row 14
    move(state, "=C-J5-I5-I4-H5-H6")
    assert (state.cells[cell("J5")], state.to_move) == ("C", 1)
    state = kelasu("BH5 BH6 BI4 BI5 BJ5 SC2 SC7 SC9")
    move(state, "=C-J5-I5-I4-H5-H6", "I0-I1")
    assert (state.to_move, state.energy) == (0, 4)
    groups = kelasu("BB1 BC1 BD1 BC4 BD5 BD6 BE4 BE5").mergeable()  # row 15
    assert sorted(map(len, groups)) == [1, 2, 4]
    assert {cell(name) for name in ("D5", "D6", "E4", "E5")} in groups
    assert max(kelasu("BC9 BD0").legal_actions()) < 100  # row 16
    assert max(kelasu("bH1 bI1", 1).legal_actions()) < 100
    state = kelasu("SC2 SC7 SC9 BE0 BE1")  # row 17
    move(state, "=W-E1-E0")
    assert (state.energy, state.to_move) == (2, 0)
    move(state, "E1-F1")
    assert cell("F1") not in state.legal_actions()
    state = kelasu("SC2 SC7 SC9 BE0 BE1")
    move(state, "E1-F1")
    assert max(state.legal_actions()) < 100


def test_kelasu_endings() -> None:
    state = kelasu("SC2 WE4 WE5 WF4 WF6")  # row 18
    move(state, "F6-F5")
    assert state.outcome == (0, "victory-tiles", None)
    state = kelasu("SC2 WG9")  # row 19
    move(state, "G9-H9")
    assert state.outcome == (0, "no-stones", None)
    state = kelasu("! SC0 SC2 WE4 sH9 bJ0")  # row 21
    move(state, "E4-F4")
    assert (state.to_move, state.outcome) == (1, None)
    state = kelasu("! WA0 SA9 wJ0 sJ9")  # row 22
    for _ in range(3):
        move(state, "A0-A1", "J0-J1", "A1-A0", "J1-J0")
    assert not state.over
    move(state, "A0-A1")
    assert state.outcome == (None, "repetition", None)


@pytest.mark.parametrize(
    ("claims", "outcome"), [([5, 2, 8], (0, "claims", (2, 1))), ([2, 4, 6, 8], (None, "claims", (2, 2)))]
)
def test_dominion_duel(claims: list[int], outcome: object) -> None:
    state = DominionDuel()
    for claim in claims:
        assert not state.over
        state.play(claim - 1)
    assert state.outcome == outcome
