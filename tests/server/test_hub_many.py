"""Two server processes on one PostgreSQL: two hubs, each with its own connection to the database."""

from __future__ import annotations

import asyncio
import random

import pytest
from msgspec import Raw

from tengen.match import Match
from tengen.server import protocol as p
from tengen.server.matches.hub import Hub
from tengen.server.store import appending
from tests.server.table import (
    ME,
    Eye,
    ask,
    machine,
    make,
    move,
    pair,
    person,
    refused,
    room_of,
    swept,
    table,
    until,
    watch,
)

pytestmark = pytest.mark.anyio


async def reached(hub: Hub, match: str, position: str) -> None:
    room = await room_of(hub, match)
    await until(lambda: room.match.position == position)


async def at_number(eye: Eye, number: int) -> None:
    await until(lambda: eye.now().number == number)


def all_here(eye: Eye) -> bool:
    told = eye.all(p.Info)
    return bool(told) and all(seat.here for seat in told[-1].match.seats)


async def test_one_match_from_both_sides(postgres_url: str) -> None:
    async with table(postgres_url) as here, table(postgres_url) as there:
        one, other = await person(here, "Ada"), await person(there, "Bob")
        match = await make(here, one)
        mine, yours = await watch(here, match, one), await watch(there, match, other)
        assert await there.seating.join(match, other) == [1]
        await until(lambda: mine.all(p.Snapshot)[-1].match.status == "playing")
        dice = random.Random(3)
        for turn in range(20):
            hub, eye, who = ((here, mine, one), (there, yours, other))[turn % 2]
            await at_number(eye, turn)
            legal = [a for a in eye.now().legal if a not in eye.now().view.details["suicide"]]
            await ask(hub, match, who, "move", actions=[dice.choice(legal)], position=eye.now().position)
        await until(lambda: mine.now().number == yours.now().number == 20)
        assert mine.now().position == yours.now().position
        await ask(there, match, other, "resign")
        await until(lambda: mine.now().phase == "over")
        await ask(here, match, one, "offer", what="rematch")
        await until(lambda: yours.now().offer is not None)
        await ask(there, match, other, "answer", what="rematch", accept=True)
        await until(lambda: mine.all(p.Info)[-1].match.rematch and yours.all(p.Info)[-1].match.rematch)
        assert mine.all(p.Info)[-1].match.rematch == yours.all(p.Info)[-1].match.rematch
        assert len(await here.store.matches_of(one.id)) == 2


async def test_what_another_process_tells_is_not_read_again(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with table(postgres_url) as here, table(postgres_url) as there:
        one = await person(here)
        match = await make(here, one, (ME, ME))
        yours = await watch(there, match)
        await until(lambda: yours.now().number == 0)
        asked: list[object] = []
        monkeypatch.setattr(there.store, "events_of", asked.append)
        for number, text in enumerate(("A1", "B2", "C3", "D4"), start=1):
            await ask(here, match, one, "move", text=text)
            await at_number(yours, number)
        await ask(here, match, one, "resign")
        await until(lambda: yours.now().phase == "over")
        assert asked == []


async def test_what_is_too_long_to_be_told_is_read(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(appending, "MAX_PAYLOAD", 100)
    async with table(postgres_url) as here, table(postgres_url) as there:
        one = await person(here)
        match = await make(here, one, (ME, ME))
        yours = await watch(there, match)
        for number, text in enumerate(("A1", "B2", "C3"), start=1):
            await ask(here, match, one, "move", text=text)
            await at_number(yours, number)
        assert yours.now().position == (await room_of(here, match)).match.position


async def test_a_gap_in_what_is_told_is_read(postgres_url: str) -> None:
    """A notification that is lost does not matter, nor one that comes twice."""
    async with table(postgres_url) as here, table(postgres_url) as there:
        one = await person(here)
        match = await make(here, one, (ME, ME))
        yours, room = await watch(there, match), await room_of(there, match)
        held: list[tuple[str, int, Raw | None]] = []
        there.store._listeners[0]._callback = lambda *news: held.append(news)
        for text in ("A1", "B2", "C3"):
            await ask(here, match, one, "move", text=text)
        await until(lambda: [news[1] for news in held] == [1, 2, 3])
        assert not there.rooms.notified(*held[1]), "the first is missing"
        await at_number(yours, 3)
        assert there.rooms.notified(*held[2]), "it is known already"
        assert room.number == 3
        assert [event.number for told in yours.all(p.Update) for event in told.events] == [1, 2, 3]


async def test_both_act_at_once(postgres_url: str) -> None:
    async with table(postgres_url) as here, table(postgres_url) as there:
        one = await person(here)
        match = await make(here, one, (ME, ME))
        await room_of(there, match)
        mine, yours = await watch(here, match), await watch(there, match)
        for text in ("A1", "B2", "C3", "D4", "F6", "G7", "H8", "J9"):
            position = (await room_of(here, match)).match.position
            await reached(there, match, position)
            asked = [
                move(hub, match, one, text, id=f"same-{text}", position=position) for hub in (here, there)
            ]
            first, second = await asyncio.gather(*asked)
            assert first == second, "the same request through two processes counts once"
        for cell in range(3):
            position = (await room_of(here, match)).match.position
            await reached(there, match, position)
            asked = [
                move(hub, match, one, f"{column}{cell + 4}", position=position)
                for hub, column in ((here, "A"), (there, "B"))
            ]
            found = await asyncio.gather(*asked, return_exceptions=True)
            assert sum(isinstance(one, int) for one in found) == 1, "different ones: one is stale"
            assert {getattr(one, "code", "stale") for one in found} == {"stale"}
        await until(lambda: mine.now().number == yours.now().number == 11)
        stored = await here.store.events(match)
        assert [one.event.number for one in stored] == list(range(1, 12))
        setup = (await room_of(here, match)).match.setup
        assert Match.replay(setup, [one.event for one in stored]).position == mine.now().position


async def test_a_process_that_has_not_heard_yet(postgres_url: str) -> None:
    async with table(postgres_url) as here, table(postgres_url) as there:
        match, one, other = await pair(here)
        eye = await watch(there, match)
        there.rooms.notified = lambda *news: False  # type: ignore[method-assign]
        here.rooms.notified = lambda *news: False  # type: ignore[method-assign]
        room = await room_of(there, match)
        before = room.match.position
        await move(here, match, one, "D4", id="first")
        assert await move(there, match, other, "D6") == 2, "it reads the log before it refuses"
        assert eye.kinds() == ["move", "move"]
        assert await move(there, match, one, "D4", id="first") == 1
        assert await refused(move(here, match, one, "F4", position=before)) == "stale"


async def test_a_seat_is_taken_once(postgres_url: str) -> None:
    async with table(postgres_url) as here, table(postgres_url) as there:
        match = await make(here, await person(here))
        crowd = [(hub, await person(hub)) for hub in (here, there) * 3]
        found = await asyncio.gather(
            *(hub.seating.join(match, who) for hub, who in crowd), return_exceptions=True
        )
        assert [one for one in found if isinstance(one, list)] == [[1]]


async def test_presence_is_seen_across_processes(postgres_url: str) -> None:
    quick = {"beat_s": 0.05, "presence_s": 0.1}
    async with table(postgres_url, **quick) as here, table(postgres_url, **quick) as there:
        match, one, other = await pair(here)
        mine, yours = await watch(here, match, one), await watch(there, match, other)
        await until(lambda: all_here(mine) and all_here(yours))
        await move(here, match, one, "D4")
        assert await refused(ask(here, match, one, "claim")) == "not-now"
        there.leave(await room_of(there, match), yours)
        await until(lambda: not mine.all(p.Info)[-1].match.seats[1].here)


async def test_the_machine_of_a_process_that_died(postgres_url: str) -> None:
    slow = {"engine_claim_ms": 600, "beat_s": 0.05, "sweep_s": 0.1}
    async with table(postgres_url, **slow) as here:
        one = await person(here)
        match = await make(here, one, (ME, machine("level:1")))
        here.engines.want = lambda match_id, here=False: None  # type: ignore[method-assign]
        await move(here, match, one, "D4")
        until_ms = 10**15
        assert await here.store.claim(match, 1, until_ms, 0)
        async with table(postgres_url, **slow) as there:
            eye = await watch(there, match, one)
            await swept(there)
            assert eye.now().number == 1, "it is claimed by the one that thinks"
            assert await here.store.claim(match, 1, eye.now().at_ms + 300, 0), "its own claim, renewed"
            await until(lambda: eye.now().number == 2)
            assert eye.now().view.to_move == 0


async def test_a_machine_move_is_made_once(postgres_url: str) -> None:
    quick = {"beat_s": 0.05, "sweep_s": 0.05}
    async with table(postgres_url, **quick) as here, table(postgres_url, **quick) as there:
        one = await person(here)
        match = await make(here, one, (ME, machine("level:1")), "go", options={"size": 9})
        mine, _ = await watch(here, match, one), await watch(there, match)
        for turn in range(4):
            await at_number(mine, 2 * turn)
            await ask((here, there)[turn % 2], match, one, "move", actions=[mine.now().legal[0]])
        await at_number(mine, 8)
        seats = [event.seat for message in mine.all(p.Update) for event in message.events]
        assert seats == [0, 1] * 4


async def test_machines_may_think_in_another_process(postgres_url: str) -> None:
    async with table(postgres_url, machines=False) as web, table(postgres_url, sweep_s=60.0):
        one = await person(web)
        match = await make(web, one, (ME, machine("level:1")), "go", options={"size": 9})
        eye = await watch(web, match, one)
        for turn in range(3):
            await ask(web, match, one, "move", actions=[eye.now().legal[0]])
            await at_number(eye, 2 * (turn + 1))
