"""How much one server carries: live matches with two sockets each, durable moves, the time to the opponent.

    python -m benchmarks.server_load --matches 1000 --rate 1000 --seconds 30
    python -m benchmarks.server_load --matches 1000 --rate 1000 --seconds 30 --postgres --processes 2

Starts real servers on loopback ports (SQLite with full sync on the disk of the working directory, or a
PostgreSQL of its own with --postgres, or any with --database-url), makes matches between persons of their
own, opens two sockets for each from other processes on the same machine, and plays legal games of Great
Kingdom at a fixed rate. At the end every acknowledged move must be stored once and in order, and both clients
of a match must stand at the position that a replay of the log gives. Writes
benchmarks/results/server-load-*.json. Start reading at `measure`; serving/load.py is the generator.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.machine import machine_facts
from benchmarks.serving import ledger
from benchmarks.serving.games import Made, Maker, scripts
from benchmarks.serving.load import Plan, Report, run
from benchmarks.serving.processes import Serving

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results"
# What is judged, for one process and for four: the servers' processor time for a durable move, and how many a
# second they would store with a core each. What depends on who else uses the machine is only told.
TARGETS = {
    1: {"cpu_ms_a_move": 0.25, "knee_moves_s": 3000.0},
    4: {"cpu_ms_a_move": 0.8, "knee_moves_s": 5000.0},
}


@dataclass(frozen=True)
class Wanted:
    matches: int = 1000
    rate: float = 1000.0
    seconds: float = 30.0
    warm_s: float = 3.0
    processes: int = 1
    generators: int = 1
    database_url: str | None = None
    postgres: bool = False
    first_matches: int = 20  # played before the memory is first read: imports and caches are not a match's


def main() -> int:
    wanted, dry = _arguments()
    longest = min(map(len, scripts()))
    if wanted.rate * wanted.seconds > wanted.matches * longest:
        print(f"The games have {longest} moves: too few for that rate and time.", file=sys.stderr)
        return 2
    folder = ROOT / "build"
    folder.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory(dir=folder, prefix="load-") as place,
        _database(wanted, Path(place)) as url,
    ):
        found = measure(wanted, Path(place), url)
    print(json.dumps(found, indent=2))
    if not dry:
        RESULTS.mkdir(exist_ok=True)
        kind = found["store"] if wanted.processes == 1 else f"{found['store']}-{wanted.processes}"
        path = RESULTS / f"server-load-{kind}.json"
        path.write_text(json.dumps(found, indent=2) + "\n")
        print(f"wrote {path.relative_to(ROOT)}", file=sys.stderr)
    return 1 if found["faults"] or _missed(found, wanted.processes) else 0


def _missed(found: dict[str, Any], processes: int) -> bool:
    wanted = TARGETS.get(processes)
    if wanted is None:
        return False
    slow, few = (
        found["cpu_ms_a_move"] > wanted["cpu_ms_a_move"],
        found["knee_moves_s"] < wanted["knee_moves_s"],
    )
    return bool(slow or few)


def measure(wanted: Wanted, folder: Path, database_url: str) -> dict[str, Any]:
    """One run on a fresh database."""
    servers = [Serving(folder, database_url) for _ in range(wanted.processes)]
    try:
        for server in servers:
            server.start()
        first = wanted.first_matches
        _generate(wanted, servers, first, Plan(_ports(servers), first * 5, 1.0, 0.0))
        before = [server.rss_bytes() for server in servers]
        plan = Plan(_ports(servers), wanted.rate / wanted.generators, wanted.seconds, wanted.warm_s)
        reports, after, cpu_s = _generate(wanted, servers, wanted.matches, plan)
    finally:
        for server in servers:
            server.stop()
    grown = sum(after) - sum(before)
    summary = _summary(wanted, database_url, folder, reports)
    cpu_ms = 1000 * sum(cpu_s) / max(1, summary["acknowledged"])
    return summary | {
        "cpu_ms_a_move": round(cpu_ms, 3),
        "knee_moves_s": round(1000 * wanted.processes / cpu_ms),
        "kb_a_match": round(grown / wanted.matches / 1024, 1),
        "rss_mb": [round(size / 2**20, 1) for size in after],
        "server_cpu": [round(used / wanted.seconds, 3) for used in cpu_s],  # shares of a core
    }


def _generate(
    wanted: Wanted, servers: list[Serving], matches: int, plan: Plan
) -> tuple[list[Report], list[int], list[float]]:
    """Plays with that many new matches: the reports, the servers' memory at the end, their time in play."""
    maker = Maker([server.url for server in servers])
    made = [maker.make() for _ in range(matches)]
    maker.close()
    context = multiprocessing.get_context("spawn")
    pipes, processes = [], []
    for number in range(wanted.generators):
        ours, theirs = context.Pipe()
        share: list[Made] = made[number :: wanted.generators]
        process = context.Process(target=run, args=(theirs, share, plan))
        process.start()
        pipes.append(ours)
        processes.append(process)
    try:
        cpu_s = [0.0 for _ in servers]
        for word in ("connected", "played"):
            for pipe in pipes:
                heard = _receive(pipe, plan.seconds + 120)
                if heard != word:
                    raise RuntimeError(f"A generator said {heard!r} instead of {word!r}.")
            memory = [server.rss_bytes() for server in servers]
            cpu_s = [server.cpu_s() - before for server, before in zip(servers, cpu_s, strict=True)]
            for pipe in pipes:
                pipe.send("go on")
        return [_receive(pipe, 60) for pipe in pipes], memory, cpu_s
    finally:
        for process in processes:
            process.join(20)
            if process.is_alive():
                process.kill()
                process.join()


def _receive(pipe: Any, seconds: float) -> Any:
    if not pipe.poll(seconds):
        raise RuntimeError("A generator does not answer.")
    return pipe.recv()


def _ports(servers: list[Serving]) -> tuple[int, ...]:
    return tuple(server.port for server in servers)


def _summary(wanted: Wanted, database_url: str, folder: Path, reports: list[Report]) -> dict[str, Any]:
    acknowledged = ledger.Ledger()
    finals: dict[str, tuple[str, str]] = {}
    faults: list[str] = []
    for report in reports:
        acknowledged.acknowledged |= report.ledger.acknowledged
        finals |= report.finals
        faults += report.faults
    stored = ledger.read(database_url, set(finals))
    faults += ledger.faults(acknowledged, stored)
    for match, positions in finals.items():
        if positions != (stored[match].position, stored[match].position):
            faults.append(f"{match}: clients at {positions}, the log at {stored[match].position}.")
    moves = sum(report.measured_moves for report in reports)
    seconds = max(report.measured_s for report in reports)
    cuts = statistics.quantiles([t for report in reports for t in report.latencies_s], n=1000)
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine_facts(),
        "kernel": platform.release(),
        "store": database_url.partition(":")[0].partition("+")[0],
        "sync_ms": round(_sync_ms(folder), 3),
        "asked": {k: v for k, v in asdict(wanted).items() if k != "database_url"},
        "targets": TARGETS.get(wanted.processes),
        "moves_s": round(moves / seconds, 1),
        "p50_ms": round(cuts[499] * 1000, 2),
        "p95_ms": round(cuts[949] * 1000, 2),
        "p99_ms": round(cuts[989] * 1000, 2),
        "max_ms": round(max(t for report in reports for t in report.latencies_s) * 1000, 2),
        "acknowledged": acknowledged.count,
        "stored": sum(len(log.numbers) for log in stored.values()),
        "generator_cpu": [round(report.cpu_s / wanted.seconds, 3) for report in reports],
        "faults": faults[:20],
    }


def _sync_ms(folder: Path) -> float:
    """What one sync of a page costs on that disk: the median of thirty."""
    times = []
    with (folder / "sync").open("wb") as file:
        for _ in range(30):
            file.write(bytes(4096))
            file.flush()
            begun = time.perf_counter()
            os.fsync(file.fileno())
            times.append(time.perf_counter() - begun)
    return statistics.median(times) * 1000


@contextlib.contextmanager
def _database(wanted: Wanted, folder: Path) -> Iterator[str]:
    if wanted.database_url is not None:
        yield wanted.database_url
    elif wanted.postgres:
        from tests.server.postgres import running

        with running(durable=True) as server, server.database("load") as url:
            yield url
    else:
        yield f"sqlite:///{folder / 'tengen.sqlite3'}"


def _arguments() -> tuple[Wanted, bool]:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.server_load", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=1000.0, help="moves a second, all matches together")
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--warm", type=float, default=3.0, help="seconds at the beginning not measured")
    parser.add_argument("--processes", type=int, default=1, help="servers on one database")
    parser.add_argument("--generators", type=int, default=1, help="processes that make the load")
    parser.add_argument("--database-url", help="a database that is there; a new SQLite file unless given")
    parser.add_argument("--postgres", action="store_true", help="start a PostgreSQL of our own")
    parser.add_argument("--dry-run", action="store_true", help="print only; keep the results")
    got = parser.parse_args()
    if got.processes > 1 and not (got.postgres or got.database_url):
        parser.error("several processes need PostgreSQL")
    return (
        Wanted(
            got.matches,
            got.rate,
            got.seconds,
            min(got.warm, got.seconds / 3),
            got.processes,
            got.generators,
            got.database_url,
            got.postgres,
        ),
        got.dry_run,
    )


if __name__ == "__main__":
    sys.exit(main())
