"""Where HTTP comes in: uvicorn's connections, with limits to what a peer can keep open or make us read.

Made of parts of uvicorn and h11 that are not promised to stay, as wire.py is. Who has not said a whole header
after some seconds is cut off, and so is one more connection than an address may have. Who does not fit into
the `Crowd` any more is told so. A header of thousands of lines would take the parser tens of milliseconds, so
it is refused before that looks at it. So is a body in chunks, of which each byte may be one, and what comes
with an upgrade, after which nobody may say anything before it is answered. Who does not read an answer is cut
off after a while, or at once where too much waits for one address. Start reading at `Door`.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Container
from typing import Any, ClassVar, NoReturn

import h11
from h11._receivebuffer import ReceiveBuffer
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from tengen.server.crowd import Crowd
from tengen.server.limits import group
from tengen.server.pace import AT_ONCE, Pace

HEADER_S = 15.0  # for a whole header
MOST_CONNECTIONS = 100  # of one address, sockets not counted: those have their own limit
MOST_HEAD = 16_384  # bytes of a header
MOST_LINES = 100  # and lines
READ_AT_ONCE = 65_536  # bytes; for the usual four times as many, room is fetched and given back each time
UNREAD_S, UNREAD_PER_S = 30.0, 8000  # how long an answer may wait to be read: seconds, and bytes for one more
MOST_UNREAD = 32 * 2**20  # bytes of answers that wait for one address
FAREWELL_S = 1.0  # for somebody who is turned away to read why

_CHUNKED = b"transfer-encoding:"
EARLY = "Wait for the answer to the upgrade before you send anything."


class Heads(ReceiveBuffer):
    """What has come and is not read yet."""

    why = ""  # it was refused

    def maybe_extract_lines(self) -> list[bytearray] | None:
        found = super().maybe_extract_lines()
        if found and (len(found) > MOST_LINES or sum(map(len, found)) > MOST_HEAD):
            self._refuse("The header is too long.")
        if found and any(line[: len(_CHUNKED)].lower() == _CHUNKED for line in found):
            self._refuse("Say how long the body is: it is not taken in chunks.")
        return found

    def _refuse(self, why: str) -> NoReturn:
        self.why = why
        raise h11.RemoteProtocolError(why)


class Door(H11Protocol):
    """Needs `open_door` for its limits."""

    most: ClassVar[int | None] = None
    trusted: ClassVar[Container[str]] = ()  # proxies, behind which are many
    counts: ClassVar[Counter[str]] = Counter()
    unread: ClassVar[Counter[str]] = Counter()  # bytes of answers, by address
    crowd: ClassVar[Crowd] = Crowd(None)
    pace: ClassVar[Pace] = Pace()

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._heads = self.conn._receive_buffer = Heads()
        self._patience: asyncio.TimerHandle | None = None
        self._counted: str | None = None
        self._unwelcome = False
        self._reads = 0
        self._pause: asyncio.TimerHandle | None = None  # while it is not read from
        self._reader: tuple[str, int, asyncio.TimerHandle] | None = None  # who has so much yet to read

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        transport.max_size = READ_AT_ONCE  # type: ignore[attr-defined]
        host = self.client[0] if self.client else ""
        if not self.crowd.enter(transport, host):
            self._turn_away(transport)
            return
        self._wait()
        if self.most is not None and host not in self.trusted:
            self._counted = group(host)
            self.counts[self._counted] += 1
            if self.counts[self._counted] > self.most:
                transport.abort()

    def data_received(self, data: bytes) -> None:
        """What is said bit by bit gets no more time than what is said at once."""
        if self._unwelcome:
            return
        super().data_received(data)
        self._reads += 1
        if self._reads >= AT_ONCE and not self.transport.is_closing():
            self._slow_down()
        if self.conn.their_state is not h11.IDLE:
            self._end_wait()
        elif self._patience is None and not self.transport.is_closing():
            self._wait()

    def _host(self) -> str:
        """Whom it is for; a request that is being answered knows for whom a proxy speaks."""
        client = self.scope["client"] if self.scope is not None else self.client
        return client[0] if client else ""

    def pause_writing(self) -> None:
        """More waits to be read than the system takes."""
        super().pause_writing()
        if self._reader is None and self.most is not None:
            key, size = group(self._host()), self.transport.get_write_buffer_size()
            self.unread[key] += size
            timer = self.loop.call_later(UNREAD_S + size / UNREAD_PER_S, self.transport.abort)
            self._reader = key, size, timer
            if self.unread[key] > MOST_UNREAD and self.unread[key] > size:
                self.transport.abort()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._was_read()

    def _was_read(self) -> None:
        if self._reader is not None:
            key, size, timer = self._reader
            self._reader = None
            timer.cancel()
            self.unread[key] -= size
            if not self.unread[key]:
                del self.unread[key]

    def _slow_down(self) -> None:
        self._reads = 0
        wait_s = self.pace.wait_s(self._host())
        if wait_s and self._pause is None:
            self.transport.pause_reading()
            self._pause = self.loop.call_later(wait_s, self._read_on)

    def _read_on(self) -> None:
        if self._pause is not None:
            self._pause.cancel()
            self._pause = None
            if not self.flow.read_paused:
                self.transport.resume_reading()

    def send_400_response(self, msg: str) -> None:
        super().send_400_response(self._heads.why or msg)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        if self._heads:
            self.send_400_response(EARLY)
            return
        self._read_on()
        self._was_read()
        self._reads = -1  # the socket counts its own
        self._forget()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._was_read()
        self._forget()
        self.crowd.leave(self.transport)
        super().connection_lost(exc)

    def _turn_away(self, transport: asyncio.Transport) -> None:
        self._unwelcome = True
        self.crowd.turn_away(transport)
        self._patience = self.loop.call_later(FAREWELL_S, transport.abort)

    def _wait(self) -> None:
        self._patience = self.loop.call_later(HEADER_S, self.transport.abort)

    def _end_wait(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _forget(self) -> None:
        self._end_wait()
        if self._counted is not None:
            self.counts[self._counted] -= 1
            if not self.counts[self._counted]:
                del self.counts[self._counted]
            self._counted = None


def open_door(most: int | None, trusted: Container[str], crowd: Crowd, pace: Pace) -> type[Door]:
    """The protocol of one server, with counts of its own; None is no limit."""
    own: dict[str, Any] = {"most": most, "trusted": trusted, "crowd": crowd, "pace": pace}
    return type("Door", (Door,), {**own, "counts": Counter(), "unread": Counter()})
