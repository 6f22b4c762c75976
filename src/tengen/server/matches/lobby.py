"""The lobby, which everybody looks at: read and encoded once a second for all, sooner where it has changed.

Who has a seat in one of its matches is told so, and who has blocked somebody, or was blocked by them, does
not see what they have open; those few get lists of their own. Who asks over HTTP gets a tag, so that who has
the list already is sent nothing; who visits over the socket is told what changes (visitors.py). Start reading
at `LobbyBoard.lists`.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from tengen.server import protocol as p
from tengen.server.matches.describe import encode, match_summary
from tengen.server.matches.rooms import Rooms
from tengen.server.store.rows import LobbyRows, MatchRow

FRESH_S = 1.0  # how old a list may be; what another process has changed is seen that much later
LEAST_S = 0.05  # between two readings, however much is changed here
PAGE = 50  # matches in each of its lists

Read = Callable[[int], Awaitable[LobbyRows]]


@dataclass(frozen=True, slots=True)
class Shown:
    """A lobby as it is sent over HTTP."""

    body: bytes
    squeezed: bytes
    tag: str


@dataclass(frozen=True, slots=True)
class Lists:
    """The lobby at one moment. `matches` is what somebody sees who has no seat in any of them."""

    open: Sequence[str] = ()
    playing: Sequence[str] = ()
    matches: Mapping[str, p.MatchSummary] = field(default_factory=dict)
    seats: Mapping[str, Mapping[str, list[int]]] = field(default_factory=dict)  # held, by person and match
    hidden: Mapping[str, frozenset[str]] = field(default_factory=dict)  # open matches, by person

    def is_for_all(self, person_id: str | None) -> bool:
        """Whether that person sees what everybody sees."""
        return person_id is None or (person_id not in self.seats and person_id not in self.hidden)

    def open_for(self, person_id: str | None) -> list[str]:
        hidden = self.hidden.get(person_id or "", frozenset())
        return [match for match in self.open if match not in hidden]

    def seen_by(self, person_id: str | None, ids: Sequence[str]) -> list[p.MatchSummary]:
        held = self.seats.get(person_id or "", {})
        return [
            replace(self.matches[match], you=held[match]) if match in held else self.matches[match]
            for match in ids
        ]

    def lobby(self, person_id: str | None) -> p.Lobby:
        return p.Lobby(
            self.seen_by(person_id, self.open_for(person_id)), self.seen_by(person_id, self.playing)
        )


class LobbyBoard:
    def __init__(self, read: Read, rooms: Rooms) -> None:
        self._read, self._rooms = read, rooms
        self._lists = Lists()
        self._plain: Shown | None = None  # of these lists, once somebody has asked
        self._read_at = -FRESH_S
        self._reading: asyncio.Future[None] | None = None
        self._changed = False

    def changed(self) -> None:
        """A match was made, joined, begun or cancelled here."""
        self._changed = True

    async def lists(self) -> Lists:
        """Raises StoreUnavailable."""
        if self._changed or time.monotonic() - self._read_at >= FRESH_S:
            await asyncio.shield(self._reading or self._begin())
        return self._lists

    async def shown(self, person_id: str | None) -> Shown:
        """Raises StoreUnavailable."""
        lists = await self.lists()
        if not lists.is_for_all(person_id):
            return _shown(lists.lobby(person_id))
        if self._plain is None:
            self._plain = _shown(lists.lobby(None))
        return self._plain

    def _begin(self) -> asyncio.Future[None]:
        self._reading = asyncio.ensure_future(self._refresh())
        return self._reading

    async def _refresh(self) -> None:
        try:
            await asyncio.sleep(max(0.0, self._read_at + LEAST_S - time.monotonic()))
            self._changed = False
            self._lists, self._plain = self._listed(await self._read(PAGE)), None
            self._read_at = time.monotonic()
        finally:
            self._reading = None

    def _listed(self, rows: LobbyRows) -> Lists:
        both = (*rows.open, *rows.playing)
        seats: dict[str, dict[str, list[int]]] = defaultdict(dict)
        for row in both:
            for number, seat in enumerate(row.seats):
                if seat.holder is not None:
                    seats[seat.holder].setdefault(row.id, []).append(number)
        hidden: dict[str, set[str]] = defaultdict(set)
        for row in rows.open:
            for person in row.people:
                for other in rows.apart.get(person, ()):
                    hidden[other].add(row.id)
        return Lists(
            [row.id for row in rows.open],
            [row.id for row in rows.playing],
            {row.id: self._summary(row) for row in both},
            seats,
            {person: frozenset(matches) for person, matches in hidden.items()},
        )

    def _summary(self, row: MatchRow) -> p.MatchSummary:
        room = self._rooms.get(row.id)
        return match_summary(row, [], (False, False) if room is None else room.here())


def _shown(lobby: p.Lobby) -> Shown:
    body = encode(lobby)
    return Shown(body, gzip.compress(body, 4, mtime=0), f'"{hashlib.sha256(body).hexdigest()[:20]}"')
