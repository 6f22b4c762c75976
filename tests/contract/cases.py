"""The games that the contract suite plays, each with a spread of options, and how it plays them.

A game of the registry that is not named here is played with its defaults. Start reading at `CASES`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

import pytest

import tengen
from tengen import Game, State
from tengen.game import OptionValue
from tests.contract.tic_tac_toe import TicTacToe

T = TypeVar("T")

LONGEST_GAME = 50_000  # actions; random games of the largest boards stay under a few thousand


@dataclass(frozen=True)
class Case:
    """One game with the options that are given; hashable, so that its random games are played once."""

    name: str
    given: tuple[tuple[str, OptionValue], ...] = ()

    @property
    def options(self) -> dict[str, OptionValue]:
        return dict(self.given)

    def make(self) -> Game:
        if self.name == TicTacToe.name:
            return TicTacToe(**self.options)
        return tengen.game(self.name, **self.options)

    def __str__(self) -> str:
        return " ".join([self.name, *(f"{name}={value}" for name, value in self.given)])


def case(name: str, **options: OptionValue) -> Case:
    return Case(name, tuple(options.items()))


_SPREAD = (
    case("great-kingdom"),
    case("great-kingdom", rules="published"),
    case("great-kingdom", rules="published", castles=None, lead=0),
    case("great-kingdom", size=3),
    case("great-kingdom", size=4, neutral=False, lead=-2),
    case("great-kingdom", size=5, suicide="illegal"),
    case("great-kingdom", size=7, suicide="illegal", enter_own_territory=False, enter_enemy_territory=False),
    case("great-kingdom", size=8, neutral=False, castles=5),
    case("great-kingdom", size=13, castles=1),
    case("great-kingdom", size=19, suicide="illegal", enter_own_territory=False),
    case("go"),
    case("go", size=2),
    case("go", size=2, ko="superko"),
    case("go", size=3, ko="situational", scoring="area", suicide=True),
    case("go", size=5, suicide=True),
    case("go", size=9, ko="situational", scoring="area", handicap=3, bonus="less_one"),
    case("go", size=3, ko="superko", scoring="area"),
    case("go", size=5, komi=0),
    case("go", size=7, handicap=3),
    case("go", size=9, ko="superko", komi=-3.5),
    case("go", size=9, scoring="area", handicap=5, komi=7),
    case("go", size=10, scoring="area"),
    case("go", size=13, handicap=9, ko="superko", scoring="area"),
    case("kelasu"),
    case("kelasu", may_end_turn_early=True),
    case("dominion-duel"),
    case("dominion-duel", n=1),
    case("dominion-duel", n=2),
    case("dominion-duel", n=64),
    case("dominion-duel", n=65),
    case("dominion-duel", n=500),
    case("tic-tac-toe"),
)
CASES = (*_SPREAD, *(case(name) for name in tengen.games() if name not in {one.name for one in _SPREAD}))

each_case = pytest.mark.parametrize("case", CASES, ids=str)


def random_play(state: State, rng: random.Random) -> Iterator[State]:
    """The states of one random game from here to its end, this one included."""
    yield state
    for _ in range(LONGEST_GAME):
        if not (legal := state.legal_actions()):
            return
        state = state.play(rng.choice(legal))
        yield state
    raise AssertionError(f"A random game went on for more than {LONGEST_GAME} actions.")


@cache
def played(case: Case, seed: int = 0) -> tuple[State, ...]:
    """All states of a random game from the start."""
    return tuple(random_play(case.make().start(), random.Random(seed)))


def spread(items: Sequence[T], count: int) -> list[T]:
    """At most that many of the items, evenly chosen, the first and the last among them."""
    if len(items) <= count:
        return list(items)
    return [items[i * (len(items) - 1) // (count - 1)] for i in range(count)]


@cache
def samples(case: Case, count: int = 12) -> tuple[State, ...]:
    """States from all phases of two random games, ends included."""
    return tuple(state for seed in (0, 1) for state in spread(played(case, seed), count))


def unfinished(case: Case, count: int = 12) -> list[State]:
    return [state for state in samples(case, count) if state.outcome is None]


def replayed(state: State) -> State:
    """The state that the same actions lead to from a new start of an equal game."""
    again = type(state.game)(**state.game.options).start()
    for action in state.actions:
        again = again.play(action)
    return again
