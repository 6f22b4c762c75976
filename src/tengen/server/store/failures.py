"""What a failure of the database means: try again later, never, or a sentence for whoever runs the server.

`failure` turns what SQLAlchemy or a driver raises into StoreError or StoreUnavailable. Neither the sentences
nor the log hold parameters, URLs or the detail lines of the driver, since those may hold secrets.
"""

from __future__ import annotations

import logging
import sqlite3
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TypeGuard

from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from tengen.server.store.rows import StoreError, StoreUnavailable

if TYPE_CHECKING:
    import psycopg

log = logging.getLogger(__name__)

_SQLITE_AWAY = {
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_INTERRUPT,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PROTOCOL,
    sqlite3.SQLITE_NOTADB,
}
# Classes of SQLSTATE: connection, transaction rollback, resources, object state, operator, system. 25006 is a
# server that takes no writes, as a standby does.
_POSTGRES_AWAY = ("08", "40", "53", "55", "57", "58", "25006")
_POSTGRES_AGAIN = ("40001", "40P01")  # serialisation, deadlock


def driver_error(error: BaseException) -> BaseException:
    """What the driver raised, under what SQLAlchemy made of it."""
    return error.orig if isinstance(error, DBAPIError) and error.orig is not None else error


def from_postgres(error: BaseException) -> TypeGuard[psycopg.Error]:
    """Whether PostgreSQL's driver raised it, which cannot be where nobody has imported the driver."""
    driver = sys.modules.get("psycopg")
    return driver is not None and isinstance(error, driver.Error)


def sqlite_code(error: BaseException) -> int | None:
    code = getattr(driver_error(error), "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def is_conflict(error: BaseException) -> bool:
    cause = driver_error(error)
    if from_postgres(cause):
        return isinstance(cause, sys.modules["psycopg"].IntegrityError)
    return isinstance(cause, sqlite3.IntegrityError)


def may_run_again(error: BaseException) -> bool:
    """The transaction lost against another one and was rolled back whole."""
    cause = driver_error(error)
    return from_postgres(cause) and cause.sqlstate in _POSTGRES_AGAIN


def is_away(error: BaseException) -> bool:
    """The database is at fault, not what it was asked."""
    if isinstance(error, PoolTimeout | OSError):
        return True
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return True
    cause = driver_error(error)
    if from_postgres(cause):
        if cause.sqlstate:
            return cause.sqlstate.startswith(_POSTGRES_AWAY)
        driver = sys.modules["psycopg"]
        return isinstance(cause, driver.OperationalError | driver.InterfaceError)
    return sqlite_code(cause) in _SQLITE_AWAY


def is_full(error: BaseException) -> bool:
    cause = driver_error(error)
    if from_postgres(cause):
        return cause.sqlstate == "53100"
    return sqlite_code(cause) == sqlite3.SQLITE_FULL


def brief(error: BaseException) -> str:
    """The first line of the driver's message: what happened, without the values it happened to."""
    cause = driver_error(error)
    if from_postgres(cause) and cause.diag.message_primary:
        return cause.diag.message_primary
    return (str(cause).splitlines() or [type(cause).__name__])[0]


def failure(error: BaseException) -> BaseException:
    """What the caller of the store gets to see. Errors that are not the database's are left as they are."""
    known = isinstance(error, SQLAlchemyError | sqlite3.Error | OSError) or from_postgres(error)
    if isinstance(error, StoreError) or not known:
        return error
    if is_away(error):
        log.warning("database unavailable: %s", brief(error))
        if is_full(error):
            return StoreUnavailable("The disk that holds the database is full.")
        return StoreUnavailable("The database cannot be reached or cannot be written just now.")
    log.error("database refused a statement: %s", brief(error))
    return StoreError("The database refused what was to be stored.")


def cannot_open_file(path: Path, error: BaseException) -> StoreError:
    """Why an SQLite file cannot be opened."""
    match sqlite_code(error):
        case sqlite3.SQLITE_NOTADB | sqlite3.SQLITE_CORRUPT:
            return StoreError(f"{path} is not a database, or it is damaged.")
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return StoreError(f"{path} is in use by another program.")
        case sqlite3.SQLITE_FULL:
            return StoreError(f"The disk that holds {path} is full.")
        case sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM:
            return StoreError(f"The database {path} cannot be written: check the permissions of its folder.")
    return StoreError(f"The database {path} cannot be opened: {brief(error)}.")


def cannot_open_server(address: str, error: BaseException) -> StoreError:
    """Why a PostgreSQL server cannot be used."""
    cause = driver_error(error)
    words = brief(error)
    if from_postgres(cause) and cause.sqlstate == "42501":
        return StoreError(f"The PostgreSQL user may not create tables at {address}: {words}.")
    if "FATAL:" in words:
        reason = words.split("FATAL:", 1)[1].strip()
        return StoreError(f"PostgreSQL at {address} does not let us in: {reason}.")
    if isinstance(error, DBAPIError) and not is_away(error):
        return StoreError(f"PostgreSQL at {address} cannot be used: {words}.")
    return StoreError(f"PostgreSQL at {address} cannot be reached: is it running?")
