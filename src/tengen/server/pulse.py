"""How a server process feels: how late its event loop is, its memory, and how many files it has open."""

from __future__ import annotations

import asyncio
import ctypes
import os
from collections import deque
from contextlib import suppress
from pathlib import Path

EVERY_S = 0.25
LATELY = 240  # looks, which are a minute
_FILES = Path("/proc/self/fd")
_MEMORY = Path("/proc/self/statm")


class Pulse:
    """Looks at the event loop four times a second, from `start` on until `stop`."""

    def __init__(self) -> None:
        self._worst_s = 0.0  # since it was last asked for, and
        self._lately: deque[float] = deque(maxlen=LATELY)  # each of the last
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        loop = asyncio.get_running_loop()
        self._timer = loop.call_at(loop.time() + EVERY_S, self._beat, loop, loop.time() + EVERY_S)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _beat(self, loop: asyncio.AbstractEventLoop, wanted: float) -> None:
        late_s = loop.time() - wanted
        self._worst_s = max(self._worst_s, late_s)
        self._lately.append(late_s)
        self._timer = loop.call_at(loop.time() + EVERY_S, self._beat, loop, loop.time() + EVERY_S)

    def worst_s(self) -> float:
        """The longest that anything waited for the loop since this was last asked."""
        worst_s, self._worst_s = self._worst_s, 0.0
        return worst_s

    @property
    def worst_lately_s(self) -> float:
        """The same of the last minute, for who is not to take it away from the metrics."""
        return max(self._lately, default=0.0)


def open_files() -> float:
    """How many descriptors this process has; 0 where the system does not tell."""
    try:
        return float(sum(1 for _ in _FILES.iterdir()))
    except OSError:
        return 0.0


def memory_bytes() -> float:
    """What of this process is really in memory; 0 where the system does not tell."""
    try:
        return float(int(_MEMORY.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE"))
    except (OSError, ValueError):
        return 0.0


def give_memory_back() -> None:
    """To the system, as far as nobody needs it any more; the C library would keep it for the next time.

    It takes some tens of milliseconds after a large job, in which other threads go on.
    """
    with suppress(OSError, AttributeError, TypeError):  # not every system has it
        ctypes.CDLL(None).malloc_trim(0)
