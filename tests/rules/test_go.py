"""Stones on the board: docs/rules/go.md, cited as "GO 5". The tables are `PLACEMENTS` and `REFUSED`."""

from __future__ import annotations

import pytest

import tengen
from tests.rules.go_diagrams import (
    BLACK,
    KO,
    KO_RULES,
    WHITE,
    at,
    cell,
    cells,
    everything,
    is_sentence,
    packed,
    play,
)

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


# Position, mover, move, the stones that come off besides the one that is played.
SUICIDES = [
    ("GO 6: a chain", "XO... .O... O.... ..... .....", BLACK, "A4", "A5"),
    ("GO 6: two chains joined", "X.XO. OOO.. ..... ..... .....", BLACK, "B5", "A5 C5"),
    ("GO 6: one's own last eye", ".XO.. XXO.. OOO.. ..... .....", BLACK, "A5", "B5 A4 B4"),
    ("GO 6: White's", "OX... .X... X.... ..... .....", WHITE, "A4", "A5"),
]


@pytest.mark.parametrize("ko", [*KO_RULES, "situational"])
@pytest.mark.parametrize(
    ("before", "mover", "move", "gone"), [pytest.param(*row[1:], id=row[0]) for row in SUICIDES]
)
def test_suicide_where_it_is_allowed(ko: str, before: str, mover: int, move: str, gone: str) -> None:
    state = at(before, mover, ko=ko, suicide=True)
    after = play(state, move)
    board = bytearray(state.cells())
    for point in cells(state, gone):
        assert board[point] == mover + 1
        board[point] = 0
    assert after.cells() == board
    assert set(after.captured) == set(cells(after, gone))
    assert after.prisoners[1 - mover] == 1 + len(gone.split()) and after.prisoners[mover] == 0
    assert after.to_move == 1 - mover and after.ko is None and after.outcome is None


def test_a_capture_comes_before_suicide() -> None:
    """GO 5 before GO 6, also where suicide is allowed."""
    state = play(at("XO... .X... O.... ..... .....", WHITE, suicide=True), "A4")
    assert state.prisoners == (0, 1)


def test_the_suicide_of_one_stone() -> None:
    """GO 6, GO 8: it leaves the board as it is: positional superko forbids that, situational not at once."""
    corner = ".O. O.. ..."
    assert play(at(corner, suicide=True), "A3").prisoners == (0, 1)
    with pytest.raises(tengen.IllegalAction, match="superko"):
        play(at(corner, suicide=True, ko="superko"), "A3")
    once = play(at(corner, suicide=True, ko="situational"), "A3 pass")
    assert once.prisoners == (0, 1)
    with pytest.raises(tengen.IllegalAction, match="same player to move") as refusal:
        play(once, "A3")
    assert is_sentence(refusal.value)


def test_presets() -> None:
    """GO 24; options that are given go before the preset's."""
    aga, zealand = tengen.game("go", rules="aga"), tengen.game("go", rules="new_zealand")
    assert tengen.game("go").all_options["rules"] == "japanese"
    for game, suicide, bonus, komi in ((aga, False, "less_one", 7.5), (zealand, True, "zero", 7.0)):
        assert game.options["ko"] == "situational" and game.options["scoring"] == "area"
        assert (game.options["suicide"], game.options["bonus"], game.options["komi"]) == (
            suicide,
            bonus,
            komi,
        )
    assert tengen.game("go", rules="aga", ko="simple").options["ko"] == "simple"
    chinese = tengen.game("go", rules="chinese")
    assert chinese == tengen.game("go", ko="superko", scoring="area", komi=7.5)
    for preset in ("japanese", "chinese", "aga", "new_zealand"):
        assert tengen.game("go", rules=preset).table.agreement
    assert not tengen.game("go", scoring="area").table.agreement


@pytest.mark.parametrize(
    ("options", "white"),
    [
        ({"rules": "aga"}, 3.5),
        ({"rules": "new_zealand"}, 0.5),
        ({"scoring": "area", "bonus": "full"}, 4.5),
        ({"scoring": "area"}, 0.5),
    ],
)
def test_what_makes_up_for_handicap_stones(options: dict[str, str], white: float) -> None:
    """GO 14."""
    state = tengen.game("go", size=9, handicap=4, **options).start()
    assert state.score() == (81, white)
    even = tengen.game("go", size=9, **options, komi=0.5)
    assert even.start().score() == (0, 0.5)


# Ko, repetition and superko.


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


CYCLES = [
    pytest.param(SEND_TWO, "A1 C1", "B1", id="send two, return one"),
    pytest.param(TRIPLE_KO, "C9 B1 H1 B9 C1", "G1", id="triple ko"),
    pytest.param(KO, "D3", "C3", id="a simple ko, by another name"),
]


@pytest.mark.parametrize(("before", "moves", "last"), CYCLES)
def test_situational_superko_and_passes(before: str, moves: str, last: str) -> None:
    """GO 8: the board may come back with the other player to move; a pass brings up a situation too."""
    state = play(at(before, ko="situational"), moves)
    if before == SEND_TWO:
        assert play(state, last).cells() == at(before).cells()
        passed = play(at(before, ko="situational"), "pass pass").resume(BLACK)
        state = play(passed, moves)
    with pytest.raises(tengen.IllegalAction, match="same player to move"):
        play(state, last)
    assert cell(state, last) not in state.legal_actions()


@pytest.mark.parametrize(("before", "moves", "last"), CYCLES)
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


# White's stone at C3 has two liberties. Black's C2 starts a ladder along the lower side, D3 lets it out.
LADDER = "....... ....... ....... ..XX... .XO.... ....... ......."
BROKEN = "....... ....... ....... ..XX... .XO.... ....O.. ......."
ATARI = "....... ....... ....... ..XX... .XO.... ..X.... ......."
PLANES = {"own": 8, "other": 9, "catching": 10}  # of the net's input, cpp/games/go/go.hpp


@pytest.mark.parametrize(
    ("diagram", "to_move", "marked"),
    [
        (LADDER, BLACK, {"other": "C3", "catching": "C2"}),
        (LADDER, WHITE, {"own": "C3"}),
        (BROKEN, BLACK, {}),
        (ATARI, BLACK, {"other": "C3"}),
        (ATARI, WHITE, {"own": "C3"}),
    ],
)
def test_a_net_is_shown_what_ladders_catch(diagram: str, to_move: int, marked: dict[str, str]) -> None:
    state = at(diagram, to_move)
    planes = state.encode()
    for name, plane in PLANES.items():
        found = [int(number) for number in planes[plane].flatten().nonzero()[0]]
        assert found == sorted(cells(state, marked.get(name, ""))), name
