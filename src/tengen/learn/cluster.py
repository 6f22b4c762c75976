"""Self-play on many machines: Ray actors that play, and a driver that hands out nets and gathers games.

The driver is the process that trains. It keeps a worker for each CPU of the cluster; a worker is an actor, a
process with one thread of `tengen.learn.self_play` whose games go on from call to call. A call lasts about a
second and brings the games that ended in it, in the same form as from threads of this process, so a worker
that dies takes no more along than the games it was playing: the driver puts another in its place and goes on.
Start reading at `cluster_play`, then `ClusterPlay.play`.

`local` starts a Ray of our own that listens on the loopback address alone and ends with us. Anything else is
the address of a cluster that somebody runs: `HOST:PORT` on a machine that belongs to it, or `ray://HOST:PORT`
from outside. Each of its machines needs the same tengen; none but this one needs PyTorch.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import math
import os
import secrets
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import tengen
from tengen.game import Game, OptionValue
from tengen.games import game as make_game
from tengen.learn.game_record import GameRecord
from tengen.learn.self_play import SelfPlay, Tick
from tengen.learn.settings import GumbelSettings
from tengen.learn.workers import TICK_SECONDS

NO_RAY = "Training on a cluster needs Ray: pip install 'tengen[cluster]'."
SLICE_SECONDS = 1.0  # of a call: what a lost worker can take along, and how long a stop may take
GRACE_SECONDS = 3.0  # for the last calls to come in; what is later still counts the next time
LOOK_SECONDS = 1.0  # between looks at how many workers the cluster has room for
MOST_STILLBORN = 5  # workers in a row that die before their first answer, at least: then something is wrong
KNOCK_SECONDS = 5.0
START_ATTEMPTS = 3
OBJECT_STORE_BYTES = 200 * 2**20  # of a local Ray: nets and games pass through and do not stay

_LOCAL_ENVIRONMENT = {
    "RAY_USAGE_STATS_ENABLED": "0",
    # Despite its name it decides on every system whether Ray listens beyond the loopback address.
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
    "RAY_AUTH_MODE": "token",  # so that other users of this machine cannot run code through it
}

Say = Callable[[str], object]


class ClusterError(ValueError):
    """There is no cluster to play on, or not one that can; one sentence for whoever asked."""


def require_ray() -> None:
    """Raises ClusterError where Ray is not installed; does not import it."""
    if importlib.util.find_spec("ray") is None:
        raise ClusterError(NO_RAY)


def print_error(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


@contextlib.contextmanager
def cluster_play(
    cluster: str | None, game: Game, settings: GumbelSettings, say: Say = print_error
) -> Iterator[ClusterPlay | None]:
    """Where the games of a run come from: None, which is this process, or the cluster of that address.

    `local` starts a Ray with `settings.threads` CPUs. `say` gets a sentence when workers were lost. Raises
    ClusterError. One at a time in a process, since Ray knows no more.
    """
    if cluster is None:
        yield None
    elif cluster == "local":
        with local_ray(max(1, settings.threads)) as ray:
            yield ClusterPlay(ray, game, settings, say)
    else:
        with (
            joined_ray(cluster) as ray,
            contextlib.closing(ClusterPlay(ray, game, settings, say)) as play,
        ):
            yield play


class ClusterPlay:
    """`SelfPlay` with workers elsewhere. Seeds are fresh ones: who answers first is chance anyway."""

    def __init__(self, ray: Any, game: Game, settings: GumbelSettings, say: Say) -> None:
        self._ray, self._say = ray, say
        self._actor = ray.remote(num_cpus=1, max_restarts=0)(SelfPlayWorker)
        self._job = Job(game.name, dict(game.options), replace(settings, threads=1), tengen.__version__)
        self._idle: list[_Hired] = []
        self._calls: dict[Any, _Hired] = {}  # by Ray's reference to what they will return
        self._room = 1
        self._looked_at = -math.inf
        self._lost = 0  # workers, since it was last said
        self._stillborn = 0

    def play(self, net: bytes, *, games: int, tick: Tick | None = None) -> list[GameRecord]:
        """At least so many games, or what there is when `tick` says False; both as in `SelfPlay.play`.

        Games that a slow worker finished with the net before may be among them.
        """
        shared = self._ray.put(net)
        found = _Found()
        while len(found.games) < games:
            self._hire()
            workers = max(1, len(self._idle) + len(self._calls))
            share = math.ceil((games - len(found.games)) / (2 * workers))  # half of it, to end together
            while self._idle:
                hired = self._idle.pop()
                self._calls[hired.actor.play.remote(shared, share, SLICE_SECONDS)] = hired
            self._gather(list(self._calls), found)
            if tick is not None and not tick(found.live, len(found.games)):
                break
        self._settle(found)
        return found.games

    def close(self) -> None:
        """Ends the workers; the games they were playing are gone."""
        for hired in [*self._idle, *self._calls.values()]:
            self._ray.kill(hired.actor)
        self._idle, self._calls = [], {}

    def _hire(self) -> None:
        """A worker for each CPU. One that finds no room in the cluster waits for it, which costs nothing."""
        if time.monotonic() - self._looked_at < LOOK_SECONDS:
            return
        self._looked_at = time.monotonic()
        self._room = max(1, int(self._ray.cluster_resources().get("CPU", 0)))
        for _ in range(self._room - len(self._idle) - len(self._calls)):
            self._idle.append(_Hired(self._actor.remote(self._job, secrets.randbits(63))))
        if self._lost:
            now = len(self._idle) + len(self._calls)
            self._say(f"{_lost_workers(self._lost)}; self-play goes on with {now}.")
            self._lost = 0

    def _gather(self, calls: Sequence[Any], found: _Found) -> None:
        """Waits a moment for one of the calls, and takes what it brings."""
        if not calls:
            time.sleep(TICK_SECONDS)
            return
        for call in self._ray.wait(calls, num_returns=1, timeout=TICK_SECONDS)[0]:
            hired = self._calls.pop(call)
            try:
                games, found.live = self._ray.get(call)
            except self._ray.exceptions.RayTaskError as error:
                raise error.cause if isinstance(error.cause, ClusterError) else error from None
            except self._ray.exceptions.RayError as error:
                self._bury(hired, error)
            else:
                found.games += [_own(game) for game in games]
                hired.answered, self._stillborn = True, 0
                self._idle.append(hired)

    def _bury(self, hired: _Hired, error: Exception) -> None:
        """For a worker that died, or cannot be reached, or whose machine went down with its answer."""
        if getattr(error, "actor_init_failed", False):
            raise ClusterError(f"Each machine of the cluster needs tengen {tengen.__version__}.") from error
        self._stillborn += not hired.answered
        if self._stillborn > max(MOST_STILLBORN, self._room):
            raise ClusterError("The cluster's workers die before they play: its logs say why.") from error
        with contextlib.suppress(Exception):
            self._ray.kill(hired.actor)
        self._lost += 1

    def _settle(self, found: _Found) -> None:
        """Waits for the calls under way, but not for workers that may never begin."""
        deadline = time.monotonic() + SLICE_SECONDS + GRACE_SECONDS
        while time.monotonic() < deadline:
            calls = [call for call, hired in self._calls.items() if hired.answered]
            if not calls:
                break
            self._gather(calls, found)


@dataclass(eq=False, slots=True)
class _Hired:
    actor: Any
    answered: bool = False  # once at least


@dataclass(slots=True)
class _Found:
    games: list[GameRecord] = field(default_factory=list)
    live: list[int] = field(default_factory=list)  # the actions of a game under way


def _own(game: GameRecord) -> GameRecord:
    """With arrays of its own: Ray's are views of its object store, which they would fill."""
    values = {each.name: getattr(game, each.name) for each in fields(game)}
    copies: dict[str, Any] = {k: v.copy() for k, v in values.items() if isinstance(v, np.ndarray)}
    return replace(game, **copies)


def _lost_workers(count: int) -> str:
    if count == 1:
        return "A self-play worker was lost with the games it was playing"
    return f"{count} self-play workers were lost with the games they were playing"


# The other side


@dataclass(frozen=True, slots=True)
class Job:
    """What a worker needs to know, but for its seed."""

    game: str
    options: Mapping[str, OptionValue]
    settings: GumbelSettings
    version: str  # of tengen where the driver is


class SelfPlayWorker:
    """The actor. Its first call sets it up, so that what goes wrong comes back as the answer."""

    def __init__(self, job: Job, seed: int) -> None:
        self._job, self._seed = job, seed
        self._player: SelfPlay | None = None
        self._live: list[int] = []

    def play(self, net: bytes, games: int, seconds: float) -> tuple[list[GameRecord], list[int]]:
        """Finished games, at least so many unless the time is over, and the actions of one under way."""
        if self._player is None:
            self._player = self._begin()
        deadline = time.monotonic() + seconds

        def tick(live: list[int], _count: int) -> bool:
            self._live = live
            return time.monotonic() < deadline

        return self._player.play(net, games=games, tick=tick), self._live

    def _begin(self) -> SelfPlay:
        job = self._job
        if job.version != tengen.__version__:
            raise ClusterError(
                f"A machine of the cluster has tengen {tengen.__version__} and this one {job.version}:"
                " they must be the same."
            )
        return SelfPlay(make_game(job.game, **job.options), job.settings, self._seed)


# Ray


@contextlib.contextmanager
def local_ray(cpus: int) -> Iterator[Any]:
    """A Ray of our own, with nothing left of it afterwards.

    When this process is killed, the kernel ends Ray's processes at once, but for two idle ones that notice
    within a minute; the folder with its logs then stays.
    """
    require_ray()
    environment = _LOCAL_ENVIRONMENT | {"RAY_AUTH_TOKEN": _token()}
    with (
        tempfile.TemporaryDirectory(
            prefix="tengen-ray-", dir=_short_folder(), ignore_cleanup_errors=True
        ) as folder,
        _environment(environment),
    ):
        ray = importlib.import_module("ray")
        _start(ray, cpus, folder)
        try:
            yield ray
        finally:
            ray.shutdown()


def _start(ray: Any, cpus: int, folder: str) -> None:
    """Again if need be: Ray's parts wait 15 s for each other, too short where a machine has much to do."""
    for left in reversed(range(START_ATTEMPTS)):
        try:
            _initialise(
                ray,
                "Ray did not start",
                address="local",
                num_cpus=cpus,
                num_gpus=0,
                object_store_memory=OBJECT_STORE_BYTES,
                include_dashboard=False,
                _temp_dir=folder,
            )
            return
        except ClusterError:
            _kill_children(folder)
            if not left:
                raise


def _kill_children(folder: str) -> None:
    """Those with that folder in their command line, and all that they started: a failed Ray forgets them."""
    psutil = importlib.import_module("psutil")  # comes with Ray
    for child in psutil.Process().children():
        with contextlib.suppress(psutil.Error):
            if folder in " ".join(child.cmdline()):
                for process in [*child.children(recursive=True), child]:
                    with contextlib.suppress(psutil.Error):
                        process.kill()
                child.wait()


@contextlib.contextmanager
def joined_ray(address: str) -> Iterator[Any]:
    """The workers end when we leave. How to prove who we are, Ray takes from its environment variables."""
    require_ray()
    _knock(address)
    with _environment({}):
        ray = importlib.import_module("ray")
        _initialise(ray, f"Cannot join the Ray cluster at {address}", address=address)
        try:
            yield ray
        finally:
            ray.shutdown()


def _knock(address: str) -> None:
    """Ray itself would try for minutes. Addresses of another form are left to it."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdecimal():
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), KNOCK_SECONDS).close()
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ClusterError(
            f"Nothing answers at {address}, where the Ray cluster should be: {reason}."
        ) from None


def _initialise(ray: Any, failure: str, **arguments: Any) -> None:
    if ray.is_initialized():
        raise ClusterError(f"{failure}: this process uses Ray already.")
    try:
        with _signals_kept():
            ray.init(log_to_driver=False, logging_level="ERROR", **arguments)
    except Exception as error:
        ray.shutdown()
        reason = str(error).strip().partition("\n")[0].rstrip(".") or type(error).__name__
        raise ClusterError(f"{failure}: {reason}.") from error


@contextlib.contextmanager
def _signals_kept() -> Iterator[None]:
    """Ray would have SIGTERM end the process on the spot."""
    handler = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, handler)


@contextlib.contextmanager
def _environment(changes: Mapping[str, str]) -> Iterator[None]:
    """With those variables; afterwards it is as it was, whatever Ray has put in."""
    before = dict(os.environ)
    os.environ.update(changes)
    try:
        yield
    finally:
        for name in os.environ.keys() - before.keys():
            del os.environ[name]
        os.environ.update(before)


@cache
def _token() -> str:
    """One for each process, since Ray remembers the first one that it sees."""
    return secrets.token_hex(32)


def _short_folder() -> str | None:
    """Ray's sockets lie in there, and the path of a socket must not be longer than some 100 letters."""
    return "/tmp" if Path("/tmp").is_dir() else None  # noqa: S108 - a new folder of our own is made in it
