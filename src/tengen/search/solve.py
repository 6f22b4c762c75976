"""Exact play: who wins a position, by how much, and how, with nothing left to chance.

Great Kingdom and Go are taken on boards of up to 7×7, which is more than patience allows (docs/solved.md says
what takes how long); Dominion Duel is solved at once. Why the answers are exact stands in
cpp/search/solver*.hpp. Start reading at `solve`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from tengen import _core
from tengen.game import State
from tengen.search import dominion

LONGEST_LINE = 100  # actions of Dominion Duel
LINE_WORK = 1_000_000  # territories that may be looked at for the line; rows of 100 000 get few actions


class NotSolvableError(ValueError):
    """No exact solver fits this game, board or set of options."""


@dataclass(frozen=True, slots=True)
class Solution:
    """What is known of a position.

    `value` is the lead of seat 0 with best play: in territory (Great Kingdom; infinite where a capture can be
    forced), in area before komi (Go; exactly komi is a draw) or in claims (Dominion Duel).
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


def solve(
    state: State, *, memory_mb: int = 256, progress: Callable[[Progress], object] | None = None
) -> Solution:
    """Solves the position, however long that takes; `progress` is called about ten times a second.

    Earlier positions of the game are not taken into account: Go's repetitions count from here. Raises
    NotSolvableError, and SolvingStopped for Ctrl-C. An exception from `progress` stops the solver too and
    comes out of here.
    """
    if memory_mb < 1:
        raise ValueError("The solver needs at least 1 MB of memory.")
    if state.outcome is not None:
        return _finished(state)
    name = state.game.name
    if name == "dominion-duel":
        return _solve_dominion_duel(state)
    if name not in ("great-kingdom", "go"):
        raise NotSolvableError(f"{state.game.title} has no exact solver.")
    side, largest = state.game.width, _core.SOLVER_LARGEST_SIDE
    if side > largest:
        raise NotSolvableError(f"Exact play needs a board of at most {largest}×{largest}, not {side}×{side}.")
    work = _Work(progress)
    if isinstance(state, _core.GreatKingdom7):
        return work.run(_GreatKingdom(state, memory_mb, work))
    if isinstance(state, _core.Go9):
        if state.game.options["scoring"] != "area" or state.game.options["ko"] != "simple":
            raise NotSolvableError("Exact play of Go needs the options scoring=area and ko=simple.")
        return work.run(_Go(state, memory_mb, work))
    raise NotSolvableError(f"This {state.game.title} is not the compiled one.")


def _finished(state: State) -> Solution:
    outcome = state.outcome
    assert outcome is not None
    value = math.inf if outcome.winner == 0 else -math.inf
    if outcome.score is not None:
        value = outcome.score[0] - outcome.score[1]
        if state.game.name == "go":
            value += _number(state, "komi")
    elif outcome.winner is None:
        value = _number(state, "komi")
    who = "drawn" if outcome.winner is None else f"won by {state.game.seats[outcome.winner]}"
    return Solution(f"The game is over, {who}.", value, outcome.winner, True, value, value)


def _number(state: State, option: str) -> float:
    value = state.game.options[option]
    assert isinstance(value, int | float)
    return float(value)


def _moves(state: State, line: list[int]) -> tuple[str, ...]:
    written = []
    for action in line:
        written.append(state.game.format(state, [action]))
        state = state.play(action)
    return tuple(written)


class _Work:
    """Counts time, passes progress on, and turns Ctrl-C into SolvingStopped."""

    def __init__(self, progress: Callable[[Progress], object] | None) -> None:
        self._progress = progress
        self._began = time.monotonic()

    def seconds(self) -> float:
        return time.monotonic() - self._began

    def run(self, task: _GreatKingdom | _Go) -> Solution:
        try:
            task.find_value()
            line = task.line()
        except KeyboardInterrupt:
            raise SolvingStopped(self._timed(task)) from None
        return replace(self._timed(task), line=tuple(line), moves=_moves(task.state, line))

    def _timed(self, task: _GreatKingdom | _Go) -> Solution:
        return replace(task.known(), nodes=task.solver.nodes, seconds=self.seconds())

    @contextmanager
    def reporting(
        self, question: str, low: float, high: float
    ) -> Iterator[Callable[[int, int], None] | None]:
        def report(nodes: int, depth: int) -> None:
            if self._progress is not None:
                self._progress(Progress(question, low, high, nodes, depth, self.seconds()))

        yield None if self._progress is None else report


class _GreatKingdom:
    """Asks for one lead after the other; `low` is forced, `high` is the most that is not yet refuted.

    A lead of more than the cells of the board is one that only a capture gives, and its negative is what Blue
    has even when captured.
    """

    def __init__(self, state: _core.GreatKingdom7, memory_mb: int, work: _Work) -> None:
        self.state = state
        self.solver = _core.GreatKingdomSolver(state, memory_mb)
        self._work = work
        self._beyond = state.game.width * state.game.height + 1
        self._low, self._high = -self._beyond, self._beyond

    def find_value(self) -> None:
        probe, step = 0, 1
        while self._low < self._high:
            if self._attempt(probe):
                self._low, probe = probe, probe + step
            else:
                self._high, probe = probe - 1, probe - step
            step *= 2
            # Steps grow from 0 until the value lies between two answers; then they halve.
            bounded = self._low > -self._beyond and self._high < self._beyond
            if bounded or not self._low < probe <= self._high:
                probe = (self._low + self._high + 1) // 2

    def _attempt(self, lead: int) -> bool:
        question = f"Can Blue force {self._lead_text(lead)}?"
        with self._work.reporting(question, self._bound(self._low), self._bound(self._high)) as report:
            return self.solver.attempt(lead, report)

    def line(self) -> list[int]:
        with self._work.reporting("The line of best play", self._low, self._high) as report:
            return self.solver.line(self._low, self._low + 1, report)

    def _bound(self, lead: int) -> float:
        return lead if abs(lead) < self._beyond else math.copysign(math.inf, lead)

    def _lead_text(self, lead: int) -> str:
        return "a capture" if lead == self._beyond else f"a lead of {lead}"

    def known(self) -> Solution:
        exact = self._low == self._high
        needed = _number(self.state, "lead")
        winner = 0 if self._low >= needed else 1 if self._high < needed else None
        if not exact:
            known = []
            if self._low > -self._beyond:
                known.append(f"Blue can force {self._lead_text(self._low)}")
            if self._high < self._beyond:
                known.append(f"Blue cannot force {self._lead_text(self._high + 1)}")
            text = " and ".join(known) + "." if known else "Nothing is known yet."
        elif self._low == -self._beyond:
            text = "Orange can force a capture."
        elif self._low == self._beyond:
            text = "Blue can force a capture."
        else:
            text = f"Blue can force {self._lead_text(self._low)} and no more."
        if winner is not None:
            text += f" {self.state.game.seats[winner]} wins with lead={needed:.0f}."
        low, high = self._bound(self._low), self._bound(self._high)
        return Solution(text, low if exact else None, winner, exact, low, high)


class _Go:
    """A repetition draws like an area lead of exactly komi, so each seat is asked only for more than that.

    `low` and `high` are Black's leads in area that are forced and not yet refuted.
    """

    def __init__(self, state: _core.Go9, memory_mb: int, work: _Work) -> None:
        self.state = state
        self.solver = _core.GoSolver(state, memory_mb)
        self._work = work
        self._points = state.game.width * state.game.height
        self._komi = _number(state, "komi")
        self._low, self._high = float(-self._points), float(self._points)
        self._attacker: int | None = None  # the seat that can force a win

    def find_value(self) -> None:
        if self._points < abs(self._komi):  # no area makes up for such a komi
            self._attacker = 0 if self._komi < 0 else 1
        for seat in (0, 1):
            if self._attacker in (None, seat):
                self._attack(seat)

    def _attack(self, seat: int) -> None:
        komi = self._komi if seat == 0 else -self._komi
        least, most = max(math.floor(komi) + 1, -self._points), self._points
        won, step = least - 1, 1
        open_question = False
        while won < most:
            # Steps grow until the first question that is not answered by yes; then they halve.
            bounded = most < self._points or won + step > most
            probe = (won + most + 1) // 2 if bounded else won + step
            answer = self._attempt(seat, probe)
            if answer:
                won, step = probe, 2 * step
                self._attacker = seat
                self._narrow(seat, low=won)
            else:
                most = probe - 1
                open_question |= answer is None
                if not open_question:
                    self._narrow(seat, high=max(most, komi))

    def _narrow(self, seat: int, low: float | None = None, high: float | None = None) -> None:
        if seat == 1:
            low, high = (None if high is None else -high), (None if low is None else -low)
        self._low = max(self._low, -math.inf if low is None else low)
        self._high = min(self._high, math.inf if high is None else high)

    def _attempt(self, seat: int, need: int) -> bool | None:
        question = f"Can {self.state.game.seats[seat]} force a lead of {need} in area?"
        with self._work.reporting(question, self._low, self._high) as report:
            return self.solver.attempt(seat, need, report)

    def line(self) -> list[int]:
        if self._attacker is None or self._low != self._high:
            return []
        lead = int(self._low if self._attacker == 0 else -self._low)
        with self._work.reporting("The line of best play", self._low, self._high) as report:
            return self.solver.line(self._attacker, lead, report)

    def known(self) -> Solution:
        exact = self._low == self._high
        if exact and self._attacker is None:
            text = "Neither side can force more than a draw."
        elif exact:
            assert self._attacker is not None
            lead = self._low if self._attacker == 0 else -self._low
            text = (
                f"{self.state.game.seats[self._attacker]} can force a lead of {lead:.0f} in area and no more."
            )
            if self._komi:
                text += f" {self.state.game.seats[self._attacker]} wins with komi={self._komi:g}."
        else:
            text = f"Black's lead in area is from {self._low:g} to {self._high:g}."
        return Solution(text, self._low if exact else None, self._attacker, exact, self._low, self._high)


def _solve_dominion_duel(state: State) -> Solution:
    began = time.monotonic()
    line: list[int] = []
    winner = dominion.outcomes(state)[dominion.best_actions(state)[0]]
    current = state
    while current.outcome is None and len(line) < min(LONGEST_LINE, LINE_WORK // state.game.width + 1):
        line.append(dominion.best_actions(current)[0])
        current = current.play(line[-1])
    text = (
        "Player 1 can force a win, 1 claim ahead."
        if winner == 0
        else "Player 2 can force a draw, and no more."
    )
    value = 1.0 if winner == 0 else 0.0
    seconds = time.monotonic() - began
    return Solution(text, value, winner, True, value, value, tuple(line), _moves(state, line), 0, seconds)
