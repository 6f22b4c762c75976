"""A copy of an SQLite database as it is, whatever its schema, also while a server has it open.

Nothing is upgraded for it: whoever installs a new version may make the back-up afterwards as well.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from tengen.server.store.database import parse
from tengen.server.store.failures import cannot_open_file, is_full
from tengen.server.store.rows import StoreError
from tengen.server.store.upgrade import copy_file


def back_up(url: str, target: Path) -> None:
    """Writes the copy, in the place of what is at `target`; raises StoreError."""
    parsed = parse(url)
    if parsed.get_backend_name() != "sqlite":
        raise StoreError("PostgreSQL has its own way: use pg_dump.")
    source = Path(parsed.database or "")
    if not source.exists():
        raise StoreError(f"There is no database at {source} to copy.")
    if target.resolve() == source.resolve():
        raise StoreError("A backup needs a file of its own.")
    try:
        copy_file(source, target)
    except OSError as error:
        raise StoreError(f"The backup {target} cannot be written: {error.strerror}.") from None
    except sqlite3.Error as error:
        if is_full(error):
            raise StoreError(f"The disk that would hold the backup {target} is full.") from None
        raise cannot_open_file(source, error) from None
