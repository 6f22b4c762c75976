"""The load generator: many matches with two sockets each, in one process beside the servers it measures.

A match has one move in flight at most. Moves are started at a fixed rate, round robin, whatever the server
does, so a server that stalls is seen in the latencies of all the others. What is measured is the time from a
move being sent to the opponent's socket having it. Start reading at `run`.
"""

from __future__ import annotations

import asyncio
import gc
import time
from dataclasses import dataclass, field
from multiprocessing.connection import Connection

from benchmarks.serving.games import Made, scripts
from benchmarks.serving.ledger import Ledger
from benchmarks.serving.wire import Wire
from tengen.server.protocol import PROTOCOL

TICK_S = 0.002
SETTLE_S = 10.0  # the most that answers may lag behind the last move
OPENING = 32  # handshakes at once


@dataclass
class Report:
    """What one generator saw."""

    ledger: Ledger = field(default_factory=Ledger)
    latencies_s: list[float] = field(default_factory=list)  # without the warm-up
    finals: dict[str, tuple[str, str]] = field(default_factory=dict)  # the position on each client's side
    faults: list[str] = field(default_factory=list)
    measured_s: float = 0.0
    measured_moves: int = 0  # acknowledged after the warm-up
    sent: int = 0
    cpu_s: float = 0.0


class Pair:
    """One match with its two clients."""

    __slots__ = ("asked_at", "busy", "made", "numbers", "positions", "report", "script", "timed", "wires")

    def __init__(self, made: Made, script: tuple[int, ...], report: Report) -> None:
        self.made, self.script, self.report = made, script, report
        self.wires: list[Wire] = []
        self.numbers = [-1, -1]  # the last event that each side has
        self.positions = [b"", b""]
        self.busy = 3  # bits: 1 not acknowledged, 2 not with the opponent
        self.asked_at = 0.0
        self.timed = False

    async def open(self, ports: tuple[int, int]) -> None:
        match = self.made.match
        for seat in (0, 1):

            def hear(message: bytes, seat: int = seat) -> None:
                self._hear(seat, message)

            wire = await Wire.open(ports[seat], hear, self._gone)
            self.wires.append(wire)
            wire.send(
                b'{"type":"hello","protocol":%d,"secret":"%s"}' % (PROTOCOL, self.made.secrets[seat].encode())
            )
            wire.send(b'{"type":"watch","match":"%s"}' % match.encode())

    def move(self, timed: bool) -> None:
        number = self.numbers[0]
        wire, position = self.wires[number % 2], self.positions[number % 2]
        self.busy, self.timed = 3, timed
        self.asked_at = time.perf_counter()
        wire.send(
            b'{"type":"ask","match":"%s","id":"m%d","kind":"move","position":"%s","actions":[%d]}'
            % (self.made.match.encode(), number, position, self.script[number])
        )

    def close(self) -> None:
        for wire in self.wires:
            wire.close()
        self.wires = []

    def _hear(self, seat: int, message: bytes) -> None:
        if message.startswith(b'{"type":"update"'):
            at = message.index(b'"number":') + 9
            number = int(message[at : message.index(b",", at)])
            if number != self.numbers[seat] + 1:
                self.report.faults.append(
                    f"{self.made.match}: {self.numbers[seat]} was followed by {number}."
                )
            self.numbers[seat] = number
            at = message.index(b'"position":"') + 12
            self.positions[seat] = message[at : message.index(b'"', at)]
            if seat == number % 2:  # event n is the move of seat n - 1 modulo 2, and this is the other
                self.busy &= ~2
                if self.timed:
                    self.report.latencies_s.append(time.perf_counter() - self.asked_at)
        elif message.startswith(b'{"type":"accepted"'):
            self.busy &= ~1
            at = message.index(b'"id":"') + 6
            client_id = message[at : message.index(b'"', at)].decode()
            number = int(message[message.rindex(b":") + 1 : -1])
            self.report.measured_moves += self.timed
            if fault := self.report.ledger.add(self.made.match, client_id, number):
                self.report.faults.append(fault)
        elif message.startswith(b'{"type":"snapshot"'):
            self.numbers[seat] = 0
            at = message.index(b'"position":"', message.index(b'"now":')) + 12
            self.positions[seat] = message[at : message.index(b'"', at)]
            self.busy &= ~(1 << seat)
        elif message.startswith((b'{"type":"refused"', b'{"type":"closing"')):
            self.report.faults.append(message.decode())

    def _gone(self) -> None:
        if self.wires:
            self.report.faults.append(f"{self.made.match}: a connection ended.")


@dataclass(frozen=True, slots=True)
class Plan:
    ports: tuple[int, ...]  # of the servers; the two players of a match are at different ones
    rate: float  # moves a second
    seconds: float
    warm_s: float  # at the beginning, which is not measured


def run(pipe: Connection, matches: list[Made], plan: Plan) -> None:
    """The process: connects, says so, waits for the word, plays, and sends its Report."""
    asyncio.run(_run(pipe, matches, plan))


async def _run(pipe: Connection, matches: list[Made], plan: Plan) -> None:
    report = Report()
    texts = scripts()
    pairs = [Pair(made, texts[i % len(texts)], report) for i, made in enumerate(matches)]
    opening = asyncio.Semaphore(OPENING)

    async def open_pair(number: int, pair: Pair) -> None:
        async with opening:
            await pair.open(
                (plan.ports[number % len(plan.ports)], plan.ports[(number + 1) % len(plan.ports)])
            )

    await asyncio.gather(*(open_pair(number, pair) for number, pair in enumerate(pairs)))
    await _until(lambda: all(not pair.busy for pair in pairs), 60.0)
    pipe.send("connected")
    await asyncio.to_thread(pipe.recv)
    gc.collect()
    gc.freeze()
    gc.disable()
    cpu_s = time.process_time()
    await _play(pairs, plan, report)
    report.cpu_s = time.process_time() - cpu_s
    await _until(lambda: all(not pair.busy for pair in pairs), SETTLE_S)
    await asyncio.sleep(0.2)
    for pair in pairs:
        if pair.busy or pair.numbers[0] != pair.numbers[1]:
            report.faults.append(f"{pair.made.match}: not settled, {pair.numbers}.")
        report.finals[pair.made.match] = (pair.positions[0].decode(), pair.positions[1].decode())
    pipe.send("played")
    await asyncio.to_thread(pipe.recv)
    for pair in pairs:
        pair.close()
    pipe.send(report)


async def _play(pairs: list[Pair], plan: Plan, report: Report) -> None:
    begun = time.perf_counter()
    turn = 0
    while (elapsed := time.perf_counter() - begun) < plan.seconds:
        timed = elapsed >= plan.warm_s
        due = int(elapsed * plan.rate) - report.sent
        for _ in range(len(pairs)):
            if due <= 0:
                break
            pair = pairs[turn % len(pairs)]
            turn += 1
            if not pair.busy and pair.numbers[0] < len(pair.script):
                pair.move(timed)
                report.sent += 1
                due -= 1
        await asyncio.sleep(TICK_S)
    report.measured_s = plan.seconds - plan.warm_s


async def _until(done: object, seconds: float) -> None:
    assert callable(done)
    deadline = time.monotonic() + seconds
    while not done() and time.monotonic() < deadline:
        await asyncio.sleep(0.02)
