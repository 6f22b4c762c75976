"""Go's agreement on dead stones, GO 16 to GO 22 in docs/rules/go.md."""

from __future__ import annotations

from typing import Any

import pytest

from tengen import Outcome
from tengen.match import Malformed, Match, NotNow, Occupant, Request, Setup, Stale
from tests.match.helpers import ANN, BOB, MACHINE, new_match, play

# The seki with eyes of docs/rules/go.md: A9 and E9 are its eyes, C9 the shared liberty.
SEKI = ("1X1O1OX2/XXXOOOX2/OOOXXXX2" + "/2OX5" * 6, 0)
A9, C9, E9, BLACK_STONE, WHITE_STONE, WHITE_GROUND = 0, 2, 4, 1, 3, 27
# Black's stone D3 lies dead in White's half; A is Black's, D and E White's.
DEAD_STONE = ("1XO2/1XO2/1XOX1/1XO2/1XO2", 0)
D3, E3 = 13, 14


def stopped(origin: tuple[str, int], **options: Any) -> Match:
    """Both have just passed."""
    match = new_match("go", origin=origin, size=origin[0].count("/") + 1, **options)
    play(match, "pass", "pass")
    return match


def mark(match: Match, what: str, cell: int, seat: int = 0, on: bool | None = None) -> bool:
    on_now = match.apply(Request.mark(seat, what, cell, 0, on)).data["on"]
    assert isinstance(on_now, bool)
    return on_now


def accept(match: Match, *seats: int) -> None:
    for seat in seats:
        match.apply(Request.accept(seat, 0, match.position))


def marks(match: Match) -> tuple[set[int], set[int]]:
    assert match.marking is not None
    return set(match.marking.dead), set(match.marking.neutral)


def test_go_16_two_passes_open_the_agreement() -> None:
    match = stopped(DEAD_STONE)
    assert (match.phase, match.outcome, match.running) == ("agreement", None, None)
    assert match.state.outcome is not None
    with pytest.raises(NotNow, match="resume play"):
        play(match, "A1")
    for what in ("draw", "takeback"):
        with pytest.raises(NotNow, match="resume play"):
            match.apply(Request.offer(0, what, 0))


@pytest.mark.parametrize(
    ("options", "seats", "agreement", "phase"),
    [
        ({}, (ANN, BOB), None, "agreement"),
        ({}, (ANN, MACHINE), None, "agreement"),
        ({}, (MACHINE, MACHINE), None, "over"),
        ({}, (MACHINE, MACHINE), True, "agreement"),
        ({}, (ANN, BOB), False, "over"),
        ({"scoring": "area"}, (ANN, BOB), None, "over"),
        ({"scoring": "area"}, (ANN, BOB), True, "over"),
        ({"rules": "chinese"}, (ANN, BOB), None, "agreement"),
        ({"scoring": "area", "dead": "agreed"}, (ANN, MACHINE), None, "agreement"),
        ({"rules": "aga"}, (ANN, BOB), False, "over"),
    ],
)
def test_go_16_when(
    options: dict[str, Any], seats: tuple[Occupant, Occupant], agreement: bool | None, phase: str
) -> None:
    game = new_match("go", size=5, **options).game
    match = Match(Setup(game, seats, agreement=agreement))
    play(match, "C3", "pass", "pass")
    assert match.phase == phase


def test_go_10_repetition_needs_no_agreement() -> None:
    match = new_match("go", size=2)
    while match.phase == "playing":  # placing the first legal stone goes round in captures
        match.apply(Request.move(match.state.to_move, match.state.legal_actions()[:1], 0))
    assert match.outcome == Outcome(None, "repetition")


def test_go_17_chains_are_marked_as_wholes() -> None:
    match = stopped(SEKI)
    assert mark(match, "dead", BLACK_STONE) is True
    assert marks(match)[0] == {1, 9, 10, 11}
    assert mark(match, "dead", 11, seat=1) is False
    assert marks(match)[0] == set()


def test_go_17_dead_stones_become_prisoners() -> None:
    match = stopped(DEAD_STONE)
    mark(match, "dead", D3)
    assert match.count is not None
    assert (match.count.dead, match.count.points) == ((1, 0), (4, 16.5))
    accept(match, 1, 0)
    assert match.outcome == Outcome(1, "score", (4, 16.5))


def test_go_18_the_suggestion() -> None:
    match = stopped(SEKI)
    event = match.suggest([], [A9, C9, E9], 5)
    assert (event.seat, event.data) == (None, {"dead": (), "neutral": (A9, C9, E9)})
    accept(match, 0, 1)
    assert match.outcome == Outcome(0, "score", (36, 18.5))


def test_go_18_names_chains_and_regions_by_any_point() -> None:
    match = stopped(DEAD_STONE)
    assert match.suggest([D3], [E3], 5).data == {
        "dead": (D3,),
        "neutral": (3, 4, 8, 9, 13, 14, 18, 19, 23, 24),
    }
    assert match.suggest([], [], 5).data == {"dead": (), "neutral": ()}


def test_go_18_comes_before_the_players_work() -> None:
    match = stopped(DEAD_STONE)
    marked, accepted = match.copy(), match.copy()
    mark(marked, "dead", D3)
    accept(accepted, 0)
    for late in (marked, accepted):
        with pytest.raises(NotNow, match="begun to mark"):
            late.suggest([], [], 5)
    for dead, neutral in (([E3], []), ([], [D3]), ([99], []), ([-1], []), ([], [True])):
        with pytest.raises(Malformed):
            match.suggest(dead, neutral, 5)


@pytest.mark.parametrize("change", ["dead", "neutral"])
@pytest.mark.parametrize("seat", [0, 1])
def test_go_19_a_change_undoes_acceptances(change: str, seat: int) -> None:
    match = stopped(SEKI)
    accept(match, 0)
    assert match.marking is not None and match.marking.accepted == (True, False)
    mark(match, change, BLACK_STONE if change == "dead" else A9, seat)
    assert match.marking.accepted == (False, False)
    accept(match, 1)
    assert match.phase == "agreement"


def test_go_19_two_who_mark_the_same_at_once_do_not_undo_each_other() -> None:
    match = stopped(DEAD_STONE)
    mark(match, "dead", D3, seat=0, on=True)
    accept(match, 0)
    with pytest.raises(NotNow, match="already"):
        mark(match, "dead", D3, seat=1, on=True)
    assert match.marking is not None and match.marking.accepted == (True, False)
    assert mark(match, "dead", D3, seat=1, on=False) is False


def test_go_20_an_acceptance_is_for_the_marks_it_was_given_for() -> None:
    match = stopped(DEAD_STONE)
    seen = match.position
    mark(match, "dead", D3)
    assert match.position != seen
    with pytest.raises(Stale):
        match.apply(Request.accept(1, 0, seen))
    mark(match, "dead", D3)
    match.apply(Request.accept(1, 0, seen))  # the same marks again
    with pytest.raises(NotNow, match="already accepted"):
        match.apply(Request.accept(1, 0, seen))


def test_go_20_equal_points_are_a_draw() -> None:
    match = stopped(("2/2", 0), komi=0)
    accept(match, 0, 1)
    assert match.outcome == Outcome(None, "score", (0, 0))


@pytest.mark.parametrize("rules", ["japanese", "chinese", "aga", "new_zealand"])
@pytest.mark.parametrize("seat", [0, 1])
def test_go_21_the_opponent_of_the_one_who_resumes_moves_first(seat: int, rules: str) -> None:
    match = stopped(DEAD_STONE, rules=rules)
    mark(match, "dead", D3)
    match.apply(Request.resume(seat, 0))
    assert (match.phase, match.marking, match.state.to_move) == ("playing", None, 1 - seat)
    play(match, "pass", "pass")
    assert match.phase == "agreement"
    assert marks(match) == (set(), set())


def test_go_21_a_takeback_may_go_back_behind_the_resumption() -> None:
    match = stopped(DEAD_STONE, seats=(ANN, MACHINE))
    match.apply(Request.resume(0, 0))
    play(match, "D4")
    match.apply(Request.offer(0, "takeback", 0))
    assert (len(match.line), match.state.to_move, match.phase) == (0, 0, "playing")
    play(match, "A1")


def test_go_22_a_region_is_marked_as_a_whole() -> None:
    match = stopped(SEKI)
    assert mark(match, "neutral", WHITE_GROUND) is True
    assert marks(match)[1] == {row * 9 + column for row in range(3, 9) for column in (0, 1)}
    assert mark(match, "neutral", WHITE_GROUND + 1) is False
    assert marks(match)[1] == set()


def test_go_22_dead_stones_belong_to_their_region() -> None:
    match = stopped(DEAD_STONE)
    with pytest.raises(Malformed, match="empty points and dead stones"):
        mark(match, "neutral", D3)
    mark(match, "dead", D3)
    mark(match, "neutral", D3)
    assert marks(match) == ({D3}, {3, 4, 8, 9, 13, 14, 18, 19, 23, 24})
    mark(match, "dead", D3)
    assert D3 not in marks(match)[1]
    assert match.count is not None and match.count.points == (5, 6.5)


def test_go_22_a_chain_turned_dead_and_alive_again_leaves_neutral_regions_as_they_were() -> None:
    match = stopped(SEKI)
    mark(match, "neutral", A9)
    before = match.position
    mark(match, "dead", BLACK_STONE)  # joins A9 to C9, which is not neutral
    assert marks(match)[1] == set()
    mark(match, "dead", BLACK_STONE)
    assert marks(match)[1] == {A9}
    assert match.position == before


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"what": "dead", "cell": E3}, "no stone"),
        ({"what": "neutral", "cell": D3}, "empty points"),
        ({"what": "dead", "cell": 25}, "no such point"),
        ({"what": "dead", "cell": -1}, "no such point"),
        ({"what": "dead", "cell": "D3"}, "which point"),
        ({"what": "dead", "cell": True}, "which point"),
        ({"what": "dead", "cell": D3, "on": 1}, "which point"),
        ({"what": "red", "cell": D3}, "dead, neutral"),
        ({}, "dead, neutral"),
    ],
)
def test_marks_that_make_no_sense(data: dict[str, Any], sentence: str) -> None:
    match = stopped(DEAD_STONE)
    before = match.copy()
    with pytest.raises(Malformed, match=sentence):
        match.apply(Request("mark", 0, 0, data))
    assert match == before


def test_resignation_in_the_agreement() -> None:
    match = stopped(DEAD_STONE)
    match.apply(Request.resign(0, 0))
    assert match.outcome == Outcome(1, "resign")


def test_a_whole_game_with_disagreement_resumption_and_agreement() -> None:
    match = new_match("go", size=5)
    play(match, *["B3", "C3", "B2", "C2", "B4", "C4", "B1", "C1", "B5", "C5", "D3", "pass", "pass"])
    assert match.game.diagram(match.state) == DEAD_STONE[0]
    match.suggest([D3], [], 1)
    accept(match, 1)
    mark(match, "dead", D3, seat=0)  # Black: it lives
    mark(match, "dead", D3, seat=1)  # White: it does not
    accept(match, 1)
    match.apply(Request.resume(0, 2))
    assert match.state.to_move == 1
    play(match, *["D4", "pass", "D2", "pass", "E3", "pass", "pass"])  # White takes it
    assert match.state.cells()[D3] == 0
    assert match.phase == "agreement"
    accept(match, 0)
    assert match.phase == "agreement"
    accept(match, 1)
    assert match.outcome == Outcome(1, "score", (5 - 1, 7 + 6.5))
    assert [event.kind for event in match.line].count("resume") == 1
    assert len(match.states) == len(match.line) + 1
    assert Match.replay(match.setup, match.events) == match
