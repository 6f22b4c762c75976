"""Where an attacker of `server_attacks` comes from and goes to, and what it can do there without an end."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import cycle

from benchmarks.serving.wire import Wire
from tengen.server.protocol import PROTOCOL

CONNECTIONS, SOCKETS = 90, 60
ANSWER_S = 10.0
FULL = 200_000  # bytes that have not been sent

Attack = Callable[["Target"], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Target:
    port: int
    source: str  # the attacker's address
    begun: asyncio.Event = field(default_factory=asyncio.Event)  # set when it is no longer preparing

    @property
    def host(self) -> bytes:
        return b"Host: 127.0.0.1:%d\r\n" % self.port

    @property
    def upgrade(self) -> bytes:
        """What makes a connection a socket."""
        wanted = b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        key = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        return b"GET /api/socket HTTP/1.1\r\n" + self.host + wanted + key

    async def drip(self, count: int, begun: bytes, then: bytes) -> None:
        """So many connections that send each byte of what follows by itself, over and over."""
        self.begun.set()

        async def one() -> None:
            _, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.source, 0))
            writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            try:
                writer.write(begun)
                for byte in cycle(then):
                    writer.write(bytes((byte,)))
                    await asyncio.sleep(0.001)
                    if writer.transport.is_closing():
                        return
            finally:
                writer.transport.abort()

        async def again() -> None:
            while True:
                with contextlib.suppress(OSError):
                    await one()
                await asyncio.sleep(0.1)

        await asyncio.gather(*(again() for _ in range(count)))

    async def say(self, data: bytes, pause_s: float | None = None) -> None:
        """Opens a connection, sends that, and reads an answer, or leaves it unread for a while."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.source, 0))
        try:
            writer.write(data)
            await writer.drain()
            if pause_s is None:
                async with asyncio.timeout(ANSWER_S):  # unlike wait_for it never swallows that we are stopped
                    await reader.read(200)
            else:
                await asyncio.sleep(pause_s)
        finally:
            writer.transport.abort()

    async def again(self, count: int, data: bytes, pause_s: float | None = None) -> None:
        """So many at a time, without an end."""
        self.begun.set()

        async def one() -> None:
            while True:
                try:
                    await self.say(data, pause_s)
                except (OSError, TimeoutError):
                    await asyncio.sleep(0.02)

        await asyncio.gather(*(one() for _ in range(count)))

    async def ask(self, path: str, body: bytes) -> bytes:
        """One request with a body, and the whole answer."""
        return await self.ask_with(self.posted(path, body))

    async def ask_with(self, request: bytes) -> bytes:
        """One request, and the whole answer."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.source, 0))
        try:
            writer.write(request)
            async with asyncio.timeout(ANSWER_S):
                return await reader.read()
        finally:
            writer.transport.abort()

    async def post(self, count: int, path: str, body: bytes) -> None:
        """The same request, so many at a time, without an end."""
        await self.again(count, self.posted(path, body))

    def posted(self, path: str, body: bytes) -> bytes:
        """The bytes of a request with a body."""
        head = b"Content-Type: application/json\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(
            body
        )
        return b"POST %s HTTP/1.1\r\n" % path.encode() + self.host + head + body

    async def sockets(self, message: bytes) -> None:
        """The same message on many sockets, nineteen times a second."""
        self.begun.set()
        gone: set[int] = set()
        wires: list[Wire] = []
        try:
            for number in range(SOCKETS):
                wire = await Wire.open(
                    self.port, lambda data: None, partial(gone.add, number), source=self.source
                )
                wire.send(b'{"type":"hello","protocol":%d,"secret":null}' % PROTOCOL)
                wires.append(wire)
            while True:
                for number, wire in enumerate(wires):
                    if number not in gone:
                        wire.send(message)
                await asyncio.sleep(1 / 19)
        finally:
            for wire in wires:
                wire.abort()

    async def flood(self, first: bytes, then: bytes, every_s: float = 0.005) -> None:
        """Frames on many sockets as fast as they are taken, on new ones when those are closed."""
        self.begun.set()

        async def one() -> None:
            gone = asyncio.Event()
            wire = await Wire.open(self.port, lambda data: None, gone.set, source=self.source)
            try:
                wire.send(b'{"type":"hello","protocol":%d,"secret":null}' % PROTOCOL)
                wire.send_raw(first)
                while not gone.is_set():
                    if wire.unsent < FULL:
                        wire.send_raw(then)
                    await asyncio.sleep(every_s)
            finally:
                wire.abort()

        async def again() -> None:
            while True:
                with contextlib.suppress(OSError):
                    await one()
                await asyncio.sleep(0.05)

        await asyncio.gather(*(again() for _ in range(SOCKETS)))
