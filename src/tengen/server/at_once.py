"""How much of one address is done at the same time: the rest waits, and everybody else is served in between.

What one message or request costs is bounded. But sixty sockets and a hundred connections may each have one
that is due in the same turn of the event loop, and whoever else wants something would wait for all of them.
Start reading at `AtOnce.turn`.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from tengen.server.limits import group


@dataclass(slots=True)
class _Queue:
    free: asyncio.Semaphore
    asked: int = 0


class _Turn:
    """A block of `async with`. No generator, since there is one for every message of a socket."""

    __slots__ = ("_address", "_at_once")

    def __init__(self, at_once: AtOnce, address: str) -> None:
        self._at_once, self._address = at_once, address

    async def __aenter__(self) -> None:
        await self._at_once.begin(self._address)

    async def __aexit__(self, *error: object) -> None:
        self._at_once.end(self._address)


class AtOnce:
    """Belongs to one event loop. `most` is how many of an address, None that it does not matter."""

    def __init__(self, most: int | None) -> None:
        self._most = most
        self._queues: dict[str, _Queue] = {}  # by address, of those who have something to do

    @property
    def busy(self) -> int:
        """How many addresses have something to do."""
        return len(self._queues)

    def turn(self, address: str) -> _Turn:
        """Entered when few enough others of that address are: first come, first served."""
        return _Turn(self, address)

    async def begin(self, address: str) -> None:
        """Returns when it is that address's turn; each `begin` that returns needs its `end`."""
        if self._most is None:
            return
        key = group(address)
        queue = self._queues.get(key)
        if queue is None:
            queue = self._queues[key] = _Queue(asyncio.Semaphore(self._most))
        queue.asked += 1
        try:
            await queue.free.acquire()
        except BaseException:
            self._forget(key, queue)
            raise

    def end(self, address: str) -> None:
        if self._most is not None:
            key = group(address)
            queue = self._queues[key]
            queue.free.release()
            self._forget(key, queue)

    def _forget(self, key: str, queue: _Queue) -> None:
        queue.asked -= 1
        if not queue.asked:
            del self._queues[key]
