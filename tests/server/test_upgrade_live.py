"""An upgrade while people play: processes of the first release go on beside new ones on one PostgreSQL."""

from __future__ import annotations

import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import Boolean, Engine, MetaData, create_engine, text

import tengen
from tengen.match import Event, Match, NoClock, Occupant, Setup
from tengen.server.matches.hub import Hub
from tengen.server.store import upgrade
from tengen.server.store.schema import VERSION_TABLE
from tests.server.first_release import OldProcess
from tests.server.postgres import binaries
from tests.server.schemas.__main__ import MOVES
from tests.server.store_helpers import append, opened
from tests.server.table import ask, table, until, watch
from tests.server.test_hub_many import at_number
from tests.server.test_store_upgrade import REVISIONS, SCHEMAS

pytestmark = pytest.mark.anyio
FIRST = "0001"


def first_release(url: str) -> None:
    """The stored database of the first release, in PostgreSQL."""
    engine = create_engine(url)
    with engine.begin() as connection:
        command.upgrade(upgrade._config(connection), FIRST)
    tables = MetaData()
    tables.reflect(engine)
    with closing(sqlite3.connect(":memory:")) as stored, engine.begin() as connection:
        stored.row_factory = sqlite3.Row
        stored.executescript((SCHEMAS / f"{FIRST}.sql").read_text())
        for table_ in tables.sorted_tables:
            if table_.name == VERSION_TABLE:
                continue
            flags = {column.name for column in table_.columns if isinstance(column.type, Boolean)}
            for row in stored.execute(f"SELECT * FROM {table_.name}"):
                values = {key: bool(value) if key in flags else value for key, value in dict(row).items()}
                connection.execute(table_.insert().values(values))
    engine.dispose()


def revision(engine: Engine) -> str:
    with engine.connect() as connection:
        return str(connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar_one())


async def test_old_and_new_processes_play_side_by_side(postgres_url: str) -> None:
    first_release(postgres_url)
    game = tengen.game("great-kingdom", size=9)
    seats = (Occupant("Ann", "person", "ann"), Occupant("Ann", "person", "ann"))
    setup = Setup(game=game, seats=seats, clock=NoClock(), started_ms=10_000)
    own = {f"of-the-old-{number:06}": (0, 1) for number in range(8)}
    shared = "between-old-and-new"
    old = OldProcess(postgres_url, setup, own | {shared: (0,)})
    old.make(("ann", "ann"), game.diagram(game.start()))
    engine = create_engine(postgres_url)
    old.start()
    try:
        await until(lambda: min(old.acknowledged.values()) >= 1)
        before = dict(old.acknowledged)
        assert revision(engine) == FIRST
        async with table(postgres_url) as new, table(postgres_url) as another:
            assert revision(engine) == REVISIONS[0], "upgraded under load"
            eyes = {match: await watch(another, match) for match in own}
            mine = await watch(new, shared)
            ann = await new.store.person("hash-ann")
            assert ann is not None
            for turn in range(6):
                await at_number(mine, 2 * turn + 1)
                safe = [one for one in mine.now().legal[:-1] if _goes_on(new, shared, one)]
                await ask(new, shared, ann, "move", actions=[safe[turn]], seat=1)
            assert mine.now().number >= 12
            await until(lambda: all(old.acknowledged[match] > before[match] for match in own))
            old.ending.set()
            old.join(60)
            await until(lambda: all(eyes[match].now().number == old.acknowledged[match] for match in own))
            logs = await new.store.events_of(dict.fromkeys([*own, shared], 0))
    finally:
        old.ending.set()
        old.join(60)
        engine.dispose()
    assert old.error is None
    for match, log in logs.items():
        events: list[Event] = [stored.event for stored in log]
        assert [event.number for event in events] == list(range(1, len(events) + 1))
        assert len(events) >= old.acknowledged[match], "what the old process was told is stored, is there"
        assert Match.replay(setup, events).position == events[-1].position
    assert [one.event.seat for one in logs[shared]][:12] == [0, 1] * 6


def _goes_on(hub: Hub, match: str, action: int) -> bool:
    room = hub.rooms.get(match)
    assert room is not None
    return room.match.state.play(action).outcome is None


async def test_a_dump_of_postgresql_is_a_way_back(tmp_path: Path, postgres_url: str) -> None:
    """What operations.md says: pg_dump before the upgrade, pg_restore where it is to be undone."""
    first_release(postgres_url)
    plain, dump = postgres_url.replace("+psycopg", ""), tmp_path / "tengen.dump"
    subprocess.run([binaries() / "pg_dump", "--format=custom", f"--file={dump}", plain], check=True)
    async with opened(postgres_url) as store:
        assert await append(store, "rematch", 1)
    server, _, name = plain.rpartition("/")
    for program in ("dropdb", "createdb"):
        subprocess.run([binaries() / program, f"--maintenance-db={server}/postgres", name], check=True)
    subprocess.run([binaries() / "pg_restore", f"--dbname={plain}", dump], check=True)
    engine = create_engine(postgres_url)
    assert revision(engine) == FIRST
    engine.dispose()
    async with opened(postgres_url) as store:
        assert tuple(stored.event.data["text"] for stored in await store.events("match")) == MOVES
        assert await store.events("rematch") == [], "what came after the dump is lost, and no more"
        assert await append(store, "rematch", 1)
