"""Why a game was lost: the move that is found, and what is said of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import tengen
from tengen.analysis import Analysis, Candidate, analyse
from tengen.game import Game, Outcome, State
from tengen.turning import NEAR, moves_to, turning_point


def played(game: Game, moves: str) -> State:
    state = game.start()
    for move in moves.split():
        for action in game.parse(state, move):
            state = state.play(action)
    return state


def told(number: int, seat: int) -> tuple[Callable[[State], Analysis], list[int]]:
    """A search that gives the seat all chances unless that move was made, of games on every second cell; and
    the moves that it was asked about."""
    asked: list[int] = []

    def look(state: State) -> Analysis:
        asked.append(len(state.actions) + 1)
        fair = number > 0 and tuple(state.actions[number - 1 : number]) != (2 * (number - 1),)
        win = 1.0 if fair == (state.to_move == seat) else 0.0
        moves = tuple(
            Candidate(str(action), (action,), 1, win, None, None, (str(action),), ((action,),))
            for action in state.legal_actions()
        )
        return Analysis(state.to_move, 1, win, None, None, moves, None)

    return look, asked


@pytest.mark.parametrize("number", [0, 1, 3, 7, 21, 33, 39])
def test_the_last_chance_is_found_however_far_back(number: int) -> None:
    go = tengen.game("go", size=9)
    state = go.start()
    for cell in range(40):
        state = state.play(2 * cell)
    look, asked = told(number, seat=0)
    found = turning_point(state, 0, look)
    if not number:
        assert found.kind == "never"
    else:
        assert (found.kind, found.number, found.seat) == ("move", number, 0)
        assert found.move == go.format(moves_to(state)[number - 1].before, [2 * (number - 1)])
        assert found.better != found.move and found.chance == 1.0
    assert len(set(asked)) <= 2 * (NEAR + 10), "not every position is searched"


def test_a_castle_that_was_left_to_die() -> None:
    """The corner is lost when it has one liberty left: an edge gives no room to run."""
    game = tengen.game("great-kingdom")
    state = played(game, "E4 A9 A8 J1 B9")
    assert state.outcome == Outcome(0, "capture")
    found = turning_point(state, 1)
    assert (found.kind, found.number, found.move) == ("move", 2, "A9")
    said = game.table.turning_words(found, state.outcome)
    assert said.startswith("Until move 2 Orange's castles could be saved: ")
    assert " instead of A9 keeps a chance of " in said


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
    assert turning_point(state.play(25), 0, told(99, 0)[0]).kind == "open"
