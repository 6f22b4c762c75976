"""How fast this machine plays out and searches the games that say what to measure, one thread each."""

from __future__ import annotations

import time
from typing import NamedTuple

from tengen.game import State
from tengen.games import game_classes
from tengen.search.mcts import Search
from tengen.search.playouts import playouts


class Speed(NamedTuple):
    game: str
    board: str
    playouts_s: float
    simulations_s: float


def measure(seconds: float) -> list[Speed]:
    """The speed of each board, measured for about that long each."""
    rows = []
    for name, kind in game_classes().items():
        for board, options in kind.opponents_kind.timed:
            state = kind(**options).start()
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
