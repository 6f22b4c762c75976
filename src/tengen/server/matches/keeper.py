"""Time in the server: flags, the beat that tells of outages, and what is looked after every few seconds.

Every process beats into the store once a second. Whoever finds that the last beat is older than a few seconds
knows that no server ran, or that the database was away, and lets the clocks of all live matches stand still
for that long: `suspend` at the last beat, `continue` now. Until that is done the hub is held: it takes no
requests, and no flag falls. A process that could not beat by itself while another did waits a little, for
the other one to do it. Start reading at `Keeper._beat`.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tengen.match import Event, Match, MatchError, NoClock
from tengen.server.errors import Refusal
from tengen.server.matches.room import Room
from tengen.server.stamp import now_ms
from tengen.server.store.rows import StoreUnavailable

if TYPE_CHECKING:
    from tengen.server.matches.hub import Hub

AT_ONCE = 100  # matches that are loaded or recovered together
INFO_S = 0.25  # how long comings and goings are collected before they are told

log = logging.getLogger(__name__)


class Keeper:
    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._tasks: list[asyncio.Task[None]] = []
        self._outage_from_ms: int | None = None  # the last beat before an outage that is not put right yet
        self._beaten_at: float | None = None  # when this process last did
        self._hold_until = 0.0

    async def start(self) -> None:
        hub = self._hub
        if hub.store.shared:
            hub.store.listen(hub.rooms.notified)
        await self._beat()
        await self._sweep()
        self._tasks = [asyncio.create_task(self._beat_on()), asyncio.create_task(self._run())]

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []
        try:
            await self._note_presence()
        except StoreUnavailable as error:
            log.warning("who was here is not noted: %s", error)

    async def _run(self) -> None:
        config = self._hub.config
        sweep_at = presence_at = time.monotonic()
        while True:
            await asyncio.sleep(config.beat_s)
            if self._hub.held:
                continue
            try:
                await self._hub.rooms.refresh_stale()
                now = time.monotonic()
                if now >= sweep_at:
                    sweep_at = now + config.sweep_s
                    await self._sweep()
                if now >= presence_at:
                    presence_at = now + config.presence_s
                    await self._note_presence()
                    self._hub.rooms.drop_idle(config.idle_room_s, self._hub.engines.is_busy)
            except (StoreUnavailable, Refusal) as error:
                log.warning("house-keeping waits: %s", error)
            except Exception:
                log.exception("house-keeping failed")

    # Outages

    async def _beat_on(self) -> None:
        while True:
            await asyncio.sleep(self._hub.config.beat_s)
            try:
                await self._beat()
            except StoreUnavailable:
                self._hub.held = True
            except Exception:
                log.exception("the beat failed")

    async def _beat(self) -> None:
        hub, at_ms, at = self._hub, now_ms(), time.monotonic()
        before = await hub.store.beat(at_ms)
        silent_s = 0.0 if self._beaten_at is None else at - self._beaten_at
        self._beaten_at = at
        if before is not None and at_ms - before > hub.config.outage_ms and self._outage_from_ms is None:
            self._outage_from_ms = before
        elif before is None and silent_s * 1000 > hub.config.outage_ms:
            self._hold_until = at + hub.config.grace_s
        if self._outage_from_ms is not None:
            hub.held = True
            await self._recover(self._outage_from_ms)
            self._outage_from_ms = None
        hub.held = time.monotonic() < self._hold_until

    async def _recover(self, last_beat_ms: int) -> None:
        """Lets the clocks of all live matches stand still from the last beat until now."""
        live = await self._hub.store.live()
        for begin in range(0, len(live), AT_ONCE):
            await asyncio.gather(
                *(self._recover_one(one, last_beat_ms) for one in live[begin : begin + AT_ONCE])
            )
        if live:
            log.info("clocks of %d matches stood still for %d ms", len(live), now_ms() - last_beat_ms)

    async def _recover_one(self, match_id: str, last_beat_ms: int) -> None:
        def act(match: Match, at_ms: int) -> Sequence[Event]:
            if match.running is None or any(_is_recovery(event, last_beat_ms) for event in match.events[-4:]):
                return ()
            flag = match.tick(last_beat_ms)
            if flag is not None:
                return (flag,)
            return (match.suspend(last_beat_ms), match.proceed(at_ms))

        try:
            room = await self._hub.rooms.find(match_id)
            if not isinstance(room.match.setup.clock, NoClock):
                async with room.lock:
                    await self._hub.change_locked(room, act)
        except Refusal as refusal:
            if refusal.code == "unavailable":
                raise StoreUnavailable(refusal.message) from None
            log.warning("match %s was not recovered: %s", match_id, refusal)
        except MatchError as error:
            log.warning("match %s was not recovered: %s", match_id, error)

    # Flags

    def arm(self, room: Room) -> None:
        """Makes sure that somebody looks when the flag falls; a timer that is early looks again."""
        flag_at_ms = room.match.flag_at_ms
        if flag_at_ms is None:
            return
        loop = asyncio.get_running_loop()
        at = loop.time() + max(0, flag_at_ms - now_ms()) / 1000 + 0.002
        if room.flag_timer is not None:
            if room.flag_timer.when() <= at:
                return
            room.flag_timer.cancel()
        room.flag_timer = loop.call_at(at, self._look, room)

    def _look(self, room: Room) -> None:
        room.flag_timer = None
        hub, flag_at_ms = self._hub, room.match.flag_at_ms
        if flag_at_ms is None or hub.stopping:
            return
        if hub.held:
            room.flag_timer = asyncio.get_running_loop().call_later(hub.config.beat_s, self._look, room)
        elif flag_at_ms > now_ms():
            self.arm(room)
        else:
            hub.spawn(hub.tick(room))

    async def _sweep(self) -> None:
        """Flags and machine seats of matches that nobody here watches."""
        hub = self._hub
        for match_id in await hub.store.due_flags(now_ms()):
            try:
                await hub.tick(await hub.rooms.find(match_id))
            except (Refusal, MatchError) as error:
                log.warning("the flag of match %s: %s", match_id, error)
        for match_id, _ in await hub.store.due_machines():
            hub.engines.want(match_id)

    # Presence

    def presence_changed(self, room: Room) -> None:
        """Tells the others in the room, a little later and all at once."""
        if room.info_timer is None and not self._hub.stopping:
            room.info_timer = asyncio.get_running_loop().call_later(INFO_S, self._tell_presence, room)

    def _tell_presence(self, room: Room) -> None:
        room.info_timer = None
        room.tell_info()

    async def _note_presence(self) -> None:
        here: list[tuple[str, int]] = []
        unsure: list[Room] = []
        for room in self._hub.rooms:
            if not room.watchers:
                continue
            local = room.local_here()
            here += [(room.id, seat) for seat in (0, 1) if local[seat]]
            if any(seat.kind == "person" and not local[i] for i, seat in enumerate(room.row.seats)):
                unsure.append(room)
        if here:
            await self._hub.store.seen(here, now_ms())
        if self._hub.store.shared:
            await self._ask_others(unsure)

    async def _ask_others(self, rooms: list[Room]) -> None:
        """Whether persons who are not here have the match open at another process."""
        since_ms = now_ms() - int(2.5 * 1000 * self._hub.config.presence_s)
        for begin in range(0, len(rooms), AT_ONCE):
            some = rooms[begin : begin + AT_ONCE]
            found = await asyncio.gather(*(self._hub.store.seats_seen(room.id) for room in some))
            for room, (first, second) in zip(some, found, strict=True):
                remote = ((first or 0) > since_ms, (second or 0) > since_ms)
                if remote != room.remote_here:
                    room.remote_here = remote
                    self.presence_changed(room)


def _is_recovery(event: Event, last_beat_ms: int) -> bool:
    return event.kind == "suspend" and event.at_ms >= last_beat_ms
