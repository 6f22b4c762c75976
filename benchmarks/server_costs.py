"""What single things cost a server in processor time: a look at the lobby, a message, a spectator, a move.

    python -m benchmarks.server_costs
    python -m benchmarks.server_costs --live 20000

Starts one server on a loopback port without limits, does each thing many times over few connections, and
divides what the process used; --live puts so many more matches that are being played into its database.
Processor time is firmer than latency on a machine that has other work to do. Fails where something costs more
than TARGETS says. docs/scale.md is computed from these figures.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Awaitable, Callable
from http.client import HTTPConnection
from pathlib import Path

from benchmarks.server_start import copies
from benchmarks.serving.games import Made, Maker, scripts
from benchmarks.serving.processes import Serving
from benchmarks.serving.wire import Wire
from tengen.server.protocol import PROTOCOL

MATCHES = 200
LOOKS = 1000
MESSAGES = 5000
SPECTATORS = 500
MOVES = 20
VISITORS = 1000
CHANGES = 10
SETTLE_S = 0.3
# Milliseconds; a visitor is told once a second at most, so 0.1 are ten thousand of them on one core.
TARGETS = {
    "a look at a new lobby": 1.5,
    "a look at the same lobby": 1.5,
    "a message": 0.2,
    "a spectator who comes": 2.5,
    "a move for one spectator": 0.05,
    "a visitor of the lobby who comes": 2.5,
    "a change of the lobby for one visitor": 0.1,
}


class Crowd:
    """Sockets that count what they hear."""

    def __init__(self) -> None:
        self.heard = 0
        self.wires: list[Wire] = []

    def hear(self, message: bytes) -> None:
        self.heard += 1

    async def open(self, port: int, secret: str | None = None) -> Wire:
        wire = await Wire.open(port, self.hear, lambda: None)
        hello = b"null" if secret is None else b'"%s"' % secret.encode()
        wire.send(b'{"type":"hello","protocol":%d,"secret":%s}' % (PROTOCOL, hello))
        self.wires.append(wire)
        return wire

    async def until(self, heard: int) -> None:
        while self.heard < heard:
            await asyncio.sleep(0.005)


def looks(server: Serving, tag: str | None) -> None:
    connection = HTTPConnection("127.0.0.1", server.port)
    headers = {"Accept-Encoding": "gzip", **({"If-None-Match": tag} if tag else {})}
    for _ in range(LOOKS):
        connection.request("GET", "/api/lobby", headers=headers)
        connection.getresponse().read()
    connection.close()


def lobby_tag(server: Serving) -> str:
    connection = HTTPConnection("127.0.0.1", server.port)
    connection.request("GET", "/api/lobby")
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.headers["ETag"]


async def pings(server: Serving) -> None:
    crowd = Crowd()
    wire = await crowd.open(server.port)
    for _ in range(MESSAGES // 50):
        for _ in range(50):
            wire.send(b'{"type":"ping","at":1}')
        await asyncio.sleep(0.001)
    await crowd.until(MESSAGES + 1)
    wire.close()


async def moves(server: Serving, made: Made, crowd: Crowd) -> None:
    """A game whose moves everybody in the crowd is told of."""
    players = [await crowd.open(server.port, secret) for secret in made.secrets]
    script = scripts()[0]
    for number in range(MOVES):
        before = crowd.heard
        players[number % 2].send(
            b'{"type":"ask","match":"%s","id":"m%d","kind":"move","actions":[%d]}'
            % (made.match.encode(), number, script[number])
        )
        await crowd.until(before + len(crowd.wires) - 2 + 1)


async def measure(server: Serving, made: Made) -> dict[str, float]:
    """Milliseconds of the processor for each thing."""
    found: dict[str, float] = {}

    async def count(name: str, times: int, work: Callable[[], Awaitable[None]]) -> None:
        await asyncio.sleep(SETTLE_S)
        before = server.cpu_s()
        await work()
        found[name] = 1000 * (server.cpu_s() - before) / times

    tag = lobby_tag(server)
    await count("a look at a new lobby", LOOKS, lambda: asyncio.to_thread(looks, server, None))
    await count("a look at the same lobby", LOOKS, lambda: asyncio.to_thread(looks, server, tag))
    await count("a message", MESSAGES, lambda: pings(server))
    crowd = Crowd()

    async def gather() -> None:
        for _ in range(SPECTATORS):
            wire = await crowd.open(server.port)
            wire.send(b'{"type":"watch","match":"%s"}' % made.match.encode())
        await crowd.until(2 * SPECTATORS)

    await count("a spectator who comes", SPECTATORS, gather)
    await asyncio.sleep(2)  # for the last word of who has come
    await count("a move for one spectator", MOVES * SPECTATORS, lambda: moves(server, made, crowd))
    for wire in crowd.wires:
        wire.close()
    lobby = Crowd()

    async def visit() -> None:
        for _ in range(VISITORS):
            wire = await lobby.open(server.port)
            wire.send(b'{"type":"visit"}')
        await lobby.until(2 * VISITORS)

    async def change() -> None:
        """Matches that wait for a player, each told to all visitors before the next one is made."""
        maker = Maker([server.url])
        for _ in range(CHANGES):
            before = lobby.heard
            await asyncio.to_thread(maker.make_open)
            await lobby.until(before + VISITORS)
        maker.close()

    await count("a visitor of the lobby who comes", VISITORS, visit)
    await count("a change of the lobby for one visitor", CHANGES * VISITORS, change)
    for wire in lobby.wires:
        wire.close()
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--live", type=int, default=0, help="matches that are being played beside ours")
    live = parser.parse_args().live
    with tempfile.TemporaryDirectory() as folder:
        found = run(live, Path(folder))
    for name, cost_ms in found.items():
        print(f"{name}: {cost_ms:.3f} ms, {TARGETS[name]} at most")
    return int(any(cost_ms > TARGETS[name] for name, cost_ms in found.items()))


def run(live: int, folder: Path) -> dict[str, float]:
    path = folder / "costs.sqlite3"
    server = Serving(folder, f"sqlite:///{path}")
    server.start()
    try:
        maker = Maker([server.url])
        made = [maker.make() for _ in range(MATCHES)]
        maker.close()
        if live:
            copies(path, made[0].match, live)
        return asyncio.run(measure(server, made[0]))
    finally:
        server.stop()


if __name__ == "__main__":
    sys.exit(main())
