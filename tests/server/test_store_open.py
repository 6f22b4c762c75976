"""Databases that cannot be opened: one sentence each, without a password in it."""

from __future__ import annotations

import os
import pwd
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tengen.server.store.backup import back_up
from tengen.server.store.database import parse
from tengen.server.store.store import Store, StoreError, StoreUnavailable
from tests.server.postgres import PASSWORD, PostgresServer
from tests.server.store_helpers import append, new_match, numbers, opened

pytestmark = pytest.mark.anyio


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """Where nothing is yet."""
    return f"sqlite:///{tmp_path / 'tengen.db'}"


async def refused(url: str) -> str:
    """The sentence; it is one line, and no cause behind it says more."""
    with pytest.raises(StoreError) as caught:
        async with opened(url):
            pass
    sentence = str(caught.value)
    assert "\n" not in sentence and sentence[-1] in ".?"
    assert PASSWORD not in sentence
    assert caught.value.__cause__ is None and (
        caught.value.__context__ is None or caught.value.__suppress_context__
    )
    return sentence


@pytest.mark.parametrize(
    ("url", "driver"),
    [
        ("sqlite:///a.db", "sqlite"),
        ("sqlite:////tmp/a.db", "sqlite"),
        ("postgresql://u:p@h/d", "postgresql+psycopg"),
        ("postgres://u:p@h/d", "postgresql+psycopg"),
        ("postgresql+psycopg://u:p@h/d", "postgresql+psycopg"),
    ],
)
def test_urls_that_are_understood(url: str, driver: str) -> None:
    assert parse(url).drivername == driver


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("", "cannot be read"),
        (f"nonsense {PASSWORD}", "cannot be read"),
        (f"postgresql://u:{PASSWORD}@h:port/d", "cannot be read"),
        (f"mysql://u:{PASSWORD}@h/d", "must be sqlite or postgresql, not mysql"),
        (f"postgresql+psycopg2://u:{PASSWORD}@h/d", "must be sqlite or postgresql"),
        ("sqlite://", "names no file"),
        ("sqlite:///:memory:", "names no file"),
        ("sqlite:///a.db?mode=ro", "takes no options"),
    ],
)
async def test_urls_that_are_not(url: str, words: str) -> None:
    assert words in await refused(url)


async def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Ann, " * 500)
    assert await refused(f"sqlite:///{path}") == f"{path} is not a database, or it is damaged."
    assert path.read_text() == "Dear Ann, " * 500


async def test_a_database_of_another_program(tmp_path: Path) -> None:
    path = tmp_path / "bookmarks.db"
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE bookmarks (url TEXT)")
    assert await refused(f"sqlite:///{path}") == f"{path} is the database of another program."


async def test_a_folder_in_place_of_the_file(tmp_path: Path) -> None:
    assert "is a folder" in await refused(f"sqlite:///{tmp_path}")


async def test_a_file_in_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "cannot be made" in await refused(f"sqlite:///{tmp_path / 'file' / 'tengen.db'}")


@pytest.fixture
def locked_folder() -> Iterator[Path]:
    """A folder that whoever runs the test may not write to; root becomes somebody else for it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o555)
        root = os.geteuid() == 0
        if root:
            os.seteuid(pwd.getpwnam("nobody").pw_uid)
        try:
            yield folder
        finally:
            if root:
                os.seteuid(0)
            folder.chmod(0o755)


async def test_a_folder_that_cannot_be_written(locked_folder: Path) -> None:
    path = locked_folder / "tengen.db"
    sentence = f"The database {path} cannot be written: check the permissions of its folder."
    assert await refused(f"sqlite:///{path}") == sentence
    assert "cannot be made" in await refused(f"sqlite:///{locked_folder}/new/tengen.db")


async def test_folders_are_made(tmp_path: Path) -> None:
    async with opened(f"sqlite:///{tmp_path}/a/b c%25d/tengen.db"):
        assert (tmp_path / "a" / "b c%d" / "tengen.db").exists()


async def test_sqlite_syncs_every_commit_but_not_the_light_ones(sqlite_url: str) -> None:
    async with opened(sqlite_url) as store:
        modes = {}
        for name in ("writer", "light", "reader"):
            with getattr(store._database, name).connect() as connection:
                modes[name] = [
                    connection.exec_driver_sql(f"PRAGMA {pragma}").scalar()
                    for pragma in ("journal_mode", "synchronous", "foreign_keys", "query_only")
                ]
        assert modes == {"writer": ["wal", 2, 1, 0], "light": ["wal", 1, 1, 0], "reader": ["wal", 2, 1, 1]}


async def test_backup_of_a_database_in_use(tmp_path: Path, sqlite_url: str) -> None:
    target = tmp_path / "copy.db"
    target.write_text("yesterday's")
    async with opened(sqlite_url) as store:
        row = new_match()
        await store.add_match(row)
        await append(store, row.id, 1, 2)
        back_up(sqlite_url, target)
        await append(store, row.id, 3)
        with pytest.raises(StoreError, match="a file of its own"):
            back_up(sqlite_url, tmp_path / "tengen.db")
        with pytest.raises(StoreError, match="cannot be written"):
            back_up(sqlite_url, tmp_path / "missing" / "copy.db")
    assert not list(tmp_path.glob("*.part"))
    async with opened(f"sqlite:///{target}") as copy:
        assert numbers(await copy.events(row.id)) == [1, 2]


async def test_a_backup_onto_a_full_disk(
    tmp_path: Path, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def copy(source: Path, target: Path) -> None:
        with closing(sqlite3.connect(target)) as full:
            full.execute("PRAGMA max_page_count = 1")
            full.execute("CREATE TABLE more (id INTEGER)")

    monkeypatch.setattr("tengen.server.store.backup.copy_file", copy)
    async with opened(sqlite_url):
        with pytest.raises(StoreError, match=r"that would hold the backup .*copy\.db is full"):
            back_up(sqlite_url, tmp_path / "copy.db")


async def test_a_backup_of_what_is_no_database(tmp_path: Path) -> None:
    for name, words, why in (("text", "x" * 2000, "not a database"), ("old", None, "no database at")):
        if words is not None:
            (tmp_path / name).write_text(words)
        with pytest.raises(StoreError, match=why):
            back_up(f"sqlite:///{tmp_path / name}", tmp_path / "copy.db")
    assert not (tmp_path / "copy.db").exists()


async def test_backup_of_postgresql_is_not_ours(postgres_url: str, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="pg_dump"):
        back_up(postgres_url, tmp_path / "copy.db")


async def test_a_server_that_is_not_there(postgres_server: PostgresServer) -> None:
    url = postgres_server.url("postgres").replace(f":{postgres_server.port}/", ":1/")
    assert await refused(url) == "PostgreSQL at 127.0.0.1:1 cannot be reached: is it running?"


async def test_a_wrong_password(postgres_server: PostgresServer) -> None:
    url = postgres_server.url("postgres").replace(PASSWORD, "guessed")
    sentence = await refused(url)
    assert "does not let us in" in sentence and "guessed" not in sentence


async def test_a_database_that_does_not_exist(postgres_server: PostgresServer) -> None:
    assert 'database "missing" does not exist' in await refused(postgres_server.url("missing"))


async def test_short_names_of_postgresql(postgres_url: str) -> None:
    for scheme in ("postgresql", "postgres"):
        store = await Store.open(postgres_url.replace("postgresql+psycopg", scheme), process="one")
        await store.close()


async def test_two_servers_do_not_share_a_file(sqlite_url: str) -> None:
    first = await Store.open(sqlite_url, process="one", alone=True)
    try:
        with pytest.raises(StoreError, match="Another server runs on") as caught:
            await Store.open(sqlite_url, process="two", alone=True)
        assert "\n" not in str(caught.value) and str(caught.value).endswith(".")
        async with opened(sqlite_url) as reader:
            await reader.ping()
    finally:
        await first.close()
    await (await Store.open(sqlite_url, process="three", alone=True)).close()


async def test_two_servers_do_not_share_a_file_by_another_name(tmp_path: Path, sqlite_url: str) -> None:
    (tmp_path / "link.db").symlink_to("tengen.db")
    for one, other in ((sqlite_url, f"{tmp_path}/link.db"), (f"sqlite:///{tmp_path}/link.db", "tengen.db")):
        first = await Store.open(one, process="one", alone=True)
        with pytest.raises(StoreError, match="Another server runs on"):
            await Store.open(f"sqlite:///{tmp_path / other}", process="two", alone=True)
        await first.close()


async def test_a_full_disk_is_told(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(sqlite_url) as store:
        await store.ping()
        monkeypatch.setattr("tengen.server.store.store.free_bytes", lambda path: 1000)
        with pytest.raises(StoreUnavailable, match="is full"):
            await store.ping()
