"""Moves, turns, resignation, ends, and who may do what when."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tengen import IllegalAction, NotationError, Outcome, records
from tengen.match import REASONS, Malformed, MatchOver, NotNow, NotYourTurn, Request, Stale, Stranger
from tests.match.helpers import new_match, play, play_turn, whole_move


def test_a_move_by_text_and_by_actions_is_the_same_event() -> None:
    one, other = new_match("great-kingdom"), new_match("great-kingdom")
    event = one.apply(Request.move(0, " d4 ", 5))
    assert other.apply(Request.move(0, [48], 5)) == event
    assert (event.number, event.kind, event.seat, event.at_ms) == (1, "move", 0, 5)
    assert event.data == {"actions": (48,), "text": "D4"}
    assert event.position == one.position


def test_the_game_ends_the_match() -> None:
    match = new_match("dominion-duel", n=3)
    play(match, "2")
    assert match.phase == "over"
    assert match.outcome == match.state.outcome == Outcome(0, "claims", (1, 0))
    with pytest.raises(MatchOver):
        match.apply(Request.resign(1, 1))


@pytest.mark.parametrize(
    ("request_", "error", "sentence"),
    [
        (Request.move(1, "D4", 0), NotYourTurn, "turn of Black"),
        (Request.move(2, "D4", 0), Stranger, "no seat"),
        (Request.move(-1, "D4", 0), Stranger, "no seat"),
        (Request("move", None, 0, {"text": "D4"}), Stranger, "no seat"),  # type: ignore[arg-type]
        (Request("move", True, 0, {"text": "D4"}), Stranger, "no seat"),
        (Request.move(0, "D", 0), NotationError, "neither a point"),
        (Request.move(0, "Z99", 0), IllegalAction, "not on the board"),
        (Request.move(0, [400], 0), IllegalAction, "no such point"),
        (Request.move(0, [-1], 0), IllegalAction, "no such point"),
        (Request.move(0, [10**30], 0), IllegalAction, "no such point"),
        (Request.move(0, [0, 1], 0), IllegalAction, "turn is over"),
        (Request.move(0, [], 0), Malformed, "at least one"),
        (Request("move", 0, 0), Malformed, "text or as actions"),
        (Request("move", 0, 0, {"text": 5}), Malformed, "text or as actions"),
        (Request("move", 0, 0, {"actions": "12"}), Malformed, "whole numbers"),
        (Request("move", 0, 0, {"actions": [True]}), Malformed, "whole numbers"),
        (Request("move", 0, 0, [1]), Malformed, "no such request"),  # type: ignore[arg-type]
        (Request("dance", 0, 0), Malformed, "no such request"),
        (Request([], 0, 0), Malformed, "no such request"),  # type: ignore[arg-type]
        (Request("suspend", 0, 0), Malformed, "no such request"),
        (Request("flag", 0, 0, {"loser": 1}), Malformed, "no such request"),
        (Request("takeback", 0, 0, {"keep": 0}), Malformed, "no such request"),
        (Request.move(0, "D4", -1), Malformed, "time stamp"),
        (Request.move(0, "D4", 1.5), Malformed, "time stamp"),  # type: ignore[arg-type]
        (Request.move(0, "D4", 0, position="0" * 16), Stale, "moved on"),
        (Request.offer(0, "tea", 0), Malformed, "draw, takeback, rematch"),
        (Request.mark(0, "dead", 0, 0), NotNow, "no dead stones"),
        (Request.resume(0, 0), NotNow, "no dead stones"),
        (Request("accept", 0, 0), Malformed, "which marks"),
    ],
    ids=lambda value: f"{value.kind} {value.seat} {value.data}" if isinstance(value, Request) else "",
)
def test_refusals_change_nothing(request_: Request, error: type[ValueError], sentence: str) -> None:
    match = new_match("go", size=9)
    before = match.copy()
    with pytest.raises(error, match=sentence) as caught:
        match.apply(request_)
    assert match == before
    assert str(caught.value).endswith(".") and "\n" not in str(caught.value)


def test_a_request_for_another_position_is_stale() -> None:
    match = new_match("go", size=9)
    seen = match.position
    play(match, "D4", "E5")
    with pytest.raises(Stale):
        match.apply(Request.move(0, "C3", 0, position=seen))
    match.apply(Request.move(0, "C3", 0, position=match.position))


@pytest.mark.parametrize("seat", [0, 1])
def test_resignation_at_any_time(seat: int) -> None:
    match = new_match("go", size=9)
    play(match, "D4")
    event = match.apply(Request.resign(seat, 9))
    assert (event.kind, event.seat, event.data) == ("resign", seat, {})
    assert match.outcome == Outcome(1 - seat, "resign")
    assert match.state.outcome is None


def test_a_kelasu_turn_is_several_moves() -> None:
    match = new_match("kelasu")
    moves = play_turn(match)
    assert moves > 1
    assert match.state.to_move == 1
    assert [event.seat for event in match.events] == [0] * moves
    assert len(match.states) == moves + 1


def test_a_kelasu_turn_in_one_request() -> None:
    match, other = new_match("kelasu"), new_match("kelasu")
    play_turn(match)
    turn = ";".join(event.data["text"] for event in match.line)
    event = other.apply(Request.move(0, turn, 0))
    assert event.data["text"] == turn
    assert other.state == match.state


def test_half_a_kelasu_move_is_refused() -> None:
    match = new_match("kelasu")
    move = whole_move(match.state, random.Random(1))
    with pytest.raises(IllegalAction, match="not complete"):
        match.apply(Request.move(0, move[:1], 0))
    match.apply(Request.move(0, move, 0))


def test_abandonment_and_cancellation() -> None:
    match = new_match("go", size=9)
    gone = match.copy()
    event = gone.abandon(0, 7)
    assert (event.seat, event.data, gone.outcome) == (None, {"loser": 0}, Outcome(1, "forfeit"))
    none: Any = None
    with pytest.raises(Malformed):
        match.abandon(none, 7)
    match.cancel(7)
    assert match.outcome == Outcome(None, "void")
    with pytest.raises(MatchOver):
        match.abandon(0, 8)


def test_a_match_from_a_position() -> None:
    match = new_match("great-kingdom", size=3, origin=("3/1N1/B2", 1))
    assert match.state.to_move == 1
    play(match, "A3")
    assert match.states[0].cells()[6] == 1


def test_a_match_from_a_position_that_is_over() -> None:
    match = new_match("dominion-duel", n=3, origin=("#X#", 1))
    assert match.phase == "over"
    assert match.outcome == Outcome(0, "claims", (1, 0))


def test_records_use_the_same_words() -> None:
    assert REASONS == records.MATCH_REASONS
