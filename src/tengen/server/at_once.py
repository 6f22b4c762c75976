"""How much of one address is done at the same time: the rest waits, and everybody else is served in between.

What one message or request costs is bounded. But sixty sockets and a hundred connections may each have one
that is due in the same turn of the event loop, and whoever else wants something would wait for all of them.
Start reading at `AtOnce.turn`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from tengen.server.limits import group


@dataclass(slots=True)
class _Turn:
    free: asyncio.Semaphore
    asked: int = 0


class AtOnce:
    """Belongs to one event loop. `most` is how many of an address, None that it does not matter."""

    def __init__(self, most: int | None) -> None:
        self._most = most
        self._turns: dict[str, _Turn] = {}  # by address, of those who have something to do

    @property
    def busy(self) -> int:
        """How many addresses have something to do."""
        return len(self._turns)

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[None]:
        """Entered when few enough others of that address are: first come, first served."""
        if self._most is None:
            yield
            return
        key = group(address)
        turn = self._turns.get(key)
        if turn is None:
            turn = self._turns[key] = _Turn(asyncio.Semaphore(self._most))
        turn.asked += 1
        try:
            async with turn.free:
                yield
        finally:
            turn.asked -= 1
            if not turn.asked:
                del self._turns[key]
