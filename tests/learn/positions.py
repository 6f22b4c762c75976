"""Positions of random games, for nets to look at."""

from __future__ import annotations

import random

import numpy as np
from numpy.typing import NDArray

from tengen.game import Game, State


def random_states(game: Game, count: int, seed: int = 1) -> list[State]:
    rng = random.Random(seed)
    states: list[State] = []
    while len(states) < count:
        state = game.start()
        while state.outcome is None and len(states) < count:
            states.append(state)
            state = state.play(rng.choice(state.legal_actions()))
    return states


def random_planes(game: Game, count: int, seed: int = 1) -> NDArray[np.float32]:
    return np.stack([state.encode() for state in random_states(game, count, seed)])
