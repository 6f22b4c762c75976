"""tools/learning_study.py: runs that differ in one thing, with tiny nets for half a second each."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

pytest.importorskip("torch", reason="NOT TESTED: PyTorch is not installed")

from tools import learning_study


def test_a_study_adds_runs_and_draws_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = {"blocks": 1, "channels": 8, "full_simulations": 8, "fast_simulations": 2}
    small |= {"pool_games": 16, "games_per_iteration": 4, "window_ready": 20, "batch": 32}
    monkeypatch.setattr(learning_study, "BASE", {**learning_study.BASE, **small})
    monkeypatch.setattr(learning_study, "RESULTS", tmp_path / "tricks.json")
    monkeypatch.setattr(learning_study, "IMAGE", tmp_path / "tricks.svg")
    monkeypatch.setattr(learning_study, "ANCHOR", "random")
    for _ in range(2):
        learning_study.study(["no symmetries"], 0.01, [1], 2)
    learning_study.draw()

    told = json.loads((tmp_path / "tricks.json").read_text())
    runs = told["runs"]
    assert [run["name"] for run in runs] == [learning_study.WITH_ALL, "no symmetries"] * 2
    assert all(len(run["against_anchor"]) == learning_study.QUARTERS for run in runs)
    assert ["against_all" in run for run in runs] == [False, True] * 2
    drawn = ElementTree.parse(tmp_path / "tricks.svg").getroot()
    names = ["".join(text.itertext()) for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert any(name.endswith("no symmetries") for name in names)


def test_runs_of_other_settings_are_not_mixed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "tricks.json"
    path.write_text(json.dumps({"settings": {"minutes": 9}, "runs": [{"name": "an old one"}]}))
    monkeypatch.setattr(learning_study, "RESULTS", path)
    monkeypatch.setattr(learning_study, "trained", lambda *_: ([b""], {}))
    monkeypatch.setattr(learning_study, "match", lambda *_: {"games": 2, "points": 1.0})
    learning_study.study([], 1.0, [1], 2)
    assert [run["name"] for run in json.loads(path.read_text())["runs"]] == [learning_study.WITH_ALL]
