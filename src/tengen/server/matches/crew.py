"""A `Mind` in a process of its own: searches and programs that run wild, or run out of memory, hurt no match.

Requests and answers are pickled values with a number, over the pipes of a process that we start and trust;
each request has a thread of its own there. A process that dies is started again with the next request, and
who was waiting for it asks again: all that it knew can be computed anew. Start reading at `Worker.ask`;
`work` is the other side.
"""

from __future__ import annotations

import contextlib
import logging
import pickle
import struct
import subprocess
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from typing import IO, Any
from zlib import crc32

from tengen.analysis import Engine
from tengen.facets.opponents import Standing
from tengen.game import Game, State
from tengen.kata import KataState
from tengen.players import PlayerError

ANALYST_NICENESS = 5  # who plays goes first
CLOSE_S = 2.0  # for programs to end
TRIES = 3  # until what kills a process again and again is given up
log = logging.getLogger(__name__)
_SIZE = struct.Struct("!I")


class Died(Exception):
    """The process has ended before it answered."""


class Broken(Exception):
    """Something went wrong there; the message is the traceback."""


def write(stream: IO[bytes], value: object) -> None:
    data = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(_SIZE.pack(len(data)) + data)
    stream.flush()


def read(stream: IO[bytes]) -> Any:
    head = stream.read(_SIZE.size)
    if len(head) < _SIZE.size:
        raise EOFError
    (size,) = _SIZE.unpack(head)
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return pickle.loads(data)  # noqa: S301 (from our own process)


class Worker:
    """One process. From any thread."""

    def __init__(self, niceness: int = 0, most_players: int = 64) -> None:
        self._niceness, self._most_players = niceness, most_players
        self._process: subprocess.Popen[bytes] | None = None
        self._hearing: threading.Thread | None = None
        self._waiting: dict[int, Future[Any]] = {}
        self._number = 0
        self._lock = threading.Lock()
        self._closed = False

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    def ask(self, what: str, *arguments: Any) -> Any:
        """What the method of the `Mind` there returns or raises; asked again when the process dies."""
        for left in reversed(range(TRIES)):
            try:
                return self._begin(what, arguments).result()
            except Died:
                if not left or self._closed:
                    raise PlayerError("The process of the machine has ended again and again.") from None
        raise AssertionError("the last attempt returns or raises")

    def tell(self, what: str, *arguments: Any) -> None:
        """The same without an answer, and only if there is a process."""
        if self._process is not None:
            with contextlib.suppress(Died):
                self._begin(what, arguments)

    def close(self) -> None:
        """Who waits gets an error. The process has a moment to end its programs, and is killed then."""
        self._closed = True
        process, hearing = self._process, self._hearing
        if process is None or process.stdin is None or hearing is None:
            return
        with self._lock, contextlib.suppress(OSError):
            process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(CLOSE_S)
        process.kill()
        hearing.join()

    def _begin(self, what: str, arguments: tuple[Any, ...]) -> Future[Any]:
        future: Future[Any] = Future()
        with self._lock:
            if self._closed:
                raise Died
            process = self._started()
            self._number += 1
            self._waiting[self._number] = future
            try:
                assert process.stdin is not None
                write(process.stdin, (self._number, what, arguments))
            except (OSError, ValueError):
                self._waiting.pop(self._number, None)
                self._process = None
                raise Died from None
        return future

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            command = [sys.executable, "-m", "tengen.server.matches.work"]
            self._process = subprocess.Popen(  # noqa: S603 (our own module)
                [*command, str(self._niceness), str(self._most_players)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is for the server, which then ends us
            )
            self._hearing = threading.Thread(target=self._hear, args=(self._process,), daemon=True)
            self._hearing.start()
        return self._process

    def _hear(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        try:
            while True:
                number, error, value = read(process.stdout)
                future = self._waiting.pop(number, None)
                if future is not None and error is not None:
                    future.set_exception(error)
                elif future is not None:
                    future.set_result(value)
        except (EOFError, OSError, ValueError):
            log.debug("a process for machines has ended")
        except Exception:
            log.exception("a process for machines cannot be understood")
        process.kill()
        process.wait()
        with self._lock:
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    with contextlib.suppress(OSError):
                        stream.close()
            if self._process in (process, None):
                self._process = None
                lost, self._waiting = self._waiting, {}
            else:
                lost = {}
        for future in lost.values():
            future.set_exception(Died())


class Crew:
    """Processes for the seats and one for analysis, each started when it is first needed. A `Thinker`."""

    def __init__(self, count: int, most_players: int) -> None:
        self._seats = [Worker(0, most_players) for _ in range(count)]
        self._analyst = Worker(ANALYST_NICENESS)
        self._katago = Worker(0, most_players)
        self._with_katago: set[str] = set()  # names of players

    @property
    def _all(self) -> list[Worker]:
        return [*self._seats, self._analyst, self._katago]

    @property
    def pids(self) -> list[int]:
        return [worker.pid for worker in self._all if worker.pid is not None]

    def _of(self, name: str) -> Worker:
        """A player stays with its process, where its tree is; all of KataGo's share one, and one KataGo."""
        if name in self._with_katago:
            return self._katago
        return self._seats[crc32(name.encode()) % len(self._seats)]

    def move(self, name: str, text: str, game: Game, state: State, seconds: float) -> list[int] | None:
        if text.partition(":")[0] == "katago":
            self._with_katago.add(name)
        found: list[int] | None = self._of(name).ask("move", name, text, game, state, seconds)
        return found

    def stop(self, name: str) -> None:
        self._of(name).tell("stop", name)

    def forget(self, names: Sequence[str]) -> None:
        for name in names:
            self._of(name).tell("forget", [name])
            self._with_katago.discard(name)

    def close(self) -> None:
        for worker in self._all:
            worker.close()

    def draw(self, program: bool, state: State, seat: int) -> bool:
        return bool(self._seats[0].ask("draw", program, state, seat))

    def dead(self, state: State) -> tuple[tuple[int, ...], tuple[int, ...]]:
        found: tuple[tuple[int, ...], tuple[int, ...]] = self._seats[0].ask("dead", state)
        return found

    def plays_on(self, setup: dict[str, Any], events: list[dict[str, Any]], seat: int) -> bool:
        return bool(self._seats[0].ask("plays_on", setup, events, seat))

    def standing(self, state: State) -> Standing:
        found: Standing = self._analyst.ask("standing", state)
        return found

    def _for(self, engine: Engine) -> Worker:
        return self._analyst if engine == "own" else self._katago

    def analysis(
        self, name: str, state: State, seconds: float, last: bool, engine: Engine
    ) -> dict[str, Any] | None:
        asked = (name, state, seconds, last, engine)
        found: dict[str, Any] | None = self._for(engine).ask("analysis", *asked)
        return found

    def glance(self, name: str, state: State, seconds: float, engine: Engine) -> dict[str, Any]:
        found: dict[str, Any] = self._for(engine).ask("glance", name, state, seconds, engine)
        return found

    def leave(self, name: str, engine: Engine) -> None:
        self._for(engine).tell("leave", name, engine)

    def review(self, before: State, actions: Sequence[int], visits: int, engine: Engine) -> dict[str, Any]:
        found: dict[str, Any] = self._for(engine).ask("review", before, actions, visits, engine)
        return found

    def katago(self) -> tuple[KataState, str]:
        found: tuple[KataState, str] = self._katago.ask("katago")
        return found
