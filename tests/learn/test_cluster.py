"""Self-play on Ray: a real one with two workers, and what happens where there is none or it fails.

The tests with a Ray share one and its workers, in any order.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tengen
from tengen.learn import cluster
from tengen.learn.cluster import ClusterError, ClusterPlay, Job, SelfPlayWorker, cluster_play
from tengen.learn.game_record import GameRecord
from tengen.learn.self_play import SelfPlay
from tengen.learn.settings import GumbelSettings, settings_for
from tests.brains.make import tiny_model

GAME = tengen.game("great-kingdom", size=5)
SEED = 7
LONG_SECONDS = 120.0  # for a machine with much else to do
TINY = {"full_simulations": 8, "fast_simulations": 2, "full_share": 0.5, "pool_games": 4, "threads": 2}


def tiny_settings(game: str) -> GumbelSettings:
    return settings_for(game, TINY)


def tiny_net(game: tengen.Game) -> bytes:
    return bytes(tiny_model(game).SerializeToString())


@dataclass(frozen=True)
class Local:
    ray: Any
    play: ClusterPlay
    said: list[str]


@pytest.fixture(scope="module")
def local() -> Iterator[Local]:
    """A Ray of two CPUs, since one takes seconds to start. When it has ended nothing of it is left."""
    handler, environment = signal.getsignal(signal.SIGTERM), dict(os.environ)
    said: list[str] = []
    with cluster_play("local", GAME, tiny_settings(GAME.name), said.append) as play:
        assert play is not None
        ray = sys.modules["ray"]
        [folder] = {path for process in processes() for path in our_folders(process)}
        assert folder.is_dir()
        assert signal.getsignal(signal.SIGTERM) is handler
        yield Local(ray, play, said)
        started = processes()
    assert not folder.exists()
    assert dict(os.environ) == environment
    _, left = psutil().wait_procs(started, LONG_SECONDS)
    assert not left


def psutil() -> Any:
    """The one that Ray brings along."""
    importlib.import_module("ray")
    return importlib.import_module("psutil")


def processes() -> list[Any]:
    """All that this process has started, and what those have."""
    found: list[Any] = psutil().Process().children(recursive=True)
    return found


def our_folders(process: Any) -> set[Path]:
    with contextlib.suppress(psutil().Error):
        return {Path(found) for found in re.findall(r"/[^ =]*/tengen-ray-\w+", " ".join(process.cmdline()))}
    return set()


def worker_ids() -> set[int]:
    found = set()
    for process in processes():
        with contextlib.suppress(psutil().Error):
            if "ray::SelfPlayWorker" in " ".join(process.cmdline()):
                found.add(process.pid)
    return found


def wait_for(local: Local, ready: Callable[[], bool]) -> list[GameRecord]:
    """Plays until then."""
    deadline = time.monotonic() + LONG_SECONDS

    def tick(_live: list[int], _count: int) -> bool:
        return not ready() and time.monotonic() < deadline

    games = local.play.play(tiny_net(GAME), games=10**9, tick=tick)
    assert ready(), worker_ids()
    return games


def check(games: list[GameRecord], game: tengen.Game = GAME) -> None:
    """They can be played, end as they say, and have the form of games that threads play."""
    like = SelfPlay(game, tiny_settings(game.name), SEED).play(tiny_net(game), games=1)[0]
    for record in games:
        state = game.start()
        for action in record.actions:
            state = state.play(action)
        assert state.outcome is not None
        winner = -1 if state.outcome.winner is None else state.outcome.winner
        assert (winner, state.outcome.reason) == (record.winner, record.reason)
        for each in fields(GameRecord):
            value, other = getattr(record, each.name), getattr(like, each.name)
            if isinstance(other, np.ndarray):
                assert (value.dtype, value.shape[1:]) == (other.dtype, other.shape[1:]), each.name
                assert len(value) == len(record.value)
                assert value.flags.writeable
            else:
                assert isinstance(value, type(other)) or each.name == "score", each.name


def test_workers_play_as_threads_do(local: Local) -> None:
    wait_for(local, lambda: len(worker_ids()) == 2)
    counts = []

    def tick(_live: list[int], count: int) -> bool:
        counts.append(count)
        return True

    games = local.play.play(tiny_net(GAME), games=40, tick=tick)
    assert counts
    assert len(games) >= 40
    assert any(len(game.value) for game in games)
    assert len({tuple(game.actions) for game in games}) > 20  # the workers have seeds of their own
    check(games)


def test_a_lost_worker_loses_only_its_games(local: Local) -> None:
    wait_for(local, lambda: len(worker_ids()) == 2)
    before, already = worker_ids(), len(local.said)
    killed = min(before)
    counts: list[int] = []

    def replaced() -> bool:
        return len(local.said) > already and len(worker_ids() - before) == 1

    def tick(_live: list[int], count: int) -> bool:
        if count and not any(counts):
            os.kill(killed, signal.SIGKILL)
        counts.append(count)
        return not replaced() and time.monotonic() < deadline

    deadline = time.monotonic() + LONG_SECONDS
    games = local.play.play(tiny_net(GAME), games=10**9, tick=tick)
    after = worker_ids()
    assert local.said[already:] == [
        "A self-play worker was lost with the games it was playing; self-play goes on with 2."
    ]
    assert after & before == before - {killed}
    assert len(after) == 2
    assert counts == sorted(counts)
    assert len(games) >= counts[-1]
    check(games[:20] + games[-20:])


JOIN = """
import sys
import tengen
from tengen.learn.cluster import cluster_play
from tests.learn.test_cluster import check, tiny_net, tiny_settings

game = tengen.game("dominion-duel")
with cluster_play(sys.argv[1], game, tiny_settings(game.name)) as play:
    games = play.play(tiny_net(game), games=30)
check(games, game)
print(len(games))
"""


def test_another_process_joins(local: Local) -> None:
    local.play.close()  # makes room
    address = local.ray.get_runtime_context().gcs_address
    assert address.startswith("127.0.0.1:")
    joined = subprocess.run(
        [sys.executable, "-c", JOIN, address], capture_output=True, text=True, timeout=LONG_SECONDS
    )
    assert joined.returncode == 0, joined.stderr
    assert int(joined.stdout) >= 30


def test_one_process_has_one_ray(local: Local) -> None:
    with (
        pytest.raises(ClusterError, match="Ray did not start: this process uses Ray already"),
        cluster_play("local", GAME, tiny_settings(GAME.name)),
    ):
        pass
    assert local.ray.is_initialized()


# Without Ray


def test_ray_is_imported_only_for_a_cluster() -> None:
    code = (
        "import sys, tengen\n"
        "from tengen.learn.cluster import cluster_play\n"
        "from tengen.learn.settings import settings_for\n"
        "with cluster_play(None, tengen.game('go'), settings_for('go')) as play:\n"
        "    assert play is None\n"
        "assert not {'ray', 'torch'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("address", ["local", "127.0.0.1:6379"])
def test_without_ray_there_is_a_sentence(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with (
        pytest.raises(ClusterError, match=re.escape("Ray: pip install 'tengen[cluster]'.")),
        cluster_play(address, GAME, tiny_settings(GAME.name)),
    ):
        pass


def test_nothing_answers() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
    with (
        pytest.raises(ClusterError, match=f"Nothing answers at {address}.*refused"),
        cluster_play(address, GAME, tiny_settings(GAME.name)),
    ):
        pass


def test_a_worker_plays_the_games_of_its_seed() -> None:
    settings = replace(tiny_settings(GAME.name), threads=1)
    worker = SelfPlayWorker(Job(GAME.name, GAME.options, settings, tengen.__version__), SEED)
    net = tiny_net(GAME)
    games = [game for _ in range(5) for game in worker.play(net, 4, LONG_SECONDS)[0]]
    expected = SelfPlay(GAME, settings, SEED).play(net, games=len(games))
    assert len(games) >= 20
    for game, same in zip(games, expected, strict=False):
        for each in fields(GameRecord):
            np.testing.assert_array_equal(getattr(game, each.name), getattr(same, each.name))


def test_a_worker_stops_in_time() -> None:
    worker = SelfPlayWorker(
        Job(GAME.name, GAME.options, replace(tiny_settings(GAME.name), threads=1), tengen.__version__), SEED
    )
    net, games, shown = tiny_net(GAME), 0, False
    while not (games and shown):  # which a busy machine takes longer for
        found, live = worker.play(net, 10**9, 0.5)
        games, shown = games + len(found), shown or bool(live)


def test_a_worker_of_another_version_refuses() -> None:
    worker = SelfPlayWorker(Job(GAME.name, GAME.options, tiny_settings(GAME.name), "0.0.1"), SEED)
    with pytest.raises(ClusterError, match=r"has tengen .* and this one 0\.0\.1: they must be the same"):
        worker.play(tiny_net(GAME), 1, 1.0)


class RayError(Exception):
    pass


class RayTaskError(RayError):
    def __init__(self, cause: Exception) -> None:
        self.cause = cause


class BadRay:
    """As much of Ray as the driver uses; every call of a worker ends in that error."""

    exceptions = SimpleNamespace(RayError=RayError, RayTaskError=RayTaskError)

    def __init__(self, error: Exception, cpus: float = 3.0) -> None:
        self.error, self.cpus, self.hired = error, cpus, 0

    def remote(self, **_options: Any) -> Callable[[type], Any]:
        def actor(*_arguments: Any) -> Any:
            self.hired += 1
            return SimpleNamespace(play=SimpleNamespace(remote=lambda *_: object()))

        return lambda _: SimpleNamespace(remote=actor)

    def put(self, value: bytes) -> bytes:
        return value

    def kill(self, actor: Any) -> None: ...

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": self.cpus}

    def wait(self, calls: list[Any], num_returns: int, timeout: float) -> tuple[list[Any], list[Any]]:
        return calls[:num_returns], calls[num_returns:]

    def get(self, call: Any) -> Any:
        raise self.error


def play_on(ray: BadRay) -> None:
    ClusterPlay(ray, GAME, tiny_settings(GAME.name), print).play(b"", games=1)


def test_workers_that_always_die_end_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "LOOK_SECONDS", 0.0)
    ray = BadRay(RayError("died"))
    with pytest.raises(ClusterError, match="workers die before they play"):
        play_on(ray)
    assert ray.hired == cluster.MOST_STILLBORN + 3


def test_a_machine_without_tengen_ends_it() -> None:
    error = RayError("no module")
    error.actor_init_failed = True  # type: ignore[attr-defined]
    with pytest.raises(ClusterError, match=f"needs tengen {re.escape(tengen.__version__)}"):
        play_on(BadRay(error))


def test_what_goes_wrong_in_a_worker_is_told() -> None:
    with pytest.raises(ClusterError, match="other version"):
        play_on(BadRay(RayTaskError(ClusterError("other version"))))
    with pytest.raises(RayTaskError):
        play_on(BadRay(RayTaskError(RuntimeError("a bug"))))


class FailingRay:
    """A Ray that starts after so many failures, each of which leaves a process behind."""

    def __init__(self, failures: int) -> None:
        self.failures, self.tries = failures, 0
        self.started: list[subprocess.Popen[bytes]] = []

    def is_initialized(self) -> bool:
        return False

    def init(self, _temp_dir: str, **_arguments: Any) -> None:
        self.tries += 1
        if self.tries <= self.failures:
            code = "import signal; signal.pause()"
            self.started.append(subprocess.Popen([sys.executable, "-c", code, _temp_dir]))
            raise RuntimeError("timed out during startup.\nAnd so on.")

    def shutdown(self) -> None: ...


@pytest.mark.parametrize("failures", [1, cluster.START_ATTEMPTS])
def test_a_slow_start_is_tried_again(failures: int, tmp_path: Path) -> None:
    psutil()
    ray = FailingRay(failures)
    if failures < cluster.START_ATTEMPTS:
        cluster._start(ray, 1, str(tmp_path))
    else:
        with pytest.raises(ClusterError, match=r"^Ray did not start: timed out during startup\.$"):
            cluster._start(ray, 1, str(tmp_path))
    assert ray.tries == min(failures + 1, cluster.START_ATTEMPTS)
    assert len(ray.started) == failures
    assert not any(psutil().pid_exists(process.pid) for process in ray.started)
    for process in ray.started:
        process.wait()
