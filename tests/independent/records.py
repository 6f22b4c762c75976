"""Seeded games of Go to replay on other people's programs, and point names as GTP writes them.

`random_game` plays anything legal, so that captures, kos and refilled areas abound; `finished_game` leaves
real eyes alone and so comes to a board on which everything is settled.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

COLUMNS = "ABCDEFGHJKLMNOPQRST"


def vertex(action: int, size: int) -> str:
    return "pass" if action == size * size else f"{COLUMNS[action % size]}{size - action // size}"


def action_at(text: str, size: int) -> int:
    return size * size if text.lower() == "pass" else (size - int(text[1:])) * size + COLUMNS.index(text[0])


def actions_at(text: str, size: int) -> list[int]:
    return sorted(action_at(word, size) for word in text.split())


def random_game(game: Any, seed: int, length: int) -> Iterator[tuple[Any, int, Any]]:
    """Up to `length` moves as (state, action, next state); passes only where nothing else is legal."""
    rng = random.Random(seed)
    state = game.start()
    for _ in range(length):
        if state.outcome:
            return
        actions = state.legal_actions()
        action = rng.choice(actions[:-1] or actions)
        following = state.play(action)
        yield state, action, following
        state = following


def finished_game(game: Any, seed: int) -> Any:
    """The end of a game in which neither side fills its eyes; both pass when nothing else is left."""
    rng = random.Random(seed)
    while True:
        state = game.start()
        while state.outcome is None:
            points = state.legal_actions()[:-1]
            rng.shuffle(points)
            cells = state.cells()
            own = state.to_move + 1
            worth = (point for point in points if not is_eye(cells, game.size, point, own))
            state = state.play(next(worth, game.pass_action))
        if state.outcome.reason == "score":
            return state


def is_eye(cells: bytes, size: int, point: int, own: int) -> bool:
    """All neighbours are own stones and the enemy has too few diagonals to make the eye false."""
    row, column = divmod(point, size)

    def at(down: int, right: int) -> int | None:
        r, c = row + down, column + right
        return cells[r * size + c] if 0 <= r < size and 0 <= c < size else None

    if any(at(*step) not in (own, None) for step in ((1, 0), (-1, 0), (0, 1), (0, -1))):
        return False
    diagonals = [at(down, right) for down in (-1, 1) for right in (-1, 1)]
    return diagonals.count(3 - own) < (1 if None in diagonals else 2)
