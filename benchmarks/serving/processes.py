"""Real server processes on loopback ports: started, killed, started again, measured."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import socket
import subprocess
import sys
import time
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import msgspec

from benchmarks.serving.watched import Seen

START_S = 60.0
ROOT = Path(__file__).resolve().parents[2]


class Serving:
    """One `tengen serve`, without limits unless they are wanted. The port stays the same over restarts.

    One whose loop is `watched` tells of it: see watched.py.
    """

    def __init__(
        self,
        folder: Path,
        database_url: str,
        *,
        limits: bool = False,
        words: str = "",
        watched: bool = False,
    ) -> None:
        self.port = free_port()
        self.log = folder / f"server-{self.port}.log"
        self._folder = folder
        self._database_url = database_url
        self._words = [*([] if limits else ["--no-limits"]), *words.split()]
        self._process: subprocess.Popen[bytes] | None = None
        self._seen = folder / f"seen-{self.port}.json" if watched else None
        self._reports = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Returns when it is ready; raises RuntimeError if it never is."""
        program = ["tengen.cli"] if self._seen is None else ["benchmarks.serving.watched", str(self._seen)]
        command = [sys.executable, "-m", *program, "serve", "--port", str(self.port), *self._words]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [*command, "--database-url", self._database_url],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self._folder,
                env=os.environ | {"PYTHONPATH": str(ROOT)} if self._seen is not None else None,
            )
        deadline = time.monotonic() + START_S
        while not self.ready():
            if time.monotonic() > deadline or self._process.poll() is not None:
                raise RuntimeError(f"The server did not start:\n{self.log.read_text()[-2000:]}")
            time.sleep(0.02)

    def ready(self) -> bool:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=2)
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status == 200
        except (OSError, HTTPException):
            return False
        finally:
            connection.close()

    def kill(self) -> None:
        """At once, as a crash or a power cut does."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        if self._process is None:
            return
        self._process.send_signal(how)
        try:
            self._process.wait(15)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None

    @property
    def pid(self) -> int:
        assert self._process is not None, "it runs"
        return self._process.pid

    def rss_bytes(self) -> int:
        """Memory that is really there."""
        return 1024 * int(self._status("VmRSS"))

    def seen(self) -> Seen:
        """What its loop did since this was last asked."""
        assert self._seen is not None, "it is watched"
        os.kill(self.pid, signal.SIGUSR1)
        deadline = time.monotonic() + START_S
        while True:
            with contextlib.suppress(FileNotFoundError):
                found = msgspec.json.decode(self._seen.read_bytes(), type=Seen)
                if found.number == self._reports:
                    self._reports += 1
                    return found
            if time.monotonic() > deadline:
                raise RuntimeError("The server does not say what its loop did.")
            time.sleep(0.02)

    def cpu_s(self) -> float:
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def loop_s(self) -> float:
        """Processor time of the first thread, which has the event loop."""
        return int(Path(f"/proc/{self.pid}/task/{self.pid}/schedstat").read_text().split()[0]) / 1e9

    def _status(self, name: str) -> str:
        lines = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        return next(line.split()[1] for line in lines if line.startswith(f"{name}:"))


def free_port() -> int:
    """Below those that connections get: while a server is away, no client may happen to have its port."""
    while True:
        port = random.SystemRandom().randrange(20_000, 32_000)
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with contextlib.suppress(OSError):
                probe.bind(("127.0.0.1", port))
                return port
