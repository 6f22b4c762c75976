"""The players behind the levels that people choose (`Opponents.levels`)."""

from __future__ import annotations

from tengen import extras
from tengen.brains.strongest import stronger_brain
from tengen.game import Game
from tengen.players.machine import PerfectPlayer, SearchPlayer
from tengen.search.levels import Level


def level_player(
    level: Level, game: Game, *, seed: int = 0, threads: int = 1
) -> SearchPlayer | PerfectPlayer:
    name = f"level {level.number}, {level.name}"
    if level.visits == 0:
        return PerfectPlayer(careless=level.blur, seed=seed, name=name)
    if level.simulations and not extras.has("brains"):
        name += ", by search alone"
    brain = stronger_brain(game) if level.simulations else None
    if brain is not None:
        from tengen.players.brain import searching

        return searching(
            brain,
            visits=level.simulations,
            seconds=level.seconds,
            blur=level.brain_blur,
            seed=seed,
            threads=threads,
            name=name,
        )
    return SearchPlayer(
        visits=level.visits, seconds=level.seconds, blur=level.blur, threads=threads, seed=seed, name=name
    )
