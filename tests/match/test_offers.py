"""Draw offers, takebacks, rematches, pauses."""

from __future__ import annotations

import pytest

from tengen import Outcome
from tengen.match import Absolute, Match, MatchOver, NoOffer, NotNow, Occupant, Offer, Request
from tests.match.helpers import ANN, BOB, MACHINE, new_match, play, play_turn

HOT_SEAT = (Occupant("Black", id="ann"), Occupant("White", id="ann"))


def ask(match: Match, seat: int, what: str) -> None:
    match.apply(Request.offer(seat, what, 0))


def answer(match: Match, seat: int, what: str, accept: bool) -> None:
    match.apply(Request.answer(seat, what, accept, 0))


@pytest.fixture
def match() -> Match:
    match = new_match("go", size=9)
    play(match, "D4", "E5", "C3")
    return match


@pytest.mark.parametrize("seat", [0, 1])
def test_a_draw_is_offered_and_accepted(match: Match, seat: int) -> None:
    ask(match, seat, "draw")
    assert match.offer == Offer("draw", seat)
    answer(match, 1 - seat, "draw", True)
    assert match.outcome == Outcome(None, "agreement")
    assert match.offer is None


def test_a_draw_is_declined_and_not_offered_again_before_the_next_move(match: Match) -> None:
    ask(match, 0, "draw")
    answer(match, 1, "draw", False)
    assert match.offer is None and match.outcome is None
    with pytest.raises(NotNow, match="declined"):
        ask(match, 0, "draw")
    ask(match, 1, "draw")  # the other side may
    play(match, "G7")
    ask(match, 0, "draw")


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("what", ["draw", "takeback"])
def test_an_offer_expires_with_the_next_move(match: Match, seat: int, what: str) -> None:
    ask(match, seat, what)
    play(match, "G7")
    assert match.offer is None
    with pytest.raises(NoOffer):
        answer(match, 1 - seat, what, True)


def test_one_offer_at_a_time(match: Match) -> None:
    ask(match, 0, "draw")
    for seat, what in ((0, "draw"), (0, "takeback"), (1, "takeback")):
        with pytest.raises(NotNow, match="already an offer"):
            ask(match, seat, what)


def test_answers_need_an_offer_by_the_other_side(match: Match) -> None:
    with pytest.raises(NoOffer):
        answer(match, 0, "draw", True)
    ask(match, 0, "takeback")
    for seat, what in ((0, "takeback"), (1, "draw")):
        with pytest.raises(NoOffer):
            answer(match, seat, what, True)


@pytest.mark.parametrize("what", ["draw", "rematch"])
def test_two_who_offer_the_same_agree(match: Match, what: str) -> None:
    if what == "rematch":
        match.apply(Request.resign(0, 0))
    ask(match, 0, what)
    event = match.apply(Request.offer(1, what, 0))
    assert (event.kind, event.data) == ("answer", {"what": what, "accept": True})
    assert match.rematch_agreed if what == "rematch" else match.outcome == Outcome(None, "agreement")


@pytest.mark.parametrize(("seat", "stand"), [(0, ["D4", "E5"]), (1, ["D4"])])
def test_a_takeback_goes_to_the_askers_last_turn(match: Match, seat: int, stand: list[str]) -> None:
    states = match.states
    ask(match, seat, "takeback")
    assert len(match.line) == 3
    event = match.apply(Request.answer(1 - seat, "takeback", True, 0))
    assert event.data == {"what": "takeback", "accept": True, "keep": len(stand)}
    assert [one.data["text"] for one in match.line] == stand
    assert match.states == states[: len(stand) + 1]
    assert match.state.to_move == seat
    assert match.takebacks == ((1, 0) if seat == 0 else (0, 1))
    assert match.position == (match.events[len(stand) - 1].position)


def test_nothing_to_take_back() -> None:
    match = new_match("go", size=9)
    play(match, "D4")
    assert match.can_take_back(0) and not match.can_take_back(1)
    with pytest.raises(NotNow, match="no move"):
        ask(match, 1, "takeback")


@pytest.mark.parametrize(
    ("seats", "seat", "free"),
    [
        ((ANN, BOB), 0, False),
        ((ANN, MACHINE), 0, True),
        ((ANN, MACHINE), 1, False),
        ((MACHINE, BOB), 1, True),
        (HOT_SEAT, 0, True),
        (HOT_SEAT, 1, True),
        ((Occupant(), Occupant()), 0, False),  # two strangers are not one person
        ((MACHINE, MACHINE), 0, True),
    ],
)
def test_who_needs_no_answer(seats: tuple[Occupant, Occupant], seat: int, free: bool) -> None:
    match = new_match("go", size=9, seats=seats)
    play(match, "D4", "E5", "C3")
    event = match.apply(Request.offer(seat, "takeback", 0))
    assert event.kind == ("takeback" if free else "offer")
    assert match.state.to_move == (seat if free else 1)
    match.apply(Request.resign(0, 0))
    assert match.apply(Request.offer(seat, "rematch", 0)).kind == ("rematch" if free else "offer")
    assert match.rematch_agreed == free


def test_a_kelasu_takeback_is_a_whole_turn() -> None:
    match = new_match("kelasu", seats=(ANN, MACHINE))
    play_turn(match)
    play_turn(match, seed=1)
    play_turn(match, seed=2)
    ask(match, 0, "takeback")
    assert match.state.to_move == 0
    assert match.takebacks == (1, 0)
    ask(match, 0, "takeback")
    assert len(match.states) == 1


def test_a_kelasu_takeback_within_a_turn_takes_back_what_was_moved_in_it() -> None:
    match = new_match("kelasu", seats=(ANN, MACHINE))
    play_turn(match)
    play_turn(match, seed=1)
    before = match.states
    move = match.state.legal_actions()[0]
    match.apply(Request.move(0, [move, match.state.play(move).legal_actions()[0]], 0))
    assert match.state.to_move == 0
    ask(match, 0, "takeback")
    assert match.states == before


def test_after_a_takeback_play_goes_on(match: Match) -> None:
    ask(match, 0, "takeback")
    answer(match, 1, "takeback", True)
    play(match, "G7", "C7")
    assert [one.data["text"] for one in match.line] == ["D4", "E5", "G7", "C7"]
    assert len(match.events) == 7
    assert Match.replay(match.setup, match.events) == match


def test_a_rematch_swaps_the_seats(match: Match) -> None:
    with pytest.raises(NotNow, match="after the end"):
        ask(match, 0, "rematch")
    match.apply(Request.resign(0, 5))
    for what in ("draw", "takeback"):
        with pytest.raises(MatchOver):
            ask(match, 0, what)
    ask(match, 1, "rematch")
    answer(match, 0, "rematch", True)
    with pytest.raises(NotNow, match="already agreed"):
        ask(match, 0, "rematch")
    setup = match.rematch_setup(99)
    assert (setup.seats, setup.started_ms, setup.game) == ((BOB, ANN), 99, match.game)
    assert setup.rematch(0) == match.setup


def test_a_declined_rematch_stays_declined(match: Match) -> None:
    match.apply(Request.resign(0, 5))
    ask(match, 1, "rematch")
    answer(match, 0, "rematch", False)
    with pytest.raises(NotNow):
        ask(match, 1, "rematch")
    assert not match.rematch_agreed
    ask(match, 0, "rematch")  # the other side may still change its mind


def test_offers_end_with_the_match(match: Match) -> None:
    ask(match, 0, "draw")
    match.apply(Request.resign(1, 0))
    with pytest.raises(NoOffer):
        answer(match, 1, "draw", True)


def test_a_long_game_is_taken_back_to_its_start() -> None:
    """Further than the states that a match keeps."""
    match = new_match("go", seats=HOT_SEAT, size=9)
    points = [f"{column}{row}" for row in (2, 5, 8) for column in "ABCDEFGH"]
    positions = [match.position]
    for point in points:
        play(match, point)
        positions.append(match.position)
    states = match.states
    for length in range(len(points) - 1, -1, -1):
        ask(match, 1 - match.state.to_move, "takeback")
        assert (match.length, match.position) == (length, positions[length])
        assert match.state == states[length] and match.state.actions == states[length].actions
    play(match, "E5")
    assert Match.replay(match.setup, match.events) == match


def test_a_pause_is_agreed_on_and_ended_by_either(timed: Match) -> None:
    ask(timed, 1, "pause")
    with pytest.raises(NotNow, match="waits for its answer"):
        ask(timed, 1, "draw")
    answer(timed, 0, "pause", True)
    assert (timed.paused, timed.running, timed.flag_at_ms) == (True, None, None)
    with pytest.raises(NotNow, match="paused"):
        timed.apply(Request.move(0, "D4", 9_000))
    with pytest.raises(NotNow, match="paused already"):
        ask(timed, 0, "pause")
    assert timed.tick(10**9) is None
    timed.apply(Request.unpause(1, 50_000))
    assert (timed.paused, timed.flag_at_ms) == (False, 50_000 + 60_000)
    with pytest.raises(NotNow, match="not paused"):
        timed.apply(Request.unpause(1, 50_000))


def test_a_pause_that_is_declined_stops_nothing(timed: Match) -> None:
    ask(timed, 0, "pause")
    answer(timed, 1, "pause", False)
    assert not timed.paused and timed.flag_at_ms == 60_000
    with pytest.raises(NotNow, match="declined"):
        ask(timed, 0, "pause")


def test_without_a_clock_there_is_nothing_to_pause(match: Match) -> None:
    with pytest.raises(NotNow, match="Nobody is timed"):
        ask(match, 0, "pause")


@pytest.fixture
def timed() -> Match:
    return new_match("go", clock=Absolute(60_000))
