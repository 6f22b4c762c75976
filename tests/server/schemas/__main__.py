"""Writes the dump of the present schema beside this file, if there is none yet."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from alembic.config import Config
from alembic.script import ScriptDirectory

from tengen.match import Absolute, Occupant
from tengen.server.store.store import PersonRow, Stored
from tengen.server.store.upgrade import MIGRATIONS
from tests.match.helpers import new_match, play
from tests.server import store_helpers

MOVES = ("D4", "E5", "F6", "pass", "pass")


async def fill(url: str) -> None:
    match = new_match(
        "go",
        clock=Absolute(600_000),
        seats=(Occupant("Ann", id="ann"), Occupant("Level 3", "machine", "level:3")),
        started_ms=1_000,
        size=9,
        scoring="area",
    )
    played = [Stored(event, f"client-{event.number}") for event in play(match, *MOVES, at_ms=2_000)]
    setup = match.setup.to_json()
    row = store_helpers.new_match(
        id="match",
        seats=(store_helpers.ANN, replace(store_helpers.OPEN, kind="machine", player="level:3")),
        options=setup["options"],
        clock=setup["clock"],
        started_ms=1_000,
        setup=setup,
    )
    assert match.outcome is not None
    outcome = {"winner": match.outcome.winner, "reason": match.outcome.reason, "score": match.outcome.score}
    async with store_helpers.opened(url) as store:
        await store.add_person(PersonRow("ann", "hash-ann", "Ann", 500))
        await store.add_match(row)
        await store.add_match(store_helpers.new_match(id="rematch", rematch_of="match"))
        assert await store.append(
            "match", played, store_helpers.at(len(played), status="over", outcome=outcome)
        )
        await store.add_study("study", "ann", 3_000, b'{"game":"go"}')
        await store.beat(4_000, 3_000)
        await store.claim("rematch", 0, until_ms=5_000, now_ms=4_000)
        await store.seen([("match", 0)], 4_000)


def dump(path: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(fill(f"sqlite:///{folder}/tengen.db"))
        with closing(sqlite3.connect(f"{folder}/tengen.db")) as database:
            path.write_text("\n".join(database.iterdump()) + "\n")


if __name__ == "__main__":
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    newest = Path(__file__).with_name(f"{ScriptDirectory.from_config(config).get_current_head()}.sql")
    if not newest.exists():
        dump(newest)
