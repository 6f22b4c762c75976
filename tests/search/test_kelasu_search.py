"""Kelasu positions with a known answer, each written as its pieces: a letter and a cell, upper case Blue."""

from __future__ import annotations

import random

import pytest

import tengen
from tengen.game import State
from tengen.search.mcts import Search

GAME = tengen.game("kelasu")


def position(pieces: str, to_move: int = 0) -> State:
    rows = [["."] * 10 for _ in range(10)]
    for piece in pieces.split():
        rows["ABCDEFGHIJ".index(piece[1])][int(piece[2])] = piece[0]
    text = "/".join("".join(row) for row in rows)
    for empty in range(10, 0, -1):
        text = text.replace("." * empty, str(empty))
    return GAME.position(text, to_move)


def turn(state: State, visits: int = 2000, seed: int = 0) -> tuple[list[str], State]:
    """The moves of one turn, and the state after it."""
    mover, moves = state.to_move, []
    search = Search(state, seed=seed)
    while state.outcome is None and state.to_move == mover:
        actions: list[int] = []
        before = state
        while not actions or GAME.mid_move(state):
            search.run(visits=visits, stop_when_clear=True)
            actions.append(search.report().actions[0].action)
            search.play(actions[-1])
            state = state.play(actions[-1])
        moves.append(GAME.format(before, actions))
    return moves, state


@pytest.mark.parametrize(
    ("pieces", "moves", "reason"),
    [
        ("SC0 SC2 WE4 WE5 WF4 WF6 BB9 sH9 bI0", 1, "victory-tiles"),
        ("SC0 SC2 BD4 BD5 WF4 WF5 BB9 sH9 bI0", 2, "victory-tiles"),
        ("SC0 SC2 SC7 SC9 BE3 BE6 BF3 BF6 BB9 sH9 bI0", 4, "victory-tiles"),
        # E4 goes on to F4 and D4 fills the gap.
        ("SC0 SC2 BD4 BE4 BE5 BF5 BB9 sH9 sH7 bI0", 2, "victory-tiles"),
        ("SC0 SC2 CE9 BB9 sH9 bI0", 1, "no-stones"),
        ("SC0 SC2 CE9 CE2 BB9 sH9 sH2 bI0", 2, "no-stones"),
        # A runner takes along the diagonal, and a diplomat converts the other stone.
        ("SC0 SC2 RE6 DG1 BB9 sH9 sH2 bI0", 2, "no-stones"),
        # Two blanks beside the last stone become a warrior that takes it.
        ("SC0 SC2 SC7 SC9 BG8 BG9 BB9 sH9 bI0", 2, "no-stones"),
        ("SC0 SC2 WG9 BB0 sC9 sH9 wJ3 bI0 GC5", 2, "no-stones"),
    ],
)
def test_wins_this_turn(pieces: str, moves: int, reason: str) -> None:
    state = position(pieces)
    search = Search(state)
    search.run(visits=2000)
    assert search.report().proven == "win" and search.report().win == 1
    made, end = turn(state)
    assert end.outcome == (0, reason, None)
    assert len(made) == moves


def test_red_wins_too() -> None:
    made, end = turn(position("sH0 sH2 wF4 wF5 wE4 wE6 bI9 SC9 BB0", to_move=1))
    assert made == ["E6-E5"] and end.outcome == (1, "victory-tiles", None)


@pytest.mark.parametrize(
    ("pieces", "needed"),
    [
        (
            "SC0 SC2 BD4 BB9 BB8 sH9 sH7 bE3 bE5 bF4 bF5",
            {"D4-E4"},
        ),  # the last tile is taken before Red gets it
        ("SC0 SC2 WD4 BB9 BB8 sH9 sH7 bE3 bE5 bF4 bF5", {"D4-E4", "D4xE3", "D4xE5"}),
        ("SC0 BD1 BB8 BB9 cF0 bI5 sH9 sH7 bI0", {"D1-D0"}),  # the only stone hangs: stand in between
        ("SC0 WE1 BB8 BB9 cF0 bI5 sH9 sH7 bI0", {"E1xF0"}),  # or take the attacker
    ],
)
def test_stops_a_win(pieces: str, needed: set[str]) -> None:
    made, after = turn(position(pieces))
    assert needed & set(made)
    reply = Search(after)
    reply.run(visits=2000)
    assert reply.report().proven != "win"


def test_sees_a_win_that_nothing_stops() -> None:
    """Red steps onto the fourth tile next turn, all of Blue is far away, and it shows before that turn."""
    home = " ".join(f"B{rank}{file}" for rank in "AB" for file in range(10))
    search = Search(position(f"{home} SC0 SC2 SC7 SC9 bE4 bE5 bF4 bG5 bI0 sH0 sH2"))
    search.run(visits=60)
    assert search.report().win < 0.05


def test_saves_a_stone() -> None:
    """Red's champion aims at one of four stones; a blank can step in between."""
    _, after = turn(
        position("SC0 SC2 SC7 SC9 BD1 BB4 BB5 BB6 BB7 BA4 BA5 cF0 sH2 sH7 sH9 bI4 bI5 bI6 bI7 bI8")
    )
    moves, after = turn(after)
    assert after.cells().count(7) == 4, moves


def test_does_not_hang_a_general() -> None:
    """A blank and a stone on H4 and H5 are guarded by warriors: neither is worth a general."""
    _, after = turn(position("SC0 GE4 BB3 BB4 BB5 BB6 bH4 sH5 sH0 sH9 wI4 wI5 bI6 bI7 bJ4 bJ5"), visits=5000)
    general = after.cells().index(6)
    takes = [a for a in after.legal_actions() if a < 100 and general in after.play(a).legal_actions()]
    assert not takes


def test_recall_takes() -> None:
    """A warrior on the far rank comes home onto the general that stands on its back rank."""
    moves, after = turn(position("SC2 SC7 WJ0 BB3 BB4 BB5 gA0 sH2 sH7 bI5 bI6 bI7"))
    assert "J0@A0" in moves and 13 not in after.cells()


def test_merges_rather_than_shuffles() -> None:
    """Nothing is left for eight connected blanks but to become something."""
    state = position("SC0 SC2 SC7 SC9 BG3 BG4 BG5 BG6 BF3 BF4 BF6 BD3 sH0 sH2 sH7 sH9 bI1 bI2 bI7 bI8")
    seen = []
    for _ in range(4):
        moves, state = turn(state)
        seen += [move for move in moves if move.startswith("=")]
        if state.outcome is not None or seen:
            break
    assert seen or state.outcome is not None


def test_same_seed_same_move() -> None:
    lines = [turn(GAME.start(), visits=500, seed=3)[0] for _ in range(2)]
    assert lines[0] == lines[1]


def test_threads_and_mid_move_states() -> None:
    state = position("SC0 SC2 SC7 SC9 BD3 BD4 BD5 BE4 BE5 BB1 sH0 sH2 sH7 sH9 bI1 bI2 bI7 bI8")
    for action in (103, 34, 33):  # a champion on D4: its kind, its cell, one of its blanks
        state = state.play(action)
        search = Search(state)
        search.run(visits=400, threads=2)
        report = search.report()
        assert {found.action for found in report.actions} <= set(state.legal_actions())
        line = state
        for step in report.actions[0].line:
            line = line.play(step)


def test_proven_wins_are_wins() -> None:
    """From positions of random games: what is called won is won within the turn."""
    rng = random.Random(5)
    proven = 0
    for _ in range(12):
        state = GAME.start()
        while state.outcome is None and len(state.actions) < 1500:
            state = state.play(rng.choice(state.legal_actions()))
            if len(state.actions) % 40 or state.outcome is not None or GAME.mid_move(state):
                continue
            search = Search(state)
            search.run(visits=100)
            if search.report().proven is None:
                continue
            proven += 1
            mover, (_, end) = state.to_move, turn(state, visits=100)
            assert search.report().proven == "win" and end.outcome is not None
            assert end.outcome.winner == mover
    assert proven > 3


def test_brings_a_won_game_home() -> None:
    state = position("SC0 SC2 SC7 SC9 GB5 CB2 BA4 BA5 BA6 sH0 sH2 sH7 sH9 bI0 bI2 bI4 bI5 bI7 bI9 bJ4")
    for _ in range(30):
        _, state = turn(state, visits=1000 if state.to_move == 0 else 100)
        if state.outcome is not None:
            break
    assert state.outcome is not None and state.outcome.winner == 0


def test_more_visits_play_better() -> None:
    wins = 0.0
    for game in range(4):
        state: State = GAME.start()
        strong = game % 2
        while state.outcome is None and len(state.actions) < 3000:
            _, state = turn(state, visits=15_000 if state.to_move == strong else 40, seed=game)
        winner = None if state.outcome is None else state.outcome.winner
        wins += 1 if winner == strong else 0.5 if winner is None else 0
    assert wins >= 3
