"""Those who have the lobby open on a socket: shown all of it when they come, then told what changes.

The lobby is looked at once a second for all of them, and what they are told is encoded once; only who has a
seat in one of its matches, or does not see some, is told something of their own. A match that begins, ends or
waits for a player is told of at once, moves every few seconds. Who visits is also told which of their own
matches have moved on, here or at another process, so that nobody has to ask again and again. Start reading at
`Visitors.enter`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable

from tengen.server import protocol as p
from tengen.server.matches.audience import Audience, Watcher
from tengen.server.matches.describe import encode
from tengen.server.matches.lobby import FRESH_S, Lists, LobbyBoard
from tengen.server.store.rows import MatchRow, StoreUnavailable

MOVES_S = 5.0  # between two times that only moves are told

LiveOf = Callable[[str], Awaitable[Iterable[str]]]  # the matches of a person that go on


class Visitors:
    def __init__(self, board: LobbyBoard, live_of: LiveOf) -> None:
        self._board, self._live_of = board, live_of
        self._audience = Audience()
        self._told = Lists()
        self._told_at = 0.0
        self._all: bytes | None = None  # `_told` for who comes, once somebody has
        self._matches: dict[str, set[str]] = {}  # by person, those that they are told of
        self._people: dict[str, set[str]] = {}  # and the other way round
        self._looking: asyncio.Task[None] | None = None  # while somebody is here

    def __len__(self) -> int:
        return len(self._audience.members)

    async def enter(self, visitor: Watcher) -> int:
        """Shows somebody the lobby; how many bytes that is. Raises StoreUnavailable."""
        lists = await self._board.lists()
        person = visitor.person_id
        live = () if person is None else await self._live_of(person)
        if self._looking is None:
            self._took(lists)
            self._looking = asyncio.create_task(self._look())
        self._audience.enter(visitor)
        for match in live:
            self._note(person or "", match)
        data = self._all_for(person)
        visitor.put(data)
        return len(data)

    def leave(self, visitor: Watcher) -> None:
        """The visitor must still be the person that it was when it came."""
        if visitor not in self._audience.members:
            return
        self._audience.leave(visitor)
        person = visitor.person_id
        if person is not None and not self._audience.has(person):
            for match in self._matches.pop(person, ()):
                self._people[match].discard(person)
                if not self._people[match]:
                    del self._people[match]

    def went_on(self, row: MatchRow) -> None:
        """A match has changed here, or is new."""
        if self._audience.members:
            for person in row.people:
                if self._audience.has(person):
                    self._note(person, row.id)
            self.heard_of(row.id)

    def heard_of(self, match: str) -> None:
        """A match has changed, perhaps at another process."""
        for person in self._people.get(match, ()):
            for visitor in self._audience.of(person):
                visitor.put(encode(p.Yours(match)))

    def told_of(self, match: str) -> int:
        """How many hear that a match has changed."""
        return sum(len(self._audience.of(person)) for person in self._people.get(match, ()))

    async def stop(self) -> None:
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)

    def _note(self, person: str, match: str) -> None:
        self._matches.setdefault(person, set()).add(match)
        self._people.setdefault(match, set()).add(person)

    async def _look(self) -> None:
        try:
            while self._audience.members:
                await asyncio.sleep(FRESH_S)
                try:
                    self._tell(await self._board.lists())
                except StoreUnavailable:
                    continue
        finally:
            self._looking = None

    def _tell(self, lists: Lists) -> None:
        told = self._told
        news = [match for match, summary in lists.matches.items() if told.matches.get(match) != summary]
        same = (told.open, told.playing, told.hidden) == (lists.open, lists.playing, lists.hidden)
        calm = same and all(told.matches[match].info == lists.matches[match].info for match in news)
        if calm and (not news or time.monotonic() - self._told_at < MOVES_S):
            return
        self._took(lists)
        own = [
            visitor
            for person in (*lists.seats, *(lists.hidden.keys() | told.hidden.keys()) - lists.seats.keys())
            for visitor in self._audience.of(person)
        ]
        for visitor in own:
            person = visitor.person_id or ""
            hides = lists.hidden.get(person) != told.hidden.get(person)
            visitor.put(self._listed(person, list(lists.matches) if hides else news))
        self._audience.tell(self._listed(None, news), own)

    def _took(self, lists: Lists) -> None:
        self._told, self._told_at, self._all = lists, time.monotonic(), None

    def _all_for(self, person: str | None) -> bytes:
        if not self._told.is_for_all(person):
            return self._listed(person, list(self._told.matches))
        if self._all is None:
            self._all = self._listed(None, list(self._told.matches))
        return self._all

    def _listed(self, person: str | None, news: list[str]) -> bytes:
        lists = self._told
        hidden = lists.hidden.get(person or "", ())
        seen = lists.seen_by(person, [match for match in news if match not in hidden])
        return encode(p.Listed(lists.open_for(person), list(lists.playing), seen))
