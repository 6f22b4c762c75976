"""Random play: what holds in every state of every game, and that states are values."""

from __future__ import annotations

import pickle
import random
from itertools import pairwise

import numpy as np
import pytest

from tengen import IllegalAction, InvalidPosition, NotationError, Outcome, State
from tengen.game import InvalidOption
from tests.contract.cases import (
    CASES,
    Case,
    each_case,
    played,
    random_play,
    replayed,
    samples,
    spread,
    unfinished,
)

FAR_AWAY = (-(2**80), -(2**31) - 1, -(2**31), -1, 2**31 - 1, 2**31, 2**63, 2**80)


def snapshot(state: State) -> object:
    return (
        state.cells(),
        hash(state),
        state.to_move,
        state.legal_actions(),
        state.outcome,
        state.actions,
        state.origin,
    )


@each_case
def test_legal_actions_are_ascending_unique_and_there_until_the_end(case: Case) -> None:
    actions = range(case.make().action_count)
    for state in (*played(case, 0), *played(case, 1)):
        legal = state.legal_actions()
        assert all(a < b for a, b in pairwise(legal))
        assert not legal or (legal[0] in actions and legal[-1] in actions)
        assert bool(legal) == (state.outcome is None)
        assert state.to_move in (0, 1)


@each_case
def test_outcome_comes_at_the_end_with_a_known_reason(case: Case) -> None:
    reasons = case.make().reasons
    for seed in range(6):
        *before, last = played(case, seed)
        assert all(state.outcome is None for state in before)
        outcome = last.outcome
        assert isinstance(outcome, Outcome)
        assert outcome.reason in reasons
        assert outcome.winner in (0, 1, None)
        if outcome.score is not None:
            assert len(outcome.score) == 2 and np.isfinite(outcome.score).all()


@each_case
def test_other_actions_are_refused_with_a_sentence_and_change_nothing(case: Case) -> None:
    rng = random.Random(2)
    for state in samples(case):
        before = snapshot(state)
        legal = set(state.legal_actions())
        others = [action for action in range(state.game.action_count) if action not in legal]
        beyond = (state.game.action_count, state.game.action_count + 1, *FAR_AWAY)
        for action in (*rng.sample(others, min(len(others), 400)), *beyond):
            with pytest.raises(IllegalAction) as refusal:
                state.play(action)
            sentence = str(refusal.value)
            assert sentence.endswith(".") and len(sentence) > 10 and sentence[0].isupper(), sentence
            assert "\n" not in sentence
        assert snapshot(state) == before


@each_case
def test_nothing_can_be_played_after_the_end(case: Case) -> None:
    last = played(case)[-1]
    for action in range(last.game.action_count):
        with pytest.raises(IllegalAction, match="over"):
            last.play(action)


@each_case
def test_what_is_no_int_is_no_action(case: Case) -> None:
    state = case.make().start()
    for wrong in (None, "0", 0.0, [0]):
        with pytest.raises(TypeError):
            state.play(wrong)  # type: ignore[arg-type]
    action = state.legal_actions()[0]
    assert state.play(np.int64(action)) == state.play(action)


@each_case
def test_play_leaves_the_old_state_alone(case: Case) -> None:
    for state in unfinished(case):
        before = snapshot(state)
        for action in spread(state.legal_actions(), 8):
            after = state.play(action)
            assert after is not state
            assert after.actions == (*state.actions, action)
            assert after.origin == state.origin
            assert after.game is state.game
            state.legal_actions().clear()
            assert snapshot(state) == before
            # One action never comes back to the same position: a board, a mover or a phase has changed.
            assert after != state and hash(after) != hash(state)


@each_case
def test_equal_histories_give_equal_states_and_hashes(case: Case) -> None:
    for state in samples(case):
        again = replayed(state)
        assert again == state
        assert snapshot(again) == snapshot(state)
        assert len({state, again}) == 1


@each_case
def test_different_positions_have_different_hashes(case: Case) -> None:
    hashes: dict[tuple[bytes, int], set[int]] = {}
    for seed in range(4):
        for state in played(case, seed):
            hashes.setdefault((state.cells(), state.to_move), set()).add(hash(state))
    distinct = set().union(*hashes.values())
    assert len(distinct) >= 0.999 * len(hashes)


@each_case
def test_states_survive_pickling(case: Case) -> None:
    for state in samples(case, 6):
        for protocol in (2, pickle.HIGHEST_PROTOCOL):
            copy = pickle.loads(pickle.dumps(state, protocol))
            assert type(copy) is type(state)
            assert copy == state and copy.game == state.game
            assert snapshot(copy) == snapshot(state)


@each_case
def test_positions_survive_pickling_and_play_on(case: Case) -> None:
    for state in unfinished(case, 6):
        position = state.game.position(state.game.diagram(state), state.to_move)
        for here in spread(list(random_play(position, random.Random(3))), 5):
            copy = pickle.loads(pickle.dumps(here))
            assert copy == here and snapshot(copy) == snapshot(here)
            assert copy.origin == (state.game.diagram(state), state.to_move)


@each_case
def test_encode_is_the_same_shape_everywhere(case: Case) -> None:
    shape = case.make().start().encode().shape
    assert len(shape) == 3 and shape[1:] == (case.make().height, case.make().width)
    for state in samples(case):
        planes = state.encode()
        assert planes.shape == shape and planes.dtype == np.float32
        assert np.isfinite(planes).all()
        assert (planes == state.encode()).all() and (planes == replayed(state).encode()).all()
        planes.fill(7)  # a copy: nobody else sees it
        assert not (state.encode() == planes).all()


@each_case
def test_cells_are_codes_of_letters(case: Case) -> None:
    for state in samples(case):
        game = state.game
        cells = state.cells()
        assert isinstance(cells, bytes) and len(cells) == game.width * game.height
        assert max(cells) < len(game.letters)


@each_case
def test_play_that_has_not_stopped_cannot_be_resumed(case: Case) -> None:
    for state in samples(case):
        if state.outcome is None:
            assert state.resumptions == ()
            with pytest.raises(IllegalAction, match=r"^[A-Z].*\.$"):
                state.resume(0)


@each_case
def test_states_and_games_are_those_of_the_contract(case: Case) -> None:
    game = case.make()
    assert isinstance(game.start(), State)
    assert game.start() == game.start() and game.start().actions == () and game.start().origin is None
    assert len(game.seats) == 2 and all(game.seats) and game.title
    assert game.letters[0] == "." and len(set(game.letters)) == len(game.letters)


def test_two_games_of_any_kind_interleave_in_one_process() -> None:
    """Each state knows its own board: nothing is shared between games of different sizes and options."""
    rng = random.Random(4)
    games = {case: random_play(case.make().start(), random.Random(0)) for case in CASES}
    states: dict[Case, list[State]] = {case: [] for case in CASES}
    while games:
        case = rng.choice(list(games))
        state = next(games[case], None)
        if state is None:
            del games[case]
        else:
            states[case].append(state)
    for case in CASES:
        assert tuple(states[case]) == played(case)


def test_states_of_different_games_are_never_equal() -> None:
    something: object = "a state"
    starts = [case.make().start() for case in CASES]
    for i, one in enumerate(starts):
        assert one != something
        for other in starts[i + 1 :]:
            assert one != other


@pytest.mark.parametrize("error", [NotationError, IllegalAction, InvalidPosition, InvalidOption])
def test_errors_are_value_errors_and_survive_pickling(error: type[ValueError]) -> None:
    assert issubclass(error, ValueError)
    copy = pickle.loads(pickle.dumps(error("No.")))
    assert type(copy) is error and str(copy) == "No."
