"""How long a server takes to start after an outage, and how much memory, with many timed matches under way.

    python -m benchmarks.server_start --matches 100000

Makes one match with a clock, copies its row, lets the server be away for a while, starts it again on the same
SQLite file and reads the processor time of the start, which other work on the machine changes little, the
time until /readyz answers, and the memory. Prints them, and fails above the targets.
"""

from __future__ import annotations

import argparse
import sqlite3
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from benchmarks.serving.games import Maker
from benchmarks.serving.processes import Serving

TARGETS = {"more_cpu_s": 2.0, "memory_mb": 300.0}


def copies(path: Path, match: str, count: int) -> None:
    """So many matches more like that one, without its events."""
    with closing(sqlite3.connect(path)) as database:
        for name, key in (("matches", "id"), ("seats", "match_id")):
            columns = [row[1] for row in database.execute(f"PRAGMA table_info({name})") if row[1] != key]
            listed = ", ".join(columns)
            database.execute(
                f"WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {count - 1}) "
                f"INSERT INTO {name} ({key}, {listed}) SELECT 'copy-' || i, {listed} FROM n, {name} "
                f"WHERE {key} = ?",
                (match,),
            )
        database.commit()


@dataclass(frozen=True)
class Start:
    cpu_s: float
    wall_s: float
    memory_mb: float

    @classmethod
    def of(cls, server: Serving) -> Start:
        begun = time.perf_counter()
        server.start()
        wall_s = time.perf_counter() - begun
        time.sleep(2)  # for the first sweep
        found = cls(server.cpu_s(), wall_s, server.rss_bytes() / 2**20)
        server.stop()
        return found


def measure(matches: int, folder: Path) -> tuple[Start, Start]:
    """A start with one match, and with so many more."""
    path = folder / "start.sqlite3"
    server = Serving(folder, f"sqlite:///{path}")
    server.start()
    maker = Maker([server.url])
    made = maker.make(timed=True)
    maker.close()
    server.stop()
    empty = Start.of(server)
    copies(path, made.match, matches)
    return empty, Start.of(server)


def missed(empty: Start, full: Start) -> bool:
    return full.cpu_s - empty.cpu_s > TARGETS["more_cpu_s"] or full.memory_mb > TARGETS["memory_mb"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--matches", type=int, default=100_000)
    matches = parser.parse_args().matches
    with tempfile.TemporaryDirectory() as folder:
        empty, full = measure(matches, Path(folder))
    for count, start in ((1, empty), (matches, full)):
        print(
            f"{count} timed matches: {start.cpu_s:.2f} s of the processor, {start.wall_s:.2f} s, "
            f"{start.memory_mb:.0f} MB"
        )
    return int(missed(empty, full))


if __name__ == "__main__":
    sys.exit(main())
