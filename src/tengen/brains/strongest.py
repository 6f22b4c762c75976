"""The strongest search that we have for a position: with the shipped brain where matches have shown that it
is stronger (docs/training.md), and without one elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen.game import Game, State
from tengen.search.mcts import Search

if TYPE_CHECKING:
    from tengen.brains.net import Brain
    from tengen.brains.search import BrainSearch


def strongest_search(state: State, *, seed: int = 0) -> Search | BrainSearch:
    """A new tree for the position."""
    brain = stronger_brain(state.game)
    if brain is None:
        return Search(state, seed=seed)
    from tengen.brains.search import BrainSearch

    return BrainSearch(state, brain, seed=seed)


def stronger_brain(game: Game) -> Brain | None:
    """The shipped brain if it was trained for that game and is stronger."""
    if not game.opponents.brain_is_stronger:
        return None
    from tengen.brains.info import BrainError
    from tengen.brains.store import DEFAULT, BrainStore

    try:
        brain = BrainStore().find(game, DEFAULT)
    except BrainError:  # another board
        return None
    return brain if any(map(game.opponents.trained_for, brain.learned)) else None
