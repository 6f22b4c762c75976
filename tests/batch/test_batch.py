"""tengen.batch from Python: against states played one by one, what it refuses, threads, resets."""

from __future__ import annotations

import pickle
import sys
import threading
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray

import tengen
from tengen import Game, IllegalAction, State
from tengen.batch import DRAW, NO_ACTION, RUNNING, Batch, Step
from tests.contract.cases import CASES, Case
from tests.contract.tic_tac_toe import TicTacToe

COMPILED = [case for case in CASES if case.name != TicTacToe.name]
each_compiled = pytest.mark.parametrize("case", COMPILED, ids=str)
COUNT = 6


def expected(states: list[State]) -> tuple[NDArray[Any], ...]:
    legal = np.zeros((len(states), states[0].game.action_count), np.bool_)
    for row, state in zip(legal, states, strict=True):
        row[state.legal_actions()] = True
    winners = [
        RUNNING if s.outcome is None else DRAW if s.outcome.winner is None else s.outcome.winner
        for s in states
    ]
    return (
        legal,
        np.stack([s.encode() for s in states]),
        np.array([s.to_move for s in states]),
        np.array(winners),
    )


def check(batch: Batch, states: list[State]) -> None:
    legal, planes, to_move, winner = expected(states)
    assert batch.legal().dtype == np.bool_ and (batch.legal() == legal).all()
    assert batch.encode().dtype == np.float32 and (batch.encode() == planes).all()
    assert (batch.to_move == to_move).all() and (batch.winner == winner).all()
    assert (batch.lengths == [len(state.actions) for state in states]).all()
    for index, state in enumerate(states):
        assert batch.state(index) == state and batch.state(index).actions == state.actions


@each_compiled
def test_a_batch_is_what_its_games_are_one_by_one(case: Case) -> None:
    game = case.make()
    batch, states = Batch(game, COUNT, seed=4), [game.start()] * COUNT
    for number in range(120):
        actions = batch.sample()
        if number % 7 == 3:
            actions[::2] = NO_ACTION
        step = batch.step(actions)
        rewards, ended = np.zeros((COUNT, 2)), np.zeros(COUNT, np.bool_)
        for index, action in enumerate(actions.tolist()):
            if action == NO_ACTION:
                continue
            states[index] = states[index].play(action)
            if (outcome := states[index].outcome) is not None:
                ended[index] = True
                if outcome.winner is not None:
                    rewards[index, outcome.winner], rewards[index, 1 - outcome.winner] = 1, -1
        assert (step.rewards == rewards).all() and (step.terminated == ended).all()
        if number % 20 == 0:
            check(batch, states)
    check(batch, states)
    game.text(batch.state(0))
    game.view(batch.state(0))


def test_a_finished_game_stays_as_it_ended_until_it_is_reset() -> None:
    game = tengen.game("dominion-duel", n=3)
    batch = Batch(game, 2)
    step = batch.step([1, 0])
    assert step.terminated.tolist() == [True, False] and step.rewards.tolist() == [[1, -1], [0, 0]]
    assert batch.winner.tolist() == [0, RUNNING] and batch.legal()[0].sum() == 0
    assert batch.sample().tolist() == [NO_ACTION, 2]
    step = batch.step([NO_ACTION, 2])
    assert step.terminated.tolist() == [False, True] and step.rewards.tolist() == [[0, 0], [0, 0]]
    assert batch.winner.tolist() == [0, DRAW]
    with pytest.raises(IllegalAction, match=r"^Game 0 of the batch: The game is over\.$"):
        batch.step([0, NO_ACTION])
    batch.reset([False, True])
    assert batch.winner.tolist() == [0, RUNNING] and batch.state(1) == game.start()
    batch.reset()
    assert batch.lengths.tolist() == [0, 0]


def test_with_auto_reset_a_game_that_ends_begins_again() -> None:
    batch = Batch(tengen.game("dominion-duel", n=3), 2, auto_reset=True)
    assert batch.step([1, 0]).rewards.tolist() == [[1, -1], [0, 0]]
    assert batch.lengths.tolist() == [0, 1] and batch.to_move.tolist() == [0, 1]
    assert (batch.winner == RUNNING).all() and batch.legal()[0].all()


def test_rewards_add_up_to_the_wins_of_many_games() -> None:
    batch = Batch(tengen.game("go", size=5), 300, seed=2)
    total = np.zeros((300, 2))
    while (batch.winner == RUNNING).any():
        total += batch.step(batch.sample()).rewards
    winner = batch.winner
    assert ((total[:, 0] == 1) == (winner == 0)).all() and ((total[:, 1] == 1) == (winner == 1)).all()
    assert (total.sum(axis=1) == 0).all() and len(set(winner.tolist())) > 1


def test_an_illegal_action_names_its_game_and_changes_nothing() -> None:
    game = tengen.game("go", size=5)
    batch = Batch(game, 100, seed=1, threads=2)
    batch.step(np.full(100, 12))
    before = [batch.state(index) for index in range(100)]
    actions = batch.sample()
    actions[[31, 60]] = 12
    with pytest.raises(
        IllegalAction, match=r"^Game 31 of the batch: There is already a stone on that point\.$"
    ):
        batch.step(actions)
    assert [batch.state(index) for index in range(100)] == before
    assert all(batch.state(index).actions == (12,) for index in range(100))
    for nonsense in (26, -2, 2**40, -(2**63)):
        with pytest.raises(IllegalAction, match="There is no such point"):
            batch.step(np.where(np.arange(100) == 5, nonsense, NO_ACTION))
    actions[[31, 60]] = 25
    batch.step(actions)
    assert (batch.lengths == 2).all()


def test_sampling_follows_the_logits_and_the_rules() -> None:
    game = tengen.game("dominion-duel", n=4)
    batch = Batch(game, 4000, seed=9)
    logits = np.log(np.tile([1.0, 3.0, 0.5, 0.5], (4000, 1)))
    shares = np.bincount(batch.sample(logits), minlength=4) / 4000
    assert np.abs(shares - [0.2, 0.6, 0.1, 0.1]).max() < 0.04
    batch.step(np.zeros(4000, np.int64))  # locks the second
    logits[:, :2] = 50
    drawn = batch.sample(logits)
    assert set(drawn.tolist()) == {2, 3}
    logits[17, 2:] = -np.inf
    with pytest.raises(ValueError, match="Game 17 of the batch: The logits"):
        batch.sample(logits)
    logits[17, 3] = 0
    assert batch.sample(logits)[17] == 3


def test_the_seed_and_not_the_threads_decides_what_is_drawn() -> None:
    def drawn(seed: int, threads: int) -> list[int]:
        batch = Batch(tengen.game("great-kingdom"), 300, seed, auto_reset=True, threads=threads)
        every: list[int] = []
        for _ in range(30):
            actions = batch.sample()
            batch.step(actions)
            every += actions.tolist()
        return every

    assert drawn(5, 1) == drawn(5, 3) != drawn(6, 1)
    assert drawn(-1, 1) == drawn(2**64 - 1, 1)


def test_arrays_that_are_given_are_filled() -> None:
    batch = Batch(tengen.game("kelasu"), 3, seed=1)
    planes, legal = batch.encode(), batch.legal()
    planes[:], legal[:] = 9, True
    assert batch.encode(out=planes) is planes and (planes == batch.encode()).all()
    assert batch.legal(out=legal) is legal and (legal == batch.legal()).all()
    wrongs: list[Any] = [planes[:2], planes.astype(np.float64), np.asfortranarray(planes)]
    for wrong in wrongs:
        with pytest.raises(ValueError, match="C-contiguous float32"):
            batch.encode(out=wrong)
    planes.flags.writeable = False
    with pytest.raises(ValueError, match="writeable"):
        batch.encode(out=planes)


def test_actions_may_be_any_whole_numbers_and_nothing_else() -> None:
    batch = Batch(tengen.game("go", size=9), 2)
    for kind in (np.int8, np.int32, np.uint16):
        batch.step(np.array([batch.lengths[0], 80 - batch.lengths[0]], kind))
    batch.step(np.array([40, 0, 41, 0])[::2])  # not contiguous
    assert batch.state(0).actions == (0, 1, 2, 40)
    for wrong in ([1.0, 2.0], [True, False], np.array([5, 6], np.uint64)):
        with pytest.raises(TypeError, match="actions of a batch must be int64"):
            batch.step(wrong)
    for shape in ([5], [5, 6, 7], [[5, 6]], 5):
        with pytest.raises(ValueError, match=r"must have the shape \(2,\)"):
            batch.step(shape)
    with pytest.raises(TypeError, match="mask of a batch must be bool"):
        batch.reset([0, 1])
    with pytest.raises(TypeError, match="logits of a batch must be float32"):
        batch.sample(np.zeros((2, 82), np.int64))
    assert batch.lengths.tolist() == [4, 4]


def test_a_batch_can_begin_anywhere() -> None:
    game = tengen.game("kelasu")
    state = game.start().play(game.start().legal_actions()[0])
    batch = Batch(game, 4, start=state, auto_reset=True)
    batch.step(batch.sample())
    after = batch.state(3)
    assert after.actions[:-1] == state.actions and pickle.loads(pickle.dumps(after)) == after
    batch.reset()
    assert batch.state(-1) == state and batch.state(0).actions == state.actions
    placed = tengen.game("go", size=3).position("XO1/3/3", to_move=1)
    batch = Batch(placed.game, 1, start=placed)
    assert batch.to_move.tolist() == [1] and batch.state(0).origin == ("XO1/3/3", 1)


@pytest.mark.parametrize(
    ("make", "error", "says"),
    [
        (lambda game: Batch(game, 0), ValueError, "at least one game"),
        (lambda game: Batch(game, 2, threads=0), ValueError, "at least one thread"),
        (lambda game: Batch(game, cast(int, 2.5)), TypeError, "integer"),
        (lambda game: Batch(game, 2, start=tengen.game("go", size=5).start()), ValueError, "belongs to"),
        (lambda game: Batch(game, 2, start=game.start().play(25).play(25)), ValueError, "over"),
        (lambda game: Batch(game, 2).state(2), IndexError, "games 0 to 1, not 2"),
        (lambda game: Batch(game, 2).state(-3), IndexError, "not -3"),
    ],
)
def test_what_a_batch_refuses(make: Any, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        make(tengen.game("great-kingdom", size=5))


def test_threads_of_python_may_share_a_batch() -> None:
    """Each step is whole: games never miss an action or get one twice."""
    game: Game = tengen.game("great-kingdom", size=7, castles=1)
    batch = Batch(game, 2000, seed=1, auto_reset=True)
    made: list[int] = []

    def work() -> None:
        for _ in range(50):
            batch.encode()
            batch.state(7)
            batch.legal()
            made.append(int(batch.sample().size))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(50):
        step: Step = batch.step(np.full(2000, 49))  # a pass is always legal
        assert step.terminated.all() == (batch.lengths[0] == 0)
    for thread in threads:
        thread.join()
    assert len(made) == 200 and (batch.lengths == batch.lengths[0]).all()


def test_other_threads_run_while_a_batch_works() -> None:
    """With the GIL held, the loop below would go to its end before this thread came to stop it."""
    batch = Batch(tengen.game("go", size=19), 1000, seed=1)
    planes, most = batch.encode(), 300
    calls, stop = 0, False

    def work() -> None:
        nonlocal calls
        while calls < most and not stop:
            batch.encode(out=planes)
            calls += 1

    interval = sys.getswitchinterval()
    sys.setswitchinterval(100)  # seconds: nobody is asked to let go of the GIL
    try:
        worker = threading.Thread(target=work)
        worker.start()
        stop = True
        worker.join()
    finally:
        sys.setswitchinterval(interval)
    assert calls < most
