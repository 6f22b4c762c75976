"""Attackers who play: with themselves, before an audience of their own, and what can be asked again."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from itertools import islice
from typing import Any

import msgspec

from benchmarks.serving.target import SOCKETS, Target
from benchmarks.serving.wire import Wire
from tengen.server.protocol import PROTOCOL

A_SECOND = 19  # messages of a socket
EVENTS = 1500  # of a long match


class Own:
    """A match of the attacker against itself, and sockets that are all the same person."""

    def __init__(self, target: Target, match: str, secret: str) -> None:
        self.target, self.match, self.secret = target, match, secret
        self.wires: list[Wire] = []
        self.position = ""  # after the first event
        self._answered = asyncio.Event()

    async def connect(self, count: int) -> None:
        for _ in range(count):
            wire = await Wire.open(self.target.port, self._hear, lambda: None, source=self.target.source)
            wire.send(b'{"type":"hello","protocol":%d,"secret":"%s"}' % (PROTOCOL, self.secret.encode()))
            self.wires.append(wire)

    def _hear(self, message: bytes) -> None:
        if message.startswith((b'{"type":"accepted"', b'{"type":"refused"')):
            self._answered.set()
        if message.startswith(b'{"type":"update"') and not self.position:
            self.position = msgspec.json.decode(message)["now"]["position"]

    def say(self, wire: Wire, **message: Any) -> None:
        wire.send(msgspec.json.encode({"match": self.match} | message))

    async def grow(self, events: int) -> None:
        """One event after another."""
        await self.grow_by(islice(quarrel(), events))

    async def play(self, cells: list[int]) -> None:
        """These moves, and then both pass."""
        await self.grow_by({"kind": "move", "actions": [cell]} for cell in (*cells, 361, 361))

    async def grow_by(self, messages: Iterable[dict[str, Any]]) -> None:
        """By these, one after another."""
        self.say(self.wires[0], type="watch")
        for number, message in enumerate(messages):
            self._answered.clear()
            self.say(self.wires[number % len(self.wires)], type="ask", id=f"g{number}", **message)
            async with asyncio.timeout(30):
                await self._answered.wait()

    async def all_say(self, *messages: dict[str, Any]) -> None:
        """Each of them by turns on all sockets, as often as a socket may."""
        self.target.begun.set()
        for number in itertools.count():
            for at, wire in enumerate(self.wires):
                self.say(wire, **messages[(number + at) % len(messages)])
            await asyncio.sleep(1 / A_SECOND)


def quarrel() -> Iterator[dict[str, Any]]:
    """Both pass and neither agrees, without an end."""
    passes = {"kind": "move", "actions": [361]}
    return itertools.cycle((passes, passes, {"kind": "resume"}))


@asynccontextmanager
async def own(target: Target, sockets: int = SOCKETS, **wish: Any) -> AsyncIterator[Own]:
    seats = [{"kind": "me"}, {"kind": "me"}]
    asked = {"game": "go", "options": {"size": 19}, "seats": seats, "public": False} | wish
    made = await target.ask("/api/matches", msgspec.json.encode(asked))
    found = msgspec.json.decode(made.partition(b"\r\n\r\n")[2])
    match = Own(target, found["match"], found["secret"])
    try:
        await match.connect(sockets)
        yield match
    finally:
        for wire in match.wires:
            wire.abort()


async def own_audience(target: Target) -> None:
    """Passes in a match that all sockets of the attacker watch."""
    async with own(target) as match:
        for wire in match.wires:
            match.say(wire, type="watch")
            wire.send(b'{"type":"visit"}')
        asks = zip(itertools.count(), quarrel(), strict=False)
        target.begun.set()
        while True:
            for wire in match.wires:
                number, message = next(asks)
                match.say(wire, type="ask", id=f"a{number}", **message)
            await asyncio.sleep(1 / A_SECOND)


async def old_numbers(target: Target) -> None:
    """All that came since the first event of a long match, again and again."""
    async with own(target) as match:
        await match.grow(EVENTS)
        await match.all_say({"type": "watch", "after": 1, "position": match.position})


async def stale(target: Target) -> None:
    """Asks about a position of a long match that is none, which is answered with all of it."""
    async with own(target) as match:
        await match.grow(EVENTS)
        for wire in match.wires:
            match.say(wire, type="watch")
        await match.all_say({"type": "ask", "id": "s", "kind": "resign", "seat": 0, "position": "x"})


async def comings(target: Target) -> None:
    """Coming to a match and leaving it, and the lobby as well."""
    async with own(target) as match:
        await match.all_say(
            {"type": "watch"}, {"type": "leave"}, {"type": "visit"}, {"type": "visit", "on": False}
        )


async def wide(target: Target) -> None:
    """A match on the largest board that there is."""
    async with own(target, game="dominion-duel", options={"n": 2000}) as match:
        for wire in match.wires:
            match.say(wire, type="watch")
        moves = ({"type": "ask", "id": f"w{n}", "kind": "move", "actions": [3 * n]} for n in range(600))
        await match.all_say(*moves)


async def marks(target: Target) -> None:
    """Stones that are called dead and alive again, on a full board."""
    async with own(target) as match:
        await match.play([cell for cell in range(361) if cell % 19 % 2 == 0][:180])
        for wire in match.wires:
            match.say(wire, type="watch")
        numbers = itertools.count()
        mark = {"type": "ask", "kind": "mark", "what": "dead", "seat": 0}
        target.begun.set()
        while True:
            for wire in match.wires:
                number = next(numbers)
                match.say(wire, **mark, id=f"k{number}", cell=number % 361 // 2 * 2)
            await asyncio.sleep(1 / A_SECOND)
