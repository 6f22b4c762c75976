"""The players behind the levels that people choose (tengen.search.levels)."""

from __future__ import annotations

from tengen.brains.strongest import stronger_brain
from tengen.game import Game
from tengen.players.machine import ExactDominionPlayer, SearchPlayer
from tengen.search.levels import MOVE_SECONDS, Level


def level_player(
    level: Level, game: Game, *, seed: int = 0, threads: int = 1
) -> SearchPlayer | ExactDominionPlayer:
    name = f"level {level.number}, {level.name}"
    if game.name == "dominion-duel":
        return ExactDominionPlayer(careless=level.blur, seed=seed, name=name)
    brain = stronger_brain(game) if level.simulations else None
    if brain is not None:
        from tengen.players.brain import searching

        return searching(
            brain, visits=level.simulations, seconds=MOVE_SECONDS, seed=seed, threads=threads, name=name
        )
    return SearchPlayer(
        visits=level.visits, seconds=MOVE_SECONDS, blur=level.blur, threads=threads, seed=seed, name=name
    )
