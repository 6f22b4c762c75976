"""Runs in stages, and recipes that others can repeat."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest
import torch

import tengen
from tengen.brains.file import read_brain
from tengen.brains.store import SHIPPED
from tengen.cli_learn import _new_run
from tengen.games import games
from tengen.learn.gumbel import Trainer
from tengen.learn.learner import Learner
from tengen.learn.mixture import variants
from tengen.learn.recipe import read_recipe, recipe_names
from tengen.learn.runs import Run
from tengen.learn.settings import GumbelSettings, all_stages, settings_for, stage_at
from tests.learn.positions import random_planes
from tests.learn.test_gumbel import TINY, Listener

RULEBOOK = tengen.game("great-kingdom", size=5)
PUBLISHED = tengen.game("great-kingdom", size=5, rules="published")


def staged(*stages: dict[str, object]) -> GumbelSettings:
    return settings_for("great-kingdom", TINY | {"stages": list(stages)})


def test_stages_add_up() -> None:
    settings = staged({"games": 100, "ratio": 2.0}, {"games": 300, "batch": 16})
    found = [(one.ratio, one.batch) for one in (stage_at(settings, n) for n in (0, 99, 100, 299, 300, 999))]
    assert found == [(4.0, 32), (4.0, 32), (2.0, 32), (2.0, 32), (2.0, 16), (2.0, 16)]
    assert [one.batch for one in all_stages(settings)] == [32, 32, 16]


@pytest.mark.parametrize(
    ("stages", "part"),
    [
        ([{"ratio": 2.0}], "needs `games`"),
        ([{"games": 20}, {"games": 10}], "that rise"),
        ([{"games": 10, "channels": 99}], "size of the net"),
        ([{"games": 10, "nonsense": 1}], "no setting 'nonsense'"),
    ],
)
def test_wrong_stages_are_refused(stages: list[dict[str, object]], part: str) -> None:
    with pytest.raises(ValueError, match=part):
        all_stages(staged(*stages))


def test_a_run_comes_to_its_next_stage_and_goes_on_there(tmp_path: Path) -> None:
    settings = staged({"games": 30, "mixture": [{"size": 7}], "ratio": 1.0})
    trainer = Trainer(tmp_path, RULEBOOK, settings, Listener(reports=2))
    assert trainer.any_board
    trainer.run()
    assert trainer.settings.ratio == trainer.learner.settings.ratio == 1.0
    assert all(trainer.replay.counts[board] > 0 for board in ("5x5", "7x7"))
    again = Trainer(tmp_path, RULEBOOK, settings, Listener(reports=0))
    assert [one.game for one in again.variants] == [tengen.game("great-kingdom", size=7)]


def test_inputs_that_taught_nothing_are_quiet_under_other_rules() -> None:
    """A net that knows one rule set sees the same under another until it has learned the difference."""
    torch.manual_seed(1)
    learner = Learner([RULEBOOK], settings_for("great-kingdom", TINY))
    planes = random_planes(RULEBOOK, 20)
    before = learner.net.eval()(torch.from_numpy(planes)).policy.detach()
    learner.quiet_inputs([RULEBOOK], [PUBLISHED])
    after = learner.net.eval()(torch.from_numpy(planes)).policy.detach()
    torch.testing.assert_close(after, before, msg="what it knew it still knows")
    other = planes.copy()
    published = PUBLISHED.start().encode()
    changed = [
        plane for plane in range(len(published)) if not np.array_equal(published[plane], planes[0][plane])
    ]
    assert changed
    other[:, changed] = published[changed]
    torch.testing.assert_close(learner.net.eval()(torch.from_numpy(other)).policy.detach(), before)


@pytest.mark.parametrize("name", [name for name in recipe_names() if name != "go"])
def test_our_recipes_can_be_cooked(name: str) -> None:
    recipe = read_recipe(name)
    assert recipe.game in games() and name.startswith(recipe.game)
    assert recipe.games is not None


def test_a_brain_that_was_taught_says_by_which_command() -> None:
    with pytest.raises(ValueError, match=r"python -m tools\.go_lesson") as told:
        read_recipe("go")
    module = str(told.value).rpartition("-m ")[2].split()[0]
    assert importlib.util.find_spec(f"{module}.__main__") is not None


def test_every_shipped_brain_has_a_recipe() -> None:
    assert set(recipe_names()) >= {path.stem for path in SHIPPED.glob("*.onnx")} >= set(games())


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("game = ", "is no TOML"),
        ("games = 5", "does not say which game"),
        ('game = "go"\nminutes = 3', "has no 'minutes'"),
        ('game = "go"\ngames = "many"', "which it cannot be"),
        ('game = "go"\n[settings]\nblocks = "four"', "blocks must be"),
        ('game = "go"\n[options]\nsize = 99', "size"),
    ],
)
def test_wrong_recipes_are_told(text: str, part: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(ValueError, match=part):
        read_recipe(str(path))
    with pytest.raises(ValueError, match="great-kingdom"):
        read_recipe("nothing-of-that-name")


def test_a_brain_goes_on_with_all_that_it_learned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tengen.learn.runs.training_folder", lambda: tmp_path)

    def new_run(size: int | None) -> Run:
        return _new_run("great-kingdom", "gumbel", None, size, None, "default", None, None)

    learned = read_brain(SHIPPED / "great-kingdom.onnx").learned
    run = new_run(None)
    found = variants(run.game, settings_for("great-kingdom", run.settings))
    assert [one.game for one in found] == learned
    assert new_run(7).settings == {}, "unless another board is asked for"
