"""A program at the other end of two pipes: bounded waiting, bounded output, and no way to outlive us.

The program runs in a session of its own, so that it and all its children form one process group that can be
killed together, and Ctrl-C in our terminal does not reach it. It is killed by `end`, when the object is
collected, and when the interpreter exits. Should we be killed ourselves, it sees the end of its input.
POSIX only.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import threading
import time
import weakref
from collections.abc import Callable, Mapping, Sequence

MAX_ANSWER = 2**20  # bytes; the longest real ones (an analysis with ownership) have some thousands
_KEPT_WORDS = 2000  # bytes of standard error that are kept for the message when it fails
_CHUNK = 2**16
_REAP_S = 5.0
_LOOK_S = 0.1  # how often a silent program is looked at whether it still runs


class ExpiredError(Exception):
    """The time is up."""


class FloodError(Exception):
    """There is more output than any answer has."""


class EndedError(Exception):
    """The program has closed its side."""


class Process:
    """`exchange` and `end` may be called from different threads; `exchange` from one at a time."""

    def __init__(
        self, args: Sequence[str], cwd: str | os.PathLike[str] | None, env: Mapping[str, str] | None
    ) -> None:
        """Raises OSError or ValueError when the program cannot be started."""
        self._popen = subprocess.Popen(  # noqa: S603
            args,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=cwd,
            env=env,
            start_new_session=True,
        )
        self._pipes = threading.RLock()  # a number of a closed pipe may be another file's at once
        self._end = weakref.finalize(self, _end, self._popen, self._pipes)
        self._input, self._output, self._errors = self._popen.stdin, self._popen.stdout, self._popen.stderr
        assert self._input and self._output and self._errors
        self._words = bytearray()
        self.pid = self._popen.pid
        for pipe in (self._input, self._output, self._errors):
            os.set_blocking(pipe.fileno(), False)

    def exchange(self, data: bytes, received: bytearray, done: Callable[[], bool], timeout_s: float) -> None:
        """Writes the data and collects output until `done` says so; raises one of the errors above.

        Both at once: a program that does not read while it writes cannot block us.
        """
        assert self._input and self._output and self._errors
        deadline = time.monotonic() + timeout_s
        unsent = memoryview(data)
        try:
            with selectors.DefaultSelector() as selector:
                selector.register(self._output, selectors.EVENT_READ)
                selector.register(self._errors, selectors.EVENT_READ)
                if unsent:
                    selector.register(self._input, selectors.EVENT_WRITE)
                while unsent or not done():
                    wait_s = deadline - time.monotonic()
                    if wait_s <= 0:
                        raise ExpiredError
                    ready = selector.select(min(wait_s, _LOOK_S))
                    if not ready and not self.running:  # its children may still hold the pipes open
                        raise EndedError
                    for key, _ in ready:
                        if key.fileobj is self._input:
                            unsent = unsent[self._send(unsent) :]
                            if not unsent:
                                selector.unregister(self._input)
                        elif key.fileobj is self._errors:
                            if not self._listen():
                                selector.unregister(self._errors)
                        else:
                            self._receive(received)
        except (OSError, ValueError, KeyError):  # the pipes were closed by `end` in another thread
            raise EndedError from None

    def _send(self, data: memoryview) -> int:
        assert self._input
        with self._pipes, contextlib.suppress(BlockingIOError):
            return os.write(self._input.fileno(), data[:_CHUNK])
        return 0

    def _receive(self, received: bytearray) -> None:
        assert self._output
        with self._pipes, contextlib.suppress(BlockingIOError):
            chunk = os.read(self._output.fileno(), _CHUNK)
            if not chunk:
                raise EndedError
            received += chunk
            if len(received) > MAX_ANSWER:
                raise FloodError

    def _listen(self) -> bool:
        assert self._errors
        with self._pipes, contextlib.suppress(BlockingIOError):
            chunk = os.read(self._errors.fileno(), _CHUNK)
            self._words += chunk
            del self._words[:-_KEPT_WORDS]
            return bool(chunk)
        return True

    def last_words(self) -> str:
        """The last line that it wrote to standard error."""
        with contextlib.suppress(OSError, ValueError):
            self._listen()
        lines = self._words.decode("utf-8", "replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")

    @property
    def running(self) -> bool:
        """Whether the program itself has not ended; does not reap it, so its group stays ours to kill."""
        if self._popen.returncode is not None or not self._end.alive:
            return False
        flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
        try:
            return os.waitid(os.P_PID, self.pid, flags) is None
        except ChildProcessError:
            return False

    @property
    def exit_status(self) -> int | None:
        return self._popen.returncode

    def wait(self, timeout_s: float) -> None:
        """Waits for it to end by itself, at most so long."""
        deadline = time.monotonic() + timeout_s
        while self.running and time.monotonic() < deadline:
            time.sleep(0.005)

    def end(self) -> None:
        """Kills what is left of the group and forgets it; may be called again."""
        self._end()


def _end(popen: subprocess.Popen[bytes], pipes: threading.RLock) -> None:
    if popen.returncode is None:  # not reaped, so that the number of the group cannot be another's
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(popen.pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            popen.wait(_REAP_S)
    with pipes:
        for pipe in (popen.stdin, popen.stdout, popen.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
