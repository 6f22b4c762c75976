"""Why a game was lost: the move that is found, what is said of it, and that a review says the same."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import tengen
from tengen.analysis import ReviewedMove, analyse, review
from tengen.game import Game, Outcome, State
from tengen.line import Step
from tengen.turning import NEAR, VISITS, Lost, TurningPoint, decided, moves_to, seeking, turning_point


def played(game: Game, moves: str) -> State:
    state = game.start()
    for move in moves.split():
        for action in game.parse(state, move):
            state = state.play(action)
    return state


def told(number: int, seat: int) -> tuple[Callable[[int, Step], ReviewedMove], list[int]]:
    """A review of games that one move of the seat loses, and the moves that it was asked about."""
    asked: list[int] = []

    def look(at: int, step: Step) -> ReviewedMove:
        assert step.seat == seat
        asked.append(at)
        before, after = float(at <= number), float(at < number)
        mistake = "blunder" if at == number else None
        return ReviewedMove(at, seat, step.text, before, after, None, "pass", ("pass",), mistake)

    return look, asked


@pytest.mark.parametrize("number", [0, 1, 3, 7, 21, 33, 39])
def test_the_last_blunder_is_found_however_far_back(number: int) -> None:
    go = tengen.game("go", size=9)
    state = go.start()
    for cell in range(40):
        state = state.play(2 * cell)
    state = state.play(81).play(81)
    look, asked = told(number, seat=0)
    found = turning_point(state, 0, look)
    if not number:
        assert found.kind == "never"
    else:
        assert (found.kind, found.number, found.seat) == ("move", number, 0)
        assert found.move == go.format(moves_to(state)[number - 1].before, [2 * (number - 1)])
        assert (found.better, found.chance) == ("pass", 1.0)
    assert len(asked) == len(set(asked)) <= NEAR + 10, "not every move is judged, and none twice"


CASES = json.loads((Path(__file__).parents[1] / "web/src/review/decided.cases.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=[case["what"] for case in CASES])
def test_which_move_decided(case: dict[str, Any]) -> None:
    """The page's rule reads the same cases. Asking for a few moves only must find the same."""
    moves = [
        SimpleNamespace(win_before=before, win_after=after, mistake=next(iter(mistake), None))
        for before, after, *mistake in case["moves"]
    ]
    wanted = case["decided"] and Lost(**case["decided"])
    assert decided(moves) == wanted
    seek = seeking(range(len(moves)))
    with pytest.raises(StopIteration) as end:
        asked = next(seek)
        while True:
            asked = seek.send(moves[asked])
    assert end.value.value == wanted


def slipping(best: str, steps: dict[int, tuple[float, float]]) -> Callable[[int, Step], ReviewedMove]:
    """A review that knows these chances before and after moves, and always the same better move."""

    def look(number: int, step: Step) -> ReviewedMove:
        before, after = steps[number]
        return ReviewedMove(number, step.seat, step.text, before, after, None, best, (best,), None)

    return look


def test_a_game_that_slips_away_has_an_answer_too() -> None:
    """The stretch, its largest step and what was better there; without that, where the stretch begins."""
    go = tengen.game("go", size=5)
    state = played(go, "A1 A2 B1 B2 C1 C2 D1 D2 pass pass")
    steps = {1: (0.6, 0.55), 3: (0.52, 0.51), 5: (0.46, 0.40), 7: (0.33, 0.30), 9: (0.12, 0.12)}
    found = turning_point(state, 0, slipping("E5", steps))
    assert (found.kind, found.since, found.number, found.until) == ("slowly", 3, 5, 9)
    assert (found.move, found.better, found.line) == ("C1", "E5", ("E5",))
    assert go.table.turning_words(found, Outcome(1, "score")) == (
        "No single move lost it: Black's chance fell from 52% at move 3 to 12% at move 9. "
        "The largest step was move 5: E5 instead of C1 keeps a chance of 46%."
    )
    steps = {number: (before, before) for number, (before, _) in steps.items()}
    found = turning_point(state, 0, slipping("E5", steps))
    assert (found.kind, found.number, found.better) == ("slowly", 3, "")
    assert go.table.turning_words(found, Outcome(1, "score")).endswith(
        "at move 9, and the search knows no better move in between."
    )
    never = TurningPoint("never", 1)
    assert go.table.turning_words(never, Outcome(0, "score")).startswith(
        "White had little chance from the first"
    )


@pytest.mark.parametrize(("moves", "loser"), [("E4 A9 A8 J1 B9", 1), ("F3 B9 G5 F4 B7 C8 D2 C6 A9 A8", 0)])
def test_a_castle_that_was_left_to_die(moves: str, loser: int) -> None:
    """What is said of it is what a review of the game says, and no later move is called a blunder there."""
    game = tengen.game("great-kingdom")
    state = played(game, moves)
    assert state.outcome == Outcome(1 - loser, "capture")
    found = turning_point(state, loser)
    assert (found.kind, found.move) == ("move", "A9")
    reviewed = review([(step.before, step.actions) for step in moves_to(state)], visits=VISITS)
    own = [move for move in reviewed if move.seat == loser]
    last = [move for move in own if move.mistake == "blunder"][-1]
    assert (last.number, last.best, last.win_before) == (found.number, found.better, found.chance)
    said = game.table.turning_words(found, state.outcome)
    assert said.startswith(f"Until move {found.number} {game.seats[loser]}'s castles could be saved: ")
    assert f"{found.better} instead of A9 keeps a chance of " in said


def test_a_move_that_loses_at_once() -> None:
    game = tengen.game("great-kingdom", size=5, neutral=False)
    state = played(game, "A4 C3 B5 A5")
    assert state.outcome is not None and state.outcome.reason == "suicide"
    assert turning_point(state, 1).number == 4


def test_who_gives_up_too_early_hears_of_it() -> None:
    game = tengen.game("great-kingdom")
    state = played(game, "E4 C3 D6")
    found = turning_point(state, 1)
    assert found.kind == "open" and found.chance > 0.25
    said = game.table.turning_words(found, Outcome(0, "resign"))
    assert said.startswith("Nothing was lost on the board yet: Orange still had ")


def test_a_game_that_is_solved_is_told_for_certain() -> None:
    game = tengen.game("dominion-duel", n=9)
    state = game.start()
    for action in (0, 2, 4, 6, 8):
        state = state.play(action)
    assert state.outcome == Outcome(0, "claims", (3.0, 2.0))
    held = [
        number
        for number, step in enumerate(moves_to(state), start=1)
        if step.seat == 1 and any(w != 0 for w in (game.opponents.outcomes(step.before) or {}).values())
    ]
    assert held and turning_point(state, 1).number == held[-1]


def test_a_turn_of_several_moves_counts_each() -> None:
    game = tengen.game("kelasu")
    state = game.start()
    for _ in range(6):
        best = analyse(state, visits=20).moves[0]
        for action in best.actions:
            state = state.play(action)
    assert [step.after for step in moves_to(state)][-1] == state
    assert len(moves_to(state)) == 6


def test_nothing_is_asked_where_the_loser_never_moved() -> None:
    game = tengen.game("go", size=5)
    state = game.position("X4/5/5/5/5", to_move=1)
    look, asked = told(99, 0)
    assert turning_point(state.play(25), 0, look).kind != "move" and not asked
