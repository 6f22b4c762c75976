"""The files of a training run: reading and writing them, and the lock of the process that trains.

`tengen.learn.runs` says what each file is for. Whatever is missing or cut off reads as nothing: a process may
be killed at any moment. Only `run.json` is written so that it survives the machine going down.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import IO, Any, Final, Literal, get_args

State = Literal["starting", "running", "paused", "stopping", "stopped", "finished", "failed"]
Wish = Literal["run", "pause", "stop"]

ALIVE: Final[tuple[State, ...]] = ("starting", "running", "paused", "stopping")
LOCK_SECONDS = 2.0  # somebody who looks whether the lock is free holds it for a moment


@dataclass(frozen=True)
class Status:
    """How a run stands. Numbers are None until the algorithm has reported them."""

    state: State = "stopped"
    pid: int | None = None
    games: int = 0
    loss: float | None = None
    win_rates: Mapping[str, float] = field(default_factory=dict)  # by opponent, 0 to 1
    elo: float | None = None
    games_per_s: float | None = None
    elapsed_s: float = 0.0  # of training, pauses left out, all starts together
    left_s: float | None = None  # None without a limit
    live: Mapping[str, Any] | None = None  # a game under way: {"actions": [...], "names": [first, second]}
    brain: str | None = None  # the last one that was saved
    saves: int = 0  # how many wishes for a brain were met
    message: str = ""

    @property
    def alive(self) -> bool:
        return self.state in ALIVE

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def put(path: Path, content: Mapping[str, Any]) -> None:
    """Replaces a file that is rewritten all the time; not synced, since it says nothing after a crash."""
    beside = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}.tmp")
    beside.write_text(json.dumps(content))
    beside.replace(path)


def _get(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text())
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}


def read_control(folder: Path) -> dict[str, Any]:
    content = _get(folder / "control.json")
    wish, saves = content.get("wish"), content.get("saves")
    return {
        "wish": wish if wish in get_args(Wish) else "run",
        "saves": saves if isinstance(saves, int) else 0,
    }


def read_status(folder: Path) -> Status:
    content = _get(folder / "status.json")
    known = {f.name for f in fields(Status)}
    return Status(**{name: value for name, value in content.items() if name in known})


def read_progress(folder: Path) -> list[dict[str, Any]]:
    """The reports; a line that was cut off is left out."""
    try:
        lines = (folder / "progress.jsonl").read_bytes().split(b"\n")
    except OSError:
        return []
    rows = []
    for line in lines:
        with contextlib.suppress(ValueError):
            rows.append(json.loads(line))
    return rows


def append_progress(folder: Path, row: Mapping[str, Any]) -> None:
    with (folder / "progress.jsonl").open("ab") as file:
        file.write(json.dumps(row).encode() + b"\n")


def rewrite_progress(folder: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    beside = folder / ".progress.jsonl.tmp"
    beside.write_text("".join(json.dumps(row) + "\n" for row in rows))
    beside.replace(folder / "progress.jsonl")


# The lock: the system lets go of it when the process ends, however that happens


def take_lock(folder: Path) -> IO[bytes] | None:
    """The lock of a run, held until the file is closed; None when another process has it."""
    file = (folder / "lock").open("ab")
    deadline = time.monotonic() + LOCK_SECONDS
    while not _try_lock(file):
        if time.monotonic() > deadline:
            file.close()
            return None
        time.sleep(0.05)
    return file


def is_locked(folder: Path) -> bool:
    """Whether a process trains in that folder."""
    try:
        with (folder / "lock").open("rb") as file:
            return not _try_lock(file, only_look=True)
    except OSError:
        return False


def _try_lock(file: IO[bytes], *, only_look: bool = False) -> bool:
    """Those who only look do not disturb each other. The lock goes when the file is closed."""
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, (fcntl.LOCK_SH if only_look else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
