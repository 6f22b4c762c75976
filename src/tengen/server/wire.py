"""The connection under a socket: uvicorn's, with a short way out and an end that does not depend on the peer.

An application may write to it directly, through the extension `tengen.wire` in the scope: what is written
between two turns of the event loop goes out in one piece, without a task or a frame object for each message.
Once the application is done with a connection, or uvicorn has given it up, the peer has some seconds to take
what is left; then it is cut off. Without that, a peer that reads nothing would keep its buffers for ever.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from struct import pack
from typing import Any

from starlette.types import Scope
from uvicorn._types import ASGISendEvent
from uvicorn.config import Config
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

EXTENSION = "tengen.wire"
LEAVE_S = 3.0  # for the last bytes and the closing handshake
AHEAD = 8  # messages that may wait for the application before the peer has to

_TEXT = 0x81  # a whole message, in UTF-8


def text_frame(data: bytes) -> bytes:
    """One message from a server, which does not mask. That the data is UTF-8 is not checked."""
    size = len(data)
    if size < 126:
        return pack("!BB", _TEXT, size) + data
    if size < 65_536:
        return pack("!BBH", _TEXT, 126, size) + data
    return pack("!BBQ", _TEXT, 127, size) + data


class Wire(WebSocketsSansIOProtocol):
    """Needs compression to be off: frames are made here and not by `websockets`."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.close_timeout = LEAVE_S
        self._unsent: list[bytes] = []
        self._cut: asyncio.TimerHandle | None = None

    def write(self, data: bytes) -> bool:
        """Sends a text if that can be done without waiting; never fails, not even when the peer is gone."""
        if not self.writable.is_set() or not self.handshake_complete or self.close_sent:
            return False
        if not self._unsent:
            self.loop.call_soon(self._flush)
        self._unsent.append(text_frame(data))
        return True

    def _flush(self) -> None:
        unsent, self._unsent = self._unsent, []
        if unsent and not self.transport.is_closing():
            self.transport.write(b"".join(unsent))

    async def send(self, message: ASGISendEvent) -> None:
        self._flush()
        await super().send(message)

    def send_receive_event_to_app(self) -> None:
        """Reading goes on while only a few messages wait: to stop and start it costs more than they do."""
        few = not self.read_paused and self.queue.qsize() < AHEAD
        self.read_paused |= few
        super().send_receive_event_to_app()
        self.read_paused &= not few

    async def run_asgi(self) -> None:
        self.scope["extensions"][EXTENSION] = {"write": self.write}
        try:
            await super().run_asgi()
        finally:
            self._leave()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self._leave()

    def shutdown(self) -> None:
        super().shutdown()
        self._leave()

    def connection_lost(self, exc: Exception | None) -> None:
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
