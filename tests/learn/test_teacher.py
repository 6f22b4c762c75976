"""The teacher: games that follow the rules, samples that fit them, and a run that outgrows it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import tengen
from tengen.brains.store import BrainStore
from tengen.learn.export import export_net
from tengen.learn.game_record import GameRecord
from tengen.learn.gumbel import Trainer
from tengen.learn.net import Net, shape_for
from tengen.learn.settings import GumbelSettings, settings_for
from tengen.learn.teacher import Teacher
from tests.learn.test_gumbel import TINY, Listener

GAMES = {
    "go": tengen.game("go", size=5, scoring="area", komi=4.5),
    "great-kingdom": tengen.game("great-kingdom", size=5),
    "kelasu": tengen.game("kelasu"),
    "dominion-duel": tengen.game("dominion-duel"),
}
WITHOUT_KOMI: dict[str, Any] = {"teacher_visits": 20, "threads": 2, "komi_steps": []}


def settings(game: tengen.Game, **changes: Any) -> GumbelSettings:
    return settings_for(game.name, WITHOUT_KOMI | changes)


@pytest.fixture(scope="module", params=list(GAMES))
def lessons(request: pytest.FixtureRequest) -> tuple[tengen.Game, list[GameRecord]]:
    game = GAMES[request.param]
    return game, Teacher(game, settings(game), 3).play(b"", games=6)


def test_games_follow_the_rules(lessons: tuple[tengen.Game, list[GameRecord]]) -> None:
    game, records = lessons
    assert len(records) >= 6
    assert len({tuple(record.actions) for record in records}) > 1
    for record in records:
        state = game.start()
        for action in record.actions:
            state = state.play(action)
        if record.reason == "long":
            assert state.outcome is None and record.winner == -1
            continue
        assert state.outcome is not None
        winner = -1 if state.outcome.winner is None else state.outcome.winner
        assert (winner, state.outcome.reason, state.outcome.score) == (
            record.winner,
            record.reason,
            record.score,
        )


def test_samples_are_positions_with_what_came_of_them(lessons: tuple[tengen.Game, list[GameRecord]]) -> None:
    game, records = lessons
    for record in records:
        positions = [game.start()]
        for action in record.actions:
            positions.append(positions[-1].play(action))
        cells = len(positions[0].cells())
        at = 0
        for row, planes in enumerate(record.planes):
            while not np.array_equal(positions[at].encode().astype(np.float16), planes):
                at += 1
            mover = positions[at].to_move
            policy = record.policy[row].astype(np.float32)
            assert policy.sum() == pytest.approx(1, abs=0.01)
            assert policy[positions[at].legal_actions()].sum() == pytest.approx(policy.sum())
            assert record.value[row] == (0 if record.winner < 0 else 1 if record.winner == mover else -1)
            assert -1 <= record.root_value[row] <= 1
            if record.score is None:
                assert np.isnan(record.lead[row]) and np.isnan(record.ownership[row]).all()
            else:
                lead = (record.score[0] - record.score[1]) / cells * (1 if mover == 0 else -1)
                assert record.lead[row] == pytest.approx(lead)


def test_the_owner_is_told_from_the_movers_side() -> None:
    game = GAMES["go"]
    for record in Teacher(game, settings(game), 5).play(b"", games=2):
        assert record.score is not None
        black = record.score[0] - record.score[1] + 4.5  # more cells than White, without the komi
        sides = np.where(record.planes[:, 14, 0, 0] > 0, 1, -1)  # the plane that says that Black moves
        assert record.ownership.sum(1).tolist() == (sides * black).tolist()
        assert set(sides.tolist()) == {1, -1}


def test_an_alpha_beta_search_teaches_its_choice_and_a_tree_its_visits() -> None:
    for name, sure in (("kelasu", True), ("go", False)):
        game = GAMES[name]
        record = Teacher(game, settings(game, opening_actions=0), 1).play(b"", games=1)[0]
        assert ((record.policy.max(1) == 1).mean() == 1) == sure


def test_a_tick_ends_it_in_the_middle_of_a_game() -> None:
    game = tengen.game("go", size=9)
    begun = time.monotonic()
    slow = settings(game, teacher_visits=1000)
    assert Teacher(game, slow, 1).play(b"", games=10**9, tick=lambda live, count: False) == []
    assert time.monotonic() - begun < 30


def listened(name: str, play: Callable[..., Any], asked: list[str]) -> Callable[..., Any]:
    def both(*args: Any, **named: Any) -> Any:
        asked.append(name)
        return play(*args, **named)

    return both


def test_a_run_begins_with_its_teacher_and_goes_on_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = tengen.game("great-kingdom", size=5)
    changes = TINY | {
        "teacher_games": 40,
        "teacher_visits": 20,
        "gate_iterations": 100,
        "eval_iterations": 100,
    }
    listener = Listener()
    store = BrainStore(tmp_path / "brains")
    trainer = Trainer(tmp_path, game, settings_for("great-kingdom", changes), listener, store=store)
    asked: list[str] = []
    for name in ("teacher", "games"):
        monkeypatch.setattr(
            getattr(trainer, name), "play", listened(name, getattr(trainer, name).play, asked)
        )
    for _ in range(3):
        trainer.iterate()
    assert asked == ["teacher", "teacher", "games"]
    assert trainer.learner.trained > 0


def test_a_brain_that_is_trained_on_needs_no_teacher(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = tengen.game("great-kingdom", size=5)
    changes = TINY | {"teacher_games": 40, "games_per_iteration": 4}
    start = export_net(Net(shape_for(game, 1, 8)).eval())
    trainer = Trainer(tmp_path, game, settings_for("great-kingdom", changes), Listener(), start=start)
    monkeypatch.setattr(trainer.teacher, "play", lambda *_args, **_named: pytest.fail("it was taught"))
    while trainer.learner.trained == 0:
        trainer.iterate()
    assert all(torch.isfinite(tensor).all() for tensor in trainer.learner.average.state_dict().values())
