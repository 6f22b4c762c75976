"""The store: everything that outlives a process, behind async methods. Start reading at `Store.open`.

The tables are in schema.py, opening and upgrading in database.py and upgrade.py. Reads (reads.py) run in a
few threads. Events go through journal.py, which groups commits; so do all other writes (writes.py) with
SQLite, which has one writer anyway. A method that returns has its work on the disk, except for what is marked
below as not durable: that may be lost if the machine loses power, and only then.

Every method may raise StoreUnavailable, after which the same call may be made again; the store finds its way
back to the database by itself.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from msgspec import structs
from sqlalchemy import Connection, Engine, select

from tengen.server.store import people, reads, writes
from tengen.server.store.appending import make_append
from tengen.server.store.database import THREADS, Database, free_bytes, open_database
from tengen.server.store.failures import failure, may_run_again
from tengen.server.store.house import HouseStore, unname
from tengen.server.store.journal import ATTEMPTS, Journal
from tengen.server.store.notify import HOUSE, Heard, Listener, tell
from tengen.server.store.rows import (
    MatchRow,
    Outage,
    PersonRow,
    SeatRow,
    Stored,
    StoreError,
    StoreUnavailable,
    Summary,
)

__all__ = [
    "MatchRow",
    "Outage",
    "PersonRow",
    "SeatRow",
    "Store",
    "StoreError",
    "StoreUnavailable",
    "Stored",
    "Summary",
]

T = TypeVar("T")
LEAST_FREE = 16 * 2**20  # bytes on a disk, or it is as good as full
MOST_DUE = 2000  # matches that are looked after in one sweep


class Store:
    """`process` names this process among those that share the database. Use it on the loop that opened it."""

    def __init__(self, database: Database, process: str, threads: ThreadPoolExecutor) -> None:
        self.shared = database.shared
        self._database = database
        self._process = process
        self._threads = threads
        self._loop = asyncio.get_running_loop()
        self._journal = Journal(database, process)
        self._listeners: list[Listener] = []
        self.people = people.People(self._read, self._write, self._write_house)
        self.house = HouseStore(self._read, self._write_house)
        self._closed = False
        self._known_ms = 0  # the end of the last outage that is known
        self._lost_ms = 0  # how long all of them were

    @classmethod
    async def open(cls, url: str, *, process: str, alone: bool = False) -> Store:
        """`alone` is for a server on an SQLite file, of which there can be one at a time.

        Makes or upgrades the schema first; raises StoreError with one sentence for whoever runs it.

        `url` is sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME. `process` has no spaces or brackets.
        """
        threads = ThreadPoolExecutor(THREADS, thread_name_prefix="tengen store")
        try:
            loop = asyncio.get_running_loop()
            database = await loop.run_in_executor(threads, partial(open_database, url, alone=alone))
        except BaseException:
            threads.shutdown(wait=False)
            raise
        return cls(database, process, threads)

    async def close(self) -> None:
        """After what waits has been written. Closing twice does no harm."""
        if self._closed:
            return
        self._closed = True
        for listener in self._listeners:
            await listener.stop()
        await self._journal.close()
        await asyncio.to_thread(self._threads.shutdown)
        await asyncio.to_thread(self._database.dispose)

    async def ping(self) -> None:
        """Returns if the database answers, and there is room for more in an SQLite file."""
        if self._database.path is not None and free_bytes(self._database.path) < LEAST_FREE:
            raise StoreUnavailable(f"The disk that holds {self._database.path} is full.")
        await self._read(lambda connection: connection.execute(select(1)).scalar_one())

    # People

    async def person(self, secret_hash: str) -> PersonRow | None:
        """Who has a device with that secret; what else there is to people is in `people`."""
        return await self._read(people.find, secret_hash)

    async def add_person(self, row: PersonRow, device: str = "") -> None:
        """With the first device, of that name."""
        await self._write(partial(people.add, row=row, device=device))

    async def rename(self, person_id: str, name: str) -> None:
        """Seats that the person has already keep the name that they were taken with."""
        await self._write(partial(writes.rename, person_id=person_id, name=name))

    # Matches

    async def add_match(self, row: MatchRow) -> bool:
        """False if `rematch_of` has a rematch already; that match is then `MatchRow.rematch`."""
        row = replace(row, summary=self._served(row.summary))

        def work(connection: Connection) -> bool:
            added = writes.add_match(connection, row)
            if added and row.rematch_of is not None:
                self._tell(connection, row.rematch_of)
            return added

        return await self._write(work)

    async def take_seat(
        self, match_id: str, seat: int, holder: str, name: str, invitation_hash: str | None = None
    ) -> bool:
        """False unless the match waits for players and that seat is open, or invited with that hash."""
        arguments = (match_id, seat, holder, name, invitation_hash)
        return await self._change(match_id, lambda connection: writes.take_seat(connection, *arguments))

    async def start(self, match_id: str, setup: dict[str, Any], started_ms: int, summary: Summary) -> bool:
        """True for the one call that starts the match. That its seats are taken is not checked."""
        arguments = (match_id, setup, started_ms, self._served(summary))
        return await self._change(match_id, lambda connection: writes.start(connection, *arguments))

    async def erase(self, person_id: str, now_ms: int) -> tuple[list[str], list[str]]:
        """`People.erase`, which other processes hear of."""

        def work(connection: Connection) -> tuple[list[str], list[str]]:
            touched, hashes = people.erase(connection, person_id, now_ms)
            for match_id in touched:
                self._tell(connection, match_id)
            return touched, hashes

        return await self._write_house(work)

    async def unname(self, names: list[str]) -> list[str]:
        """Takes those names from whoever has them, also in matches, which are returned."""

        def work(connection: Connection) -> list[str]:
            touched = unname(connection, names)
            for match_id in touched:
                self._tell(connection, match_id)
            return touched

        return await self._write(work)

    async def cancel(self, match_id: str) -> bool:
        """False unless the match still waits for players."""
        return await self._change(match_id, lambda connection: writes.cancel(connection, match_id))

    async def match(self, match_id: str) -> MatchRow | None:
        return await self._read(reads.match, match_id)

    async def rows(self, ids: Sequence[str]) -> dict[str, MatchRow]:
        """Many at once, by id; one that there is not is left out."""
        return await self._read(reads.rows, self._database.statements, list(ids))

    async def lobby(self, limit: int = 50, since_ms: int = 0) -> tuple[list[MatchRow], list[MatchRow]]:
        """Public matches, the latest made first: those with an open seat, and those that are being played.

        A match without a running clock in which nobody has moved since `since_ms` is not being played.
        """
        return await self._read(reads.lobby, limit, since_ms)

    async def matches_of(
        self, person_id: str, limit: int = 50, before: reads.Place | None = None
    ) -> list[MatchRow]:
        """Those that the person made or has a seat in, the last moved first, without cancelled ones.

        With `before` only those that come after a match with that `moved_ms` and that id; without the id,
        those whose `moved_ms` is less.
        """
        return await self._read(reads.matches_of, self._database.statements, person_id, limit, before)

    async def live_of(self, person_id: str) -> list[tuple[str, str, str | None]]:
        """(match, status, who made it) of those of the person that wait or are played."""
        return await self._read(reads.live_of, person_id)

    async def count_live(self) -> int:
        """How many matches are being played."""
        return await self._read(reads.count_live)

    # The log

    async def events(self, match_id: str, after: int = 0) -> list[Stored]:
        return (await self.events_of({match_id: after}))[match_id]

    async def events_of(self, after: Mapping[str, int]) -> dict[str, list[Stored]]:
        """For every match the events after the number given for it; an empty list for an unknown one."""
        return await self._read(reads.events_of, self._database.statements, dict(after))

    async def append(self, match_id: str, stored: Sequence[Stored], summary: Summary) -> bool:
        """False, with nothing stored, if the match has other events by now, or one of the client ids.

        The events must be in a row and end at the number of the summary, and client ids must be printable
        (ValueError). That they follow from the log by the rules of the game is not checked.
        """
        return await self._journal.append(make_append(match_id, stored, self._served(summary)))

    # Clocks and machines

    async def due_flags(self, now_ms: int, limit: int = MOST_DUE) -> list[str]:
        """Matches whose running clock has fallen, the first ones first; outages count for nobody."""
        return await self._read(reads.due_flags, now_ms - self._lost_ms, limit)

    async def due_machines(self, now_ms: int | None = None, limit: int = MOST_DUE) -> list[tuple[str, int]]:
        """(match, number of its last event) where a machine has to move and nobody works on it."""
        at_ms = time.time_ns() // 1_000_000 if now_ms is None else now_ms
        return await self._read(reads.due_machines, at_ms, limit)

    async def claim(self, match_id: str, number: int, until_ms: int, now_ms: int) -> bool:
        """Whether this process is the one to move for the machine after event `number`, until `until_ms`.

        A claim of one's own is renewed. Not durable: after a loss of power nobody is left to hold it.
        """
        arguments = (self._process, match_id, number, until_ms, now_ms)
        return await self._write(lambda connection: writes.claim(connection, *arguments), durable=False)

    async def unclaim(self, match_id: str) -> None:
        """Gives this process's claim back. Not durable."""
        arguments = (self._process, match_id)
        await self._write(lambda connection: writes.unclaim(connection, *arguments), durable=False)

    async def beat(self, now_ms: int, outage_ms: int, first_ms: int | None = None) -> list[Outage]:
        """That a server runs. The answer are the outages that this process has not been told of before.

        One ends with the first beat after a gap of more than `outage_ms`. `first_ms` is given with the first
        beat of a process, instead of that: nobody served while it was not there, unless another did. Not
        durable, but never older than the last durable write.
        """
        arguments = (now_ms, outage_ms, first_ms, self._known_ms)
        return self._learned(
            await self._write(lambda connection: writes.beat(connection, *arguments), durable=False)
        )

    def _learned(self, found: list[Outage]) -> list[Outage]:
        if found:
            self._known_ms = found[-1].until_ms
            self._lost_ms += sum(outage.until_ms - outage.from_ms for outage in found)
        return found

    async def overheard(self, now_ms: int, outage_ms: int) -> tuple[list[Outage], bool]:
        """`beat` of a process that serves nobody: new outages, and whether somebody serves."""
        found, serving = await self._read(reads.overheard, now_ms, outage_ms, self._known_ms)
        return self._learned(found), serving

    async def stopped(self, at_ms: int) -> None:
        """That this process serves nobody from then on. Not durable."""
        await self._write(lambda connection: writes.stopped(connection, at_ms), durable=False)

    async def seen(self, present: Sequence[tuple[str, int]], now_ms: int) -> None:
        """That whoever holds these (match, seat) is there. Not durable."""
        if present:
            arguments = (self._database.statements, list(present), now_ms)
            await self._write(lambda connection: writes.seen(connection, *arguments), durable=False)

    async def seats_seen(self, match_id: str) -> tuple[int | None, int | None]:
        """When each seat was last seen; None for never."""
        return (await self.seats_seen_of([match_id]))[match_id]

    async def seats_seen_of(self, ids: Sequence[str]) -> dict[str, tuple[int | None, int | None]]:
        """The same for many at once."""
        return await self._read(reads.seats_seen_of, self._database.statements, list(ids))

    # Studies

    async def add_study(self, study_id: str, owner: str | None, created_ms: int, data: bytes) -> None:
        arguments = (study_id, owner, created_ms, data)
        await self._write(lambda connection: writes.add_study(connection, *arguments))

    async def study_bytes(self) -> int:
        """How much all studies take."""
        return await self._read(reads.study_bytes)

    async def forget_studies(self, before_ms: int, limit: int = 200) -> int:
        """Deletes some of those that were made before then; how many. Not durable."""
        arguments = (before_ms, limit)
        return await self._write(
            lambda connection: writes.forget_studies(connection, *arguments), durable=False
        )

    async def study(self, study_id: str) -> bytes | None:
        return await self._read(reads.study, study_id)

    async def judgements(self, keys: Sequence[str]) -> dict[str, bytes]:
        """What is known of positions, by their keys."""
        return await self._read(reads.judgements_of, self._database.statements, list(keys))

    async def keep_judgements(self, found: Sequence[tuple[str, bytes]], at_ms: int) -> None:
        """In place of what was known of those positions. Not durable: it can be found out again."""
        kept = list(found)
        await self._write(lambda connection: writes.keep_judgements(connection, kept, at_ms), durable=False)

    async def forget_judgements(self, most: int) -> None:
        """Leaves so many, those that were found last."""
        await self._write(lambda connection: writes.forget_judgements(connection, most), durable=False)

    # The database as a whole

    def listen(self, callback: Heard) -> None:
        """Calls back with (match, number, events) when another process has written to a match.

        That is events, which come along where they are short (`read_events`), or with the number as it was
        and None: a seat taken, a start, a cancellation, a rematch made. Each time the connection is made, the
        first included, ("", 0, None) says that some may have been missed. With SQLite nobody else writes, and
        nothing is ever called.
        """
        if self.shared:
            self._listeners.append(Listener(self._database.reader, self._process, callback))

    def observe(self, callback: Callable[[int, float], None]) -> None:
        """Calls back, from another thread, after each commit that has events: how many, how many seconds."""
        self._journal.observe = callback

    # How

    def _served(self, summary: Summary) -> Summary:
        """With its flag on the scale that leaves outages out."""
        if summary.flag_at_ms is None or not self._lost_ms:
            return summary
        return structs.replace(summary, flag_at_ms=summary.flag_at_ms - self._lost_ms)

    async def _read(self, work: Callable[..., T], *arguments: Any) -> T:
        if self._closed:
            raise StoreUnavailable("The store is closed.")
        job = partial(_run, self._database.reader, False, work, *arguments)
        return await self._loop.run_in_executor(self._threads, job)

    async def _write(self, work: Callable[[Connection], T], durable: bool = True) -> T:
        if self._closed:
            raise StoreUnavailable("The store is closed.")
        if not self.shared:
            return await self._journal.write(work, durable)
        return await self._loop.run_in_executor(
            self._threads, partial(_run, self._database.writer, True, work)
        )

    async def _write_house(self, work: Callable[[Connection], T], durable: bool = True) -> T:
        """A write that other processes should take up at once, though it is to no match."""

        def change(connection: Connection) -> T:
            found = work(connection)
            tell(connection.exec_driver_sql, self._database.statements, self._process, [(HOUSE, 0)])
            return found

        return await self._write(change, durable)

    async def _change(self, match_id: str, work: Callable[[Connection], bool]) -> bool:
        """A write to a match that other processes should hear of, if it came about."""

        def change(connection: Connection) -> bool:
            changed = work(connection)
            if changed:
                self._tell(connection, match_id)
            return changed

        return await self._write(change)

    def _tell(self, connection: Connection, match_id: str) -> None:
        match = writes.head(connection, match_id)
        if match is not None:
            tell(
                connection.exec_driver_sql,
                self._database.statements,
                self._process,
                [(match_id, match.number)],
            )


def _run(engine: Engine, commits: bool, work: Callable[..., T], *arguments: Any) -> T:
    for attempt in range(1, ATTEMPTS + 1):
        try:
            with engine.begin() if commits else engine.connect() as connection:
                return work(connection, *arguments)
        except Exception as error:
            if not may_run_again(error) or attempt == ATTEMPTS:
                raise failure(error) from None
    raise AssertionError("the last attempt returns or raises")
