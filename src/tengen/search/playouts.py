"""Light random playouts: the raw material of Monte Carlo search, and what the engine's speed is judged by."""

from __future__ import annotations

from typing import NamedTuple

from tengen import _core
from tengen.game import State


class Tally(NamedTuple):
    """What a number of playouts came to."""

    wins: tuple[int, int]
    draws: int
    actions: int  # made in all playouts together


def playouts(state: State, count: int, seed: int = 0) -> Tally:
    """Plays `count` random games on from the state; the same seed gives the same tally.

    Compiled games do not make moves that no player would ever make (Go does not fill its own eyes), so that
    playouts end; a game written in Python gets uniformly random moves, and a playout of it that has not ended
    after 2,000 of them counts as a draw.
    """
    if not 0 <= count < 2**62:
        raise ValueError("The number of playouts cannot be negative, nor endless.")
    first, second, draws, actions = _core.playouts(state, count, seed % 2**64)
    return Tally((first, second), draws, actions)
