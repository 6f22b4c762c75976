"""Databases for the tests of the server: a new one with nothing in its tables for each test that asks.

`sqlite_url` and `postgres_url` are one of each, `store_url` runs a test with both. Tests that are marked with
`anyio` may be async.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.server.postgres import NoPostgres, PostgresServer, running
from tests.server.store_helpers import prepared

_databases = count()


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return prepared(tmp_path / "tengen.db")


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """One server for each worker of the test run. A test may restart it, but must leave it running."""
    try:
        with running() as server:
            yield server
    except NoPostgres as reason:
        pytest.skip(f"NOT TESTED WITH POSTGRESQL: {reason}")


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    with postgres_server.database(f"test_{next(_databases)}") as url:
        yield url


@pytest.fixture(params=["sqlite", "postgres"])
def store_url(request: pytest.FixtureRequest) -> str:
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


class Passing:
    """Makes time pass at once for whatever is stamped, as `passing(1.5)`; not for the loop's timers."""

    def __init__(self) -> None:
        self._ahead_ns = 0

    def time_ns(self) -> int:
        return time.time_ns() + self._ahead_ns

    def __call__(self, seconds: float) -> None:
        self._ahead_ns += int(seconds * 1e9)


@pytest.fixture
def passing(monkeypatch: pytest.MonkeyPatch) -> Passing:
    clock = Passing()
    monkeypatch.setattr("tengen.server.stamp.time", clock)
    return clock
