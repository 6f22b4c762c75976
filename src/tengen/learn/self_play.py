"""Self-play: threads, each with a compiled pool of games and its own session of ONNX Runtime.

A pool (cpp/search/self_play.hpp) brings the positions that wait for the net, one a game, and takes the
answers; both sides work without Python's lock. The pools live on between calls, so that long games are not
cut off and missing from the samples. Start reading at `SelfPlay.play`. No PyTorch here: workers on other
machines need none.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol, cast

import numpy as np
import onnxruntime

from tengen import _core
from tengen.game import Game, State
from tengen.games import game as make_game
from tengen.learn.game_record import Floats, GameRecord
from tengen.learn.settings import GumbelSettings
from tengen.learn.workers import TICK_SECONDS, Work

Tick = Callable[[list[int], int], bool]  # gets a game under way and how many have ended; False ends it all


class _Pool(Protocol):
    @property
    def capacity(self) -> int: ...
    def collect(self, planes: Floats) -> int: ...
    def supply(self, policy: Floats, value: Floats) -> None: ...
    def take(self) -> list[Any]: ...
    def live(self) -> list[int]: ...


class SelfPlay:
    """Games of a net against itself that go on from call to call."""

    def __init__(self, game: Game, settings: GumbelSettings, seed: int) -> None:
        begin = starts(game, settings)
        wanted = _core.SelfPlaySettings()
        wanted.games = settings.pool_games
        for name in (
            "full_simulations",
            "fast_simulations",
            "full_share",
            "considered",
            "visit_offset",
            "value_scale",
            "opening_actions",
            "noise_actions",
            "late_noise",
            "max_actions",
        ):
            setattr(wanted, name, getattr(settings, name))
        make = cast(Callable[..., _Pool], _core.new_self_play)
        seeds = np.random.SeedSequence(seed).generate_state(settings.threads, np.uint64)
        self._pools = [make(begin, wanted, int(each)) for each in seeds]
        self._shape = begin[0].encode().shape
        self._live: list[int] = []

    def play(self, net: bytes, *, games: int, tick: Tick | None = None) -> list[GameRecord]:
        """The games that end while that net plays, at least so many.

        `net` is ONNX with the outputs policy and value. `tick` is called several times a second with the
        actions of a game under way and the number of finished games; when it says False, what there is is
        returned.
        """
        work: Work[GameRecord] = Work(lambda found: len(found) >= games)
        return work.gather(
            [partial(self._work, pool, net, work) for pool in self._pools],
            None if tick is None else lambda count: tick(self._live, count),
        )

    def _work(self, pool: _Pool, net: bytes, work: Work[GameRecord]) -> None:
        session = open_session(net)
        planes = np.empty((pool.capacity, *self._shape), np.float32)
        shown_at = 0.0
        while not work.ended.is_set():
            count = pool.collect(planes)
            policy, value = session.run(["policy", "value"], {"planes": planes[:count]})
            pool.supply(policy, value)
            work.add([_record(game) for game in pool.take()])
            if pool is self._pools[0] and time.monotonic() - shown_at > TICK_SECONDS:
                self._live, shown_at = pool.live(), time.monotonic()


def starts(game: Game, settings: GumbelSettings) -> list[State]:
    """Where games begin, each equally often."""
    if game.name != "go" or not settings.komi_steps:
        return [game.start()]
    komi = cast(float, game.options["komi"])
    variants = [make_game("go", **{**game.options, "komi": komi + step}) for step in settings.komi_steps]
    return [variant.start() for variant in variants]


def _record(game: Any) -> GameRecord:
    return GameRecord(
        actions=list(game.actions),
        winner=int(game.winner),
        reason=game.reason,
        score=game.score,
        planes=game.planes.astype(np.float16),
        policy=game.policy.astype(np.float16),
        value=game.value,
        root_value=game.root_value,
        lead=game.lead,
        ownership=game.ownership.astype(np.float16),
    )


def play(net: bytes, game: Game, settings: GumbelSettings, seed: int, *, games: int) -> list[GameRecord]:
    """As `SelfPlay.play`, once. The first games to end are the short ones, so keep a `SelfPlay` for more."""
    return SelfPlay(game, settings, seed).play(net, games=games)


def open_session(data: bytes, threads: int = 1) -> Any:
    """A session of ONNX Runtime that keeps to that many threads and does not spin while it waits."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
