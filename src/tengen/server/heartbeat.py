"""Pings for all sockets of a server: whether they are still there, and how long the way to them is.

Two timers for each of thousands of sockets cost more than the ping itself. All are pinged as often, so that
they wait in one queue, and one timer serves it, a few sockets in a turn of the event loop. One that has gone
is forgotten: the queue does not hold it. Start reading at `Heartbeat.add`.
"""

from __future__ import annotations

import asyncio
import weakref
from collections import deque
from typing import Protocol

AT_ONCE = 32  # who are pinged in one turn
PAUSE_S = 0.01  # between two such turns


class Heart(Protocol):
    def beat(self) -> bool:
        """Pings; False when it is not to be pinged again."""
        ...


class Heartbeat:
    """Belongs to one event loop; every heart beats as often."""

    def __init__(self, every_s: float) -> None:
        self._every_s = every_s
        self._due: deque[tuple[float, weakref.ref[Heart]]] = deque()
        self._timer: asyncio.TimerHandle | None = None

    def add(self, heart: Heart) -> None:
        """It beats for the first time after a while."""
        loop = asyncio.get_running_loop()
        self._due.append((loop.time() + self._every_s, weakref.ref(heart)))
        if self._timer is None:
            self._timer = loop.call_later(self._every_s, self._run)

    def _run(self) -> None:
        self._timer = None
        loop = asyncio.get_running_loop()
        now, left = loop.time(), AT_ONCE
        while self._due and self._due[0][0] <= now and left:
            _, found = self._due.popleft()
            heart = found()
            if heart is not None:
                left -= 1
                if heart.beat():
                    self._due.append((now + self._every_s, found))
        if self._due:
            self._timer = loop.call_at(max(self._due[0][0], now + PAUSE_S), self._run)
