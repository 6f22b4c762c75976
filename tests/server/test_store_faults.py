"""A database that goes away, fills up or is locked, and what other processes hear of a match."""

from __future__ import annotations

import asyncio
import logging
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec import Raw
from sqlalchemy import event

from tengen.server.store import database, notify
from tengen.server.store.notify import MAX_PAYLOAD, pack, read_events, unpack
from tengen.server.store.store import PersonRow, SeatRow, Store, Stored, StoreError, StoreUnavailable
from tests.server.postgres import PASSWORD, PostgresServer
from tests.server.store_helpers import (
    ANN,
    OPEN,
    PLAYING,
    WAITING,
    append,
    assert_whole,
    at,
    new_event,
    new_match,
    opened,
)
from tests.waiting import passed
from tests.waiting import soon as until

pytestmark = pytest.mark.anyio

# A full disk


@contextmanager
def few_pages(store: Store) -> Iterator[None]:
    """SQLite may not make the file larger."""
    engine = store._database.writer

    def limit(raw: Any, *_: object) -> None:
        raw.execute("PRAGMA max_page_count = 1")  # SQLite takes it for the present size

    event.listen(engine, "checkout", limit)
    try:
        yield
    finally:
        event.remove(engine, "checkout", limit)
        with engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA max_page_count = 1000000")


@contextmanager
def small_files(store: Store) -> Iterator[None]:
    """The system refuses to make files larger, in the middle of a write to the log of SQLite."""
    path = store._database.path
    assert path is not None
    wal = path.with_name(f"{path.name}-wal")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (wal.stat().st_size + 6_000, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("full", [few_pages, small_files])
async def test_a_full_disk(sqlite_url: str, full: Callable[[Store], AbstractContextManager[None]]) -> None:
    big = {"text": "x" * 100_000}
    async with opened(sqlite_url) as store:
        rows = [new_match() for _ in range(5)]
        for row in rows:
            await store.add_match(row)
            assert await append(store, row.id, 1)
        with full(store):
            calls = [store.append(row.id, [new_event(2), new_event(3, data=big)], at(3)) for row in rows]
            failed = await asyncio.gather(*calls, return_exceptions=True)
            assert [type(error) for error in failed] == [StoreUnavailable] * 5
            with pytest.raises(StoreUnavailable):
                await store.add_study("study", None, 1, b"x" * 100_000)
            assert [await assert_whole(store, row.id) for row in rows] == [1] * 5
        for row in rows:
            assert await store.append(row.id, [new_event(2), new_event(3, data=big)], at(3))
            assert await assert_whole(store, row.id) == 3


async def test_a_database_that_is_locked_too_long(
    tmp_path: Path, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_MS", 50)
    async with opened(sqlite_url) as store:
        row = new_match()
        await store.add_match(row)
        with closing(sqlite3.connect(tmp_path / "tengen.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreUnavailable):
                await append(store, row.id, 1)
            assert await store.events(row.id) == []
            other.execute("ROLLBACK")
        assert await append(store, row.id, 1)


# PostgreSQL goes away


async def test_postgresql_restarts(postgres_server: PostgresServer, postgres_url: str) -> None:
    async with opened(postgres_url) as store:
        rows = [new_match() for _ in range(5)]
        for row in rows:
            await store.add_match(row)
        accepted = dict.fromkeys((row.id for row in rows), 0)
        failures: list[str] = []
        stopping = False

        async def play(match_id: str) -> None:
            while not stopping:
                number = accepted[match_id] + 1
                try:
                    if not await append(store, match_id, number, client_id=str(number)):
                        log = await store.events(match_id)
                        assert log[number - 1].client_id == str(number)
                    accepted[match_id] = number
                except StoreUnavailable:
                    failures.append(match_id)
                    await passed(0.02)

        players = [asyncio.ensure_future(play(row.id)) for row in rows]
        await until(lambda: min(accepted.values()) > 20)
        await asyncio.to_thread(postgres_server.stop)
        await until(lambda: set(failures) == set(accepted))
        with pytest.raises(StoreUnavailable):
            await store.ping()
        with pytest.raises(StoreUnavailable):
            await store.beat(1, 3_000)
        await asyncio.to_thread(postgres_server.start)
        before = dict(accepted)
        await until(lambda: all(accepted[one] > before[one] + 20 for one in accepted))
        stopping = True
        await asyncio.gather(*players)
        for match_id, number in accepted.items():
            assert await assert_whole(store, match_id) == number
        await store.ping()
        assert await store.beat(1, 3_000) == []


async def test_a_connection_that_died_unnoticed(postgres_url: str) -> None:
    """Connections that wait in the pool are tried before they are used."""
    async with opened(postgres_url) as store:
        row = new_match()
        await store.add_match(row)
        assert await append(store, row.id, 1)
        async with opened(postgres_url, "two") as other:
            with other._database.writer.connect() as connection:
                connection.exec_driver_sql(
                    "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity "  # and waits for it
                    "WHERE pid <> pg_backend_pid() AND datname = current_database()"
                )
            assert await append(store, row.id, 2)
            assert await store.match(row.id) is not None


# What others hear


class Heard:
    def __init__(self, store: Store) -> None:
        self.heads: list[tuple[str, int]] = []
        store.listen(lambda match_id, number, _told: self.heads.append((match_id, number)))

    async def hears(self, *heads: tuple[str, int]) -> None:
        await until(lambda: set(heads) <= set(self.heads))
        self.heads.clear()


async def test_sqlite_calls_nobody(sqlite_url: str) -> None:
    async with opened(sqlite_url) as store:
        heard = Heard(store)
        row = new_match()
        await store.add_match(row)
        await append(store, row.id, 1)
    assert heard.heads == [], "until the store was closed"


_OTHER = """
import asyncio, sys
from tests.server.store_helpers import append, opened

async def main(url, match_id):
    async with opened(url, "other") as store:
        assert await append(store, match_id, 1, 2)
        assert not await append(store, match_id, 2)

asyncio.run(main(*sys.argv[1:]))
"""


async def test_another_process_is_heard_and_oneself_is_not(postgres_url: str) -> None:
    async with opened(postgres_url) as store:
        heard = Heard(store)
        await heard.hears(("", 0))
        row, own = new_match(), new_match()
        for one in (row, own):
            await store.add_match(one)
        assert await append(store, own.id, 1)
        command = [sys.executable, "-c", _OTHER, postgres_url, row.id]
        folder = Path(__file__).parents[2]
        await asyncio.to_thread(subprocess.run, command, check=True, timeout=60, cwd=folder)
        await until(lambda: bool(heard.heads))
        assert heard.heads == [(row.id, 2)], "one's own came first and was left out"


async def test_what_else_is_heard(postgres_url: str) -> None:
    async with opened(postgres_url) as store, opened(postgres_url, "two") as other:
        heard = Heard(store)
        await heard.hears(("", 0))
        row, unwanted = new_match(WAITING, (ANN, OPEN)), new_match(WAITING, (ANN, OPEN))
        for one in (row, unwanted):
            await other.add_match(one)
        assert await other.take_seat(row.id, 1, "bob", "Bob")
        await heard.hears((row.id, 0))
        assert await other.start(row.id, {}, 1, PLAYING)
        await heard.hears((row.id, 0))
        assert await other.cancel(unwanted.id)
        await heard.hears((unwanted.id, 0))
        assert await append(other, row.id, 1)
        await heard.hears((row.id, 1))
        assert await other.add_match(new_match(rematch_of=row.id))
        await heard.hears((row.id, 1))
        assert not await other.take_seat(row.id, 1, "eve", "Eve")
        assert not await other.cancel(row.id)
        rows = [new_match() for _ in range(700)]
        await asyncio.gather(*(other.add_match(one) for one in rows))
        assert all(await asyncio.gather(*(append(other, one.id, 1) for one in rows)))
        await heard.hears(*((one.id, 1) for one in rows))


async def test_events_come_along_as_they_were_stored(postgres_url: str) -> None:
    async with opened(postgres_url) as store, opened(postgres_url, "two") as other:
        told: dict[str, list[Stored]] = {}
        connected: list[str] = []

        def hear(match_id: str, _number: int, news: Raw | None) -> None:
            if news is None:
                connected.append(match_id)
            else:
                told[match_id] = told.get(match_id, []) + read_events(news)

        store.listen(hear)
        await until(lambda: connected == [""])
        rows = [new_match() for _ in range(150)]
        await asyncio.gather(*(other.add_match(row) for row in rows))
        texts = ("ä b", 'a "quoted" [bracket]', "\\u0020 and \n a line", "日本 \U0001f600")
        logs = {
            row.id: [new_event(1, f"id {i}", data={"text": texts[i % 4], "actions": (1, 2)}), new_event(2)]
            for i, row in enumerate(rows)
        }
        assert all(await asyncio.gather(*(other.append(one, log, at(2)) for one, log in logs.items())))
        await until(lambda: len(told) == len(rows))
        assert told == logs
        assert await store.events_of(dict.fromkeys(logs, 0)) == logs


async def test_a_listener_finds_its_way_back(
    postgres_server: PostgresServer, postgres_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened(postgres_url) as store, opened(postgres_url, "two") as other:
        heard = Heard(store)
        await heard.hears(("", 0))
        row = new_match()
        await store.add_match(row)
        await asyncio.to_thread(postgres_server.restart)
        await heard.hears(("", 0))
        assert await append(other, row.id, 1)
        await heard.hears((row.id, 1))
    assert PASSWORD not in caplog.text


async def test_a_callback_that_fails_does_not_stop_the_listener(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(notify, "CHECK_SECONDS", 0.05)
    async with opened(postgres_url) as store, opened(postgres_url, "two") as other:
        called: list[int] = []

        def callback(_match_id: str, number: int, _told: object) -> None:
            called.append(number)
            raise RuntimeError("a bug")

        store.listen(callback)
        row = new_match()
        await other.add_match(row)
        await until(lambda: called == [0] and "callback failed" in caplog.text)
        assert await append(other, row.id, 1)
        await until(lambda: called == [0, 1])
    assert "callback failed" in caplog.text


def test_payloads_are_packed_and_fit() -> None:
    heads = [(f"match-{i:010}", i) for i in range(2_000)]
    payloads = list(pack("process", heads))
    assert 1 < len(payloads) < 20
    assert all(len(payload) <= MAX_PAYLOAD for payload in payloads)
    assert [news for payload in payloads for news in unpack(payload)[1]] == [(*head, None) for head in heads]
    assert {unpack(payload)[0] for payload in payloads} == {"process"}
    assert list(pack("process", [])) == []


async def test_secrets_are_not_logged(store_url: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with opened(store_url) as store:
        await store.add_person(PersonRow("ann", "secret-hash", "Ann", 1))
        await store.add_match(new_match(WAITING, (ANN, SeatRow("invited", invitation_hash="secret-token"))))
        with pytest.raises(StoreError, match="The database refused"):
            await store.add_person(PersonRow("bob", "secret-bob", None, 1))  # type: ignore[arg-type]
    assert "secret" not in caplog.text
    assert PASSWORD not in caplog.text
