"""What is live: one socket that follows matches and asks for things in them, and heals by itself.

When the connection is lost it connects again, catches up with what it missed, and sends what was not answered
once more under the same id, so that nothing counts twice. One thread may `receive` while others `watch` and
`ask`. Start reading at `Link.receive`.
"""

from __future__ import annotations

import contextlib
import random
import secrets
import threading
import time
from collections import deque
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

import msgspec
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage
from websockets.sync.client import ClientConnection, connect

from tengen.remote.address import RemoteError, printable
from tengen.remote.server import MAX_ANSWER_BYTES, TIMEOUT_S, Server, cause
from tengen.server.protocol import (
    PROTOCOL,
    Accepted,
    Ask,
    Closing,
    FromServer,
    Hello,
    Leave,
    Refused,
    Snapshot,
    Update,
    Watch,
    Welcome,
)

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.1, 5.0  # between attempts, doubled each time
ANSWER_S = 8.0  # after which a request that nobody answered is sent again
_AGAIN = ("unavailable", "too-many")  # nothing was changed, and the same request may be sent again


@dataclass(frozen=True, slots=True)
class Trouble:
    """The link does not work now and goes on trying by itself; said once, until `Healed`."""

    message: str


@dataclass(frozen=True, slots=True)
class Healed:
    """The link works again. What was missed follows."""


Received = FromServer | Trouble | Healed


@dataclass(slots=True)
class _Place:
    """How far a watched match has been followed; `number` is None before its first snapshot."""

    number: int | None = None
    position: str | None = None


@dataclass(slots=True)
class _Pending:
    ask: Ask
    due: float  # when it is sent again, on the monotonic clock
    pause_s: float = FIRST_PAUSE_S


_decode = msgspec.json.Decoder(FromServer).decode
_encode = msgspec.json.Encoder().encode


class Link:
    """One socket to a server, kept alive until `close`. It connects, and heals, inside `receive`."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._lock = threading.RLock()
        self._closed = threading.Event()
        self._watched: dict[str, _Place] = {}
        self._pending: dict[str, _Pending] = {}
        self._rewatch: dict[str, float] = {}  # watches that were refused for now, and when to try again
        self._early: deque[Received] = deque()
        self._open: contextlib.ExitStack | None = None
        self._socket: ClientConnection | None = None
        self._welcomed = False
        self._troubled = False
        self._pause_s = FIRST_PAUSE_S
        self._next_try = 0.0
        self.ahead_ms = 0  # how far the server's clock is ahead of ours

    def watch(self, match: str) -> None:
        """Follows a match: first comes a Snapshot, then Updates without a gap."""
        with self._lock:
            self._watched[match] = _Place()
            self._send_watch(match)

    def leave(self, match: str) -> None:
        with self._lock:
            if self._watched.pop(match, None) is not None:
                self._send(Leave(match))

    def ask(self, match: str, kind: str, **fields: Any) -> str:
        """Asks for something in a match; fields are those of `Ask`. The id comes back in the answer."""
        asked = Ask(match, secrets.token_urlsafe(12), kind, **fields)  # type: ignore[arg-type]
        with self._lock:
            self._pending[asked.id] = _Pending(asked, time.monotonic() + ANSWER_S)
            self._send(asked)
        return asked.id

    def receive(self, timeout_s: float | None = None) -> Received | None:
        """The next message, None when none came in time or the link was closed.

        An event comes once, in order and without gaps, whatever happens to the connection. Raises RemoteError
        when the server does not want us back.
        """
        deadline = None if timeout_s is None else time.monotonic() + timeout_s
        while not self._closed.is_set():
            if self._early:
                return self._early.popleft()
            socket = self._socket
            try:
                if socket is None:
                    self._connect(deadline)
                else:
                    self._take(_decode(socket.recv(self._patience_s(deadline), decode=False)))
            except TimeoutError:
                pass
            except (
                ConnectionClosed,
                InvalidHandshake,
                InvalidMessage,
                OSError,
                msgspec.MsgspecError,
            ) as error:
                self._lost(error)
            self._send_due()
            if deadline is not None and time.monotonic() >= deadline and not self._early:
                return None
        return None

    @property
    def closed(self) -> bool:
        return self._closed.is_set()

    def close(self) -> None:
        """Ends the link; a `receive` that waits in another thread returns None."""
        self._closed.set()
        with self._lock:
            self._drop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # The connection

    def _connect(self, deadline: float | None) -> None:
        """One attempt, after the pause that is due; raises what connecting raises."""
        pause_s = self._next_try - time.monotonic()
        if deadline is not None and deadline - time.monotonic() < pause_s:
            self._closed.wait(max(0.0, deadline - time.monotonic()))
            return
        if self._closed.wait(max(0.0, pause_s)):
            return
        self._next_try = time.monotonic() + self._pause_s * random.uniform(0.5, 1.0)
        self._pause_s = min(LONGEST_PAUSE_S, self._pause_s * 2)
        url = "ws" + self._server.url.removeprefix("http") + "/api/socket"
        stack = contextlib.ExitStack()
        proxies: dict[str, Any] = {"proxy": None} if self._server.direct else {}
        try:
            opened = stack.enter_context(
                connect(
                    url,
                    compression=None,
                    open_timeout=TIMEOUT_S,
                    close_timeout=1,
                    ping_interval=10,
                    ping_timeout=10,
                    max_size=MAX_ANSWER_BYTES,
                    **proxies,
                )
            )
        except TimeoutError as error:
            raise ConnectionError("no answer") from error
        with self._lock:
            self._open, self._socket, self._welcomed = stack, opened, False
            if self._closed.is_set():  # while we connected
                self._drop()
                return
        opened.send(_encode(Hello(PROTOCOL, self._server.secret)).decode())

    def _lost(self, error: Exception) -> None:
        with self._lock:
            self._drop()
            if not (self._troubled or self._closed.is_set()):
                self._troubled = True
                why = cause(error) if isinstance(error, OSError) else "connection lost"
                self._early.append(Trouble(f"{self._server.url} is gone ({why}); trying again."))

    def _drop(self) -> None:
        stack, self._open, self._socket, self._welcomed = self._open, None, None, False
        if stack is not None:
            with contextlib.suppress(Exception):
                stack.close()

    def _patience_s(self, deadline: float | None) -> float | None:
        """How long to wait for a message before something else is to be done."""
        with self._lock:
            times = [pending.due for pending in self._pending.values()] + list(self._rewatch.values())
        if deadline is not None:
            times.append(deadline)
        return max(0.0, min(times) - time.monotonic()) if times else None

    # Sending

    def _send(self, message: msgspec.Struct) -> None:
        """Sends if we are welcome; else it goes out on the next welcome."""
        if self._socket is None or not self._welcomed:
            return
        with contextlib.suppress(ConnectionClosed, OSError):  # `receive` finds out and heals
            self._socket.send(_encode(message).decode())

    def _send_watch(self, match: str) -> None:
        place = self._watched[match]
        if place.number is None:
            self._send(Watch(match))
        else:
            self._send(Watch(match, place.number, place.position))

    def _send_due(self) -> None:
        now = time.monotonic()
        with self._lock:
            for pending in self._pending.values():
                if pending.due <= now:
                    pending.due = now + ANSWER_S
                    self._send(pending.ask)
            for match in [match for match, due in self._rewatch.items() if due <= now]:
                del self._rewatch[match]
                if match in self._watched:
                    self._send_watch(match)

    # Receiving

    def _take(self, message: FromServer) -> None:
        """Keeps account of a message and queues what the caller should see of it."""
        with self._lock:
            passed: FromServer | None = message
            if isinstance(message, Welcome):
                self._welcome(message)
            elif isinstance(message, Snapshot):
                self._followed(message.match.id, message.now.number, message.now.position)
            elif isinstance(message, Update):
                passed = self._news(message)
            elif isinstance(message, Accepted):
                self._pending.pop(message.id, None)
                self._healed()
            elif isinstance(message, Refused):
                passed = self._refused(message)
            elif isinstance(message, Closing) and message.final:
                self._closed.set()
                self._drop()
                raise RemoteError(printable(message.message))
            if passed is not None:
                self._early.append(passed)

    def _welcome(self, message: Welcome) -> None:
        self._welcomed, self._pause_s, self._next_try = True, FIRST_PAUSE_S, 0.0
        self.ahead_ms = message.at_ms - time.time_ns() // 1_000_000
        self._healed()
        for match in self._watched:
            self._send_watch(match)
        for pending in self._pending.values():
            pending.due = time.monotonic() + ANSWER_S
            self._send(pending.ask)

    def _healed(self) -> None:
        if self._troubled:
            self._troubled = False
            self._early.append(Healed())

    def _followed(self, match: str, number: int, position: str) -> None:
        if (place := self._watched.get(match)) is not None:
            place.number, place.position = number, position

    def _news(self, message: Update) -> Update | None:
        """The update without what we have; after a gap it is dropped and the match asked for again."""
        place = self._watched.get(message.match)
        if place is None or place.number is None or message.now.number < place.number:
            return None
        events = [event for event in message.events if event.number > (place.number or 0)]
        if [event.number for event in events] != list(range(place.number + 1, message.now.number + 1)):
            self._send_watch(message.match)
            return None
        self._followed(message.match, message.now.number, message.now.position)
        return msgspec.structs.replace(message, events=events)

    def _refused(self, message: Refused) -> Refused | None:
        if message.code not in _AGAIN:
            if message.id is not None:
                self._pending.pop(message.id, None)
            elif message.match is not None:
                self._watched.pop(message.match, None)
            return message
        pending = self._pending.get(message.id or "")
        if pending is not None:
            pending.due = time.monotonic() + pending.pause_s
            pending.pause_s = min(LONGEST_PAUSE_S, pending.pause_s * 2)
        elif message.match in self._watched:
            self._rewatch[message.match] = time.monotonic() + 1.0
        if not self._troubled:
            self._troubled = True
            self._early.append(Trouble(message.message))
        return None
