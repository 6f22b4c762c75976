"""Opening a database: every released schema is upgraded without losing a game, by one process at a time."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text

from tengen.match import Match, Setup
from tengen.server.store import upgrade
from tengen.server.store.backup import back_up
from tengen.server.store.schema import REVISION, VERSION_TABLE, metadata
from tengen.server.store.store import Outage, PersonRow, StoreError
from tests.server.schemas.__main__ import MOVES
from tests.server.store_helpers import append, new_match, opened

pytestmark = pytest.mark.anyio


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """Where nothing is yet."""
    return f"sqlite:///{tmp_path / 'tengen.db'}"


SCHEMAS = Path(__file__).parent / "schemas"


def _revisions() -> list[str]:
    config = Config()
    config.set_main_option("script_location", str(upgrade.MIGRATIONS))
    return [step.revision for step in ScriptDirectory.from_config(config).walk_revisions()]


REVISIONS = _revisions()  # the newest first


def test_the_last_revision_is_the_one_that_needs_no_upgrade() -> None:
    assert REVISIONS[0] == REVISION


def test_every_schema_has_a_dump() -> None:
    assert sorted(path.stem for path in SCHEMAS.glob("*.sql")) == sorted(REVISIONS)


@pytest.mark.parametrize("revision", REVISIONS)
async def test_no_schema_loses_a_game(tmp_path: Path, revision: str) -> None:
    path = tmp_path / "old.db"
    with closing(sqlite3.connect(path)) as database:
        database.executescript((SCHEMAS / f"{revision}.sql").read_text())
    async with opened(f"sqlite:///{path}") as store:
        row, log = await store.match("match"), await store.events("match")
        assert row is not None and row.setup is not None
        match = Match.replay(Setup.from_json(row.setup), [stored.event for stored in log])
        assert tuple(stored.event.data["text"] for stored in log) == MOVES
        assert [stored.client_id for stored in log] == [f"client-{n}" for n in range(1, len(MOVES) + 1)]
        assert match.outcome is not None and row.summary.outcome is not None
        assert match.outcome.winner == row.summary.outcome["winner"]
        assert (row.rematch, row.seats[1].player) == ("rematch", "level:3")
        assert await store.person("hash-ann") == PersonRow("ann", "hash-ann", "Ann", 500)
        assert await store.study("study") == b'{"game":"go"}'
        assert await store.seats_seen("match") == (4_000, None)
        assert await store.beat(8_000, 3_000) == [Outage(4_000, 8_000)]
        assert await append(store, "rematch", 1)


async def test_the_migrations_make_the_tables_that_we_use(store_url: str) -> None:
    async with opened(store_url) as store:
        with store._database.reader.connect() as connection:
            context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
            assert compare_metadata(context, metadata) == []


def test_a_backup_of_an_older_schema_upgrades_nothing(tmp_path: Path) -> None:
    """A new version is installed already, and the old one still runs."""
    old, copy = tmp_path / "old.db", tmp_path / "copy.db"
    with closing(sqlite3.connect(old)) as database:
        database.executescript((SCHEMAS / f"{REVISIONS[-1]}.sql").read_text())
    back_up(f"sqlite:///{old}", copy)
    for path in (old, copy):
        with closing(sqlite3.connect(path)) as database:
            assert database.execute(f"SELECT * FROM {VERSION_TABLE}").fetchall() == [(REVISIONS[-1],)]


@pytest.fixture
def with_next_revision(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The migrations as if the next version had come out."""
    folder = tmp_path / "migrations"
    shutil.copytree(upgrade.MIGRATIONS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "versions" / "next.py").write_text(
        "import sqlalchemy as sa\n"
        "from alembic import op\n"
        f"revision, down_revision = 'next', {REVISIONS[0]!r}\n"
        "def upgrade():\n"
        "    op.add_column('people', sa.Column('rating', sa.Integer))\n"
        "    op.execute(\"UPDATE people SET rating = 1 / (CASE name WHEN 'zero' THEN 0 ELSE 1 END)\")\n"
        "    op.execute(\"INSERT INTO beat (id, at_ms) SELECT 1, NULL FROM people WHERE name = 'zero'\")\n"
    )
    monkeypatch.setattr(upgrade, "MIGRATIONS", folder)
    monkeypatch.setattr(upgrade, "REVISION", "next")
    return "next"


async def _filled(url: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A database of the present version."""
    with monkeypatch.context() as patch:
        patch.setattr(upgrade, "MIGRATIONS", Path(upgrade.__file__).parent / "migrations")
        patch.setattr(upgrade, "REVISION", REVISION)
        async with opened(url) as store:
            await store.add_person(PersonRow("ann", "hash", name, 1))


async def test_an_upgrade_keeps_a_copy_of_the_file(
    tmp_path: Path, sqlite_url: str, monkeypatch: pytest.MonkeyPatch, with_next_revision: str
) -> None:
    await _filled(sqlite_url, "Ann", monkeypatch)
    for _ in range(2):
        async with opened(sqlite_url) as store:
            assert await store.person("hash") == PersonRow("ann", "hash", "Ann", 1)
    (copy,) = tmp_path.glob("*.backup*")
    with closing(sqlite3.connect(copy)) as database:
        assert database.execute("SELECT * FROM people").fetchall() == [("ann", "hash", "Ann", 1)]
        assert database.execute(f"SELECT * FROM {VERSION_TABLE}").fetchall() == [(REVISIONS[0],)]
    with closing(sqlite3.connect(tmp_path / "tengen.db")) as database:
        assert database.execute("SELECT * FROM people").fetchall() == [("ann", "hash", "Ann", 1, 1)]
        assert database.execute(f"SELECT * FROM {VERSION_TABLE}").fetchall() == [(with_next_revision,)]


async def test_an_upgrade_that_fails_changes_nothing(
    store_url: str, monkeypatch: pytest.MonkeyPatch, with_next_revision: str
) -> None:
    await _filled(store_url, "zero", monkeypatch)
    with pytest.raises(StoreError, match="cannot be"):
        async with opened(store_url):
            pass
    await _filled(store_url, "zero", monkeypatch)


async def test_a_new_database_is_not_copied(tmp_path: Path, sqlite_url: str) -> None:
    for _ in range(2):
        async with opened(sqlite_url):
            pass
    assert [path.name for path in tmp_path.iterdir()] == ["tengen.db"]


async def test_a_newer_schema_is_refused(store_url: str) -> None:
    async with opened(store_url) as store:
        with store._database.writer.begin() as connection:
            connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '9999'"))
    with pytest.raises(StoreError, match=r"newer version of tengen \(schema 9999\)") as caught:
        async with opened(store_url):
            pass
    assert "only-for-tests" not in str(caught.value)


_OPENER = """
import asyncio, sys
from tests.server.store_helpers import append, opened

async def main(url):
    print("ready", flush=True)
    sys.stdin.readline()
    async with opened(url, "starter") as store:
        await store.ping()

asyncio.run(main(sys.argv[1]))
"""


async def test_processes_that_start_at_once_do_not_collide(store_url: str) -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", _OPENER, store_url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )
        for _ in range(4)
    ]
    for process in processes:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    failed = [errors for process in processes if (errors := process.communicate(timeout=60)[1])]
    assert not failed, failed[0]
    assert [process.returncode for process in processes] == [0] * 4
    async with opened(store_url) as store:
        assert await store.add_match(new_match())


async def test_the_copy_of_an_upgrade_is_a_way_back(tmp_path: Path) -> None:
    """What operations.md says to do: stop, put the copy in place of the file, start; the games are there."""
    path = tmp_path / "tengen.db"
    with closing(sqlite3.connect(path)) as database:
        database.executescript((SCHEMAS / f"{REVISIONS[-1]}.sql").read_text())
    async with opened(f"sqlite:///{path}") as store:
        assert await append(store, "rematch", 1)
    (copy,) = tmp_path.glob(f"tengen.db.{REVISIONS[-1]}.*.backup")
    for beside in (path, *tmp_path.glob("tengen.db-*")):
        beside.unlink()
    shutil.copy(copy, path)
    async with opened(f"sqlite:///{path}") as store:
        assert tuple(stored.event.data["text"] for stored in await store.events("match")) == MOVES
        assert await store.events("rematch") == [], "what came after the copy is lost, and no more"
        assert await append(store, "rematch", 1)


async def test_what_an_older_process_ends_is_found_beside_a_newer_one(store_url: str) -> None:
    """It does not write when a match ended; lists find it all the same, and it counts as live for nobody."""
    async with opened(store_url) as store:
        row = new_match(id="ended-by-an-older-one")
        await store.add_match(row)
        with store._database.writer.begin() as connection:
            connection.execute(text("UPDATE matches SET status = 'over', moved_ms = 5000, number = 1"))
        assert [found.id for found in await store.matches_of("ann")] == [row.id]
        assert [found.id for found in await store.matches_of("ann", before=(6_000, "x"))] == [row.id]
        assert await store.matches_of("ann", before=(5_000, row.id)) == []
        assert await store.live_of("ann") == []
