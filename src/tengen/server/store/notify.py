"""Tells other server processes that a match has moved on, by PostgreSQL's LISTEN and NOTIFY.

A payload is the process that wrote it, then match ids and numbers in turn: `process match number match …`.
Where events were stored, a JSON list follows on the process without a space, `process[…] match number …`: for
each of those matches its new events, as `read_events` takes them, or null where they are too long. The first
release takes all of that for the process, so it can go on beside this one.

It is sent in the transaction that it tells of, so it arrives only when that is committed. Nothing depends on
its arrival: the log is the truth, and a listener that lost its connection says that it may have missed some.
HOUSE in the place of a match tells of what the operator has decided, and of devices that were shut out.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Raw
from sqlalchemy import Engine

from tengen.server.store.failures import brief
from tengen.server.store.rows import Columns, Stored, read_stored
from tengen.server.store.statements import Statements

if TYPE_CHECKING:
    import psycopg

MAX_PAYLOAD = 7_900  # PostgreSQL takes less than 8000 bytes
CHECK_SECONDS = 15.0
SLEEP_SECONDS = (0.1, 3.0)  # before connecting again, and the most that grows to

HOUSE = "house"  # too short for the id of a match
Head = tuple[str, int]  # a match and the number of its last event
News = tuple[str, int, Raw | None]  # and what is new, if it came along
Heard = Callable[[str, int, Raw | None], None]

_NULL = Raw(b"null")
_decode_told = msgspec.json.Decoder(list[Raw]).decode
_decode_events = msgspec.json.Decoder(list[Columns]).decode

log = logging.getLogger(__name__)


Execute = Callable[[str, tuple[str]], Any]  # runs a statement in a transaction


def tell(execute: Execute, statements: Statements, process: str, heads: Iterable[Head]) -> None:
    """Notifies of (match, number) when the transaction commits; nothing to do where nobody could listen."""
    if statements.notify is not None:
        payloads = list(pack(process, heads))
        execute(statements.notify, (msgspec.json.encode(payloads).decode(),))


def pack(process: str, heads: Iterable[Head]) -> Iterator[str]:
    payload = process
    for match_id, number in heads:
        entry = f" {match_id} {number}"
        if len(payload) + len(entry) > MAX_PAYLOAD:
            yield payload
            payload = process
        payload += entry
    if payload != process:
        yield payload


def unpack(payload: str) -> tuple[str, list[News]]:
    """Raises ValueError or IndexError for what is not ours."""
    first, *words = payload.split(" ")
    process, bracket, told = first.partition("[")
    heads = [(words[i], int(words[i + 1])) for i in range(0, len(words), 2)]
    events = _decode_told(bracket + told) if bracket else [_NULL] * len(heads)
    news = zip(heads, events, strict=True)
    return process, [(*head, None if some == _NULL else some) for head, some in news]


def read_events(told: Raw) -> list[Stored]:
    """The events of a match that a notification came with."""
    return [read_stored(columns) for columns in _decode_events(told)]


class Listener:
    """Calls back on the event loop for what other processes wrote; with "" after every time it connects."""

    def __init__(self, engine: Engine, process: str, callback: Heard) -> None:
        self._engine = engine
        self._process = process
        self._callback = callback
        self._task = asyncio.get_running_loop().create_task(self._run(), name="tengen listener")

    async def stop(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        import psycopg  # the extra `postgres`: whoever listens has opened a database through it

        least, most = SLEEP_SECONDS
        sleep = least
        while True:
            try:
                async with await self._connect() as connection:
                    await connection.execute("LISTEN tengen")
                    sleep = least
                    self._call("", 0, None)
                    await self._hear(connection)
            except (psycopg.Error, OSError) as error:
                log.warning("listener lost its connection: %s", brief(error))
            await asyncio.sleep(sleep)
            sleep = min(2 * sleep, most)

    async def _connect(self) -> psycopg.AsyncConnection:
        import psycopg

        _, arguments = self._engine.dialect.create_connect_args(self._engine.url)
        return await psycopg.AsyncConnection.connect(autocommit=True, **arguments)

    async def _hear(self, connection: psycopg.AsyncConnection) -> None:
        """Until the connection ends, by an error. It is read as the event loop has something for it.

        The driver's own way waits anew for each notification, which costs more than what is done with one.
        """
        loop, number = asyncio.get_running_loop(), connection.fileno()
        connection.add_notify_handler(lambda notification: self._take(notification.payload))
        while True:
            broken: asyncio.Future[None] = loop.create_future()
            loop.add_reader(number, self._read, connection, broken)
            try:
                await asyncio.wait((broken,), timeout=CHECK_SECONDS)
            finally:
                loop.remove_reader(number)
            if broken.done():
                broken.result()
            await connection.execute("SELECT 1")  # what comes meanwhile goes to the handler

    def _read(self, connection: psycopg.AsyncConnection, broken: asyncio.Future[None]) -> None:
        import psycopg

        try:
            connection.pgconn.consume_input()
            while (found := connection.pgconn.notifies()) is not None:
                self._take(found.extra.decode())
        except psycopg.Error as error:
            if not broken.done():
                broken.set_exception(error)

    def _take(self, payload: str) -> None:
        try:
            process, news = unpack(payload)
        except (ValueError, IndexError):
            log.warning("listener got a notification that is not ours")
            return
        if process != self._process:
            for one in news:
                self._call(*one)

    def _call(self, match_id: str, number: int, told: Raw | None) -> None:
        try:
            self._callback(match_id, number, told)
        except Exception:
            log.exception("the listener's callback failed")
