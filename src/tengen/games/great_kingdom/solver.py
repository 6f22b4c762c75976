"""Exact play of Great Kingdom on small boards. Why the answers are exact stands in cpp/."""

from __future__ import annotations

import math

from tengen import _core
from tengen.facets.solving import Solution, Work
from tengen.game import State
from tengen.games._grid import check_solvable
from tengen.games.great_kingdom.rules import GreatKingdom


def solve(state: State, memory_mb: int, work: Work) -> Solution:
    check_solvable(state)
    assert isinstance(state, _core.GreatKingdom7)
    return work.run(_Task(state, memory_mb, work))


class _Task:
    """Asks for one lead after the other; `low` is forced, `high` is the most that is not yet refuted.

    A lead of more than the cells of the board is one that only a capture gives, and its negative is what Blue
    has even when captured.
    """

    def __init__(self, state: _core.GreatKingdom7, memory_mb: int, work: Work) -> None:
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
        game = self.state.game
        assert isinstance(game, GreatKingdom)
        needed = game.lead
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
            text += f" {self.state.game.seats[winner]} wins with lead={needed}."
        low, high = self._bound(self._low), self._bound(self._high)
        return Solution(text, low if exact else None, winner, exact, low, high)
