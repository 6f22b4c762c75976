"""Interleaved measuring: every contestant gets a short turn in every round, and rounds repeat.

A machine's speed drifts while it is measured (heat, neighbours). Whatever the drift, the contestants of
one round see nearly the same machine, so a ratio is taken within each round and the median of those
ratios is reported, with the smallest and the largest beside it.

Time is the CPU time of this process: waiting for a core does not count, and a contestant that used a
second thread would gain nothing by it. Busy neighbours still slow memory, and not all contestants alike.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from time import process_time
from typing import NamedTuple


class Work(NamedTuple):
    """What one batch did. Where the unit is a move, `units` and `moves` are the same number."""

    units: int
    moves: float


@dataclass(frozen=True)
class Contestant:
    name: str
    batch: Callable[[], Work]  # some tens of milliseconds of work, so that a turn ends on time


@dataclass(frozen=True)
class Row:
    """One comparison. The first contestant is tengen; the others are what it is compared with."""

    key: str
    title: str
    unit: str  # "playouts", "simulations" or "moves"
    contestants: tuple[Contestant, ...]


class Spread(NamedTuple):
    median: float
    min: float
    max: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Spread":
        return cls(median(values), min(values), max(values))


@dataclass(frozen=True)
class Series:
    """One contestant's turns, a value for each round."""

    name: str
    units_per_second: tuple[float, ...]
    moves_per_second: tuple[float, ...]

    def moves_per_unit(self) -> float:
        pairs = zip(self.moves_per_second, self.units_per_second, strict=True)
        return median(moves / units for moves, units in pairs)


@dataclass(frozen=True)
class Measured:
    row: Row
    series: tuple[Series, ...]  # in the order of row.contestants


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> Spread:
    """How many times `theirs` fits into `ours`, round by round."""
    return Spread.of([a / b for a, b in zip(ours, theirs, strict=True)])


def take_turn(contestant: Contestant, seconds: float) -> tuple[float, float]:
    """Runs batches for about so long; returns units and moves per second."""
    units, moves = 0, 0.0
    start = process_time()
    while True:
        work = contestant.batch()
        units += work.units
        moves += work.moves
        elapsed = process_time() - start
        if elapsed >= seconds:
            return units / elapsed, moves / elapsed


def measure(
    rows: Sequence[Row], rounds: int, turn_seconds: float, tell: Callable[[str], None]
) -> list[Measured]:
    """Measures all rows together. A first round, a tenth as long, warms up and is thrown away."""
    turns: dict[tuple[str, str], list[tuple[float, float]]] = {
        (row.key, contestant.name): [] for row in rows for contestant in row.contestants
    }
    for number in range(rounds + 1):
        tell("warming up" if number == 0 else f"round {number} of {rounds}")
        for row in rows:
            for contestant in row.contestants:
                if number == 0:
                    take_turn(contestant, turn_seconds / 10)
                else:
                    turns[row.key, contestant.name].append(take_turn(contestant, turn_seconds))

    def series(row: Row, contestant: Contestant) -> Series:
        units, moves = zip(*turns[row.key, contestant.name], strict=True)
        return Series(contestant.name, units, moves)

    return [Measured(row, tuple(series(row, contestant) for contestant in row.contestants)) for row in rows]
