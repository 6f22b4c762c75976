"""Whether what was played makes a server slower: start-up, home page and lists with few and many matches.

    python -m benchmarks.server_lists                 100 and 100,000 finished matches, SQLite
    python -m benchmarks.server_lists --postgres      the same with a PostgreSQL of its own

All matches belong to one person, whose list is read at its beginning, in the middle and at its end. Times are
the best of several tries, since other work on the machine only adds to them. Writes
benchmarks/results/server-lists-*.json. Start reading at `measure`.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import insert, text

from benchmarks.machine import machine_facts
from benchmarks.serving.processes import Serving
from tengen.server.store.schema import events, matches, people, seats
from tengen.server.store.store import PersonRow, Store

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results"
TRIES = 25
AT_ONCE = 5_000  # rows that are written together
PAGE = 51
PERSON = PersonRow("ann", "0" * 64, "Ann", 1)


def fill(store: Store, count: int) -> None:
    """Finished matches of one person with one event each, made a second apart."""
    with store._database.writer.begin() as connection:
        connection.execute(insert(people).values(**_person()))
        for begin in range(0, count, AT_ONCE):
            numbers = range(begin, min(begin + AT_ONCE, count))
            connection.execute(insert(matches), [_match(number) for number in numbers])
            connection.execute(insert(seats), [_seat(number, seat) for number in numbers for seat in (0, 1)])
            connection.execute(insert(events), [_event(number) for number in numbers])
    with store._database.writer.begin() as connection:
        connection.execute(text("ANALYZE"))


def _person() -> dict[str, Any]:
    return {"id": PERSON.id, "secret_hash": PERSON.secret_hash, "name": PERSON.name, "created_ms": 1}


def _match(number: int) -> dict[str, Any]:
    return {
        "id": f"match-{number:07}",
        "game": "go",
        "options": '{"size":9}',
        "clock": '{"kind":"none"}',
        "public": True,
        "created_ms": number * 1000,
        "creator": PERSON.id,
        "number": 1,
        "moves": 1,
        "moved_ms": number * 1000 + 1,
        "diagram": "9/9/9/9/9/9/9/9/9",
        "status": "over",
        "outcome": '{"winner":0,"reason":"resign","score":null}',
        "machine_due": False,
        "ended_ms": number * 1000 + 1,
    }


def _seat(number: int, seat: int) -> dict[str, Any]:
    return {
        "match_id": f"match-{number:07}",
        "seat": seat,
        "kind": "person",
        "name": "Ann",
        "player": "",
        "holder": None if seat else PERSON.id,
        "ended_ms": number * 1000 + 1,
    }


def _event(number: int) -> dict[str, Any]:
    return {
        "match_id": f"match-{number:07}",
        "number": 1,
        "kind": "resign",
        "seat": 1,
        "at_ms": number * 1000 + 1,
        "data": "{}",
        "position": "0" * 16,
    }


async def measure(url: str, count: int, folder: Path) -> dict[str, float]:
    """Milliseconds of the clock for each thing, with so many matches in a fresh database."""
    store = await Store.open(url, process="bench")
    found: dict[str, float] = {}

    async def best(name: str, work: Callable[[], Awaitable[Any]]) -> None:
        times = []
        for _ in range(TRIES):
            begun = time.perf_counter()
            await work()
            times.append(time.perf_counter() - begun)
        found[name] = round(1000 * min(times), 2)

    try:
        await asyncio.to_thread(fill, store, count)
        middle = count // 2
        await best("lobby", store.lobby)
        await best("first page", lambda: store.matches_of(PERSON.id, PAGE))
        await best(
            "middle page",
            lambda: store.matches_of(PERSON.id, PAGE, (middle * 1000 + 1, f"match-{middle:07}")),
        )
        await best("last page", lambda: store.matches_of(PERSON.id, PAGE, (30_001, "match-0000030")))
        await best("what goes on", lambda: store.live_of(PERSON.id))
        await best("flags that are due", lambda: store.due_flags(2**50))
        await best("machines that are due", store.due_machines)
    finally:
        await store.close()
    found["start"] = _start_ms(url, folder)
    return found


def _start_ms(url: str, folder: Path) -> float:
    """From the command to a server that is ready, the best of three."""
    times = []
    for _ in range(3):
        server = Serving(folder, url)
        begun = time.perf_counter()
        server.start()
        times.append(time.perf_counter() - begun)
        server.stop()
    return round(1000 * min(times), 1)


@contextlib.contextmanager
def _database(postgres: bool, folder: Path, name: str) -> Iterator[str]:
    if not postgres:
        yield f"sqlite:///{folder / name}.sqlite3"
        return
    from tests.server.postgres import running

    with running() as server, server.database(name) as url:
        yield url


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.server_lists", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--counts", type=int, nargs="+", default=[100, 100_000])
    parser.add_argument("--postgres", action="store_true", help="start a PostgreSQL of our own")
    parser.add_argument("--dry-run", action="store_true", help="print only; keep the results")
    got = parser.parse_args()
    kind = "postgresql" if got.postgres else "sqlite"
    found: dict[str, Any] = {"date": datetime.now(UTC).date().isoformat(), "machine": machine_facts()}
    (ROOT / "build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=ROOT / "build", prefix="lists-") as place:
        folder = Path(place)
        for count in got.counts:
            with _database(got.postgres, folder, f"lists{count}") as url:
                found[f"{count} matches"] = asyncio.run(measure(url, count, folder))
    print(json.dumps(found, indent=2))
    if not got.dry_run:
        path = RESULTS / f"server-lists-{kind}.json"
        path.write_text(json.dumps(found, indent=2) + "\n")
        print(f"wrote {path.relative_to(ROOT)}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
