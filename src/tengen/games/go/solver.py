"""Exact play of Go on small boards, under area scoring with simple ko. Why the answers are exact: cpp/."""

from __future__ import annotations

import math

from tengen import _core
from tengen.facets.solving import NotSolvableError, Solution, Work
from tengen.game import State
from tengen.games._grid import check_solvable
from tengen.games.go.rules import Go


def solve(state: State, memory_mb: int, work: Work) -> Solution:
    check_solvable(state)
    assert isinstance(state, _core.Go9)
    options = state.game.all_options
    if options["scoring"] != "area" or options["ko"] != "simple":
        raise NotSolvableError("Exact play of Go needs the options scoring=area and ko=simple.")
    if options["suicide"]:
        raise NotSolvableError("Exact play of Go needs the option suicide=false.")
    return work.run(_Task(state, memory_mb, work))


class _Task:
    """A repetition draws like an area lead of exactly komi, so each seat is asked only for more than that.

    `low` and `high` are Black's leads in area that are forced and not yet refuted.
    """

    def __init__(self, state: _core.Go9, memory_mb: int, work: Work) -> None:
        self.state = state
        self.solver = _core.GoSolver(state, memory_mb)
        self._work = work
        self._points = state.game.width * state.game.height
        assert isinstance(state.game, Go)
        self._komi = state.game.komi
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
