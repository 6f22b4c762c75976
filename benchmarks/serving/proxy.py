"""A bad network between clients and a server: cuts, delays, repeats and reorders what goes through it.

It understands frames, so that what it does wrong is wrong at the level of messages: bytes out of order inside
a TCP stream do not exist. A repeat sends all that a client has sent once more, over a connection of its own,
as somebody would who has recorded it. Runs in a thread of its own. Start reading at `Proxy._serve`.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import threading
from collections import Counter
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from benchmarks.serving.wire import frame_end


@dataclass
class Weather:
    """How bad it is, as chances for each frame; changed while the proxy runs."""

    cut: float = 0.0
    delay: float = 0.0
    longest_delay_s: float = 0.3
    repeat: float = 0.0
    reorder: float = 0.0


@dataclass
class Proxy:
    """Listens on a port of its own, `port`, and passes on to `upstream`."""

    upstream: int
    seed: int = 1
    weather: Weather = field(default_factory=Weather)
    done: Counter[str] = field(default_factory=Counter)  # how often each thing was done
    port: int = 0

    def __enter__(self) -> Self:
        self._rng = random.Random(self.seed)
        self._ready = threading.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()))
        self._thread.start()
        self._ready.wait(10)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(20)

    async def _run(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self.upstream)
        except OSError:
            writer.close()
            self._tasks.discard(task)
            return
        heard: list[bytes] = []  # all that the client has said
        try:
            heard.append(await self._handshake(reader, back))
            await self._handshake(there, writer)
            both = [self._pass_on(reader, back, heard), self._pass_on(there, writer, None)]
            passing = [asyncio.create_task(one) for one in both]
            await asyncio.wait(passing, return_when=asyncio.FIRST_COMPLETED)
            for one in passing:
                one.cancel()
            await asyncio.gather(*passing, return_exceptions=True)
        except (OSError, EOFError):
            pass
        finally:
            self._tasks.discard(task)
            for end in (writer, back):
                end.transport.abort()

    async def _handshake(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        head = await reader.readuntil(b"\r\n\r\n")
        writer.write(head)
        return head

    async def _pass_on(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, heard: list[bytes] | None
    ) -> None:
        """One direction, frame by frame; ends with the connection."""
        data, held = b"", b""  # what is read, and a frame that waits for the next to go first
        with contextlib.suppress(OSError):
            while more := await reader.read(2**16):
                data += more
                while (found := frame_end(data, 0)) is not None:
                    frame, data = data[: found[1]], data[found[1] :]
                    if self._chance("cut"):
                        return
                    if self._chance("delay"):
                        await asyncio.sleep(self._rng.uniform(0, self.weather.longest_delay_s))
                    if not held and self._chance("reorder"):
                        held = frame
                        continue
                    writer.write(frame + held)
                    if heard is not None:
                        heard += [frame, held]
                        if self._chance("repeat"):
                            self._start_repeat(b"".join(heard))
                    held = b""
                await writer.drain()

    def _chance(self, what: str) -> bool:
        hit = self._rng.random() < float(getattr(self.weather, what))
        self.done[what] += hit
        return hit

    def _start_repeat(self, said: bytes) -> None:
        task = self._loop.create_task(self._repeat(said))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _repeat(self, said: bytes) -> None:
        with contextlib.suppress(OSError, asyncio.TimeoutError):
            reader, writer = await asyncio.open_connection("127.0.0.1", self.upstream)
            try:
                writer.write(said)
                await writer.drain()
                async with asyncio.timeout(1.0):
                    while await reader.read(2**16):
                        pass
            finally:
                writer.transport.abort()
