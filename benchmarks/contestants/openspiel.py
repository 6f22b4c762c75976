"""OpenSpiel: random rollouts in C++, and play through its Python API.

The published package does not let Python call RandomRolloutEvaluator::Evaluate by itself, so rollouts are
reached through MCTSBot. A search of one simulation evaluates the root and stops: it makes exactly
n_rollouts rollouts from the given state, all inside one call into C++.
"""

import importlib
from collections.abc import Callable
from typing import Any

from benchmarks.contestants import KOMI, PYTHON_SEED, python_rng
from benchmarks.measure import Work

LENGTH_SAMPLE = 400  # games; puts the mean length within about 2 %

pyspiel = importlib.import_module("pyspiel")


def go(size: int) -> Any:
    return pyspiel.load_game(f"go(board_size={size},komi={KOMI})")


def rollouts(size: int, count: int) -> Callable[[], Work]:
    """Batches of `count` rollouts from the start position.

    The evaluator does not say how many moves it made. It picks uniformly among legal_actions() until
    is_terminal(), as _play does from Python, so the mean length of such games stands in for it.
    """
    game = go(size)
    state = game.new_initial_state()
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=count, seed=PYTHON_SEED)
    bot = pyspiel.MCTSBot(
        game,
        evaluator,
        uct_c=1.0,
        max_simulations=1,
        max_memory_mb=16,
        solve=False,
        seed=PYTHON_SEED,
        verbose=False,
    )
    rng = python_rng()
    mean_length = sum(_play(game, rng) for _ in range(LENGTH_SAMPLE)) / LENGTH_SAMPLE

    def batch() -> Work:
        root = bot.mcts_search(state)
        if root.explore_count != 1:
            raise RuntimeError(f"one simulation was asked for and {root.explore_count} were made")
        return Work(count, count * mean_length)

    return batch


def simulations(size: int, count: int) -> Callable[[], Work]:
    """Batches of one tree search of `count` simulations with one rollout each, from the start position."""
    game = go(size)
    state = game.new_initial_state()
    bot = pyspiel.MCTSBot(
        game,
        pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=PYTHON_SEED),
        uct_c=1.0,
        max_simulations=count,
        max_memory_mb=1000,
        solve=False,
        seed=PYTHON_SEED,
        verbose=False,
    )

    def batch() -> Work:
        bot.mcts_search(state)
        return Work(count, count)

    return batch


def random_play(size: int) -> Callable[[], Work]:
    """One game a batch, through the Python API."""
    game = go(size)
    rng = python_rng()

    def batch() -> Work:
        moves = _play(game, rng)
        return Work(moves, moves)

    return batch


def _play(game: Any, rng: Callable[[], float]) -> int:
    state = game.new_initial_state()
    moves = 0
    while not state.is_terminal():
        actions = state.legal_actions()
        state.apply_action(actions[int(rng() * len(actions))])
        moves += 1
    return moves
