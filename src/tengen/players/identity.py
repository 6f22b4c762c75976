"""What exactly plays behind a text such as `brain:latest`: by it results of different players are kept apart.

The text alone is not enough: `latest` is another brain tomorrow, and a level plays differently after the
engine was changed. An identity names the engine's build, the SHA-256 of a brain and the version of a program.
Start reading at `identity`.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from tengen.game import Game
from tengen.players.player import Player
from tengen.players.program import ProgramPlayer
from tengen.search.levels import level_of

DIGITS = 12  # of a SHA-256, enough to tell brains apart


@cache
def engine() -> str:
    """This build of tengen: its version and the beginning of the SHA-256 of its compiled core."""
    from tengen import __version__, _core

    digest = hashlib.sha256(Path(_core.__file__).read_bytes()).hexdigest()
    return f"tengen {__version__}+{digest[:DIGITS]}"


def identity(text: str, game: Game, player: Player) -> str:
    """What `make_player(text, game)` made. Options of the game are not part of it. Raises BrainError."""
    kind, _, rest = text.strip().partition(":")
    if isinstance(player, ProgramPlayer):
        return f"{text.strip()}, {player.name} {player.version}".rstrip()
    if kind == "katago":
        from tengen.players.kata import KataPlayer

        assert isinstance(player, KataPlayer)
        return f"{text.strip()}, {player.identity()}"
    if kind == "brain":
        from tengen.brains.store import BrainStore
        from tengen.players.brain import read_budget

        name, budget = read_budget(rest)
        return f"brain {BrainStore().entry(game, name).digest[:DIGITS]}@{budget} by {engine()}"
    if kind.isdigit():
        kind, rest = "level", kind
    words = f"{kind}:{rest}" if rest else kind
    if kind == "level" and level_of(game, int(rest)).simulations:
        from tengen.brains.strongest import stronger_brain

        brain = stronger_brain(game)
        words += " by search alone" if brain is None else f" with brain {brain.digest[:DIGITS]}"
    return f"{words} by {engine()}"
