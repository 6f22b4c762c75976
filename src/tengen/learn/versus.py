"""Matches between nets and other players while training goes on: many games at once, in pairs.

Both games of a pair start from the same opening and each side has both seats. All games of a thread move on
together, so that the net sees the positions of all its games in one batch. The arena of `tengen.arena` is for
figures that go into documents; this is for judging a net every few minutes. Start reading at `versus`.
"""

from __future__ import annotations

import math
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

import numpy as np

from tengen import _core
from tengen.arena import opening
from tengen.brains.net import board_of
from tengen.brains.runtime import open_session
from tengen.game import Game, State
from tengen.learn.dqn_memory import legal_mask
from tengen.players import Player, make_player

LEAVES = 8  # of a tree in one batch; the plan of Gumbel search allows some at once
NOISY_ACTIONS = 6  # first actions that a net does not always play the same way, or pairs would repeat...
NOISE = 0.3  # ...with so much noise
MOST_ELO = 800.0  # further apart than this nobody can tell


@dataclass
class Tally:
    """What the games say of the first side."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    won_by: Counter[str] = field(default_factory=Counter)

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    @property
    def score(self) -> float:
        return self.points / self.games if self.games else 0.5

    def __iadd__(self, other: Tally) -> Tally:
        self.wins += other.wins
        self.draws += other.draws
        self.losses += other.losses
        self.reasons += other.reasons
        self.won_by += other.won_by
        return self

    def add(self, points: float, reason: str) -> None:
        self.wins += points == 1
        self.draws += points == 0.5
        self.losses += points == 0
        self.reasons[reason] += 1
        self.won_by[reason] += points == 1


class Side(Protocol):
    """How to make one of the players; each thread makes its own."""

    def open(self, game: Game, seed: int) -> Chooser: ...


class Chooser(Protocol):
    def choose(self, numbers: Sequence[int], states: Sequence[State]) -> list[list[int]]:
        """The next actions in each of those games; `numbers` tell the games apart."""
        ...

    def close(self) -> None: ...


@dataclass(frozen=True)
class NetSide:
    """A net with a planned search of that many simulations an action."""

    net: bytes
    simulations: int

    def open(self, game: Game, seed: int) -> Chooser:
        return _NetChooser(self, game, seed)


class _NetChooser:
    def __init__(self, side: NetSide, game: Game, seed: int) -> None:
        self._simulations = side.simulations
        self._session = open_session(side.net)
        self._shape = game.start().encode().shape
        self._rng = np.random.default_rng(seed)

    def choose(self, numbers: Sequence[int], states: Sequence[State]) -> list[list[int]]:
        settings = _core.NetSearchSettings()
        make = cast(Callable[..., Any], _core.new_net_search)
        searches = [make(state, settings, int(self._rng.integers(2**63))) for state in states]
        for search, state in zip(searches, states, strict=True):
            search.begin(self._simulations, NOISE if len(state.actions) < NOISY_ACTIONS else 0.0)
        planes = np.empty((LEAVES * len(states), *self._shape), np.float32)
        active = searches
        while active := [search for search in active if not search.finished]:
            counts, used = [], 0
            for search in active:
                counts.append(search.collect(LEAVES, planes[used : used + LEAVES]))
                used += counts[-1]
            if used == 0:
                continue
            policy, value = self._session.run(["policy", "value"], {"planes": planes[:used]})
            start = 0
            for search, count in zip(active, counts, strict=True):
                if count:
                    search.supply(policy[start : start + count], value[start : start + count], None)
                start += count
        return [[search.report().moves[0].action] for search in searches]

    def close(self) -> None:
        pass


@dataclass(frozen=True)
class QSide:
    """A Q-net, which plays the legal action that it values most, without search."""

    net: bytes

    def open(self, game: Game, seed: int) -> Chooser:
        return _QChooser(self.net)


class _QChooser:
    def __init__(self, net: bytes) -> None:
        self._session = open_session(net)

    def choose(self, numbers: Sequence[int], states: Sequence[State]) -> list[list[int]]:
        boards = np.stack([board_of(state) for state in states])
        legal = np.stack([legal_mask(state) for state in states])
        (values,) = self._session.run(["q"], {"board": boards})
        return [[int(action)] for action in np.where(legal, values, -np.inf).argmax(1)]

    def close(self) -> None:
        pass


@dataclass(frozen=True)
class PlayerSide:
    """A player as `make_player` reads it."""

    text: str

    def open(self, game: Game, seed: int) -> Chooser:
        return _PlayerChooser(self.text, game, seed)


class _PlayerChooser:
    def __init__(self, text: str, game: Game, seed: int) -> None:
        self._text, self._game, self._seed = text, game, seed
        self._players: dict[int, Player] = {}

    def choose(self, numbers: Sequence[int], states: Sequence[State]) -> list[list[int]]:
        chosen = []
        for number, state in zip(numbers, states, strict=True):
            if number not in self._players:
                self._players[number] = make_player(self._text, self._game, seed=self._seed + number)
            actions = self._players[number].choose(state)
            chosen.append(actions if actions is not None else [])
        return chosen

    def close(self) -> None:
        for player in self._players.values():
            player.close()


def versus(
    game: Game,
    a: Side,
    b: Side,
    games: int,
    *,
    seed: int,
    threads: int = 1,
    max_actions: int = 1000,
    proceed: Callable[[], bool] = lambda: True,
) -> Tally:
    """A against B, `games` rounded up to pairs; games that are longer than `max_actions` are draws.

    `proceed` is asked now and then by this thread; when it says no, the games that have ended count.
    """
    match = _Match(game, a, b, seed, max_actions)
    pairs = range(math.ceil(games / 2))
    shares = [share for share in (list(pairs[i::threads]) for i in range(threads)) if share]
    with ThreadPoolExecutor(max(1, len(shares))) as pool:
        futures = [pool.submit(match.play, share, seed + i) for i, share in enumerate(shares)]
        try:
            while not all(future.done() for future in futures):
                if not proceed():
                    match.stop.set()
                threading.Event().wait(0.02)
        except BaseException:
            match.stop.set()
            raise
        for future in futures:
            future.result()
    return match.tally


class _Match:
    def __init__(self, game: Game, a: Side, b: Side, seed: int, max_actions: int) -> None:
        self.game, self.sides, self.seed, self.max_actions = game, (a, b), seed, max_actions
        self.tally = Tally()
        self.stop = threading.Event()
        self._lock = threading.Lock()

    def play(self, pairs: list[int], seed: int) -> None:
        """All games of those pairs; game `n` is of pair `n // 2`, and A has seat `n % 2`."""
        states = {n: opening(self.game, self.seed + pair) for pair in pairs for n in (2 * pair, 2 * pair + 1)}
        a, b = (side.open(self.game, 2 * seed + i) for i, side in enumerate(self.sides))
        with closing(a), closing(b):
            while states and not self.stop.is_set():
                for chooser, side in ((a, 0), (b, 1)):
                    due = [n for n, state in states.items() if state.to_move == (n % 2) ^ side]
                    self._move(chooser, due, states)

    def _move(self, chooser: Chooser, due: list[int], states: dict[int, State]) -> None:
        if not due or self.stop.is_set():
            return
        for n, actions in zip(due, chooser.choose(due, [states[n] for n in due]), strict=True):
            for action in actions:
                states[n] = states[n].play(action)
            state = states[n]
            if not actions:  # resigned
                self._end(n, 1 - state.to_move, "resign")
            elif state.outcome is not None:
                self._end(n, state.outcome.winner, state.outcome.reason)
            elif len(state.actions) >= self.max_actions:
                self._end(n, None, "long")
            else:
                continue
            del states[n]

    def _end(self, n: int, winner: int | None, reason: str) -> None:
        with self._lock:
            self.tally.add(0.5 if winner is None else float(winner == n % 2), reason)


def fit_elo(results: Sequence[tuple[float, float, int]]) -> float:
    """The Elo at which the points are as expected; each result is (opponent's Elo, points, games).

    One draw with each opponent is added, so that winning all games does not mean infinity.
    """
    if not results:
        return 0.0
    low = min(elo for elo, _, _ in results) - MOST_ELO
    high = max(elo for elo, _, _ in results) + MOST_ELO
    wanted = sum(points + 0.5 for _, points, _ in results)
    for _ in range(60):
        middle = (low + high) / 2
        expected = sum((games + 1) / (1 + 10 ** ((elo - middle) / 400)) for elo, _, games in results)
        low, high = (middle, high) if expected < wanted else (low, middle)
    return (low + high) / 2
