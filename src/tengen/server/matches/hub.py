"""The live matches of one server process: what HTTP and sockets ask for, and the one way to change a match.

`Hub.change` is that way. It tries what is asked for on a copy, appends the event to the store, and only then
puts the copy into the room and tells everyone. If another process was first, what it stored is followed and
the request is tried again on the new position. If the store cannot say whether it stored anything, the room
is stale: it reads the log before it is used again. A request that comes twice with one id counts once.

Rooms are in `rooms`, who sits down in `seating` and who has left in `absences`, machine seats and analysis in
`engines`, time and house-keeping in `keeper`.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Coroutine, Sequence
from dataclasses import replace
from typing import Any, Protocol

from tengen.match import Event, Match, TimeUp
from tengen.server import protocol as p
from tengen.server.at_once import AtOnce
from tengen.server.config import ServerConfig
from tengen.server.errors import Refusal, storing, unavailable
from tengen.server.house import House
from tengen.server.limits import Limits, TooMany
from tengen.server.matches import making
from tengen.server.matches.absences import Absences
from tengen.server.matches.audience import Watcher
from tengen.server.matches.describe import match_summary, may_estimate, seats_held, summary_of
from tengen.server.matches.engines import Engines
from tengen.server.matches.keeper import Keeper
from tengen.server.matches.lobby import LobbyBoard
from tengen.server.matches.outages import Outages
from tengen.server.matches.requests import (
    act_of,
    asker,
    check_id,
    check_length,
    claim_of,
    seat_of,
)
from tengen.server.matches.room import Room
from tengen.server.matches.rooms import Rooms
from tengen.server.matches.seating import Seating
from tengen.server.matches.visitors import Visitors
from tengen.server.stamp import now_ms
from tengen.server.store.rows import LobbyRows, MatchRow, PersonRow, Stored, StoreUnavailable, Summary
from tengen.server.store.store import Store

AT_ONCE = 4  # messages of an address that are answered at the same time
TRIES = 10  # against other processes that are first
HELD_S = 1.0  # how long a request waits while the hub is held
LONG_LINE = 300  # moves; more are encoded beside the event loop
MOST_MISSED = 2000  # events in one update; who has missed more gets a snapshot

Change = Callable[[Match, int], Event | Sequence[Event] | None]  # what to do to a match, at which time

log = logging.getLogger(__name__)


class Connection(Watcher, Protocol):
    """A socket, as far as the hub ends it."""

    @property
    def name(self) -> str:
        """The nickname, for the operator."""
        ...

    @property
    def watching(self) -> int:
        """How many matches it follows."""
        ...

    @property
    def secret_hash(self) -> str | None:
        """Of the device, where it is known whose it is."""
        ...

    def tell_notices(self) -> None:
        """What the operator has to say, to who can take it."""
        ...

    def dismiss(self, message: str) -> None:
        """Closes the connection with a word; whoever it was may come back as somebody else."""
        ...

    async def finish(self, message: str) -> None: ...


class Hub:
    def __init__(self, store: Store, config: ServerConfig, limits: Limits | None = None) -> None:
        self.store = store
        self.limits = limits or Limits(enabled=config.limits)
        self.at_once = AtOnce(AT_ONCE if config.limits else None)
        self.config = config
        self.rooms = Rooms(store, self._settle, self.spawn)
        self.lobby = LobbyBoard(self._lobby_rows, self.rooms)
        self.visitors = Visitors(self.lobby, self._live_ids)
        self.connections: set[Connection] = set()
        self.seating = Seating(self)
        self.absences = Absences(self)
        self.engines = Engines(self)
        self.keeper = Keeper(self)
        self.outages = Outages()
        self.house = House(store, config.words)
        self._refreshing = asyncio.Lock()
        self._is_ready = self.stopping = False
        self.free_since_ms = 0  # when people could come back: the start, or the end of the last outage
        self.count_refusal: Callable[[p.Code], None] = lambda code: None  # called for each on a socket
        # Called with the match and the seconds of each phase: decided, stored, told.
        self.observe_move: Callable[[str, float, float, float], None] = lambda match, *phases: None
        self.received = self.sent = 0  # messages of sockets
        self._free = asyncio.Event()
        self._free.set()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._following: set[str] = set()

    @property
    def held(self) -> bool:
        """In an outage, and after it until clocks have been put right: no match is changed."""
        return not self._free.is_set() or self.keeper.silent

    def hold(self) -> None:
        """Changes no match until `release`."""
        self._free.clear()

    def release(self) -> None:
        if not self._free.is_set():
            self.free_since_ms = now_ms()
            self._free.set()

    # Life

    async def get_ready(self) -> None:
        """What has to be done before somebody can be let in; until `start` no match is changed."""
        await self.keeper.get_ready()
        self._is_ready = True

    async def start(self) -> None:
        """Puts right what an outage left behind, then takes up machine seats and clocks.

        The outage ends here, so that whoever is let in is so already, or at once.
        """
        if not self._is_ready:
            await self.get_ready()
        await self.keeper.start()
        self.free_since_ms = now_ms()

    async def stop(self) -> None:
        """Tells everybody, stops the engines, and lets what is under way finish. May be called twice."""
        since_ms, self.stopping = now_ms(), True
        await self.say_goodbye("The server is stopping for a moment.")
        await self.visitors.stop()
        await self.keeper.stop(since_ms)
        await self.engines.stop()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=self.config.stop_s)
        for room in self.rooms:
            room.drop_timers()

    async def say_goodbye(self, message: str) -> None:
        """Closes every socket with a word; clients come back by themselves."""
        closing = [asyncio.create_task(one.finish(message)) for one in tuple(self.connections)]
        if closing:
            await asyncio.wait(closing, timeout=self.config.stop_s)

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, Refusal | StoreUnavailable):
            log.error("house-keeping failed", exc_info=error)

    # The house

    async def refresh_house(self) -> None:
        """Takes up what the operator has decided, here or at another process."""
        async with self._refreshing:  # a beat asks too: what was read first must not be taken up last
            told = self.house.notices
            gone = await self.house.refresh(now_ms())
            if gone:
                self.shut_out(gone)
            for one in tuple(self.connections):
                if self.house.bars(one.address):
                    one.dismiss("This address is not served here.")
            if self.house.notices != told:
                for one in tuple(self.connections):
                    one.tell_notices()

    # Leaving for good

    def shut_out(self, hashes: Collection[str]) -> None:
        """Ends the connections of devices that are nobody's any more."""
        gone = set(hashes)
        for one in tuple(self.connections):
            if one.secret_hash in gone:
                one.dismiss("This device has been signed out.")

    async def reread(self, matches: Sequence[str]) -> None:
        """Takes up what was changed behind the back of rooms: a name is gone."""
        self.lobby.changed()
        for match_id in matches:
            room = self.rooms.get(match_id)
            if room is not None:
                async with room.lock:
                    await self.rooms.reread(room)

    # Looking

    async def snapshot(self, match_id: str, person: PersonRow | None) -> bytes:
        """All of a match, as it is told."""
        room = await self.rooms.find(match_id)
        await self.prepare(room)
        return room.snapshot(None if person is None else person.id)

    def number_of(self, match_id: str) -> int:
        """Of the last event of a match in memory."""
        room = self.rooms.get(match_id)
        return 0 if room is None else room.number

    async def prepare(self, room: Room) -> None:
        """Puts the clocks right, and encodes a long line beside the event loop, before a match is shown."""
        await self.settle_outages(room)
        if room.telling.behind(room.match) > LONG_LINE:
            async with room.lock:
                await asyncio.to_thread(room.telling.catch_up, room.match)

    async def summaries(self, rows: Sequence[MatchRow], person: PersonRow | None) -> list[p.MatchSummary]:
        person_id = None if person is None else person.id
        return [
            match_summary(
                row,
                seats_held(row, person_id),
                room.here() if (room := self.rooms.get(row.id)) is not None else (False, False),
            )
            for row in rows
        ]

    async def estimate(self, match_id: str, key: str) -> p.Estimate:
        """How it stands; raises Refusal where the players have not allowed it."""
        room = await self.begun_room(match_id)
        if not may_estimate(room.row):
            raise Refusal("not-now", "Nobody may ask how this match stands while it is played.")
        return await self.engines.estimate(room.match.state, key)

    async def begun_room(self, match_id: str) -> Room:
        """That of a match that is played or was; raises Refusal."""
        room = await self.rooms.find(match_id)
        if room.status in ("open", "cancelled"):
            raise Refusal("not-now", "That match has not been played.")
        return room

    def watch(self, room: Room, watcher: Watcher, after: int, position: str | None) -> tuple[int, int]:
        """Adds a watcher, who gets what it missed, or all if its position is not one of this match.

        Returns how many bytes that is, and how many events were encoded for it alone.
        """
        new = watcher not in room.watchers
        room.enter(watcher)
        if new:
            self.keeper.presence_changed(room)
            if room.is_show:
                self.engines.want(room.id, here=True)
        events, missed = room.match.events, room.number - after
        fits = after > 0 and 0 <= missed <= MOST_MISSED and events[after - 1].position == position
        if fits and room.status != "open":
            data = room.telling.update(room.id, room.match, events[after:])
        else:
            missed, data = 0, room.snapshot(watcher.person_id)
        watcher.put(data)
        return len(data), missed

    def told_of(self, room: Room) -> int:
        """How many messages it takes to tell of an event in a match."""
        return len(room.watchers) + self.visitors.told_of(room.id)

    def leave(self, room: Room, watcher: Watcher) -> None:
        if watcher not in room.watchers:
            return
        before = room.local_here()
        room.leave(watcher)
        room.used_at = time.monotonic()
        self.keeper.presence_changed(room)
        after, at_ms = room.local_here(), now_ms()
        gone = [seat for seat in (0, 1) if before[seat] and not after[seat]]
        for seat in gone:
            room.left_ms[seat] = at_ms
        if gone and not self.stopping:
            self.spawn(self.store.seen([(room.id, seat) for seat in gone], at_ms))

    # Changing

    async def ask(self, ask: p.Ask, person_id: str | None, lag_ms: int = 0) -> int:
        """Does what somebody asks for and returns the number of the event; raises Refusal.

        `lag_ms` is how long the network takes to them and back, as far as it was measured.
        """
        self.check_open()
        check_id(ask.id)
        room = await self.rooms.find(ask.match)
        held = seats_held(room.row, person_id)
        if not held:
            raise Refusal("stranger", "You have no seat in this match.")
        if (known := room.ids.get(ask.id)) is not None:
            return _own(room, known, held)
        if room.status in ("open", "cancelled"):
            said = "still waits for a player" if room.status == "open" else "was cancelled"
            raise Refusal("not-now" if room.status == "open" else "over", f"The match {said}.")
        if ask.kind == "offer" and ask.what == "rematch":
            self._count_rematch(person_id or "")
            await self._check_rematch(room.row, person_id or "")
        try:
            for seat in held:
                room.lag_ms[seat] = lag_ms
            check_length(ask, room.match)
            if ask.kind == "claim":
                await self.absences.check(room, 1 - seat_of(ask, held, room.match))
            act = claim_of(ask, held) if ask.kind == "claim" else act_of(ask, held, lag_ms)
            return _own(room, await self.change(room, act, ask.id), held)
        except TimeUp as error:
            await self.tick(room)
            raise Refusal.of(error) from None
        except ValueError as error:
            raise Refusal.of(error) from None

    async def _check_rematch(self, row: MatchRow, person_id: str) -> None:
        for seat in row.seats:
            if seat.holder not in (None, person_id):
                with storing():
                    blocked = await self.store.people.blocked_between(person_id, seat.holder)
                if blocked:
                    raise Refusal("not-now", "There is no rematch between you two.")

    def _count_rematch(self, person_id: str) -> None:
        try:
            self.limits.take("rematches", person_id)
        except TooMany:
            raise Refusal("too-many", "You have asked for many rematches; wait a little.") from None

    async def _lobby_rows(self, limit: int) -> LobbyRows:
        waiting, playing = await self.store.lobby(limit, now_ms() - self.config.abandoned_after_ms)
        people = {person for row in waiting for person in row.people}
        return LobbyRows(waiting, playing, await self.store.people.apart(people))

    async def _live_ids(self, person_id: str) -> list[str]:
        return [match_id for match_id, _, _ in await self.store.live_of(person_id)]

    async def tick(self, room: Room) -> None:
        """Ends the match on time if a flag has fallen."""
        if not self.held:
            await self.change(room, lambda match, at_ms: match.tick(at_ms))

    async def change(self, room: Room, act: Change, client_id: str | None = None) -> int:
        """Appends what `act` does to the match, and tells everyone; the number of the last event.

        Raises Refusal, and what `act` raises. `act` may be called several times, always on a fresh copy.
        """
        await self._until_free()
        async with room.lock:
            return await self._change_locked(room, act, client_id)

    async def _until_free(self) -> None:
        """Waits while the hub is held; raises Refusal when that takes too long."""
        try:
            async with asyncio.timeout(HELD_S):
                while self.held:
                    self.hold()  # until a beat says otherwise
                    await self._free.wait()
        except TimeoutError:
            raise unavailable() from None

    async def _change_locked(self, room: Room, act: Change, client_id: str | None) -> int:
        """What is refused is tried again once the log has been read, where others may have written to it."""
        sure = not self.store.shared
        for _ in range(TRIES):
            if room.stale:
                await self.rooms.reread(room)
            if self.held:  # by now: the lock or the log may have come after a long time
                await self._until_free()
                continue
            if client_id is not None and (known := room.ids.get(client_id)) is not None:
                return known
            if self.outages.is_owed(room.match):
                await self._append_owed(room)
                continue
            begun = time.perf_counter()
            trial = room.match.copy()
            try:
                made = act(trial, now_ms())
            except ValueError:
                if sure:
                    raise
                sure = room.stale = True
                continue
            events = [made] if isinstance(made, Event) else made or ()
            if not events:
                return room.number
            *others, last = events
            stored = [*map(Stored, others), Stored(last, client_id)]
            summary = summary_of(trial)
            decided = time.perf_counter()
            if await self._append(room, stored, summary):
                written = time.perf_counter()
                self.rooms.go_on(room, trial, stored, summary)
                told_s = time.perf_counter() - written
                self.observe_move(room.id, decided - begun, written - decided, told_s)
                return events[-1].number
        raise unavailable()

    async def settle_outages(self, room: Room) -> None:
        """Tells a match of the time that nobody served, if there was some since its last event."""
        if room.status == "playing" and self.outages.is_owed(room.match) and not self.held:
            async with room.lock:
                if self.outages.is_owed(room.match):
                    await self._append_owed(room)

    async def _append_owed(self, room: Room) -> None:
        trial = room.match.copy()
        stored = [Stored(event) for event in self.outages.apply(trial, now_ms())]
        summary = summary_of(trial)
        if await self._append(room, stored, summary):
            self.rooms.go_on(room, trial, stored, summary)
        else:
            await self.rooms.reread(room)

    async def _append(self, room: Room, stored: Sequence[Stored], summary: Summary) -> bool:
        """Whether it was stored; if not, or if that cannot be known, the room has to read the log."""
        room.used_at, room.stale = time.monotonic(), True
        with storing():
            room.stale = not await self.store.append(room.id, stored, summary)
        return not room.stale

    def _settle(self, room: Room) -> None:
        """Sees to what follows from where the match stands: its flag, its machines, its rematch."""
        self.engines.went_on(room.id, room.match)
        self.visitors.went_on(room.row)
        if room.status == "playing":
            self.keeper.arm(room)
            if room.summary.machine_due or (room.is_show and room.watchers):
                self.engines.want(room.id, here=room.is_show)
            return
        if room.flag_timer is not None:
            room.flag_timer.cancel()
            room.flag_timer = None
        self.engines.forget(room.id)
        if room.match.rematch_agreed and room.row.rematch is None and room.id not in self._following:
            self._following.add(room.id)
            self.spawn(self._follow_up(room))

    async def _follow_up(self, room: Room) -> None:
        """Makes the match that follows, unless another process has."""
        try:
            row = making.rematch(room.row, room.match, now_ms())
            await self.store.add_match(row)
            found = await self.store.match(room.id)
        except StoreUnavailable:
            room.stale = True
            raise
        finally:
            self._following.discard(room.id)
        if found is not None and found.rematch is not None:
            room.row = replace(room.row, rematch=found.rematch)
            await self.rooms.find(found.rematch)
            room.tell_info()

    def check_open(self) -> None:
        """Raises Refusal once the server is stopping."""
        if self.stopping:
            raise Refusal("unavailable", "The server is stopping; try again in a moment.")


def _own(room: Room, number: int, held: list[int]) -> int:
    """The number of an event that one of those seats asked for; raises Refusal if the other seat did."""
    if asker(room.match.events[number - 1]) not in held:
        raise Refusal("malformed", "The other seat has used that id.")
    return number
