"""A small GTP client: starts an engine as a subprocess, sends commands, returns the answers.

Start reading at `GtpClient.ask`. Every answer has a time limit, after which the engine is killed: a test may
fail but never hang, and no engine outlives its `with` block.
"""

from __future__ import annotations

import queue
import shutil
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self


class GtpError(RuntimeError):
    """The engine refused a command, died, or took too long."""


def find_gnugo() -> str | None:
    """Where GNU Go is; Debian puts it beside PATH."""
    debian = Path("/usr/games/gnugo")
    return shutil.which("gnugo") or (str(debian) if debian.exists() else None)


class GtpClient:
    def __init__(self, command: Sequence[str], limit_s: float = 30.0) -> None:
        self._limit_s = limit_s
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def ask(self, command: str) -> str:
        """The answer without its "=", lines joined by newlines; raises GtpError for "?" and for silence."""
        assert self._process.stdin
        try:
            self._process.stdin.write(command + "\n")
            self._process.stdin.flush()
        except OSError as error:
            raise GtpError(f"The engine is gone: {command!r} could not be sent.") from error
        answer: list[str] = []
        while True:
            try:
                line = self._lines.get(timeout=self._limit_s)
            except queue.Empty:
                self._process.kill()
                raise GtpError(f"No answer to {command!r} within {self._limit_s} s.") from None
            if line is None:
                self._lines.put(None)  # for whoever asks next
                raise GtpError(f"The engine ended instead of answering {command!r}.")
            if line:
                answer.append(line)
            elif answer:
                break
        text = "\n".join(answer)
        if not text.startswith("="):
            raise GtpError(f"{command!r} was answered {text!r}.")
        return text[1:].strip()

    def close(self) -> None:
        try:
            self.ask("quit")
            self._process.wait(timeout=5)
        except (GtpError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        finally:
            self._reader.join()
            for pipe in (self._process.stdin, self._process.stdout):
                assert pipe
                try:
                    pipe.close()
                except OSError:  # what could not be flushed to an engine that is gone
                    continue

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
