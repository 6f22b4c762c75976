"""Work that computes for a second or so, beside the event loop: a few jobs at a time, one for an address.

Nothing interrupts a job, so what it may take has to be bounded before it begins. What it took is counted, and
an address that has had too much waits: threads share the interpreter with the event loop. Each job has a
thread of its own, which nobody waits for when the server stops; after a long one the memory that it took is
given back. Start reading at `Heavy.run`.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tengen.server.errors import Refusal
from tengen.server.limits import Limits, TooMany, group
from tengen.server.pulse import give_memory_back

T = TypeVar("T")
SLOTS = 2
MOST_ASKED = 16  # jobs that wait or run, by address
LONG_S = 0.1  # of the processor
LEAST_MS = 1.0  # that a job is thought to take before it has begun


@dataclass(slots=True)
class _Turn:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    asked: int = 0


class Heavy:
    """Not safe for threads: it lives on the event loop."""

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._slots = asyncio.Semaphore(SLOTS)
        self._turns: dict[str, _Turn] = {}  # by address, of those who wait

    async def run(self, address: str, compute: Callable[..., T], *args: Any) -> T:
        """What the function returns or raises, when its turn has come; TooMany when too many wait."""
        key = group(address)
        turn = self._turns.get(key) or _Turn()
        if self._limits.enabled and turn.asked >= MOST_ASKED:
            raise TooMany(5.0)
        self._limits.take("aside", address, LEAST_MS)
        self._turns[key] = turn
        turn.asked += 1
        try:
            async with turn.lock, self._slots:
                return await _aside(lambda ms: self._limits.charge("aside", address, ms), compute, *args)
        finally:
            turn.asked -= 1
            if not turn.asked:
                del self._turns[key]


async def _aside(took: Callable[[float], None], compute: Callable[..., T], *args: Any) -> T:
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()
    context = copy_context()

    def tell(settle: Callable[[Any], None], what: Any, ms: float) -> None:
        took(ms)
        if not future.done():
            settle(what)

    def work() -> None:
        try:
            told: tuple[Any, Any] = future.set_result, context.run(compute, *args)
        except Refusal as refusal:
            told = future.set_exception, Refusal(refusal.code, refusal.message)  # without what it came from
        except BaseException as error:
            told = future.set_exception, error
        took_s = time.thread_time()
        with suppress(RuntimeError):  # the loop has ended, and nobody waits
            loop.call_soon_threadsafe(tell, *told, 1000 * took_s)
        if took_s > LONG_S:
            give_memory_back()

    threading.Thread(target=work, name="tengen heavy", daemon=True).start()
    return await future
