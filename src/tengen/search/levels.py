"""The levels that people play against, by the name of a game. A game's own are in its folder
(`Opponents.levels`); docs/levels.md says what has been measured, `tools/ladder.py` measures.
"""

from __future__ import annotations

from tengen.facets.opponents import MOVE_SECONDS, NAMES, Level
from tengen.game import Game, InvalidOption
from tengen.games import game as make_game

__all__ = ["MOVE_SECONDS", "NAMES", "Level", "level", "level_of", "levels"]


def levels(game: str) -> tuple[Level, ...]:
    """The levels of that game, weakest first."""
    return make_game(game).opponents.levels


def level(game: str, number: int) -> Level:
    return level_of(make_game(game), number)


def level_of(game: Game, number: int) -> Level:
    """Raises InvalidOption where there is none of that number."""
    known = game.opponents.levels
    if not 1 <= number <= len(known):
        has = f"levels 1 to {len(known)}" if known else "no levels"
        raise InvalidOption(f"{game.name} has {has}, not {number}.")
    return known[number - 1]
