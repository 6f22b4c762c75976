"""The search with a brain, and the players made of one. The brains are tiny and untrained."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import tengen
from tengen import _core
from tengen.arena import Arena
from tengen.brains.file import BrainError, read_brain
from tengen.brains.search import BrainSearch
from tengen.game import Game, InvalidOption
from tengen.players import Player, make_player
from tests.brains.make import tiny_brain, tiny_q_brain

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tengen.brains.net import Evaluation

GAMES = [
    tengen.game("great-kingdom"),
    tengen.game("go", size=9),
    tengen.game("kelasu"),
    tengen.game("dominion-duel"),
]


@pytest.fixture(params=GAMES, ids=lambda game: game.name)
def game(request: pytest.FixtureRequest) -> Game:
    assert isinstance(request.param, Game)
    return request.param


@pytest.mark.parametrize("planned", [True, False])
def test_a_budget_of_visits_is_kept_and_repeats_for_a_seed(game: Game, planned: bool) -> None:
    brain = read_brain(tiny_brain(game, 1))
    start = game.start()
    reports = []
    for _ in range(2):
        search = BrainSearch(start, brain, seed=3, planned=planned, noise=1.0)
        search.run(visits=50)
        reports.append(search.report())
    first, again = reports
    assert first == again
    assert first.visits == 50 or first.proven is not None
    assert first.actions[0].action in start.legal_actions()
    assert all(0 <= found.win <= 1 for found in first.actions)
    assert search.improved_policy().sum() == pytest.approx(1, abs=1e-3)
    if game.name in ("go", "great-kingdom"):
        assert first.ownership is not None
        assert len(first.ownership) == 81
    else:
        assert first.ownership is None


def test_a_lost_game_with_nothing_left_is_passed_and_the_policy_is_still_one() -> None:
    """White, after Black's pass, has only eyes to fill: a pass loses, and the rest is never looked at."""
    game = tengen.game("go", size=5, scoring="area", komi=0.5)
    state = game.start()
    black = ["A2", "A3", "A4", "B1", "B2", "B3", "B4", "B5", "C1", "C2", "C3", "C4", "C5", "pass"]
    white = ["D1", "D2", "D3", "D4", "D5", "E2", "E3", "pass", "pass", "pass", "pass", "pass", "E4"]
    for move in [text for pair in zip(black, white, strict=False) for text in pair] + black[-1:]:
        [action] = game.parse(state, move)
        state = state.play(action)
    search = BrainSearch(state, read_brain(tiny_brain(game, 1)), planned=True)
    search.run(visits=16)
    [found] = search.report().actions
    assert game.format(state, [found.action]) == "pass" and found.win < 0.05
    policy = search.improved_policy()
    assert policy.sum() == pytest.approx(1, abs=1e-3) and policy[found.action] > 0
    begun = time.monotonic()
    search = BrainSearch(state, read_brain(tiny_brain(game, 1)))
    search.run(seconds=300)
    assert time.monotonic() - begun < 60, "there was nothing left to find out"


def test_playouts_help_a_net_of_go_that_knows_nothing() -> None:
    """Black has a wall across the board and White one stone; the net alone would call it even."""
    game = tengen.game("go", size=9, scoring="area", komi=0.5)
    state = game.start()
    for column in "ABCDEFGHJ":
        for move in (f"{column}5", "A1" if column == "J" else "pass"):
            [action] = game.parse(state, move)
            state = state.play(action)
    brain, alone = read_brain(tiny_brain(game, 1)), _core.NetSearchSettings()
    alone.gumbel, alone.playout_share = False, 0.0
    with_playouts, without = BrainSearch(state, brain), BrainSearch(state, brain, settings=alone)
    with_playouts.run(visits=64)
    without.run(visits=64)
    assert with_playouts.report().win > without.report().win + 0.05


def test_a_net_of_kelasu_that_knows_nothing_takes_a_win_at_hand() -> None:
    """Four blanks beside the victory tiles, and four moves to make."""
    game = tengen.game("kelasu")
    state = game.position("10/9B/S1S4S1S/10/3B2B3/3B2B3/10/9s/b9/10")
    search = BrainSearch(state, read_brain(tiny_brain(game, 1)), planned=True)
    while state.outcome is None:
        search.run(visits=8)
        assert search.report().proven == "win"
        action = search.report().actions[0].action
        state = state.play(action)
        search.play(action)
    assert state.outcome[:2] == (0, "victory-tiles")


def test_a_run_ends_when_the_best_move_is_clear() -> None:
    game = tengen.game("go", size=9)
    state, brain = game.start(), read_brain(tiny_brain(game, 1))
    settings = _core.NetSearchSettings()
    settings.gumbel, settings.lead_share = False, 0.0  # what a net that knows nothing says of points is noise
    whole, cut = (BrainSearch(state, brain, seed=3, settings=settings) for _ in range(2))
    whole.run(visits=600)
    cut.run(visits=600, stop_when_clear=True)
    assert cut.report().visits < whole.report().visits
    assert cut.report().actions[0].action == whole.report().actions[0].action
    planned = BrainSearch(state, brain, seed=3, planned=True)
    planned.run(visits=64, stop_when_clear=True)
    assert planned.report().visits == 64


def test_the_tree_follows_the_game(game: Game) -> None:
    search = BrainSearch(game.start(), read_brain(tiny_brain(game, 1)))
    search.run(visits=200)
    best = search.report().actions[0]
    search.play(best.action)
    assert search.state == game.start().play(best.action)
    search.run(visits=1)
    report = search.report()
    assert report.proven is not None or report.visits >= best.visits


def test_the_net_is_not_asked_twice_about_the_same_position(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a board of nine cells most positions come up by several orders of the same moves."""
    game = tengen.game("great-kingdom", size=3, neutral=False)
    brain = read_brain(tiny_brain(game, 1))
    batches: list[set[bytes]] = []
    evaluate = brain.evaluate

    def watched(planes: NDArray[np.float32], threads: int = 1) -> Evaluation:
        batches.append({position.tobytes() for position in planes})
        return evaluate(planes, threads=threads)

    monkeypatch.setattr(brain, "evaluate", watched)
    BrainSearch(game.start(), brain, seed=1).run(visits=300)
    assert len(batches) > 10
    assert sum(map(len, batches)) == len(set[bytes]().union(*batches)) < 250


def test_a_search_can_be_stopped_and_has_an_answer() -> None:
    game = GAMES[1]
    search = BrainSearch(game.start(), read_brain(tiny_brain(game, 1)))
    threading.Timer(0.2, search.stop).start()
    begun = time.monotonic()
    search.run(seconds=60)
    assert time.monotonic() - begun < 30
    assert search.report().visits > 0


def player_of(folder: Path, game: Game, brain: bytes, budget: str = "") -> Player:
    path = folder / "brain.onnx"
    path.write_bytes(brain)
    return make_player(f"brain:{path}{budget}", game)


def test_a_capture_is_taken_whatever_the_net_says(tmp_path: Path) -> None:
    game = GAMES[0]
    state = game.position("OB7/9/9/9/4N4/9/9/9/8O")
    for seed in range(5):
        player = player_of(tmp_path, game, tiny_brain(game, seed))
        assert player.choose(state) == game.parse(state, "A8")


@pytest.mark.parametrize("budget", ["", "@20", "@200", "@0.05s"])
def test_a_brain_plays_whole_moves(tmp_path: Path, game: Game, budget: str) -> None:
    player = player_of(tmp_path, game, tiny_brain(game, 2), budget)
    state = game.start()
    for _ in range(4):
        actions = player.choose(state)
        assert actions
        for action in actions:
            state = state.play(action)
        if state.outcome is not None:
            break
        assert not game.mid_move(state)
    player.close()


def test_a_q_net_plays_without_search(tmp_path: Path) -> None:
    game = GAMES[0]
    player = player_of(tmp_path, game, tiny_q_brain(game, 1))
    state = game.start()
    while state.outcome is None:
        (action,) = player.choose(state) or []
        state = state.play(action)


def test_brains_in_the_arena(tmp_path: Path) -> None:
    game = tengen.game("great-kingdom", size=5)
    for name, seed in (("a", 1), ("b", 2)):
        (tmp_path / f"{name}.onnx").write_bytes(tiny_brain(game, seed))
    texts = [f"brain:{tmp_path / name}.onnx@8" for name in "ab"]
    standings = Arena(game, *texts, folder=tmp_path / "match").run(4)
    assert standings.games == 4


def test_what_cannot_play_says_why(tmp_path: Path) -> None:
    game = tengen.game("great-kingdom")
    path = tmp_path / "five.onnx"
    path.write_bytes(tiny_brain(tengen.game("great-kingdom", size=5), 1))
    for text, words in (
        (f"brain:{path}", "on 5×5, not on 9×9"),
        ("brain:nobody", "nobody"),
        (f"brain:{path}@0", "is no player"),
        ("brain:", "is no player"),
    ):
        with pytest.raises(InvalidOption, match=words):
            make_player(text, game)
    brain = read_brain(path)
    with pytest.raises(BrainError, match="not on 9×9"):
        BrainSearch(game.start(), brain)
    with pytest.raises(ValueError, match="a planned one of visits"):
        BrainSearch(brain.game.start(), brain, planned=True).run(seconds=1)
