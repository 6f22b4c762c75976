"""The lobby, which everybody looks at: read and encoded once a second for all, sooner where it has changed.

Who has a seat in one of its matches is told so, and gets a list of their own; few do. A list has a tag, so
that who has it already is sent nothing. Start reading at `LobbyBoard.shown`.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from tengen.server import protocol as p
from tengen.server.matches.describe import encode, match_summary, seats_held
from tengen.server.matches.rooms import Rooms
from tengen.server.store.rows import MatchRow

FRESH_S = 1.0  # how old a list may be; what another process has changed is seen that much later
LEAST_S = 0.05  # between two readings, however much is changed here
PAGE = 50  # matches in each of its lists

Read = Callable[[int], Awaitable[tuple[list[MatchRow], list[MatchRow]]]]


@dataclass(frozen=True, slots=True)
class Shown:
    """A lobby as it is sent."""

    body: bytes
    squeezed: bytes
    tag: str


class LobbyBoard:
    def __init__(self, read: Read, rooms: Rooms) -> None:
        self._read, self._rooms = read, rooms
        self._rows: tuple[list[MatchRow], list[MatchRow]] = ([], [])
        self._plain: Shown | None = None
        self._read_at = -FRESH_S
        self._reading: asyncio.Future[None] | None = None
        self._changed = False

    def changed(self) -> None:
        """A match was made, joined, begun or cancelled here."""
        self._changed = True

    async def shown(self, person_id: str | None) -> Shown:
        """Raises StoreUnavailable."""
        if self._changed or time.monotonic() - self._read_at >= FRESH_S:
            await asyncio.shield(self._reading or self._begin())
        assert self._plain is not None
        if person_id is None or not any(seats_held(row, person_id) for rows in self._rows for row in rows):
            return self._plain
        return self._made(person_id)

    def _begin(self) -> asyncio.Future[None]:
        self._reading = asyncio.ensure_future(self._refresh())
        return self._reading

    async def _refresh(self) -> None:
        try:
            await asyncio.sleep(max(0.0, self._read_at + LEAST_S - time.monotonic()))
            self._changed = False
            self._rows = await self._read(PAGE)
            self._plain = self._made(None)
            self._read_at = time.monotonic()
        finally:
            self._reading = None

    def _made(self, person_id: str | None) -> Shown:
        waiting, playing = ([self._summary(row, person_id) for row in rows] for rows in self._rows)
        body = encode(p.Lobby(waiting, playing))
        return Shown(body, gzip.compress(body, 4, mtime=0), f'"{hashlib.sha256(body).hexdigest()[:20]}"')

    def _summary(self, row: MatchRow, person_id: str | None) -> p.MatchSummary:
        room = self._rooms.get(row.id)
        here = (False, False) if room is None else room.here()
        return match_summary(row, seats_held(row, person_id), here)
