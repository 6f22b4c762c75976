"""Clocks, flags, restarts and outages: time passes for nobody while the server is away."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tengen.server import protocol as p
from tengen.server.matches.hub import Hub
from tengen.server.store.rows import StoreUnavailable
from tests.server.table import ask, make, move, pair, person, refused, room_of, table, until, watch

pytestmark = pytest.mark.anyio


def left(now: p.Now, seat: int) -> int:
    assert now.clocks is not None
    return now.clocks[seat].left_ms


async def kinds(hub: Hub, match: str) -> list[str]:
    """Of all events; a machine that is too busy to beat in time adds an outage to them."""
    return [stored.event.kind for stored in await hub.store.events(match)]


async def test_a_flag_falls_by_itself(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        match, one, other = await pair(hub, clock=p.Absolute(1_000))
        eye = await watch(hub, match)
        assert (eye.now().running, left(eye.now(), 1)) == (0, 1_000)
        await move(hub, match, one, "D4")
        assert eye.now().running == 1 and 0 < left(eye.now(), 0) < 1_000
        await until(lambda: eye.now().phase == "over")
        assert eye.now().outcome == p.Outcome(0, "time") and eye.kinds()[-1] == "flag"
        assert await refused(move(hub, match, other, "D6")) == "over"


async def test_a_move_that_comes_too_late(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        match, one, _ = await pair(hub, clock=p.Absolute(50))
        (await room_of(hub, match)).drop_timers()
        await asyncio.sleep(0.1)
        assert await refused(move(hub, match, one, "D4")) == "time-up"
        assert (await watch(hub, match)).now().outcome == p.Outcome(1, "time")


async def test_the_sweep_finds_flags_that_nobody_watches(sqlite_url: str) -> None:
    async with table(sqlite_url, beat_s=0.05, sweep_s=0.1) as hub:
        match, _, _ = await pair(hub, clock=p.Absolute(50))
        (await room_of(hub, match)).used_at -= 1000
        hub.rooms.drop_idle(10, hub.engines.is_busy)
        assert hub.rooms.get(match) is None

        async def status() -> str:
            row = await hub.store.match(match)
            assert row is not None
            return row.status

        async with asyncio.timeout(10):
            while await status() != "over":
                await asyncio.sleep(0.02)


async def test_increments_and_periods(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        match, one, _ = await pair(hub, clock=p.Fischer(10_000, 5_000))
        eye = await watch(hub, match)
        await move(hub, match, one, "D4")
        assert 14_000 < left(eye.now(), 0) <= 15_000
        other_match, first, _ = await pair(hub, clock=p.ByoYomi(0, 3, 5_000))
        eye = await watch(hub, other_match)
        await move(hub, other_match, first, "D4")
        assert eye.now().clocks is not None
        reading = eye.now().clocks
        assert reading is not None and (reading[0].periods, reading[0].left_ms) == (3, 15_000)


async def test_clocks_stand_still_while_the_server_is_down(store_url: str) -> None:
    quick: dict[str, Any] = {"outage_ms": 1_000, "beat_s": 0.05}
    async with table(store_url, **quick) as hub:
        match, one, other = await pair(hub, clock=p.Absolute(2_000))
        waiting = await make(hub, one)
        await move(hub, match, one, "D4")
    await asyncio.sleep(2.2)
    async with table(store_url, **quick) as hub:
        eye = await watch(hub, match, other)
        assert eye.now().phase == "playing" and left(eye.now(), 1) > 1_000
        assert (await kinds(hub, match))[:3] == ["move", "suspend", "continue"]
        number = await move(hub, match, other, "D6")
        assert (await kinds(hub, match))[number - 1 :] == ["move"]
        assert (await watch(hub, waiting)).all(p.Snapshot)[0].match.status == "open"


async def test_a_flag_that_fell_before_the_server_did(sqlite_url: str) -> None:
    quick: dict[str, Any] = {"outage_ms": 300, "beat_s": 0.05}
    async with table(sqlite_url, **quick) as hub:
        match, _, _ = await pair(hub, clock=p.Absolute(200))
        (await room_of(hub, match)).drop_timers()
        await asyncio.sleep(0.3)
    await asyncio.sleep(0.4)
    async with table(sqlite_url, **quick) as hub:
        assert (await watch(hub, match)).now().outcome == p.Outcome(1, "time")


async def test_a_quick_restart_is_no_outage(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        match, one, other = await pair(hub, clock=p.Fischer(60_000, 0))
        await move(hub, match, one, "D4", id="mine")
    async with table(sqlite_url) as hub:
        assert await move(hub, match, one, "D4", id="mine") == 1
        assert await move(hub, match, other, "D6") == 2
        assert [stored.event.kind for stored in await hub.store.events(match)] == ["move", "move"]


class Outage:
    """A store whose database goes away and comes back; what was sent may have arrived or not."""

    def __init__(self, hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
        self.away = False
        self.arrives = False
        for name in ("append", "beat", "due_flags", "due_machines", "events_of", "rows", "seen", "timed"):
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
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with table(sqlite_url, beat_s=0.05, outage_ms=300) as hub:
        match, one, _ = await pair(hub, clock=p.Absolute(900))
        eye = await watch(hub, match)
        outage = Outage(hub, monkeypatch)
        outage.away = True
        await asyncio.sleep(1.2)
        outage.away = False
        await until(lambda: "continue" in eye.kinds())
        assert eye.kinds()[:2] == ["suspend", "continue"] and left(eye.now(), 0) > 500
        await until(lambda: not hub.held)
        number = await move(hub, match, one, "D4")
        assert (await kinds(hub, match))[number - 1] == "move"
        await until(lambda: eye.now().phase == "over")
        assert eye.now().outcome == p.Outcome(0, "time")


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
        monkeypatch.setattr(hub, "_follow_up", lambda room: asyncio.sleep(0))
        await ask(hub, match, one, "offer", what="rematch")
        await ask(hub, match, other, "answer", what="rematch", accept=True)
    async with table(sqlite_url) as hub:
        eye = await watch(hub, match, one)
        await until(lambda: any(info.match.rematch for info in eye.all(p.Info)))
