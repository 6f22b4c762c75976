"""Time in the server: flags, the beat that tells of outages, and what is looked after every few seconds.

Every process beats into the store once a second. Whoever finds that the last beat is older than a few seconds
knows that no server ran, or that the database was away; who starts knows it at once, and a server that is
stopped says when. That outage is written down for all processes, and clocks stood still in it (`outages`). A
process that cannot beat is held: it takes no requests, and no flag falls. One that only thinks for machines
does not beat, since it serves nobody, and is held while nobody else does. Start reading at `Keeper._beat`.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import time
from typing import TYPE_CHECKING

from msgspec import Raw

from tengen.match import MatchError
from tengen.match.clock import MOST_LAG_MS
from tengen.server.errors import Refusal
from tengen.server.matches.room import Room
from tengen.server.stamp import now_ms
from tengen.server.store.notify import HOUSE
from tengen.server.store.rows import StoreUnavailable

if TYPE_CHECKING:
    from tengen.server.matches.hub import Hub

AT_ONCE = 200  # matches that are loaded or recovered together
LOOK_S = 0.05  # from hearing that others store events to looking whether a machine is to move
DAY_MS = 24 * 3_600_000
INFO_S = 0.25  # how long comings and goings are collected before they are told, and
INFO_A_WATCHER_S = 0.002  # longer where there are many to tell

COLLECT_ALL = 36  # of so many collections of garbage, one looks through everything

log = logging.getLogger(__name__)


def collect(everything: bool) -> None:
    """Garbage among what is new since the last time, or also among what has outlived that.

    What is new takes a few milliseconds, everything half a second with a thousand matches, and all wait for
    it. Hardly anything needs it: most objects go when the last one forgets them.
    """
    if everything:
        gc.unfreeze()
    gc.collect()
    gc.freeze()


class Keeper:
    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._tasks: list[asyncio.Task[None]] = []
        self._beating = asyncio.Lock()
        self._looking: asyncio.TimerHandle | None = None  # before machines of other processes are looked for
        self._beaten_ms: int | None = None  # when this process last did
        self.trouble: StoreUnavailable | None = None  # why it could not of late

    async def get_ready(self) -> None:
        """All that has to be done before somebody can be served; time that nobody served goes on."""
        hub = self._hub
        hub.hold()
        hub.house.since_ms = now_ms()
        if hub.store.shared:
            hub.store.listen(self._notified)
        await hub.refresh_house()

    async def start(self) -> None:
        """From now on people are served."""
        await self._beat()
        self._tasks = [asyncio.create_task(self._beat_on())]
        await self._sweep()
        self._tasks.append(asyncio.create_task(self._run()))

    @property
    def silent(self) -> bool:
        """Whether this process was stopped for so long that there may have been an outage."""
        return self._beaten_ms is not None and now_ms() - self._beaten_ms > self._hub.config.outage_ms

    async def stop(self, since_ms: int) -> None:
        """That nobody has been served since then is written down."""
        async with self._beating:  # one that is under way would take back that we stop
            for task in self._tasks:
                task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []
        try:
            if self._beaten_ms is not None and self._hub.config.serves:
                await self._hub.store.stopped(since_ms)
            await self._note_presence()
        except StoreUnavailable as error:
            log.warning("who was here is not noted: %s", error)

    async def _run(self) -> None:
        config = self._hub.config
        sweep_at = presence_at = time.monotonic()
        collect_at = sweep_at + config.collect_s
        forget_at, collections = sweep_at, 0
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
                    await self._hub.refresh_house()
                if now >= presence_at:
                    presence_at = now + config.presence_s
                    await self._note_presence()
                    self._hub.rooms.drop_idle(config.idle_room_s, self._hub.engines.is_busy)
                if now >= forget_at:
                    forget_at = now + config.forget_s
                    await self._forget_studies()
                if now >= collect_at:
                    collect_at = now + config.collect_s
                    collections += 1
                    collect(everything=collections % COLLECT_ALL == 0)
            except (StoreUnavailable, Refusal) as error:
                log.warning("house-keeping waits: %s", error)
            except Exception:
                log.exception("house-keeping failed")

    async def _forget_studies(self) -> None:
        """As the operator wishes; a few at a time, since nobody waits for it."""
        days = self._hub.config.keep_studies_days
        if days is not None:
            while await self._hub.store.forget_studies(now_ms() - days * DAY_MS):
                await asyncio.sleep(0)

    # Outages

    async def _beat_on(self) -> None:
        while True:
            await asyncio.sleep(self._hub.config.beat_s)
            try:
                await self._beat()
                if self.silent:  # one that was under way for so long says nothing of now
                    await self._beat()
            except StoreUnavailable as error:
                self.trouble = error
                self._hub.hold()
            except Exception:
                log.exception("the beat failed")

    async def _beat(self) -> None:
        hub, config = self._hub, self._hub.config
        async with self._beating:
            at_ms, first_ms, serving = now_ms(), None, True
            if self._beaten_ms is None:  # another process may serve for so long without a beat
                first_ms = config.outage_ms if hub.store.shared else 0
            if config.serves:
                found = await hub.store.beat(at_ms, config.outage_ms, first_ms)
            else:
                found, serving = await hub.store.overheard(at_ms, config.outage_ms)
            self._beaten_ms, self.trouble = at_ms, None
            hub.outages.learn(found)
            if serving and not self.silent:
                hub.release()
            else:
                hub.hold()
        for outage in found[-1:]:
            if outage.until_ms == at_ms:
                log.info("nobody served for %d ms: clocks stood still", at_ms - outage.from_ms)
            hub.spawn(self._tell_of_outage())

    async def _tell_of_outage(self) -> None:
        """Puts the clocks right that somebody looks at; the others are when somebody does."""
        for room in self._hub.rooms:
            if room.watchers:
                await self._hub.settle_outages(room)

    # Flags

    def arm(self, room: Room) -> None:
        """Makes sure that somebody looks when the flag falls; a timer that is early looks again."""
        flag_at_ms = room.match.flag_at_ms
        if flag_at_ms is None:
            return
        loop = asyncio.get_running_loop()
        at = loop.time() + max(0, flag_at_ms + room.patience_ms() - now_ms()) / 1000 + 0.002
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
        elif flag_at_ms + room.patience_ms() > now_ms():
            self.arm(room)
        else:
            hub.spawn(hub.tick(room))

    async def _sweep(self) -> None:
        """Flags and machine seats of matches that nobody here watches."""
        hub = self._hub
        due = await hub.store.due_flags(now_ms() - MOST_LAG_MS) if hub.config.serves else []
        for begin in range(0, len(due), AT_ONCE):
            await asyncio.gather(*(self._tick(match_id) for match_id in due[begin : begin + AT_ONCE]))
        await self._want_machines()
        for room in hub.rooms:
            if room.is_show and room.watchers:
                hub.engines.want(room.id, here=True)

    def _notified(self, match_id: str, number: int, told: Raw | None) -> None:
        """Another process has changed a match; a machine may have to move in one that is not here."""
        if match_id in (HOUSE, ""):
            self._hub.spawn(self._hub.refresh_house())
        if match_id == HOUSE:
            return
        if self._hub.rooms.notified(match_id, number, told):
            return
        self._hub.visitors.heard_of(match_id)
        if self._hub.config.machines and self._looking is None and self._hub.rooms.get(match_id) is None:
            self._looking = asyncio.get_running_loop().call_later(LOOK_S, self._look_for_machines)

    def _look_for_machines(self) -> None:
        self._looking = None
        if not self._hub.stopping:
            self._hub.spawn(self._want_machines())

    async def _want_machines(self) -> None:
        for match_id, _ in await self._hub.store.due_machines():
            self._hub.engines.want(match_id)

    async def _tick(self, match_id: str) -> None:
        known = self._hub.rooms.get(match_id) is not None
        try:
            room = await self._hub.rooms.find(match_id)
            await self._hub.tick(room)
            if not known:
                self._hub.rooms.drop(room)
        except (Refusal, MatchError) as error:
            log.warning("the flag of match %s: %s", match_id, error)

    # Presence

    def presence_changed(self, room: Room) -> None:
        """Tells the others in the room, a little later and all at once."""
        if room.info_timer is None and not self._hub.stopping:
            wait_s = INFO_S + len(room.watchers) * INFO_A_WATCHER_S
            room.info_timer = asyncio.get_running_loop().call_later(wait_s, self._tell_presence, room)

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
