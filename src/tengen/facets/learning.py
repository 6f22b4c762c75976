"""`Learning`: what a training run and an environment must know of a game."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal

if TYPE_CHECKING:
    from tengen.game import Game, OptionValue


# For a game that plays a thousand times slower than a compiled one: little of everything, so that a minute
# gives a brain that has learned something.
SLOW: Mapping[str, Any] = {
    "blocks": 3,
    "full_simulations": 32,
    "fast_simulations": 8,
    "considered": 8,
    "pool_games": 32,
    "games_per_iteration": 40,
    "rate_samples": 500_000,
    "warm_up": 5_000,
    "average_samples": 10_000,
    "window_first": 5_000,
    "window_most": 100_000,
    "window_ready": 200,
    "gate_iterations": 5,
    "gate_games": 20,
    "gate_simulations": 16,
    "eval_iterations": 20,
    "eval_games": 10,
    "eval_simulations": 16,
    "opponents": ("random", "mcts:200"),
}


class Learning:
    algorithms: ClassVar[tuple[str, ...]] = ("gumbel",)  # that can train it
    options: ClassVar[Mapping[str, OptionValue]] = {}  # that a run begins with, where the game's are too much
    settings: ClassVar[Mapping[str, Any]] = SLOW  # of `tengen.learn.settings`, where they differ
    teacher: ClassVar[Literal["mcts", "alpha-beta"]] = "mcts"  # what `Search` is in this game

    def __init__(self, game: Game) -> None:
        self.game = game

    @property
    def bounds(self) -> tuple[float, float]:
        """Between which numbers the planes of `State.encode` are."""
        return -math.inf, math.inf

    def variants(self, steps: Sequence[float]) -> list[Game]:
        """The games that self-play draws from, one a step; the game itself where steps mean nothing."""
        return [self.game]
