"""Appending: all or nothing, once, in order, whoever else appends at the same time, and whoever dies."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import event

from tengen.server.store.journal import MAX_BATCH
from tengen.server.store.store import Store, Stored, StoreError
from tests.server.store_helpers import (
    WAITING,
    append,
    assert_whole,
    at,
    new_event,
    new_match,
    numbers,
    opened,
)
from tests.waiting import let_pass, next_turn, soon_found

pytestmark = pytest.mark.anyio


@pytest.fixture
async def store(store_url: str) -> AsyncIterator[Store]:
    async with opened(store_url) as store:
        yield store


async def test_one_of_eight_gets_a_number(store: Store, store_url: str) -> None:
    row = new_match()
    await store.add_match(row)
    async with opened(store_url, "two") as other:
        for number in range(1, 30, 2):
            racers = [
                append(one, row.id, number, number + 1, client_id=f"{number} {i}")
                for i, one in enumerate((store, other) * 4)
            ]
            assert sorted(await asyncio.gather(*racers)) == [False] * 7 + [True]
    assert await assert_whole(store, row.id) == 30
    assert len({one.client_id for one in await store.events(row.id)} - {None}) == 15


async def test_two_processes_append_without_torn_logs(store: Store, store_url: str) -> None:
    """Each batch has many matches in another order; nobody waits for ever for a lock that another has."""
    rows = [new_match() for _ in range(20)]
    await asyncio.gather(*(store.add_match(row) for row in rows))

    async def play(one: Store, match_id: str, seed: int) -> None:
        """Who is second reads on and tries again."""
        rng, won = random.Random(seed), 0
        while won < 15:
            number = len(await one.events(match_id)) + 1
            won += await append(one, match_id, *range(number, number + rng.randint(1, 3)))

    async with opened(store_url, "two") as other:
        await asyncio.gather(*(play(one, row.id, i) for i, row in enumerate(rows) for one in (store, other)))
    for row in rows:
        assert await assert_whole(store, row.id) >= 30


async def test_the_same_client_id_is_stored_once(store: Store) -> None:
    row, other = new_match(), new_match()
    for one in (row, other):
        await store.add_match(one)
    assert await append(store, row.id, 1, client_id="x")
    assert not await append(store, row.id, 2, client_id="x")
    assert not await store.append(row.id, [new_event(2, "y"), new_event(3, "x")], at(3))
    assert not await store.append(row.id, [new_event(2, "z"), new_event(3, "z")], at(3))
    assert await append(store, other.id, 1, client_id="x")
    assert await append(store, row.id, 2, client_id="y")
    assert [one.client_id for one in await store.events(row.id)] == ["x", "y"]
    assert await assert_whole(store, row.id) == 2


async def test_matches_of_one_batch_that_begin_go_on_and_end(store: Store) -> None:
    """Each has its own summary afterwards, and who is over is no longer among the live ones."""
    begins, goes_on, ends = new_match(WAITING), new_match(), new_match()
    for row in (begins, goes_on, ends):
        await store.add_match(row)
    for number in (1, 2):  # also after the end, where a rematch may be offered
        summaries = {
            begins.id: at(number, diagram="a"),
            goes_on.id: at(number, flag_at_ms=99, to_move=1),
            ends.id: at(number, status="over", outcome={"winner": 1, "reason": "resign", "score": None}),
        }
        stored = (store.append(match_id, [new_event(number)], one) for match_id, one in summaries.items())
        assert all(await asyncio.gather(*stored))
        for row in (begins, goes_on, ends):
            assert await store.match(row.id) == replace(row, summary=summaries[row.id])
        assert await store.count_live() == 2


async def test_a_conflict_leaves_the_others_of_its_batch_alone(store: Store) -> None:
    rows = [new_match() for _ in range(40)]
    await asyncio.gather(*(store.add_match(row) for row in rows))
    for row in rows:
        assert await append(store, row.id, 1, client_id="x")
    wanted = [
        (append(store, row.id, 2, client_id="x"), False)
        if i % 9 == 0
        else (append(store, row.id, 3), False)
        if i % 9 == 1
        else (append(store, row.id, 2, client_id="y"), True)
        for i, row in enumerate(rows)
    ]
    wanted.append((append(store, "nobody", 1), False))
    assert await asyncio.gather(*(call for call, _ in wanted)) == [answer for _, answer in wanted]
    for i, row in enumerate(rows):
        assert await assert_whole(store, row.id) == (1 if i % 9 < 2 else 2)


async def test_appends_to_one_match_in_one_batch(store: Store) -> None:
    row = new_match()
    await store.add_match(row)
    asked = [(1, 2), (2, 3), (3,), (3, 4), (4, 5, 6), (6,), (7,)]
    went_in = await asyncio.gather(*(append(store, row.id, *some) for some in asked))
    assert went_in == [True, False, True, False, True, False, True]
    assert await assert_whole(store, row.id) == 7


async def test_more_than_a_batch_holds(store: Store) -> None:
    row = new_match()
    await store.add_match(row)
    many = MAX_BATCH + 200
    assert all(await asyncio.gather(*(append(store, row.id, number) for number in range(1, many + 1))))
    assert await assert_whole(store, row.id) == many


async def one_bad_among_good(store: Store, bad: Stored) -> object:
    """What comes of an append that should fail; those that wait with it must go in."""
    rows = [new_match() for _ in range(10)]
    await asyncio.gather(*(store.add_match(row) for row in rows))
    calls = [append(store, row.id, 1) for row in rows[1:]]
    calls.insert(5, store.append(rows[0].id, [bad], at(1)))
    results: list[object] = await asyncio.gather(*calls, return_exceptions=True)
    result = results.pop(5)
    assert results == [True] * 9
    assert await store.events(rows[0].id) == []
    return result


async def test_what_cannot_be_written_fails_alone(store: Store) -> None:
    assert isinstance(await one_bad_among_good(store, new_event(1, seat=object())), TypeError)


async def test_what_the_database_cannot_hold_fails_alone(postgres_url: str) -> None:
    async with opened(postgres_url) as store:
        result = await one_bad_among_good(store, new_event(1, position="a\0b"))
        assert type(result) is StoreError


@pytest.mark.parametrize(
    "stored",
    [
        [],
        [new_event(2)],
        [new_event(1), new_event(3)],
        [new_event(1), new_event(2), new_event(3), new_event(4)],
        [new_event(1), new_event(2), new_event(3, "a\0b")],
        [new_event(1), new_event(2), new_event(3, "\ud800")],
    ],
)
async def test_what_makes_no_sense_is_refused_at_once(sqlite_url: str, stored: list[Stored]) -> None:
    async with opened(sqlite_url) as store:
        row = new_match()
        await store.add_match(row)
        with pytest.raises(ValueError, match=r"an append needs|printable"):
            await store.append(row.id, stored, at(3))
        assert await store.events(row.id) == []


async def test_appends_that_wait_share_a_commit(store: Store) -> None:
    rows = [new_match() for _ in range(200)]
    await asyncio.gather(*(store.add_match(row) for row in rows))
    commits: list[object] = []
    event.listen(store._database.writer, "commit", commits.append)
    for number in range(1, 6):
        assert all(await asyncio.gather(*(append(store, row.id, number) for row in rows)))
    assert len(commits) < 100


async def test_a_task_that_is_cancelled_does_not_stop_the_journal(store: Store) -> None:
    row = new_match()
    await store.add_match(row)
    waiting = asyncio.ensure_future(append(store, row.id, 1))
    await next_turn()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    await soon_found(lambda: store.events(row.id))
    assert await append(store, row.id, 2)


_WRITER = """
import asyncio, sys
from tests.server.store_helpers import append, opened

async def main(url, *matches):
    async with opened(url, "doomed") as store:
        async def play(match_id):
            number = len(await store.events(match_id)) + 1
            while True:
                assert await append(store, match_id, number, number + 1, number + 2)
                print(match_id, number + 2, flush=True)
                number += 3
        await asyncio.gather(*(play(match_id) for match_id in matches))

asyncio.run(main(*sys.argv[1:]))
"""


async def test_a_killed_process_leaves_whole_logs(store_url: str) -> None:
    rows = [new_match() for _ in range(8)]
    async with opened(store_url) as store:
        for row in rows:
            await store.add_match(row)
    told = dict.fromkeys((row.id for row in rows), 0)
    for lines in (1, 150, 400):
        with subprocess.Popen(
            [sys.executable, "-c", _WRITER, store_url, *told],
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        ) as writer:
            assert writer.stdout is not None
            read = [writer.stdout.readline() for _ in range(lines)]
            let_pass(random.uniform(0, 0.02))
            writer.kill()
            read += writer.stdout.read().splitlines()
        for line in read:
            if len(words := line.split()) == 2 and words[1].isdigit() and line:
                told[words[0]] = max(told[words[0]], int(words[1]))
        async with opened(store_url) as store:
            for match_id, number in told.items():
                length = await assert_whole(store, match_id)
                assert length >= number
                assert length % 3 == 0
            assert sum(told.values()) >= lines
            row_id = rows[0].id
            length = len(await store.events(row_id))
            assert await append(store, row_id, length + 1, length + 2, length + 3)
            assert numbers(await store.events(row_id, length)) == [length + 1, length + 2, length + 3]
