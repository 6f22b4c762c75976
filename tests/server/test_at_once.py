"""What one address does at the same time is little, and no other address waits for it."""

from __future__ import annotations

import asyncio

import pytest

from tengen.server.at_once import AtOnce
from tests.waiting import next_turn

MOST = 3
ONE, OTHER = "203.0.113.7", "198.51.100.1"


async def turns() -> None:
    """As many as it takes from one who ends to another who begins."""
    for _ in range(5):
        await next_turn()


class Work:
    """Something that is done until it is told to end."""

    def __init__(self, at_once: AtOnce, address: str) -> None:
        self.begun, self._end = False, asyncio.Event()
        self.task = asyncio.ensure_future(self._run(at_once, address))

    async def _run(self, at_once: AtOnce, address: str) -> None:
        async with at_once.turn(address):
            self.begun = True
            await self._end.wait()

    async def end(self) -> None:
        self._end.set()
        await self.task


@pytest.mark.anyio
async def test_one_address_waits_and_another_does_not() -> None:
    at_once = AtOnce(MOST)
    works = [Work(at_once, ONE) for _ in range(3 * MOST)]
    await turns()
    assert [work.begun for work in works] == [True] * MOST + [False] * 2 * MOST
    other = Work(at_once, OTHER)
    await turns()
    assert other.begun
    await works[0].end()
    await turns()
    assert [work.begun for work in works] == [True] * (MOST + 1) + [False] * (2 * MOST - 1)
    for work in (*works, other):
        await work.end()
    assert not at_once.busy


@pytest.mark.anyio
async def test_who_goes_away_while_waiting_or_at_work_makes_room() -> None:
    at_once = AtOnce(MOST)
    works = [Work(at_once, ONE) for _ in range(MOST + 2)]
    await turns()
    for gone in (works[0], works[MOST]):
        gone.task.cancel()
    await turns()
    assert works[-1].begun and not works[MOST].begun
    for work in (*works[1:MOST], works[-1]):
        await work.end()
    assert not at_once.busy


@pytest.mark.anyio
async def test_without_limits_nobody_waits() -> None:
    at_once = AtOnce(None)
    works = [Work(at_once, ONE) for _ in range(2 * MOST)]
    await turns()
    assert all(work.begun for work in works)
    for work in works:
        await work.end()
