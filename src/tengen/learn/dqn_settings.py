"""The settings of the DQN: those of `config.json`, and what the loop around it needs. No PyTorch here.

`DqnSettings` is all that a run goes by; `dqn_settings` makes it from the settings in force.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from tengen.games import game_classes
from tengen.settings import Settings


@dataclass(frozen=True, slots=True)
class DqnSettings:
    """The first nine have the names, meanings and defaults of `tengen.settings`."""

    learning_rate: float = 0.0005
    gamma: float = 0.95  # a move of either seat: what is won sooner is worth more
    batch_size: int = 128
    epsilon_start: float = 1.0
    epsilon_min: float = 0.05
    epsilon_decay: float = 0.9995  # a game; the minimum comes after some 6000
    capacity: int = 10_000  # moves in memory
    target_update_frequency: int = 500  # steps of learning between two copies of the net
    mcts_iterations: int = 1000  # visits a move of the opponent
    capture_reward: float = 0.3  # a castle captured
    loss_reward: float = -0.5  # a castle lost
    hidden: int = 256  # units in each of the two hidden layers
    moves_per_step: int = 8  # moves between two steps: with batches of 128 each is learned from 16 times
    parallel_games: int = 8  # against the search: half of them wait for it, which keeps its threads busy
    self_play_games: int = 56  # against itself: as many as are played and learned from while it thinks
    threads: int = 2  # that search; the numbers do not depend on it
    seed: int = 0
    report_games: int = 100  # games between two lines of progress; in a duel, those of a round
    measure_games: int = 500  # games between two measurements of the win rates
    measured_games: int = 40  # games against each fixed opponent in a measurement
    final_games: int = 200  # in each of the last matches of a duel; without search they take a second
    checkpoint_s: float = 30.0  # what a kill may cost

    def __post_init__(self) -> None:
        """Checks what the loop relies on. That the rates make sense is checked in `tengen.settings`."""
        for name in _COUNTS:
            value = getattr(self, name)
            if type(value) is not int or value < 1:
                raise ValueError(f"{name} must be a whole number of at least 1, not {value!r}.")
        if self.self_play_games < 0:
            raise ValueError("self_play_games cannot be negative.")
        if self.batch_size > self.capacity:
            raise ValueError(f"A batch of {self.batch_size} does not fit a memory of {self.capacity} moves.")


_COUNTS = (
    "batch_size",
    "capacity",
    "target_update_frequency",
    "mcts_iterations",
    "hidden",
    "moves_per_step",
    "parallel_games",
    "threads",
    "report_games",
    "measure_games",
    "measured_games",
    "final_games",
)


def learners(algorithm: str) -> list[str]:
    """The titles of the games that the algorithm learns."""
    kinds = game_classes().values()
    return [kind.title for kind in kinds if algorithm in kind.learning_kind.algorithms]


def dqn_settings(settings: Settings, given: Mapping[str, Any] | None = None) -> DqnSettings:
    """Those in force, changed by what is given by name; raises ValueError with a sentence."""
    known = {f.name for f in fields(DqnSettings)}
    for name in given or {}:
        if name not in known:
            raise ValueError(f"The DQN has no setting {name!r}; it has {', '.join(sorted(known))}.")
    shared = {f.name: getattr(settings, f.name) for f in fields(Settings) if f.name in known}
    return DqnSettings(**(shared | dict(given or {})))
