"""A contest at one moment, as a screen shows it that shows everything at once.

Made in the thread that plays (`Session.picture`, `Online.picture`), looked at in the one that draws. It is
not changed afterwards, but for its tree, which only grows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from tengen.game import Game, State
from tengen.match import Marking
from tengen.terminal.variations import Tried


@dataclass(frozen=True)
class Picture:
    game: Game
    players: tuple[str, str]  # who has the seats, empty for nobody in particular
    whole: State  # without a move that was begun
    state: State  # with it
    phase: Literal["waiting", "playing", "agreement", "over"]
    marking: Marking | None
    words: tuple[str, ...]  # how it stands
    ended: str  # how the game ended, else empty
    tried: Tried
    clocks: Callable[[], tuple[str, str] | None]  # what they show when it is called
    helps: bool  # whether machines may be asked
    tries: bool  # whether one may play on from another position
    offered: bool = False  # something that is to be accepted or declined


class Source(Protocol):
    def picture(self) -> Picture | None:
        """None while there is nothing to show."""
        ...
