"""The arithmetic of each time control, row by row."""

from __future__ import annotations

import pytest

from tengen import InvalidOption
from tengen.match import (
    Absolute,
    ByoYomi,
    Canadian,
    Clock,
    Correspondence,
    Fischer,
    NoClock,
    Reading,
    Reserve,
)
from tengen.match.clock import DAY_MS

BYO = ByoYomi(main_ms=10_000, periods=3, period_ms=5_000)
CANADIAN = Canadian(main_ms=10_000, moves=2, period_ms=6_000)
AWAY = Correspondence(2, 1)
CAPPED = Fischer(main_ms=10_000, increment_ms=4_000, cap_ms=12_000)


@pytest.mark.parametrize(
    ("clock", "reserve", "used_ms", "moved", "left"),
    [
        (NoClock(), Reserve(0), 10**9, True, Reserve(0)),
        (Absolute(10_000), Reserve(10_000), 3_000, True, Reserve(7_000)),
        (Absolute(10_000), Reserve(7_000), 3_000, False, Reserve(4_000)),
        (Absolute(10_000), Reserve(4_000), 4_000, False, Reserve(0)),
        (Fischer(10_000, 4_000), Reserve(10_000), 3_000, True, Reserve(11_000)),
        (Fischer(10_000, 4_000), Reserve(10_000), 3_000, False, Reserve(7_000)),
        (Fischer(10_000, 4_000), Reserve(10_000), 10_000, True, Reserve(0)),  # fallen: no increment
        (CAPPED, Reserve(10_000), 1_000, True, Reserve(12_000)),
        (CAPPED, Reserve(10_000), 3_000, True, Reserve(11_000)),
        (BYO, Reserve(10_000, 3), 4_000, True, Reserve(6_000, 3)),
        (BYO, Reserve(10_000, 3), 10_000, True, Reserve(0, 3)),
        (BYO, Reserve(10_000, 3), 14_999, True, Reserve(0, 3)),  # within the first period: kept
        (BYO, Reserve(10_000, 3), 15_000, True, Reserve(0, 2)),
        (BYO, Reserve(0, 3), 14_999, True, Reserve(0, 1)),
        (BYO, Reserve(0, 1), 4_999, True, Reserve(0, 1)),
        (BYO, Reserve(0, 1), 5_000, True, Reserve(0, 0)),
        (CANADIAN, Reserve(10_000, 2, 6_000), 4_000, True, Reserve(6_000, 2, 6_000)),
        (CANADIAN, Reserve(10_000, 2, 6_000), 11_000, True, Reserve(0, 1, 5_000)),
        (CANADIAN, Reserve(10_000, 2, 6_000), 11_000, False, Reserve(0, 2, 5_000)),
        (CANADIAN, Reserve(0, 1, 5_000), 4_999, True, Reserve(0, 2, 6_000)),  # a new period
        (CANADIAN, Reserve(0, 1, 5_000), 5_000, True, Reserve(0, 1, 0)),
        (AWAY, Reserve(2 * DAY_MS, 0, DAY_MS), 2 * DAY_MS, True, Reserve(2 * DAY_MS, 0, DAY_MS)),
        (AWAY, Reserve(2 * DAY_MS, 0, DAY_MS), 2 * DAY_MS + 5, True, Reserve(2 * DAY_MS, 0, DAY_MS - 5)),
        (AWAY, Reserve(2 * DAY_MS, 0, DAY_MS), 3 * DAY_MS, True, Reserve(0)),
        (Correspondence(2), Reserve(2 * DAY_MS), DAY_MS, True, Reserve(2 * DAY_MS)),
        (Correspondence(2), Reserve(2 * DAY_MS), 2 * DAY_MS, True, Reserve(0)),
    ],
)
def test_what_is_left_after_a_turn(
    clock: Clock, reserve: Reserve, used_ms: int, moved: bool, left: Reserve
) -> None:
    assert clock.after(reserve, used_ms, moved) == left


@pytest.mark.parametrize(
    ("clock", "reserve", "used_ms", "shown"),
    [
        (NoClock(), Reserve(0), 5, Reading(None, 0)),
        (Absolute(10_000), Reserve(7_000), 3_000, Reading(4_000, 4_000)),
        (Absolute(10_000), Reserve(7_000), 9_000, Reading(0, 0)),
        (BYO, Reserve(10_000, 3), 0, Reading(25_000, 10_000, 3, 5_000)),
        (BYO, Reserve(10_000, 3), 10_000, Reading(15_000, 0, 3, 5_000)),
        (BYO, Reserve(10_000, 3), 11_000, Reading(14_000, 0, 3, 4_000)),
        (BYO, Reserve(10_000, 3), 15_000, Reading(10_000, 0, 2, 5_000)),
        (BYO, Reserve(0, 1), 4_999, Reading(1, 0, 1, 1)),
        (BYO, Reserve(0, 1), 5_000, Reading(0, 0, 0, 0)),
        (CANADIAN, Reserve(10_000, 2, 6_000), 1_000, Reading(15_000, 9_000, 2, 6_000)),
        (CANADIAN, Reserve(10_000, 2, 6_000), 12_000, Reading(4_000, 0, 2, 4_000)),
        (AWAY, Reserve(2 * DAY_MS, 0, DAY_MS), 2 * DAY_MS + 1, Reading(DAY_MS - 1, 0, 0, DAY_MS - 1)),
        (Correspondence(1), Reserve(DAY_MS), 1, Reading(DAY_MS - 1, DAY_MS - 1)),
    ],
)
def test_what_is_shown(clock: Clock, reserve: Reserve, used_ms: int, shown: Reading) -> None:
    assert clock.reading(reserve, used_ms) == shown


CLOCKS = [NoClock(), Absolute(1), CAPPED, Fischer(5, 0), BYO, Correspondence(3)]


@pytest.mark.parametrize("clock", CLOCKS, ids=repr)
def test_json(clock: Clock) -> None:
    assert Clock.from_json(clock.to_json()) == clock


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (None, "A clock is one of"),
        ({"kind": "sundial"}, "A clock is one of"),
        ({"kind": ["none"]}, "A clock is one of"),
        ({"kind": "absolute"}, "has other settings"),
        ({"kind": "absolute", "main_ms": 5, "colour": "red"}, "has other settings"),
        ({"kind": "absolute", "main_ms": 0}, "main_ms .* from 1 to"),
        ({"kind": "absolute", "main_ms": True}, "main_ms .* not True"),
        ({"kind": "absolute", "main_ms": 1.5}, "main_ms .* not 1.5"),
        ({"kind": "fischer", "main_ms": 5, "increment_ms": -1}, "increment_ms"),
        ({"kind": "fischer", "main_ms": 5, "increment_ms": 1, "cap_ms": 4}, "cap_ms .* from 5 to"),
        ({"kind": "byo-yomi", "main_ms": 0, "periods": 0, "period_ms": 1}, "periods .* from 1 to 1000"),
        ({"kind": "byo-yomi", "main_ms": 0, "periods": 1, "period_ms": 0}, "period_ms"),
        ({"kind": "correspondence", "days_per_move": 0}, "days_per_move"),
    ],
)
def test_what_is_no_clock(data: object, sentence: str) -> None:
    with pytest.raises(InvalidOption, match=sentence):
        Clock.from_json(data)
