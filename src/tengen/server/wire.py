"""Connections: uvicorn's, with limits to what a peer can keep open or let pile up.

Both are made of parts of uvicorn that are not promised to stay, so that one is pinned to a version, and the
tests of this file are read before it goes up.

`Door` is where HTTP comes in. Who has not said a whole header after some seconds is cut off, and so is one
more connection than an address may have. Who does not fit into the `Crowd` any more is told so. A header of
thousands of lines would take the parser tens of milliseconds, so it is refused before that looks at it. So is
a body in chunks, of which each byte may be one.

`Wire` is under a socket. An application may write to it directly, through the extension `tengen.wire` in the
scope: what is written between two turns of the event loop goes out in one piece, without a task or a frame
object for each message. What comes in takes a short way too, as far as it is whole texts, which is nearly
always: the parser of `websockets` sees the rest. Once the application is done with a connection, or uvicorn
has given it up, the peer has some seconds to take what is left; then it is cut off. Without that, a peer that
reads nothing would keep its buffers for ever. So it is when it sends pings and does not read the answers, or
more frames of any kind but whole texts than somebody honest has to say.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Container, Generator
from struct import pack, unpack_from
from typing import Any, ClassVar, NoReturn

import h11
from h11._receivebuffer import ReceiveBuffer
from starlette.types import Scope
from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.frames import apply_mask  # type: ignore[attr-defined]  # in C where there is that
from websockets.protocol import OPEN
from websockets.streams import StreamReader

from tengen.server.courier import Courier, Outlet
from tengen.server.crowd import Crowd
from tengen.server.limits import group

HEADER_S = 15.0  # for a whole header
MOST_CONNECTIONS = 100  # of one address, sockets not counted: those have their own limit
MOST_HEAD = 16_384  # bytes of a header
MOST_LINES = 100  # and lines
EXTENSION = "tengen.wire"
LEAVE_S = 3.0  # for the last bytes and the closing handshake
AHEAD = 8  # messages that may wait for the application before the peer has to
MOST_UNREAD = 1_000_000  # bytes that a peer may leave unread while it sends pings, and
PINGS_PER_S = 50
FRAMES_PER_S = 100  # that did not take the short way: pings, pongs, pieces of messages, bytes
PIECE = 1024  # bytes that are parsed before it is looked how many frames they were
MOST_TEXTS = 2000  # that come at once
MANY = 64  # sockets: what so many are told is for the courier,
FIRST = 8  # but for these

READ_AT_ONCE = 65_536  # bytes; for the usual four times as many, room is fetched and given back each time

FAREWELL_S = 1.0  # for somebody who is turned away to read why

_CHUNKED = b"transfer-encoding:"
_TEXT = 0x81  # a whole message, in UTF-8
_MASKED = 0x80  # and the length, of which 126 says that two bytes more have it
_TWO_MORE = 126
_ABNORMAL, _NOT_UTF8 = 1006, 1007  # close codes
_framed = (b"", pack("!BB", _TEXT, 0))  # the last message, and its frame


def _is_utf8(parts: list[bytes]) -> bool:
    try:
        b"".join(parts).decode()
    except UnicodeDecodeError:
        return False
    return True


def _waits_for_a_frame(parser: Generator[None]) -> bool:
    """Whether the parser of `websockets` has made all it could of what came, and nothing is begun."""
    inner: Any = parser
    while inner.gi_yieldfrom is not None:
        inner = inner.gi_yieldfrom
    return inner.gi_code is StreamReader.at_eof.__code__


def whole_texts(data: bytes) -> list[str] | None:
    """The texts that a client's bytes are, if they are whole frames of such and nothing else."""
    texts, at, end = [], 0, len(data)
    while at < end:
        if end - at < 6 or data[at] != _TEXT:
            return None
        size, begin = data[at + 1] - _MASKED, at + 2
        if size == _TWO_MORE and end - at >= 8:
            size, begin = unpack_from("!H", data, begin)[0], at + 4
        elif not 0 <= size < _TWO_MORE:
            return None
        at = begin + 4 + size
        if at > end:
            return None
        try:
            texts.append(apply_mask(data[begin + 4 : at], data[begin : begin + 4]).decode())
        except UnicodeDecodeError:
            return None
    return texts


def text_frame(data: bytes) -> bytes:
    """One message from a server, which does not mask. That the data is UTF-8 is not checked.

    What many are told is the same object, and put into a frame once.
    """
    global _framed
    last, frame = _framed
    if data is last:
        return frame
    size = len(data)
    if size < 126:
        frame = pack("!BB", _TEXT, size) + data
    elif size < 65_536:
        frame = pack("!BBH", _TEXT, 126, size) + data
    else:
        frame = pack("!BBQ", _TEXT, 127, size) + data
    _framed = data, frame
    return frame


class Inbox:
    """What has come and waits for the application: an `asyncio.Queue` without bounds for one reader."""

    __slots__ = ("_items", "_loop", "_reader")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._items: deque[ASGIReceiveEvent] = deque()
        self._reader: asyncio.Future[None] | None = None

    def put_nowait(self, item: ASGIReceiveEvent) -> None:
        self._items.append(item)
        reader, self._reader = self._reader, None
        if reader is not None and not reader.done():
            reader.set_result(None)

    async def get(self) -> ASGIReceiveEvent:
        while not self._items:
            self._reader = self._loop.create_future()
            await self._reader
        return self._items.popleft()

    def qsize(self) -> int:
        return len(self._items)

    def empty(self) -> bool:
        return not self._items


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
    crowd: ClassVar[Crowd] = Crowd(None)

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
        if self.conn.their_state is not h11.IDLE:
            self._end_wait()
        elif self._patience is None and not self.transport.is_closing():
            self._wait()

    def send_400_response(self, msg: str) -> None:
        super().send_400_response(self._heads.why or msg)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._forget()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
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


def open_door(most: int | None, trusted: Container[str], crowd: Crowd) -> type[Door]:
    """The protocol of one server, with counts of its own; None is no limit."""
    return type("Door", (Door,), {"most": most, "trusted": trusted, "counts": Counter(), "crowd": crowd})


def open_wire(crowd: Crowd, courier: Courier | None) -> type[Wire]:
    """The same for sockets, which come in through the door and leave by themselves."""
    return type("Wire", (Wire,), {"crowd": crowd, "courier": courier, "unflushed": []})


class Wire(WebSocketsSansIOProtocol):
    """Needs compression to be off: frames are made here and not by `websockets`. See `open_wire`.

    What is asked for each of thousands that are told something is in slots, also where uvicorn made it.
    """

    __slots__ = ("_full", "_mates", "_outlet", "_unsent", "close_sent", "handshake_complete")

    crowd: ClassVar[Crowd] = Crowd(None)
    courier: ClassVar[Courier | None] = None  # for what many are told
    unflushed: ClassVar[list[Wire]] = []  # that have something to send when the event loop comes round

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._mates, self._full = self.unflushed, False
        self.queue = Inbox(self.loop)  # type: ignore[assignment]
        self.close_timeout = LEAVE_S
        self._unsent: list[bytes] = []
        self._cut: asyncio.TimerHandle | None = None
        self._pings, self._pings_since = 0, 0.0
        self._frames, self._frames_since = 0, 0.0
        self._midway = True  # in a frame or a message, as far as the parser of `websockets` knows

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._outlet = Outlet(transport)
        super().connection_made(self._outlet)  # type: ignore[arg-type]

    def data_received(self, data: bytes) -> None:
        texts = None if self._midway or self.conn.state is not OPEN else whole_texts(data)
        if texts is None:
            for start in range(0, len(data), PIECE):
                super().data_received(data[start : start + PIECE])
                if self._outlet.is_closing():
                    return
            self._midway = self.conn.current_size is not None or not _waits_for_a_frame(self.conn.parser)
        elif len(texts) > MOST_TEXTS:
            self.transport.abort()
        else:
            for text in texts:
                self._hand_over(text)

    def handle_events(self) -> None:
        now = self.loop.time()
        if now - self._frames_since >= 1:
            self._frames, self._frames_since = 0, now
        self._frames += len(self.conn.events)
        if self._frames > FRAMES_PER_S:
            self.transport.abort()
        else:
            super().handle_events()

    def _hand_over(self, text: str) -> None:
        """Reading goes on while only a few messages wait: to stop and start it costs more than they do."""
        if self.close_sent:
            return
        self.queue.put_nowait({"type": "websocket.receive", "text": text})
        if not self.read_paused and self.queue.qsize() > AHEAD:
            self.read_paused = True
            self.transport.pause_reading()

    def write(self, data: bytes) -> bool:
        """Sends a text if that can be done without waiting; never fails, not even when the peer is gone."""
        if self._full or not self.handshake_complete or self.close_sent:
            return False
        if not self._unsent:
            if not self._mates:
                self.loop.call_soon(self._flush_all)
            self._mates.append(self)
        self._unsent.append(text_frame(data))
        return True

    def pause_writing(self) -> None:
        self._full = True
        super().pause_writing()

    def resume_writing(self) -> None:
        self._full = False
        super().resume_writing()

    def _flush(self) -> None:
        unsent, self._unsent = self._unsent, []
        if unsent and not self._outlet.is_closing():
            self._outlet.write(unsent[0] if len(unsent) == 1 else b"".join(unsent))

    def _flush_all(self) -> None:
        wires = self._mates[:]
        self._mates.clear()
        if self.courier is not None and len(wires) >= MANY:
            wires = self._lend(wires, self.courier)
        for wire in wires:
            wire._flush()

    def _lend(self, wires: list[Wire], courier: Courier) -> list[Wire]:
        """Gives the courier those that are told the same as the last one is; the others are left.

        So are the first: the players are told before those who look on.
        """
        frame, others = wires[-1]._unsent[-1:], wires[:FIRST]
        outlets = list[Outlet]()
        for wire in wires[FIRST:]:
            if wire._unsent == frame and wire._outlet.lend(courier):
                wire._unsent.clear()
                outlets.append(wire._outlet)
            else:
                others.append(wire)
        if outlets:
            courier.carry(outlets, frame[0])
        return others

    async def send(self, message: ASGISendEvent) -> None:
        self._flush()
        await super().send(message)
        if self.initial_response is not None and self.close_sent:
            self.handshake_complete = True  # refused, which uvicorn takes for forgotten

    def handle_ping(self) -> None:
        super().handle_ping()
        now = self.loop.time()
        if now - self._pings_since >= 1:
            self._pings, self._pings_since = 0, now
        self._pings += 1
        if self._pings > PINGS_PER_S or self.transport.get_write_buffer_size() > MOST_UNREAD:
            self.transport.abort()

    def send_receive_event_to_app(self) -> None:
        """What did not take the short way, and may be no text after all."""
        if self.curr_msg_data_type == "text" and not _is_utf8(self.frames):
            self.conn.fail(_NOT_UTF8, "")
            self.handle_parser_exception()
            return
        few = not self.read_paused and self.queue.qsize() < AHEAD
        self.read_paused |= few
        super().send_receive_event_to_app()
        self.read_paused &= not few

    def handle_parser_exception(self) -> None:
        """What is no frame may come before there is a socket, and then nobody can be told."""
        if self.conn.close_sent is not None:
            super().handle_parser_exception()
            return
        self.queue.put_nowait({"type": "websocket.disconnect", "code": _ABNORMAL})
        self.close_sent = True
        self.transport.abort()

    async def run_asgi(self) -> None:
        self.scope["extensions"][EXTENSION] = {
            "write": self.write,
            "round_trip_s": lambda: self.last_ping_rtt,
        }
        try:
            await super().run_asgi()
        finally:
            del self.scope["extensions"][EXTENSION]  # or the connection would be garbage that knows itself
            self._leave()

    def start_keepalive(self) -> None:
        """With a ping at once, so that it is soon known how long the way is."""
        if self.ping_interval:
            self.send_keepalive_ping()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self._leave()

    def shutdown(self) -> None:
        super().shutdown()
        self._leave()

    def connection_lost(self, exc: Exception | None) -> None:
        self._outlet.lose()
        self.crowd.leave(self._outlet.transport)
        super().connection_lost(exc)
        if self._cut is not None:
            self._cut.cancel()

    def _leave(self) -> None:
        if self._cut is None and not self.disconnected:
            self._cut = self.loop.call_later(LEAVE_S, self.transport.abort)


def writer(scope: Scope) -> Callable[[bytes], bool]:
    """The short way out of a connection; where it has none, one that never takes anything."""
    found: Callable[[bytes], bool] | None = scope.get("extensions", {}).get(EXTENSION, {}).get("write")
    return found or (lambda data: False)


def round_trip(scope: Scope) -> Callable[[], float]:
    """How many seconds the last ping took to come back; 0 where none was sent."""
    found: Callable[[], float] | None = scope.get("extensions", {}).get(EXTENSION, {}).get("round_trip_s")
    return found or (lambda: 0.0)
