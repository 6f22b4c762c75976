"""A bounded pool of threads for the search: what a person waits for in a match goes first, then all else.

Who computes lets go of the interpreter's lock, so threads are enough. Work has a key, whom it is for: whoever
has used the least time is next, so that much work for one does not hold up the others, be it many jobs or
long ones. Analysis is cut into slices of a fraction of a second, with turns of others between two of them.
Moves of matches between machines come after persons'. The pool itself interrupts nothing: all work is short.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")
MOST_KEYS = 1000  # that are remembered

_Job = tuple[Callable[[], Any], "asyncio.Future[Any]"]


class Turns:
    """A queue for each key. Who has used the least is next; who comes new has used as little as anybody."""

    def __init__(self) -> None:
        self._queues: dict[str, deque[_Job]] = {}
        self._used: dict[str, float] = {}  # seconds, of those that wait or have lately
        self._floor = 0.0  # what the last one had used whose turn it was

    def __len__(self) -> int:
        return sum(map(len, self._queues.values()))

    def push(self, key: str, job: _Job) -> None:
        if key not in self._queues:
            self._queues[key] = deque()
            self._used[key] = max(self._used.get(key, 0.0), self._floor)
        self._queues[key].append(job)

    def pop(self) -> tuple[str, _Job]:
        key = min(self._queues, key=self._used.__getitem__)
        self._floor = self._used[key]
        queue = self._queues.pop(key)
        job = queue.popleft()
        if queue:
            self._queues[key] = queue  # behind others who have used as much
        return key, job

    def charge(self, key: str, seconds: float) -> None:
        self._used[key] = self._used.get(key, self._floor) + seconds
        if len(self._used) > MOST_KEYS:
            kept = {
                one: used for one, used in self._used.items() if one in self._queues or used > self._floor
            }
            self._used = kept

    def holds_up(self, key: str) -> bool:
        """Whether work under that key keeps others waiting."""
        return len(self._queues) > (key in self._queues)


class Pool:
    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="tengen engine")
        self._first = Turns()
        self._second = Turns()
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
                queue.pop()[1][1].cancel()
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

    def _begin(self, key: str, job: _Job, second: bool) -> None:
        work, future = job
        if future.done():
            return
        running = asyncio.get_running_loop().run_in_executor(self._threads, work)
        self._running.add(running)
        self._running_second += second
        begun = time.monotonic()
        running.add_done_callback(lambda done: self._ended(done, key, future, second, begun))

    def _ended(
        self, done: asyncio.Future[Any], key: str, future: asyncio.Future[Any], second: bool, begun: float
    ) -> None:
        self._running.discard(done)
        seconds = time.monotonic() - begun
        (self._second if second else self._first).charge(key, seconds)
        if self.observe is not None:
            self.observe(not second, seconds)
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
