"""A package that `tengen new` writes works at once, and the example of a stranger's game does everything."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tengen import InvalidOption
from tengen.new_game import write_game

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "connect-four"


def run(folder: Path, *words: str, lines: str = "", fails: bool = False) -> str:
    """What a program says that finds the games in that folder."""
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    home = {"HOME": str(folder), "XDG_DATA_HOME": str(folder / "data")}
    ran = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=os.environ | home | {"PYTHONPATH": path, "NO_COLOR": "1"},
        input=lines,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (ran.returncode != 0) == fails, ran.stdout + ran.stderr
    assert "Traceback" not in ran.stderr
    return ran.stdout


def tengen(folder: Path, *words: str, lines: str = "", fails: bool = False) -> str:
    return run(folder, "-m", "tengen", *words, lines=lines, fails=fails)


def install(source: Path, folder: Path) -> None:
    """As an installer leaves it: the modules and what the package says of itself, made from its pyproject."""
    import tomllib

    project = tomllib.loads((source / "pyproject.toml").read_text())["project"]
    info = folder / f"{project['name'].replace('-', '_')}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: 1.0\n")
    points = project["entry-points"]["tengen.games"]
    lines = "\n".join(f"{name} = {value}" for name, value in points.items())
    (info / "entry_points.txt").write_text(f"[tengen.games]\n{lines}\n")
    for module in source.glob("*.py"):
        (folder / module.name).write_text(module.read_text())


def test_a_new_game_passes_its_tests_and_is_played(tmp_path: Path) -> None:
    files = write_game("my-game", tmp_path / "made")
    assert {path.name for path in files} == {"README.md", "my_game.py", "pyproject.toml", "test_my_game.py"}
    install(tmp_path / "made" / "my-game", tmp_path / "site")
    tests = str(tmp_path / "site" / "test_my_game.py")
    assert "1 passed" in run(tmp_path / "site", "-m", "pytest", "-q", "-c", os.devnull, tests)
    said = tengen(tmp_path / "site", "play", "my-game", "--against", "random", lines="B2\nquit\n")
    assert "My game: Crosses is you, Noughts is random" in said and "Crosses plays B2." in said


@pytest.mark.parametrize(
    "name",
    ["", "My Game", "go", "../up", "a--b", "class", "random", "numpy", "tengen", "position", "outcome"],
)
def test_names_that_will_not_do(name: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidOption):
        write_game(name, tmp_path)
    assert not list(tmp_path.iterdir())


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    with pytest.raises(InvalidOption, match="exists already"):
        write_game("mine", tmp_path)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    install(EXAMPLE, folder)
    return folder


def test_the_example_is_small_and_keeps_the_contract(site: Path) -> None:
    lines = sum(len(path.read_text().splitlines()) for path in EXAMPLE.iterdir() if path.is_file())
    assert lines < 150
    tests = str(site / "test_connect_four.py")
    assert "passed" in run(site, "-m", "pytest", "-q", "-c", os.devnull, tests)


def test_the_example_is_played_in_a_terminal(site: Path) -> None:
    moves = "help\nrules\nmoves\nhint\n4\n8\nscore\nquit\n"
    said = tengen(site, "play", "connect-four", "--against", "level:1", lines=moves)
    for wanted in ("Red is you, Yellow is level 1", "Four in a row", "Try ", "There is no move 8."):
        assert wanted in said
    assert "pass " not in said.partition("help")[2].partition("rules")[0], "there is no passing in it"
    two = "1\n7\n2\n7\n3\n7\n4\n"
    said = tengen(site, "play", "connect-four", "--save", "game.json", lines=two)
    assert "Red wins: four in a row." in said
    assert json.loads((site / "game.json").read_text())["moves"] == ["1", "7", "2", "7", "3", "7", "4"]
    reviewed = json.loads(tengen(site, "analyse", "game.json", "--visits", "50", "--json"))
    assert len(reviewed["moves"]) == 7


def test_machines_study_the_example(site: Path) -> None:
    arena = ("arena", "connect-four", "mcts:60", "random", "--games", "4", "--json")
    assert json.loads(tengen(site, *arena))["games"] == 4
    small = ("-o", "width=4", "-o", "height=4", "--json")
    solved = json.loads(tengen(site, "solve", "connect-four", *small))
    assert solved["exact"] and solved["winner"] is None


def test_a_brain_learns_the_example(site: Path) -> None:
    """A few games, a step of learning, and the first brain of the game, which no gate has to let through."""
    pytest.importorskip("torch", reason="NOT TESTED: PyTorch is not installed")
    tiny = ["games_per_iteration=4", "window_ready=20", "pool_games=4", "full_simulations=4", "batch=16"]
    tiny += ["fast_simulations=2", "blocks=1", "channels=8", "warm_up=0"]
    words = [word for one in tiny for word in ("--set", one)]
    said = tengen(site, "train", "connect-four", "--games", "40", "--plain", *words)
    saved = re.findall(r"last brain (\w+)", said)
    assert "Finished" in said and saved, said
    game = ("arena", "connect-four", "brain:latest@8", "random", "--games", "2", "--json")
    assert json.loads(tengen(site, *game))["games"] == 2


def test_the_example_speaks_gtp(site: Path) -> None:
    said = tengen(site, "gtp", "connect-four", lines="boardsize 9\nquit\n")
    assert said.startswith("? unacceptable size"), "it begins with the strongest level that there is"
    lines = "play b 4\nplay w 4\ngenmove b\nshowboard\nfinal_score\nquit\n"
    said = tengen(site, "gtp", "connect-four", "--visits", "30", lines=lines)
    assert "= \n" in said and "R" in said and "? cannot score" in said
