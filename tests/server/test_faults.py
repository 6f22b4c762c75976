"""The fault bench, small: a kill, a network that errs, a full disk, a PostgreSQL that crashes."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

from benchmarks import server_faults
from benchmarks.server_faults import Size
from benchmarks.serving.disk import SmallFiles
from tests.server.postgres import PostgresServer

_databases = count()


def sound(rows: list[dict[str, Any]]) -> None:
    assert [row["faults"] for row in rows] == [[] for _ in rows]
    assert [row["acknowledged"] for row in rows] == sorted({row["acknowledged"] for row in rows}), "on and on"


def small(rounds: int) -> Size:
    return Size(matches=10, rounds=rounds, pace_s=0.2, round_s=0.5, harsh=5.0)


def test_killed(tmp_path: Path, sqlite_url: str) -> None:
    rows = server_faults.kill(small(2), tmp_path, sqlite_url)
    sound(rows)
    assert [row["round"] for row in rows] == ["calm", "kill 1", "kill 2"]


def test_bad_network(tmp_path: Path, sqlite_url: str) -> None:
    rows = server_faults.network(small(5), tmp_path, sqlite_url)
    sound(rows)
    assert [next(iter(row["did"])) for row in rows[1:5]] == ["cut", "delay", "repeat", "reorder"]


def test_full_disk(tmp_path: Path, sqlite_url: str) -> None:
    rows = server_faults.full_disk(small(1), tmp_path, sqlite_url, SmallFiles())
    sound(rows)
    assert rows[-1]["acknowledged_while_full"] == 0


def test_postgres_crashes(tmp_path: Path, postgres_server: PostgresServer) -> None:
    with postgres_server.database(f"faults_{next(_databases)}") as url:
        sound(server_faults.postgres(small(3), tmp_path, postgres_server, url))
