"""Players made of a brain: a search with its net, or for a Q-net the action that it values most."""

from __future__ import annotations

import random
import re

from tengen.brains.net import Brain, board_of
from tengen.brains.search import PLANNED, BrainSearch
from tengen.brains.store import BrainStore
from tengen.game import Game, State
from tengen.players.machine import SearchPlayer
from tengen.players.player import Player

SIMULATIONS = 64  # a move, unless the text says otherwise
_BUDGET = re.compile(r"(?P<name>.+)@(?P<number>[0-9]+(\.[0-9]+)?)(?P<unit>s?)")


def read_budget(text: str) -> tuple[str, str]:
    """The name of the brain and its budget, such as 64 or 2s, in NAME, NAME@SIMULATIONS or NAME@SECONDSs."""
    if found := _BUDGET.fullmatch(text):
        return found["name"], f"{found['number']}{found['unit']}"
    return text, str(SIMULATIONS)


def brain_player(text: str, game: Game, *, seed: int = 0, threads: int = 1) -> Player:
    """The player for NAME, NAME@SIMULATIONS or NAME@SECONDSs; raises BrainError, or ValueError for 0."""
    name, budget = read_budget(text)
    if float(budget.removesuffix("s")) == 0:
        raise ValueError
    brain = BrainStore().find(game, name)
    if brain.info.algorithm == "dqn":
        return QPlayer(brain, seed=seed)
    if budget.endswith("s"):
        return searching(brain, seconds=float(budget[:-1]), seed=seed, threads=threads)
    return searching(brain, visits=int(budget), seed=seed, threads=threads)


def searching(
    brain: Brain,
    *,
    visits: int | None = None,
    seconds: float | None = None,
    blur: float = 0.0,
    seed: int = 0,
    threads: int = 1,
    name: str = "",
) -> SearchPlayer:
    """Few simulations are planned for each move; many, or a time, go into a tree that stays."""
    planned = visits is not None and visits <= PLANNED
    budget = f"{visits}" if visits else f"{seconds:g}s"
    return SearchPlayer(
        visits=visits,
        seconds=seconds,
        blur=blur,
        seed=seed,
        threads=threads,
        name=name or f"{brain.name}@{budget}",
        new_search=lambda state, number: BrainSearch(state, brain, seed=number, planned=planned),
    )


class QPlayer:
    """Plays the legal action with the highest value; without search."""

    def __init__(self, brain: Brain, *, seed: int = 0) -> None:
        self.name = brain.name
        self._brain = brain
        self._rng = random.Random(seed)

    def choose(self, state: State, seconds: float | None = None) -> list[int] | None:
        values = self._brain.q(board_of(state)[None])[0]
        legal = state.legal_actions()
        best = max(values[action] for action in legal)
        return [self._rng.choice([action for action in legal if values[action] == best])]

    def close(self) -> None:
        pass
