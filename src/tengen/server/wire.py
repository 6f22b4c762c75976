"""Under a socket: uvicorn's connection, with limits to what a peer can let pile up or make us read.

Made of parts of uvicorn that are not promised to stay, so that one is pinned to a version, and the tests of
this file are read before it goes up. HTTP comes in by door.py.

An application may write to a `Wire` directly, through the extension `tengen.wire` in the scope: what is
written between two turns of the event loop goes out in one piece, without a task or a frame object for each
message. What comes in takes a short way too, as far as it is whole texts, which is nearly always: the parser
of `websockets` sees the rest. Once the application is done with a connection, or uvicorn has given it up, the
peer has some seconds to take what is left; then it is cut off. Without that, a peer that reads nothing would
keep its buffers for ever. So it is when it sends pings and does not read the answers, or more frames of any
kind but whole texts than somebody honest has to say, or anything before its upgrade was answered.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Generator
from random import getrandbits
from struct import pack, unpack_from
from typing import Any, ClassVar

from starlette.types import Scope
from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
from uvicorn.config import Config
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.frames import Frame, apply_mask  # type: ignore[attr-defined]  # in C where there is that
from websockets.protocol import CONNECTING, OPEN
from websockets.streams import StreamReader

from tengen.server.courier import Courier, Outlet
from tengen.server.crowd import Crowd
from tengen.server.heartbeat import Heartbeat
from tengen.server.pace import AT_ONCE, Pace

EXTENSION = "tengen.wire"
PING_S = 20.0  # between two pings; who has not answered by the next one is gone
LEAVE_S = 3.0  # for the last bytes and the closing handshake
AHEAD = 8  # messages that may wait for the application before the peer has to
MOST_UNREAD = 1_000_000  # bytes that a peer may leave unread while it sends pings, and
PINGS_PER_S = 50
FRAMES_PER_S = 100  # that did not take the short way: pings, pongs, pieces of messages, bytes
PIECE = 1024  # bytes that are parsed before it is looked how many frames they were
MOST_TEXTS = 400  # that come at once
SOON = 65_536  # bytes that wait to be sent before they are, whatever else is to be done first
MANY = 64  # sockets: what so many are told is for the courier,
FIRST = 8  # but for these

_TEXT = 0x81  # a whole message, in UTF-8
_MASKED = 0x80  # and the length, of which 126 says that two bytes more have it
_TWO_MORE = 126
_PING = b"\x89\x04"  # from us, with four bytes
_PONG = 0x8A, _MASKED | 4  # to us, and the same four
_PONG_SIZE = 2 + 4 + 4
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
    """The texts that a client's bytes are, if they are whole frames of such and nothing else.

    Of more than MOST_TEXTS one too many is read.
    """
    texts: list[str] = []
    at, end = 0, len(data)
    while at < end and len(texts) <= MOST_TEXTS:
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
        """Who has sent many at once has others served in between."""
        if self._items:
            await asyncio.sleep(0)
        while not self._items:
            self._reader = self._loop.create_future()
            await self._reader
        return self._items.popleft()

    def qsize(self) -> int:
        return len(self._items)

    def empty(self) -> bool:
        return not self._items


def open_wire(crowd: Crowd, courier: Courier | None, pace: Pace) -> type[Wire]:
    """The protocol of one server's sockets, which come in through its door and leave by themselves."""
    own: dict[str, Any] = {"crowd": crowd, "courier": courier, "pace": pace}
    own |= {"heart": Heartbeat(PING_S), "unflushed": []}
    return type("Wire", (Wire,), own)


class Wire(WebSocketsSansIOProtocol):
    """Needs compression to be off: frames are made here and not by `websockets`. See `open_wire`.

    What is asked for each of thousands that are told something is in slots, also where uvicorn made it.
    """

    __slots__ = ("_full", "_mates", "_outlet", "_size", "_unsent", "close_sent", "handshake_complete")

    crowd: ClassVar[Crowd] = Crowd(None)
    courier: ClassVar[Courier | None] = None  # for what many are told
    pace: ClassVar[Pace] = Pace()
    heart: ClassVar[Heartbeat] = Heartbeat(PING_S)
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
        self._size = 0  # of that, in bytes
        self._reads = 0
        self._cut: asyncio.TimerHandle | None = None
        self._pings, self._pings_since = 0, 0.0
        self._frames, self._frames_since = 0, 0.0
        self._midway = True  # in a frame or a message, as far as the parser of `websockets` knows

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._outlet = Outlet(transport)
        super().connection_made(self._outlet)  # type: ignore[arg-type]

    def data_received(self, data: bytes) -> None:
        self._reads += 1
        if self._reads >= AT_ONCE:
            self._slow_down()
        whole = not self._midway and self.conn.state is OPEN
        if whole and len(data) == _PONG_SIZE and (data[0], data[1]) == _PONG:
            if self._counts(1):
                self._answered(apply_mask(data[6:], data[2:6]))
            return
        texts = whole_texts(data) if whole else None
        if texts is None and self.handshake_initiated and self.conn.state is CONNECTING:
            self.transport.abort()
        elif texts is None:
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

    def _slow_down(self) -> None:
        """Once it is served, its scope has the address that a proxy speaks for."""
        self._reads = 0
        client = self.scope["client"] if self.handshake_initiated else self.client
        wait_s = self.pace.wait_s(client[0] if client else "")
        if wait_s and not self.transport.is_closing():
            self.transport.pause_reading()
            self.loop.call_later(wait_s, self._read_on)

    def _read_on(self) -> None:
        if not self.read_paused:
            self.transport.resume_reading()

    def handle_events(self) -> None:
        if self._counts(len(self.conn.events)):
            super().handle_events()

    def _counts(self, frames: int) -> bool:
        """Whether that many more that are no texts are few enough for a second; else it is cut off."""
        now = self.loop.time()
        if now - self._frames_since >= 1:
            self._frames, self._frames_since = 0, now
        self._frames += frames
        if self._frames > FRAMES_PER_S:
            self.transport.abort()
            return False
        return True

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
        frame = text_frame(data)
        self._unsent.append(frame)
        self._size += len(frame)
        if self._size > SOON:
            self._flush()
        return True

    def pause_writing(self) -> None:
        self._full = True
        super().pause_writing()

    def resume_writing(self) -> None:
        self._full = False
        super().resume_writing()

    def _flush(self) -> None:
        unsent, self._unsent, self._size = self._unsent, [], 0
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
        frame = wires[-1]._unsent[-1:]
        if not frame or sum(wire._unsent == frame for wire in wires) < MANY:
            return wires  # of many matches, none of which has a crowd: it would cost more to wake the courier
        outlets, others = list[Outlet](), wires[:FIRST]
        for wire in wires[FIRST:]:
            if wire._unsent == frame and wire._outlet.lend(courier):
                wire._unsent.clear()
                wire._size = 0
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
        if self.beat():
            self.heart.add(self)

    def beat(self) -> bool:
        if self.close_sent or self.transport.is_closing():
            return False
        if self.pending_ping_payload is not None:
            self.keepalive_timeout()
            return False
        self.pending_ping_payload = getrandbits(32).to_bytes(4, "big")
        self.ping_sent_at = self.loop.time()
        self.transport.write(_PING + self.pending_ping_payload)
        return True

    def handle_pong(self, event: Frame) -> None:
        self._answered(bytes(event.data))

    def _answered(self, payload: bytes) -> None:
        if payload == self.pending_ping_payload:
            self.last_ping_rtt = self.loop.time() - self.ping_sent_at
            self.pending_ping_payload = None

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
