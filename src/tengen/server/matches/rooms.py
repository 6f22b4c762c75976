"""The rooms of this process: loaded from the store when they are needed, kept up with other processes.

The log in the store is the truth. A room follows it event by event; `reread` brings one up to date.
`notified` takes what another process has stored from what it told of it, or else reads the logs of all that
it told of, with one query for as many as there are. Rooms that are asked for at the same time are loaded
together.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import replace
from typing import Any

from msgspec import Raw

from tengen.game import InvalidOption
from tengen.match import Match, ReplayError, Setup
from tengen.server.errors import Refusal, no_such_match, storing, unavailable
from tengen.server.games import shared_game
from tengen.server.matches import making
from tengen.server.matches.describe import summary_of, waiting_setup
from tengen.server.matches.room import Room
from tengen.server.stamp import now_ms
from tengen.server.store.notify import read_events
from tengen.server.store.rows import MatchRow, Stored, StoreUnavailable, Summary
from tengen.server.store.store import Store

LONG_LOG = 300  # events; a longer log is replayed in a thread
AT_ONCE = 100  # matches that are read together
LOADERS = 2  # so that a long log does not hold up the others
MAX_ID = 64

log = logging.getLogger(__name__)


class Rooms:
    """`settle` is called whenever a match has been loaded or has gone on; `spawn` runs what may wait."""

    def __init__(
        self,
        store: Store,
        settle: Callable[[Room], None],
        spawn: Callable[[Coroutine[Any, Any, Any]], None],
    ) -> None:
        self._store = store
        self._settle = settle
        self._spawn = spawn
        self._rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Future[Room]] = {}
        self._to_load: list[str] = []  # those among them that no loader has taken yet
        self._loaders = 0
        self._late: set[str] = set()  # those among them that another process has changed meanwhile
        self._behind: dict[str, int] = {}  # what other processes have told of, and not yet read
        self._catching_up = False

    def __len__(self) -> int:
        return len(self._rooms)

    def __iter__(self) -> Iterator[Room]:
        return iter(tuple(self._rooms.values()))

    def get(self, match_id: str) -> Room | None:
        return self._rooms.get(match_id)

    async def find(self, match_id: str) -> Room:
        """The room of that match, up to date; raises Refusal."""
        room = self._rooms.get(match_id)
        if room is None:
            if not 0 < len(match_id) <= MAX_ID or not match_id.isascii():
                raise no_such_match()
            room = await asyncio.shield(self._loading.get(match_id) or self._wanted(match_id))
        room.used_at = time.monotonic()
        if room.stale:
            async with room.lock:
                if room.stale:
                    await self.reread(room)
        return room

    def drop_idle(self, idle_s: float, needed: Callable[[str], bool]) -> None:
        """Forgets rooms that nobody watches and nothing has happened in for that long."""
        before = time.monotonic() - idle_s
        for room in self:
            if room.used_at < before and not needed(room.id):
                self.drop(room)

    def drop(self, room: Room) -> None:
        """Forgets a room, unless somebody watches it or is about to change it."""
        if not room.watchers and not room.lock.locked() and self._rooms.get(room.id) is room:
            room.drop_timers()
            del self._rooms[room.id]

    def _wanted(self, match_id: str) -> asyncio.Future[Room]:
        """Done when a loader has come to it."""
        future: asyncio.Future[Room] = asyncio.get_running_loop().create_future()
        self._loading[match_id] = future
        self._to_load.append(match_id)
        if self._loaders < LOADERS:
            self._loaders += 1
            self._spawn(self._load())
        return future

    async def _load(self) -> None:
        try:
            while self._to_load:
                ids, self._to_load = self._to_load[:AT_ONCE], self._to_load[AT_ONCE:]
                try:
                    await self._load_some(ids)
                except BaseException as error:
                    for match_id in ids:
                        self._loaded(match_id, error if isinstance(error, Exception) else unavailable())
                    if not isinstance(error, Refusal):
                        raise
        finally:
            self._loaders -= 1

    async def _load_some(self, ids: Sequence[str]) -> None:
        with storing():
            rows = await self._rows_of(ids)
            logs = await self._store.events_of({one: 0 for one, row in rows.items() if row.setup is not None})
        for match_id in ids:
            row = rows.get(match_id)
            if row is None:
                self._loaded(match_id, no_such_match())
                continue
            try:
                self._loaded(match_id, await self._replayed(row, logs.get(match_id, [])))
            except (ReplayError, InvalidOption) as error:
                self._loaded(match_id, self._broken(match_id, error))
            await asyncio.sleep(0)

    async def _replayed(self, row: MatchRow, stored: Sequence[Stored]) -> Room:
        match = _match_of(row)
        if len(stored) > LONG_LOG:
            await asyncio.to_thread(_follow, match, stored)
        else:
            _follow(match, stored)
        room = Room(row, match, stored, time.monotonic())
        if row.setup is not None:
            room.adopt(match, (), summary_of(match))
        return room

    def _loaded(self, match_id: str, found: Room | Exception) -> None:
        """Tells who waits for the room. A match that changed meanwhile is read again before it is used."""
        future = self._loading.pop(match_id, None)
        late = match_id in self._late
        self._late.discard(match_id)
        if future is None:
            return
        if isinstance(found, Room):
            found.stale = late
            self._rooms[match_id] = found
            self._settle(found)
            if not future.done():
                future.set_result(found)
        elif not future.done():
            future.set_exception(found)
            future.exception()  # whoever waited may have gone

    async def _rows_of(self, ids: Sequence[str]) -> dict[str, MatchRow]:
        """The rows; a match with all seats taken that has not begun is begun."""
        rows = await self._store.rows(ids)
        full = [row for row in rows.values() if row.status == "open" and making.is_full(row)]
        for row in full:
            begun = making.started(row, now_ms())
            assert begun.setup is not None and begun.started_ms is not None
            await self._store.start(row.id, begun.setup, begun.started_ms, begun.summary)
        return rows | (await self._store.rows([row.id for row in full]) if full else {})

    async def reread(self, room: Room) -> None:
        """Brings a room up to date and tells its watchers; its lock is held by the caller."""
        with storing():
            row = (await self._rows_of([room.id])).get(room.id)
            if row is None:
                raise no_such_match()
            stored = await self._store.events(room.id, room.number) if row.setup is not None else []
        begins = room.status == "open" and row.setup is not None
        shown = (room.row.seats, room.row.rematch, room.status in ("open", "cancelled"))
        try:
            match = _match_of(row) if begins else room.match.copy()
            if row.setup is not None and not begins and _renamed(match, row):
                match = Match.replay(_match_of(row).setup, match.events)
            _follow(match, stored)
        except (ReplayError, InvalidOption) as error:
            room.stale = True
            raise self._broken(room.id, error) from None
        room.row = replace(row, setup=None)
        room.adopt(match, stored, row.summary if row.setup is None else summary_of(match))
        room.stale = False
        if begins:
            room.tell_all()
        elif stored:
            self._show(room, stored)
        if shown != (room.row.seats, room.row.rematch, room.status in ("open", "cancelled")):
            room.tell_info()
        self._settle(room)

    def notified(self, match_id: str, number: int, told: Raw | None = None) -> bool:
        """Another process has changed that match, by those events; without an id, any of them.

        Whether the room is up to date already. Otherwise it will be when the log has been read.
        """
        if match_id:
            if (room := self._rooms.get(match_id)) is not None:
                if told is not None and self._keep_up(room, number, told):
                    return True
                self._behind[match_id] = number
            elif match_id in self._loading:
                self._late.add(match_id)
        else:
            self._behind |= dict.fromkeys(self._rooms, 0)
            self._late.update(self._loading)
        if self._behind and not self._catching_up:
            self._catching_up = True
            self._spawn(self._catch_up())
        return False

    def _keep_up(self, room: Room, number: int, told: Raw) -> bool:
        """Goes on by events that were told, where they are what comes next and nothing else is under way."""
        if room.lock.locked() or room.stale or room.status in ("open", "cancelled"):
            return False
        if number > room.number:
            stored = read_events(told)
            if not stored or stored[0].event.number > room.number + 1:
                return False
            self._follow_on(room, stored)
        return not room.stale

    async def _catch_up(self) -> None:
        try:
            while self._behind:
                told, self._behind = self._behind, {}
                rooms = [room for match_id in told if (room := self._rooms.get(match_id)) is not None]
                try:
                    await self._catch_up_with(rooms, told)
                except (StoreUnavailable, Refusal):
                    for room in rooms:
                        room.stale = True
        finally:
            self._catching_up = False

    async def _catch_up_with(self, rooms: Sequence[Room], told: dict[str, int]) -> None:
        found = await self._store.events_of({room.id: room.number for room in rooms if room.status != "open"})
        for room in rooms:
            stored = found.get(room.id, [])
            its_row_changed = 0 < told[room.id] <= room.number
            if room.lock.locked() or room.status == "open" or (its_row_changed and not stored):
                self._spawn(self._refresh(room))
            elif stored:
                self._follow_on(room, stored)

    async def _refresh(self, room: Room, stale_only: bool = False) -> None:
        async with room.lock:
            if room.stale or not stale_only:
                await self.reread(room)

    async def refresh_stale(self) -> None:
        """Reads what rooms with watchers may have missed."""
        for room in self:
            if room.stale and (room.watchers or room.summary.machine_due):
                await self._refresh(room, stale_only=True)

    def _follow_on(self, room: Room, stored: Sequence[Stored]) -> None:
        news = [one for one in stored if one.event.number > room.number]
        if not news:
            return
        match = room.match.copy()
        try:
            _follow(match, news)
        except ReplayError as error:
            room.stale = True
            log.error("match %s cannot be followed: %s", room.id, error)
            return
        self.go_on(room, match, news, summary_of(match))

    def go_on(self, room: Room, match: Match, stored: Sequence[Stored], summary: Summary) -> None:
        """Puts stored events into a room and tells its watchers."""
        room.adopt(match, stored, summary)
        self._show(room, stored)
        self._settle(room)

    def _show(self, room: Room, stored: Sequence[Stored]) -> None:
        if room.watchers:
            room.tell(room.telling.update(room.id, room.match, [one.event for one in stored]))

    def _broken(self, match_id: str, error: Exception) -> Refusal:
        log.error("match %s cannot be loaded: %s", match_id, error)
        return Refusal("not-now", "This match cannot be loaded; the log of the server says why.")


def _match_of(row: MatchRow) -> Match:
    """The match without its events. Matches of one game with the same options share the game."""
    setup = waiting_setup(row) if row.setup is None else Setup.from_json(row.setup)
    return Match(replace(setup, game=shared_game(setup.game)))


def _renamed(match: Match, row: MatchRow) -> bool:
    """Whether somebody in the match has lost the name that it still has."""
    assert row.setup is not None
    stored = [(seat["id"], seat["name"]) for seat in row.setup["seats"]]
    return [(one.id, one.name) for one in match.setup.seats] != stored


def _follow(match: Match, stored: Sequence[Stored]) -> None:
    for one in stored:
        match.follow(one.event)
