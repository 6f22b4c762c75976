"""PettingZoo: go_v5 stepped with its action mask, the way its documentation shows."""

import importlib
import os
from collections.abc import Callable

import numpy as np

from benchmarks.contestants import KOMI, python_rng
from benchmarks.measure import Work

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
go_v5 = importlib.import_module("pettingzoo.classic.go_v5")


def random_play(size: int) -> Callable[[], Work]:
    """One game a batch, through the Python API."""
    environment = go_v5.env(board_size=size, komi=KOMI)
    rng = python_rng()

    def batch() -> Work:
        environment.reset()
        moves = 0
        while True:
            observation, _, terminated, truncated, _ = environment.last()
            if terminated or truncated:
                return Work(moves, moves)
            actions = np.flatnonzero(observation["action_mask"])
            environment.step(actions[int(rng() * len(actions))])
            moves += 1

    return batch
