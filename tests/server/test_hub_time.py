"""Clocks, flags, restarts and outages: time passes for nobody while the server is away."""

from __future__ import annotations

from typing import Any

import pytest

from tengen.match import TimeUp
from tengen.match.clock import MOST_LAG_MS
from tengen.server import protocol as p
from tengen.server.matches import describe
from tengen.server.matches.hub import Hub
from tengen.server.matches.requests import act_of
from tengen.server.stamp import now_ms
from tengen.server.store.rows import StoreUnavailable
from tests.server.conftest import Passing
from tests.server.table import ask, make, move, pair, person, refused, room_of, table, until, watch
from tests.waiting import next_turn, soon_found

pytestmark = pytest.mark.anyio

# A busy machine may take long to move, and longer to beat: clocks have far more, and time is put forward.
QUICK: dict[str, Any] = {"outage_ms": 60_000, "beat_s": 0.05, "sweep_s": 0.1}
CLOCK = p.Absolute(40_000)
FLAG_S = 41.0  # no outage
DOWN_S = 90.0


def left(now: p.Now, seat: int) -> int:
    assert now.clocks is not None
    return now.clocks[seat].left_ms


async def kinds(hub: Hub, match: str) -> list[str]:
    return [stored.event.kind for stored in await hub.store.events(match)]


async def test_a_flag_falls_by_itself(sqlite_url: str, passing: Passing) -> None:
    async with table(sqlite_url, outage_ms=60_000) as hub:
        match, one, other = await pair(hub, clock=CLOCK)
        eye, room = await watch(hub, match), await room_of(hub, match)
        assert (eye.now().running, left(eye.now(), 1)) == (0, 40_000)
        await move(hub, match, one, "D4")
        assert eye.now().running == 1 and 0 < left(eye.now(), 0) < 40_000
        assert room.flag_timer is not None, "somebody will look"
        room.drop_timers()  # which do not know of the time that passes at once
        passing(39.8)
        hub.keeper.arm(room)
        await until(lambda: eye.now().phase == "over")
        assert eye.now().outcome == p.Outcome(0, "time") and eye.kinds()[-1] == "flag"
        assert await refused(move(hub, match, other, "D6")) == "over"


async def test_a_move_that_comes_too_late(sqlite_url: str, passing: Passing) -> None:
    async with table(sqlite_url, outage_ms=60_000) as hub:
        match, one, _ = await pair(hub, clock=CLOCK)
        (await room_of(hub, match)).drop_timers()
        passing(FLAG_S)
        assert await refused(move(hub, match, one, "D4")) == "time-up"
        assert (await watch(hub, match)).now().outcome == p.Outcome(1, "time")


async def test_the_sweep_finds_flags_that_nobody_watches(sqlite_url: str, passing: Passing) -> None:
    async with table(sqlite_url, **QUICK) as hub:
        match, _, _ = await pair(hub, clock=CLOCK)
        (await room_of(hub, match)).used_at -= 1000
        hub.rooms.drop_idle(10, hub.engines.is_busy)
        assert hub.rooms.get(match) is None
        passing(FLAG_S)

        async def is_over() -> bool:
            row = await hub.store.match(match)
            return row is not None and row.status == "over"

        await soon_found(is_over)


async def test_increments_and_periods(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        match, one, _ = await pair(hub, clock=p.Fischer(60_000, 60_000))
        eye = await watch(hub, match)
        await move(hub, match, one, "D4")
        assert 60_000 < left(eye.now(), 0) <= 120_000
        other_match, first, _ = await pair(hub, clock=p.ByoYomi(0, 3, 60_000))
        eye = await watch(hub, other_match)
        await move(hub, other_match, first, "D4")
        assert eye.now().clocks is not None
        reading = eye.now().clocks
        assert reading is not None and (reading[0].periods, reading[0].left_ms) == (3, 180_000)


async def test_clocks_stand_still_while_the_server_is_down(store_url: str, passing: Passing) -> None:
    async with table(store_url, **QUICK) as hub:
        match, one, other = await pair(hub, clock=CLOCK)
        waiting = await make(hub, one)
        await move(hub, match, one, "D4")
    passing(DOWN_S)
    async with table(store_url, **QUICK) as hub:
        eye = await watch(hub, match, other)
        assert eye.now().phase == "playing" and left(eye.now(), 1) > 0
        assert await move(hub, match, other, "D6") == 4
        assert await kinds(hub, match) == ["move", "suspend", "continue", "move"]
        assert (await watch(hub, waiting)).all(p.Snapshot)[0].match.status == "open"


async def test_a_flag_that_fell_before_the_server_did(sqlite_url: str, passing: Passing) -> None:
    async with table(sqlite_url, outage_ms=60_000) as hub:
        match, _, _ = await pair(hub, clock=CLOCK)
        (await room_of(hub, match)).drop_timers()
        passing(FLAG_S)
    passing(DOWN_S)
    async with table(sqlite_url, outage_ms=60_000) as hub:
        assert (await watch(hub, match)).now().outcome == p.Outcome(1, "time")


async def test_lag_is_given_back_and_a_move_may_come_that_much_after_its_flag(sqlite_url: str) -> None:
    """By the bound of a turn, whatever was measured; the flag waits as long."""
    async with table(sqlite_url, outage_ms=60_000) as hub:
        match, one, other = await pair(hub, clock=CLOCK)
        room = await room_of(hub, match)
        first = p.Ask(match, "a", "move", text="D4")
        await hub.ask(first, one.id, lag_ms=9_000)
        assert room.match.events[-1].data["lag_ms"] == MOST_LAG_MS
        assert await hub.ask(p.Ask(match, "b", "move", text="D6"), other.id, lag_ms=9_000) == 2
        assert room.lag_ms == [9_000, 9_000] and room.patience_ms() == MOST_LAG_MS
        flag_at_ms = room.match.flag_at_ms
        assert flag_at_ms is not None
        act = act_of(p.Ask(match, "c", "move", text="E4"), [0], lag_ms=9_000)
        late = room.match.copy()
        act(late, flag_at_ms + MOST_LAG_MS - 1)
        assert late.clocks(flag_at_ms + MOST_LAG_MS)[0].left_ms == 1
        with pytest.raises(TimeUp):
            act(room.match.copy(), flag_at_ms + MOST_LAG_MS)


async def test_a_pause_stops_clocks_and_flags(sqlite_url: str, passing: Passing) -> None:
    async with table(sqlite_url, outage_ms=60_000) as hub:
        match, one, other = await pair(hub, clock=CLOCK)
        await hub.ask(p.Ask(match, "a", "offer", what="pause"), one.id)
        await hub.ask(p.Ask(match, "b", "answer", what="pause", accept=True), other.id)
        eye = await watch(hub, match)
        assert eye.now().paused and eye.now().running is None
        passing(FLAG_S)
        await hub.ask(p.Ask(match, "c", "unpause"), other.id)
        room = await room_of(hub, match)
        assert room.match.running == 0 and 0 < left(describe.now(room.match, now_ms()), 0) <= 40_000


async def test_a_restart_costs_nobody_time(sqlite_url: str, passing: Passing) -> None:
    """One that is shorter than an outage has to be, too."""
    async with table(sqlite_url, **QUICK) as hub:
        match, one, other = await pair(hub, clock=p.Fischer(60_000, 0))
        await move(hub, match, one, "D4", id="mine")
        before_ms = (await room_of(hub, match)).match.clocks(now_ms())[1].left_ms or 0
    passing(30)
    async with table(sqlite_url, **QUICK) as hub:
        assert await move(hub, match, one, "D4", id="mine") == 1
        eye = await watch(hub, match)
        assert before_ms - left(eye.now(), 1) < 30_000
        assert await move(hub, match, other, "D6") == 4
        assert await kinds(hub, match) == ["move", "suspend", "continue", "move"]


class Outage:
    """A store whose database goes away and comes back; what was sent may have arrived or not."""

    def __init__(self, hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
        self.away = False
        self.arrives = False
        for name in ("append", "beat", "due_flags", "due_machines", "events_of", "rows", "seen"):
            monkeypatch.setattr(hub.store, name, self._guarded(getattr(hub.store, name), name))

    def _guarded(self, real: Any, name: str) -> Any:
        async def guarded(*args: Any) -> Any:
            if self.away:
                if name == "append" and self.arrives:
                    await real(*args)
                raise StoreUnavailable("gone")
            return await real(*args)

        return guarded


@pytest.mark.parametrize("arrives", [False, True])
async def test_a_database_that_goes_away(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, arrives: bool
) -> None:
    async with table(sqlite_url, beat_s=0.05) as hub:
        match, one, other = await pair(hub)
        eye = await watch(hub, match)
        outage = Outage(hub, monkeypatch)
        outage.away, outage.arrives = True, arrives
        assert await refused(move(hub, match, one, "D4", id="mine")) == "unavailable"
        assert eye.now().number == 0, "nobody is told of what may not be stored"
        await until(lambda: hub.held)
        assert await refused(move(hub, match, one, "D4", id="mine")) == "unavailable"
        outage.away = False
        await until(lambda: not hub.held)
        assert await move(hub, match, one, "D4", id="mine") == 1
        assert await move(hub, match, other, "D6") == 2
        assert eye.kinds() == ["move", "move"]


async def test_clocks_stand_still_while_the_database_is_away(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, passing: Passing
) -> None:
    async with table(sqlite_url, **QUICK) as hub:
        match, one, _ = await pair(hub, clock=CLOCK)
        eye = await watch(hub, match)
        outage = Outage(hub, monkeypatch)
        outage.away = True
        await until(lambda: hub.held)
        passing(DOWN_S)
        outage.away = False
        await until(lambda: "continue" in eye.kinds())
        assert eye.kinds() == ["suspend", "continue"] and left(eye.now(), 0) > 0
        await until(lambda: not hub.held)
        assert await move(hub, match, one, "D4") == 3
        passing(FLAG_S)
        await until(lambda: eye.now().phase == "over")
        assert eye.now().outcome == p.Outcome(0, "time")
        assert await kinds(hub, match) == ["suspend", "continue", "move", "flag"]


async def test_a_match_whose_last_seat_was_taken_when_the_server_died(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        one, other = await person(hub), await person(hub)
        match = await make(hub, one)
        assert await hub.store.take_seat(match, 1, other.id, "Bob")
    async with table(sqlite_url) as hub:
        assert (await watch(hub, match)).all(p.Snapshot)[0].match.status == "playing"
        await move(hub, match, one, "D4")


async def test_a_rematch_that_was_agreed_when_the_server_died(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with table(sqlite_url) as hub:
        match, one, other = await pair(hub)
        await ask(hub, match, one, "resign")
        monkeypatch.setattr(hub, "_follow_up", lambda room: next_turn())
        await ask(hub, match, one, "offer", what="rematch")
        await ask(hub, match, other, "answer", what="rematch", accept=True)
    async with table(sqlite_url) as hub:
        eye = await watch(hub, match, one)
        await until(lambda: any(info.match.rematch for info in eye.all(p.Info)))
