"""`tengen` as a person runs it: a real process, with what it writes."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from resource import RLIMIT_NOFILE, setrlimit
from typing import Any

import httpx

from tests.terminal.helpers import environment
from tests.waiting import until

TIMEOUT_S = 60.0
ADDRESS = re.compile(r"tengen is at (http://\S+)")


class Process:
    """The program while it runs, with what it wrote so far."""

    def __init__(self, home: Path, *words: str, files: int = 0, **env: Any) -> None:
        self.home = home
        self._out, self._err = home / f"out-{id(self)}", home / f"err-{id(self)}"
        with self._out.open("wb") as out, self._err.open("wb") as err:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tengen", *words],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                cwd=home,
                env=without_browser(environment(home, **env)),
                preexec_fn=(lambda: setrlimit(RLIMIT_NOFILE, (files, files))) if files else None,
            )

    @property
    def out(self) -> str:
        return self._out.read_text()

    @property
    def err(self) -> str:
        return self._err.read_text()

    def expect(self, pattern: str | re.Pattern[str]) -> re.Match[str]:
        """Waits until it has written that, no matter where."""
        found: list[re.Match[str]] = []

        def came() -> bool:
            ended = self.process.poll() is not None  # looked at first: what it wrote last counts
            found.extend(filter(None, [re.search(pattern, self.out + self.err)]))
            assert found or not ended, self.err
            return bool(found)

        until(came, TIMEOUT_S)
        return found[0]

    def url(self) -> str:
        found = self.expect(ADDRESS)[1]
        self.expect("Stop it with")
        return found

    def stop(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(TIMEOUT_S)


def without_browser(env: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in env.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}


@contextmanager
def running(home: Path, *words: str, files: int = 0, **env: Any) -> Iterator[Process]:
    """`files` is how many it may open."""
    made = Process(home, *words, files=files, **env)
    try:
        yield made
    finally:
        if made.process.poll() is None:
            made.process.kill()
            made.process.wait(TIMEOUT_S)


def get(url: str) -> httpx.Response:
    return httpx.get(url, trust_env=False, verify=False, timeout=TIMEOUT_S)


def post(url: str, body: object, secret: str | None = None) -> httpx.Response:
    headers = {"authorization": f"Bearer {secret}"} if secret else {}
    return httpx.post(url, json=body, headers=headers, trust_env=False, verify=False, timeout=TIMEOUT_S)
