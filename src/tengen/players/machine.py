"""Players made of our own search: plain budgets, exact play, flat Monte Carlo, and random moves."""

from __future__ import annotations

import random
from collections.abc import Callable

from tengen import _core
from tengen.game import State, resumptions_of
from tengen.players.player import Stopped
from tengen.search.mcts import Report, Search, Searching

_SEED = 2**64 - 1  # what a seed is cut to


class SearchPlayer:
    """Searches each move with a fixed budget, keeping the tree between moves.

    With blur above 0 it picks by win rates seen through noise of that size, else by visits. `new_search`
    makes the tree from a state and a seed; without it the tree is that of Monte Carlo with those settings.
    """

    def __init__(
        self,
        *,
        visits: int | None = None,
        seconds: float | None = None,
        blur: float = 0.0,
        threads: int = 1,
        seed: int = 0,
        name: str = "",
        new_search: Callable[[State, int], Searching] | None = None,
        **settings: float,
    ) -> None:
        self.name = name or (f"mcts {visits}" if visits else f"mcts {seconds:g}s")
        self._visits, self._seconds, self._blur, self._threads = visits, seconds, blur, threads
        self._dice = _core.Dice(seed & _SEED)
        self._new_search = new_search or (lambda state, seed: Search(state, seed=seed, **settings))
        self._search: Searching | None = None
        self._stopped = False

    def choose(self, state: State, seconds: float | None = None) -> list[int] | None:
        limits = [s for s in (self._seconds, seconds) if s is not None]
        chosen: list[int] = []
        search = self._follow(state)
        while True:
            if self._stopped:
                raise Stopped("The search was stopped.")
            search.run(
                visits=self._visits,
                seconds=min(limits) if limits else None,
                threads=self._threads,
                stop_when_clear=self._blur == 0,
            )
            if self._stopped:
                raise Stopped("The search was stopped.")
            action = self._pick(search.report())
            chosen.append(action)
            search.play(action)
            if not state.game.mid_move(search.state):
                return chosen

    def stop(self) -> None:
        """From another thread: `choose` ends soon with `Stopped`, now and for ever."""
        self._stopped = True
        search = self._search
        if search is not None:
            search.stop()

    def close(self) -> None:
        self._search = None

    def _follow(self, state: State) -> Searching:
        """The tree at that state: the one of the last move if the game went on from there."""
        old = self._search
        if old is not None and old.state.outcome is None and old.state.game == state.game:
            done = old.state.actions
            same_start = (old.state.origin, old.state.actions) == (state.origin, state.actions[: len(done)])
            # Of play that was resumed since then the tree knows nothing.
            if same_start and resumptions_of(old.state) == resumptions_of(state):
                for action in state.actions[len(done) :]:
                    old.play(action)
                return old
        self._search = self._new_search(state, self._dice.bits())
        return self._search

    def _pick(self, report: Report) -> int:
        seen = [
            (found.visits, found.win, found.proven == "win", found.proven == "loss")
            for found in report.actions
        ]
        return report.actions[_core.pick(seen, self._blur, self._dice)].action


class PerfectPlayer:
    """Perfect play of a solved game, but for a chance of a careless move."""

    def __init__(self, *, careless: float, seed: int = 0, name: str = "perfect") -> None:
        self.name = name
        self._careless = careless
        self._dice = _core.Dice(seed & _SEED)

    def choose(self, state: State, seconds: float | None = None) -> list[int] | None:
        legal = state.legal_actions()
        if self._careless < 1 and self._dice.share() >= self._careless:
            legal = state.game.opponents.perfect_actions(state) or legal
        return [legal[self._dice.below(len(legal))]]

    def close(self) -> None:
        pass


class RandomPlayer:
    """Uniformly random legal actions."""

    name = "random"

    def __init__(self, *, seed: int = 0) -> None:
        self._dice = _core.Dice(seed & _SEED)

    def choose(self, state: State, seconds: float | None = None) -> list[int] | None:
        chosen: list[int] = []
        while True:
            legal = state.legal_actions()
            chosen.append(legal[self._dice.below(len(legal))])
            state = state.play(chosen[-1])
            if not state.game.mid_move(state):
                return chosen

    def close(self) -> None:
        pass


class FlatPlayer:
    """Equally many uniformly random playouts for each placement, no tree, and never a pass by choice.

    It is the opponent that older programs call Monte Carlo; the arena measures against it.
    """

    def __init__(self, *, playouts: int, seed: int = 0) -> None:
        self.name = f"flat {playouts}"
        self._playouts = playouts
        self._rng = random.Random(seed)

    def choose(self, state: State, seconds: float | None = None) -> list[int] | None:
        chosen: list[int] = []
        while not chosen or state.game.mid_move(state):
            chosen.append(_core.flat_monte_carlo(state, self._playouts, self._rng.getrandbits(64)))
            state = state.play(chosen[-1])
        return chosen

    def close(self) -> None:
        pass
