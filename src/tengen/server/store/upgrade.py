"""Brings the schema up to date when a database is opened, under a lock: of two processes one waits.

An SQLite file that has to be upgraded is first copied beside itself. A schema that this version does not know
is left alone. Nearly always there is nothing to do, and then Alembic, which takes a tenth of a second to
import, stays out.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Engine, Text, column, inspect, select, table

from tengen.server.store.rows import StoreError
from tengen.server.store.schema import REVISION, VERSION_TABLE, metadata

if TYPE_CHECKING:
    from alembic.config import Config

MIGRATIONS = Path(__file__).parent / "migrations"
ADVISORY_LOCK = 0x74656E67656E  # "tengen"
_WAL_SECONDS = 10.0

_one_at_a_time = threading.Lock()  # Alembic keeps its context in globals


def prepare_file(path: Path) -> None:
    """Makes the file if there is none, and puts it into WAL mode; raises sqlite3.Error or StoreError."""
    deadline = time.monotonic() + _WAL_SECONDS
    while True:
        raw = sqlite3.connect(path, isolation_level=None)
        try:
            (mode,) = raw.execute("PRAGMA journal_mode = WAL").fetchone()
            break
        except sqlite3.OperationalError as error:
            # SQLite does not wait by itself where another process changes the mode at the same time.
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
        finally:
            raw.close()
        time.sleep(0.02)
    if mode != "wal":
        raise StoreError(f"The folder {path.parent} is on a file system that SQLite cannot use safely.")


def upgrade_file(engine: Engine, path: Path) -> None:
    """`engine` begins its transactions with BEGIN EXCLUSIVE."""
    with engine.begin() as connection:
        tables = inspect(connection).get_table_names()
        if tables and VERSION_TABLE not in tables:
            raise StoreError(f"{path} is the database of another program.")
        revision = _revision(connection) if tables else None
        if revision == REVISION:
            return
        if revision is not None:
            _check_known(revision)
            stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
            copy_file(path, path.with_name(f"{path.name}.{revision}.{stamp}.backup"))
        _upgrade(connection)


def upgrade_server(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.exec_driver_sql("SET LOCAL lock_timeout = '120s'")
        connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({ADVISORY_LOCK})")
        tables = set(inspect(connection).get_table_names())
        if VERSION_TABLE not in tables and tables & set(metadata.tables):
            raise StoreError("The PostgreSQL database has tables of another program: make one for tengen.")
        revision = _revision(connection) if VERSION_TABLE in tables else None
        if revision == REVISION:
            return
        if revision is not None:
            _check_known(revision)
        _upgrade(connection)


def copy_file(path: Path, target: Path) -> None:
    """A whole and consistent copy of an SQLite database that may be in use; it appears at once or not."""
    unfinished = target.with_name(f"{target.name}.part")
    unfinished.unlink(missing_ok=True)
    source = sqlite3.connect(path)
    try:
        unfinished.touch(mode=0o600)
        copy = sqlite3.connect(unfinished)
        try:
            source.backup(copy)
        finally:
            copy.close()
        with unfinished.open("rb") as written:
            os.fsync(written.fileno())
        unfinished.replace(target)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
    finally:
        source.close()


def _config(connection: Connection | None = None) -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def _revision(connection: Connection) -> str | None:
    """What the database says of itself; None where it has only just been made."""
    query = select(column("version_num", Text)).select_from(table(VERSION_TABLE))
    return connection.execute(query).scalar()


def _check_known(revision: str) -> None:
    """Raises StoreError for a schema of the future."""
    from alembic.script import ScriptDirectory

    script = ScriptDirectory.from_config(_config())
    if revision not in {step.revision for step in script.walk_revisions()}:
        raise StoreError(
            f"The database was written by a newer version of tengen (schema {revision}): install "
            "that version, or use another database."
        )


def _upgrade(connection: Connection) -> None:
    from alembic import command

    with _one_at_a_time:
        command.upgrade(_config(connection), "head")
