"""What a crowd costs the event loop: a move that thousands watch, and all of them leaving at once.

    python -m benchmarks.server_crowd
    python -m benchmarks.server_crowd --spectators 1000

Starts one server on a loopback port without limits, lets so many sockets watch one match, and plays moves in
it. What is told is the processor time of the loop's thread, for which everybody on the server waits, without
what the sockets cost while nothing happens, that of the whole process, and how long a turn of the loop was at
most. Every spectator must hear every move, in order. Fails where the loop takes longer than TARGETS says.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from benchmarks.serving.games import Made, Maker, scripts
from benchmarks.serving.processes import Serving
from benchmarks.serving.wire import Wire
from tengen.server.protocol import PROTOCOL

SPECTATORS = 5000
MOVES = 20
OPENING = 64  # handshakes at once
SETTLE_S = 0.5
INFO_S = 15.0  # until the last word of who has come or gone is told
TARGETS = {"a move": 20.0, "the longest turn in it": 10.0, "one who leaves": 0.5}  # milliseconds of the loop


class Seat:
    """One who looks on, and what it has heard."""

    def __init__(self) -> None:
        self.number = -1  # of the last event
        self.faults = 0

    def hear(self, message: bytes) -> None:
        if message.startswith(b'{"type":"snapshot"'):
            self.number = 0
        elif message.startswith(b'{"type":"update"'):
            at = message.index(b'"number":') + 9
            number = int(message[at : message.index(b",", at)])
            self.faults += number != self.number + 1
            self.number = number


class Stage:
    """A match with its players and the crowd around it."""

    def __init__(self, server: Serving, made: Made) -> None:
        self._server, self._made = server, made
        self.seats: list[Seat] = []
        self.players: list[Wire] = []
        self.wires: list[Wire] = []

    async def _open(self, secret: str | None) -> Wire:
        seat = Seat()
        wire = await Wire.open(self._server.port, seat.hear, lambda: None)
        said = b"null" if secret is None else b'"%s"' % secret.encode()
        wire.send(b'{"type":"hello","protocol":%d,"secret":%s}' % (PROTOCOL, said))
        wire.send(b'{"type":"watch","match":"%s"}' % self._made.match.encode())
        self.seats.append(seat)
        return wire

    async def gather(self, spectators: int) -> None:
        self.players = [await self._open(secret) for secret in self._made.secrets]
        left = spectators
        while left > 0:
            some = min(left, OPENING)
            self.wires += await asyncio.gather(*(self._open(None) for _ in range(some)))
            left -= some
        await self._until(0)

    async def play(self, moves: int) -> None:
        script = scripts()[0]
        for number in range(moves):
            self.players[number % 2].send(
                b'{"type":"ask","match":"%s","id":"m%d","kind":"move","actions":[%d]}'
                % (self._made.match.encode(), number, script[number])
            )
            await self._until(number + 1)

    async def _until(self, number: int) -> None:
        while any(seat.number < number for seat in self.seats):
            await asyncio.sleep(0.01)

    @property
    def faults(self) -> int:
        return sum(seat.faults for seat in self.seats)


async def measure(server: Serving, made: Made, spectators: int) -> tuple[dict[str, float], int]:
    """Milliseconds of the loop for each thing, and how often somebody heard something out of order."""
    stage, found = Stage(server, made), dict[str, float]()
    idle, idle_s, spared_s = 0.0, 5.0, 0.0
    await stage.gather(spectators)
    await asyncio.sleep(INFO_S)

    async def count(work: Callable[[], Awaitable[None]], settle_s: float) -> tuple[float, float, float]:
        """Of the loop, of the process, and the longest turn."""
        server.seen()
        begun_s, loop_s, cpu_s = time.monotonic(), server.loop_s(), server.cpu_s()
        await work()
        await asyncio.sleep(settle_s)
        nonlocal spared_s
        spared_s = idle * (time.monotonic() - begun_s)
        return (
            server.loop_s() - loop_s - spared_s,
            server.cpu_s() - cpu_s - spared_s,
            server.seen().longest_s,
        )

    idle = (await count(lambda: asyncio.sleep(idle_s), 0.0))[0] / idle_s
    found["a second in which nothing happens"] = 1000 * idle
    loop_s, cpu_s, longest_s = await count(lambda: stage.play(MOVES), SETTLE_S)
    found["a move"] = 1000 * loop_s / MOVES
    found["a move, and what the sockets cost in that time anyway"] = 1000 * (loop_s + spared_s) / MOVES
    found["a move, with all threads"] = 1000 * cpu_s / MOVES
    found["the longest turn in it"] = 1000 * longest_s

    async def leave() -> None:
        for wire in stage.wires:
            wire.abort()

    idle = 0.0  # those who have gone cost nothing any more
    loop_s, _, longest_s = await count(leave, INFO_S)
    found["one who leaves"] = 1000 * loop_s / spectators
    found["the longest turn while all leave"] = 1000 * longest_s
    for wire in stage.players:
        wire.close()
    return found, stage.faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--spectators", type=int, default=SPECTATORS)
    spectators = parser.parse_args().spectators
    with tempfile.TemporaryDirectory() as folder:
        server = Serving(Path(folder), f"sqlite:///{folder}/crowd.sqlite3", watched=True)
        server.start()
        try:
            maker = Maker([server.url])
            made = maker.make()
            maker.close()
            found, faults = asyncio.run(measure(server, made, spectators))
        finally:
            server.stop()
    for name, cost_ms in found.items():
        most = f", {TARGETS[name]} at most" if name in TARGETS else ""
        print(f"{name}: {cost_ms:.2f} ms{most}")
    print(f"heard out of order: {faults}")
    return int(faults > 0 or any(found[name] > most for name, most in TARGETS.items()))


if __name__ == "__main__":
    sys.exit(main())
