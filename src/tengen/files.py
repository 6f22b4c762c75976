"""Writing a file whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path


def write_whole(target: Path, data: bytes, *, replace: bool = True) -> bool:
    """Writes beside the target and moves it there, so that a reader sees the old file or the new one.

    False if it must not be replaced and is there already. Raises OSError, and then leaves nothing behind.
    """
    beside = target.with_name(f".{target.name[:100]}.{secrets.token_hex(6)}.tmp")
    try:
        with beside.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if not replace:
            if target.exists():
                return False
            with contextlib.suppress(OSError):  # where there are no links the check above has to do
                os.link(beside, target)
                return True
            if target.exists():
                return False
        beside.replace(target)
        return True
    finally:
        with contextlib.suppress(OSError):
            beside.unlink()
