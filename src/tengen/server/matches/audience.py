"""Who is told the same: those who look at a match, or at the lobby.

A crowd is told a batch at a time, so that everybody else on the server gets a turn in between. Who comes
while that goes on is not told what is older. Start reading at `Audience.tell`.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Collection
from typing import Protocol

BATCH = 500  # who are told in one turn of the event loop


class Watcher(Protocol):
    """Something that bytes can be put into and that belongs to a person or to nobody."""

    @property
    def person_id(self) -> str | None: ...
    @property
    def address(self) -> str:
        """Where it comes from, as far as that is known."""
        ...

    def put(self, data: bytes) -> None:
        """Queues a message; never waits and never fails."""
        ...


class Audience:
    """`members` gives how much had been told when somebody came, or was last shown everything."""

    __slots__ = ("_of", "_told", "_waiting", "members")

    def __init__(self) -> None:
        self.members: dict[Watcher, int] = {}
        self._of: dict[str, set[Watcher]] = {}  # those of a person
        self._told = 0  # how many things all have been told
        self._waiting: deque[tuple[int, bytes, deque[Watcher]]] = deque()  # what a crowd has yet to be told

    def enter(self, watcher: Watcher) -> None:
        """Adds somebody, or somebody who is about to be shown everything again."""
        self.members[watcher] = self._told
        if watcher.person_id is not None:
            self._of.setdefault(watcher.person_id, set()).add(watcher)

    def leave(self, watcher: Watcher) -> None:
        """The watcher must still be the person that it was when it came."""
        del self.members[watcher]
        person = watcher.person_id
        if person is not None:
            self._of[person].discard(watcher)
            if not self._of[person]:
                del self._of[person]

    def has(self, person_id: str | None) -> bool:
        return person_id in self._of

    def of(self, person_id: str) -> Collection[Watcher]:
        return self._of.get(person_id, ())

    def tell(self, data: bytes, but: Collection[Watcher] = ()) -> None:
        """The same to all but those."""
        self._told += 1
        others = deque(self.members) if not but else deque(self.members.keys() - set(but))
        begun = bool(self._waiting)
        self._waiting.append((self._told, data, others))
        if not begun:
            self._tell_some()

    def _tell_some(self) -> None:
        left = BATCH
        while self._waiting and left:
            number, data, others = self._waiting[0]
            while others and left:
                watcher = others.popleft()
                left -= 1
                if self.members.get(watcher, number) < number:
                    watcher.put(data)
            if not others:
                self._waiting.popleft()
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._tell_some)
