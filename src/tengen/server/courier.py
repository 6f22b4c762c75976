"""The same bytes to a crowd, written by a thread of its own while the event loop goes on.

To write to a socket takes the system some microseconds, to thousands of them tens of milliseconds in which
nobody else would be served. So a socket that has nothing else to say is lent to the courier: `Outlet.lend`.
What is written to it or ends it meanwhile waits until it is given back, so that the order stays. What the
courier could not write then takes the ordinary way, as the rest of a frame does that was written in part.

A descriptor may be somebody else's as soon as its socket is closed. A transport tells its protocol that it
is lost before it closes the socket; the protocol has to call `Outlet.lose` then, which waits for the courier
to finish the few that it writes under its lock. Start reading at `Courier.carry`.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from os import write
from queue import SimpleQueue
from typing import Any

CHUNK = 64  # sockets that are written to before somebody who is lost gets a turn
TURN_S = 0.0001

Left = list[tuple["Outlet", int]]  # who has not got all, and how many bytes of it


class Outlet:
    """The transport of a socket, which a courier may have for a while."""

    __slots__ = ("_closing", "_fd", "_lent", "_waiting", "transport")

    def __init__(self, transport: asyncio.Transport) -> None:
        self.transport = transport
        found = transport.get_extra_info("socket")
        self._fd = -1 if found is None else found.fileno()
        self._lent: Courier | None = None
        self._waiting: list[bytes] = []
        self._closing = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.transport, name)

    def write(self, data: bytes) -> None:
        if self._lent is None:
            self.transport.write(data)
        else:
            self._waiting.append(data)

    def close(self) -> None:
        if self._lent is None:
            self.transport.close()
        else:
            self._closing = True

    def is_closing(self) -> bool:
        return self._closing or self.transport.is_closing()

    def lend(self, courier: Courier) -> bool:
        """Whether the courier may have it: it is not lost, and nothing else waits to be written."""
        if self._lent is not None or self._fd < 0 or self.transport.get_write_buffer_size():
            return False
        self._lent = courier
        return True

    def give_back(self) -> None:
        self._lent = None
        if self._waiting or self._closing:
            waiting, self._waiting = self._waiting, []
            if waiting and not self.transport.is_closing():
                self.transport.write(b"".join(waiting))
            if self._closing:
                self.transport.close()

    def lose(self) -> None:
        """The socket is about to be closed."""
        with nullcontext() if self._lent is None else self._lent.standing_still():
            self._fd = -1

    def carried(self, data: bytes) -> int:
        """How much of it the system has taken, for who holds the courier's lock."""
        if self._fd < 0:
            return len(data)  # nobody is left to want it
        try:
            return write(self._fd, data)
        except OSError:
            return 0  # the transport will wait, or find out what is wrong


class Courier:
    """Belongs to one event loop; its thread runs from the first crowd to `close`."""

    def __init__(self) -> None:
        self.lock = threading.Lock()  # held while descriptors are used
        self.wanted = False  # by the event loop, which must not wait for more than a chunk
        self._work: SimpleQueue[tuple[list[Outlet], bytes] | None] = SimpleQueue()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def carry(self, outlets: list[Outlet], data: bytes) -> None:
        """Writes the data to those, which have been lent, and gives them back."""
        if self._thread is None:
            self._loop = asyncio.get_running_loop()
            self._thread = threading.Thread(target=self._run, name="tengen courier", daemon=True)
            self._thread.start()
        self._work.put((outlets, data))

    @contextmanager
    def standing_still(self) -> Iterator[None]:
        """No descriptor is used. For the event loop."""
        self.wanted = True
        with self.lock:
            self.wanted = False
            yield

    def close(self) -> None:
        self._work.put(None)

    def _run(self) -> None:
        assert self._loop is not None
        while (work := self._work.get()) is not None:
            outlets, data = work
            left: Left = []
            for start in range(0, len(outlets), CHUNK):
                while self.wanted:
                    time.sleep(TURN_S)
                with self.lock:
                    for outlet in outlets[start : start + CHUNK]:
                        taken = outlet.carried(data)
                        if taken < len(data):
                            left.append((outlet, taken))
            with suppress(RuntimeError):  # when the loop is closed, and all sockets with it
                self._loop.call_soon_threadsafe(_give_back, outlets, data, left)


def _give_back(outlets: list[Outlet], data: bytes, left: Left) -> None:
    for outlet, taken in left:
        if not outlet.transport.is_closing():
            outlet.transport.write(data[taken:])
    for outlet in outlets:
        outlet.give_back()
