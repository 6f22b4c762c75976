"""Time that nobody served: no clock runs in it, and a match finds out when it is next looked at.

An outage is written down once for all matches. Nobody stores events while it lasts, so a match whose last
event is older than its end has yet to hear of it: its clock is suspended at the beginning, or at that event,
and goes on at the end. Both become events of its log before anything else does. Start reading at `apply`.
"""

from __future__ import annotations

from collections.abc import Iterable

from tengen.match import Event, Match, NoClock
from tengen.server.store.rows import Outage


class Outages:
    """Those that this process has heard of, the oldest first."""

    def __init__(self) -> None:
        self._known: list[Outage] = []

    @property
    def last_ms(self) -> int:
        """The end of the last one; 0 if there was none."""
        return self._known[-1].until_ms if self._known else 0

    def learn(self, found: Iterable[Outage]) -> None:
        self._known = sorted({*self._known, *found}, key=lambda outage: outage.until_ms)

    def owed(self, match: Match) -> list[Outage]:
        """Those that a match has yet to be told of."""
        last_ms = match.events[-1].at_ms if match.events else match.setup.started_ms
        if last_ms >= self.last_ms or match.running is None or isinstance(match.setup.clock, NoClock):
            return []
        return [outage for outage in self._known if outage.until_ms > last_ms]

    def is_owed(self, match: Match) -> bool:
        return match.suspended or (bool(self._known) and bool(self.owed(match)))

    def apply(self, match: Match, at_ms: int) -> list[Event]:
        """Lets the clock of the match stand still; what has to be stored. A flag may have fallen before."""
        made: list[Event] = []
        if match.suspended:  # by an older version, which died before it let the match go on
            made.append(match.proceed(max(at_ms, self.last_ms)))
        for outage in self.owed(match):
            flag = match.tick(outage.from_ms)
            if flag is not None:
                return [*made, flag]
            made += [match.suspend(outage.from_ms), match.proceed(outage.until_ms)]
        return made
