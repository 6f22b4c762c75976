"""Opens the database that a URL names, ready for use. Start reading at `open_database`.

SQLite has three ways in, all on one file in WAL mode: `writer` syncs every commit to the disk, `light` leaves
that to the next commit of the writer (for what may be lost with the power), `reader` cannot write. Only one
thread writes, see journal.py. With PostgreSQL the three are the same pool, and the journal has a connection
of its own, on which a statement is a transaction.
"""

from __future__ import annotations

import select
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.exc import ArgumentError, DisconnectionError, SQLAlchemyError

from tengen import extras
from tengen.server.store.failures import cannot_open_file, cannot_open_server, is_away
from tengen.server.store.rows import StoreError
from tengen.server.store.statements import POSTGRES, SQLITE, Statements
from tengen.server.store.upgrade import prepare_file, upgrade_file, upgrade_server

THREADS = 4  # that read at once; PostgreSQL's pool has room for them and one more
UNUSED_S = 5.0  # after which the journal's connection is tried before it is used
_USED = "tengen used"
BUSY_MS = 5_000
_BEGIN = "BEGIN IMMEDIATE"
UPGRADE_BUSY_MS = 60_000

_POSTGRES_DEFAULTS = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
    "application_name": "tengen",
}
# No process may hold up the others for long, and an acknowledged event is on the disk. All that we ask for is
# found by an index; but PostgreSQL takes any JSON text for a hundred rows and would rather read whole tables,
# all the more by a plan that it made when they were small.
_POSTGRES_SESSION = (
    "SET lock_timeout = '5s'",
    "SET statement_timeout = '30s'",
    "SET idle_in_transaction_session_timeout = '10s'",
    "SELECT set_config(name, 'on', false) FROM pg_settings"
    " WHERE name = 'synchronous_commit' AND setting = 'off'",
    "SET enable_seqscan = off",
    "SET enable_hashjoin = off",
    "SET enable_mergejoin = off",
)


@dataclass(frozen=True, slots=True)
class Database:
    """`path` is None for PostgreSQL, which other processes may share."""

    writer: Engine
    light: Engine
    reader: Engine
    statements: Statements
    path: Path | None
    appender: Engine | None = None  # of the journal, where it has one of its own
    lock: IO[str] | None = None  # held while a server has the file for itself

    @property
    def shared(self) -> bool:
        return self.path is None

    @contextmanager
    def appending(self) -> Iterator[DBAPICursor]:
        """A durable transaction with nothing but the driver in it, which costs half as much.

        With PostgreSQL each statement is one, and on the disk when it has been executed.
        """
        if self.appender is not None:
            with self._appending_to_server(self.appender) as cursor:
                yield cursor
            return
        pooled = self.writer.raw_connection()
        try:
            cursor = pooled.cursor()
            cursor.execute(_BEGIN)
            yield cursor
            cursor.close()
            pooled.commit()
        finally:
            pooled.close()  # which rolls back what was not committed

    @contextmanager
    def _appending_to_server(self, appender: Engine) -> Iterator[DBAPICursor]:
        pooled = appender.raw_connection()
        try:
            cursor = pooled.cursor()
            yield cursor
            cursor.close()
        except BaseException:
            pooled.invalidate()  # it may have ended
            raise
        finally:
            pooled.close()

    def dispose(self) -> None:
        for engine in {self.reader, self.light, self.writer, self.appender or self.writer}:
            engine.dispose()
        if self.lock is not None:
            self.lock.close()


def open_database(url: str, *, alone: bool = False) -> Database:
    """The database with its schema brought up to date; raises StoreError with one sentence.

    `alone` refuses an SQLite file that somebody else has opened like that.
    """
    parsed = parse(url)
    if parsed.get_backend_name() != "sqlite":
        return _open_server(parsed)
    path = Path(parsed.database or "")
    lock = _locked(path) if alone else None
    try:
        return replace(_open_file(path), lock=lock)
    except BaseException:
        if lock is not None:
            lock.close()
        raise


def _locked(path: Path) -> IO[str] | None:
    """A file beside the database that this process holds until it ends; None where that cannot be done."""
    try:
        import fcntl
    except ImportError:
        return None
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = path.resolve()  # which may have other names, by links
        lock = file.with_name(f"{file.name}.lock").open("w")
    except OSError:
        return None  # what is wrong with the folder is said when the database is opened
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise StoreError(
            f"Another server runs on {path}: stop it first, or use PostgreSQL for several."
        ) from None
    except OSError:
        lock.close()
        return None
    return lock


def free_bytes(path: Path) -> int:
    """How much more fits on the disk that holds a file."""
    return shutil.disk_usage(path.parent).free


def parse(url: str) -> URL:
    """The URL with the driver that we use. Errors do not repeat it: it may hold a password."""
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        raise StoreError(
            "The database URL cannot be read: write sqlite:///FILE or postgresql://USER@HOST/NAME."
        ) from None
    if parsed.drivername in ("sqlite", "sqlite+pysqlite"):
        if parsed.database in (None, "", ":memory:") or str(parsed.database).startswith("file:"):
            raise StoreError("The database URL names no file: write sqlite:///FILE.")
        if parsed.query:
            raise StoreError("The URL of an SQLite database takes no options: write sqlite:///FILE.")
        return parsed.set(drivername="sqlite")
    if parsed.drivername in ("postgres", "postgresql", "postgresql+psycopg"):
        if not extras.has("postgres"):
            raise StoreError(extras.sentence("postgres", "A PostgreSQL database"))
        return parsed.set(drivername="postgresql+psycopg")
    raise StoreError(
        f"The database must be sqlite or postgresql, not {parsed.drivername}: "
        "write sqlite:///FILE or postgresql://USER@HOST/NAME."
    )


def _open_file(path: Path) -> Database:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        raise StoreError(f"The folder {path.parent} cannot be made: check its permissions.") from None
    if path.is_dir():
        raise StoreError(f"{path} is a folder; the database is a file.")
    with suppress(OSError):  # there is one, or SQLite says why there cannot be
        path.touch(mode=0o600, exist_ok=False)  # SQLite gives the files beside it the same rights
    try:
        prepare_file(path)
        upgrader = _file_engine(path, UPGRADE_BUSY_MS, "BEGIN EXCLUSIVE")
        try:
            upgrade_file(upgrader, path)
        finally:
            upgrader.dispose()
    except (SQLAlchemyError, sqlite3.Error) as error:
        raise cannot_open_file(path, error) from None
    return Database(
        writer=_file_engine(path, BUSY_MS, _BEGIN),
        light=_file_engine(path, BUSY_MS, _BEGIN, "PRAGMA synchronous = NORMAL"),
        reader=_file_engine(path, BUSY_MS, "BEGIN", "PRAGMA query_only = ON", pool_size=THREADS),
        statements=SQLITE,
        path=path,
    )


def _file_engine(path: Path, busy_ms: int, begin: str, *pragmas: str, pool_size: int = 1) -> Engine:
    engine = create_engine(
        URL.create("sqlite", database=str(path)), hide_parameters=True, pool_size=pool_size, max_overflow=0
    )
    settings = (
        f"PRAGMA busy_timeout = {busy_ms}",
        "PRAGMA synchronous = FULL",
        "PRAGMA fullfsync = ON",
        "PRAGMA foreign_keys = ON",
        "PRAGMA temp_store = MEMORY",  # what undoes a statement that fails half-way; the log is on the disk
        *pragmas,
    )

    def connected(raw: Any, _record: object) -> None:
        raw.isolation_level = None  # transactions begin with our own words, below
        for setting in settings:
            raw.execute(setting).close()

    def began(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    event.listen(engine, "connect", connected)
    event.listen(engine, "begin", began)
    return engine


def _open_server(url: URL) -> Database:
    engine = _server_engine(
        url, isolation_level="READ COMMITTED", pool_pre_ping=True, pool_size=THREADS + 1, pool_timeout=10
    )
    try:
        upgrade_server(engine)
    except SQLAlchemyError as error:
        engine.dispose()
        raise cannot_open_server(_address(url), error) from None
    except StoreError:
        engine.dispose()
        raise
    appender = _server_engine(url, isolation_level="AUTOCOMMIT", pool_reset_on_return=None, pool_size=1)
    event.listen(appender, "checkout", _check_alive)
    return Database(
        writer=engine, light=engine, reader=engine, appender=appender, statements=POSTGRES, path=None
    )


def _server_engine(url: URL, **how: Any) -> Engine:
    defaults = {name: value for name, value in _POSTGRES_DEFAULTS.items() if name not in url.query}
    engine = create_engine(url, connect_args=defaults, hide_parameters=True, max_overflow=0, **how)

    def connected(raw: Any, _record: object) -> None:
        for setting in _POSTGRES_SESSION:
            raw.execute(setting)
        raw.commit()

    event.listen(engine, "connect", connected)
    return engine


def _check_alive(raw: Any, record: Any, _pooled: object) -> None:
    """Tries a connection that has something to say unasked, as when it was ended, or was not used of late."""
    now, used = time.monotonic(), record.info.get(_USED)
    record.info[_USED] = now
    poll = select.poll()
    poll.register(raw.fileno(), select.POLLIN)
    if used is not None and (now - used > UNUSED_S or poll.poll(0)):
        try:
            raw.execute("SELECT 1")
        except Exception as error:
            if not is_away(error):
                raise
            raise DisconnectionError from error


def _address(url: URL) -> str:
    return f"{url.host or 'the local socket'}:{url.port or 5432}"
