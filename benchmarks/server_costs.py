"""What single things cost a server in processor time: a look at the lobby, a message, a spectator, a move.

    python -m benchmarks.server_costs

Starts one server on a loopback port without limits, does each thing many times over few connections, and
divides what the process used. Processor time is firmer than latency on a machine that has other work to do.
docs/scale.md is computed from these figures.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Awaitable, Callable
from http.client import HTTPConnection
from pathlib import Path

from benchmarks.serving.games import Made, Maker, scripts
from benchmarks.serving.processes import Serving
from benchmarks.serving.wire import Wire
from tengen.server.protocol import PROTOCOL

MATCHES = 200
LOOKS = 1000
MESSAGES = 5000
SPECTATORS = 500
MOVES = 20
SETTLE_S = 0.3


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
    return found


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        server = Serving(Path(folder), f"sqlite:///{folder}/costs.sqlite3")
        server.start()
        try:
            maker = Maker([server.url])
            made = [maker.make() for _ in range(MATCHES)]
            maker.close()
            for name, cost_ms in asyncio.run(measure(server, made[0])).items():
                print(f"{name}: {cost_ms:.3f} ms")
        finally:
            server.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
