"""The settings: the seed's file as it is, what overrides what, and sentences that name what is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tengen import settings
from tengen.settings import KNOWN, SettingsError, load, variable

SEED: dict[str, Any] = {
    "Game": {"GridSize": 9, "MCTSIterations": 1000, "DefaultIP": "127.0.0.1", "Port": 7777},
    "AI": {
        "Hyperparameters": {"LearningRate": 0.0005, "Gamma": 0.95, "BatchSize": 128},
        "Exploration": {"EpsilonStart": 1.0, "EpsilonMin": 0.05, "EpsilonDecay": 0.9995},
        "Memory": {"Capacity": 10000, "TargetUpdateFrequency": 500},
    },
}


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's configuration folder."""
    folder = tmp_path / "user"
    folder.mkdir()
    monkeypatch.setattr(settings, "user_folder", lambda: folder)
    return folder


def write(folder: Path, content: object) -> Path:
    path = folder / "config.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def test_defaults_are_the_seeds(user: Path, tmp_path: Path) -> None:
    found = load(folder=tmp_path, environment={})
    assert found.to_json() == SEED
    assert {origin for _, _, origin in found.rows()} == {"default"}


def test_seeds_file_works_as_it_is(user: Path, tmp_path: Path) -> None:
    path = write(tmp_path, json.dumps(SEED, indent=2))
    found = load(folder=tmp_path, environment={})
    assert found.to_json() == SEED
    assert {origin for _, _, origin in found.rows()} == {str(path)}


def test_byte_order_mark_is_no_matter(user: Path, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_bytes(b"\xef\xbb\xbf" + json.dumps(SEED).encode())
    assert load(folder=tmp_path, environment={}).given("Game.Port")


def test_flags_over_environment_over_nearer_file_over_users_file(user: Path, tmp_path: Path) -> None:
    write(user, {"Game": {"GridSize": 3, "Port": 1, "MCTSIterations": 5, "DefaultIP": "::1"}})
    write(tmp_path, {"Game": {"GridSize": 5, "Port": 2, "MCTSIterations": 6}})
    environment = {
        "TENGEN_GAME_GRIDSIZE": "7",
        "TENGEN_GAME_PORT": "3",
        "TENGEN_AI_HYPERPARAMETERS_GAMMA": "1",
    }
    found = load({"Game.GridSize": 11}, folder=tmp_path, environment=environment)
    assert (found.grid_size, found.port, found.mcts_iterations, found.default_ip) == (11, 3, 6, "::1")
    assert found.gamma == 1.0 and isinstance(found.gamma, float)
    assert found.origins["Game.GridSize"] == "flag"
    assert found.origins["Game.Port"] == "TENGEN_GAME_PORT"
    assert found.origins["Game.DefaultIP"] == str(user / "config.json")


@pytest.mark.parametrize(
    ("key", "value", "may_be"),
    [
        ("Game.GridSize", 10, "an odd whole number from 3 to 19"),
        ("Game.GridSize", "9", "an odd whole number from 3 to 19"),
        ("Game.GridSize", 9.0, "an odd whole number from 3 to 19"),
        ("Game.MCTSIterations", 0, "a whole number from 1 to"),
        ("Game.MCTSIterations", True, "a whole number from 1 to"),
        ("Game.DefaultIP", "256.0.0.1", "an IP address such as '127.0.0.1', or 'localhost'"),
        ("Game.DefaultIP", None, "an IP address"),
        ("Game.Port", 65536, "a whole number from 1 to 65535"),
        ("AI.Hyperparameters.LearningRate", 0, "a number above 0 and at most 1"),
        ("AI.Hyperparameters.Gamma", 1.5, "a number from 0 to 1"),
        ("AI.Hyperparameters.Gamma", float("nan"), "a number from 0 to 1"),
        ("AI.Memory.Capacity", [], "a whole number from 1 to"),
    ],
)
def test_wrong_values_are_named(user: Path, tmp_path: Path, key: str, value: object, may_be: str) -> None:
    content: object = value
    for name in reversed(key.split(".")):
        content = {name: content}
    path = write(tmp_path, content)
    with pytest.raises(SettingsError) as error:
        load(folder=tmp_path, environment={})
    assert str(error.value).startswith(f"{path}: {key} must be {may_be}")
    assert str(error.value).endswith(f", not {value!r}.")


def test_wrong_environment_names_the_variable(user: Path, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"^TENGEN_GAME_PORT: Game.Port must be .*, not 'many'\.$"):
        load(folder=tmp_path, environment={"TENGEN_GAME_PORT": "many"})


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ({"Game": {"GridSise": 9}}, "Game.GridSise is no setting; Game.GridSize is."),
        ({"Game": {"gridsize": 9}}, "Game.gridsize is no setting; Game.GridSize is."),
        ({"Game": {}, "Elsewhere": 1}, "Elsewhere is no setting."),
        ({"AI": {"Memory": 5}}, "AI.Memory must be an object with Capacity, TargetUpdateFrequency, not 5."),
        ('{"Game": {"Port": 1,}}', "is not JSON: "),
        ({"AI": {"Exploration": {"EpsilonMin": 0.5, "EpsilonStart": 0.1}}}, "EpsilonMin must be at most"),
        ({"AI": {"Memory": {"Capacity": 10}}}, "BatchSize must be at most AI.Memory.Capacity, which is 10"),
    ],
)
def test_wrong_files(user: Path, tmp_path: Path, content: object, sentence: str) -> None:
    write(tmp_path, content)
    with pytest.raises(SettingsError) as error:
        load(folder=tmp_path, environment={})
    assert sentence in str(error.value) and str(error.value).count("\n") == 0


@pytest.mark.parametrize("content", ["{}", '{"name": "another program"}', "[1]", "not JSON", "\0\1"])
def test_file_of_another_program_is_left_alone(user: Path, tmp_path: Path, content: str) -> None:
    write(tmp_path, content)
    found = load(folder=tmp_path, environment={})
    assert not found.origins and len(found.notes) == 1


def test_every_key_has_a_variable() -> None:
    assert variable("AI.Exploration.EpsilonMin") == "TENGEN_AI_EXPLORATION_EPSILONMIN"
    assert len({variable(key) for key in KNOWN}) == len(KNOWN) == 17
