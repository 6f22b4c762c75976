"""Playouts add up, obey their seed, and run beside each other and beside play from many threads."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from tengen import State
from tengen.search import Tally, playouts
from tests.contract.cases import CASES, Case, each_case, played, random_play, samples

THREADS = 8


@each_case
def test_tallies_add_up(case: Case) -> None:
    for state in samples(case, 3):
        for count in (0, 1, 7):
            tally = playouts(state, count)
            assert sum(tally.wins) + tally.draws == count
            assert min(*tally.wins, tally.draws) >= 0
            # A finished game is played out at once; any other takes at least an action.
            assert tally.actions == 0 if state.outcome or not count else tally.actions >= count


@each_case
def test_playouts_of_a_finished_game_are_its_outcome(case: Case) -> None:
    last = played(case)[-1]
    assert last.outcome is not None
    winner = last.outcome.winner
    wins = (5 if winner == 0 else 0, 5 if winner == 1 else 0)
    assert playouts(last, 5) == Tally(wins, 0 if winner in (0, 1) else 5, 0)


@each_case
def test_the_seed_decides(case: Case) -> None:
    start = case.make().start()
    before = hash(start), start.cells()
    tallies = [playouts(start, 100, seed) for seed in range(6)]
    assert tallies == [playouts(start, 100, seed) for seed in range(6)]
    assert playouts(start, 100) == tallies[0]
    assert (hash(start), start.cells()) == before
    games_differ = len({len(played(case, seed)) for seed in range(6)}) > 1
    assert len(set(tallies)) > 1 or not games_differ


@each_case
def test_a_negative_count_is_refused(case: Case) -> None:
    with pytest.raises(ValueError, match="negative"):
        playouts(case.make().start(), -1)


def one_job(case: Case, seed: int) -> tuple[list[int], Tally, Tally]:
    states = list(random_play(case.make().start(), random.Random(seed)))
    middle = states[len(states) // 2]
    return [hash(state) for state in states], playouts(states[0], 5, seed), playouts(middle, 5, seed)


def test_many_threads_at_once_give_what_one_gives() -> None:
    jobs = [(case, seed) for seed in range(2) for case in CASES]
    expected = [one_job(*job) for job in jobs]
    shuffled = list(range(len(jobs)))
    random.Random(7).shuffle(shuffled)
    with ThreadPoolExecutor(THREADS) as pool:
        results = dict(zip(shuffled, pool.map(lambda i: one_job(*jobs[i]), shuffled), strict=True))
    assert [results[i] for i in range(len(jobs))] == expected


@each_case
def test_many_threads_share_one_state(case: Case) -> None:
    states = played(case)
    state = states[len(states) // 2]

    def look(at: State) -> object:
        return at.legal_actions(), hash(at), at.cells(), at.encode().tobytes(), playouts(at, 3, 9)

    expected = look(state)
    with ThreadPoolExecutor(THREADS) as pool:
        assert all(result == expected for result in pool.map(look, [state] * 4 * THREADS))
