"""The real program, driven through pipes (`run`) and through a pseudo-terminal (`Terminal`)."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from tests.waiting import until

TENGEN = (sys.executable, "-m", "tengen.cli")
PASSES = f"gtp:{sys.executable} {Path(__file__).parent / 'passing_gtp.py'}"
TIMEOUT_S = 60.0
_ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z]|[78])")
_SETTLED = ("NO_COLOR", "FORCE_COLOR", "LC_ALL", "COLUMNS", "LINES")


class Ran(NamedTuple):
    out: str
    err: str
    code: int


def environment(home: Path, **more: str) -> dict[str, str]:
    """Our own, with the user's folders below `home` and nothing that changes how we write."""
    kept = {k: v for k, v in os.environ.items() if k not in _SETTLED and not k.startswith("TENGEN_")}
    return kept | {
        "HOME": str(home),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "TERM": "xterm-256color",
        "PYTHONUTF8": "1",
        **more,
    }


def run(home: Path, *args: str, lines: Sequence[str] = (), env: Mapping[str, str] | None = None) -> Ran:
    """The program with that input, in `home`, to its end."""
    done = subprocess.run(
        [*TENGEN, *args],
        input="".join(f"{line}\n" for line in lines).encode(),
        capture_output=True,
        cwd=home,
        env=environment(home, **(env or {})),
        timeout=TIMEOUT_S,
    )
    return Ran(done.stdout.decode(), done.stderr.decode(), done.returncode)


class Terminal:
    """The program in a terminal of 80 columns that does not say how many rows it has: line by line."""

    rows = 0

    def __init__(self, home: Path, *args: str, **env: str) -> None:
        self._main, far = pty.openpty()
        if self.rows:
            termios.tcsetwinsize(far, (self.rows, 80))
        self.given = self.settings
        self._process = subprocess.Popen(
            [*TENGEN, *args],
            stdin=far,
            stdout=far,
            stderr=far,
            cwd=home,
            env=environment(home, COLUMNS="80", LINES="40", **env),
            start_new_session=True,
        )
        os.close(far)
        self.raw = ""
        self._seen = 0

    @property
    def text(self) -> str:
        """All that it wrote, without escapes."""
        return _ESCAPES.sub("", self.raw).replace("\r\n", "\n")

    def expect(self, wanted: str) -> None:
        """Waits until it has written that, after what was waited for before."""
        deadline = time.monotonic() + TIMEOUT_S
        while (at := self.text.find(wanted, self._seen)) < 0:
            if not self._more(deadline):
                raise AssertionError(f"{wanted!r} did not come after:\n{self.text[self._seen :]}")
        self._seen = at + len(wanted)

    def send(self, *lines: str) -> None:
        for line in lines:
            os.write(self._main, f"{line}\n".encode())

    def key(self, control: str) -> None:
        """A control key, such as C or D."""
        os.write(self._main, bytes([ord(control) - 64]))

    @property
    def settings(self) -> list[Any]:
        """What the terminal does with keys, as `termios` has it."""
        return termios.tcgetattr(self._main)

    def interrupt(self) -> None:
        self._process.send_signal(signal.SIGINT)

    def terminate(self) -> None:
        self._process.send_signal(signal.SIGTERM)

    def rests(self) -> None:
        """Waits until it waits: readline misses a signal between the prompt and the first look for a key."""
        stat = Path(f"/proc/{self._process.pid}/stat")
        until(lambda: not stat.exists() or stat.read_text().rpartition(") ")[2][0] == "S")

    def wait(self) -> int:
        deadline = time.monotonic() + TIMEOUT_S
        while self._more(deadline):
            pass
        return self._process.wait(TIMEOUT_S)

    def _more(self, deadline: float) -> bool:
        ready, _, _ = select.select([self._main], [], [], max(0.0, deadline - time.monotonic()))
        try:
            data = os.read(self._main, 2**16) if ready else b""
        except OSError:  # the far side is closed
            return False
        self.raw += data.decode(errors="replace")
        return bool(data)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        os.close(self._main)


class FullTerminal(Terminal):
    """With room for the full screen."""

    rows = 24
