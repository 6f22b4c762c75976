"""Light random playouts: the raw material of Monte Carlo search, and what the engine's speed is judged by."""

from __future__ import annotations

import random
from typing import NamedTuple

from tengen import _core
from tengen.game import State
from tengen.search.compiled import CompiledState


class Tally(NamedTuple):
    """What a number of playouts came to."""

    wins: tuple[int, int]
    draws: int
    actions: int  # made in all playouts together


def playouts(state: State, count: int, seed: int = 0) -> Tally:
    """Plays `count` random games on from the state; the same seed gives the same tally.

    Compiled games do not make moves that no player would ever make (Go does not fill its own eyes), so that
    playouts end; a game written in Python gets uniformly random moves.
    """
    if not 0 <= count < 2**62:
        raise ValueError("The number of playouts cannot be negative, nor endless.")
    if isinstance(state, CompiledState):
        first, second, draws, actions = _core.playouts(state, count, seed % 2**64)
        return Tally((first, second), draws, actions)
    return _plain_playouts(state, count, random.Random(seed))


def _plain_playouts(start: State, count: int, rng: random.Random) -> Tally:
    wins, draws, actions = [0, 0], 0, 0
    for _ in range(count):
        state = start
        while (outcome := state.outcome) is None:
            state = state.play(rng.choice(state.legal_actions()))
            actions += 1
        if outcome.winner is None:
            draws += 1
        else:
            wins[outcome.winner] += 1
    return Tally((wins[0], wins[1]), draws, actions)
