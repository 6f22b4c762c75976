"""Go's rules in diagrams: docs/rules/go.md, cited as "GO 5".

A diagram is rows top to bottom separated by spaces: "." empty, "X" Black, "O" White. Its number of rows is
the board's size. The tables are `PLACEMENTS`, `REFUSED` and `COUNTS`; what follows each takes a game to show.
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


# What a placement does, under either ko rule: position, mover, move, what it captures (which says how the
# board looks afterwards), and the point that simple ko bans ("" for none).
TWO_IN_A_MOUTH = "...... ...... .XXO.. XOO.O. .XXO.. ......"
PLACEMENTS = [
    ("GO 2: an empty point", "... ... ...", BLACK, "B2", "", ""),
    ("GO 5: in the corner", "OX. ... ...", BLACK, "A2", "A3", ""),
    ("GO 5: at the edge", ".OX .X. ...", BLACK, "A3", "B3", ""),
    ("GO 5: White captures alike", "XO. ... ...", WHITE, "A2", "A3", ""),
    ("GO 4: diagonals join nothing", "..... .X... XO.X. .XOX. .....", BLACK, "C3", "B3", ""),
    ("GO 5: a bent chain of four", ".XX.. XOOX. XO.X. XOX.. .X...", BLACK, "C3", "B4 C4 B3 B2", ""),
    ("GO 5: two chains at once", "..... .X.X. XO.OX .X.X. .....", BLACK, "C3", "B3 D3", ""),
    ("GO 5: three chains at once", "OO.OX XXOX. ..X.. ..... .....", BLACK, "C5", "A5 B5 D5 C4", ""),
    ("GO 5: four chains at once", "..X.. .XOX. XO.OX .XOX. ..X..", BLACK, "C3", "C4 B3 D3 C2", ""),
    ("GO 6: no liberty, but captures", ".XO.. XXO.. OOO.. ..... .....", WHITE, "A5", "B5 A4 B4", ""),
    ("GO 6: joins a chain with another", ".XO.. X.O.. OO... ..... .....", BLACK, "A5", "", ""),
    ("GO 7: ko", "..... ..XO. .XO.O ..XO. .....", BLACK, "D3", "C3", "C3"),
    ("GO 7: White takes a ko", "..... ..OX. .OX.X ..OX. .....", WHITE, "D3", "C3", "C3"),
    ("GO 6, 7: ko in the corner", ".OX.. OX... ..... ..... .....", BLACK, "A5", "B5", "B5"),
    ("GO 7: two stones are no ko", TWO_IN_A_MOUTH, BLACK, "D3", "B3 C3", ""),
    ("GO 7: a second liberty, no ko", "..... ..XO. .XO.. ..XO. .....", BLACK, "D3", "C3", ""),
    ("GO 7: joined to a chain, no ko", "O.O.. XXO.. OO... ..... .....", BLACK, "B5", "A5", ""),
]


@pytest.mark.parametrize("ko", KO_RULES)
@pytest.mark.parametrize(
    ("before", "mover", "move", "captured", "banned"),
    [pytest.param(*row[1:], id=row[0]) for row in PLACEMENTS],
)
def test_what_a_placement_does(
    ko: str, before: str, mover: int, move: str, captured: str, banned: str
) -> None:
    state = at(before, mover, ko=ko)
    earlier = everything(state)
    placed = play(state, move)
    assert everything(state) == earlier
    board = bytearray(state.cells())
    board[cell(state, move)] = mover + 1
    for point in cells(state, captured):
        assert board[point] == 2 - mover
        board[point] = 0
    assert placed.cells() == board
    assert list(placed.captured) == cells(placed, captured)
    assert placed.prisoners[mover] == len(captured.split()) and placed.prisoners[1 - mover] == 0
    assert placed.to_move == 1 - mover and placed.outcome is None
    assert placed.ko == (cell(placed, banned) if banned and ko == "simple" else None)
    assert not {cell(placed, banned) for _ in banned.split()} & set(placed.legal_actions())


# Position, mover, move, a word of the refusal.
REFUSED = [
    ("GO 2: an occupied point", "X.. ... ...", WHITE, "A3", "already"),
    ("GO 2: one's own stone", "X.. ... ...", BLACK, "A3", "already"),
    ("GO 6: a stone in the corner", ".O. O.. ...", BLACK, "A3", "no liberty"),
    ("GO 6: White's suicide", ".X. X.. ...", WHITE, "A3", "no liberty"),
    ("GO 6: a chain", "XO... .O... O.... ..... .....", BLACK, "A4", "no liberty"),
    ("GO 6: two chains joined", "X.XO. OOO.. ..... ..... .....", BLACK, "B5", "no liberty"),
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


# Ko, repetition and superko.

KO = "..... ..XO. .XO.O ..XO. ....."  # Black takes with D3, White retakes with C3


@pytest.mark.parametrize(
    ("between", "legal"),
    [
        pytest.param("", False, id="at once"),
        pytest.param("A1 A5", True, id="after a threat and its answer"),
        pytest.param("A1 pass", True, id="after a threat without answer"),
        pytest.param("pass A5", True, id="after a pass"),
    ],
)
@pytest.mark.parametrize("ko", KO_RULES)
def test_the_ko_ban_lasts_one_turn(ko: str, between: str, legal: bool) -> None:
    """GO 7; GO 8 gives the same here."""
    state = play(at(KO, ko=ko), f"D3 {between}")
    if not legal:
        with pytest.raises(tengen.IllegalAction, match="retake" if ko == "simple" else "superko") as refusal:
            play(state, "C3")
        assert is_sentence(refusal.value)
        return
    assert state.ko is None
    back = play(state, "C3")
    assert back.prisoners == (1, 1) and list(back.captured) == cells(back, "D3")
    assert back.ko == (cell(back, "D3") if ko == "simple" else None)
    assert cell(back, "D3") not in back.legal_actions()


def test_the_ko_ban_is_the_opponents_alone() -> None:
    """GO 7: the one who took may fill the ko."""
    state = play(at(KO), "D3 A1")
    assert state.ko is None
    assert play(state, "C3").liberties()[cell(state, "D3")] > 1


@pytest.mark.parametrize("ko", KO_RULES)
@pytest.mark.parametrize(
    ("before", "moves", "after", "prisoners"),
    [
        pytest.param(
            "..X.. OOX.. XX... ..... .....",
            "A5 B5 A5",
            "X.X.. ..X.. XX... ..... .....",
            (3, 1),
            id="snapback: one stone is given, three are taken",
        ),
        pytest.param(
            "O.O.. XXO.. OO... ..... .....",
            "B5 A5",
            "O.O.. ..O.. OO... ..... .....",
            (1, 3),
            id="one stone is taken, three are taken back",
        ),
        pytest.param(
            TWO_IN_A_MOUTH,
            "D3 C3",
            "...... ...... .XXO.. X.O.O. .XXO.. ......",
            (2, 1),
            id="two stones are taken, one is taken back",
        ),
    ],
)
def test_retaking_at_once(ko: str, before: str, moves: str, after: str, prisoners: tuple[int, int]) -> None:
    """GO 5 and 7: none of these is a ko."""
    state = at(before, ko=ko)
    for move in moves.split():
        state = play(state, move)
        assert state.ko is None
    assert state.game.diagram(state) == packed(after)
    assert state.prisoners == prisoners


# Black sends two stones (A1 joins B1), White takes both with C1, Black takes that one back with B1: the board
# is the first one again, but White is to move.
SEND_TWO = "..... ..... ..... OOX.. .X.X."
# Three kos: Black takes C9, White B1, Black H1, White B9, Black C1, White G1, and all is as before.
TRIPLE_KO = "XO.O..... .XO...... ......... ......... ......... ......... ......... .XO...XO. X.XO.XO.O"
ROUND = "C9 B1 H1 B9 C1 G1"


@pytest.mark.parametrize(
    ("before", "moves", "last"),
    [
        pytest.param(SEND_TWO, "A1 C1", "B1", id="send two, return one"),
        pytest.param(TRIPLE_KO, "C9 B1 H1 B9 C1", "G1", id="triple ko"),
        pytest.param(KO, "D3", "C3", id="a simple ko, by another name"),
    ],
)
def test_superko(before: str, moves: str, last: str) -> None:
    """GO 8: what would bring back the board of the start is illegal, whoever is to move."""
    state = play(at(before, ko="superko"), moves)
    earlier = everything(state)
    with pytest.raises(tengen.IllegalAction, match="superko") as refusal:
        state.play(cell(state, last))
    assert is_sentence(refusal.value)
    assert everything(state) == earlier
    assert cell(state, last) not in state.legal_actions()
    if before != KO:
        simple = play(at(before), f"{moves} {last}")
        assert simple.cells() == at(before).cells() and simple.outcome is None
    # Passes neither bring a board back nor wipe one out, and neither does going on after them (GO 21).
    resumed = play(state, "pass pass").resume(state.to_move)
    assert resumed.why_illegal(cell(state, last)) == str(refusal.value)


@pytest.mark.parametrize(
    ("before", "moves"),
    [
        pytest.param(TRIPLE_KO, f"{ROUND} {ROUND}", id="triple ko: the start counts as the first time"),
        # The start has Black to move and is never reached by a placement; A1 is the first position that comes
        # up three times. Were passes to count, the second one would end the game.
        pytest.param(SEND_TWO, "A1 C1 B1 pass A1 C1 B1 pass A1", id="send two: passes do not count"),
    ],
)
def test_the_third_repetition_ends_the_game(before: str, moves: str) -> None:
    """GO 10."""
    state = at(before)
    for move in moves.split():
        assert state.outcome is None
        state = play(state, move)
    assert state.outcome == (None, "repetition", None)
    assert state.legal_actions() == []
    with pytest.raises(tengen.IllegalAction, match="over"):
        state.play(state.game.pass_action)
    with pytest.raises(tengen.IllegalAction) as refusal:
        state.resume(BLACK)
    assert is_sentence(refusal.value)


def test_repetition_asks_for_the_same_player_to_move() -> None:
    """GO 10: the board of the start comes up a third time, but with White to move only a second time."""
    state = play(at(SEND_TWO), "A1 C1 B1 pass A1 C1 B1")
    assert state.cells() == at(SEND_TWO).cells() and state.outcome is None


def test_repetition_is_remembered_when_play_goes_on() -> None:
    """GO 21."""
    state = play(at(TRIPLE_KO), f"{ROUND} {ROUND[:-3]} pass pass").resume(WHITE)
    assert play(state, "G1").outcome == (None, "repetition", None)


@pytest.mark.parametrize("size", [11, 13, 19])
@pytest.mark.parametrize("ko", KO_RULES)
def test_a_chain_that_fills_the_board(ko: str, size: int) -> None:
    """GO 5: 110, 156 and 342 stones have one liberty left in the corner, and Black takes it."""
    stones = size * (size - 1)
    diagram = " ".join(["." + "X" * (size - 1)] + ["O" * size] * (size - 1))
    state = at(diagram, ko=ko)
    assert state.liberties()[-1] == 1
    taken = play(state, f"A{size}")
    assert taken.prisoners == (stones, 0) and len(taken.captured) == stones
    assert taken.cells() == bytes([1] * size + [0] * stones)
    assert taken.liberties() == [size] * size + [0] * stones
    assert taken.ko is None and len(taken.legal_actions()) == stones + 1
    assert taken.score() == (stones, 6.5 - stones)
    assert play(taken, "A1").liberties()[-size] == 2
    assert play(at(diagram, WHITE, ko=ko), f"A{size}").prisoners == (0, size - 1)


# Counting. The position, a stone of each dead chain, the neutral points, who then owns what under territory
# scoring, and the numbers: territory, dead stones, area points.

WALLS = ".XO.. .XO.. .XO.. .XO.. .XO.."
INVADED = ".XO.. .XO.. .XOX. .XO.. .XO.."
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
KOMI = 6.5


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


# Beginning and stopping.

HANDICAPS = {  # the GTP specification's fixed handicap, in its order
    19: "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10",
    17: "D4 O14 D14 O4 D9 O9 J4 J14 J9",
    15: "D4 M12 D12 M4 D8 M8 H4 H12 H8",
    13: "D4 K10 D10 K4 D7 K7 G4 G10 G7",
    11: "C3 J9 C9 J3 C6 J6 F3 F9 F6",
    9: "C3 G7 C7 G3 C5 G5 E3 E7 E5",
    18: "D4 P15 D15 P4",
    14: "D4 L11 D11 L4",
    12: "C3 K10 C10 K3",
    10: "C3 H8 C8 H3",
    8: "C3 F6 C6 F3",
    7: "C3 E5 C5 E3",
}


@pytest.mark.parametrize(
    ("size", "handicap"),
    [(size, count) for size, points in HANDICAPS.items() for count in range(2, len(points.split()) + 1)],
)
def test_handicap(size: int, handicap: int) -> None:
    """GO 3: five and seven take the centre, six and eight do not."""
    state = tengen.game("go", size=size, handicap=handicap).start()
    points = HANDICAPS[size].split()
    chosen = [*points[: handicap - 1], points[-1]] if handicap in (5, 7) else points[:handicap]
    assert {i for i, code in enumerate(state.cells()) if code} == set(cells(state, " ".join(chosen)))
    assert state.cells().count(BLACK + 1) == handicap
    assert state.to_move == WHITE and state.outcome is None
    assert state.game.options["komi"] == 0.5


@pytest.mark.parametrize(
    ("size", "handicap"),
    [(19, 1), (9, 1), (8, 5), (18, 5), (7, 5), (6, 2), (5, 2), (2, 2), (19, 10), (19, -1)],
)
def test_handicaps_that_do_not_exist(size: int, handicap: int) -> None:
    """GO 3."""
    with pytest.raises(tengen.InvalidOption, match="handicap") as refusal:
        tengen.game("go", size=size, handicap=handicap)
    assert is_sentence(refusal.value)


@pytest.mark.parametrize(
    ("options", "komi"),
    [
        ({}, 6.5),
        ({"size": 9}, 6.5),
        ({"scoring": "area"}, 6.5),
        ({"handicap": 0}, 6.5),
        ({"handicap": 4}, 0.5),
        ({"handicap": 4, "komi": 6.5}, 6.5),
        ({"handicap": 4, "komi": 0}, 0),
        ({"komi": 7}, 7),
        ({"komi": -3.5}, -3.5),
    ],
)
def test_komi_by_default(options: dict[str, Any], komi: float) -> None:
    """GO 24. An empty board is worth exactly the komi."""
    game = tengen.game("go", **options)
    assert game.options["komi"] == komi
    empty: Any = game.position("/".join([str(game.width)] * game.height))
    assert empty.score() == (0, komi)


@pytest.mark.parametrize("size", range(2, 20))
def test_sizes(size: int) -> None:
    """GO 1, 25, 26: corners and centre by name and number."""
    game = tengen.game("go", size=size)
    state = game.start()
    last = COLUMNS[size - 1]
    assert game.action_count == size * size + 1
    assert state.to_move == BLACK and state.cells() == bytes(size * size)
    assert state.legal_actions() == list(range(size * size + 1))
    corners = {f"A{size}": 0, f"{last}{size}": size - 1, "A1": size * (size - 1), f"{last}1": size * size - 1}
    for name, number in {**corners, "pass": size * size}.items():
        assert game.parse(state, name) == [number]
        assert game.format(state, [number]) == name


def test_two_passes_end_it() -> None:
    """GO 9."""
    state = play(at(WALLS), "pass")
    assert state.outcome is None and state.passes == 1 and state.to_move == WHITE
    assert play(state, "A1 pass").outcome is None
    over = play(state, "pass")
    assert over.outcome == (WHITE, "score", (5, 10 + KOMI))
    assert over.legal_actions() == [] and over.passes == 2
    assert over.cells() == state.cells()


@pytest.mark.parametrize("seat", [BLACK, WHITE])
def test_going_on(seat: int) -> None:
    """GO 21: nothing is lost but the passes and the ko ban."""
    before = play(at(KO), "D3")
    over = play(before, "pass pass")
    state = over.resume(seat)
    assert over.outcome is not None and over.passes == 2
    assert (state.to_move, state.passes, state.ko, state.outcome) == (seat, 0, None, None)
    assert (state.cells(), state.prisoners, state.liberties()) == (over.cells(), (1, 0), over.liberties())
    assert state.actions[:3] == over.actions and len(state.actions) == 4
    assert cell(state, "C3") in state.legal_actions()
    again = pickle.loads(pickle.dumps(state))
    assert again == state and everything(again) == everything(state)
    assert play(again, "A1").to_move == 1 - seat


def test_disagreements_never_force_a_result() -> None:
    """GO 21: three in a row, and the game is counted just as after the first."""
    over = play(at(INVADED), "pass pass")
    for seat in (BLACK, WHITE, WHITE):
        state = over.resume(seat)
        assert state.outcome is None
        over = play(state, "pass pass")
        assert over.outcome == (WHITE, "score", (5, KOMI))
    settled = play(over.resume(WHITE), "E3 pass D4 pass D2 pass pass")
    assert settled.outcome == (WHITE, "score", (5 - 1, 10 - 3 + KOMI))


# Bad input: a named error, one sentence, and nothing has changed.


@pytest.mark.parametrize(
    ("options", "history"),
    [
        pytest.param({}, "", id="in play"),
        pytest.param({"scoring": "area"}, "pass pass", id="area scoring"),
        pytest.param({}, "pass", id="after one pass"),
    ],
)
def test_when_there_is_nothing_to_resume(options: dict[str, Any], history: str) -> None:
    """GO 16, 21."""
    state = play(at(WALLS, **options), history)
    earlier = everything(state)
    with pytest.raises(tengen.IllegalAction) as refusal:
        state.resume(BLACK)
    assert is_sentence(refusal.value) and everything(state) == earlier


@pytest.mark.parametrize("seat", [-1, 2])
def test_nobody_else_can_resume(seat: int) -> None:
    with pytest.raises(tengen.IllegalAction) as refusal:
        play(at(WALLS), "pass pass").resume(seat)
    assert is_sentence(refusal.value)


@pytest.mark.parametrize(
    ("history", "action", "why"),
    [
        pytest.param("", 6, "already", id="GO 2: an occupied point"),
        pytest.param("", -1, "no such", id="GO 26: below the actions"),
        pytest.param("", 26, "no such", id="GO 26: above the actions"),
        pytest.param("", 2**31, "no such", id="GO 26: above 32 bits"),
        pytest.param("", -(10**30), "no such", id="GO 26: far below the actions"),
        pytest.param("pass pass", 0, "over", id="GO 9: a point after the end"),
        pytest.param("pass pass", 25, "over", id="GO 9: a pass after the end"),
        pytest.param("pass pass", 99, "over", id="GO 9: nonsense after the end"),
    ],
)
def test_refused_actions(history: str, action: int, why: str) -> None:
    state = play(at(WALLS), history)
    earlier = everything(state)
    with pytest.raises(tengen.IllegalAction, match=why) as refusal:
        state.play(action)
    assert is_sentence(refusal.value)
    assert everything(state) == earlier
    assert state.why_illegal(action) == str(refusal.value)


@pytest.mark.parametrize("action", ["0", 0.0, None, [0]])
def test_actions_are_whole_numbers(action: Any) -> None:
    with pytest.raises(TypeError):
        at(WALLS).play(action)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("colour", "black"),
        ("size", 1),
        ("size", 20),
        ("size", 9.0),
        ("size", "9"),
        ("size", True),
        ("size", None),
        ("ko", "none"),
        ("ko", True),
        ("scoring", "chinese"),
        ("komi", float("nan")),
        ("komi", float("inf")),
        ("komi", "6.5"),
        ("handicap", 1),
        ("handicap", 2.0),
    ],
)
def test_bad_options(name: str, value: Any) -> None:
    """GO 24."""
    with pytest.raises(tengen.InvalidOption, match=name) as refusal:
        tengen.game("go", **{name: value})
    assert is_sentence(refusal.value)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        pytest.param("OX1/X2/3", tengen.InvalidPosition, id="GO 28: a stone without liberties"),
        pytest.param("OOX/OXX/XX1", tengen.InvalidPosition, id="GO 28: a chain without liberties"),
        pytest.param("XXX/XXX/XXX", tengen.InvalidPosition, id="GO 28: no empty point"),
        pytest.param("3/3", tengen.NotationError, id="too few rows"),
        pytest.param("3/3/3/3", tengen.NotationError, id="too many rows"),
        pytest.param("3/2/3", tengen.NotationError, id="a short row"),
        pytest.param("3/1X2/3", tengen.NotationError, id="a long row"),
        pytest.param("3/1B1/3", tengen.NotationError, id="a letter of another game"),
        pytest.param("3/1x1/3", tengen.NotationError, id="a small letter"),
        pytest.param("3/.../3", tengen.NotationError, id="dots"),
        pytest.param("3/1 X1/3", tengen.NotationError, id="a space"),
        pytest.param("", tengen.NotationError, id="nothing"),
    ],
)
def test_bad_positions(text: str, error: type[Exception]) -> None:
    with pytest.raises(error) as refusal:
        tengen.game("go", size=3).position(text)
    assert is_sentence(refusal.value)


@pytest.mark.parametrize("to_move", [-1, 2])
def test_bad_movers(to_move: int) -> None:
    with pytest.raises(tengen.InvalidPosition) as refusal:
        tengen.game("go", size=3).position("3/3/3", to_move)
    assert is_sentence(refusal.value)


@pytest.mark.parametrize(
    "marks",
    [
        pytest.param({"dead": [0]}, id="GO 17: an empty point is not dead"),
        pytest.param({"dead": [-1]}, id="no such point"),
        pytest.param({"dead": [25]}, id="the pass is no point"),
        pytest.param({"neutral": [1]}, id="GO 22: a stone is not neutral"),
        pytest.param({"neutral": [25]}, id="no such neutral point"),
        pytest.param({"dead": [13], "neutral": [1]}, id="a stone that is not among the dead"),
    ],
)
def test_bad_marks(marks: dict[str, Any]) -> None:
    """GO 15."""
    state = at(INVADED)
    for method in (state.score, state.count):
        with pytest.raises(tengen.InvalidPosition) as refusal:
            method(**marks)
        assert is_sentence(refusal.value)


@pytest.mark.parametrize("written", ["", "D", "4", "I5", "4D", "D4 E5", "D４", "passe"])
def test_unreadable_moves(written: str) -> None:
    """GO 25, 27."""
    game = tengen.game("go")
    with pytest.raises(tengen.NotationError) as refusal:
        game.parse(game.start(), written)
    assert is_sentence(refusal.value)


@pytest.mark.parametrize("written", ["F1", "A6", "A0", "B3"])
def test_readable_moves_that_are_not_allowed(written: str) -> None:
    state = at(WALLS)
    with pytest.raises(tengen.IllegalAction) as refusal:
        state.game.parse(state, written)
    assert is_sentence(refusal.value)


def test_equal_positions() -> None:
    """GO 29: stones, mover, passes, ko ban and options are compared, the way there is not."""
    start = tengen.game("go", size=5).start()
    one, other = play(start, "A1 E5 B2 D4"), play(start, "B2 D4 A1 E5")
    assert one == other and hash(one) == hash(other)
    assert play(start, "A1 pass") != play(start, "A1")
    assert play(start, "pass") != at("..... " * 5, WHITE)
    taken = play(at(KO), "D3")
    assert taken != at("..... ..XO. .X.XO ..XO. .....", WHITE)
    assert at(KO) != at(KO, WHITE)
    assert at(KO) != at(KO, komi=0) and at(KO) != at(KO, ko="superko")


def test_prisoners_are_compared_where_they_count() -> None:
    """GO 29."""
    for scoring, equal in (("territory", False), ("area", True)):
        played = play(at(KO, scoring=scoring), "D3 A1 E1")
        set_up = at("..... ..XO. .X.XO ..XO. O...X", WHITE, scoring=scoring)
        assert (played.prisoners, set_up.prisoners) == ((1, 0), (0, 0))
        assert (played == set_up) is equal and hash(played) == hash(set_up)


def test_view() -> None:
    """GO 7, 12: what a client is told."""
    state = play(at(KO), "D3")
    view = state.game.view(state)
    assert (view.width, view.height, view.to_move) == (5, 5, WHITE)
    assert (view.last, view.captured) == ((13,), (12,))
    assert view.score == state.score()
    assert view.details == {"liberties": state.liberties(), "ko": 12, "prisoners": (1, 0)}
    assert "captured 1, White (O) 0" in state.game.text(state)
