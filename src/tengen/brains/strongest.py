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

STRONGER = frozenset({"go", "great-kingdom"})  # games whose shipped brain beats the search without one
GO_KOMI = 3.0  # how far the komi may be from the one that the brain was trained around


def strongest_search(state: State, *, seed: int = 0) -> Search | BrainSearch:
    """A new tree for the position."""
    brain = stronger_brain(state.game)
    if brain is None:
        return Search(state, seed=seed)
    from tengen.brains.search import BrainSearch

    return BrainSearch(state, brain, seed=seed)


def stronger_brain(game: Game) -> Brain | None:
    """The shipped brain if it was trained for that game and is stronger."""
    if game.name not in STRONGER:
        return None
    from tengen.brains.info import BrainError
    from tengen.brains.store import DEFAULT, BrainStore

    try:
        brain = BrainStore().find(game, DEFAULT)
    except BrainError:  # another board
        return None
    return brain if _was_trained_for(game, brain.game) else None


def _was_trained_for(game: Game, trained: Game) -> bool:
    """A Go net sees the komi, and territory as area; the games that it learned from had many komis."""
    if game.name != "go":
        return game == trained
    komi, usual = float(game.options["komi"] or 0), float(trained.options["komi"] or 0)
    return not game.options["handicap"] and abs(komi - usual) <= GO_KOMI
