"""Exact play against plain enumeration with the naive rules of tests/reference."""

from __future__ import annotations

import _thread
import math
import random
import threading
from functools import cache
from typing import Any

import pytest

import tengen
from tengen.game import cells_to_text
from tengen.games.dominion_duel import perfect as dominion
from tengen.search.solve import NotSolvableError, Progress, Solution, SolvingStopped, solve
from tests.reference.dominion_duel import DominionDuel
from tests.reference.go import Go
from tests.reference.great_kingdom import GreatKingdom


def great_kingdom_value(**options: Any) -> float:
    """The largest lead that Blue can force, by minimax over all positions."""
    known: dict[tuple[str, int, int], float] = {}

    def value(position: GreatKingdom) -> float:
        if position.outcome is not None:
            winner, reason, score = position.outcome
            if reason == "territory":
                assert score is not None
                return score[0] - score[1]
            return math.inf if winner == 0 else -math.inf
        key = position.board, position.to_move, position.passes
        if key not in known:
            values = []
            for action in position.legal_actions():
                after = position.copy()
                after.play(action)
                values.append(value(after))
            known[key] = max(values) if position.to_move == 0 else min(values)
        return known[key]

    return value(GreatKingdom(**options))


GREAT_KINGDOM_3X3: list[dict[str, Any]] = [
    {},
    {"rules": "published"},
    {"suicide": "illegal", "enter_own_territory": False},
    {"rules": "published", "castles": 3},
]


@pytest.mark.parametrize("options", GREAT_KINGDOM_3X3, ids=str)
def test_great_kingdom_3x3_is_what_enumeration_finds(options: dict[str, Any]) -> None:
    expected = great_kingdom_value(size=3, **options)
    solution = solve(tengen.game("great-kingdom", size=3, **options).start(), memory_mb=4)
    assert solution.exact
    assert solution.value == solution.low == solution.high == expected


@pytest.mark.parametrize("lead", range(-10, 11))
@pytest.mark.parametrize("rules", ["rulebook", "published"])
def test_the_lead_decides_who_wins(lead: int, rules: str) -> None:
    solution = solve(tengen.game("great-kingdom", size=3, rules=rules, lead=lead).start(), memory_mb=4)
    assert solution.winner == (0 if lead <= great_kingdom_3x3(rules) else 1)


@cache
def great_kingdom_3x3(rules: str) -> float:
    return great_kingdom_value(size=3, rules=rules)


@pytest.mark.parametrize("rules", ["rulebook", "published"])
def test_great_kingdom_4x4_from_positions(rules: str) -> None:
    options: dict[str, Any] = {"size": 4, "neutral": False, "rules": rules}
    rng = random.Random(1)
    tested = 0
    while tested < 5:
        position = GreatKingdom(**options)
        while not position.over and position.board.count(".") > 6:
            position.play(rng.choice(position.legal_actions()))
        if position.over:
            continue
        expected = great_kingdom_value(**options, cells=position.board, to_move=position.to_move)
        text = cells_to_text([".BO".index(letter) for letter in position.board], ".BO", 4)
        state = tengen.game("great-kingdom", **options).position(text, position.to_move)
        assert solve(state, memory_mb=4).value == expected, text
        tested += 1


@pytest.mark.parametrize(("rules", "value"), [("rulebook", 0), ("published", 1)])
def test_great_kingdom_4x4(rules: str, value: int) -> None:
    game = tengen.game("great-kingdom", size=4, neutral=False, rules=rules, lead=value)
    solution = solve(game.start(), memory_mb=32)
    assert (solution.value, solution.winner) == (value, 0)
    ended = play_line(game.start(), solution)
    assert ended.outcome is not None and ended.outcome.score is not None
    assert ended.outcome.score[0] - ended.outcome.score[1] == value


def play_line(state: tengen.State, solution: Solution) -> tengen.State:
    for action, move in zip(solution.line, solution.moves, strict=True):
        assert state.game.parse(state, move) == [action]
        state = state.play(action)
    return state


def test_a_capture_is_worth_more_than_any_lead() -> None:
    game = tengen.game("great-kingdom", size=3)
    solution = solve(game.position("OB1/1N1/3", 0), memory_mb=4)
    assert solution.value == math.inf
    assert solution.text.startswith("Blue can force a capture.")
    assert len(solution.line) == 1


def go_values(size: int) -> dict[tuple[str, int], int]:
    """Black's area lead from every board, either side to move and endless play being 0, by iteration to rest.

    The lead that Black can force grows from 0, that of White falls from 0, and what stays 0 is a draw.
    """
    start = Go(size=size, scoring="area", komi=0)
    positions = {go_key(start): start}
    children: dict[Any, list[Any]] = {}
    scores: dict[Any, int] = {}
    waiting = [start]
    for board in all_go_boards(size):
        for to_move in (0, 1):
            position = Go(size=size, scoring="area", komi=0, cells=board, to_move=to_move)
            if go_key(position) not in positions:
                positions[go_key(position)] = position
                waiting.append(position)
    while waiting:
        position = waiting.pop()
        key = go_key(position)
        if position.passes == 2:
            black, white = position.score()
            scores[key] = int(black - white)
            continue
        children[key] = []
        for action in position.legal_actions():
            after = position.copy()
            after.counts.clear()
            after.play(action)
            children[key].append(go_key(after))
            if go_key(after) not in positions:
                positions[go_key(after)] = after
                waiting.append(after)
    values = {}
    for clip in (max, min):
        found = {key: clip(0, scores.get(key, 0)) for key in positions}
        changed = True
        while changed:
            changed = False
            for key, below in children.items():
                best = max if key[1] == 0 else min
                now = clip(0, best(found[child] for child in below))
                changed |= now != found[key]
                found[key] = now
        for key, value in found.items():
            if value:
                values[key] = value
    return {(key[0], key[1]): values.get(key, 0) for key in positions if key[2:] == (0, None)}


def go_key(position: Go) -> tuple[str, int, int, int | None]:
    return position.board, position.to_move, position.passes, position.ko


def all_go_boards(size: int) -> list[str]:
    boards = [""]
    for _ in range(size * size):
        boards = [board + letter for board in boards for letter in ".XO"]
    return [
        board
        for board in boards
        if all(liberties for _, liberties in Go(size=size, cells=board).chains().values())
    ]


def test_go_2x2_from_every_position() -> None:
    game = tengen.game("go", size=2, scoring="area", komi=0)
    values = go_values(2)
    assert len(values) > 100
    for (board, to_move), value in values.items():
        text = f"{board[:2]}/{board[2:]}".replace("..", "2").replace(".", "1")
        solution = solve(game.position(text, to_move), memory_mb=1)
        assert solution.exact
        assert solution.value == value, (text, to_move)


@pytest.mark.parametrize(
    ("komi", "winner", "value"), [(0, 0, 9), (8.5, 0, 9), (9, None, 9), (9.5, 1, 9), (100, 1, 9)]
)
def test_go_3x3(komi: float, winner: int | None, value: float) -> None:
    solution = solve(tengen.game("go", size=3, scoring="area", komi=komi).start(), memory_mb=4)
    assert (solution.winner, solution.value, solution.exact) == (winner, value, True)


def test_go_3x3_line_is_legal_and_black_keeps_everything() -> None:
    game = tengen.game("go", size=3, scoring="area", komi=0)
    solution = solve(game.start(), memory_mb=4)
    assert solution.moves[0] == "B2"
    state = play_line(game.start(), solution)
    assert state.outcome is None


@pytest.mark.parametrize(
    ("name", "options", "actions"),
    [
        ("great-kingdom", {"size": 3}, [9, 9]),
        ("go", {"size": 3, "scoring": "area", "komi": 0}, [4, 9, 9]),
        ("dominion-duel", {"n": 3}, [1]),
    ],
)
def test_a_finished_game_is_its_own_solution(name: str, options: dict[str, Any], actions: list[int]) -> None:
    state = tengen.game(name, **options).start()
    for action in actions:
        state = state.play(action)
    assert state.outcome is not None
    solution = solve(state)
    assert (solution.winner, solution.exact, solution.line) == (state.outcome.winner, True, ())


def test_what_cannot_be_solved_is_refused() -> None:
    refused: list[tuple[str, dict[str, Any]]] = [
        ("great-kingdom", {"size": 9}),
        ("go", {"size": 9, "scoring": "area"}),
        ("go", {"size": 3}),
        ("go", {"size": 3, "scoring": "area", "ko": "superko"}),
        ("kelasu", {}),
    ]
    for name, options in refused:
        with pytest.raises(NotSolvableError, match=r"\.$"):
            solve(tengen.game(name, **options).start())


def test_two_runs_are_the_same() -> None:
    start = tengen.game("great-kingdom", size=4, neutral=False, rules="published").start()
    first, second = (solve(start, memory_mb=2) for _ in range(2))
    assert (first.value, first.line, first.nodes) == (second.value, second.line, second.nodes)


def test_a_small_table_gives_the_same_value() -> None:
    start = tengen.game("great-kingdom", size=4, neutral=False).start()
    assert solve(start, memory_mb=1).value == solve(start, memory_mb=64).value


def test_ctrl_c_leaves_with_what_is_known() -> None:
    start = tengen.game("great-kingdom", size=7).start()
    timer = threading.Timer(0.5, _thread.interrupt_main)
    timer.start()
    with pytest.raises(SolvingStopped) as stopped:
        solve(start, memory_mb=4)
    timer.join()
    known = stopped.value.known
    assert not known.exact and known.value is None
    assert known.nodes > 0
    assert known.low <= known.high


def test_progress_is_told_and_its_exceptions_stop_the_solver() -> None:
    seen: list[Progress] = []

    def watch(progress: Progress) -> None:
        seen.append(progress)
        if len(seen) == 3:
            raise TimeoutError

    with pytest.raises(TimeoutError):
        solve(tengen.game("great-kingdom", size=7).start(), memory_mb=4, progress=watch)
    assert len(seen) == 3
    assert seen[0].question == "Can Blue force a lead of 0?"
    assert seen[0].nodes <= seen[2].nodes and seen[0].seconds < seen[2].seconds


@cache
def dominion_winner(board: str, to_move: int) -> int | None:
    position = DominionDuel(cells=board, to_move=to_move)
    if position.outcome is not None:
        return position.outcome[0]
    results = set()
    for action in position.legal_actions():
        after = position.copy()
        after.play(action)
        results.add(dominion_winner(after.board, after.to_move))
    order = [0, None, 1] if to_move == 0 else [1, None, 0]
    return next(winner for winner in order if winner in results)


@pytest.mark.parametrize("n", range(1, 13))
def test_dominion_duel_is_what_enumeration_finds(n: int) -> None:
    game = tengen.game("dominion-duel", n=n)
    waiting, seen = [game.start()], set()
    while waiting:
        state = waiting.pop()
        board = "".join(".XO#"[code] for code in state.cells())
        if board in seen:
            continue
        seen.add(board)
        assert solve(state).winner == dominion_winner(board, state.to_move)
        if state.outcome is not None:
            continue
        best = dominion.best_actions(state)
        for action in state.legal_actions():
            after = state.play(action)
            waiting.append(after)
            text = "".join(".XO#"[code] for code in after.cells())
            keeps = dominion_winner(text, after.to_move) == dominion_winner(board, state.to_move)
            assert (action in best) == keeps


def test_the_period_of_dominion_duel_goes_on() -> None:
    values = [0]
    for run in range(1, 700):
        reachable = {values[max(0, claim - 1)] ^ values[max(0, run - claim - 2)] for claim in range(run)}
        values.append(next(value for value in range(run + 1) if value not in reachable))
    assert [dominion.grundy(run) for run in range(700)] == values


def test_dominion_duel_is_solved_for_long_rows() -> None:
    solution = solve(tengen.game("dominion-duel", n=100_000).start())
    assert solution.winner == (0 if dominion.grundy(100_000) else None)
