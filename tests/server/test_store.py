"""Every method of the store, with SQLite and with PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs
from sqlalchemy import event

from tengen.server.store import reads
from tengen.server.store.store import Outage, PersonRow, SeatRow, Store, StoreError
from tests.server.store_helpers import (
    ANN,
    BOB,
    OPEN,
    PLAYING,
    WAITING,
    append,
    at,
    new_event,
    new_match,
    numbers,
    opened,
)
from tests.waiting import next_turn

pytestmark = pytest.mark.anyio


@pytest.fixture
async def store(store_url: str) -> AsyncIterator[Store]:
    async with opened(store_url) as store:
        yield store


async def test_ping_and_shared(store: Store, store_url: str) -> None:
    await store.ping()
    assert store.shared == store_url.startswith("postgresql")


async def test_people(store: Store) -> None:
    ann = PersonRow("id-ann", "hash-ann", "Ann – ü", 5)
    await store.add_person(ann)
    await store.add_person(ann)
    assert await store.person("hash-ann") == ann
    assert await store.person("id-ann") is None
    await store.rename("id-ann", "Anna")
    assert await store.person("hash-ann") == replace(ann, name="Anna")


async def test_a_match_comes_back_as_it_was(store: Store) -> None:
    outcome = {"winner": 1, "reason": "time", "score": None}
    summary = structs.replace(
        PLAYING, status="over", outcome=outcome, flag_at_ms=9, machine_due=True, to_move=1
    )
    seats = (SeatRow("machine", "Level 5", "level:5"), SeatRow("invited", invitation_hash="abc"))
    row = new_match(
        summary,
        seats,
        origin=("9/9", 1),
        public=False,
        creator=None,
        started_ms=7,
        setup={"seats": [1, None]},
    )
    assert await store.add_match(row)
    assert await store.match(row.id) == row
    assert row.status == "over"
    assert await store.match("nobody") is None


async def test_adding_a_match_again_does_no_harm(store: Store) -> None:
    row = new_match()
    assert await store.add_match(row)
    assert await store.add_match(row)
    assert await store.match(row.id) == row


async def test_a_match_has_one_rematch(store: Store) -> None:
    first = new_match()
    await store.add_match(first)
    wishes = [new_match(rematch_of=first.id) for _ in range(5)]
    added = await asyncio.gather(*(store.add_match(wish) for wish in wishes))
    assert sorted(added) == [False] * 4 + [True]
    (second,) = (wish for wish, made in zip(wishes, added, strict=True) if made)
    assert await store.match(first.id) == replace(first, rematch=second.id)
    assert await store.match(second.id) == second


async def test_an_open_seat_is_taken_once(store: Store) -> None:
    row = new_match(WAITING, (ANN, OPEN))
    await store.add_match(row)
    takers = [f"person-{i}" for i in range(6)]
    taken = await asyncio.gather(*(store.take_seat(row.id, 1, who, who.title()) for who in takers))
    assert taken.count(True) == 1
    winner = takers[taken.index(True)]
    found = await store.match(row.id)
    assert found is not None
    assert found.seats == (ANN, SeatRow("person", winner.title(), holder=winner))
    assert not await store.take_seat(row.id, 0, "eve", "Eve")


async def test_an_invited_seat_needs_its_hash(store: Store) -> None:
    row = new_match(WAITING, (ANN, SeatRow("invited", invitation_hash="right")))
    await store.add_match(row)
    assert not await store.take_seat(row.id, 1, "eve", "Eve")
    assert not await store.take_seat(row.id, 1, "eve", "Eve", "wrong")
    assert await store.take_seat(row.id, 1, "bob", "Bob", "right")
    assert not await store.take_seat(row.id, 1, "eve", "Eve", "right")
    found = await store.match(row.id)
    assert found is not None and found.seats == (ANN, BOB)


async def test_a_match_starts_once(store: Store) -> None:
    row = new_match(WAITING)
    await store.add_match(row)
    setup, summary = {"game": "go"}, structs.replace(PLAYING, flag_at_ms=99)
    started = await asyncio.gather(*(store.start(row.id, setup, 50, summary) for _ in range(4)))
    assert sorted(started) == [False, False, False, True]
    assert await store.match(row.id) == replace(row, started_ms=50, setup=setup, summary=summary)
    assert not await store.cancel(row.id)
    assert not await store.take_seat(row.id, 0, "eve", "Eve")
    assert await store.count_live() == 1


async def test_a_cancelled_match_can_neither_start_nor_be_joined(store: Store) -> None:
    row = new_match(WAITING, (ANN, OPEN))
    await store.add_match(row)
    assert await store.live_of("ann") == [(row.id, "open", "ann")]
    assert await store.cancel(row.id)
    assert not await store.cancel(row.id)
    assert not await store.start(row.id, {}, 50, PLAYING)
    assert not await store.take_seat(row.id, 1, "bob", "Bob")
    assert not await store.cancel("nobody")
    found = await store.match(row.id)
    assert found is not None and found.status == "cancelled"
    assert await store.live_of("ann") == []
    assert await store.matches_of("ann") == []


async def test_lobby_shows_public_matches_with_a_seat_or_in_play(store: Store) -> None:
    def made(created_ms: int, summary=WAITING, seats=(ANN, OPEN), **more):  # type: ignore[no-untyped-def]
        return new_match(summary, seats, created_ms=created_ms, **more)

    waiting = [made(1), made(2, seats=(OPEN, ANN)), made(3)]
    playing = [made(4, PLAYING, (ANN, BOB)), made(5, PLAYING, (ANN, BOB))]
    others = [
        made(6, public=False),
        made(7, PLAYING, (ANN, BOB), public=False),
        made(8, seats=(ANN, SeatRow("invited", invitation_hash="x"))),
        made(9, structs.replace(PLAYING, status="over"), (ANN, BOB)),
    ]
    for row in waiting + playing + others:
        await store.add_match(row)
    assert await store.lobby() == (waiting[::-1], playing[::-1])
    assert await store.lobby(limit=1) == ([waiting[2]], [playing[1]])


async def test_abandoned_matches_leave_the_lobby_unless_a_clock_runs(store: Store) -> None:
    old = new_match(structs.replace(PLAYING, moved_ms=1_000), (ANN, BOB), created_ms=0)
    timed = new_match(
        structs.replace(PLAYING, moved_ms=1_000, flag_at_ms=9_000_000), (ANN, BOB), created_ms=1
    )
    fresh = new_match(structs.replace(PLAYING, moved_ms=5_000), (ANN, BOB), created_ms=2)
    for row in (old, timed, fresh):
        await store.add_match(row)
    assert (await store.lobby(since_ms=1_000))[1] == [fresh, timed, old]
    assert (await store.lobby(since_ms=1_001))[1] == [fresh, timed]


async def test_matches_of_a_person(store: Store) -> None:
    def moved(moved_ms: int, **more):  # type: ignore[no-untyped-def]
        return new_match(structs.replace(PLAYING, moved_ms=moved_ms), **more)

    carl = SeatRow("person", "Carl", holder="carl")
    mine = [
        moved(10, creator="carl"),
        moved(20, seats=(carl, BOB)),
        moved(30, seats=(carl, carl), creator="carl"),
        moved(40, seats=(ANN, carl), public=False),
    ]
    for row in [*mine, moved(25), moved(35)]:
        await store.add_match(row)
    assert await store.matches_of("carl") == mine[::-1]
    assert await store.matches_of("carl", limit=2) == [mine[3], mine[2]]
    assert await store.matches_of("carl", before=(30, None)) == [mine[1], mine[0]]
    assert await store.matches_of("nobody") == []


async def test_matches_of_a_person_that_moved_at_the_same_time(store: Store) -> None:
    made = {row.id: row for row in [new_match(structs.replace(PLAYING, moved_ms=10)) for _ in range(7)]}
    for row in made.values():
        await store.add_match(row)
    found = await store.matches_of("ann", limit=3)
    while page := await store.matches_of("ann", 3, (10, found[-1].id)):
        found += page
    assert len(found) == 7 and {row.id: row for row in found} == made


async def test_pages_of_matches_of_which_most_have_ended(store: Store) -> None:
    """Ended, cancelled and live ones, held, made, or both; two of them ended at the same time."""
    carl = SeatRow("person", "Carl", holder="carl")
    rows = [
        new_match(PLAYING, (carl, BOB), id=f"match-{n}", creator="carl" if n % 2 else "ann")
        if n % 3
        else new_match(PLAYING, (ANN, BOB), id=f"match-{n}", creator="carl")
        for n in range(24)
    ]
    gone = new_match(WAITING, (carl, OPEN), creator="carl")
    for row in [*rows, gone]:
        await store.add_match(row)
    assert await store.cancel(gone.id)
    for n, row in enumerate(rows):
        summary = at(1, status="playing" if n % 8 == 7 else "over", moved_ms=100 + n // 2)
        assert await store.append(row.id, [new_event(1)], summary)
    expected = sorted(((-100 - n // 2, row.id) for n, row in enumerate(rows)))
    found: list[tuple[int, str]] = []
    before = None
    while page := await store.matches_of("carl", 5, before):
        found += [(-row.summary.moved_ms, row.id) for row in page]
        before = page[-1].summary.moved_ms, page[-1].id
    assert found == expected
    assert [status for _, status, _ in await store.live_of("carl")] == ["playing"] * 3


async def test_lists_are_read_by_an_index(sqlite_url: str) -> None:
    """As many rows are looked at as are shown, whatever else is in the tables."""
    seen: list[str] = []
    async with opened(sqlite_url) as store:
        engine = store._database.reader
        event.listen(engine, "before_cursor_execute", lambda *given: seen.append(_plan(*given[1:4])))
        await store.matches_of("ann", 5, (1_000, "match"))
        await store.lobby()
        await store.live_of("ann")
        await store.due_flags(1)
        await store.due_machines()
    plans = [plan for plan in seen if plan]  # BEGIN has none
    assert len(plans) == 5 + 2 + 2 + 1 + 1
    for plan in plans:
        assert "SCAN" not in plan.replace("SCAN value", "").replace("SCAN json_each", "").replace(
            "SCAN matches USING INDEX matches_machine_due", ""
        ), plan
        sorts = "TEMP B-TREE FOR ORDER BY" in plan
        assert not sorts or "json_each" in plan or "matches_machine_due" in plan, plan


def _plan(cursor: Any, statement: str, parameters: Any) -> str:
    """How SQLite goes about a query."""
    with closing(cursor.connection.cursor()) as own:
        return "\n".join(row[3] for row in own.execute(f"EXPLAIN QUERY PLAN {statement}", parameters))


async def test_events_come_back_as_they_were(store: Store) -> None:
    row = new_match()
    await store.add_match(row)
    log = [
        new_event(1, "a"),
        new_event(2, kind="flag", seat=None, data={"loser": 0}),
        new_event(3, "c", kind="suggest", seat=None, data={"dead": (1, 2), "neutral": ()}),
    ]
    summary = at(3, status="over", outcome={"winner": 0, "reason": "time", "score": [1.5, 0]}, to_move=None)
    assert await store.append(row.id, log, summary)
    assert await store.events(row.id) == log
    assert await store.events(row.id, after=2) == log[2:]
    assert await store.events(row.id, after=3) == []
    assert await store.match(row.id) == replace(row, summary=summary)
    assert await store.count_live() == 0


async def test_events_of_many_matches_at_once(store: Store) -> None:
    rows = [new_match() for _ in range(450)]
    await asyncio.gather(*(store.add_match(row) for row in rows))
    assert all(await asyncio.gather(*(append(store, row.id, *range(1, 13)) for row in rows)))
    asked = {row.id: i % 14 for i, row in enumerate(rows)}
    found = await store.events_of(asked | {"nobody": 0})
    assert found.pop("nobody") == []
    assert {match_id: numbers(log) for match_id, log in found.items()} == {
        match_id: list(range(after + 1, 13)) for match_id, after in asked.items()
    }
    assert await store.events_of({}) == {}


async def test_due_flags(store: Store) -> None:
    rows = [new_match(structs.replace(PLAYING, flag_at_ms=flag)) for flag in (100, 200, None)]
    rows.append(new_match(structs.replace(PLAYING, status="over", flag_at_ms=100)))
    for row in rows:
        await store.add_match(row)
    assert await store.due_flags(99) == []
    assert await store.due_flags(100) == [rows[0].id]
    assert await store.due_flags(500) == [rows[0].id, rows[1].id]


async def test_machines_are_due_until_somebody_claims_them(store: Store) -> None:
    due = new_match(structs.replace(PLAYING, machine_due=True))
    for row in (due, new_match()):
        await store.add_match(row)
    assert await store.due_machines() == [(due.id, 0)]
    assert await store.claim(due.id, 0, until_ms=200, now_ms=100)
    assert await store.due_machines(150) == []
    assert await store.due_machines(200) == [(due.id, 0)]
    await store.unclaim(due.id)
    assert await store.due_machines(150) == [(due.id, 0)]
    assert await store.claim(due.id, 0, until_ms=200, now_ms=100)
    await store.append(due.id, [new_event(1)], at(1, machine_due=True))
    assert await store.due_machines(150) == [(due.id, 1)]
    assert not await store.claim(due.id, 0, until_ms=200, now_ms=150)


async def test_claims_between_processes(store: Store, store_url: str) -> None:
    row = new_match(structs.replace(PLAYING, machine_due=True))
    await store.add_match(row)
    async with opened(store_url, "two") as other:
        won = await asyncio.gather(*(one.claim(row.id, 0, 200, 100) for one in (store, other)))
        assert sorted(won) == [False, True]
        first, second = (store, other) if won[0] else (other, store)
        assert await first.claim(row.id, 0, until_ms=300, now_ms=150)
        assert not await second.claim(row.id, 0, until_ms=400, now_ms=299)
        await second.unclaim(row.id)
        assert not await second.claim(row.id, 0, until_ms=400, now_ms=299)
        assert await second.claim(row.id, 0, until_ms=400, now_ms=300)
        await second.append(row.id, [new_event(1)], at(1, machine_due=True))
        assert await first.claim(row.id, 1, until_ms=500, now_ms=310)
    assert not await store.claim("nobody", 0, 200, 100)


async def test_a_gap_between_beats_is_an_outage(store: Store) -> None:
    for now_ms in (1_000, 4_000):
        assert await store.beat(now_ms, 3_000) == []
    assert await store.beat(3_500, 3_000) == [], "another process was later"
    assert await store.beat(9_000, 3_000) == [Outage(4_000, 9_000)]
    assert await store.beat(9_100, 3_000) == [], "it is told once"
    assert await store.beat(20_000, 3_000) == [Outage(9_100, 20_000)]


async def test_who_starts_knows_that_nobody_served(store_url: str) -> None:
    async with opened(store_url, "one") as store:
        assert await store.beat(1_000, 3_000, 0) == []
    async with opened(store_url, "two") as store:
        assert await store.beat(1_700, 3_000, 0) == [Outage(1_000, 1_700)]
        assert await store.beat(2_700, 3_000) == []
        await store.stopped(2_800)
    async with opened(store_url, "three") as store:
        found = await store.beat(2_900, 3_000, 1_000)
        assert found == [Outage(1_000, 1_700), Outage(2_800, 2_900)], "and of all before"
        await store.stopped(3_000)
        assert await store.beat(3_900, 3_000) == [], "this one goes on"
    async with opened(store_url, "four") as store:
        assert (await store.beat(4_000, 3_000, 1_000))[2:] == []


async def test_processes_hear_of_the_same_outage(postgres_url: str) -> None:
    async with opened(postgres_url, "one") as store, opened(postgres_url, "two") as other:
        await store.beat(4_000, 3_000)
        first = await asyncio.gather(*(one.beat(9_000, 3_000) for one in (store, other)))
        assert first == [[Outage(4_000, 9_000)]] * 2


async def test_an_outage_moves_all_flags(store: Store) -> None:
    before, after = (new_match(structs.replace(PLAYING, flag_at_ms=at_ms)) for at_ms in (5_000, 9_500))
    await store.beat(4_000, 3_000)
    await store.add_match(before)
    await store.beat(9_000, 3_000)
    await store.add_match(after)
    assert await store.due_flags(9_499) == []
    assert await store.due_flags(9_500) == [after.id]
    assert await store.due_flags(10_000) == [after.id, before.id]
    assert len(await store.due_flags(10_000, limit=1)) == 1


async def test_a_beat_of_a_clock_that_was_wrong_is_replaced(store: Store) -> None:
    for now_ms in (10_000_000, 9_000_000, 9_001_000):
        assert await store.beat(now_ms, 3_000) == []
    assert await store.beat(9_005_000, 3_000) == [Outage(9_001_000, 9_005_000)]


async def test_many_matches_at_once(store: Store) -> None:
    made = [new_match(options={"size": 9, "komi": i}) for i in range(reads.MATCHES_A_QUERY + 3)]
    await asyncio.gather(*(store.add_match(row) for row in made))
    ids = [row.id for row in made]
    assert await store.rows([*ids, "nobody"]) == {row.id: row for row in made}
    assert await store.rows([]) == {}
    await store.seen([(ids[0], 1), (ids[-1], 0)], 100)
    seen = await store.seats_seen_of([*ids, "nobody"])
    assert (seen[ids[0]], seen[ids[-1]], seen["nobody"]) == ((None, 100), (100, None), (None, None))
    assert sum(pair == (None, None) for pair in seen.values()) == len(ids) - 1


async def test_seats_are_seen(store: Store) -> None:
    one, other = new_match(), new_match()
    for row in (one, other):
        await store.add_match(row)
    assert await store.seats_seen(one.id) == (None, None)
    await store.seen([], 50)
    await store.seen([(one.id, 1), (other.id, 0), ("nobody", 0)], 100)
    await store.seen([(one.id, 1)], 90)
    assert await store.seats_seen(one.id) == (None, 100)
    assert await store.seats_seen(other.id) == (100, None)
    assert await store.seats_seen("nobody") == (None, None)


async def test_studies(store: Store) -> None:
    data = bytes(range(256))
    await store.add_study("s", "ann", 5, data)
    await store.add_study("t", None, 5, b"")
    assert await store.study("s") == data
    assert await store.study("t") == b""
    assert await store.study("u") is None


async def test_what_is_closed_says_so(store_url: str) -> None:
    async with opened(store_url) as store:
        row = new_match()
        await store.add_match(row)
        pending = [asyncio.ensure_future(append(store, row.id, 1))]
        await next_turn()
        await store.close()
        assert await asyncio.gather(*pending) == [True]
        for call in (store.ping(), append(store, row.id, 2), store.cancel(row.id)):
            with pytest.raises(StoreError, match="closed"):
                await call
