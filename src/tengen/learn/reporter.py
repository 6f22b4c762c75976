"""The inside of a training run: what people want of it, and where an algorithm tells how it goes.

`Reporter` is made by the process that trains (`tengen.learn.__main__`) and handed to the algorithm.
"""

from __future__ import annotations

import contextlib
import math
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tengen.learn.run_files import (
    State,
    Status,
    Wish,
    append_progress,
    put,
    read_control,
    read_progress,
    read_status,
    rewrite_progress,
)

if TYPE_CHECKING:
    from tengen.learn.runs import Run

STATUS_SECONDS = 1.0
CONTROL_SECONDS = 0.2
RATE_SECONDS = 60.0  # games a second are those of the last minute


class Reporter:
    """The inside of a run, for the algorithm: what people want, and where it tells how it goes.

    One thread of its own writes the status about once a second, so that nothing here makes training wait. All
    methods may be called from any thread.
    """

    def __init__(self, run: Run) -> None:
        """To be made by the process that holds the lock of the run."""
        self.run = run
        self._lock = threading.Lock()
        self._stop = False  # asked for by a signal
        self._closed = threading.Event()
        before = read_status(run.folder)
        self._status = replace(before, state="starting", pid=os.getpid(), live=None, left_s=None, message="")
        self._since: float | None = None  # when the time under way began to count
        self.conclusion = ""
        self._recent = deque([(before.elapsed_s, before.games)])  # time and games of the last reports
        self._wish: Wish = "run"
        self._saves = self._status.saves
        self._read_at = -CONTROL_SECONDS
        self._control()
        rewrite_progress(run.folder, read_progress(run.folder))  # without a line that was cut off
        self._write()
        self._writer = threading.Thread(target=self._keep_writing, daemon=True, name="status")
        self._writer.start()

    # What people want

    def proceed(self, save: Callable[[], object] | None = None) -> bool:
        """Whether to go on. Waits while people want a pause; after False `train` should come to its end.

        `save` writes a brain and calls `saved`; it is called when somebody wants one, in a pause too.
        """
        while True:
            if save is not None and self.save_wanted():
                save()
            wish = self.wish()
            if wish != "pause":
                break
            self.state("paused")
            time.sleep(CONTROL_SECONDS)
        self.state("stopping" if wish == "stop" else "running")
        return wish == "run"

    def wish(self) -> Wish:
        """What people want now; a limit that is reached is a wish to stop. Cheap."""
        if self._stop or self.limit_reached:
            return "stop"
        self._control()
        return self._wish

    def save_wanted(self) -> bool:
        """Whether somebody wants a brain; true until `saved`."""
        self._control()
        return self._saves > self._status.saves

    def may_learn(self) -> bool:
        """Whether there is time to learn from what was played, though there may be no game left to play."""
        self._control()
        return not self._stop and self._wish == "run" and self.time_used < 1

    def games_left(self, done: int) -> int:
        """How many a run with so many games may still play; a great many where it has no end."""
        limit = self.run.limit_games
        return sys.maxsize if limit is None else max(0, limit - done)

    @property
    def time_used(self) -> float:
        """How much of the run's time is used up, from 0 to 1; 0 where it has no end."""
        return min(1.0, self.run.time_used(self._now()))

    @property
    def limit_reached(self) -> bool:
        return self.run.reached(self._now())

    def ask_stop(self) -> None:
        """As if people had asked for it; safe in a signal handler."""
        self._stop = True

    def _control(self) -> None:
        if time.monotonic() - self._read_at < CONTROL_SECONDS:
            return
        self._read_at = time.monotonic()
        control = read_control(self.run.folder)
        self._wish, self._saves = control["wish"], control["saves"]

    # How it goes

    def state(self, state: State, message: str | None = None) -> None:
        """Time counts while it is "running". Without a message the old one stays."""
        with self._lock:
            message = self._status.message if message is None else message
            if (state, message) == (self._status.state, self._status.message):
                return
            now = time.monotonic()
            if self._since is not None:
                self._status = replace(self._status, elapsed_s=self._status.elapsed_s + now - self._since)
            self._since = now if state == "running" else None
            self._status = replace(self._status, state=state, message=message)
        self._write()

    def report(
        self,
        *,
        games: int,
        loss: float | None = None,
        win_rates: Mapping[str, float] | None = None,
        elo: float | None = None,
        games_per_s: float | None = None,
        **more: float | int | str,
    ) -> None:
        """A line of `progress.jsonl` and the numbers of the status; what is not finite is left out."""
        self.count(games=games, loss=loss)
        now = self._now()
        row: dict[str, Any] = {
            "t_s": round(now.elapsed_s, 2),
            "games": games,
            "loss": loss,
            "win_rates": dict(win_rates) if win_rates else None,
            "elo": elo,
            "games_per_s": self._rate(now.elapsed_s, games) if games_per_s is None else games_per_s,
            **more,
        }
        row = {name: value for name, value in row.items() if value is not None and _is_finite(value)}
        with self._lock:
            self._status = replace(
                self._status,
                win_rates=dict(self._status.win_rates) | dict(win_rates or {}),
                elo=row.get("elo", self._status.elo),
                games_per_s=row.get("games_per_s", self._status.games_per_s),
            )
        append_progress(self.run.folder, row)

    def count(self, *, games: int, loss: float | None = None) -> None:
        """Only the numbers of the status, as often as one likes."""
        with self._lock:
            known = loss if loss is not None and math.isfinite(loss) else self._status.loss
            self._status = replace(self._status, games=games, loss=known)

    def live(self, actions: Sequence[int], names: Sequence[str]) -> None:
        """A game under way, for people to watch: its actions from the start, and who plays."""
        with self._lock:
            shown = {"actions": [int(action) for action in actions], "names": list(names)}
            self._status = replace(self._status, live=shown)

    def saved(self, brain: str) -> None:
        """A brain was written under that name; all wishes for one so far are met."""
        with self._lock:
            self._status = replace(self._status, brain=brain, saves=self._saves)
        self._write()

    def conclude(self, sentence: str) -> None:
        """What is said when `train` has come to its end, in place of the usual words."""
        self.conclusion = sentence

    def resumed(self, games: int) -> None:
        """Training goes on from a checkpoint with so many games; what was reported beyond it is forgotten."""
        rows = read_progress(self.run.folder)
        rewrite_progress(self.run.folder, [row for row in rows if row["games"] <= games])
        self.count(games=games)
        with self._lock:
            self.conclusion = ""
        self._recent = deque([(self._status.elapsed_s, games)])

    def close(self, state: State, message: str) -> None:
        """The last word. The process is still named, for whoever waits for it to have begun."""
        self.state(state, message)
        self._closed.set()
        self._writer.join()
        self._write()

    def _rate(self, elapsed_s: float, games: int) -> float | None:
        with self._lock:
            self._recent.append((elapsed_s, games))
            while len(self._recent) > 2 and self._recent[0][0] < elapsed_s - RATE_SECONDS:
                self._recent.popleft()
            first_s, first = self._recent[0]
        return round((games - first) / (elapsed_s - first_s), 3) if elapsed_s > first_s else None

    def _now(self) -> Status:
        """The status with the time under way in it."""
        with self._lock:
            status, since = self._status, self._since
        elapsed_s = status.elapsed_s + (0.0 if since is None else time.monotonic() - since)
        return replace(status, elapsed_s=elapsed_s, left_s=self._left(status, elapsed_s))

    def _left(self, status: Status, elapsed_s: float) -> float | None:
        left = []
        if self.run.limit_s is not None:
            left.append(self.run.limit_s - elapsed_s)
        if self.run.limit_games is not None and status.games_per_s:
            left.append((self.run.limit_games - status.games) / status.games_per_s)
        return max(0.0, min(left)) if left and status.alive else None

    def _write(self) -> None:
        put(self.run.folder / "status.json", self._now().to_json())

    def _keep_writing(self) -> None:
        while not self._closed.wait(STATUS_SECONDS):
            with contextlib.suppress(OSError):  # a full disk: the next one may fit
                self._write()


def _is_finite(value: object) -> bool:
    return not isinstance(value, float) or math.isfinite(value)
