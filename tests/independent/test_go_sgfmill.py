"""Go against sgfmill's board, which an independent author wrote for reading game records.

sgfmill knows captures, the simple ko point and area counting. It allows suicide and enforces no ko, so
legality is worked out from its boards: a move is legal when the stone is still there after it and the ko rule
allows the point (simple ko) or the resulting board (superko). Its rows count from the bottom, ours from the
top.
"""

from __future__ import annotations

from typing import Any

import pytest
from sgfmill.boards import Board

import tengen

from .records import finished_game, random_game

COLOURS = "bw"


def snapshot(board: Any) -> bytes:
    """sgfmill's board as our cell codes."""
    codes = {None: 0, "b": 1, "w": 2}
    return bytes(
        codes[board.get(row, column)] for row in reversed(range(board.side)) for column in range(board.side)
    )


def place(board: Any, action: int, seat: int) -> int | None:
    """Plays the action there, a pass included; returns the point that simple ko bans, as our action."""
    if action == board.side**2:
        return None
    row, column = divmod(action, board.side)
    ko = board.play(board.side - 1 - row, column, COLOURS[seat])
    return None if ko is None else (board.side - 1 - ko[0]) * board.side + ko[1]


def legal_points(board: Any, seat: int, ko: int | None, seen: set[bytes] | None) -> list[int]:
    """`seen` holds the boards that superko forbids; None for simple ko."""
    points = []
    for action, code in enumerate(snapshot(board)):
        if code or (seen is None and action == ko):
            continue
        copy = board.copy()
        place(copy, action, seat)
        after = snapshot(copy)
        if after[action] and (seen is None or after not in seen):
            points.append(action)
    return points


def same_area(state: Any, board: Any) -> bool:
    black, white = state.score()
    return bool(black - white == board.area_score())


@pytest.mark.parametrize("ko", ["simple", "superko"])
@pytest.mark.parametrize(
    ("size", "games", "length", "look_every"),
    [
        (2, 20, 30, 1),
        (3, 12, 60, 1),
        (4, 8, 80, 1),
        (5, 6, 100, 1),
        (7, 4, 150, 5),
        (9, 4, 250, 10),
        (13, 1, 400, 50),
    ],
)
def test_random_games(ko: str, size: int, games: int, length: int, look_every: int) -> None:
    """Board, captures and ko point after every move; legality and area every so often and at the end."""
    game = tengen.game("go", size=size, ko=ko, scoring="area", komi=0)
    for seed in range(games):
        board = Board(size)
        banned: int | None = None
        seen = {snapshot(board)} if ko == "superko" else None
        last: Any = None
        for number, (state, action, last) in enumerate(random_game(game, seed, length)):
            if number % look_every == 0:
                assert state.legal_actions()[:-1] == legal_points(board, state.to_move, banned, seen)
                assert same_area(state, board)
            stones = len(board.list_occupied_points())
            banned = place(board, action, state.to_move)
            assert last.cells() == snapshot(board)
            gone = stones + (action != size * size) - len(board.list_occupied_points())
            assert (
                last.prisoners[state.to_move] - state.prisoners[state.to_move] == gone == len(last.captured)
            )
            if seen is None:
                assert last.ko == banned
            else:
                assert last.ko is None and banned not in last.legal_actions()
                seen.add(snapshot(board))
        assert last is not None and same_area(last, board)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_full_record_on_19x19(seed: int) -> None:
    """A whole game to two passes: every position, all captures, and the area at the end."""
    record = finished_game(tengen.game("go", komi=0), seed)
    state: Any = tengen.game("go", scoring="area", komi=0).start()
    board = Board(19)
    lost = [0, 0]
    for action in record.actions:
        before = snapshot(board)
        seat = state.to_move
        banned = place(board, action, seat)
        state = state.play(action)
        after = snapshot(board)
        assert state.cells() == after
        assert state.ko == banned
        lost[1 - seat] += before.count(2 - seat) - after.count(2 - seat)
    assert len(record.actions) > 350 and sum(lost) > 20
    assert state.prisoners == (lost[1], lost[0]) == record.prisoners
    assert state.outcome is not None and same_area(state, board)
    # Territory follows from area by the stones that each side has placed.
    placed = [record.cells().count(seat + 1) + lost[seat] for seat in (0, 1)]
    black, white = record.score()
    assert black + placed[0] - white - placed[1] == board.area_score()
