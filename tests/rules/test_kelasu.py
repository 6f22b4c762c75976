"""Kelasu's rules as diagrams. Row numbers are those of "Tests that must hold" in docs/rules/kelasu.md.

A position is a list of tokens, piece and cell, upper case for Blue. Unless it begins with `!`, each side also
gets a stone and a blank (EXTRAS), so that nobody has lost already.
"""

import random
import re

import pytest

import tengen
from tengen import IllegalAction, InvalidOption, InvalidPosition, NotationError, Outcome, State
from tengen._core import Kelasu
from tengen.game import OptionValue
from tengen.games.kelasu import move_kind, split_moves

GAME = tengen.game("kelasu")
BLUE, RED = 0, 1
EXTRAS = "SC0 sH9 BB9 bI0"
KINDS = "WRDCGS"


def cell(name: str) -> int:
    return "ABCDEFGHIJ".index(name[0]) * 10 + int(name[1])


def diagram(tokens: str) -> str:
    board = ["."] * 100
    words = tokens[1:] if tokens.startswith("!") else f"{tokens} {EXTRAS}"
    for word in words.split():
        board[cell(word[1:])] = word[0]
    rows = ("".join(board[row : row + 10]) for row in range(0, 100, 10))
    return "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), row) for row in rows)


def known(state: State) -> Kelasu:
    assert isinstance(state, Kelasu)
    return state


def position(tokens: str, to_move: int = BLUE) -> Kelasu:
    return known(GAME.position(diagram(tokens), to_move))


def play(state: Kelasu, *texts: str) -> Kelasu:
    """The state after each of the texts, which are moves or turns."""
    for text in texts:
        for action in state.game.parse(state, text):
            state = state.play(action)
    return state


def piece(state: Kelasu, name: str) -> str:
    return GAME.letters[state.cells()[cell(name)]]


def moves_from(state: Kelasu, name: str) -> set[str]:
    """The whole moves of the piece on that cell, as they are written."""
    start = cell(name)
    if start not in state.legal_actions():
        return set()
    return {GAME.format(state, [start, to]) for to in state.play(start).legal_actions()}


def merges(state: Kelasu, kind: str) -> dict[str, set[int]]:
    """The cells of all merges into that kind, each with the targets it may have."""
    first = 100 + KINDS.index(kind)
    if first not in state.legal_actions():
        return {}
    found: dict[str, set[int]] = {}
    begun = state.play(first)
    level: dict[tuple[int, tuple[int, ...]], Kelasu] = {
        (target, (target,)): begun.play(target) for target in begun.legal_actions()
    }
    while level:
        following = {}
        for (target, cells), stage in level.items():
            for more in stage.legal_actions():
                grown = tuple(sorted((*cells, more)))
                after = stage.play(more)
                if after.stage == "choose":
                    found.setdefault(names(grown), set()).add(target)
                else:
                    following[target, grown] = after
        level = following
    return found


def names(cells: tuple[int, ...]) -> str:
    return "+".join(f"{'ABCDEFGHIJ'[c // 10]}{c % 10}" for c in cells)


# ---- Moves of the pieces ---------------------------------------------------------------------------------

EXACT_MOVES = [  # row, position, seat, piece, all its moves
    (1, "start", BLUE, "B1", "B1-C1"),
    (1, "start", BLUE, "B0", ""),
    (1, "start", BLUE, "A1", ""),
    (2, "BE4 wE5", BLUE, "E4", "E4-E3 E4-F4"),
    (3, "WE5 bF4", BLUE, "E5", "E5-E4 E5-E6 E5-F5 E5xF4"),
    (4, "wE5 BD4 BF4", RED, "E5", "E5xD4 E5-D5 E5-E4 E5-E6"),
    (5, "wA0", RED, "A0", "A0-A1 A0@J0"),
    (7, "wB5", RED, "B5", "B5-A5 B5-B4 B5-B6"),
]


@pytest.mark.parametrize(("row", "tokens", "seat", "start", "moves"), EXACT_MOVES)
def test_all_moves_of_a_piece(row: int | None, tokens: str, seat: int, start: str, moves: str) -> None:
    state = known(GAME.start()) if tokens == "start" else position(tokens, seat)
    assert moves_from(state, start) == set(moves.split())


ALLOWED = [  # row, position, seat, allowed moves, forbidden moves
    (4, "wE5 BD4 BF4", RED, "E5xD4", "E5-F4"),
    (6, "wA5 bE5 BF5", RED, "A5@J5", ""),
    (6, "wA5 bE5 BF5 BJ5", RED, "A5@J5", ""),
    (6, "wA5 bE5 BF5 bJ5", RED, "", "A5@J5"),
    (8, "RE4 bD3", BLUE, "", "E4xD3 E4-C2"),
    (8, "RE4 bC2", BLUE, "E4-D3 E4xC2", "E4-B1"),
    (11, "CE4 bC4", BLUE, "E4-D4", "E4xC4 E4-D3"),
    (12, "cF5", RED, "F5-E4 F5-E6", "F5-G4 F5-G6"),
    (13, "GE4 wE7", BLUE, "E4xE7", "E4-E8"),
]


@pytest.mark.parametrize(("row", "tokens", "seat", "allowed", "forbidden"), ALLOWED)
def test_allowed_and_forbidden_moves(
    row: int | None, tokens: str, seat: int, allowed: str, forbidden: str
) -> None:
    state = position(tokens, seat)
    for text in allowed.split():
        assert GAME.format(state, GAME.parse(state, text)) == text
    for text in forbidden.split():
        with pytest.raises(IllegalAction):
            GAME.parse(state, text)


@pytest.mark.parametrize(("row", "tokens", "start", "count"), [(11, "CE4", "E4", 17), (13, "GE4", "E4", 35)])
def test_number_of_targets(row: int | None, tokens: str, start: str, count: int) -> None:
    assert len(moves_from(position(tokens), start)) == count


def test_row_1_start() -> None:
    assert GAME.start().legal_actions() == [cell(name) for name in ("B1", "B3", "B4", "B5", "B6", "B8")]
    assert known(GAME.start()).energy == 4


def test_row_6_recall_captures() -> None:
    state = play(position("wA5 bE5 BF5 BJ5", RED), "A5@J5")
    assert (piece(state, "A5"), piece(state, "J5")) == (".", "w")


def test_row_9_conversion() -> None:
    state = play(position("! sA0 SA1 wC1 DD0 WH4 dH7"), "D0%C1")
    assert (piece(state, "C1"), piece(state, "D0"), state.to_move) == ("W", ".", RED)
    with pytest.raises(IllegalAction):
        GAME.parse(state, "H7-H4")
    assert GAME.parse(state, "H7-E7") == [cell("H7"), cell("E7")]


def test_row_10_converted_stone_gives_energy() -> None:
    state = play(position("DG8 sH7"), "G8%H9")
    assert piece(state, "H9") == "S"
    state = play(state, "I0-I1")
    assert (state.to_move, state.energy) == (BLUE, 2)


# ---- Merging ---------------------------------------------------------------------------------------------


def test_row_14_merge_ends_the_turn() -> None:
    state = play(position("BH5 BH6 BI4 BI5 BJ5"), "=C H5+H6+I4+I5+J5>J5")
    assert (piece(state, "J5"), piece(state, "H5"), state.to_move) == ("C", ".", RED)


def test_row_14_no_debt() -> None:
    state = position("BH5 BH6 BI4 BI5 BJ5 SC2 SC7 SC9")
    assert state.energy == 4
    state = play(state, "=C H5+H6+I4+I5+J5>J5")
    assert state.to_move == RED
    state = play(state, "I0-I1")
    assert (state.to_move, state.energy) == (BLUE, 4)


def test_row_15_what_can_merge() -> None:
    state = position("BB1 BC1 BD1 BC4 BD5 BD6 BE4 BE5")
    pairs = merges(state, "W")
    assert sorted(pairs) == ["C1+D1", "D5+D6", "D5+E5", "E4+E5"]
    assert all(targets == {cell(name) for name in cells.split("+")} for cells, targets in pairs.items())
    for kind in "RD":
        assert merges(state, kind) == {"D5+D6+E4+E5": {cell(name) for name in ("D5", "D6", "E4", "E5")}}
    assert not any(merges(state, kind) for kind in "CGS")


@pytest.mark.parametrize(("row", "tokens", "seat"), [(16, "BC9 BD0", BLUE), (16, "bH1 bI1", RED)])
def test_no_merge(row: int | None, tokens: str, seat: int) -> None:
    assert max(position(tokens, seat).legal_actions()) < 100


def test_row_17_merged_piece_moves_once() -> None:
    state = play(position("SC2 SC7 SC9 BE0 BE1"), "=W E0+E1>E1")
    assert (piece(state, "E1"), state.to_move, state.energy) == ("W", BLUE, 2)
    state = play(state, "E1-F1")
    assert (state.energy, list(state.moved)) == (1, [cell("F1")])
    with pytest.raises(IllegalAction, match="already moved"):
        GAME.parse(state, "F1-G1")


def test_row_17_moved_blank_does_not_merge() -> None:
    state = play(position("SC2 SC7 SC9 BE0 BE1 BF0"), "E1-F1")
    assert list(merges(state, "W")) == ["E0+F0"]
    with pytest.raises(IllegalAction, match="has moved this turn"):
        GAME.parse(state, "=W F0+F1>F1")
    assert not merges(play(position("SC2 SC7 SC9 BE0 BE1"), "E1-F1"), "W")


# ---- Endings ---------------------------------------------------------------------------------------------

ENDINGS = [  # row, position, seat, moves, outcome
    (18, "SC2 WE4 WE5 WF4 WF6", BLUE, "F6-F5", (BLUE, "victory-tiles")),
    (18, "sH0 wE4 wE5 wF4 wF6", RED, "F6-F5", (RED, "victory-tiles")),
    (18, "DE4 WE5 WF4 BG5 wF5", BLUE, "E4%F5", None),  # the diplomat has left E4
    (18, "DG6 WE5 WF4 WE4 wF5", BLUE, "G6%F5", (BLUE, "victory-tiles")),
    (19, "SC2 WG9", BLUE, "G9xH9", (BLUE, "no-stones")),
    (19, "DG8", BLUE, "G8%H9", (BLUE, "no-stones")),
    (20, "! SC0 DG8 sH9 sH7 bJ0", BLUE, "G8%H9", (RED, "no-pieces")),
    (20, "! SC0 WI0 sH9 bJ0", BLUE, "I0xJ0", (BLUE, "no-pieces")),
    (None, "! SC0 DI1 sH9 bJ0", BLUE, "I1%J0", (BLUE, "no-pieces")),
    (None, "! BJ0 SJ1 sA0 bC5", RED, "C5-B5", (None, "stalemate")),
]


@pytest.mark.parametrize(("row", "tokens", "seat", "moves", "outcome"), ENDINGS)
def test_endings(
    row: int | None, tokens: str, seat: int, moves: str, outcome: tuple[int | None, str] | None
) -> None:
    state = position(tokens, seat)
    assert state.outcome is None
    state = play(state, moves)
    assert state.outcome == (Outcome(*outcome) if outcome else None)
    if outcome:
        assert state.legal_actions() == []
        with pytest.raises(IllegalAction, match="over"):
            state.play(0)


def test_last_blanks_merged_into_a_stone_lose() -> None:
    blanks = " ".join(f"B{rank}{file}" for rank in "GHI" for file in range(7))
    block = "+".join(f"{rank}{file}" for rank in "GHI" for file in range(7))
    state = play(position(f"! {blanks} SA0 sA9 bE9"), f"=S {block}>G0")
    assert state.outcome == Outcome(RED, "no-pieces")


def test_row_21_stuck_with_energy_left() -> None:
    state = play(position("! SC0 SC2 WE4 sH9 bJ0"), "E4-F4")
    assert (state.to_move, state.outcome) == (RED, None)


def test_row_22_fourth_repetition() -> None:
    state = position("! WA0 SA9 wJ0 sJ9")
    for _ in range(3):
        state = play(state, "A0-A1", "J0-J1", "A1-A0", "J1-J0")
        assert state.outcome is None
    assert play(state, "A0-A1").outcome == Outcome(None, "repetition")


def test_sideways_blank_moves_repeat_too() -> None:
    state = position("! BC0 SA9 bH0 sJ9")
    for _ in range(3):
        state = play(state, "C0-C1", "H0-H1", "C1-C0", "H1-H0")
        assert state.outcome is None
    assert play(state, "C0-C1").outcome == Outcome(None, "repetition")


def test_stalemate_in_a_given_position() -> None:
    state = position("! BJ0 SJ1 sA0 bC5", BLUE)
    assert (state.outcome, state.legal_actions()) == (Outcome(None, "stalemate"), [])


SNAKE = [f"B{f}" for f in range(10)] + [f"C{f}" for f in range(9, -1, -1)] + [f"D{f}" for f in range(10)]
THERE_AND_BACK = SNAKE[:-1] + SNAKE[:0:-1]  # a walk on which no position comes up often enough for a draw


def wander(state: Kelasu, first: int, last: int) -> Kelasu:
    """Rounds in which Blue's general walks from B0 and Red's steps to and fro between J0 and J1."""
    for number in range(first, last):
        here, there = (THERE_AND_BACK[n % len(THERE_AND_BACK)] for n in (number, number + 1))
        state = play(state, f"{here}-{there}", "J0-J1" if piece(state, "J0") == "g" else "J1-J0")
    return state


def test_quiet_draw_after_64_rounds() -> None:
    state = wander(position("! GB0 SA9 gJ0 sI9"), 0, 63)
    assert (state.outcome, state.quiet_rounds) == (None, 63)
    assert wander(state, 63, 64).outcome == Outcome(None, "quiet")


@pytest.mark.parametrize(
    ("tokens", "event"),
    [
        ("! GB0 SA9 gJ0 sI9 bG5", "G5-G6"),  # a blank move, sideways
        ("! GB0 SA9 gJ0 sI9 bG5 bG6", "=W G5+G6>G5"),
        ("! GB0 SA9 gJ0 sI9 wG5 BF5", "G5xF5"),
        ("! GB0 SA9 gJ0 sI9 dG5 BF6", "G5%F6"),
    ],
)
def test_quiet_count_starts_again(tokens: str, event: str) -> None:
    state = wander(position(tokens), 0, 40)
    state = play(state, f"{THERE_AND_BACK[40]}-{THERE_AND_BACK[41]}", event)
    assert state.quiet_rounds == 0
    state = wander(state, 41, 104)
    assert (state.outcome, state.quiet_rounds) == (None, 63)
    assert wander(state, 104, 105).outcome == Outcome(None, "quiet")


# ---- Ending a turn early ---------------------------------------------------------------------------------


def test_turns_cannot_be_ended_early_by_default() -> None:
    assert GAME.action_count == 106
    with pytest.raises(IllegalAction, match="end a turn early"):
        GAME.parse(play(known(GAME.start()), "B1-C1"), "end")


def test_may_end_turn_early() -> None:
    game = tengen.game("kelasu", may_end_turn_early=True)
    assert game.action_count == 107
    start = known(game.start())
    assert 106 not in start.legal_actions()
    with pytest.raises(IllegalAction, match="at least once"):
        game.parse(start, "end")
    begun = start.play(cell("B1"))
    assert 106 not in begun.legal_actions()
    with pytest.raises(IllegalAction, match="Finish"):
        begun.play(106)
    moved = begun.play(cell("C1"))
    assert moved.legal_actions()[-1] == 106
    ended = moved.play(106)
    assert (ended.to_move, ended.energy, list(ended.moved)) == (RED, 4, [])
    actions = game.parse(start, "b1c1 ; End")
    assert game.format(start, actions) == "B1-C1;end"
    assert play(start, "B1-C1;end") == ended


# ---- Notation --------------------------------------------------------------------------------------------

READ = [  # position, text, as it is written
    ("BE4", "e4f4", "E4-F4"),
    ("BE4", "E4 F4", "E4-F4"),
    ("BE4", " e4 - f 4 ", "E4-F4"),
    ("BE4", "E4xF4", "E4-F4"),
    ("BE4", "E4>F4;", "E4-F4"),
    ("WE4 bF4", "e4-f4", "E4xF4"),
    ("DE4 bF5", "e4xf5", "E4%F5"),
    ("WJ5", "j5a5", "J5@A5"),
    ("WJ5 bA5", "J5xA5", "J5@A5"),
    ("GJ5", "J5@A5", "J5-A5"),
    ("BE0 BE1", "=w e1 + e0 > e1", "=W E0+E1>E1"),
    ("BE0 BE1", "=WE0,E1>E0", "=W E0+E1>E0"),
    ("BE0 BE1", "=W E1 E0", "=W E0+E1>E1"),
    ("SC2 BE0 BE4", "e0f0;e4f4", "E0-F0;E4-F4"),
    ("BE4", "e4", "E4"),
    ("BE0 BE1", "=w", "=W"),
    ("BE0 BE1", "=w e1", "=W E1"),
    ("BE0 BE1 BE2 BE3", "=R E2 E1 E3", "=R E2 E1 E3"),
]


@pytest.mark.parametrize(("tokens", "text", "written"), READ)
def test_notation(tokens: str, text: str, written: str) -> None:
    state = position(tokens)
    actions = GAME.parse(state, text)
    assert GAME.format(state, actions) == written
    assert GAME.parse(state, written) == actions


def test_merge_cells_in_canonical_order() -> None:
    state = position("BH5 BH6 BI4 BI5 BJ5")
    actions = GAME.parse(state, "=C J5+I5+I4+H6+H5>I4")
    assert actions == [103, *(cell(name) for name in ("I4", "I5", "H5", "H6", "J5"))]


def test_a_move_under_way_goes_on_with_cells() -> None:
    begun = play(position("SC2 BE0 BE1 BF5"), "E0")
    assert GAME.format(begun, [cell("F0")]) == "F0"
    assert GAME.parse(begun, "f0") == [cell("F0")]
    assert GAME.format(begun, GAME.parse(begun, "F0;F5-G5")) == "F0;F5-G5"
    merging = play(position("BE0 BE1 BE2 BE3"), "=R")
    assert GAME.parse(merging, "E1 E0") == [cell("E1"), cell("E0")]
    assert GAME.format(merging, GAME.parse(merging, "E1 E0 E2 E3")) == "E1 E0 E2 E3"


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            " ",
            ";",
            "B",
            "1",
            "B1-",
            "-",
            "B1-C",
            "hello",
            "B1-C1-D1",
            "B1-C1 B3-C3",
            "B1#C1",
            "\u01311c1",
        ),
        *("B1234", "=", "=Q E0+E1>E1", "=W E0+E1", "=W E0+E1>", "=W >E1", "=W E0+E0>E0", "=W E0+E1>E0 E1"),
        *("=W E0 E1 E2", "=W-E0"),
    ],
)
def test_cannot_be_read(text: str) -> None:
    with pytest.raises(NotationError):
        GAME.parse(GAME.start(), text)


REFUSED = [  # position, text, part of the sentence
    ("BE4", "K1-C1", "not on the board"),
    ("BE4", "A10-C1", "not on the board"),
    ("BE4", "D4-E4", "no piece there"),
    ("BE4", "H9-G9", "opponent's piece"),
    ("BE4", "I0-H0", "opponent's piece"),
    ("BE4", "C0-D0", "Stones never move"),
    ("BA9", "A9-A9", "leave its cell"),
    ("BA0 BA1 BB0", "A0-A1", "nowhere to go"),
    ("BE4", "E4-E4", "leave its cell"),
    ("BE4 BE5", "E4-E5", "own piece"),
    ("BE4", "E4-D4", "A blank steps"),
    ("WE4", "E4-F5", "A warrior steps"),
    ("RE4", "E4-E5", "A runner slides"),
    ("DE4 bE5", "E4xE5", "A diplomat slides"),
    ("CE4", "E4-D3", "A champion slides"),
    ("GE4", "E4-F6", "A general slides"),
    ("BE4", "=W E4+E5>E5", "2 connected blanks"),
    ("BE0 BE1", "=G E0+E1>E0", "takes 10 blanks"),
    ("BE0 BE1", "=W E0+E1>E2", "one of the merged cells"),
    ("BE0 BE1 bE2", "=W E1+E2>E1", "your own blanks"),
    ("BE0 BE1 BA0", "=W A0+E1>E1", "home ranks"),
    ("BE0 BE1 BE3", "=W E1+E3>E3", "Too few"),
    ("BE0 BE1 BE3", "=W E1+E3>E1", "does not touch"),
    ("BE4 BE6", "E4-F4;E6-F6", "turn is over"),
    ("SC2 BE4 BE6", "E4-F4;F4-G4", "F4-G4: That piece has already moved"),
]


@pytest.mark.parametrize(("tokens", "text", "sentence"), REFUSED)
def test_refused_with_a_reason(tokens: str, text: str, sentence: str) -> None:
    with pytest.raises(IllegalAction, match=sentence):
        GAME.parse(position(tokens), text)


def test_format_refuses_what_it_cannot_write() -> None:
    start = GAME.start()
    with pytest.raises(ValueError, match="no action"):
        GAME.format(start, [])
    with pytest.raises(IllegalAction):
        GAME.format(start, [0])
    turn = GAME.parse(start, "B1-C1;B3-C3;B4-C4;B5-C5")
    with pytest.raises(ValueError, match="end of the turn"):
        GAME.format(start, [*turn, cell("I1")])


@pytest.mark.parametrize("early", [False, True])
def test_whatever_is_written_can_be_read(early: bool) -> None:
    game = tengen.game("kelasu", may_end_turn_early=early)
    rng = random.Random(4)
    for _ in range(2):
        state = turn_start = known(game.start())
        turn: list[int] = []
        while state.outcome is None and len(state.actions) < 1000:
            legal = state.legal_actions()
            for action in legal:
                assert game.parse(state, game.format(state, [action])) == [action]
            action = rng.choice(legal)
            state, turn = state.play(action), [*turn, action]
            written = game.format(turn_start, turn)
            assert play(turn_start, written) == state
            if state.to_move != turn_start.to_move:
                turn_start, turn = state, []


# ---- Positions and pictures ------------------------------------------------------------------------------

INVALID = [
    ("! BE4 sH9 bI0", "needs a stone"),
    ("! BE4 SC0 bI0", "needs a stone"),
    ("! SC0 sH9 bI0", "other than stones"),
    ("! SC0 BE4 sH9", "other than stones"),
    ("BE4 BE5 BF4 BF5", "victory tiles"),
    ("bE4 bE5 bF4 sF5", "victory tiles"),
]


@pytest.mark.parametrize("seat", [BLUE, RED])
@pytest.mark.parametrize(("tokens", "sentence"), INVALID)
def test_decided_positions_are_refused(tokens: str, sentence: str, seat: int) -> None:
    with pytest.raises(InvalidPosition, match=sentence):
        position(tokens, seat)


def test_bad_positions_and_options() -> None:
    with pytest.raises(InvalidPosition):
        GAME.position(diagram("BE4"), 2)
    good = diagram("BE4")
    for text in ("", "10/10", good.replace("B", "K"), good + "/10", "11" + good):
        with pytest.raises(NotationError):
            GAME.position(text)
    bad: list[dict[str, OptionValue]] = [
        {"may_end_turn_early": 1},
        {"may_end_turn_early": None},
        {"size": 10},
    ]
    for options in bad:
        with pytest.raises(InvalidOption):
            tengen.game("kelasu", **options)


def test_text() -> None:
    state = play(position("SC2 SC7 WE5 BF0"), "E5-F5")
    assert GAME.text(state) == "\n".join(
        [
            "    0  1  2  3  4  5  6  7  8  9",
            " A  .  .  .  .  .  .  .  .  .  .  A",
            " B  .  .  .  .  .  .  .  .  .  B  B",
            " C  S  .  S  .  .  .  .  S  .  .  C",
            " D  .  .  .  .  .  .  .  .  .  .  D",
            " E  .  .  .  . :. :.  .  .  .  .  E",
            " F  B  .  .  . :. :W' .  .  .  .  F",
            " G  .  .  .  .  .  .  .  .  .  .  G",
            " H  .  .  .  .  .  .  .  .  .  s  H",
            " I  b  .  .  .  .  .  .  .  .  .  I",
            " J  .  .  .  .  .  .  .  .  .  .  J",
            "    0  1  2  3  4  5  6  7  8  9",
            "Blue to move, energy 2 # #",
            ": victory tile   ' has moved this turn",
        ]
    )
    assert "begun: F0" in GAME.text(play(state, "F0"))


def test_view() -> None:
    state = play(position("SC2 SC7 WE5 DE8 BF0 BF1 bF9 bF6"), "E5xF6")
    view = GAME.view(state)
    assert (view.last, view.captured) == ((cell("E5"), cell("F6")), (cell("F6"),))
    details = view.details
    assert (details["energy"], details["moved"], details["stages"]) == (2, [cell("F6")], [])
    kinds = {move["from"]: {t["cell"]: t["kind"] for t in move["targets"]} for move in details["moves"]}
    assert cell("F6") not in kinds
    assert kinds[cell("E8")][cell("F9")] == "convert"
    assert kinds[cell("F0")] == {cell("G0"): "move"}
    assert details["merges"] == [{"kind": "W", "cost": 2, "targets": [cell("F0"), cell("F1")]}]
    assert details["may_end_turn"] is False
    assert GAME.view(play(state, "E8%F9")).captured == ()
    assert GAME.view(play(state, "=W F0")).details["stages"] == [100, cell("F0")]
    merged = GAME.view(play(state, "=W F0+F1>F0"))
    assert (merged.last, merged.captured) == ((cell("F0"), cell("F1")), ())


def test_mirror_symmetry() -> None:
    assert GAME.symmetries == 2
    state = play(position("SC2 BE0 BE1 BF1"), "E0-F0")
    mirrored = GAME.transform(state, 1)
    mapping = GAME.action_map(1)
    assert sorted(mapping[action] for action in state.legal_actions()) == mirrored.legal_actions()
    assert GAME.transform(mirrored, 1) == state


def test_the_last_move_is_remembered_as_the_log_tells_it() -> None:
    """Beside a replay of random games: the last whole move, what it took, and the move under way."""
    rng = random.Random(5)
    for _ in range(3):
        state, boards = GAME.start(), [GAME.start().cells()]
        while state.outcome is None and len(boards) < 600:
            state = state.play(rng.choice(state.legal_actions()))
            boards.append(state.cells())
            assert isinstance(state, Kelasu)
            *done, under_way = [*split_moves(state.actions), ()][: None if state.stage == "choose" else -1]
            assert tuple(state.stages) == tuple(under_way)
            if not done:
                continue
            last = done[-1]
            at = len(state.actions) - len(under_way) - len(last)
            if last[0] >= 100:
                assert (state.last_move, state.captured) == (tuple(sorted(last[1:])), ())
                continue
            start, to = last
            took = boards[at][to] and move_kind(boards[at], start, to) != "convert"
            assert state.last_move == (start, to) and state.captured == ((to,) if took else ())


def test_a_turn_played_at_once_is_the_same_as_action_by_action() -> None:
    state = position("SC2 BE0 BE1 BF5")
    assert isinstance(state, Kelasu)
    actions = GAME.parse(state, "E0-F0;F5-G5")
    both = state.play_all(actions)
    assert both == play(state, "E0-F0;F5-G5") and both.actions == tuple(actions)
    with pytest.raises(tengen.IllegalAction):
        state.play_all([*actions, 999])
    assert state.play_all(()) == state
