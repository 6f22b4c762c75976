"""What many are told, and what is told of long matches: once for all, players first, at a bounded cost."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Iterator
from random import Random
from typing import Any
from unittest.mock import patch

import msgspec
import pytest

from tengen.match import Request
from tengen.server import protocol as p
from tengen.server.matches.audience import BATCH
from tengen.server.matches.describe import log_page
from tengen.server.matches.hub import Hub
from tests.server.table import ME, Eye, make, move, pair, person, room_of, table, until
from tests.waiting import next_turn

pytestmark = pytest.mark.anyio
SPECTATORS = 5000


class Counted:
    """A watcher that only counts."""

    def __init__(self, order: list[object] | None = None, person_id: str | None = None) -> None:
        self.person_id = person_id
        self.address = ""
        self.heard: list[bytes] = []
        self._order = order

    def put(self, data: bytes) -> None:
        self.heard.append(data)
        if self._order is not None:
            self._order.append(self)


@pytest.fixture(autouse=True)
def _no_collection() -> Iterator[None]:
    """The garbage of all tests before is not what is measured."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


async def longest_step(work: Any) -> float:
    """The longest that the event loop was held up while that went on, in seconds."""
    longest, done = 0.0, False

    async def feel() -> None:
        nonlocal longest
        while not done:
            begun = time.thread_time()
            await next_turn()
            longest = max(longest, time.thread_time() - begun)

    feeling = asyncio.create_task(feel())
    await work
    done = True
    await feeling
    return longest


async def crowd_of(hub: Hub, match: str, count: int, order: list[object]) -> list[Counted]:
    room = await room_of(hub, match)
    made = [Counted(order) for _ in range(count)]
    for one in made:
        room.enter(one)
    return made


async def test_players_are_told_before_a_crowd_that_is_told_in_batches(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        match, one, other = await pair(hub)
        order: list[object] = []
        others = await crowd_of(hub, match, SPECTATORS, order)
        room = await room_of(hub, match)
        players = [Counted(order, one.id), Counted(order, other.id)]
        for player in players:
            room.enter(player)

        async def played() -> None:
            await move(hub, match, one, "D4")
            await until(lambda: len(order) == SPECTATORS + 2)

        held_s = await longest_step(played())
        assert set(order[:2]) == set(players)
        assert all(len(watcher.heard) == 1 for watcher in others)
        assert held_s < 0.02


async def test_all_may_leave_at_once(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        match, one, _ = await pair(hub)
        room = await room_of(hub, match)
        others = await crowd_of(hub, match, SPECTATORS, [])
        begun = time.thread_time()
        for watcher in others:
            hub.leave(room, watcher)
        assert time.thread_time() - begun < 0.2
        assert not room.watchers and room.local_here() == (False, False)
        hub.watch(room, Eye(one), 0, None)
        assert room.local_here() == (True, False)


async def test_who_comes_while_a_crowd_is_being_told_hears_nothing_old(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        match, *_ = await pair(hub)
        room = await room_of(hub, match)
        order: list[object] = []
        others = await crowd_of(hub, match, 3 * BATCH, order)
        room.tell(b"old")
        assert len(order) == BATCH
        late = next(watcher for watcher in others if not watcher.heard)
        newcomer = Counted(order)
        hub.watch(room, newcomer, 0, None)
        hub.watch(room, late, 0, None)
        gone = next(watcher for watcher in others if not watcher.heard)
        hub.leave(room, gone)
        room.tell(b"new")
        await until(lambda: len(newcomer.heard) == 2)
        assert b"old" not in newcomer.heard and newcomer.heard[-1] == b"new"
        assert late.heard[0] != b"old" and late.heard[-1] == b"new"
        assert gone.heard == []
        rest = [watcher for watcher in others if watcher not in (late, gone)]
        await until(lambda: all(watcher.heard == [b"old", b"new"] for watcher in rest))


async def long_match(hub: Hub, events: int) -> str:
    """A hot-seat match with many moves and takebacks."""
    someone = await person(hub)
    match = await make(hub, someone, (ME, ME), game="go", options={"size": 19})
    room = await room_of(hub, match)
    rng = Random(5)

    def play(trial: Any, at_ms: int) -> Any:
        made = []
        for _ in range(50):
            seat, number = trial.state.to_move, len(trial.events)
            if number % 40 == 39:
                made.append(trial.apply(Request.offer(1 - seat, "takeback", at_ms)))
                continue
            legal = trial.state.legal_actions()
            made.append(trial.apply(Request.move(seat, [rng.choice(legal[:-1] or legal)], at_ms)))
        return made

    while room.number < events:
        await hub.change(room, play)
    return match


async def test_a_snapshot_is_the_same_from_pieces_and_from_scratch(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        match = await long_match(hub, 400)
        room = await room_of(hub, match)
        assert 100 < room.match.length < room.number
        first = msgspec.json.decode(room.snapshot(None), type=p.Snapshot)
        assert [one.event for one in first.line] == [event.number for event in room.match.line]
        await hub.change(room, lambda trial, at_ms: trial.apply(_takeback(trial, at_ms)))
        second = msgspec.json.decode(room.snapshot(None), type=p.Snapshot)
        assert len(second.line) == len(first.line) - 1 == second.now.line
        room.telling.forget()
        assert msgspec.json.decode(room.snapshot(None), type=p.Snapshot).line == second.line


def _takeback(trial: Any, at_ms: int) -> Any:
    return Request.offer(1 - trial.state.to_move, "takeback", at_ms)


async def test_a_long_match_is_shown_at_the_price_of_its_bytes(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        match = await long_match(hub, 2000)
        room = await room_of(hub, match)
        await hub.prepare(room)
        room.snapshot(None)
        begun = time.thread_time()
        for _ in range(100):
            size, _ = hub.watch(room, Counted(), 0, None)
        assert size > 50_000
        assert (time.thread_time() - begun) / 100 < 0.001


async def test_the_lobby_is_read_once_for_all_who_look(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        one, other = await person(hub, "Ada"), await person(hub, "Bob")
        match = await make(hub, one)
        with patch.object(hub.store, "lobby", wraps=hub.store.lobby) as reads:
            found = await asyncio.gather(*(hub.lobby.shown(other.id) for _ in range(500)))
        assert reads.call_count == 1 and len({shown.tag for shown in found}) == 1
        lobby = msgspec.json.decode(found[0].body, type=p.Lobby)
        assert [summary.info.id for summary in lobby.open] == [match] and lobby.open[0].you == []
        own = msgspec.json.decode((await hub.lobby.shown(one.id)).body, type=p.Lobby)
        assert own.open[0].you == [0]
        second = await make(hub, one)
        later = msgspec.json.decode((await hub.lobby.shown(other.id)).body, type=p.Lobby)
        assert {summary.info.id for summary in later.open} == {match, second}


async def test_the_log_comes_by_pages(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        match = await long_match(hub, 1200)
        played = (await room_of(hub, match)).match
        first = log_page(played, 0)
        assert (len(first.events), first.more) == (1000, True)
        second = log_page(played, 1000)
        assert second.events[0].number == 1001 and second.events[-1].number == second.number
        assert not second.more and not log_page(played, second.number).events
