"""Threads that bring results until there are enough of them or somebody wants the end."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

TICK_SECONDS = 0.2

T = TypeVar("T")


class Work(Generic[T]):
    """What the threads of one call share. A job adds what it finds and looks at `ended` often."""

    def __init__(self, enough: Callable[[Sequence[T]], bool]) -> None:
        self.found: list[T] = []
        self.ended = threading.Event()  # there is enough, or...
        self.stopped = threading.Event()  # ...what is under way is not wanted any more
        self._enough = enough
        self._error: BaseException | None = None
        self._lock = threading.Lock()

    def add(self, found: Sequence[T]) -> None:
        if not found:
            return
        with self._lock:
            self.found += found
            if self._enough(self.found):
                self.ended.set()

    def gather(self, jobs: Sequence[Callable[[], None]], tick: Callable[[int], bool] | None) -> list[T]:
        """Runs each job in a thread of its own until all have ended; returns what they found.

        `tick` is called several times a second with how much there is; False stops them. What a job raises is
        raised here.
        """
        threads = [
            threading.Thread(target=self._try, args=(job,), name=f"job {i}", daemon=True)
            for i, job in enumerate(jobs)
        ]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            if not self.ended.wait(TICK_SECONDS) and tick is not None and not tick(len(self.found)):
                self._stop()
            if self.ended.is_set():
                for thread in threads:
                    thread.join(TICK_SECONDS)
        if self._error is not None:
            raise self._error
        return self.found

    def _try(self, job: Callable[[], None]) -> None:
        try:
            job()
        except BaseException as error:
            self._error = error
            self._stop()

    def _stop(self) -> None:
        self.stopped.set()
        self.ended.set()
