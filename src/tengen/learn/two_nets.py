"""Two nets against each other, many games at once: what both learn from in a duel.

Each net searches its own moves with its own tree (cpp/search/net_search.hpp) and has either seat in turn. All
trees of a net that wait are evaluated together. As in self-play some moves get a full search and become
samples; the samples of both nets have the same form, so either can learn from them. Start reading at
`TwoNets.play`. No PyTorch here.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple, Protocol, cast

import numpy as np

from tengen import _core
from tengen.brains.runtime import open_session
from tengen.game import Game, State
from tengen.learn.game_record import Floats, GameRecord, Sample, game_record
from tengen.learn.settings import GumbelSettings
from tengen.learn.workers import Work

Nets = tuple[bytes, bytes]  # ONNX with the outputs policy and value
LEAVES = 8  # positions of one tree that may wait together; the plan of Gumbel search allows some
_UNPROVEN = -2  # the compiled search's winner when none is proven


class Played(NamedTuple):
    """A game that ended, and which of the two nets, 0 or 1, had the first seat."""

    record: GameRecord
    first: int

    def points(self, net: int) -> float:
        """1, 0.5 or 0."""
        winner = self.record.winner
        return 0.5 if winner < 0 else float((winner == 0) == (net == self.first))


class Live(NamedTuple):
    """A game under way."""

    actions: Sequence[int]
    first: int  # the net that has the first seat


Tick = Callable[[Live, int], bool]


class TwoNets:
    """Games between two nets that go on from call to call."""

    def __init__(self, game: Game, settings: GumbelSettings, seed: int) -> None:
        numbers = itertools.count()
        self._pools = [
            _Pool(game, settings, each, numbers)
            for each in np.random.SeedSequence(seed).spawn(max(1, settings.threads))
        ]

    def play(self, nets: Nets, *, games: int, tick: Tick | None = None) -> list[Played]:
        """The next games that end while those nets play, at least so many.

        `tick` is called several times a second with a game under way and the number of finished ones; when it
        says False, what there is is returned.
        """
        work: Work[Played] = Work(lambda played: len(played) >= games)
        return work.gather(
            [partial(pool.work, nets, work) for pool in self._pools],
            None if tick is None else lambda count: tick(self._pools[0].live, count),
        )


class _Tree(Protocol):
    @property
    def finished(self) -> bool: ...
    def begin(self, simulations: int, noise: float) -> None: ...
    def collect(self, most: int, planes: Floats) -> int: ...
    def supply(self, policy: Floats, value: Floats, lead: Floats | None) -> None: ...
    def improved_policy(self) -> Floats: ...
    def report(self) -> _core.SearchReport: ...


@dataclass(slots=True)
class _Table:
    """One game under way."""

    first: int
    state: State
    opening: int  # actions that come from the bare policy
    tree: _Tree
    full: bool = False
    samples: list[Sample] = field(default_factory=list)

    @property
    def net(self) -> int:
        """Whose move it is."""
        return self.first if self.state.to_move == 0 else 1 - self.first


class _Waiting(NamedTuple):
    table: _Table
    start: int
    end: int


class _Pool:
    """The games of one thread. `numbers` are shared by all: net n % 2 begins game n."""

    def __init__(
        self, game: Game, settings: GumbelSettings, seed: np.random.SeedSequence, numbers: Iterator[int]
    ) -> None:
        self._game, self._settings, self._numbers = game, settings, numbers
        self._rng = np.random.default_rng(seed)
        self._trees = _core.NetSearchSettings()
        for name in ("considered", "visit_offset", "value_scale"):
            setattr(self._trees, name, getattr(settings, name))
        room = (settings.pool_games * LEAVES, *game.start().encode().shape)
        self._planes = (np.empty(room, np.float32), np.empty(room, np.float32))
        self._tables = [self._new() for _ in range(settings.pool_games)]

    @property
    def live(self) -> Live:
        table = self._tables[0]
        return Live(table.state.actions, table.first)

    def work(self, nets: Nets, work: Work[Played]) -> None:
        sessions = [open_session(net) for net in nets]
        while not work.ended.is_set():
            for session, planes, waiting in zip(sessions, self._planes, self._collect(work), strict=True):
                _answer(session, planes, waiting)

    def _collect(self, work: Work[Played]) -> tuple[list[_Waiting], list[_Waiting]]:
        """Moves every game on until it waits, and says which wait for which net."""
        waiting: tuple[list[_Waiting], list[_Waiting]] = ([], [])
        ends = [0, 0]
        for number in range(len(self._tables)):
            leaves = 0
            while not leaves:
                if self._tables[number].tree.finished:
                    self._tables[number] = self._move(self._tables[number], work)
                table = self._tables[number]
                start = ends[table.net]
                leaves = table.tree.collect(LEAVES, self._planes[table.net][start : start + LEAVES])
            ends[table.net] = start + leaves
            waiting[table.net].append(_Waiting(table, start, start + leaves))
        return waiting

    def _new(self) -> _Table:
        state = self._game.start()
        opening = int(self._rng.integers(self._settings.opening_actions + 1))
        table = _Table(next(self._numbers) % 2, state, opening, self._plant(state))
        self._think(table)
        return table

    def _plant(self, state: State) -> _Tree:
        make = cast(Callable[..., _Tree], _core.new_net_search)
        return make(state, self._trees, int(self._rng.integers(2**63)))

    def _think(self, table: _Table) -> None:
        settings, done = self._settings, len(table.state.actions)
        if done < table.opening:
            table.full, simulations = False, 1
        else:
            table.full = bool(self._rng.random() < settings.full_share)
            simulations = settings.full_simulations if table.full else settings.fast_simulations
        table.tree.begin(simulations, 1.0 if done < settings.noise_actions else settings.late_noise)

    def _move(self, table: _Table, work: Work[Played]) -> _Table:
        """Plays what the search has chosen; the table that goes on in its place."""
        report, state = table.tree.report(), table.state
        if table.full and report.winner == _UNPROVEN:
            policy = table.tree.improved_policy()
            table.samples.append(
                Sample(state.encode(), policy, state.to_move, 2 * report.win - 1, len(state.actions))
            )
        table.state = state.play(report.moves[0].action)
        if table.state.outcome is None and len(table.state.actions) < self._settings.max_actions:
            table.tree = self._plant(table.state)
            self._think(table)
            return table
        work.add([Played(game_record(table.state, table.samples), table.first)])
        return self._new()


def _answer(session: Any, planes: Floats, waiting: list[_Waiting]) -> None:
    if not waiting:
        return
    policy, value = session.run(["policy", "value"], {"planes": planes[: waiting[-1].end]})
    for table, start, end in waiting:
        table.tree.supply(policy[start:end], value[start:end], None)
