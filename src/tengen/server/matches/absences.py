"""Players who have left: from when on a match can be claimed against one of them, and whether it can now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen.match import MatchError, NoClock
from tengen.server import protocol as p
from tengen.server.errors import Refusal, storing
from tengen.server.matches.describe import seats_held
from tengen.server.matches.requests import check_claim
from tengen.server.matches.room import Room
from tengen.server.stamp import now_ms

if TYPE_CHECKING:
    from tengen.server.matches.hub import Hub


class Absences:
    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    async def of_opponent(self, match_id: str, person_id: str | None) -> p.Absence:
        """When the opponent of that person can be claimed against; raises Refusal for a stranger."""
        room = await self._hub.begun_room(match_id)
        held = seats_held(room.row, person_id)
        if not held:
            raise Refusal("stranger", "You have no seat in this match.")
        loser = 1 - held[0]
        try:
            check_claim(room.match, loser)
        except MatchError:
            return p.Absence(None)
        return p.Absence(None if room.here()[loser] else await self._gone_from(room, loser))

    async def check(self, room: Room, loser: int) -> None:
        """Raises MatchError or Refusal unless that seat can be claimed against now."""
        check_claim(room.match, loser)
        if room.here()[loser] or now_ms() < await self._gone_from(room, loser):
            wait_ms, hurry = self._patience(room)
            given = f"{wait_ms // 1000} seconds" if hurry else f"{wait_ms // 3_600_000} hours"
            raise Refusal("not-now", f"Your opponent has {given} to come back and move.")

    async def _gone_from(self, room: Room, seat: int) -> int:
        """The stamp from which on somebody who does not come back meanwhile counts as gone."""
        with storing():
            seen = (await self._hub.store.seats_seen(room.id))[seat]
        moved_ms = room.match.events[-1].at_ms if room.match.events else room.match.setup.started_ms
        return max(seen or 0, room.left_ms[seat], moved_ms, self._hub.free_since_ms) + self._patience(room)[0]

    def _patience(self, room: Room) -> tuple[int, bool]:
        """How many milliseconds somebody may be away, and whether a clock says that there is a hurry."""
        hurry = not isinstance(room.match.setup.clock, NoClock)
        return (self._hub.config.gone_after_ms if hurry else self._hub.config.gone_untimed_ms), hurry
