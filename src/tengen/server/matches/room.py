"""A match in the memory of this process: its log as a `Match`, who looks at it, and what is under way.

A room says nothing by itself and never waits; `Hub` changes it under `lock` and tells the watchers. Whoever
watches is a `Watcher`: something that bytes can be put into and that belongs to a person or to nobody.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from tengen.match import Match
from tengen.server import protocol as p
from tengen.server.matches.describe import encode, match_info, seats_held
from tengen.server.store.rows import MatchRow, Stored, Summary


class Watcher(Protocol):
    @property
    def person_id(self) -> str | None: ...

    def put(self, data: bytes) -> None:
        """Queues a message; never waits and never fails."""
        ...


class Room:
    """`match` shows the board also while the match waits for players; then it has no events.

    `row` is as it was last read, without the setup, which the match has; `summary` is up to date.

    `ids` gives the event that a client's id was stored as. `left_ms` is when the person of a seat closed the
    match here. A room that is `stale` may lack events that were
    stored, and reads them before it is used.
    """

    __slots__ = (
        "flag_timer",
        "ids",
        "info_timer",
        "left_ms",
        "lock",
        "match",
        "remote_here",
        "row",
        "stale",
        "summary",
        "used_at",
        "watchers",
    )

    def __init__(self, row: MatchRow, match: Match, stored: Sequence[Stored], used_at: float) -> None:
        self.row = replace(row, setup=None)
        self.summary = row.summary
        self.match = match
        self.ids = {one.client_id: one.event.number for one in stored if one.client_id is not None}
        self.lock = asyncio.Lock()
        self.watchers: set[Watcher] = set()
        self.stale = False
        self.used_at = used_at
        self.left_ms = [0, 0]
        self.remote_here = (False, False)  # as far as other processes have said
        self.flag_timer: asyncio.TimerHandle | None = None
        self.info_timer: asyncio.TimerHandle | None = None

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def number(self) -> int:
        """Of the last event."""
        return len(self.match.events)

    @property
    def status(self) -> p.Status:
        return self.summary.status

    @property
    def is_show(self) -> bool:
        """Whether two machines play it; such a match goes on only while somebody watches."""
        return self.match.setup.machines_only

    def adopt(self, match: Match, stored: Sequence[Stored], summary: Summary) -> None:
        """Goes on to a match with those events more."""
        self.match, self.summary = match, summary
        for one in stored:
            if one.client_id is not None:
                self.ids[one.client_id] = one.event.number

    def local_here(self) -> tuple[bool, bool]:
        """Which seats' persons have the match on a screen that is connected to this process."""
        one, other = (seat.holder for seat in self.row.seats)
        first = second = False
        for watcher in self.watchers:
            person = watcher.person_id
            if person is not None:
                first, second = first or person == one, second or person == other
        return first, second

    def here(self) -> tuple[bool, bool]:
        first, second = self.local_here()
        return first or self.remote_here[0], second or self.remote_here[1]

    def info(self) -> p.MatchInfo:
        return match_info(self.row, self.here(), self.status)

    def tell(self, data: bytes) -> None:
        for watcher in tuple(self.watchers):
            watcher.put(data)

    def tell_info(self) -> None:
        """Who sits where and who is here; encoded once for each set of seats that a reader may hold."""
        info = self.info()
        made: dict[tuple[int, ...], bytes] = {}
        for watcher in tuple(self.watchers):
            you = seats_held(self.row, watcher.person_id)
            key = tuple(you)
            if key not in made:
                made[key] = encode(p.Info(info, you, len(self.watchers)))
            watcher.put(made[key])

    def drop_timers(self) -> None:
        for timer in (self.flag_timer, self.info_timer):
            if timer is not None:
                timer.cancel()
        self.flag_timer = self.info_timer = None
