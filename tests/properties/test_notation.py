"""What is written can be read, and what cannot be read is refused by name and harms nothing."""

from __future__ import annotations

import pickle
import random
from itertools import islice, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import IllegalAction, InvalidPosition, NotationError, State
from tengen.game import cells_to_text
from tengen.search import playouts
from tests.contract.cases import CASES, Case, case, each_case, played, random_play, replayed
from tests.properties.strategies import a_turn, any_text, boards, damaged, states

# Boards of random pieces: sizes at which a good part of them is a position.
POSITION_CASES = (
    case("great-kingdom", size=3),
    case("great-kingdom", size=5, suicide="illegal", castles=6),
    case("great-kingdom", rules="published"),
    case("go", size=2, ko="superko"),
    case("go", size=5),
    case("go", size=9, handicap=2, scoring="area"),
    case("kelasu"),
    case("kelasu", may_end_turn_early=True),
    case("dominion-duel", n=1),
    case("dominion-duel", n=4),
    case("dominion-duel", n=70),
    case("tic-tac-toe"),
)


def after(state: State, actions: list[int]) -> State:
    for action in actions:
        state = state.play(action)
    return state


def check_state(state: State) -> None:
    """What holds in any state, wherever it comes from."""
    game, legal = state.game, state.legal_actions()
    assert all(a < b for a, b in pairwise(legal))
    assert bool(legal) == (state.outcome is None)
    assert not legal or (legal[0] >= 0 and legal[-1] < game.action_count)
    assert state.outcome is None or state.outcome.reason in game.reasons
    assert np.isfinite(state.encode()).all()
    assert game.text(state) and len(game.view(state).cells) == len(state.cells()) == game.width * game.height
    again = pickle.loads(pickle.dumps(state))
    assert again == state and hash(again) == hash(state) and again.cells() == state.cells()


def check_position(state: State) -> None:
    game = state.game
    check_state(state)
    assert game.position(game.diagram(state), state.to_move) == state
    if state.outcome is None:
        for later in islice(random_play(state, random.Random(0)), 30):
            check_state(later)
        assert sum(playouts(state, 1).wins) + playouts(state, 1).draws == 1


@given(states(over=False), st.integers(0, 2**32), st.integers(1, 60))
def test_a_turn_is_written_and_read_back(state: State, seed: int, most: int) -> None:
    """Reading may order the cells of a merge differently; it comes to the same position and the same text."""
    actions = a_turn(state, seed, most)
    text = state.game.format(state, actions)
    read = state.game.parse(state, text)
    assert after(state, read) == after(state, actions)
    assert state.game.format(state, read) == text


@each_case
def test_a_whole_game_is_written_and_read_back(case: Case) -> None:
    *_, last = played(case, 3)
    state, rest, texts = last.game.start(), list(last.actions), []
    while rest:
        mover, turn = state.to_move, list[int]()
        before = state
        while rest and state.to_move == mover:
            turn.append(rest.pop(0))
            state = state.play(turn[-1])
        texts.append(last.game.format(before, turn))
    state = last.game.start()
    for text in texts:
        state = after(state, state.game.parse(state, text))
    assert state == last and state.outcome == last.outcome


def read_or_refuse(state: State, text: str) -> None:
    before = hash(state), state.cells(), state.legal_actions()
    try:
        actions = state.game.parse(state, text)
    except (NotationError, IllegalAction) as refusal:
        assert str(refusal).endswith(".")
    else:
        assert actions
        after(state, actions)
    assert (hash(state), state.cells(), state.legal_actions()) == before


@given(states(), any_text)
def test_any_text_is_read_as_a_move_or_refused(state: State, text: str) -> None:
    read_or_refuse(state, text)


@given(states(over=False), st.integers(0, 2**32), st.data())
def test_damaged_moves_are_read_or_refused(state: State, seed: int, data: st.DataObject) -> None:
    text = state.game.format(state, a_turn(state, seed, 40))
    read_or_refuse(state, data.draw(damaged(text)))


@given(st.sampled_from(CASES), any_text, st.integers(0, 1))
def test_any_text_is_a_position_or_refused(case: Case, text: str, to_move: int) -> None:
    try:
        state = case.make().position(text, to_move)
    except (NotationError, InvalidPosition) as refusal:
        assert str(refusal).endswith(".")
    else:
        check_position(state)


@given(states(), st.integers(0, 1), st.data())
def test_damaged_diagrams_are_positions_or_refused(state: State, to_move: int, data: st.DataObject) -> None:
    text = data.draw(damaged(state.game.diagram(state)))
    try:
        position = state.game.position(text, to_move)
    except (NotationError, InvalidPosition) as refusal:
        assert str(refusal).endswith(".")
    else:
        check_position(position)


@pytest.mark.parametrize("case", POSITION_CASES, ids=str)
def test_random_boards_are_positions_or_refused(case: Case) -> None:
    game = case.make()

    @given(boards(game), st.integers(0, 1))
    def try_one(cells: bytes, to_move: int) -> None:
        try:
            state = game.position(cells_to_text(cells, game.letters, game.width), to_move)
        except InvalidPosition as refusal:
            assert str(refusal).endswith(".")
        else:
            assert state.cells() == cells and state.to_move == to_move
            check_position(state)

    try_one()


@given(states(), st.integers())
def test_any_int_is_played_or_refused(state: State, action: int) -> None:
    if action in state.legal_actions():
        assert state.play(action).actions[-1] == action
    else:
        with pytest.raises(IllegalAction):
            state.play(action)


@given(states())
def test_states_are_the_same_when_played_again(state: State) -> None:
    check_state(state)
    again = replayed(state)
    assert again == state and hash(again) == hash(state)
