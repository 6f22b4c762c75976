"""Training in the terminal: a live board with the numbers beside it, or a plain line every few seconds.

The run trains in a process of its own (`tengen.learn.runs`); this only looks at its status and passes wishes
on, so leaving it costs nothing. Keys work on a terminal, drawn or plain. Start reading at `watch`.
"""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from tengen.facets.words import count
from tengen.game import Game
from tengen.learn.runs import Run, RunError, Status
from tengen.terminal import draw
from tengen.terminal.screen import Screen

FRAME_SECONDS = 0.25
PLAIN_SECONDS = 5.0
GAP = 3
NUMBERS_WIDTH = 34  # columns that the numbers need beside the board
LONGEST_CURVE = 24
_KEY = re.compile(r"\x1b[\[O][0-9;]*[^0-9;]|.", re.DOTALL)  # an arrow or the like is one key
CURVE_SECONDS = 5.0  # between two looks at the whole past
ESCAPE, INTERRUPT, LEAVE = "\x1b", "\x03", "d"
HELP = "s save brain   p pause or go on   q or Esc stop   d leave it running"
_BARS = "▁▂▃▄▅▆▇█"


def watch(run: Run, *, plain: bool = False) -> Status:
    """Shows the run until it ends or the person leaves; a line at the end says how to go on."""
    screen = Screen(plain=plain)
    watching = _Watching(run, screen)
    with _keys(screen) as keys:
        if screen.live:
            watching.draw(keys)
        else:
            watching.tell(keys)
    status = run.status()
    for line in farewell(run, status, screen):
        screen.say(line)
    return status


class _Watching:
    def __init__(self, run: Run, screen: Screen) -> None:
        self.run, self.screen = run, screen
        self.game = run.game
        self.note = ""  # what came of the last key
        self.asked_at: int | None = None  # how many wishes for a brain had been met when one was asked for
        self.stopping = False
        self._losses: list[float] = []
        self._losses_until = 0.0

    # Drawn

    def draw(self, keys: _Keys) -> None:
        console = Console(highlight=False, markup=False, emoji=False)
        shown: object = None
        with Live(console=console, screen=True, auto_refresh=False) as live:
            while True:
                status = self._look()
                if shown != (seen := (status, self.note, console.size)):
                    live.update(self._frame(status, console.width, console.height), refresh=True)
                    shown = seen
                if not status.alive or not self._obey(keys.wait(FRAME_SECONDS), status):
                    return

    def _frame(self, status: Status, width: int, height: int) -> RenderableType:
        title = Text(f"{self.game.title}: {self.run.kind} {self.run.name}", "bold")
        brain = f"Last brain: {status.brain}" if status.brain else ""
        said = [*players(self.game, status), brain, self.note, status.message, HELP]
        below = Text("\n".join(filter(None, said)))
        board = live_board(self.game, status, self.screen)
        taken = max((len(line.plain) for line in board), default=0) + GAP
        if board and width >= taken + NUMBERS_WIDTH:
            columns = Table.grid(padding=(0, GAP))
            columns.add_row(Group(*board), self._numbers(status, width - taken))
            return Group(title, Text(), columns, Text(), below)
        numbers = self._numbers(status, width)
        room = height - numbers.row_count - len(below.plain.split("\n")) - 4
        return Group(title, Text(), numbers, Text(), below, *(board if room >= len(board) else ()))

    def _numbers(self, status: Status, width: int) -> Table:
        table = Table.grid(padding=(0, 2))
        rows = status_rows(status)
        for name, value in rows:
            table.add_row(Text(name, "dim"), Text(value))
        losses = self._past_losses()
        if self.screen.unicode and len(losses) > 1:
            room = width - max(len(name) for name, _ in rows) - 2
            table.add_row(Text("Loss so far", "dim"), Text(curve(losses, min(room, LONGEST_CURVE))))
        return table

    def _past_losses(self) -> list[float]:
        now = time.monotonic()
        if now >= self._losses_until:
            self._losses = [row["loss"] for row in self.run.progress() if "loss" in row]
            self._losses_until = now + CURVE_SECONDS
        return self._losses

    # Told

    def tell(self, keys: _Keys) -> None:
        self.screen.say(f"Training {self.game.title} in the run {self.run.name}.")
        if keys.work:
            self.screen.say(f"Keys: {HELP}.")
        said, next_s, note = "", 0.0, ""
        while True:
            status = self._look()
            if self.note != note:
                note = self.note
                self.screen.say(note)
            now = time.monotonic()
            line = sentence(status)
            if line != said and (now >= next_s or not status.alive):
                self.screen.say(line)
                said, next_s = line, now + PLAIN_SECONDS
            if not status.alive or not self._obey(keys.wait(FRAME_SECONDS), status):
                return

    # Both

    def _look(self) -> Status:
        status = self.run.status()
        if self.asked_at is not None and status.saves > self.asked_at:
            self.asked_at, self.note = None, f"Saved {status.brain}."
        return status

    def _obey(self, key: str, status: Status) -> bool:
        """Does what the key says; False if it ends the watching."""
        with contextlib.suppress(RunError):  # it has just ended
            if key == "s":
                self.asked_at, self.note = status.saves, "Saving a brain..."
                self.run.save_brain()
            elif key == "p":
                paused = status.state == "paused"
                self.note = "" if paused else "Pausing after the moves under way..."
                (self.run.resume if paused else self.run.pause)()
            elif key in ("q", ESCAPE, INTERRUPT):
                if self.stopping:
                    return False
                self.stopping, self.note = True, "Stopping: what was learnt is being kept..."
                self.run.stop()
            elif key == LEAVE:
                return False
        return True


def live_board(game: Game, status: Status, screen: Screen) -> list[Text]:
    """The game under way; nothing where none is."""
    if status.live is None:
        return []
    state = game.start()
    try:
        for action in status.live["actions"]:
            state = state.play(action)
    except (ValueError, TypeError, KeyError, OverflowError):  # no file of ours
        return []
    return [*draw.board(state, screen), Text(), Text(count(len(state.actions), "action"))]


def players(game: Game, status: Status) -> list[str]:
    """Who plays the game under way, a line each."""
    names = (status.live or {}).get("names", ())
    return [f"{seat}: {name}" for seat, name in zip(game.seats, names, strict=False)]


def status_rows(status: Status) -> list[tuple[str, str]]:
    """What is known, a name and a value each."""
    rows = [("State", status.state), ("Games played", f"{status.games:,}")]
    if status.loss is not None:
        rows.append(("Current loss", f"{status.loss:.6f}"))
    for opponent, share in status.win_rates.items():
        rows.append((f"Wins against {opponent}", f"{share:.0%}"))
    if status.elo is not None:
        rows.append(("Rating in Elo", f"{status.elo:+.0f}"))
    if status.games_per_s is not None:
        rows.append(("Games a second", f"{status.games_per_s:.2f}"))
    rows.append(("Time", duration(status.elapsed_s)))
    if status.left_s is not None:
        rows.append(("Time left", duration(status.left_s)))
    return rows


def sentence(status: Status) -> str:
    """The same in one line."""
    parts = [f"{name[0].lower()}{name[1:]} {value}" for name, value in status_rows(status)[1:]]
    if status.brain is not None:
        parts.append(f"last brain {status.brain}")
    told = f"{status.state.capitalize()}: {', '.join(parts)}."
    return f"{told} {status.message}" if status.message else told


def row(run: Run, status: Status) -> str:
    """A run among others."""
    loss = "" if status.loss is None else f"loss {status.loss:.6f}"
    numbers = f"{status.games:>9,} games  {loss:13}  {duration(status.elapsed_s):>8}"
    return f"{run.name:30} {status.state:9} {numbers}  {status.brain or ''}".rstrip()


def farewell(run: Run, status: Status, screen: Screen) -> Iterator[str]:
    if status.alive:
        yield f"{run.name} is still {status.state}; tengen train --resume {run.name} shows it again."
        return
    if screen.live:
        yield sentence(status)
    if status.state == "failed":
        return
    if status.brain is None:
        yield "There is no brain of it yet: it has not learned for long enough to be measured and kept."
    yield f"To go on: tengen train --resume {run.name}"


def duration(seconds: float) -> str:
    """1:02:03, or 2:03 below an hour."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def curve(values: Sequence[float], width: int) -> str:
    """A row of bars, the newest at the right; many values are averaged into each."""
    step = max(1, -(-len(values) // max(1, width)))
    chunks = [values[start : start + step] for start in range(0, len(values), step)]
    means = [sum(chunk) / len(chunk) for chunk in chunks]
    low, high = min(means), max(means)
    if high == low:
        return _BARS[0] * len(means)
    return "".join(_BARS[round((mean - low) / (high - low) * (len(_BARS) - 1))] for mean in means)


# Keys


class _Keys:
    """Single keys from a terminal; without one there is only Ctrl-C."""

    def __init__(self, file: int | None) -> None:
        self._file = file
        self._interrupted = False
        self._typed: list[str] = []  # keys that came faster than they were asked for

    @property
    def work(self) -> bool:
        return self._file is not None

    def interrupt(self) -> None:
        self._interrupted = True

    def wait(self, seconds: float) -> str:
        """The next key within that time, or nothing."""
        key = ""
        if self._file is None:
            time.sleep(seconds)
        elif self._typed or select.select([self._file], [], [], seconds)[0]:
            key = self._next(self._file)
        if self._interrupted:
            self._interrupted, key = False, INTERRUPT
        return key

    def _next(self, file: int) -> str:
        if not self._typed:
            with contextlib.suppress(OSError):
                self._typed = _KEY.findall(os.read(file, 64).decode(errors="replace"))
        return self._typed.pop(0).lower() if self._typed else LEAVE  # the terminal has gone


@contextlib.contextmanager
def _keys(screen: Screen) -> Iterator[_Keys]:
    """Keys arrive at once and unseen for as long as it lasts."""
    with _single_keys(screen) as file:
        keys = _Keys(file)
        before = signal.signal(signal.SIGINT, lambda *_: keys.interrupt())
        try:
            yield keys
        finally:
            signal.signal(signal.SIGINT, before)


@contextlib.contextmanager
def _single_keys(screen: Screen) -> Iterator[int | None]:
    """The terminal that is typed on, if there is one."""
    if not screen.typed or sys.platform == "win32":
        yield None
        return
    import termios
    import tty

    file = sys.stdin.fileno()
    before: list[Any] = termios.tcgetattr(file)
    try:
        tty.setcbreak(file)
        yield file
    finally:
        with contextlib.suppress(termios.error):
            termios.tcsetattr(file, termios.TCSADRAIN, before)
