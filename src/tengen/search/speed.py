"""How fast this machine plays out and searches the four games, one thread each."""

from __future__ import annotations

import time
from typing import NamedTuple

from tengen.game import OptionValue, State
from tengen.games import game
from tengen.search.mcts import Search
from tengen.search.playouts import playouts


class Speed(NamedTuple):
    game: str
    board: str
    playouts_s: float
    simulations_s: float


_BOARDS: tuple[tuple[str, str, dict[str, OptionValue]], ...] = (
    ("great-kingdom", "9x9", {"size": 9}),
    ("go", "9x9", {"size": 9, "scoring": "area"}),
    ("go", "19x19", {"size": 19, "scoring": "area"}),
    ("kelasu", "10x10", {}),
    ("dominion-duel", "9", {"n": 9}),
)


def measure(seconds: float) -> list[Speed]:
    """The speed of each board, measured for about that long each."""
    rows = []
    for name, board, options in _BOARDS:
        state = game(name, **options).start()
        rows.append(Speed(name, board, _playouts(state, seconds / 2), _simulations(state, seconds / 2)))
    return rows


def _playouts(state: State, seconds: float) -> float:
    done, start = 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        playouts(state, 64, seed=done)
        done += 64
    return done / spent


def _simulations(state: State, seconds: float) -> float:
    search, start = Search(state), time.perf_counter()
    search.run(seconds=seconds)
    return search.report().visits / (time.perf_counter() - start)
