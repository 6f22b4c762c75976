"""All kinds of work at once: players, spectators, the lobby, machines and attackers on several processes.

    python -m benchmarks.server_mixed                                      10,000 sockets on four processes
    python -m benchmarks.server_mixed --players 200 --spectators 200 --visitors 400 --processes 2

Starts a PostgreSQL of its own and real servers with their limits on, and connects from as many addresses of
the loopback as the limits need. Players move at a fixed rate, every spectator is told, new matches open each
second so that the lobby changes, machines answer, and one address does all it may to disturb the others. What
counts is the servers' processor time and that nothing is lost; latency on a machine with other work to do is
told and not judged. Writes benchmarks/results/server-mixed.json. Start reading at `Scene.run`.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import itertools
import json
import statistics
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.machine import machine_facts
from benchmarks.serving.games import Made, Maker, scripts
from benchmarks.serving.processes import Serving
from benchmarks.serving.wire import Wire
from tengen.server.protocol import PROTOCOL

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results" / "server-mixed.json"
A_SOURCE = 50  # sockets from one address; the server's limit is 64
MATCHES_A_SOURCE = 12  # made from one address: a match and two persons are three of forty
WATCHED = 10  # matches that have spectators
ATTACKER = "127.9.9.9"
OPENING = 24  # handshakes at once


@dataclass(frozen=True)
class Wanted:
    players: int = 2000
    spectators: int = 3000
    visitors: int = 5000
    machines: int = 20
    attackers: int = 60
    processes: int = 4
    rate: float = 60.0  # moves a second, all matches together
    seconds: float = 30.0


class Heard:
    """One socket of any kind, which counts what it hears."""

    __slots__ = ("counts", "wire")

    def __init__(self, counts: Counter[str]) -> None:
        self.counts = counts
        self.wire: Wire | None = None

    async def open(self, port: int, source: str, secret: str, *messages: dict[str, Any]) -> None:
        self.wire = await Wire.open(port, self.hear, self.gone, source=source)
        self.send({"type": "hello", "protocol": PROTOCOL, "secret": secret or None})
        for message in messages:
            self.send(message)

    def send(self, message: dict[str, Any]) -> None:
        assert self.wire is not None
        self.wire.send(json.dumps(message).encode())

    def hear(self, message: bytes) -> None:
        kind = message[9 : message.index(b'"', 9)].decode()
        self.counts[kind] += 1
        self.counts["bytes"] += len(message)

    def gone(self) -> None:
        self.counts["gone"] += 1


class Seat(Heard):
    """A player's socket: knows how far the match is, and how long its own moves took."""

    __slots__ = ("asked_at", "number", "refused", "took_s")

    def __init__(self, counts: Counter[str], took_s: list[float]) -> None:
        super().__init__(counts)
        self.number, self.asked_at, self.took_s = 0, 0.0, took_s
        self.refused = 0  # since a machine was there before

    def hear(self, message: bytes) -> None:
        super().hear(message)
        if message.startswith(b'{"type":"update"'):
            at = message.index(b'"number":') + 9
            self.number = int(message[at : message.index(b",", at)])
        elif message.startswith(b'{"type":"accepted"'):
            self.took_s.append(time.perf_counter() - self.asked_at)
            self.asked_at = 0.0
        elif message.startswith(b'{"type":"refused"'):
            self.refused, self.asked_at = self.refused + 1, 0.0

    def move(self, match: str, number: int, action: int) -> None:
        self.asked_at = time.perf_counter()
        self.send({"type": "ask", "match": match, "id": f"m{number}", "kind": "move", "actions": [action]})


class Scene:
    def __init__(self, wanted: Wanted, servers: list[Serving]) -> None:
        self.wanted, self.servers = wanted, servers
        self.counts: dict[str, Counter[str]] = {
            kind: Counter() for kind in ("players", "spectators", "visitors", "machines", "attackers")
        }
        self.took_s: list[float] = []
        self._ports = itertools.cycle([server.port for server in servers])
        self._numbers = itertools.count()
        self._opening = asyncio.Semaphore(OPENING)
        self._open: list[Heard] = []

    def source(self) -> str:
        """The address of the next socket."""
        number = next(self._numbers) // A_SOURCE
        return f"127.1.{number // 250}.{number % 250 + 1}"

    def make(self) -> tuple[list[Made], list[Made]]:
        urls = [server.url for server in self.servers]
        between, against = [], []
        count = self.wanted.players // 2 + self.wanted.machines
        for number in range(count):
            if number % MATCHES_A_SOURCE == 0:
                maker = Maker(urls, f"127.2.{number // 2500}.{number // MATCHES_A_SOURCE % 200 + 1}")
            if number < self.wanted.machines:
                against.append(maker.make_with_machine("level:1"))
            else:
                between.append(maker.make())
            if number % MATCHES_A_SOURCE == MATCHES_A_SOURCE - 1 or number == count - 1:
                maker.close()
        return between, against

    async def opened(self, one: Heard, source: str, secret: str, *messages: dict[str, Any]) -> Heard:
        async with self._opening:
            await one.open(next(self._ports), source, secret, *messages)
        self._open.append(one)
        return one

    async def leave(self) -> None:
        for one in self._open:
            if one.wire is not None:
                one.wire.abort()
        await asyncio.sleep(0)  # in which they are closed

    async def run(self) -> dict[str, Any]:
        wanted = self.wanted
        between, against = await asyncio.to_thread(self.make)
        seats: list[tuple[Made, Seat, Seat]] = []
        tasks: list[Any] = []
        for kind, matches in (("players", between), ("machines", against)):
            for made in matches:
                both = [Seat(self.counts[kind], self.took_s) for secret in made.secrets if secret]
                for seat, secret in zip(both, made.secrets, strict=False):
                    tasks.append(self.opened(seat, self.source(), secret, _watch(made)))
                seats.append((made, both[0], both[-1]))
        for number in range(wanted.spectators):
            spectator = Heard(self.counts["spectators"])
            tasks.append(self.opened(spectator, self.source(), "", _watch(between[number % WATCHED])))
        for _ in range(wanted.visitors):
            visitor = Heard(self.counts["visitors"])
            tasks.append(self.opened(visitor, self.source(), "", {"type": "visit"}))
        attackers = [Heard(self.counts["attackers"]) for _ in range(wanted.attackers)]
        begun, before = time.monotonic(), self.cpu_s()
        await asyncio.gather(*tasks)
        for one in attackers:
            await self.opened(one, ATTACKER, "", {"type": "visit"})
        connected_s, connected_cpu_s = time.monotonic() - begun, sum(self.cpu_s()) - sum(before)
        await self.settled()
        gc.collect()
        gc.freeze()
        told, sent, before, begun = self.heard(), self.bytes(), self.cpu_s(), time.monotonic()
        playing = [self.play(seats), self.open_matches(), self.attack(attackers, between[0])]
        await asyncio.gather(*playing)
        used, seconds = (
            [now - then for now, then in zip(self.cpu_s(), before, strict=True)],
            time.monotonic() - begun,
        )
        await self.settled()
        moves, sockets = len(self.took_s), sum((wanted.players, wanted.spectators, wanted.visitors))
        cuts = statistics.quantiles(self.took_s, n=100)
        return {
            "sockets": sockets + wanted.machines + wanted.attackers,
            "connect_cpu_ms": round(1000 * connected_cpu_s / sockets, 3),
            "connected_s": round(connected_s, 1),
            "seconds": round(seconds, 1),
            "moves": moves,
            "server_cpu": [round(one / seconds, 3) for one in used],  # shares of a core
            "cpu_ms_a_move": round(1000 * sum(used) / moves, 3),
            "rss_mb": [round(server.rss_bytes() / 2**20) for server in self.servers],
            "messages": {kind: total - told[kind] for kind, total in self.heard().items()},
            "megabytes_s": round((self.bytes() - sent) / 1e6 / seconds, 2),
            "p50_ms": round(1000 * cuts[49], 1),
            "p99_ms": round(1000 * cuts[98], 1),
            "unanswered": sum(bool(seat.asked_at) for _, *both in seats for seat in set(both)),
            "lost": {kind: found["gone"] for kind, found in self.counts.items()},
        }

    async def play(self, seats: list[tuple[Made, Seat, Seat]]) -> None:
        """Moves at a fixed rate, round the matches, by whoever is to move."""
        begun, sent, texts = time.monotonic(), 0, scripts()
        turn = itertools.cycle(enumerate(seats))
        while (elapsed := time.monotonic() - begun) < self.wanted.seconds:
            for _ in range(min(len(seats), int(elapsed * self.wanted.rate) - sent)):
                index, (made, first, second) = next(turn)
                number = first.number
                seat = first if number % 2 == 0 else second
                if seat.asked_at or (first is second and number % 2):
                    continue
                script, at = texts[index % len(texts)], number + seat.refused
                if at < len(script):
                    seat.move(made.match, at, script[at])
                sent += 1
            await asyncio.sleep(0.01)

    async def open_matches(self) -> None:
        """One a second that waits for a player, so that the lobby changes."""
        end = time.monotonic() + self.wanted.seconds
        for number in itertools.count():
            if time.monotonic() >= end:
                return
            await asyncio.to_thread(self.open_match, f"127.3.0.{number % 250 + 1}")
            await asyncio.sleep(1)

    def open_match(self, source: str) -> None:
        maker = Maker([self.servers[0].url], source)
        maker.make_open()
        maker.close()

    async def attack(self, attackers: list[Heard], made: Made) -> None:
        """Everything that a socket can ask for, as fast as one address may."""
        end = time.monotonic() + self.wanted.seconds
        while time.monotonic() < end:
            for one in attackers:
                if one.wire is not None:
                    one.send({"type": "visit"})
                    one.send(_watch(made))
            await asyncio.sleep(0.1)

    async def settled(self) -> None:
        """Until nothing more is heard for a moment, or not for ever."""
        for _ in range(60):
            before = self.heard()
            await asyncio.sleep(1)
            if self.heard() == before:
                return

    def heard(self) -> dict[str, int]:
        return {
            kind: sum(count for what, count in found.items() if what not in ("bytes", "gone"))
            for kind, found in self.counts.items()
        }

    def bytes(self) -> int:
        return sum(found["bytes"] for found in self.counts.values())

    def cpu_s(self) -> list[float]:
        return [server.cpu_s() for server in self.servers]


def _watch(made: Made) -> dict[str, Any]:
    return {"type": "watch", "match": made.match}


def measure(wanted: Wanted, folder: Path, database_url: str) -> dict[str, Any]:
    servers = [Serving(folder, database_url, limits=True) for _ in range(wanted.processes)]
    try:
        for server in servers:
            server.start()
        return asyncio.run(_run(wanted, servers))
    finally:
        for server in servers:
            server.stop()


async def _run(wanted: Wanted, servers: list[Serving]) -> dict[str, Any]:
    scene = Scene(wanted, servers)
    try:
        return await scene.run()
    finally:
        await scene.leave()


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.server_mixed", description=__doc__.splitlines()[0]
    )
    for name, value in asdict(Wanted()).items():
        parser.add_argument(f"--{name}", type=type(value), default=value)
    parser.add_argument("--dry-run", action="store_true", help="print only; keep the results")
    given = vars(parser.parse_args())
    dry, wanted = given.pop("dry_run"), Wanted(**given)
    from tests.server.postgres import running

    with (
        tempfile.TemporaryDirectory() as folder,
        running(durable=True) as postgres,
        postgres.database("mixed") as url,
    ):
        found = measure(wanted, Path(folder), url)
    facts = {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine_facts(),
        "asked": asdict(wanted),
    }
    print(json.dumps(facts | found, indent=2))
    if not dry:
        RESULTS.write_text(json.dumps(facts | found, indent=2) + "\n")
    honest = sum(count for kind, count in found["lost"].items() if kind != "attackers")
    return int(bool(honest or found["unanswered"]))


if __name__ == "__main__":
    sys.exit(main())
