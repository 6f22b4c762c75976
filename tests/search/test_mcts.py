"""The tree search itself, whatever the game: budgets, determinism, reuse, interruption, proofs."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

import tengen
from tengen.search import Search

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("great-kingdom", {}),
    ("great-kingdom", {"rules": "published", "size": 7}),
    ("great-kingdom", {"size": 11}),
    ("go", {"size": 9}),
    ("go", {"size": 13, "scoring": "area", "ko": "superko"}),
    ("kelasu", {}),
    ("dominion-duel", {}),
    ("dominion-duel", {"n": 70}),
]


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_same_seed_same_tree(name: str, options: dict[str, Any]) -> None:
    reports = []
    for seed in (7, 7, 8):
        search = Search(tengen.game(name, **options).start(), seed=seed)
        search.run(visits=200)
        reports.append(search.report())
    assert reports[0] == reports[1]
    if name == "go":  # other games may be searched without chance
        assert reports[0] != reports[2]


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_report_adds_up(name: str, options: dict[str, Any]) -> None:
    state = tengen.game(name, **options).start()
    search = Search(state)
    search.run(visits=300)
    report = search.report()
    assert sum(found.visits for found in report.actions) == report.visits <= 300
    assert {found.action for found in report.actions} <= set(state.legal_actions())
    assert all(0 <= found.win <= 1 for found in report.actions) and 0 <= report.win <= 1
    for found in report.actions:
        after = state
        for action in found.line:
            after = after.play(action)
    if report.ownership is not None:
        assert len(report.ownership) == state.game.width * state.game.height
        assert all(-1 <= value <= 1 for value in report.ownership)


def test_the_tree_follows_the_game() -> None:
    state = tengen.game("go", size=9).start()
    search = Search(state)
    search.run(visits=500)
    best = search.report().actions[0]
    search.play(best.action)
    assert search.state.actions == (best.action,)
    assert search.report().visits <= best.visits
    search.run(visits=100)
    assert search.report().visits >= 100
    with pytest.raises(tengen.IllegalAction):
        search.play(best.action)


def test_two_threads_share_the_tree() -> None:
    search = Search(tengen.game("go", size=9).start())
    search.run(visits=400, threads=2)
    assert 380 <= search.report().visits <= 400  # a counter may lose an update, never gain one


def test_stop_from_another_thread() -> None:
    search = Search(tengen.game("go", size=9).start())
    timer = threading.Timer(0.2, search.stop)
    timer.start()
    started = time.monotonic()
    search.run(seconds=60)
    timer.join()
    assert time.monotonic() - started < 30
    assert search.report().visits > 0


def test_a_run_ends_when_no_other_move_can_catch_up() -> None:
    game = tengen.game("great-kingdom")
    state = game.position("OB7/9/9/9/4N4/9/9/9/8O", 1)
    search = Search(state)
    search.run(visits=20_000, stop_when_clear=True)
    assert search.report().visits < 20_000


def test_bad_requests() -> None:
    state = tengen.game("dominion-duel", n=1).start()
    with pytest.raises(ValueError, match="budget"):
        Search(state).run()
    with pytest.raises(TypeError, match="setting"):
        Search(state, nonsense=1)
    with pytest.raises(ValueError, match="over"):
        Search(state.play(0))


@pytest.mark.parametrize("n", range(1, 9))
def test_proofs_agree_with_the_table(n: int) -> None:
    from tengen.games.dominion_duel import perfect as dominion

    state = tengen.game("dominion-duel", n=n).start()
    search = Search(state)
    search.run(visits=20_000)
    truth = dominion.outcomes(state)
    report = search.report()
    assert report.proven is not None
    for found in report.actions:
        if found.proven is not None:
            assert found.proven == ("win" if truth[found.action] == 0 else "draw")
