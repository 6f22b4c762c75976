"""The log: JSON, replay, what a damaged one leads to, fingerprints that every process shares."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

from tengen import InvalidOption
from tengen.match import ByoYomi, Event, Match, Occupant, ReplayError, Request, Setup
from tests.match.helpers import ANN, MACHINE, new_match, play, play_turn


def long_match() -> Match:
    """A match with most kinds of events in it."""
    match = new_match("go", size=9, clock=ByoYomi(60_000, 2, 30_000), seats=(ANN, MACHINE), started_ms=1)
    play(match, "D4", "E5", "C3", at_ms=10)
    match.apply(Request.offer(0, "takeback", 11))
    match.apply(Request.offer(0, "draw", 12))
    match.apply(Request.answer(1, "draw", False, 13))
    match.suspend(14)
    match.proceed(20)
    play(match, "pass", "pass", at_ms=21)
    match.suggest([48], [], 22)
    match.apply(Request.mark(0, "neutral", 0, 23))
    match.apply(Request.accept(1, 24, match.position))
    match.apply(Request.resume(1, 25))
    play(match, "pass", "pass", at_ms=26)
    match.apply(Request.mark(1, "dead", 48, 27))
    for seat in (0, 1):
        match.apply(Request.accept(seat, 28, match.position))
    match.apply(Request.offer(0, "rematch", 29))
    return match


def test_json_round_trip() -> None:
    match = long_match()
    wire = json.dumps([match.setup.to_json(), [event.to_json() for event in match.events]])
    setup, events = json.loads(wire)
    again = Match.replay(Setup.from_json(setup), map(Event.from_json, events))
    assert again == match
    assert again.events == match.events


def test_pickle_and_copy() -> None:
    match = long_match()
    assert pickle.loads(pickle.dumps(match)) == match
    other = new_match("go", size=9)
    copy = other.copy()
    play(copy, "D4")
    assert other.events == () and len(copy.events) == 1


def test_events_are_numbered_from_one_and_time_never_falls() -> None:
    events = long_match().events
    assert [event.number for event in events] == list(range(1, len(events) + 1))
    assert [event.at_ms for event in events] == sorted(event.at_ms for event in events)


def test_following_a_log_event_by_event() -> None:
    leader, follower = long_match(), Match(long_match().setup)
    for event in leader.events:
        follower.follow(event)
        assert follower.position == event.position
    assert follower == leader


@pytest.mark.parametrize(
    "change",
    [
        {"number": 7},
        {"seat": 1},
        {"seat": 2},
        {"at_ms": 3},
        {"at_ms": -1},
        {"kind": "resign"},
        {"kind": "dance"},
        {"kind": "cancel", "seat": None},
        {"kind": "dance", "seat": None},
        {"kind": "suggest", "seat": None, "data": {"dead": 5}},
        {"kind": "flag", "seat": None},
        {"data": {}},
        {"data": {"actions": (0,), "text": "D4"}},
        {"data": {"actions": (56,), "text": "D4"}},
        {"data": {"actions": (56,), "text": "C3", "more": 1}},
        {"position": "0" * 16},
    ],
    ids=str,
)
def test_a_damaged_log_is_refused_and_changes_nothing(change: dict[str, Any]) -> None:
    match = new_match("go", size=9)
    play(match, "E5", "D4", "C3", at_ms=5)
    damaged = replace(match.events[2], **change)
    follower = Match.replay(match.setup, match.events[:2])
    before = follower.copy()
    with pytest.raises(ReplayError, match=r"^Event \d+ "):
        follower.follow(damaged)
    assert follower == before


@pytest.mark.parametrize(
    "change",
    [{"kind": "dance"}, {"kind": "flag"}, {"seat": None}, {"number": "1"}, {"at_ms": None}, {"data": []}],
    ids=str,
)
def test_what_is_no_event(change: dict[str, Any]) -> None:
    good = play(new_match("go", size=9), "D4")[0].to_json()
    assert Event.from_json(good).to_json() == good
    with pytest.raises(ReplayError):
        Event.from_json(good | change)
    with pytest.raises(ReplayError):
        Event.from_json({})


@pytest.mark.parametrize(
    "change",
    [
        {"game": "chess"},
        {"options": {"size": 99}},
        {"seats": [{"name": "", "kind": "dog", "id": ""}] * 2},
        {"seats": [{"name": "", "kind": "person", "id": ""}]},
        {"seats": [{"colour": "red"}] * 2},
        {"clock": {}},
        {"started_ms": -1},
        {"origin": 5},
        {"agreement": "yes"},
    ],
    ids=str,
)
def test_what_is_no_setup(change: dict[str, Any]) -> None:
    good = new_match("go", size=9, origin=("9/" * 8 + "9", 1)).setup
    assert Setup.from_json(good.to_json()) == good
    with pytest.raises(InvalidOption):
        Setup.from_json(good.to_json() | change)
    with pytest.raises(InvalidOption):
        Setup.from_json({})
    with pytest.raises(InvalidOption):
        Occupant(name=5)  # type: ignore[arg-type]


PROGRAM = """
from tests.match.helpers import new_match, play_turn
for name in ("go", "great-kingdom", "kelasu", "dominion-duel"):
    match = new_match(name)
    play_turn(match)
    print(match.position)
"""


def test_positions_are_the_same_in_another_process() -> None:
    here = []
    for name in ("go", "great-kingdom", "kelasu", "dominion-duel"):
        match = new_match(name)
        play_turn(match)
        here.append(match.position)
    there = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert there.stdout.split() == here


def test_positions_tell_options_and_ways_apart() -> None:
    small, area = new_match("go", size=9), new_match("go", size=9, scoring="area")
    assert small.position != area.position
    other = small.copy()
    play(small, "D4", "E5", "C3")
    play(other, "C3", "E5", "D4")
    assert small.state == other.state
    assert small.position != other.position


@pytest.mark.parametrize(
    ("options", "position"),
    [
        ({}, "8934915fb7178270"),
        ({"size": 9, "handicap": 2}, "7dd67ec7c573b546"),
        ({"size": 9, "ko": "superko", "scoring": "area", "komi": 7.5}, "fb30250c97fe213a"),
    ],
)
def test_options_that_came_later_change_no_stored_match(options: dict[str, Any], position: str) -> None:
    """Positions and options as they were before Go had presets, suicide and points for a handicap."""
    match = new_match("go", **options)
    assert match.position == position
    assert list(match.setup.to_json()["options"]) == ["size", "ko", "scoring", "komi", "handicap"]
    stated = new_match("go", **options, rules="japanese", bonus="zero", suicide=False, dead="by_scoring")
    assert stated.setup.to_json() == match.setup.to_json()


@pytest.mark.parametrize(
    "options", [{"rules": "aga"}, {"rules": "new_zealand", "suicide": False, "bonus": "zero"}]
)
def test_a_match_with_late_options_is_stored_with_all_of_them(options: dict[str, Any]) -> None:
    """Also where a preset's value was changed back to the usual one."""
    match = new_match("go", size=9, **options)
    again = Setup.from_json(json.loads(json.dumps(match.setup.to_json())))
    assert again.game.all_options == match.game.all_options
    assert set(match.setup.to_json()["options"]) == set(match.game.all_options)
    assert Match(again).position == match.position
