"""Clocks over random schedules of moves, pauses, outages and lag, beside one that counts each millisecond.

The controls are a thousand times shorter than those of people, so that a millisecond is a large part of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from tengen.match import (
    Absolute,
    ByoYomi,
    Canadian,
    Clock,
    Correspondence,
    Fischer,
    Match,
    Request,
)
from tengen.match.clock import DAY_MS, LAG_BANK_MS, LAG_TURN_MS, MOST_LAG_MS
from tests.match.helpers import new_match

CLOCKS = (
    Absolute(120),
    Fischer(40, 7),
    Fischer(40, 9, 44),
    ByoYomi(30, 3, 11),
    ByoYomi(0, 2, 9),
    Canadian(30, 3, 25),
    Canadian(0, 2, 20),
)


@dataclass
class Naive:
    """One seat's clock, by the millisecond."""

    clock: Clock
    main: int = 0
    periods: int = 0
    period: int = 0
    fallen: bool = False
    turn_main: int = field(default=0)

    def __post_init__(self) -> None:
        clock = self.clock
        assert isinstance(clock, Absolute | Fischer | ByoYomi | Canadian)
        self.main = clock.main_ms
        if isinstance(clock, ByoYomi):
            self.periods, self.period = clock.periods, clock.period_ms
        if isinstance(clock, Canadian):
            self.periods, self.period = clock.moves, clock.period_ms

    def spend(self) -> None:
        """One millisecond of one's own turn."""
        if self.main:
            self.main -= 1
        elif self.period:
            self.period -= 1
            if isinstance(self.clock, ByoYomi) and not self.period:
                self.periods -= 1
                self.period = self.clock.period_ms if self.periods else 0
        self.fallen = not self.main and not self.period

    def moved(self) -> None:
        clock = self.clock
        if isinstance(clock, Fischer):
            self.main = min(self.main + clock.increment_ms, clock.cap_ms or 10**9)
        elif isinstance(clock, ByoYomi) and not self.main:
            self.period = clock.period_ms
        elif isinstance(clock, Canadian) and not self.main:
            self.periods -= 1
            if not self.periods:
                self.periods, self.period = clock.moves, clock.period_ms

    @property
    def left(self) -> int:
        whole = (self.periods - 1) * self.clock.period_ms if isinstance(self.clock, ByoYomi) else 0
        return self.main + self.period + max(0, whole)


steps = st.lists(
    st.tuples(st.sampled_from(("move", "move", "move", "outage", "pause")), st.integers(0, 14)), max_size=40
)


@given(st.sampled_from(CLOCKS), steps)
def test_every_millisecond_is_counted_once_and_only_where_the_clock_runs(
    clock: Clock, schedule: list[tuple[str, int]]
) -> None:
    match = new_match("go", clock=clock, started_ms=1_000)
    seats, at_ms = (Naive(clock), Naive(clock)), 1_000
    for number, (what, length) in enumerate(schedule):
        seat = match.state.to_move
        for _ in range(length):
            at_ms += 1
            seats[seat].spend()
            if seats[seat].fallen:
                break
        if seats[seat].fallen:
            flag = match.tick(at_ms + 50)
            assert flag is not None and (flag.at_ms, flag.data) == (at_ms, {"loser": seat})
            break
        assert match.tick(at_ms) is None
        if what == "move":
            match.apply(Request.move(seat, [number], at_ms))
            seats[seat].moved()
        elif what == "outage":
            match.suspend(at_ms)
            at_ms += 7 * length
            match.proceed(at_ms)
        else:
            match.apply(Request.offer(0, "pause", at_ms))
            match.apply(Request.answer(1, "pause", True, at_ms))
            at_ms += 5 * length
            match.apply(Request.unpause(length % 2, at_ms))
        shown = match.clocks(at_ms)
        for one, naive in zip(shown, seats, strict=True):
            assert one.left_ms == naive.left
            assert (one.main_ms, one.period_ms) == (naive.main, naive.period)
            assert one.periods == (naive.periods if naive.period else 0)
    assert Match.replay(match.setup, match.events) == match


@given(st.lists(st.tuples(st.integers(1, 3_000), st.integers(0, 5_000)), max_size=60))
def test_what_the_network_took_is_given_back_within_its_bounds(turns: list[tuple[int, int]]) -> None:
    """Whatever lag is claimed: the sum of what is charged is the time used less what the bank could give."""
    match = new_match("go", clock=Absolute(10**6))
    at_ms, charged, banks, given_back = 0, [0, 0], [LAG_BANK_MS] * 2, [0, 0]
    for number, (used_ms, lag_ms) in enumerate(turns):
        at_ms, seat = at_ms + used_ms, number % 2
        match.apply(Request.move(seat, [number], at_ms, lag_ms=lag_ms))
        back_ms = min(lag_ms, banks[seat], MOST_LAG_MS)
        banks[seat] = min(LAG_BANK_MS, banks[seat] - back_ms + LAG_TURN_MS)
        charged[seat] += max(0, used_ms - back_ms)
        given_back[seat] += back_ms
        assert given_back[seat] <= LAG_BANK_MS + (number // 2 + 1) * LAG_TURN_MS
        assert [one.left_ms for one in match.clocks(at_ms)] == [10**6 - spent for spent in charged]
    assert Match.replay(match.setup, match.events) == match


@given(st.lists(st.integers(0, 5 * DAY_MS), max_size=30))
def test_a_vacation_is_what_longer_turns_take_from(turns: list[int]) -> None:
    match = new_match("go", clock=Correspondence(2, 6))
    at_ms, vacation = 0, [6 * DAY_MS, 6 * DAY_MS]
    for number, used_ms in enumerate(turns):
        at_ms, seat = at_ms + used_ms, number % 2
        over_ms = max(0, used_ms - 2 * DAY_MS)
        if used_ms >= 2 * DAY_MS + vacation[seat]:
            flag = match.tick(at_ms)
            assert flag is not None and flag.data == {"loser": seat}
            return
        match.apply(Request.move(seat, [number], at_ms, lag_ms=400))
        vacation[seat] -= over_ms
        assert [one.period_ms for one in match.clocks(at_ms)] == vacation
        assert all(one.main_ms == 2 * DAY_MS for one in match.clocks(at_ms))
