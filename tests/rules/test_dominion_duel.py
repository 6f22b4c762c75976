"""Dominion Duel's rules in a table: docs/rules/dominion-duel.md, cited as "DD 5".

Games are lists of territory numbers, rows are drawn as `position` reads them.
"""

from __future__ import annotations

import pytest

import tengen
from tengen import IllegalAction, InvalidOption, InvalidPosition, NotationError, State

FIRST, SECOND = 0, 1
# DD, strategy facts: Grundy values of a row of n, from 0 on.
GRUNDY = (0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5, 2, 2, 3, 3)
DRAWN = (4, 8, 14)  # where the best play of Player 2 draws, up to the longest row that is searched here
SEARCHED = 15


def start(n: int) -> State:
    return tengen.game("dominion-duel", n=n).start()


def play(n: int, *territories: int) -> State:
    state = start(n)
    for territory in territories:
        (action,) = state.game.parse(state, str(territory))
        assert action == territory - 1
        state = state.play(action)
    return state


ENDS = [
    # rule, n, claims, row at the end, winner, score
    ("the rulebook's example", 9, (5, 2, 8), "#O##X##X#", FIRST, (2, 1)),
    ("DD 5: a draw on nine territories", 9, (2, 4, 6, 8), "#X#O#X#O#", None, (2, 2)),
    ("DD 5: the longest game on nine", 9, (1, 3, 5, 7, 9), "X#O#X#O#X", FIRST, (3, 2)),
    ("DD 4: an end has one neighbour", 2, (1,), "X#", FIRST, (1, 0)),
    ("DD 4: the other end too", 2, (2,), "#X", FIRST, (1, 0)),
    ("DD 5: one territory", 1, (1,), "X", FIRST, (1, 0)),
    ("DD 5: three by the middle", 3, (2,), "#X#", FIRST, (1, 0)),
    ("DD 5: three by an end", 3, (1, 3), "X#O", None, (1, 1)),
    ("DD 4: the row does not wrap around", 4, (1, 4), "X##O", None, (1, 1)),
    ("DD 5: four cannot be won", 4, (2, 4), "#X#O", None, (1, 1)),
    ("DD 4: neighbours of one claim may be locked twice", 5, (1, 3, 5), "X#O#X", FIRST, (2, 1)),
]


@pytest.mark.parametrize(
    ("rule", "n", "claims", "row", "winner", "score"), ENDS, ids=[row[0] for row in ENDS]
)
def test_games(
    rule: str, n: int, claims: tuple[int, ...], row: str, winner: int | None, score: tuple[int, int]
) -> None:
    for length in range(len(claims)):
        assert play(n, *claims[:length]).outcome is None
    state = play(n, *claims)
    assert state.game.diagram(state) == row
    assert state.outcome == (winner, "claims", score)
    assert state.legal_actions() == []
    assert state.game.view(state).score == score


LOCKS = [
    # rule, n, claims, row, mover, open territories
    ("DD 1", 9, (), "9", FIRST, (1, 2, 3, 4, 5, 6, 7, 8, 9)),
    ("DD 4", 9, (5,), "3#X#3", SECOND, (1, 2, 3, 7, 8, 9)),
    ("DD 4", 9, (5, 2), "#O##X#3", FIRST, (7, 8, 9)),
    ("DD 4", 9, (1,), "X#7", SECOND, (3, 4, 5, 6, 7, 8, 9)),
    ("DD 4", 9, (9,), "7#X", SECOND, (1, 2, 3, 4, 5, 6, 7)),
    ("DD 4", 9, (3, 5), "1#X#O#3", FIRST, (1, 7, 8, 9)),
    ("DD 2", 9, (3, 5, 1), "X#X#O#3", SECOND, (7, 8, 9)),
    ("DD 4", 64, (64,), "62#X", SECOND, tuple(range(1, 63))),
    ("DD 4", 65, (65, 1), "O#61#X", FIRST, tuple(range(3, 64))),
    ("DD 4", 200, (64, 66), "62#X#O#133", FIRST, (*range(1, 63), *range(68, 201))),
]


@pytest.mark.parametrize(("rule", "n", "claims", "row", "mover", "is_open"), LOCKS)
def test_claims_lock_their_neighbours(
    rule: str, n: int, claims: tuple[int, ...], row: str, mover: int, is_open: tuple[int, ...]
) -> None:
    state = play(n, *claims)
    assert state.game.diagram(state) == row
    assert state.to_move == mover
    assert state.legal_actions() == [territory - 1 for territory in is_open]
    assert state.game.position(row, mover) == state
    assert hash(state.game.position(row, mover)) == hash(state)


def test_the_order_of_claims_does_not_matter() -> None:
    assert play(9, 1, 5, 9) == play(9, 9, 5, 1) != play(9, 1, 9, 5)


@pytest.mark.parametrize(
    ("claims", "text", "error", "words"),
    [
        ((5,), "5", IllegalAction, "already claimed"),
        ((5,), "4", IllegalAction, "locked"),
        ((5,), "6", IllegalAction, "locked"),
        ((), "0", IllegalAction, "from 1 to 9"),
        ((), "10", IllegalAction, "from 1 to 9"),
        ((), "99999999999999999999", IllegalAction, "from 1 to 9"),
        ((5, 2, 8), "1", IllegalAction, "over"),
        ((), "", NotationError, "number"),
        ((), "five", NotationError, "number"),
        ((), "-1", NotationError, "number"),
        ((), "+1", NotationError, "number"),
        ((), "1.0", NotationError, "number"),
        ((), "1 2", NotationError, "number"),
        ((), "1_0", NotationError, "number"),
        ((), "٥", NotationError, "number"),
        ((), "5²", NotationError, "number"),
    ],
)
def test_bad_moves(claims: tuple[int, ...], text: str, error: type[ValueError], words: str) -> None:
    state = play(9, *claims)
    with pytest.raises(error, match=words):
        state.game.parse(state, text)


@pytest.mark.parametrize("text", ["5", " 5 ", "05", "5\n"])
def test_moves_are_read_kindly(text: str) -> None:
    game = tengen.game("dominion-duel")
    assert game.parse(game.start(), text) == [4]


@pytest.mark.parametrize(
    ("row", "mover", "words"),
    [
        ("9", SECOND, "first player"),
        ("3#X#3", FIRST, "second player"),
        ("3#O#3", FIRST, "alternate"),
        ("X##X5", FIRST, "locked"),
        ("X##X#4", FIRST, "alternate"),
        ("XO#6", FIRST, "neighbouring"),
        ("4X#3", SECOND, "must be locked"),
        ("3#X4", SECOND, "must be locked"),
        ("4#4", FIRST, "no claimed neighbour"),
        ("X##6", SECOND, "no claimed neighbour"),
    ],
)
def test_positions_that_cannot_arise(row: str, mover: int, words: str) -> None:
    """DD 8."""
    with pytest.raises(InvalidPosition, match=words):
        tengen.game("dominion-duel").position(row, mover)


@pytest.mark.parametrize("row", ["", "8", "91", "10", "9/", "3#x#3", "8.", "........."])
def test_rows_that_cannot_be_read(row: str) -> None:
    with pytest.raises(NotationError):
        tengen.game("dominion-duel").position(row)


@pytest.mark.parametrize("n", [0, -1, 1_000_001, True, 9.0, "9", None])
def test_the_length_of_the_row(n: object) -> None:
    """DD 6."""
    with pytest.raises(InvalidOption, match="n must be a whole number from 1 to 1000000"):
        tengen.game("dominion-duel", n=n)  # type: ignore[call-overload]


def test_the_longest_row() -> None:
    n = 1_000_000
    state = play(n, n, 1, n // 2)
    assert state.game.diagram(state) == f"O#{n // 2 - 4}#X#{n // 2 - 3}#X"
    assert len(state.legal_actions()) == n - 7
    assert state.game.position(state.game.diagram(state), SECOND) == state
    with pytest.raises(IllegalAction, match="locked"):
        state.play(n - 2)


def test_drawing() -> None:
    """DD 9, as in the worked example."""
    state = play(9, 5, 2)
    assert state.game.text(state) == "[#] [O] [#] [#] [X] [#] [7] [8] [9]"


BEST: dict[State, int] = {}


def best_for_first(state: State) -> int:
    """What the first player gets with the best play of both: 1 a win, 0 a draw, -1 a loss."""
    if state.outcome is not None:
        return {FIRST: 1, None: 0, SECOND: -1}[state.outcome.winner]
    if state not in BEST:
        values = [best_for_first(state.play(action)) for action in state.legal_actions()]
        BEST[state] = max(values) if state.to_move == FIRST else min(values)
    return BEST[state]


@pytest.mark.parametrize("n", range(1, SEARCHED))
def test_the_first_player_wins_exactly_where_the_grundy_value_is_not_zero(n: int) -> None:
    assert best_for_first(start(n)) == (1 if GRUNDY[n] else 0)
    assert (GRUNDY[n] == 0) == (n in DRAWN)


def test_five_is_the_only_winning_first_claim_on_nine() -> None:
    values = {action + 1: best_for_first(start(9).play(action)) for action in range(9)}
    assert [territory for territory, value in values.items() if value == 1] == [5]
    assert set(values.values()) == {0, 1}


def lengths(state: State) -> set[int]:
    """How many more claims a game can have."""
    if state.outcome is not None:
        return {0}
    return {1 + more for action in state.legal_actions() for more in lengths(state.play(action))}


def test_games_on_nine_last_three_to_five_claims() -> None:
    assert lengths(start(9)) == {3, 4, 5}


def runs(state: State) -> list[int]:
    """The lengths of the runs of open territories."""
    row = "".join("." if code == 0 else " " for code in state.cells())
    return [len(run) for run in row.split()]


@pytest.mark.parametrize("n", [9, 10, 13])
def test_every_position_is_decided_by_the_grundy_values_of_its_runs(n: int) -> None:
    """The player to move makes the last claim exactly when the values do not XOR to 0."""
    states = {start(n)}
    while states:
        for state in states:
            value = 0
            for run in runs(state):
                value ^= GRUNDY[run]
            mover_is_last = value != 0
            assert best_for_first(state) == (1 if mover_is_last == (state.to_move == FIRST) else 0)
        states = {state.play(action) for state in states for action in state.legal_actions()}


@pytest.mark.parametrize("n", [9, 21, 64 + 1, 201])
def test_the_mirror_strategy_wins_on_odd_rows(n: int) -> None:
    state, chosen = play(n, (n + 1) // 2), 0
    while state.outcome is None:
        legal = state.legal_actions()
        chosen = (7 * chosen + 3) % len(legal)
        action = legal[chosen]
        state = state.play(action).play(n - 1 - action)
    assert state.outcome.winner == FIRST
