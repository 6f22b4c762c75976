"""The one thread that appends: everything that waits goes into one transaction, so that many share one sync.

An append is all or nothing. It says which number the last event of its match has; if that is still so, its
events go in, otherwise it is a conflict and nothing of it is stored, while the others in the batch go on. The
check holds until the commit: SQLite has one writer at a time, and with PostgreSQL the rows of the matches are
locked, in the order of their ids (appending.py). Should a batch as a whole be refused, its halves are tried
apart, down to the one that is at fault.

With SQLite all other writes take the same way (`write`). Start reading at `_settle`.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from typing import Any, TypeVar

from sqlalchemy import Connection

from tengen.server.store.appending import Append, append_to_file, append_to_server
from tengen.server.store.database import Database
from tengen.server.store.failures import failure, is_conflict, may_run_again
from tengen.server.store.rows import StoreUnavailable

MAX_BATCH = 1_000
GATHER_S = 0.003  # how long more are waited for when many come: fewer commits leave more time for the rest
ATTEMPTS = 3

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Write:
    """Work to do in a transaction; it may be done again if the first try is rolled back."""

    work: Callable[[Connection], Any]
    durable: bool


Job = Append | Write
Waiting = tuple[Job, asyncio.Future[Any]]


class Journal:
    """Belongs to the event loop that it was made on; its futures are done there, a batch at a time.

    What comes gathers there too, while the thread is at work or more is waited for: it is woken once a batch.
    """

    def __init__(self, database: Database, process: str) -> None:
        self._database = database
        self._process = process
        self._loop = asyncio.get_running_loop()
        self._gathered: list[Waiting] = []
        self._busy = self._many = False  # whether a batch is under way or due; whether the last one was large
        self._idle = asyncio.Event()
        self._idle.set()
        self._batches: SimpleQueue[list[Waiting] | None] = SimpleQueue()
        self._closed = False
        self.observe: Callable[[int, float], None] | None = None  # events of a commit, and its seconds
        self._thread = threading.Thread(target=self._run, name="tengen journal", daemon=True)
        self._thread.start()

    def append(self, append: Append) -> asyncio.Future[bool]:
        """Done with True when the events are on the disk, with False for a conflict."""
        return self._put(append)

    def write(self, work: Callable[[Connection], T], durable: bool = True) -> asyncio.Future[T]:
        """Done with what `work` gives. What is not durable may be lost with the power, never in part."""
        return self._put(Write(work, durable))

    def _put(self, job: Job) -> asyncio.Future[Any]:
        if self._closed:
            raise StoreUnavailable("The store is closed.")
        future = self._loop.create_future()
        self._gathered.append((job, future))
        if not self._busy:
            self._busy = True
            self._idle.clear()
            self._begin_soon()
        return future

    def _begin_soon(self) -> None:
        if self._many and not self._closed:
            self._loop.call_later(GATHER_S, self._begin)
        else:
            self._loop.call_soon(self._begin)

    def _begin(self) -> None:
        batch, self._gathered = self._gathered[:MAX_BATCH], self._gathered[MAX_BATCH:]
        self._many = len(batch) > 1
        self._batches.put(batch)

    def _ended(self) -> None:
        self._busy = bool(self._gathered)
        if self._busy:
            self._begin_soon()
        else:
            self._idle.set()

    async def close(self) -> None:
        """After what waits has been written."""
        if not self._closed:
            self._closed = True
            await self._idle.wait()
            self._batches.put(None)
            await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        while (batch := self._batches.get()) is not None:
            for some in _rounds(batch) if self._database.shared else (batch,):
                self._tell(
                    partial(_resolve, [one for _, one in some], self._settle([job for job, _ in some]))
                )
            self._tell(self._ended)

    def _tell(self, news: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # when the loop is closed, and with it all who waited
            self._loop.call_soon_threadsafe(news)

    def _settle(self, jobs: list[Job]) -> list[Any]:
        """What each job came to: its result, or the exception for whoever waits for it."""
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return self._commit(jobs)
            except Exception as error:
                if may_run_again(error) and attempt < ATTEMPTS:
                    continue
                told = failure(error)
                if isinstance(told, StoreUnavailable):
                    return [StoreUnavailable(str(told)) for _ in jobs]
                if len(jobs) > 1:
                    half = len(jobs) // 2
                    return self._settle(jobs[:half]) + self._settle(jobs[half:])
                return [False if isinstance(jobs[0], Append) and is_conflict(error) else told]
        raise AssertionError("the last attempt returns")

    def _commit(self, jobs: list[Job]) -> list[Any]:
        begun, results = time.monotonic(), self._carry_out(jobs)
        events = sum(
            len(job.rows)
            for job, result in zip(jobs, results, strict=True)
            if isinstance(job, Append) and result
        )
        if events and self.observe is not None:
            self.observe(events, time.monotonic() - begun)
        return results

    def _carry_out(self, jobs: list[Job]) -> list[Any]:
        """In one transaction, which is the driver's own where only events are stored, as nearly always."""
        appends = {i: job for i, job in enumerate(jobs) if isinstance(job, Append)}
        if len(appends) == len(jobs):
            with self._database.appending() as cursor:
                if self._database.shared:
                    matches = append_to_server(cursor, list(appends.values()), self._process)
                    return [append.match_id in matches for append in appends.values()]
                went_in = append_to_file(cursor, appends)
            return [i in went_in for i in range(len(jobs))]
        durable = any(isinstance(job, Append) or job.durable for job in jobs)
        with (self._database.writer if durable else self._database.light).begin() as connection:
            results = [job.work(connection) if isinstance(job, Write) else False for job in jobs]
            for i in append_to_file(connection.connection.cursor(), appends):
                results[i] = True
        return results


def _resolve(futures: list[asyncio.Future[Any]], results: list[Any]) -> None:
    for future, result in zip(futures, results, strict=True):
        if future.done():
            continue
        if isinstance(result, BaseException):
            future.set_exception(result)
        else:
            future.set_result(result)


def _rounds(jobs: list[Waiting]) -> Iterator[list[Waiting]]:
    """In their order, with at most one append to a match in each."""
    while jobs:
        now: list[Waiting] = []
        later: list[Waiting] = []
        seen: set[str] = set()
        for one in jobs:
            match_id = one[0].match_id if isinstance(one[0], Append) else ""
            (later if match_id in seen else now).append(one)
            if match_id:
                seen.add(match_id)
        yield now
        jobs = later
