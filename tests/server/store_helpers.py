"""Rows for the tests of the store, a store that is closed afterwards, and databases to begin with."""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import structs

from tengen.match import Event
from tengen.server.store.database import open_database
from tengen.server.store.store import MatchRow, SeatRow, Store, Stored, Summary


@cache
def _empty() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "empty.db")
        open_database(f"sqlite:///{path}").dispose()
        return path.read_bytes()


def prepared(path: Path) -> str:
    """A database with all tables and nothing in them, at once: to make them takes longer than most tests."""
    path.touch(0o600)
    path.write_bytes(_empty())
    return f"sqlite:///{path}"


ANN = SeatRow("person", "Ann", holder="ann")
BOB = SeatRow("person", "Bob", holder="bob")
OPEN = SeatRow("open")
WAITING = Summary(0, 0, None, 1_000, "9/9/9/9/9/9/9/9/9", "open", None, None, False)
PLAYING = structs.replace(WAITING, status="playing", to_move=0)


@asynccontextmanager
async def opened(url: str, process: str = "one") -> AsyncIterator[Store]:
    store = await Store.open(url, process=process)
    try:
        yield store
    finally:
        await store.close()


def new_match(
    summary: Summary = PLAYING, seats: tuple[SeatRow, SeatRow] = (ANN, BOB), **more: Any
) -> MatchRow:
    row = MatchRow(
        id=secrets.token_urlsafe(12),
        game="go",
        options={"size": 9, "komi": 7.5, "rules": None},
        clock={"kind": "fischer", "main_ms": 60_000, "increment_ms": 1_000, "cap_ms": None},
        origin=None,
        public=True,
        created_ms=1_000,
        creator="ann",
        started_ms=None,
        setup=None,
        rematch_of=None,
        rematch=None,
        seats=seats,
        summary=summary,
    )
    return replace(row, **more)


def new_event(number: int, client_id: str | None = None, **more: Any) -> Stored:
    data = {"actions": (number, 3), "text": "D4 – ü"}
    event = Event(number, "move", number % 2, 1_000 + number, data, f"position {number}")
    return Stored(replace(event, **more), client_id)


def at(number: int, **more: Any) -> Summary:
    return structs.replace(
        PLAYING, **({"number": number, "moves": number, "moved_ms": 1_000 + number} | more)
    )


async def append(store: Store, match_id: str, *numbers: int, client_id: str | None = None) -> bool:
    """Events with these numbers, the first with the client id."""
    events = [new_event(number, None if i else client_id) for i, number in enumerate(numbers)]
    return await store.append(match_id, events, at(numbers[-1]))


def numbers(log: Iterable[Stored]) -> list[int]:
    return [stored.event.number for stored in log]


async def assert_whole(store: Store, match_id: str) -> int:
    """The log has no gap and the summary agrees with it; returns how long it is."""
    row, log = await store.match(match_id), await store.events(match_id)
    assert row is not None
    assert numbers(log) == list(range(1, row.summary.number + 1))
    return len(log)
