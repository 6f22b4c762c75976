"""Self-play: threads, each with a compiled pool of games and its own session of ONNX Runtime.

A pool (cpp/search/self_play.hpp) brings the positions that wait for the net, one a game, and takes the
answers; both sides work without Python's lock. The pools live on between calls, so that long games are not
cut off and missing from the samples. Start reading at `SelfPlay.play`. No PyTorch here: workers on other
machines need none.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, cast

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from tengen import _core
from tengen.game import Game, State
from tengen.games import game as make_game
from tengen.learn.settings import GumbelSettings

Floats = NDArray[np.float32]
Tick = Callable[[list[int], int], bool]  # gets a game under way and how many have ended; False ends it all
TICK_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A finished game and its samples: k positions that got a full search, from the mover's side of each."""

    actions: list[int]
    winner: int  # -1 is a draw
    reason: str
    score: tuple[float, float] | None
    planes: NDArray[np.float16]  # [k, channels, height, width]
    policy: NDArray[np.float16]  # [k, actions], the search's improved policy
    value: Floats  # [k], how the game ended, -1 to 1
    root_value: Floats  # [k], what the search expected
    lead: Floats  # [k], points over cells; NaN where the game was not counted
    ownership: NDArray[np.float16]  # [k, cells], NaN likewise


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

    def play(
        self,
        net: bytes,
        *,
        games: int | None = None,
        samples: int | None = None,
        tick: Callable[[list[int], int], bool] | None = None,
    ) -> list[GameRecord]:
        """The games that end while that net plays: at least so many, or with at least so many samples.

        `net` is ONNX with the outputs policy and value. `tick` is called several times a second with the
        actions of a game under way and the number of finished games; when it says False, what there is is
        returned.
        """
        if games is None and samples is None:
            raise ValueError("Self-play needs a number of games or of samples.")
        work = Work(games, samples)
        return work.gather([partial(self._work, pool, net, work) for pool in self._pools], tick)

    def _work(self, pool: _Pool, net: bytes, work: Work) -> None:
        session = open_session(net)
        planes = np.empty((pool.capacity, *self._shape), np.float32)
        shown_at = 0.0
        while not work.ended.is_set():
            count = pool.collect(planes)
            policy, value = session.run(["policy", "value"], {"planes": planes[:count]})
            pool.supply(policy, value)
            work.add([_record(game) for game in pool.take()])
            if pool is self._pools[0] and time.monotonic() - shown_at > TICK_SECONDS:
                work.live, shown_at = pool.live(), time.monotonic()


def starts(game: Game, settings: GumbelSettings) -> list[State]:
    """Where games begin, each equally often."""
    if game.name != "go" or not settings.komi_steps:
        return [game.start()]
    komi = cast(float, game.options["komi"])
    variants = [make_game("go", **{**game.options, "komi": komi + step}) for step in settings.komi_steps]
    return [variant.start() for variant in variants]


class Work:
    """What the threads of one call share: the games that ended, and when to end."""

    def __init__(self, games: int | None = None, samples: int | None = None) -> None:
        self.games, self.samples = games, samples
        self.records: list[GameRecord] = []
        self.live: list[int] = []
        self.ended = threading.Event()  # there is enough, or...
        self.stopped = threading.Event()  # ...somebody wants the end now
        self._error: BaseException | None = None
        self._lock = threading.Lock()
        self._sampled = 0

    def add(self, records: list[GameRecord]) -> None:
        if not records:
            return
        with self._lock:
            self.records += records
            self._sampled += sum(len(record.value) for record in records)
            enough_games = self.games is None or len(self.records) >= self.games
            if enough_games and (self.samples is None or self._sampled >= self.samples):
                self.ended.set()

    def gather(self, jobs: Sequence[Callable[[], None]], tick: Tick | None) -> list[GameRecord]:
        """Runs each job in a thread of its own until they end; returns the games that they added."""
        threads = [
            threading.Thread(target=self._try, args=(job,), name=f"self-play {i}", daemon=True)
            for i, job in enumerate(jobs)
        ]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            self.ended.wait(TICK_SECONDS)
            if tick is not None and not self.stopped.is_set() and not tick(self.live, len(self.records)):
                self._end()
            if self.ended.is_set():
                threads[0].join(TICK_SECONDS)
        if self._error is not None:
            raise self._error
        return self.records

    def _try(self, job: Callable[[], None]) -> None:
        try:
            job()
        except BaseException as error:
            self._error = error
            self._end()

    def _end(self) -> None:
        self.stopped.set()
        self.ended.set()


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


def play(
    net: bytes,
    game: Game,
    settings: GumbelSettings,
    seed: int,
    *,
    games: int | None = None,
    samples: int | None = None,
) -> list[GameRecord]:
    """As `SelfPlay.play`, once. The first games to end are the short ones, so keep a `SelfPlay` for more."""
    return SelfPlay(game, settings, seed).play(net, games=games, samples=samples)


def open_session(data: bytes, threads: int = 1) -> Any:
    """A session of ONNX Runtime that keeps to that many threads and does not spin while it waits."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
