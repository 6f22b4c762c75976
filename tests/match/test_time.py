"""Clocks in a match: when they run, stand still and fall."""

from __future__ import annotations

import pytest

from tengen import Outcome
from tengen.match import Absolute, ByoYomi, Correspondence, Fischer, Match, NotNow, Request, TimeUp
from tengen.match.clock import DAY_MS
from tests.match.helpers import ANN, MACHINE, new_match, play, play_turn


def left(match: Match, at_ms: int) -> tuple[int | None, int | None]:
    first, second = match.clocks(at_ms)
    return first.left_ms, second.left_ms


def test_the_movers_clock_runs() -> None:
    match = new_match("go", size=9, clock=Absolute(10_000), started_ms=1_000)
    assert (match.running, match.flag_at_ms) == (0, 11_000)
    assert left(match, 3_000) == (8_000, 10_000)
    play(match, "D4", at_ms=4_000)
    assert (match.running, match.flag_at_ms) == (1, 14_000)
    assert left(match, 6_000) == (7_000, 8_000)


def test_no_clock() -> None:
    match = new_match("go", size=9)
    assert match.flag_at_ms is None
    assert left(match, 10**12) == (None, None)
    assert match.tick(10**12) is None


def test_fischer_increments_once_a_turn() -> None:
    match = new_match("kelasu", clock=Fischer(10_000, 3_000))
    assert play_turn(match, at_ms=4_000) > 1
    assert left(match, 4_000) == (9_000, 10_000)


def test_byo_yomi_periods_come_back() -> None:
    match = new_match("go", size=9, clock=ByoYomi(1_000, 2, 5_000))
    play(match, "D4", at_ms=4_000)
    play(match, "E5", at_ms=4_500)
    assert match.clocks(4_500)[0] == (10_000, 0, 2, 5_000)
    play(match, "C3", at_ms=4_500 + 9_999)
    assert match.clocks(20_000)[0] == (5_000, 0, 1, 5_000)


def test_correspondence() -> None:
    match = new_match("go", size=9, clock=Correspondence(1))
    play(match, "D4", at_ms=DAY_MS - 1)
    assert match.flag_at_ms == 2 * DAY_MS - 1
    assert match.clocks(DAY_MS)[0].left_ms == DAY_MS


def test_one_millisecond_before_the_flag_is_in_time() -> None:
    match = new_match("go", size=9, clock=Absolute(10_000))
    assert match.tick(9_999) is None
    match.copy().apply(Request.move(0, "D4", 9_999))
    before = match.copy()
    for request in (
        Request.move(0, "D4", 10_000),
        Request.resign(0, 10_000),
        Request.offer(1, "draw", 10_000),
    ):
        with pytest.raises(TimeUp, match="Black"):
            match.apply(request)
    for act in (match.suspend, match.cancel):
        with pytest.raises(TimeUp):
            act(10_000)
    assert match == before


def test_a_tick_ends_the_match_at_the_instant_of_the_fall() -> None:
    match = new_match("go", size=9, clock=Absolute(10_000))
    play(match, "D4", at_ms=2_000)
    event = match.tick(50_000)
    assert event is not None
    assert (event.kind, event.seat, event.at_ms, event.data) == ("flag", None, 12_000, {"loser": 1})
    assert match.outcome == Outcome(0, "time")
    assert match.running is None
    assert left(match, 60_000) == (8_000, 0)
    assert match.tick(60_000) is None


def test_time_never_goes_backwards() -> None:
    match = new_match("go", size=9, clock=Absolute(10_000), started_ms=500)
    assert play(match, "D4", at_ms=0)[0].at_ms == 500
    play(match, "E5", at_ms=2_000)
    assert play(match, "C3", at_ms=1_000)[0].at_ms == 2_000
    assert left(match, 0) == (10_000, 8_500)


def test_suspension_stops_the_clock_within_a_turn() -> None:
    match = new_match("go", size=9, clock=Correspondence(1))
    match.suspend(1_000)
    assert (match.suspended, match.running, match.flag_at_ms) == (True, None, None)
    assert match.clocks(9 * DAY_MS)[0].left_ms == DAY_MS - 1_000
    for request in (Request.move(0, "D4", 5), Request.offer(1, "draw", 5)):
        with pytest.raises(NotNow, match="suspended"):
            match.apply(request)
    with pytest.raises(NotNow, match="already"):
        match.suspend(2_000)
    match.proceed(9 * DAY_MS)
    assert match.flag_at_ms == 10 * DAY_MS - 1_000
    with pytest.raises(NotNow, match="not suspended"):
        match.proceed(9 * DAY_MS)
    play(match, "D4", at_ms=9 * DAY_MS + 5)
    assert not match.suspended


def test_resignation_while_suspended() -> None:
    match = new_match("go", size=9, clock=Absolute(10_000))
    match.suspend(1_000)
    match.apply(Request.resign(0, 7_000))
    assert match.outcome == Outcome(1, "resign")
    assert left(match, 7_000) == (9_000, 10_000)
    assert not match.suspended


def test_an_outage_is_put_into_the_log_afterwards() -> None:
    match = new_match("go", size=9, clock=Absolute(10_000))
    play(match, "D4", at_ms=1_000)
    match.suspend(3_000)  # the last time that was known to be good
    match.proceed(600_000)
    assert left(match, 600_000) == (9_000, 8_000)


def test_a_takeback_wins_no_time() -> None:
    match = new_match("go", size=9, clock=Fischer(10_000, 3_000), seats=(ANN, MACHINE))
    play(match, "D4", at_ms=1_000)  # Ann 12 s
    play(match, "E5", at_ms=5_000)  # machine 9 s
    play(match, "C3", at_ms=10_000)  # Ann 10 s
    match.apply(Request.offer(0, "takeback", 12_000))
    assert match.running == 0
    assert left(match, 12_000) == (10_000, 7_000)
    match.apply(Request.offer(0, "takeback", 13_000))
    assert left(match, 13_000) == (9_000, 7_000)


def test_a_takeback_keeps_no_increment() -> None:
    match = new_match("go", size=9, clock=Fischer(10_000, 3_000), seats=(ANN, MACHINE))
    play(match, "D4", at_ms=1_000)
    assert left(match, 1_000) == (12_000, 10_000)
    match.apply(Request.offer(0, "takeback", 1_000))
    assert left(match, 1_000) == (10_000, 10_000)


def test_clocks_stand_still_in_the_agreement_and_run_after_it() -> None:
    match = new_match("go", size=9, clock=Absolute(10_000))
    play(match, "pass", at_ms=1_000)
    play(match, "pass", at_ms=3_000)
    assert match.flag_at_ms is None
    assert left(match, 500_000) == (9_000, 8_000)
    assert match.tick(500_000) is None
    match.apply(Request.resume(0, 500_000))
    assert match.running == 1
    assert match.flag_at_ms == 508_000
    play(match, "D4", at_ms=501_000)
    assert left(match, 501_000) == (9_000, 7_000)
