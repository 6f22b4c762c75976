"""Outages that more than one process has to do with, and deaths while clocks are put right."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack
from typing import Any, NamedTuple

import pytest

from tengen.server import protocol as p
from tengen.server.config import ServerConfig
from tengen.server.matches import keeper
from tengen.server.matches.hub import Hub
from tengen.server.store.store import PersonRow, Store
from tests.server.table import move, pair, refused, room_of, table, until

pytestmark = pytest.mark.anyio

QUICK: dict[str, Any] = {"outage_ms": 1_500, "beat_s": 0.05, "recover_ms": 3_000}
MAIN_MS = 60_000
SLACK_MS = 1_000  # what may pass between the last beat and the end
DOWN_S = 2.0
MATCHES = 3


class Played(NamedTuple):
    """Matches whose clocks run since then, on a server that is down now."""

    matches: list[tuple[str, PersonRow, PersonRow]]
    since: float


async def played(url: str) -> Played:
    since = time.monotonic()
    async with table(url, **QUICK) as hub:
        return Played([await pair(hub, clock=p.Absolute(MAIN_MS)) for _ in range(MATCHES)], since)


async def kinds(hub: Hub, match: str) -> list[str]:
    return [stored.event.kind for stored in await hub.store.events(match)]


async def assert_right(hub: Hub, begun: Played, down_s: float) -> None:
    """No time has passed for anybody while nobody served, and the match goes on."""
    await until(lambda: not hub.held)
    for match, one, _ in begun.matches:
        room = await room_of(hub, match)
        assert room.status == "playing" and not room.match.suspended
        served_ms = 1000 * (time.monotonic() - begun.since - down_s)
        assert (room.match.clocks(0)[0].left_ms or 0) > MAIN_MS - served_ms - SLACK_MS
        assert await move(hub, match, one, "D4") == room.number


async def test_processes_that_start_at_once(postgres_url: str) -> None:
    begun = await played(postgres_url)
    down_s = 2 * DOWN_S
    await asyncio.sleep(down_s)
    patient = QUICK | {"outage_ms": 3_000}  # a busy machine is no outage
    async with AsyncExitStack() as held:
        starting = [held.enter_async_context(table(postgres_url, **patient)) for _ in range(3)]
        hubs = await asyncio.gather(*starting)
        await until(lambda: not any(hub.held for hub in hubs))
        for match, _, _ in begun.matches:
            assert await kinds(hubs[0], match) == ["suspend", "continue"], "one of them does it"
        await assert_right(hubs[1], begun, down_s)


async def test_a_database_that_goes_away_from_all(postgres_url: str) -> None:
    """Both were cut off; whoever is back first must not take a move before the clocks are right."""
    async with table(postgres_url, **QUICK) as here, table(postgres_url, **QUICK) as there:
        match, one, other = await pair(here, clock=p.Absolute(MAIN_MS))
        await room_of(there, match)
        for hub in (here, there):
            await hub.keeper._beating.acquire()
        await asyncio.sleep(DOWN_S)
        assert here.held and there.held
        assert await refused(move(here, match, one, "D4")) == "unavailable"
        here.keeper._beating.release()
        there.keeper._beating.release()
        await until(lambda: not here.held and not there.held)
        assert (await kinds(here, match))[:2] == ["suspend", "continue"]
        for hub, who, text in ((there, one, "D4"), (here, other, "D6")):
            number = await move(hub, match, who, text)
            assert (await kinds(here, match))[number - 1] == "move"


async def die_while_recovering(url: str, after: int) -> None:
    """A process that is gone after so many of its steps; half of them stop clocks, half let them go on."""
    done = 0
    dead = asyncio.Event()
    config = ServerConfig(database_url=url, limits=False, engine_workers=1, **QUICK)
    store = await Store.open(url, process=config.process)
    hub = Hub(store, config)
    change_one = hub.keeper._change_one

    async def some(match_id: str, act: Any) -> None:
        nonlocal done
        if done == after:
            dead.set()
            await asyncio.Event().wait()
        done += 1
        await change_one(match_id, act)

    hub.keeper._change_one = some  # type: ignore[method-assign]
    starting = asyncio.create_task(hub.start())
    async with asyncio.timeout(10):
        await dead.wait()
    starting.cancel()
    await asyncio.gather(starting, return_exceptions=True)
    await hub.keeper.stop()
    await hub.engines.stop()
    await store.close()


@pytest.mark.parametrize("after", [0, 2, 3, 5])
async def test_a_death_while_clocks_are_put_right(
    store_url: str, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    monkeypatch.setattr(keeper, "AT_ONCE", 1)
    begun = await played(store_url)
    await asyncio.sleep(DOWN_S)
    await die_while_recovering(store_url, after)
    await asyncio.sleep(DOWN_S)
    async with table(store_url, **QUICK) as hub:
        await assert_right(hub, begun, 2 * DOWN_S)
        for match, _, _ in begun.matches:
            *before, last = await kinds(hub, match)
            assert before and before == ["suspend", "continue"] * (len(before) // 2) and last == "move"


async def test_another_goes_on_while_the_first_is_dying(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeper, "AT_ONCE", 1)
    begun = await played(postgres_url)
    await asyncio.sleep(DOWN_S)
    await die_while_recovering(postgres_url, MATCHES + 1)
    async with table(postgres_url, **QUICK) as here, table(postgres_url, **QUICK) as there:
        assert here.held and there.held, "the dead one's time is not over"
        await until(lambda: not here.held and not there.held)
        await assert_right(there, begun, DOWN_S)


async def test_a_process_that_was_asleep_takes_nothing_until_it_beats(sqlite_url: str) -> None:
    async with table(sqlite_url, **QUICK) as hub:
        async with hub.keeper._beating:
            match, one, _ = await pair(hub, clock=p.Absolute(1_800))
            await asyncio.sleep(DOWN_S)
            assert hub.held
            assert (await room_of(hub, match)).status == "playing", "no flag falls"
        await until(lambda: not hub.held)
        number = await move(hub, match, one, "D4")
        assert (await kinds(hub, match))[number - 1] == "move"
