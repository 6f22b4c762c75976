"""A training run is a folder, so that whoever started it can go away and anybody can look at it later.

In `<user data>/tengen/training/<name>/`:

| file | what | written by |
|---|---|---|
| `run.json` | what is trained and how (`Run`) | whoever creates or starts the run |
| `control.json` | what people want: run, pause or stop, and how often they asked for a brain | they |
| `status.json` | how it stands (`Status`), about once a second | the process that trains |
| `progress.jsonl` | a line a report, for curves | the process that trains |
| `lock` | held by the process that trains for as long as it lives, however it ends | |
| `log.txt` | what that process printed | |
| `checkpoint*` | all that training needs to go on | the algorithm |

`Run` is the outside, `Reporter` the inside: an algorithm is a function `train(run, reporter)` that asks
`reporter.proceed()` often, reports, and returns when it says no. Start reading at `Run.create` and
`Run.start`. No PyTorch here.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal, get_args

from tengen.game import Game, InvalidOption, OptionValue
from tengen.games import game as make_game
from tengen.learn.reporter import Reporter
from tengen.learn.run_files import Status, Wish, is_locked, put, read_control, read_progress, read_status
from tengen.records.record import save_file

Kind = Literal["dqn", "gumbel", "duel"]

__all__ = [
    "KINDS",
    "Reporter",
    "Run",
    "RunError",
    "Status",
    "require_torch",
    "run_names",
    "runs",
    "training_folder",
]

KINDS: Final[tuple[str, ...]] = get_args(Kind)
VERSION = 1
IS_RUNNING = 3  # the exit code of a process that found the run taken
START_SECONDS = 120.0  # for Python to start on a machine that is very busy
NO_TORCH = "Training needs PyTorch: pip install 'tengen[train]'."
KILLED = "Training ended without a word: its process was killed. Start it again and it goes on."

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


class RunError(ValueError):
    """A run cannot be made, found, read or started; one sentence for whoever asked."""


@dataclass(frozen=True)
class Run:
    """What `run.json` says, with the folder that it lies in. Equal for the same folder and content."""

    folder: Path
    kind: Kind
    game_name: str
    options: Mapping[str, OptionValue]
    settings: Mapping[str, Any]  # of the algorithm; what is left out has its default
    brains: tuple[str, ...] = ()  # whom a duel began with, or a brain to go on from
    cluster: str | None = None  # the address of a Ray cluster for self-play, or "local"
    limit_s: float | None = None  # of training, all starts together
    limit_games: int | None = None
    created: str = ""

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def game(self) -> Game:
        return make_game(self.game_name, **self.options)

    # Finding and making

    @classmethod
    def create(
        cls,
        kind: Kind,
        game: str,
        options: Mapping[str, OptionValue] | None = None,
        settings: Mapping[str, Any] | None = None,
        folder: Path | None = None,
        *,
        name: str | None = None,
        brains: Sequence[str] = (),
        cluster: str | None = None,
        minutes: float | None = None,
        games: int | None = None,
    ) -> Run:
        """A new run in `folder`, where all runs are; raises RunError or InvalidOption.

        The settings are the algorithm's to check, when the run starts.
        """
        if kind not in KINDS:
            raise RunError(f"There is no way to train called {kind!r}; there are {', '.join(KINDS)}.")
        whole = make_game(game, **(options or {})).options
        run = cls(
            _claim(folder or training_folder(), name, f"{game}-{kind}"),
            kind,
            game,
            whole,
            dict(settings or {}),
            tuple(brains),
            cluster,
            None if minutes is None else minutes * 60,
            games,
            time.strftime("%Y-%m-%dT%H:%M:%S"),
        )
        run._write()
        return run

    @classmethod
    def open(cls, name: str, folder: Path | None = None) -> Run:
        """The run of that name; raises RunError."""
        check_name(name)
        place = (folder or training_folder()) / name
        if not (place / "run.json").is_file():
            raise RunError(f"There is no training run {name!r}; `tengen train --list` shows those there are.")
        return cls.read(place)

    @classmethod
    def read(cls, folder: Path) -> Run:
        """The run in that folder, wherever it is; raises RunError."""
        path = folder / "run.json"
        try:
            content = json.loads(path.read_text())
        except OSError as error:
            raise RunError(f"Cannot read {path}: {error.strerror}.") from None
        except (ValueError, RecursionError):
            raise RunError(f"{path} is damaged: it is not JSON.") from None
        try:
            return cls._checked(folder, content)
        except (KeyError, TypeError, AttributeError, RunError, InvalidOption) as error:
            missing = f"it has no {error}" if isinstance(error, KeyError) else f"{error}".rstrip(".")
            raise RunError(f"{path} is damaged: {missing}.") from None

    @classmethod
    def _checked(cls, folder: Path, content: Any) -> Run:
        if content["version"] != VERSION:
            raise RunError(f"version {content['version']!r} is not known here")
        if content["kind"] not in KINDS:
            raise RunError(f"there is no way to train called {content['kind']!r}")
        run = cls(
            folder,
            content["kind"],
            content["game"],
            dict(content["options"]),
            dict(content["settings"]),
            tuple(str(name) for name in content["brains"]),
            content["cluster"],
            content["limit_s"],
            content["limit_games"],
            str(content["created"]),
        )
        _ = run.game
        return run

    def _write(self) -> None:
        content = asdict(self) | {"version": VERSION, "game": self.game_name}
        del content["folder"], content["game_name"]
        save_file(self.folder / "run.json", json.dumps(content, indent=2).encode() + b"\n")

    # Watching

    def status(self) -> Status:
        """How it stands; a process that was killed is told from one that still runs."""
        said = read_status(self.folder)
        if said.alive and not is_locked(self.folder):
            said = read_status(self.folder)  # it may have ended just now, and said so
            if said.alive:
                said = replace(said, state="stopped", left_s=None, message=KILLED)
        return said if said.alive else replace(said, pid=None)

    def progress(self, after: int = 0) -> list[dict[str, Any]]:
        """The reports so far, without the first `after`; a line that was cut off is left out."""
        return read_progress(self.folder)[after:]

    @property
    def running(self) -> bool:
        return is_locked(self.folder)

    # Wishes

    def start(self, *, minutes: float | None = None, games: int | None = None) -> Run:
        """Starts the process that trains, or goes on where it was; returns when it has taken the run.

        `minutes` and `games` are a new limit, counted from here. Without them the old one holds unless it was
        reached. Returns the run as it is now; raises RunError when it is running already. What goes wrong
        later, such as settings that the algorithm refuses, is in the status.
        """
        if self.running:
            raise RunError(f"The training run {self.name} is running already.")
        require_torch()
        run = self._limited(minutes, games)
        put(self.folder / "control.json", read_control(self.folder) | {"wish": "run"})
        with (self.folder / "log.txt").open("ab") as log:
            worker = subprocess.Popen(  # noqa: S603 - our own program
                [sys.executable, "-P", "-m", "tengen.learn", str(self.folder.absolute())],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        threading.Thread(target=worker.wait, daemon=True, name=f"reaper of {self.name}").start()
        deadline = time.monotonic() + START_SECONDS
        while read_status(self.folder).pid != worker.pid:
            code = worker.poll()
            if code == IS_RUNNING:
                raise RunError(f"The training run {self.name} is running already.")
            if code is not None:
                raise RunError(f"Training did not start; {self.folder / 'log.txt'} says why.")
            if time.monotonic() > deadline:
                raise RunError(f"Training did not start within {START_SECONDS:.0f} seconds.")
            time.sleep(0.02)
        return run

    def _limited(self, minutes: float | None, games: int | None) -> Run:
        done = read_status(self.folder)
        limit_s, limit_games = self.limit_s, self.limit_games
        if minutes is not None or games is not None:
            limit_s = None if minutes is None else done.elapsed_s + minutes * 60
            limit_games = None if games is None else done.games + games
        elif self.reached(done) and not done.alive:  # one that was killed has not yet kept what it reached
            limit_s = limit_games = None
        run = replace(self, limit_s=limit_s, limit_games=limit_games)
        if run != self:
            run._write()
        return run

    def time_used(self, status: Status) -> float:
        """How much of the time is used up: 0 without a limit, 1 and more once it is reached."""
        return 0.0 if self.limit_s is None else status.elapsed_s / max(self.limit_s, 1e-9)

    def reached(self, status: Status) -> bool:
        """Whether a run with that status has come to its limit."""
        enough = self.limit_games is not None and status.games >= self.limit_games
        return enough or self.time_used(status) >= 1

    def pause(self) -> None:
        self._wish("pause")

    def resume(self) -> None:
        """Ends a pause."""
        self._wish("run")

    def stop(self) -> None:
        """Asks for the end; the process writes its checkpoint first, which may take some seconds."""
        self._wish("stop")

    def save_brain(self) -> None:
        """Asks for a brain of how it plays now; `Status.brain` names it soon after."""
        self._must_run()
        control = read_control(self.folder)
        put(self.folder / "control.json", control | {"saves": control["saves"] + 1})

    def _wish(self, wish: Wish) -> None:
        self._must_run()
        put(self.folder / "control.json", read_control(self.folder) | {"wish": wish})

    def _must_run(self) -> None:
        if not self.running:
            raise RunError(f"The training run {self.name} is not running.")

    def wait(self, timeout_s: float | None = None) -> Status:
        """The status when its process has ended, or when the time is over."""
        deadline = None if timeout_s is None else time.monotonic() + timeout_s
        while self.running and (deadline is None or time.monotonic() < deadline):
            time.sleep(0.05)
        return self.status()

    def remove(self) -> None:
        """Deletes the folder; the brains that were saved stay where brains are."""
        if self.running:
            raise RunError(f"The training run {self.name} is running: stop it first.")
        try:
            shutil.rmtree(self.folder)
        except OSError as error:
            raise RunError(f"Cannot remove {self.folder}: {error.strerror}.") from None


def require_torch() -> None:
    """Raises RunError where there is nothing to train with."""
    if importlib.util.find_spec("torch") is None:
        raise RunError(NO_TORCH)


def training_folder() -> Path:
    """Where runs are; it may not exist yet."""
    from platformdirs import user_data_path

    return user_data_path("tengen", appauthor=False) / "training"


def run_names(folder: Path | None = None) -> list[str]:
    """All that looks like a run, the newest first, whether it can be read or not."""
    place = folder or training_folder()
    try:
        found = [path for path in place.iterdir() if (path / "run.json").is_file()]
        newest = sorted(found, key=lambda path: (path / "run.json").stat().st_mtime, reverse=True)
    except OSError:
        return []
    return [path.name for path in newest if _NAME.fullmatch(path.name)]


def runs(folder: Path | None = None) -> list[Run]:
    """The runs that can be read, the newest first."""
    found = []
    for name in run_names(folder):
        with contextlib.suppress(RunError):
            found.append(Run.open(name, folder))
    return found


def check_name(name: str) -> None:
    """Raises RunError for what cannot be the name of a folder of ours."""
    if not _NAME.fullmatch(name):
        raise RunError(f"{name!r} is no name for a run: use letters, digits, - and _, at most 64.")


def _claim(place: Path, name: str | None, base: str) -> Path:
    """A new folder, of that name or the next that is free."""
    if name is not None:
        check_name(name)
    try:
        place.mkdir(parents=True, exist_ok=True)
        for candidate in [name] if name is not None else (f"{base}-{n}" for n in range(1, 100_000)):
            with contextlib.suppress(FileExistsError):
                (place / candidate).mkdir()
                return place / candidate
    except OSError as error:
        raise RunError(f"Cannot keep training runs in {place}: {error.strerror}.") from None
    raise RunError(f"There is a training run {name!r} already; --resume goes on with it.")
