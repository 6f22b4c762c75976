"""Waiting for something to come about, on a busy machine too: the only place where tests sleep.

`until`, `soon` and `soon_found` look again until it is so, `next_turn` lets the loop go on. `let_pass` and
`passed` are for the few tests in which time that passes, or somebody's pace, is the thing tested: nothing is
waited for with them.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

PATIENCE_S = 60.0
_AGAIN_S = 0.01


def until(true: Callable[[], object], seconds: float = PATIENCE_S) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(_AGAIN_S)


async def soon(true: Callable[[], object], seconds: float = PATIENCE_S) -> None:
    """As `until`, while the loop goes on."""
    async with asyncio.timeout(seconds):
        while not true():
            await asyncio.sleep(_AGAIN_S)


async def soon_found(true: Callable[[], Awaitable[object]], seconds: float = PATIENCE_S) -> None:
    """As `soon`, for what has to be asked."""
    async with asyncio.timeout(seconds):
        while not await true():
            await asyncio.sleep(_AGAIN_S)


async def next_turn() -> None:
    """Lets whatever is ready in the loop run as far as it can. No time passes."""
    await asyncio.sleep(0)


def let_pass(seconds: float) -> None:
    time.sleep(seconds)


async def passed(seconds: float) -> None:
    """As `let_pass`, while the loop goes on."""
    await asyncio.sleep(seconds)
