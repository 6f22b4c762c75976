"""Monte Carlo tree search on any state: `Search` grows a tree, `Report` says what it knows.

The search itself is cpp/search/mcts.hpp. Wins and leads are from the side of the player to move.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol, cast

from tengen import _core
from tengen.game import State

# What the compiled search calls a winner that is not proven, and a draw.
_UNKNOWN, _DRAW = -2, -1

Proven = Literal["win", "draw", "loss"] | None
# Who judged: everything is known, a program was asked, a net, or playouts alone.
Judge = Literal["exact", "katago", "brain", "search"]


@dataclass(frozen=True, slots=True)
class SearchedAction:
    """One action of the root: how often it was tried and what it came to for the player to move."""

    action: int
    visits: int
    win: float
    lead: float
    proven: Proven
    line: tuple[int, ...]  # the principal variation, this action first
    prior: float = 0.0  # its share of what was thought of the actions before any visit


@dataclass(frozen=True, slots=True)
class Report:
    """What a search has found so far; actions are best first."""

    visits: int
    win: float
    lead: float
    proven: Proven
    actions: tuple[SearchedAction, ...]
    ownership: tuple[float, ...] | None  # by cell, 1 all the first seat's to -1 all the second's


class _CompiledSearch(Protocol):
    def run(self, visits: int, ms: int, threads: int, stop_when_clear: bool) -> None: ...
    def stop(self) -> None: ...
    def advance(self, action: int, /) -> None: ...
    def report(self) -> _core.SearchReport: ...


class Searching(Protocol):
    """A tree that can be searched: `Search`, or `tengen.brains.search.BrainSearch`."""

    @property
    def state(self) -> State: ...
    @property
    def by(self) -> Judge: ...
    def run(
        self,
        *,
        visits: int | None = None,
        seconds: float | None = None,
        threads: int = 1,
        stop_when_clear: bool = False,
    ) -> None: ...
    def stop(self) -> None: ...
    def play(self, action: int) -> None: ...
    def report(self) -> Report: ...


class Search:
    """A tree that grows with each `run` and follows the game with `play`.

    The same seed and visits on one thread give the same tree. Settings are the game's own unless named:
    exploration, amaf_visits, first_play_loss, lead_share, expand_visits, light_playouts; what they are
    stands in cpp/search/heuristics.hpp.

    A game written in Python is searched on one thread, however many are asked for, and Python's other threads
    take turns with it. What its code raises comes out of here. If its states have `evaluate() -> float`, the
    mover's chance to win from 0 to 1, that takes the place of random playouts.
    """

    by: Judge = "search"

    def __init__(self, state: State, *, seed: int = 0, **settings: float) -> None:
        if state.outcome is not None:
            raise ValueError("The game is over: there is nothing to search.")
        chosen = _core.search_settings(state)
        for name, value in settings.items():
            if not hasattr(chosen, name):
                raise TypeError(f"The search has no setting {name!r}.")
            setattr(chosen, name, value)
        self.state = state
        self._search = cast(_CompiledSearch, _core.new_search(state, chosen, seed & (2**64 - 1)))

    def run(
        self,
        *,
        visits: int | None = None,
        seconds: float | None = None,
        threads: int = 1,
        stop_when_clear: bool = False,
    ) -> None:
        """Searches on until a budget is used up, a winner is proven, or `stop` is called from another thread.

        Ctrl-C raises KeyboardInterrupt and leaves the tree as far as it got. With `stop_when_clear` a run
        limited by visits ends once no other action can catch up.
        """
        if not visits and not seconds:
            raise ValueError("A search needs a budget of visits or seconds.")
        if (visits or 0) < 0 or (seconds or 0) < 0 or threads < 1:
            raise ValueError("Visits, seconds and threads cannot be negative.")
        ms = max(1, round(seconds * 1000)) if seconds else 0
        self._search.run(visits or 0, ms, threads, stop_when_clear)

    def stop(self) -> None:
        self._search.stop()

    def play(self, action: int) -> None:
        """Follows the game; what the tree knows of the new position is kept."""
        self.state = self.state.play(action)
        if self.state.outcome is None:
            self._search.advance(action)

    def report(self) -> Report:
        return read_report(self._search.report(), self.state.to_move)


def read_report(found: _core.SearchReport, mover: int) -> Report:
    """A compiled search's report in Python's words."""
    return Report(
        visits=found.visits,
        win=found.win,
        lead=found.score,
        proven=_proven(found.winner, mover),
        actions=tuple(
            SearchedAction(
                m.action, m.visits, m.win, m.score, _proven(m.winner, mover), tuple(m.line), m.prior
            )
            for m in found.moves
        ),
        ownership=tuple(found.owner) or None,
    )


def _proven(winner: int, mover: int) -> Proven:
    if winner == _UNKNOWN:
        return None
    return "draw" if winner == _DRAW else "win" if winner == mover else "loss"
