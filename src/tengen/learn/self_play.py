"""Self-play: threads, each with a compiled pool of games and its own session of ONNX Runtime.

A pool (cpp/search/self_play.hpp) brings the positions that wait for the net, one a game, and takes the
answers; both sides work without Python's lock. A mixture of games has a pool for each, and those of the same
board share a call of the net. The pools live on between calls, so that long games are not
cut off and missing from the samples. Start reading at `SelfPlay.play`. No PyTorch here: workers on other
machines need none.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol, cast

import numpy as np

from tengen import _core
from tengen.brains.runtime import open_session
from tengen.game import Game, State
from tengen.learn.game_record import Floats, GameRecord
from tengen.learn.mixture import Variant, split, variants
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
        found = variants(game, settings)
        counts = split(settings.pool_games, [one.share for one in found])
        seeds = np.random.SeedSequence(seed).generate_state(settings.threads * len(found), np.uint64)
        numbers = iter(seeds.tolist())
        self._threads = [
            [_new_pool(one, settings, count, next(numbers)) for one, count in zip(found, counts, strict=True)]
            for _ in range(settings.threads)
        ]
        self._shapes = [one.game.start().encode().shape for one in found]
        self._live: list[int] = []

    def play(self, net: bytes, *, games: int, tick: Tick | None = None) -> list[GameRecord]:
        """The games that end while that net plays, at least so many.

        `net` is ONNX with the outputs policy and value. `tick` is called several times a second with the
        actions of a game under way, of the first variant, and the number of finished games; when it says
        False, what there is is returned.
        """
        work: Work[GameRecord] = Work(lambda found: len(found) >= games)
        told = False

        def tell(count: int) -> bool:
            nonlocal told
            told = True
            return tick is None or tick(self._live, count)

        found = work.gather([partial(self._work, pools, net, work) for pools in self._threads], tell)
        if not told:  # small games may all be over before the first tick
            tell(len(found))
        return found

    def _work(self, pools: list[_Pool], net: bytes, work: Work[GameRecord]) -> None:
        session = open_session(net)
        tables = [_Table(shape, []) for shape in dict.fromkeys(self._shapes)]
        for pool, shape in zip(pools, self._shapes, strict=True):
            next(table for table in tables if table.shape == shape).pools.append(pool)
        shown_at = 0.0
        while not work.ended.is_set():
            for table in tables:
                table.ask(session)
            work.add([_record(game) for pool in pools for game in pool.take()])
            if pools is self._threads[0] and time.monotonic() - shown_at > TICK_SECONDS:
                self._live, shown_at = pools[0].live(), time.monotonic()


class _Table:
    """The pools of a thread that share a board, and with it a batch."""

    def __init__(self, shape: tuple[int, ...], pools: list[_Pool]) -> None:
        self.shape, self.pools = shape, pools
        self._planes: Floats = np.empty((0, *shape), np.float32)

    def ask(self, session: Any) -> None:
        """One call of the net for all games of these pools."""
        room = sum(pool.capacity for pool in self.pools)
        if len(self._planes) != room:
            self._planes = np.empty((room, *self.shape), np.float32)
        ends = [0]
        for pool in self.pools:
            start = ends[-1]
            ends.append(start + pool.collect(self._planes[start : start + pool.capacity]))
        policy, value = session.run(["policy", "value"], {"planes": self._planes[: ends[-1]]})
        for pool, start, end in zip(self.pools, ends, ends[1:], strict=False):
            pool.supply(policy[start:end], value[start:end])


def _new_pool(variant: Variant, settings: GumbelSettings, games: int, seed: int) -> _Pool:
    wanted = _core.SelfPlaySettings()
    wanted.games = games
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
        "surprise_share",
    ):
        setattr(wanted, name, getattr(settings, name))
    make = cast(Callable[..., _Pool], _core.new_self_play)
    return make(starts(variant.game, settings), wanted, seed)


def starts(game: Game, settings: GumbelSettings) -> list[State]:
    """Where the games of a variant begin, each equally often."""
    return [each.start() for each in game.learning.variants(settings.komi_steps)]


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
        reply=game.reply,
        soon=game.soon,
        lead=game.lead,
        ownership=game.ownership.astype(np.float16),
    )


def play(net: bytes, game: Game, settings: GumbelSettings, seed: int, *, games: int) -> list[GameRecord]:
    """As `SelfPlay.play`, once. The first games to end are the short ones, so keep a `SelfPlay` for more."""
    return SelfPlay(game, settings, seed).play(net, games=games)
