"""A disk that is full, and has room again: a small tmpfs where we may mount one, else a limit on file sizes.

Both refuse writes of the running server as a full disk does (ENOSPC, EFBIG) and let go of it again.
"""

from __future__ import annotations

import contextlib
import os
import resource
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from benchmarks.serving.processes import Serving

TMPFS_MB = 64


class Disk(Protocol):
    def fill(self, server: Serving) -> None: ...
    def empty(self, server: Serving) -> None: ...


class SmallDisk:
    """A file system of its own, filled up with a file that is deleted again."""

    def __init__(self, folder: Path) -> None:
        self._ballast = folder / "ballast"

    def fill(self, server: Serving) -> None:
        with self._ballast.open("wb", buffering=0) as file:
            for size in (2**16, 2**12, 1):
                with contextlib.suppress(OSError):
                    while file.write(bytes(size)):
                        pass
                    os.fsync(file.fileno())

    def empty(self, server: Serving) -> None:
        self._ballast.unlink()


class SmallFiles:
    """No file of the process may grow; Python ignores the signal, so writes fail."""

    def fill(self, server: Serving) -> None:
        hard = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)[1]
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (4096, hard))

    def empty(self, server: Serving) -> None:
        hard = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)[1]
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (hard, hard))


@contextlib.contextmanager
def small_disk(folder: Path) -> Iterator[SmallDisk | None]:
    """A tmpfs on that folder while the block runs; None where mounting is not allowed."""
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={TMPFS_MB}m", "tmpfs", str(folder)], capture_output=True
    )
    if mounted.returncode:
        yield None
        return
    try:
        yield SmallDisk(folder)
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)
