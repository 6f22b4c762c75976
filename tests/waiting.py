"""Waiting for something to come about, on a busy machine too: the place where tests sleep to look again."""

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
