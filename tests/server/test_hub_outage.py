"""Outages: what several processes make of one, what an older version left behind, and what one costs."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pytest
import uvicorn
from msgspec import structs
from sqlalchemy import func, make_url, select, update

from benchmarks.server_start import copies
from tengen.match import Match, Setup
from tengen.server import protocol as p
from tengen.server.matches.hub import Hub
from tengen.server.stamp import now_ms
from tengen.server.store.schema import beat, events
from tengen.server.store.store import PersonRow, Stored
from tests.server.conftest import Passing
from tests.server.live import live
from tests.server.store_helpers import opened
from tests.server.table import move, pair, refused, room_of, table, until, watch

pytestmark = pytest.mark.anyio

QUICK: dict[str, Any] = {"outage_ms": 30_000, "beat_s": 0.05}  # longer than a busy machine takes to beat
MAIN_MS = 600_000
SLACK_MS = 1_000  # what may pass between the last beat and the end
DOWN_S = 100.0
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


async def assert_right(hub: Hub, begun: Played) -> None:
    """No time has passed for anybody while nobody served, and the match goes on."""
    await until(lambda: not hub.held)
    for match, one, _ in begun.matches:
        room = await room_of(hub, match)
        assert room.status == "playing" and not room.match.suspended
        served_ms = 1000 * (time.monotonic() - begun.since)
        assert (room.match.clocks(0)[0].left_ms or 0) > MAIN_MS - served_ms - SLACK_MS
        assert await move(hub, match, one, "D4") == room.number


async def test_processes_that_start_at_once(postgres_url: str, passing: Passing) -> None:
    begun = await played(postgres_url)
    down_s = 2 * DOWN_S
    passing(down_s)
    async with AsyncExitStack() as held:
        starting = [held.enter_async_context(table(postgres_url, **QUICK)) for _ in range(3)]
        hubs = await asyncio.gather(*starting)
        await until(lambda: not any(hub.held for hub in hubs))
        for match, _, _ in begun.matches:
            await asyncio.gather(*(watch(hub, match) for hub in hubs))
            assert await kinds(hubs[0], match) == ["suspend", "continue"], "one of them does it"
        await assert_right(hubs[1], begun)


async def test_an_outage_ends_when_people_are_let_in(
    tmp_path: Path, passing: Passing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long a server takes from opening its database to listening."""
    async with table(f"sqlite:///{tmp_path / 'live.sqlite3'}", **QUICK):
        pass
    listen = uvicorn.Server.startup

    async def slowly(self: uvicorn.Server, sockets: Any = None) -> None:
        passing(DOWN_S)
        await listen(self, sockets)

    monkeypatch.setattr(uvicorn.Server, "startup", slowly)
    begun_ms = now_ms()
    with live(tmp_path, **QUICK) as server:
        assert server.service.hub.outages.last_ms >= begun_ms + 1000 * DOWN_S
        assert not server.service.hub.held


async def test_who_starts_beside_one_that_beats_late_sees_no_outage(
    postgres_url: str, passing: Passing
) -> None:
    """Whoever is late takes requests for as long as it is not held."""
    async with table(postgres_url, **QUICK) as here:
        match, one, other = await pair(here, clock=p.Absolute(MAIN_MS))
        async with here.keeper._beating:
            passing(QUICK["outage_ms"] / 2000)
            assert not here.held
            async with table(postgres_url, **QUICK) as there:
                assert await move(there, match, one, "D4") == 1
                assert await move(here, match, other, "D6") == 2
                assert await kinds(here, match) == ["move", "move"]


async def test_a_database_that_goes_away_from_all(postgres_url: str, passing: Passing) -> None:
    """Both were cut off; whoever is back first must not take a move before the clocks are right."""
    async with table(postgres_url, **QUICK) as here, table(postgres_url, **QUICK) as there:
        match, one, other = await pair(here, clock=p.Absolute(MAIN_MS))
        await room_of(there, match)
        for hub in (here, there):
            await hub.keeper._beating.acquire()
        passing(DOWN_S)
        assert here.held and there.held
        assert await refused(move(here, match, one, "D4")) == "unavailable"
        here.keeper._beating.release()
        there.keeper._beating.release()
        await until(lambda: not here.held and not there.held)
        for hub, who, text in ((there, one, "D4"), (here, other, "D6")):
            number = await move(hub, match, who, text)
            assert (await kinds(here, match))[number - 1] == "move"
        assert (await kinds(here, match))[:2] == ["suspend", "continue"]


async def test_a_process_that_was_frozen_while_it_beat(
    store_url: str, passing: Passing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer to that beat comes after people who have waited for the process, and says nothing of now."""
    async with table(store_url, **QUICK) as hub:
        match, one, _ = await pair(hub, clock=p.Absolute(MAIN_MS))
        beat_there, hold = hub.store.beat, hub.hold
        asked, waiting = list[asyncio.Task[int]](), asyncio.Event()

        def held() -> None:
            waiting.set()
            hold()

        async def frozen(*arguments: Any) -> Any:
            found = await beat_there(*arguments)
            if not asked:
                passing(DOWN_S)
                asked.append(asyncio.create_task(move(hub, match, one, "D4")))
                await waiting.wait()
            return found

        monkeypatch.setattr(hub, "hold", held)
        monkeypatch.setattr(hub.store, "beat", frozen)
        await until(lambda: bool(asked))
        await asked[0]
        assert await kinds(hub, match) == ["suspend", "continue", "move"]


class Watched(asyncio.Lock):
    """Says when somebody wants it."""

    def __init__(self) -> None:
        super().__init__()
        self.wanted = asyncio.Event()

    async def acquire(self) -> Literal[True]:
        self.wanted.set()
        return await super().acquire()


async def test_a_process_that_was_frozen_while_a_match_was_busy(store_url: str, passing: Passing) -> None:
    async with table(store_url, **QUICK) as hub:
        match, one, _ = await pair(hub, clock=p.Absolute(MAIN_MS))
        room = await room_of(hub, match)
        room.lock = busy = Watched()
        async with busy:
            busy.wanted.clear()
            asked = asyncio.create_task(move(hub, match, one, "D4"))
            await busy.wanted.wait()
            passing(DOWN_S)
        await asked
        assert await kinds(hub, match) == ["suspend", "continue", "move"]


async def test_what_an_older_version_died_over_is_put_right(store_url: str, passing: Passing) -> None:
    """It suspended all matches at the last beat, then let them go on, one after another."""
    begun = await played(store_url)
    async with opened(store_url) as store:
        match = begun.matches[0][0]
        row = await store.match(match)
        assert row is not None and row.setup is not None
        half = Match.replay(Setup.from_json(row.setup), [])
        event = half.suspend(half.setup.started_ms + 1)
        assert await store.append(
            match, [Stored(event)], structs.replace(row.summary, number=1, flag_at_ms=None)
        )
        with store._database.writer.begin() as connection:
            from_ms = connection.execute(select(beat.c.at_ms)).scalar_one()
            connection.execute(
                update(beat).values(outage_from_ms=from_ms, recoverer="old", recover_until_ms=from_ms + 5_000)
            )
    passing(DOWN_S)
    async with table(store_url, **QUICK) as hub:
        await assert_right(hub, begun)


async def test_a_process_that_stops_while_others_serve_is_no_outage(postgres_url: str) -> None:
    async with table(postgres_url, **QUICK) as here:
        async with table(postgres_url, **QUICK):
            match, one, _ = await pair(here, clock=p.Absolute(MAIN_MS))
        stopped_ms = now_ms()
        await until(lambda: (here.keeper._beaten_ms or 0) > stopped_ms)
        assert not (await here.store.beat(now_ms(), QUICK["outage_ms"]))
        await move(here, match, one, "D4")
        assert await kinds(here, match) == ["move"]


async def test_many_matches_do_not_hold_up_a_start(sqlite_url: str, passing: Passing) -> None:
    async with table(sqlite_url, **QUICK) as hub:
        match, one, _ = await pair(hub, clock=p.Absolute(MAIN_MS))
    path = make_url(sqlite_url).database
    assert path is not None
    copies(Path(path), match, COPIES)
    passing(DOWN_S)
    begun = time.process_time()
    async with table(sqlite_url, **QUICK) as hub:
        assert time.process_time() - begun < 2.0 and len(hub.rooms) < 10
        assert await move(hub, f"copy-{COPIES - 1}", one, "D4") == 3
        with hub.store._database.reader.connect() as connection:
            assert connection.execute(select(func.count()).select_from(events)).scalar_one() == 3


COPIES = 20_000


async def test_a_process_that_was_asleep_takes_nothing_until_it_beats(
    sqlite_url: str, passing: Passing
) -> None:
    async with table(sqlite_url, **QUICK) as hub:
        async with hub.keeper._beating:
            match, one, _ = await pair(hub, clock=p.Absolute(1000 * int(DOWN_S)))
            room = await room_of(hub, match)
            room.drop_timers()  # which do not know of the time that passes at once
            passing(DOWN_S + 1)
            hub.keeper.arm(room)
            early = room.flag_timer
            await until(lambda: room.flag_timer is not early)
            assert room.flag_timer is not None, "somebody looked, and will again"
            assert hub.held
            assert room.status == "playing", "no flag falls"
        await until(lambda: not hub.held)
        number = await move(hub, match, one, "D4")
        assert await kinds(hub, match) == ["suspend", "continue", "move"] and number == 3
