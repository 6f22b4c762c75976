"""Tree search with a brain: `BrainSearch` has the methods of `tengen.search.mcts.Search`.

The tree is cpp/search/net_search.hpp. Few simulations are planned (Gumbel); many, or a time, are searched
by PUCT, where the tree stays between moves. Positions go to the net in batches.
"""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol, cast

import numpy as np

from tengen import _core
from tengen.game import State
from tengen.search.mcts import Judge, Report, read_report

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tengen.brains.net import Brain

PLANNED = 128  # up to so many simulations a move are planned
_BATCH = 16  # positions that go to the net at once, at most: a young tree asks about fewer (net_search.hpp)
_ENDLESS = 2**31 - 1


class _CompiledNetSearch(Protocol):
    @property
    def finished(self) -> bool: ...
    @property
    def is_clear(self) -> bool: ...
    def begin(self, simulations: int, noise: float) -> None: ...
    def collect(self, most: int, planes: NDArray[np.float32]) -> int: ...
    def supply(
        self, policy: NDArray[np.float32], value: NDArray[np.float32], lead: NDArray[np.float32] | None
    ) -> None: ...
    def advance(self, action: int, /) -> None: ...
    def improved_policy(self) -> NDArray[np.float32]: ...
    def report(self) -> _core.SearchReport: ...


class BrainSearch:
    """A tree that a brain judges; it grows with each `run` and follows the game with `play`.

    With `planned` each run is one of Gumbel search and starts anew. The same seed and visits give the same
    tree. `noise` is the scale of the noise on the root's policy: 0 plays the best move known.
    """

    by: Judge = "brain"

    def __init__(
        self,
        state: State,
        brain: Brain,
        *,
        seed: int = 0,
        planned: bool = False,
        noise: float = 0.0,
        settings: _core.NetSearchSettings | None = None,
    ) -> None:
        """`settings` are for trials of other constants, and say themselves whether the search is planned."""
        brain.check_fits(state.game)
        if state.outcome is not None:
            raise ValueError("The game is over: there is nothing to search.")
        if settings is None:
            settings = _core.NetSearchSettings()
            settings.gumbel = planned
        self.state: State = state
        self.brain = brain
        self._planned, self._noise = settings.gumbel, noise
        self._search = cast(_CompiledNetSearch, _core.new_net_search(state, settings, seed & (2**64 - 1)))
        self._planes = np.empty((_BATCH, *state.encode().shape), np.float32)
        self._stop = threading.Event()

    def run(
        self,
        *,
        visits: int | None = None,
        seconds: float | None = None,
        threads: int = 1,
        stop_when_clear: bool = False,
    ) -> None:
        """Searches on until a budget is used up, a winner is proven, or `stop` is called from another thread.

        With `stop_when_clear` a run by visits ends when no other move can catch up, unless it is planned.
        """
        if not visits and (self._planned or not seconds):
            raise ValueError("A search needs a budget of visits or seconds, and a planned one of visits.")
        if (visits or 0) < 0 or (seconds or 0) < 0 or threads < 1:
            raise ValueError("Visits, seconds and threads cannot be negative.")
        deadline = time.monotonic() + seconds if seconds else None
        self._search.begin(visits or _ENDLESS, self._noise)
        while not self._search.finished:
            count = self._search.collect(_BATCH, self._planes)
            if count:
                found = self.brain.evaluate(self._planes[:count], threads=threads)
                self._search.supply(found.policy, found.value, found.lead)
            if self._stop.is_set() or (deadline is not None and time.monotonic() >= deadline):
                break
            if stop_when_clear and self._search.is_clear:
                break
        self._stop.clear()

    def stop(self) -> None:
        self._stop.set()

    def play(self, action: int) -> None:
        """Follows the game; what the tree knows of the new position is kept."""
        self.state = self.state.play(action)
        if self.state.outcome is None:
            self._search.advance(action)

    def report(self) -> Report:
        report = read_report(self._search.report(), self.state.to_move)
        found = self.brain.evaluate(self.state.encode()[None])
        if found.ownership is None:
            return report
        sign = 1.0 if self.state.to_move == 0 else -1.0
        return replace(report, ownership=tuple(float(sign * value) for value in found.ownership[0]))

    def improved_policy(self) -> NDArray[np.float32]:
        """By action: what the net's policy should have been, which is what a net learns from."""
        return self._search.improved_policy()
