"""The process of KataGo: started with the first question, kept between questions, started again when it dies.

A thread reads its answers and another what it says on standard error, whose last line tells why it ended. A
question that was under way when it died is asked again; what dies again and again, or never gets ready, ends
in one sentence. `shared` gives everybody in this process the same engine. Start reading at `KataEngine.ask`.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import re
import signal
import subprocess
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from tengen.kata.finding import KataError, Program

EVERY_S = 0.2  # how often it reports while it searches
START_S = 1200.0  # the first start on a machine may tune for many minutes, and
SILENT_S = 120.0  # one that has not said a word by then is no KataGo
AGAIN_S = 10.0  # after a start that failed, before the next is tried
DEATHS = 3  # within this time, after which it is given up for so long
DEATHS_S = 60.0
IDLE_S = 3.0  # a search that nobody has asked about for so long is ended
KEPT_ANSWERS = 512
KEPT_LINES = 60  # of standard error
LONGEST_WORDS = 200  # of one that is told on
CLOSE_S = 2.0
STARTING = "KataGo is starting; the first time on a machine that can take many minutes."

KataState = Literal["off", "starting", "ready", "failed"]


@dataclass(eq=False)
class Query:
    """A question under way; `latest` grows until it is `finished`, or has an `error`."""

    id: str
    question: Mapping[str, object]
    latest: dict[str, Any] | None = None
    finished: bool = False
    error: str = ""
    refused: bool = False  # whether the error is KataGo's about the question
    wanted_until: float = field(default=float("inf"))  # on the monotonic clock

    @property
    def visits(self) -> int:
        return 0 if self.latest is None else int(self.latest["rootInfo"]["visits"])

    @property
    def over(self) -> bool:
        return self.finished or bool(self.error)


class KataEngine:
    """From any thread."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.version = ""
        self._process: subprocess.Popen[bytes] | None = None
        self._ready = False
        self._words: deque[str] = deque(maxlen=KEPT_LINES)  # of the process, on its way
        self._closed = False
        self._failed = ""
        self._failed_at = 0.0
        self._deaths: deque[float] = deque(maxlen=DEATHS)
        self._queries: dict[str, Query] = {}
        self._answers: OrderedDict[str, Query] = OrderedDict()  # finished ones, by what was asked
        self._number = 0
        self._changed = threading.Condition()

    @property
    def pid(self) -> int | None:
        process = self._process
        return None if process is None else process.pid

    def state(self) -> tuple[KataState, str]:
        """How it is, and a sentence where it is not ready."""
        with self._changed:
            if self._ready:
                return "ready", ""
            if self._process is not None:
                return "starting", STARTING
            return ("failed", self._failed) if self._failed else ("off", "")

    def start(self) -> None:
        """Starts it unless it runs; raises KataError when it cannot be."""
        with self._changed:
            self._start()

    def ask(self, question: Mapping[str, object]) -> Query:
        """Begins a question, or finds the same one; raises KataError when the program cannot be started."""
        key = json.dumps(question, sort_keys=True)
        with self._changed:
            if key in self._answers:
                self._answers.move_to_end(key)
                return self._answers[key]
            for query in self._queries.values():
                if query.question == question and not query.over:
                    return query
            self._start()
            self._number += 1
            query = Query(f"q{self._number}", question)
            self._queries[query.id] = query
            if self._ready:
                self._send_query(query)
            return query

    def wait(self, query: Query, enough: Callable[[], bool], timeout_s: float | None) -> None:
        """Until the query is over, or enough, or the time is up."""
        with self._changed:
            self._changed.wait_for(lambda: query.over or self._closed or enough(), timeout_s)
            if self._closed and not query.over:
                query.error = "KataGo was stopped."

    def wait_ready(self, stopped: Callable[[], bool] = lambda: False) -> None:
        """Until it has started; raises KataError when it does not."""
        begun = time.monotonic()
        with self._changed:
            self._start()
            while not self._ready:
                if self._failed or self._closed:
                    raise KataError(self._failed or "KataGo was stopped.")
                if stopped():
                    return
                waited = time.monotonic() - begun
                if waited > START_S:
                    raise KataError(f"KataGo was not ready after {START_S / 60:.0f} minutes.")
                if waited > SILENT_S and not self._words:
                    raise KataError(f"KataGo has not said a word in {SILENT_S:g} s: is that its command?")
                self._changed.wait(0.5)

    def wake(self) -> None:
        """Lets everybody who waits look again."""
        with self._changed:
            self._changed.notify_all()

    def end(self, query: Query) -> None:
        """Nobody needs that answer any more."""
        with self._changed:
            if query.id in self._queries and self._ready:
                self._send_end(query)
            elif self._queries.pop(query.id, None) is not None:
                query.finished = True

    def close(self) -> None:
        """Ends the program; who waits gets an error."""
        with self._changed:
            self._closed = True
            process, self._process, self._ready = self._process, None, False
            self._changed.notify_all()
        if process is not None:
            _finish(process)

    # The process

    def _start(self) -> None:
        if self._closed:
            raise KataError("KataGo was stopped.")
        if self._process is not None:
            return
        if self.program.problem:
            raise KataError(self.program.problem)
        if self._failed and time.monotonic() - self._failed_at < AGAIN_S:
            raise KataError(self._failed)
        self._failed = ""
        try:
            process = subprocess.Popen(  # noqa: S603 (the operator's own program)
                self.program.arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is for us, who then end it
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            self._fail(f"KataGo cannot be started: {reason}.")
            raise KataError(self._failed) from None
        self._process, self._ready = process, False
        words = self._words = deque(maxlen=KEPT_LINES)
        listening = threading.Thread(target=_listen, args=(process, words), daemon=True)
        listening.start()
        threading.Thread(target=self._hear, args=(process, words, listening), daemon=True).start()
        self._send({"id": "version", "action": "query_version"})

    def _fail(self, sentence: str) -> None:
        self._failed, self._failed_at = sentence, time.monotonic()

    def _send(self, message: Mapping[str, object]) -> None:
        """What cannot be sent is noticed by who hears the end of the process."""
        assert self._process is not None and self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()

    def _send_query(self, query: Query) -> None:
        self._send({**query.question, "id": query.id, "reportDuringSearchEvery": EVERY_S})

    def _send_end(self, query: Query) -> None:
        self._send({"id": f"end-{query.id}", "action": "terminate", "terminateId": query.id})

    def _hear(self, process: subprocess.Popen[bytes], words: deque[str], listening: threading.Thread) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            with contextlib.suppress(ValueError):
                answer = json.loads(line)
                if isinstance(answer, dict):
                    with self._changed:
                        self._take(answer)
                        self._changed.notify_all()
        process.wait()
        listening.join(CLOSE_S)
        with self._changed:
            if self._process is process:
                self._process, was_ready, self._ready = None, self._ready, False
                self._died(was_ready, why_ended(list(words), process.returncode, was_ready))
            self._changed.notify_all()
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def _died(self, was_ready: bool, sentence: str) -> None:
        """Starts it again for who waits, unless that has been done too often."""
        now = time.monotonic()
        often = len(self._deaths) == DEATHS and now - self._deaths[0] < DEATHS_S
        self._deaths.append(now)
        waiting = list(self._queries.values())
        if was_ready and not often:
            if not waiting:
                return
            with contextlib.suppress(KataError):
                self._start()
                return
        self._fail(sentence if not was_ready else f"KataGo has ended again and again. {sentence}")
        for query in waiting:
            query.error = self._failed
        self._queries.clear()

    def _take(self, answer: dict[str, Any]) -> None:
        if answer.get("id") == "version":
            self._ready, self.version = True, str(answer.get("version", ""))
            for waiting in self._queries.values():
                self._send_query(waiting)
            return
        query = self._queries.get(str(answer.get("id")))
        if query is None or "warning" in answer or "action" in answer:
            return
        if "error" in answer:
            query.error, query.refused = f"KataGo refuses the position: {answer['error']}", True
        elif answer.get("noResults"):
            query.finished = True
        elif "rootInfo" in answer and "moveInfos" in answer:
            if int(answer["rootInfo"]["visits"]) >= query.visits:
                query.latest = answer
            query.finished = not answer.get("isDuringSearch", False)
        if query.over:
            del self._queries[query.id]
            self._keep(query)
        elif time.monotonic() > query.wanted_until:
            self._send_end(query)

    def _keep(self, query: Query) -> None:
        """Only what was searched to its end answers the same question again."""
        most = query.question.get("maxVisits")
        if query.finished and isinstance(most, int) and query.visits >= most:
            self._answers[json.dumps(query.question, sort_keys=True)] = query
            if len(self._answers) > KEPT_ANSWERS:
                self._answers.popitem(last=False)


def _listen(process: subprocess.Popen[bytes], words: deque[str]) -> None:
    assert process.stderr is not None
    for line in process.stderr:
        if text := line.decode("utf-8", "replace").strip():
            words.append(text)


def _finish(process: subprocess.Popen[bytes]) -> None:
    if process.stdin is not None:
        with contextlib.suppress(OSError, ValueError):
            process.stdin.close()
    process.terminate()
    try:
        process.wait(CLOSE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


# Why it ended

_STAMP = re.compile(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\S*: ")
_NOISE = re.compile(r"^(terminate called|what\(\):)\s*", re.IGNORECASE)
_KNOWN = (
    (
        re.compile(
            r"libOpenCL|CL_PLATFORM_NOT_FOUND|clGetPlatformIDs|No OpenCL|OpenCL.*(not|no) .*found", re.I
        ),
        "this machine has no OpenCL driver for it",
    ),
    (
        re.compile(r"libcudart|libcudnn|libcublas|CUDA|libnvinfer", re.I),
        "its CUDA libraries do not work here",
    ),
    (re.compile(r"libzip|libssl|GLIBC|shared librar", re.I), "a library that it needs is missing"),
    (re.compile(r"model|net.*(file|load|pars)", re.I), "its net cannot be read"),
    (re.compile(r"config", re.I), "its file of settings is not right"),
)


def why_ended(words: list[str], status: int, was_ready: bool) -> str:
    """One sentence from what it said last."""
    said = next((clean for word in reversed(words) if (clean := _clean(word))), "")
    tuning = any("uning" in word for word in words[-20:])
    how = _signal(status)
    if was_ready:
        begin = f"KataGo has ended{how}"
    elif tuning:
        begin = f"KataGo ended{how} while it was tuning for this machine"
    else:
        known = next((plain for pattern, plain in _KNOWN if pattern.search(said)), "")
        begin = f"KataGo did not start{how}" + (f": {known}" if known else "")
    if not said and not how and not was_ready:
        return f"{begin}: it ended without a word."
    if not said:
        return f"{begin}."
    return f"{begin}; it said: {said}" if said.endswith("…") else f"{begin}; it said: {said.rstrip('.')}."


def _clean(line: str) -> str:
    text = _NOISE.sub("", _STAMP.sub("", line)).strip()
    if text.startswith("an instance of"):
        return ""
    return text if len(text) <= LONGEST_WORDS else text[:LONGEST_WORDS].rsplit(" ", 1)[0] + " …"


def _signal(status: int) -> str:
    if status >= 0:
        return ""
    try:
        return f" ({signal.Signals(-status).name})"
    except ValueError:
        return f" (signal {-status})"


# One for all

_shared: dict[Program, KataEngine] = {}
_lock = threading.Lock()


def shared(program: Program) -> KataEngine:
    """The engine of that program, the same for everybody in this process; ended with it."""
    with _lock:
        if program not in _shared:
            _shared[program] = KataEngine(program)
        return _shared[program]


def close_all() -> None:
    with _lock:
        engines = list(_shared.values())
        _shared.clear()
    for engine in engines:
        engine.close()


atexit.register(close_all)
