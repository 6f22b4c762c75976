"""Time in the server: flags, the beat that tells of outages, and what is looked after every few seconds.

Every process beats into the store once a second. Whoever finds that the last beat is older than a few seconds
knows that no server ran, or that the database was away. That outage is then under way in the store, for all
processes, until one of them has let the clocks of all live matches stand still for that long: `suspend` at
the last beat, and once all are suspended, `continue`. Until then the hub is held: it takes no requests, and
no flag falls. If the one that does it dies, another goes on; a match that it had continued is suspended again
from there, since nobody could have moved in it. Start reading at `Keeper._beat`.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tengen.match import Event, Match, MatchError
from tengen.server.errors import Refusal
from tengen.server.matches.room import Room
from tengen.server.stamp import now_ms
from tengen.server.store.rows import StoreUnavailable

if TYPE_CHECKING:
    from tengen.server.matches.hub import Change, Hub

AT_ONCE = 200  # matches that are loaded or recovered together
SOON_MS = 3_600_000  # flags that may fall so soon are watched from the start on
INFO_S = 0.25  # how long comings and goings are collected before they are told

log = logging.getLogger(__name__)


class Keeper:
    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._tasks: list[asyncio.Task[None]] = []
        self._recovery: asyncio.Task[None] | None = None
        self._beating = asyncio.Lock()
        self._beaten_ms: int | None = None  # when this process last did

    async def start(self) -> None:
        hub = self._hub
        if hub.store.shared:
            hub.store.listen(hub.rooms.notified)
        await self._beat()
        self._tasks = [asyncio.create_task(self._beat_on())]
        if self._recovery is not None:
            await asyncio.wait((self._recovery,))
        await self._sweep(SOON_MS)
        self._tasks.append(asyncio.create_task(self._run()))

    @property
    def silent(self) -> bool:
        """Whether this process was stopped for so long that there may have been an outage."""
        return self._beaten_ms is not None and now_ms() - self._beaten_ms > self._hub.config.outage_ms

    async def stop(self) -> None:
        tasks = self._tasks + ([] if self._recovery is None else [self._recovery])
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._tasks = []
        try:
            await self._note_presence()
        except StoreUnavailable as error:
            log.warning("who was here is not noted: %s", error)

    async def _run(self) -> None:
        config = self._hub.config
        sweep_at = presence_at = time.monotonic()
        collect_at = sweep_at + config.collect_s
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
                if now >= collect_at:
                    collect_at = now + config.collect_s
                    gc.collect()
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
        hub, config = self._hub, self._hub.config
        async with self._beating:
            at_ms = now_ms()
            outage = await hub.store.beat(at_ms, config.outage_ms, config.recover_ms)
            self._beaten_ms = at_ms
            hub.held = outage is not None
            if outage is not None and outage.mine and (self._recovery is None or self._recovery.done()):
                self._recovery = asyncio.create_task(self._recover(outage.from_ms))

    async def _recover(self, from_ms: int) -> None:
        """Lets the clocks of all live matches stand still from the last beat before the outage until now."""

        def stop(match: Match, at_ms: int) -> Sequence[Event]:
            if match.running is None:
                return ()
            flag = match.tick(from_ms)
            return (match.suspend(from_ms),) if flag is None else (flag,)

        def go_on(match: Match, at_ms: int) -> Sequence[Event]:
            return (match.proceed(at_ms),) if match.suspended else ()

        try:
            timed = await self._hub.store.timed()
            for act in (stop, go_on):
                for begin in range(0, len(timed), AT_ONCE):
                    await self._change_all(timed[begin : begin + AT_ONCE], act)
            async with self._beating:
                if await self._hub.store.recovered(from_ms):
                    self._hub.held = False
                    log.info("clocks of %d matches stood still for %d ms", len(timed), now_ms() - from_ms)
        except StoreUnavailable as error:
            log.warning("clocks are not put right yet: %s", error)
        except Exception:
            log.exception("clocks are not put right yet")

    async def _change_all(self, ids: Sequence[str], act: Change) -> None:
        """Raises StoreUnavailable, but a match that is at fault itself is left as it is."""
        found = await asyncio.gather(*(self._change_one(one, act) for one in ids), return_exceptions=True)
        for match_id, error in zip(ids, found, strict=True):
            if isinstance(error, StoreUnavailable):
                raise error
            if isinstance(error, Refusal) and error.code == "unavailable":
                raise StoreUnavailable(error.message)
            if isinstance(error, BaseException):
                log.warning("match %s was not recovered: %s", match_id, error)

    async def _change_one(self, match_id: str, act: Change) -> None:
        room = await self._hub.rooms.find(match_id)
        async with room.lock:
            await self._hub.change_locked(room, act)

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

    async def _sweep(self, ahead_ms: int = 0) -> None:
        """Flags and machine seats of matches that nobody here watches; `ahead_ms` for flags to come."""
        hub = self._hub
        due = await hub.store.due_flags(now_ms() + ahead_ms)
        for begin in range(0, len(due), AT_ONCE):
            await asyncio.gather(*(self._tick(match_id) for match_id in due[begin : begin + AT_ONCE]))
        for match_id, _ in await hub.store.due_machines():
            hub.engines.want(match_id)
        for room in hub.rooms:
            if room.is_show and room.watchers:
                hub.engines.want(room.id)

    async def _tick(self, match_id: str) -> None:
        try:
            await self._hub.tick(await self._hub.rooms.find(match_id))
        except (Refusal, MatchError) as error:
            log.warning("the flag of match %s: %s", match_id, error)

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
        if self._hub.store.shared and unsure:
            await self._ask_others(unsure)

    async def _ask_others(self, rooms: list[Room]) -> None:
        """Whether persons who are not here have the match open at another process."""
        since_ms = now_ms() - int(2.5 * 1000 * self._hub.config.presence_s)
        found = await self._hub.store.seats_seen_of([room.id for room in rooms])
        for room in rooms:
            first, second = found[room.id]
            remote = ((first or 0) > since_ms, (second or 0) > since_ms)
            if remote != room.remote_here:
                room.remote_here = remote
                self.presence_changed(room)
