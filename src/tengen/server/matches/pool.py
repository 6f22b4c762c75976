"""A bounded pool of threads for the search: what a person waits for in a match goes first, then all else.

The search lets go of the interpreter's lock, so threads are enough. Work has a key, whom it is for: the keys
take turns, so that much work for one does not hold up the others. Analysis is cut into slices of a fraction
of a second, and between two of them a seat that waits gets its turn, so even one thread serves both. Moves of
matches between machines come after persons' too. The pool itself interrupts nothing: all work is short.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")

_Job = tuple[Callable[[], Any], "asyncio.Future[Any]"]


class _Turns:
    """A queue for each key; the keys take turns."""

    def __init__(self) -> None:
        self._queues: OrderedDict[str, deque[_Job]] = OrderedDict()

    def __len__(self) -> int:
        return sum(map(len, self._queues.values()))

    def push(self, key: str, job: _Job) -> None:
        self._queues.setdefault(key, deque()).append(job)

    def pop(self) -> _Job:
        key, queue = self._queues.popitem(last=False)
        job = queue.popleft()
        if queue:
            self._queues[key] = queue
        return job

    def holds_up(self, key: str) -> bool:
        """Whether somebody else waits."""
        return len(self._queues) > (key in self._queues)


class Pool:
    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="tengen engine")
        self._first = _Turns()
        self._second = _Turns()
        self._running: set[asyncio.Future[Any]] = set()
        self._running_second = 0
        self.observe: Callable[[bool, float], None] | None = None  # whether it was first, and its seconds

    @property
    def waiting(self) -> int:
        return len(self._first) + len(self._second)

    def is_wanted(self, key: str, *, first: bool) -> bool:
        """Whether work with that key keeps others waiting who are not less urgent. From any thread."""
        return self._first.holds_up(key) or (not first and self._second.holds_up(key))

    async def run(self, work: Callable[[], T], *, first: bool, key: str = "") -> T:
        """The result of the work, when its turn has come. Who stops waiting for it gives up its place."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        (self._first if first else self._second).push(key, (work, future))
        self._pump()
        return await future

    async def close(self, patience_s: float) -> None:
        """Takes no more work, and waits so long for what runs; who gave it may know how to interrupt it."""
        for queue in (self._first, self._second):
            while queue:
                queue.pop()[1].cancel()
        if self._running:
            _, late = await asyncio.wait(self._running, timeout=patience_s)
            for running in late:
                running.cancel()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _pump(self) -> None:
        spare = max(1, self._workers - 1)  # one thread of many is kept for the seats
        while len(self._running) < self._workers:
            if self._first:
                self._begin(*self._first.pop(), second=False)
            elif self._second and self._running_second < spare:
                self._begin(*self._second.pop(), second=True)
            else:
                return

    def _begin(self, work: Callable[[], Any], future: asyncio.Future[Any], second: bool) -> None:
        if future.done():
            return
        running = asyncio.get_running_loop().run_in_executor(self._threads, work)
        self._running.add(running)
        self._running_second += second
        begun = time.monotonic()
        running.add_done_callback(lambda done: self._ended(done, future, second, begun))

    def _ended(
        self, done: asyncio.Future[Any], future: asyncio.Future[Any], second: bool, begun: float
    ) -> None:
        self._running.discard(done)
        if self.observe is not None:
            self.observe(not second, time.monotonic() - begun)
        self._running_second -= second
        error = None if done.cancelled() else done.exception()
        if not future.done():
            if done.cancelled():
                future.cancel()
            elif error is not None:
                future.set_exception(error)
            else:
                future.set_result(done.result())
        self._pump()
