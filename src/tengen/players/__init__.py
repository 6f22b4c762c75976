"""What fills a seat: a level, a budget of search, a brain, KataGo, a program that speaks GTP. `make_player`
reads how to ask for one; `tengen.facets.machines` lists the texts.
"""

from __future__ import annotations

from collections.abc import Callable

from tengen.facets.machines import forms
from tengen.game import Game, InvalidOption
from tengen.players.levels import level_player
from tengen.players.machine import FlatPlayer, RandomPlayer, SearchPlayer
from tengen.players.player import Player, PlayerError, Stoppable
from tengen.players.program import ProgramPlayer
from tengen.search.levels import level_of

__all__ = ["Player", "PlayerError", "Stoppable", "make_player"]

_Maker = Callable[[str, Game, int, int], Player]  # what comes after the colon, the game, a seed, threads


def make_player(text: str, game: Game, *, seed: int = 0, threads: int = 1) -> Player:
    """The player that the text asks for; raises InvalidOption when it cannot be read."""
    kind, _, rest = text.strip().partition(":")
    if kind.isdigit() and not rest:
        kind, rest = "level", kind
    try:
        if kind in _MAKERS and (kind == "katago" or bool(rest) == (kind != "random")):
            return _MAKERS[kind](rest, game, seed, threads)
    except InvalidOption:
        raise
    except ValueError as error:
        if kind in ("brain", "katago") and str(error):
            raise InvalidOption(str(error)) from None
    raise InvalidOption(f"{text!r} is no player: use {forms(here=True)}.")


def _level(rest: str, game: Game, seed: int, threads: int) -> Player:
    return level_player(level_of(game, int(rest)), game, seed=seed, threads=threads)


def _search(rest: str, game: Game, seed: int, threads: int) -> Player:
    if rest.endswith("s"):
        return SearchPlayer(seconds=_positive(float(rest[:-1])), seed=seed, threads=threads)
    return SearchPlayer(visits=int(_positive(int(rest))), seed=seed, threads=threads)


def _flat(rest: str, game: Game, seed: int, threads: int) -> Player:
    return FlatPlayer(playouts=int(_positive(int(rest))), seed=seed)


def _random(rest: str, game: Game, seed: int, threads: int) -> Player:
    return RandomPlayer(seed=seed)


def _brain(rest: str, game: Game, seed: int, threads: int) -> Player:
    from tengen.players.brain import brain_player

    return brain_player(rest, game, seed=seed, threads=threads)


def _katago(rest: str, game: Game, seed: int, threads: int) -> Player:
    from tengen.players.kata import KataPlayer

    if rest.endswith("s"):
        return KataPlayer(game, seconds=_positive(float(rest[:-1])))
    return KataPlayer(game, visits=int(_positive(int(rest))) if rest else None)


def _program(rest: str, game: Game, seed: int, threads: int) -> Player:
    return ProgramPlayer(rest)


_MAKERS: dict[str, _Maker] = {
    "level": _level,
    "mcts": _search,
    "flat": _flat,
    "random": _random,
    "brain": _brain,
    "katago": _katago,
    "gtp": _program,
}


def _positive(value: float) -> float:
    if not 0 < value < float("inf"):
        raise ValueError
    return value
