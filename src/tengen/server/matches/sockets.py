"""The socket of a client: messages in, one after another; messages out, through a queue that is bounded.

`Hello` comes first and says who it is. Every message is answered before the next one is read, so a client
that sends faster than it is served waits by itself. What goes out is written at once by whoever has something
to tell. Only for a reader that is slow it is put into a queue, and written by a task; one that lets too much
pile up is sent away, comes back, and catches up. Start reading at `socket`.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable
from typing import Any

import msgspec
from starlette.types import Send
from starlette.websockets import WebSocket

import tengen
from tengen.server import protocol as p
from tengen.server.errors import Refusal, storing
from tengen.server.limits import EVENTS_A_MS, MESSAGE_MS, MISSED_A_MS, TOLD_A_MS, TooMany, work_of
from tengen.server.matches.describe import encode
from tengen.server.matches.hub import Hub
from tengen.server.matches.room import Room
from tengen.server.people import known, secret_of
from tengen.server.stamp import now_ms
from tengen.server.store.rows import PersonRow, StoreUnavailable
from tengen.server.wire import round_trip, writer

BUSY = "Too much is asked for from your address; wait a little and try again."
VISIT_MS = 2.0  # of work: what is somebody's own is looked up and encoded
LOOK_MS = 2.0  # of work: something is looked up in the store, whether or not it is there
FAR_BEHIND = 65_536  # bytes that wait for a reader before the next message of theirs is read
BUSY_S = 0.2  # until the next message of somebody is read who has asked for too much
MOST_MISTAKES = 5  # messages in a row that cannot be read
# Close codes: the ones above 4000 are our own and say the same as HTTP's.
GOING_AWAY, POLICY, SIGNED_OUT, SILENT, TOO_SLOW, TOO_MANY = 1001, 1008, 4401, 4408, 4413, 4429
SERVICE_RESTART = 1012

log = logging.getLogger(__name__)

decode = msgspec.json.Decoder(p.FromClient).decode


class TokenBucket:
    """Lets `burst` through at once and `rate_per_s` in the long run."""

    __slots__ = ("_at", "_burst", "_rate", "_tokens")

    def __init__(self, rate_per_s: float, burst: float) -> None:
        self._rate, self._burst = rate_per_s, burst
        self._tokens, self._at = burst, time.monotonic()

    def take(self) -> bool:
        now = time.monotonic()
        self._tokens = min(self._burst, self._tokens + (now - self._at) * self._rate)
        self._at = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


class Socket:
    """One client that is connected; a `Watcher` of rooms."""

    __slots__ = (
        "_bytes",
        "_closing",
        "_hub",
        "_queue",
        "_round_trip_s",
        "_send",
        "_task",
        "_write",
        "_writer",
        "address",
        "bucket",
        "greeted",
        "news",
        "person",
        "rooms",
        "stuck",
    )

    def __init__(
        self,
        hub: Hub,
        send: Send,
        write: Callable[[bytes], bool] = lambda data: False,
        address: str = "",
        round_trip_s: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self._hub = hub
        self._round_trip_s = round_trip_s
        self.address = address
        self._send = send
        self._write = write  # sends it if that can be done without waiting
        self._queue: deque[bytes] = deque()
        self._bytes = 0
        self._closing: int | None = None  # the close code, once the last message is in the queue
        self._writer: asyncio.Task[None] | None = None  # while something is in the queue
        self._task = asyncio.current_task()  # which serves this client
        self.stuck = False
        self.bucket = (
            TokenBucket(hub.config.socket_per_s, hub.config.socket_burst) if hub.config.limits else None
        )
        self.person: PersonRow | None = None
        self.greeted = False
        self.news = False  # whether it takes what the operator has to say
        self.rooms: dict[str, Room] = {}

    @property
    def person_id(self) -> str | None:
        return None if self.person is None else self.person.id

    @property
    def name(self) -> str:
        return "" if self.person is None else self.person.name

    @property
    def watching(self) -> int:
        return len(self.rooms)

    @property
    def secret_hash(self) -> str | None:
        return None if self.person is None else self.person.secret_hash

    def lag_ms(self) -> int:
        """How long a message takes to the client and back."""
        return round(1000 * self._round_trip_s())

    def put(self, data: bytes) -> None:
        """Sends or queues a message; a reader that is too far behind is sent away instead."""
        self._hub.sent += 1
        if self._closing is not None or (self._writer is None and self._write(data)):
            return
        config = self._hub.config
        if self._queue and (
            len(self._queue) >= config.queue_messages or self._bytes + len(data) > config.queue_bytes
        ):
            self._queue.clear()
            self.close(TOO_SLOW, "You were too far behind; come back and catch up.")
            asyncio.get_running_loop().call_later(self._hub.config.stop_s, self._give_up)
            return
        self._queue.append(data)
        self._bytes += len(data)
        self._begin_writing()

    def tell(self, message: p.FromServer) -> None:
        self.put(encode(message))

    def refuse(
        self, code: p.Code, message: str, match: str | None = None, client_id: str | None = None
    ) -> None:
        self._hub.count_refusal(code)
        self.tell(p.Refused(match, client_id, code, message))

    def close(self, code: int, message: str, final: bool = False) -> None:
        """After what is in the queue and a last word, the connection ends."""
        if self._closing is None:
            self._queue.append(encode(p.Closing(message, final)))
            self._closing = code
            self._begin_writing()

    def tell_notices(self) -> None:
        if self.news:
            found = self._hub.house.notices
            self.tell(p.Notices([p.NoticeInfo(one.id, one.text, one.created_ms) for one in found]))

    def dismiss(self, message: str) -> None:
        self.close(SIGNED_OUT, message)

    def _give_up(self) -> None:
        """The reader takes nothing at all, not even the last word: its task would wait for ever."""
        if self._writer is not None and self._task is not None:
            self.stuck = True
            self._task.cancel()

    async def finish(self, message: str) -> None:
        """Closes for a restart, and returns when that is done."""
        self.close(SERVICE_RESTART, message)
        if self._writer is not None:
            await asyncio.wait((self._writer,))

    def _begin_writing(self) -> None:
        if self._writer is None:
            self._writer = asyncio.create_task(self._write_queue())

    async def _write_queue(self) -> None:
        """That a client went away is no news: its queue is dropped."""
        queue, send = self._queue, self._send
        try:
            while queue:
                data = queue.popleft()
                self._bytes -= len(data)
                await send({"type": "websocket.send", "text": data.decode()})
            if self._closing is not None:
                await send({"type": "websocket.close", "code": self._closing, "reason": ""})
        except Exception as error:
            log.debug("a client has gone: %r", error)
            self._closing = self._closing or GOING_AWAY
        finally:
            self._writer = None

    async def catch_up(self) -> None:
        """Waits while the reader is far behind: who asks and does not read is not answered either."""
        if self._bytes > FAR_BEHIND and self._writer is not None:
            await asyncio.wait((self._writer,))

    def forget_all(self) -> None:
        """Leaves the rooms and the lobby."""
        for room in self.rooms.values():
            self._hub.leave(room, self)
        self.rooms.clear()
        self._hub.visitors.leave(self)

    async def end(self) -> None:
        """The connection is gone, or is to go now."""
        self.forget_all()
        writer = self._writer
        if self._closing is None:
            self._closing = GOING_AWAY
            if writer is not None:
                writer.cancel()
        if writer is not None:
            await asyncio.wait((writer,), timeout=self._hub.config.stop_s)
            writer.cancel()

    @property
    def is_closing(self) -> bool:
        return self._closing is not None


async def socket(websocket: WebSocket) -> None:
    """The endpoint: serves one client from its first message to its last."""
    hub: Hub = websocket.app.state.hub
    await websocket.accept()
    address = websocket.client.host if websocket.client else ""
    client = Socket(hub, websocket.send, writer(websocket.scope), address, round_trip(websocket.scope))
    hub.connections.add(client)
    try:
        if hub.stopping:
            client.close(SERVICE_RESTART, "The server is stopping for a moment.")
        else:
            # In a task of its own: one that goes on passes through all who wait for it, which are many.
            await asyncio.create_task(_serve(hub, client, websocket))
    except asyncio.CancelledError:
        if not client.stuck:
            raise
    finally:
        hub.connections.discard(client)
        await client.end()


async def _serve(hub: Hub, client: Socket, websocket: WebSocket) -> None:
    mistakes = 0
    while not client.is_closing:
        received = await _receive(websocket, None if client.greeted else hub.config.hello_s)
        if received is None:
            client.close(SILENT, "Nobody said hello.")
            return
        if received["type"] == "websocket.disconnect":
            return
        await client.catch_up()
        hub.received += 1
        if client.bucket is not None and not client.bucket.take():
            client.close(TOO_MANY, "Too many messages at once; slow down and come back.")
            return
        try:
            hub.limits.take("work", client.address, MESSAGE_MS)
        except TooMany:
            client.refuse("too-many", BUSY, *_named_in(_data_of(received)))
            await asyncio.sleep(BUSY_S)
            continue
        message = _read(received, client)
        mistakes = mistakes + 1 if message is None else 0
        if mistakes >= MOST_MISTAKES:
            client.close(POLICY, "What you send cannot be read.", final=True)
        elif message is not None:
            async with hub.at_once.turn(client.address):
                await _answer(hub, client, websocket, message)


async def _receive(websocket: WebSocket, patience_s: float | None) -> Any:
    """The next message of ASGI, None when it did not come in time."""
    if patience_s is None:
        return await websocket.receive()
    try:
        async with asyncio.timeout(patience_s):
            return await websocket.receive()
    except TimeoutError:
        return None


def _read(received: Any, client: Socket) -> p.FromClient | None:
    """The message that was sent; one that cannot be read is refused, with the id that it has."""
    data = _data_of(received)
    if len(data) > p.MAX_MESSAGE_BYTES:
        client.refuse("malformed", "That message is too long.")
        return None
    try:
        message: p.FromClient = decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        client.refuse("malformed", "That message cannot be read.", *_named_in(data))
        return None
    if not client.greeted and not isinstance(message, p.Hello):
        client.refuse("malformed", "The first message is a hello.")
        return None
    return message


def _data_of(received: Any) -> bytes:
    text = received.get("text")
    return text.encode("utf-8", "replace") if text is not None else received.get("bytes") or b""


def _named_in(data: bytes) -> tuple[str | None, str | None]:
    """The match and the id that a message was for which cannot be read, as far as they can."""
    match = client_id = None
    try:
        found = msgspec.json.decode(data)
        if isinstance(found, dict):
            match, client_id = found.get("match"), found.get("id")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass
    match = match[:64] if isinstance(match, str) else None
    client_id = client_id[: p.MAX_CLIENT_ID] if isinstance(client_id, str) else None
    return match, client_id


async def _answer(hub: Hub, client: Socket, websocket: WebSocket, message: p.FromClient) -> None:
    match_id = client_id = None
    try:
        if isinstance(message, p.Ask):
            match_id, client_id = message.match, message.id
            await _ask(hub, client, message)
        elif isinstance(message, p.Ping):
            client.tell(p.Pong(message.at, now_ms()))
        elif isinstance(message, p.Watch):
            match_id = message.match
            await _watch(hub, client, message)
        elif isinstance(message, p.Leave):
            room = client.rooms.pop(message.match, None)
            if room is not None:
                hub.leave(room, client)
        elif isinstance(message, p.Visit):
            await _visit(hub, client, message)
        else:
            await _greet(hub, client, websocket, message)
    except Refusal as refusal:
        if refusal.code == "stale" and match_id in client.rooms:
            _show(hub, client, client.rooms[match_id], 0, None)
        client.refuse(refusal.code, refusal.message, match_id, client_id)
    except Exception:
        log.exception("a message was not served")
        client.refuse("unavailable", "Something went wrong; try again.", match_id, client_id)


async def _greet(hub: Hub, client: Socket, websocket: WebSocket, hello: p.Hello) -> None:
    if hello.protocol != p.PROTOCOL:
        said = f"This server speaks protocol {p.PROTOCOL}, not {hello.protocol}: reload or update."
        client.close(POLICY, said, final=True)
        return
    secret = hello.secret if hello.secret is not None else secret_of(websocket)
    hub.limits.charge("work", client.address, LOOK_MS)
    try:
        person = await known(hub.store, secret)
    except StoreUnavailable:
        client.close(SERVICE_RESTART, "The server cannot look up who you are just now.")
        return
    client.forget_all()
    client.person, client.greeted = person, True
    name = None if client.person is None else client.person.name
    client.tell(p.Welcome(p.PROTOCOL, tengen.__version__, now_ms(), name))
    client.news = hello.news
    if hub.house.notices:
        client.tell_notices()


async def _find(hub: Hub, client: Socket, match_id: str) -> Room:
    """The room of a match; who has it read from the store pays for that."""
    if hub.rooms.get(match_id) is not None:
        return await hub.rooms.find(match_id)
    hub.limits.charge("work", client.address, LOOK_MS)
    room = await hub.rooms.find(match_id)
    hub.limits.charge("work", client.address, room.number / EVENTS_A_MS)
    return room


async def _watch(hub: Hub, client: Socket, watch: p.Watch) -> None:
    if watch.match not in client.rooms and len(client.rooms) >= hub.config.max_watched:
        raise Refusal("too-many", f"At most {hub.config.max_watched} matches are watched at a time.")
    room = await _find(hub, client, watch.match)
    await hub.prepare(room)
    client.rooms[room.id] = room
    _show(hub, client, room, watch.after, watch.position)


def _show(hub: Hub, client: Socket, room: Room, after: int, position: str | None) -> None:
    """What somebody has missed of a match, or all of it, at their own cost."""
    size, events = hub.watch(room, client, after, position)
    hub.limits.charge("work", client.address, work_of(size) - MESSAGE_MS + events / MISSED_A_MS)


async def _ask(hub: Hub, client: Socket, ask: p.Ask) -> None:
    """Who does something pays for all who are told of it."""
    try:
        hub.limits.take("events", client.address)
    except TooMany:
        raise Refusal("too-many", BUSY) from None
    room = hub.rooms.get(ask.match) or await _find(hub, client, ask.match)
    number = await hub.ask(ask, client.person_id, client.lag_ms())
    client.tell(p.Accepted(ask.match, ask.id, number))
    if hub.limits.enabled:
        hub.limits.charge("work", client.address, hub.told_of(room) / TOLD_A_MS)


async def _visit(hub: Hub, client: Socket, visit: p.Visit) -> None:
    if not visit.on:
        hub.visitors.leave(client)
        return
    with storing():
        size = await hub.visitors.enter(client)
    hub.limits.charge("work", client.address, work_of(size) + VISIT_MS)
