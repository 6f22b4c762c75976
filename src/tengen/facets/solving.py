"""What exact solvers give and how they tell of their work; a game's own solver is in its folder."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from tengen.game import State


class NotSolvableError(ValueError):
    """No exact solver fits this game, board or set of options."""


@dataclass(frozen=True, slots=True)
class Solution:
    """What is known of a position.

    `value` is the lead of seat 0 with best play, in what the game counts: territory (infinite where a capture
    can be forced), area before komi (exactly komi is a draw), claims.
    """

    text: str  # the result in a sentence
    value: float | None  # None unless exact
    winner: int | None  # None for a draw, or when it is not known
    exact: bool
    low: float  # the value is at least this
    high: float  # and at most this
    line: tuple[int, ...] = ()  # best play of both, to the end or until the rest needs no search
    moves: tuple[str, ...] = ()  # the same as people write it
    nodes: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a running solver stands."""

    question: str  # that it works on
    low: float
    high: float
    nodes: int
    depth: int  # of the deepening in hand, 0 where there is none
    seconds: float


class SolvingStopped(KeyboardInterrupt):
    """Ctrl-C during `solve`; `known` is the solution as far as it is known."""

    def __init__(self, known: Solution) -> None:
        super().__init__(known.text)
        self.known = known


class Solver(Protocol):
    @property
    def nodes(self) -> int: ...


class Task(Protocol):
    """A question for a compiled solver, asked step by step."""

    @property
    def state(self) -> State: ...
    @property
    def solver(self) -> Solver: ...
    def find_value(self) -> None: ...
    def line(self) -> list[int]: ...
    def known(self) -> Solution: ...


def moves_text(state: State, line: list[int]) -> tuple[str, ...]:
    written = []
    for action in line:
        written.append(state.game.format(state, [action]))
        state = state.play(action)
    return tuple(written)


class Work:
    """Counts time, passes progress on, and turns Ctrl-C into SolvingStopped."""

    def __init__(self, progress: Callable[[Progress], object] | None) -> None:
        self._progress = progress
        self._began = time.monotonic()

    def seconds(self) -> float:
        return time.monotonic() - self._began

    def run(self, task: Task) -> Solution:
        try:
            task.find_value()
            line = task.line()
        except KeyboardInterrupt:
            raise SolvingStopped(self._timed(task)) from None
        return replace(self._timed(task), line=tuple(line), moves=moves_text(task.state, line))

    def _timed(self, task: Task) -> Solution:
        return replace(task.known(), nodes=task.solver.nodes, seconds=self.seconds())

    @contextmanager
    def reporting(
        self, question: str, low: float, high: float
    ) -> Iterator[Callable[[int, int], None] | None]:
        def report(nodes: int, depth: int) -> None:
            if self._progress is not None:
                self._progress(Progress(question, low, high, nodes, depth, self.seconds()))

        yield None if self._progress is None else report
