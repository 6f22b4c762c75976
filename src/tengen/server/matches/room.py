"""A match in the memory of this process: its log as a `Match`, who looks at it, and what is under way.

`Hub` changes a room under `lock` and tells the watchers, its `Audience`. What all are told goes to the
players first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from tengen.match import Match
from tengen.server import protocol as p
from tengen.server.limits import group
from tengen.server.matches.audience import Audience, Watcher
from tengen.server.matches.describe import encode, match_info, seats_held
from tengen.server.matches.telling import Telling
from tengen.server.store.rows import MatchRow, Stored, Summary


class Room:
    """`match` shows the board also while the match waits for players; then it has no events.

    `row` is as it was last read, without the setup, which the match has; `summary` is up to date.

    `ids` gives the event that a client's id was stored as. `left_ms` is when the person of a seat closed the
    match here. A room that is `stale` may lack events that were
    stored, and reads them before it is used. `watchers` are those in its audience.
    """

    __slots__ = (
        "_audience",
        "flag_timer",
        "ids",
        "info_timer",
        "lag_ms",
        "left_ms",
        "lock",
        "match",
        "remote_here",
        "row",
        "stale",
        "summary",
        "telling",
        "used_at",
        "watchers",
    )

    def __init__(self, row: MatchRow, match: Match, stored: Sequence[Stored], used_at: float) -> None:
        self.row = replace(row, setup=None)
        self.summary = row.summary
        self.match = match
        self.ids = {one.client_id: one.event.number for one in stored if one.client_id is not None}
        self.lock = asyncio.Lock()
        self._audience = Audience()
        self.watchers = self._audience.members
        self.telling = Telling()
        self.stale = False
        self.used_at = used_at
        self.left_ms = [0, 0]
        self.lag_ms = [0, 0]  # what the network took when that seat last asked for something
        self.remote_here = (False, False)  # as far as other processes have said
        self.flag_timer: asyncio.TimerHandle | None = None
        self.info_timer: asyncio.TimerHandle | None = None

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def number(self) -> int:
        """The number of the last event."""
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

    def enter(self, watcher: Watcher) -> None:
        """Adds a watcher, or one that is about to be shown everything again."""
        self._audience.enter(watcher)

    def leave(self, watcher: Watcher) -> None:
        """The watcher must still be the person that it was when it came."""
        self._audience.leave(watcher)

    def local_here(self) -> tuple[bool, bool]:
        """Which seats' persons have the match on a screen that is connected to this process."""
        one, other = (seat.holder for seat in self.row.seats)
        return self._audience.has(one), self._audience.has(other)

    def here(self) -> tuple[bool, bool]:
        first, second = self.local_here()
        return first or self.remote_here[0], second or self.remote_here[1]

    def patience_ms(self) -> int:
        """How long after its flag a move of the running clock's seat may come, and still be in time."""
        seat = self.match.running
        return 0 if seat is None else min(self.lag_ms[seat], self.match.lag_allowance_ms(seat))

    def info(self) -> p.MatchInfo:
        return match_info(self.row, self.here(), self.status)

    def players(self) -> list[Watcher]:
        """The watchers that hold a seat."""
        first, second = self.row.seats
        one, other = first.holder, second.holder
        found = [] if one is None else list(self._audience.of(one))
        if other is not None and other != one:
            found += self._audience.of(other)
        return found

    def payer(self) -> str:
        """Whom the thinking of a machine in it is for: the address of a player, or of who looks on."""
        for watcher in (*self.players(), *islice(self.watchers, 1)):
            if watcher.address:
                return group(watcher.address)
        return self.row.creator or ""

    def tell(self, data: bytes) -> None:
        players = self.players()
        for watcher in players:
            watcher.put(data)
        if len(players) < len(self.watchers):
            self._audience.tell(data, players)

    def tell_info(self) -> None:
        """Who sits where and who is here; encoded once for each set of seats that a reader may hold."""
        info, count = self.info(), len(self.watchers)
        players = self.players()
        for watcher in players:
            watcher.put(encode(p.Info(info, seats_held(self.row, watcher.person_id), count)))
        self._audience.tell(encode(p.Info(info, [], count)), players)

    def tell_all(self) -> None:
        """Everything there is to the match, to everybody."""
        info, players = self.info(), self.players()
        for watcher in players:
            you = seats_held(self.row, watcher.person_id)
            watcher.put(self.telling.snapshot(info, self.match, you))
        self._audience.tell(self.telling.snapshot(info, self.match, []), players)

    def snapshot(self, person_id: str | None) -> bytes:
        return self.telling.snapshot(self.info(), self.match, seats_held(self.row, person_id))

    def drop_timers(self) -> None:
        for timer in (self.flag_timer, self.info_timer):
            if timer is not None:
                timer.cancel()
        self.flag_timer = self.info_timer = None
