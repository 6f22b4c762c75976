"""What fills a seat: a level, a budget of search, a program that speaks GTP. `make_player` reads how to ask
for one.

| text | player |
|---|---|
| `level:5`, `5` | a level of the game |
| `mcts:1000`, `mcts:2s` | our search with that many visits, or seconds, a move |
| `flat:5000` | Monte Carlo without a tree, that many playouts a move |
| `random` | random legal moves |
| `brain:latest`, `brain:NAME@200`, `brain:NAME@2s` | a brain, with that many simulations or seconds a move |
| `gtp:COMMAND` | a program, such as `gtp:gnugo --mode gtp --level 10` |
"""

from __future__ import annotations

from tengen.game import Game, InvalidOption
from tengen.players.levels import level_player
from tengen.players.machine import FlatPlayer, RandomPlayer, SearchPlayer
from tengen.players.player import Player, PlayerError, Stoppable
from tengen.players.program import ProgramPlayer
from tengen.search.levels import level

__all__ = ["Player", "PlayerError", "Stoppable", "make_player"]

_KINDS = "level:N, mcts:VISITS, mcts:SECONDSs, flat:PLAYOUTS, random, brain:NAME or gtp:COMMAND"


def make_player(text: str, game: Game, *, seed: int = 0, threads: int = 1) -> Player:
    """The player that the text asks for; raises InvalidOption when it cannot be read."""
    kind, _, rest = text.strip().partition(":")
    if kind.isdigit() and not rest:
        kind, rest = "level", kind
    try:
        if kind == "level":
            return level_player(level(game.name, int(rest)), game, seed=seed, threads=threads)
        if kind == "mcts" and rest.endswith("s"):
            return SearchPlayer(seconds=_positive(float(rest[:-1])), seed=seed, threads=threads)
        if kind == "mcts":
            return SearchPlayer(visits=int(_positive(int(rest))), seed=seed, threads=threads)
        if kind == "flat":
            return FlatPlayer(playouts=int(_positive(int(rest))), seed=seed)
        if kind == "random" and not rest:
            return RandomPlayer(seed=seed)
        if kind == "brain" and rest:
            from tengen.players.brain import brain_player

            return brain_player(rest, game, seed=seed, threads=threads)
        if kind == "gtp" and rest:
            return ProgramPlayer(rest)
    except InvalidOption:
        raise
    except ValueError as error:
        if kind == "brain" and str(error):
            raise InvalidOption(str(error)) from None
    raise InvalidOption(f"{text!r} is no player: use {_KINDS}.")


def _positive(value: float) -> float:
    if not 0 < value < float("inf"):
        raise ValueError
    return value
