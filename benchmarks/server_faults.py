"""What a server loses when things go wrong: nothing that it has acknowledged.

    python -m benchmarks.server_faults                            all of it, about ten minutes
    python -m benchmarks.server_faults --only kill --rounds 20

Two hundred matches are played by tengen's own client (`tengen.remote`), two hundred moves a second, while

- kill: the server is killed with `kill -9` at random moments and started again;
- postgres: PostgreSQL crashes and comes back under two servers, and one of those is killed;
- proxy: a network in between cuts, delays, repeats and reorders messages;
- disk: the disk is full, and then has room again.

After each round the clients must have gone on by themselves in every match, every acknowledged event must be
stored once and in order, and both clients must stand where a replay of the log comes to. Writes
benchmarks/results/server-faults.json. Start reading at `Scene.check`.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.machine import machine_facts
from benchmarks.serving import ledger
from benchmarks.serving.crowd import SIZE, Crowd
from benchmarks.serving.disk import Disk, SmallFiles, small_disk
from benchmarks.serving.games import Made, Maker
from benchmarks.serving.processes import Serving
from benchmarks.serving.proxy import Proxy, Weather

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results" / "server-faults.json"
PATIENCE_S = 60.0  # for all matches to go on after a fault
EACH = 20  # matches on one connection, the most that a server allows


@dataclass(frozen=True)
class Size:
    """How large a run is; the tests make it small."""

    matches: int = 200
    rounds: int = 20
    pace_s: float = 1.2
    round_s: float = 2.0  # of play before and of bad weather in each round
    harsh: float = 1.0  # by what the chances of bad weather are multiplied


@dataclass
class Scene:
    """Servers with a crowd that plays on them."""

    servers: list[Serving]
    database_url: str
    crowd: Crowd
    rows: list[dict[str, Any]] = field(default_factory=list)

    def check(self, name: str, before: dict[str, tuple[int, int]], **facts: Any) -> None:
        """That all went on by themselves since `before`, and that nothing is lost."""
        begun = time.monotonic()
        faults: list[str] = []
        stuck = _until(lambda: [m for m, n in self.crowd.numbers().items() if min(n) <= max(before[m])])
        faults += [f"{match}: did not go on from {before[match]}." for match in stuck]
        recovered_s = time.monotonic() - begun
        self.crowd.hold()
        faults += _until(self._unsettled)
        stored = ledger.read(self.database_url, {made.match for made in self.crowd.made})
        faults += ledger.faults(self.crowd.ledger, stored)
        for match, positions in self.crowd.positions().items():
            if positions != {stored[match].position}:
                faults.append(f"{match}: clients at {positions}, the log at {stored[match].position}.")
        faults += self.crowd.faults
        self.crowd.faults.clear()
        self.crowd.playing.set()
        row = {"round": name, "recovered_s": round(recovered_s, 2), **facts}
        self.rows.append(row | {"acknowledged": self.crowd.ledger.count, "faults": faults[:10]})
        _tell(json.dumps(self.rows[-1]))

    def _unsettled(self) -> list[str]:
        apart = [f"{match}: {n}." for match, n in self.crowd.numbers().items() if n[0] != n[1]]
        pending = self.crowd.pending()
        return apart + ([f"{pending} requests have no answer."] if pending else [])


def _until(wrong: Callable[[], list[str]], seconds: float = PATIENCE_S) -> list[str]:
    """Waits until nothing is wrong; what still is when the time is up."""
    deadline = time.monotonic() + seconds
    while (found := wrong()) and time.monotonic() < deadline:
        time.sleep(0.05)
    return found


@contextlib.contextmanager
def scene(
    size: Size, folder: Path, database_url: str, servers: int = 1, proxied: bool = False
) -> Iterator[Any]:
    """A scene, with its proxy if there is one, from the first server to the last check."""
    running = [Serving(folder, database_url) for _ in range(servers)]
    with contextlib.ExitStack() as stack:
        for server in running:
            server.start()
            stack.callback(server.stop)
        made = _make(size, running)
        ports = (running[0].port, running[-1].port)
        proxy = stack.enter_context(Proxy(running[0].port)) if proxied else None
        if proxy is not None:
            ports = (proxy.port, proxy.port)
        crowd = Crowd(made, size.pace_s)
        stack.callback(crowd.stop)
        crowd.start(ports, EACH)
        found = Scene(running, database_url, crowd)
        found.check("calm", crowd.numbers())
        yield (found, proxy) if proxied else found


def _make(size: Size, servers: list[Serving]) -> list[Made]:
    """Matches in groups of the same two persons, every other one with clocks."""
    maker = Maker([server.url for server in servers])
    made: list[Made] = []
    for number in range(size.matches):
        players: tuple[str | None, str | None] = made[-1].secrets if number % EACH else (None, None)
        made.append(maker.make(players, SIZE, timed=bool(number % 2)))
    maker.close()
    return made


def kill(size: Size, folder: Path, database_url: str) -> list[dict[str, Any]]:
    rng = random.Random(7)
    with scene(size, folder, database_url) as now:
        for number in range(1, size.rounds + 1):
            time.sleep(rng.uniform(0.3, size.round_s))
            before = now.crowd.numbers()
            now.servers[0].kill()
            away_s = rng.choice((0.0, 0.0, 0.5, 4.0))  # longer than an outage is overlooked
            time.sleep(away_s)
            now.servers[0].start()
            now.check(f"kill {number}", before, away_s=away_s)
    rows: list[dict[str, Any]] = now.rows
    return rows


def postgres(size: Size, folder: Path, server: Any, database_url: str) -> list[dict[str, Any]]:
    """`server` is the PostgresServer that has the database."""
    with scene(size, folder, database_url, servers=2) as now:
        for number in range(1, size.rounds + 1):
            time.sleep(size.round_s)
            before = now.crowd.numbers()
            if number % 3:
                server.restart()
            else:
                now.servers[0].kill()
                now.servers[0].start()
            now.check(f"{'postgres restarted' if number % 3 else 'one of two killed'} {number}", before)
    rows: list[dict[str, Any]] = now.rows
    return rows


def network(size: Size, folder: Path, database_url: str) -> list[dict[str, Any]]:
    harsh = size.harsh
    kinds = {
        "cut": Weather(cut=0.01 * harsh),
        "delay": Weather(delay=0.3),
        "repeat": Weather(repeat=0.05 * harsh),
        "reorder": Weather(reorder=0.2),
        "all": Weather(cut=0.005 * harsh, delay=0.1, repeat=0.02 * harsh, reorder=0.1),
    }
    with scene(size, folder, database_url, proxied=True) as (now, proxy):
        for number in range(size.rounds):
            name, weather = list(kinds.items())[number % len(kinds)]
            before, done = now.crowd.numbers(), dict(proxy.done)
            proxy.weather = weather
            time.sleep(2 * size.round_s)
            while not (did := _since(done, proxy)):
                time.sleep(0.05)
            proxy.weather = Weather()
            now.check(f"network {name} {number + 1}", before, did=did)
    rows: list[dict[str, Any]] = now.rows
    return rows


def _since(done: dict[str, int], proxy: Proxy) -> dict[str, int]:
    """What the proxy has done since it had done that."""
    return {what: more for what, count in proxy.done.items() if (more := count - done.get(what, 0))}


def full_disk(size: Size, folder: Path, database_url: str, disk: Disk) -> list[dict[str, Any]]:
    with scene(size, folder, database_url) as now:
        for number in range(1, size.rounds + 1):
            time.sleep(size.round_s)
            disk.fill(now.servers[0])
            time.sleep(size.round_s)
            stopped_at = now.crowd.ledger.count
            time.sleep(size.round_s)
            stored = now.crowd.ledger.count - stopped_at
            before = now.crowd.numbers()
            disk.empty(now.servers[0])
            now.check(f"{type(disk).__name__} {number}", before, acknowledged_while_full=stored)
    rows: list[dict[str, Any]] = now.rows
    return rows


SCENES = ("kill", "postgres", "proxy", "disk")


def run(size: Size, only: str | None) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    base = ROOT / "build"
    base.mkdir(exist_ok=True)
    for name in SCENES if only is None else (only,):
        _tell(name)
        with tempfile.TemporaryDirectory(dir=base, prefix="faults-") as place:
            rows += _run_one(name, size, Path(place))
    return rows


def _run_one(name: str, size: Size, folder: Path) -> list[dict[str, Any]]:
    url = f"sqlite:///{folder / 'tengen.sqlite3'}"
    if name == "kill":
        return kill(size, folder, url)
    if name == "proxy":
        return network(size, folder, url)
    if name == "disk":
        rows = full_disk(size, folder, url, SmallFiles())
        with small_disk(folder / "disk") as disk:
            if disk is None:
                return rows
            return rows + full_disk(size, folder, f"sqlite:///{folder / 'disk' / 'tengen.sqlite3'}", disk)
    from tests.server.postgres import running

    with running(durable=True) as server, server.database("faults") as url:
        return postgres(size, folder, server, url)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.server_faults", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--only", choices=SCENES)
    parser.add_argument("--matches", type=int, default=Size.matches)
    parser.add_argument("--rounds", type=int, default=Size.rounds, help="of each kind")
    parser.add_argument("--dry-run", action="store_true", help="print only; keep the results")
    got = parser.parse_args()
    rows = run(Size(got.matches, got.rounds), got.only)
    bad = [row for row in rows if row["faults"]]
    print(f"{len(rows)} checks, {len(bad)} with faults, {rows[-1]['acknowledged']} moves in the last scene")
    if not got.dry_run and got.only is None:
        facts = {"date": datetime.now(UTC).date().isoformat(), "machine": machine_facts()}
        content = facts | {"matches": got.matches, "rounds": rows}
        RESULTS.parent.mkdir(exist_ok=True)
        RESULTS.write_text(json.dumps(content, indent=1) + "\n")
        _tell(f"wrote {RESULTS.relative_to(ROOT)}")
    return 1 if bad else 0


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
