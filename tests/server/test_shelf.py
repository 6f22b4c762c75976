"""Studies are kept within what the operator gives them: room, and days."""

from __future__ import annotations

from pathlib import Path

import pytest

from tengen.server.stamp import now_ms
from tests.server.live import live
from tests.server.store_helpers import opened
from tests.server.table import table
from tests.waiting import soon_found

DAY_MS = 86_400_000


def test_all_studies_together_have_a_limit(tmp_path: Path) -> None:
    with live(tmp_path, studies_bytes=1000) as server:
        text = {"text": "(;GM[1]SZ[9];B[ee])"}
        answers = [server.client().post("/api/studies", json=text) for _ in range(5)]
        assert answers[0].status_code == 201
        last = answers[-1]
        assert (last.status_code, last.json()["code"]) == (409, "not-now")
        assert last.json()["message"] == "This server has no room for more studies; ask whoever runs it."


@pytest.mark.anyio
async def test_what_studies_take_is_known(store_url: str) -> None:
    async with opened(store_url) as store:
        assert await store.study_bytes() == 0
        for number in range(3):
            await store.add_study(f"study-{number}", None, number * DAY_MS, bytes(100_000))
        assert await store.study_bytes() == 300_000
        assert await store.forget_studies(2 * DAY_MS, limit=1) == 1
        assert await store.forget_studies(2 * DAY_MS) == 1
        assert await store.study_bytes() == 100_000 and await store.study("study-2") is not None


@pytest.mark.anyio
async def test_studies_are_forgotten_when_the_operator_says_so(sqlite_url: str) -> None:
    async with opened(sqlite_url) as store:
        for days in (31, 29):
            await store.add_study(f"study-{days}", None, now_ms() - days * DAY_MS, b"{}")
        async with table(sqlite_url, keep_studies_days=30, beat_s=0.05):

            async def forgotten() -> bool:
                return await store.study("study-31") is None

            await soon_found(forgotten)
        assert await store.study("study-29") is not None
