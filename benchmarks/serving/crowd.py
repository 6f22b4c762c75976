"""Players that go on by themselves: tengen's own client (`tengen.remote`), a few matches to each connection.

Every match is played by two connections, each of which knows its side alone: it makes the next move of the
script when the server shows that it is its turn. Nobody tells them of faults. Start reading at `Side.run`.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from benchmarks.serving.games import Made, scripts
from benchmarks.serving.ledger import Ledger
from tengen.remote import Link, Server, Trouble
from tengen.server.protocol import Accepted, Now, Refused, Snapshot, Update

SIZE = 19  # of the boards: the games last some 300 moves, longer than all rounds


@dataclass
class Crowd:
    """All connections, with what they were told. `pace_s` is the mean pause before a move."""

    made: Sequence[Made]
    pace_s: float
    ledger: Ledger = field(default_factory=Ledger)
    faults: list[str] = field(default_factory=list)
    troubles: int = 0
    refusals: dict[str, int] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)
    playing: threading.Event = field(default_factory=threading.Event)  # cleared: nobody begins a move
    sides: list[Side] = field(default_factory=list)

    def start(self, ports: tuple[int, int], each: int) -> None:
        """Connects; `each` is how many matches share a connection, all of the same two persons."""
        self.playing.set()
        for first in range(0, len(self.made), each):
            some = list(range(first, min(first + each, len(self.made))))
            for seat in (0, 1):
                side = Side(self, seat, some, ports[seat])
                self.sides.append(side)
                side.thread.start()

    def hold(self) -> None:
        """Nobody begins a move from now on, and whoever had begun has noted what was asked for."""
        self.playing.clear()
        for side in self.sides:
            with side.moving:
                pass

    def stop(self) -> None:
        for side in self.sides:
            side.link.close()
        for side in self.sides:
            side.thread.join(10)

    def numbers(self) -> dict[str, tuple[int, int]]:
        """The last event of each match that either side has."""
        known: dict[str, list[int]] = {made.match: [0, 0] for made in self.made}
        for side in self.sides:
            for match, now in list(side.seen.items()):
                known[match][side.seat] = now.number
        return {match: (first, second) for match, (first, second) in known.items()}

    def positions(self) -> dict[str, set[str]]:
        """Where the two sides of each match stand: one position if they agree."""
        found: dict[str, set[str]] = {}
        for side in self.sides:
            for match, now in list(side.seen.items()):
                found.setdefault(match, set()).add(now.position)
        return found

    def pending(self) -> int:
        return sum(len(side.asked) for side in self.sides)


class Side:
    """One connection, for one seat of some matches."""

    def __init__(self, crowd: Crowd, seat: int, matches: list[int], port: int) -> None:
        self.crowd, self.seat = crowd, seat
        secret = crowd.made[matches[0]].secrets[seat]
        self.link = Link(Server(f"http://127.0.0.1:{port}", secret))
        texts = scripts(SIZE)
        self.scripts = {crowd.made[i].match: texts[i % len(texts)] for i in matches}
        self.seen: dict[str, Now] = {}
        self.asked: dict[str, str] = {}  # the match of each request without an answer
        self.moving = threading.Lock()  # held while moves are made
        self._due: dict[str, float] = {}
        self._rng = random.Random(matches[0] * 2 + seat)
        self.thread = threading.Thread(target=self.run, daemon=True)

    def run(self) -> None:
        for match in self.scripts:
            self.link.watch(match)
        while (wait_s := self._move_due()) is not None:
            message = self.link.receive(wait_s)
            if isinstance(message, Snapshot):
                self._arrived(message.match.id, message.now)
            elif isinstance(message, Update):
                self._arrived(message.match, message.now)
            elif isinstance(message, Accepted):
                self._accepted(message)
            elif isinstance(message, Refused):
                self._refused(message)
            elif isinstance(message, Trouble):
                with self.crowd.lock:
                    self.crowd.troubles += 1

    def _arrived(self, match: str, now: Now) -> None:
        self.seen[match] = now
        busy = match in self.asked.values()
        if now.phase == "playing" and not now.suspended and now.view.to_move == self.seat and not busy:
            self._due.setdefault(match, time.monotonic() + self._rng.expovariate(1 / self.crowd.pace_s))
        else:
            self._due.pop(match, None)

    def _move_due(self) -> float | None:
        """Makes the moves that are due; how long until the next, None when the link was closed."""
        if self.link.closed:
            return None
        now = time.monotonic()
        with self.moving:
            due_now = [match for match, due in self._due.items() if due <= now]
            for match in due_now if self.crowd.playing.is_set() else ():
                del self._due[match]
                self._move(match)
        return max(0.01, min((due - now for due in self._due.values()), default=0.2))

    def _move(self, match: str) -> None:
        place, script = self.seen[match], self.scripts[match]
        if place.line < len(script):
            action = script[place.line]
            asked = self.link.ask(match, "move", seat=self.seat, actions=[action], position=place.position)
            self.asked[asked] = match

    def _accepted(self, message: Accepted) -> None:
        self.asked.pop(message.id, None)
        with self.crowd.lock:
            if fault := self.crowd.ledger.add(message.match, message.id, message.number):
                self.crowd.faults.append(fault)
        if message.match in self.seen:
            self._arrived(message.match, self.seen[message.match])

    def _refused(self, message: Refused) -> None:
        """A stale request is no fault: the same move may have been made by a repeat that got through."""
        match = self.asked.pop(message.id or "", message.match)
        with self.crowd.lock:
            self.crowd.refusals[message.code] = self.crowd.refusals.get(message.code, 0) + 1
            if message.code not in ("stale", "not-now", "not-your-turn"):
                self.crowd.faults.append(f"{message.code}: {message.message}")
        if match in self.seen:
            self._arrived(match, self.seen[match])
