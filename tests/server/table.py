"""A hub with its store for tests, persons to sit down at it, and eyes that see what a socket would."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar
from unittest.mock import patch

import msgspec

from tengen.server import people
from tengen.server import protocol as p
from tengen.server.config import ServerConfig
from tengen.server.errors import Refusal
from tengen.server.matches.hub import Hub
from tengen.server.matches.room import Room
from tengen.server.stamp import now_ms
from tengen.server.store.store import PersonRow, Store
from tests.waiting import soon

_decode = msgspec.json.Decoder(p.FromServer).decode
_ids = itertools.count()

T = TypeVar("T")

ME, OPEN = p.SeatWish("me"), p.SeatWish("open")


def machine(player: str) -> p.SeatWish:
    return p.SeatWish("machine", player)


@asynccontextmanager
async def table(url: str, **config: Any) -> AsyncIterator[Hub]:
    """A hub on that database, started, and stopped at the end."""
    wanted: dict[str, Any] = {"database_url": url, "limits": False, "engine_workers": 1, "stop_s": 1.0}
    settings = ServerConfig(**wanted | config)
    store = await Store.open(url, process=settings.process)
    hub = Hub(store, settings)
    try:
        await hub.start()
        yield hub
    finally:
        await hub.stop()
        await store.close()


class Eye:
    """Somebody who watches: a socket without the wire."""

    def __init__(self, person: PersonRow | None = None) -> None:
        self.person_id = None if person is None else person.id
        self.address = ""
        self.seen: list[p.FromServer] = []

    def put(self, data: bytes) -> None:
        self.seen.append(_decode(data))

    def all(self, kind: type[T]) -> list[T]:
        return [message for message in self.seen if isinstance(message, kind)]

    def now(self) -> p.Now:
        """What the match amounts to, as last told."""
        return next(m.now for m in reversed(self.seen) if isinstance(m, p.Update | p.Snapshot))

    def kinds(self) -> list[str]:
        """Of the events that were told, in order."""
        return [event.kind for message in self.all(p.Update) for event in message.events]


async def swept(hub: Hub, times: int = 3) -> None:
    """Until house-keeping has looked for machines that are to move, so many times from now on."""
    with patch.object(hub.store, "due_machines", wraps=hub.store.due_machines) as looks:
        await until(lambda: looks.call_count >= times)


async def person(hub: Hub, name: str = "") -> PersonRow:
    return (await people.created(hub.store, now_ms(), name))[0]


async def make(
    hub: Hub,
    maker: PersonRow,
    seats: Sequence[p.SeatWish] = (ME, OPEN),
    game: str = "great-kingdom",
    **wish: Any,
) -> str:
    first, second = seats
    return (await hub.seating.create(p.NewMatch(game, (first, second), **wish), maker)).match


async def pair(hub: Hub, game: str = "great-kingdom", **wish: Any) -> tuple[str, PersonRow, PersonRow]:
    """A match of two persons that has begun."""
    one, other = await person(hub, "Ada"), await person(hub, "Bob")
    match = await make(hub, one, game=game, **wish)
    assert await hub.seating.join(match, other, None, None) == [1]
    return match, one, other


async def ask(hub: Hub, match: str, who: PersonRow | None, kind: str, **more: Any) -> int:
    more.setdefault("id", f"id-{next(_ids)}")
    wish = msgspec.convert({"match": match, "kind": kind, "type": "ask", **more}, p.Ask)
    return await hub.ask(wish, None if who is None else who.id)


async def move(hub: Hub, match: str, who: PersonRow, text: str, **more: Any) -> int:
    return await ask(hub, match, who, "move", text=text, **more)


async def refused(work: Any) -> str:
    """The code that the work is refused with."""
    try:
        await work
    except Refusal as refusal:
        assert refusal.message.endswith("."), refusal.message
        return refusal.code
    raise AssertionError("it was not refused")


async def watch(
    hub: Hub, match: str, who: PersonRow | None = None, after: int = 0, at: str | None = None
) -> Eye:
    eye = Eye(who)
    room = await hub.rooms.find(match)
    await hub.prepare(room)
    hub.watch(room, eye, after, at)
    return eye


async def room_of(hub: Hub, match: str) -> Room:
    room = await hub.rooms.find(match)
    await hub.settle_outages(room)
    return room


until = soon
