"""A WebSocket client that costs little: a thousand of them share two cores with the server they measure.

It knows just what this server sends: whole text frames, pings, a close. Frames of a client must be masked; a
mask of zeros is one, and leaves the bytes as they are. Messages are handed on as bytes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

_TEXT, _CLOSE, _PING, _PONG = 0x1, 0x8, 0x9, 0xA
_NO_MASK = bytes(4)

Hear = Callable[[bytes], None]


def frame(opcode: int, payload: bytes) -> bytes:
    """A whole frame of a client."""
    size = len(payload)
    if size < 126:
        head = bytes((0x80 | opcode, 0x80 | size))
    elif size < 65536:
        head = bytes((0x80 | opcode, 0xFE)) + size.to_bytes(2, "big")
    else:
        head = bytes((0x80 | opcode, 0xFF)) + size.to_bytes(8, "big")
    return head + _NO_MASK + payload


def frame_end(data: bytes, start: int) -> tuple[int, int] | None:
    """Where the payload and the whole frame end that begins at `start`: (payload start, end)."""
    have = len(data) - start
    if have < 2:
        return None
    masked, size, at = data[start + 1] & 0x80, data[start + 1] & 0x7F, start + 2
    if size == 126:
        if have < 4:
            return None
        size, at = int.from_bytes(data[at : at + 2], "big"), at + 2
    elif size == 127:
        if have < 10:
            return None
        size, at = int.from_bytes(data[at : at + 8], "big"), at + 8
    at += 4 if masked else 0
    return (at, at + size) if len(data) >= at + size else None


class Wire(asyncio.Protocol):
    """`hear` gets each text message, `gone` is called when the connection ends."""

    __slots__ = ("_gone", "_hear", "_opened", "_rest", "_transport")

    def __init__(self, hear: Hear, gone: Callable[[], None]) -> None:
        self._hear, self._gone = hear, gone
        self._opened: asyncio.Future[None] | None = None
        self._rest = b""
        self._transport: asyncio.Transport | None = None

    @classmethod
    async def open(
        cls, port: int, hear: Hear, gone: Callable[[], None], *, source: str | None = None
    ) -> Wire:
        """`source` is the address that it comes from."""
        loop = asyncio.get_running_loop()
        wire = cls(hear, gone)
        wire._opened = loop.create_future()
        local = None if source is None else (source, 0)
        await loop.create_connection(lambda: wire, "127.0.0.1", port, local_addr=local)
        assert wire._transport is not None
        wire._transport.write(
            f"GET /api/socket HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        try:
            await wire._opened
        except BaseException:
            wire.abort()
            raise
        return wire

    def send(self, message: bytes) -> None:
        assert self._transport is not None
        self._transport.write(frame(_TEXT, message))

    def send_raw(self, data: bytes) -> None:
        """Whatever it is."""
        assert self._transport is not None
        self._transport.write(data)

    @property
    def unsent(self) -> int:
        """Bytes that the system has not taken yet."""
        assert self._transport is not None
        return self._transport.get_write_buffer_size()

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()

    def abort(self) -> None:
        """Without waiting for what the server has yet to read."""
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def connection_lost(self, error: Exception | None) -> None:
        if self._opened is not None and not self._opened.done():
            self._opened.set_exception(ConnectionError("The connection ended during its handshake."))
        self._gone()

    def data_received(self, data: bytes) -> None:
        if self._rest:
            data, self._rest = self._rest + data, b""
        start = 0
        if self._opened is not None:
            end = data.find(b"\r\n\r\n")
            if end < 0:
                self._rest = data
                return
            opened, self._opened, start = self._opened, None, end + 4
            if opened.done():  # nobody waits any more
                return
            if not data.startswith(b"HTTP/1.1 101"):
                opened.set_exception(ConnectionError(f"The server answered {data[:200]!r}."))
                return
            opened.set_result(None)
        while (found := frame_end(data, start)) is not None:
            self._frame(data[start] & 0x0F, data[found[0] : found[1]])
            start = found[1]
        self._rest = data[start:] if start else data

    def _frame(self, opcode: int, payload: bytes) -> None:
        if opcode == _TEXT:
            self._hear(payload)
        elif opcode == _PING and self._transport is not None:
            self._transport.write(frame(_PONG, payload))
        elif opcode == _CLOSE:
            self.close()
