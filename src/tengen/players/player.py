"""What fills a seat when no person does: something that chooses a move."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from tengen.game import State


class PlayerError(Exception):
    """The player cannot go on; the message is one sentence."""


class Stopped(PlayerError):
    """The player was told to stop while it thought."""


class Player(Protocol):
    """Chooses whole moves in one match. Not shared between matches: it may remember the game so far."""

    @property
    def name(self) -> str: ...

    def choose(self, state: State, seconds: float | None = None) -> list[int] | None:
        """The actions of one whole move, or None to resign; `seconds` is the most it may think, if any."""
        ...

    def close(self) -> None:
        """Frees what it holds, such as a process."""
        ...


@runtime_checkable
class Stoppable(Protocol):
    """A player that may think for long, and can be told not to."""

    def stop(self) -> None:
        """From another thread: `choose` ends soon with PlayerError, now and for ever. Returns at once."""
        ...
