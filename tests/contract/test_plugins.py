"""Games from other distributions come in through the entry point group `tengen.games`."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import tengen
from tengen import InvalidOption
from tests.contract import tic_tac_toe
from tests.contract.tic_tac_toe import TicTacToe

Install = Callable[[str], Path]
BUILT_IN = ["great-kingdom", "go", "kelasu", "dominion-duel"]
HERE = "tests.contract.tic_tac_toe"


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Puts a distribution with those entry points on the path, as an installer leaves it."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def with_entry_points(points: str) -> Path:
        info = tmp_path / "some_games-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: some-games\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[tengen.games]\n{points}\n")
        return tmp_path

    return with_entry_points


def test_without_plugins_there_are_four_games() -> None:
    assert tengen.games() == BUILT_IN


def test_a_plugin_is_a_game_like_any_other(install: Install) -> None:
    install(f"tic-tac-toe = {HERE}:TicTacToe")
    assert tengen.games() == [*BUILT_IN, "tic-tac-toe"]
    game = tengen.game("tic-tac-toe")
    assert type(game) is TicTacToe and game == TicTacToe()
    with pytest.raises(InvalidOption, match="size"):
        tengen.game("tic-tac-toe", size=4)


def test_a_plugin_is_found_in_a_new_process(install: Install) -> None:
    folder = install("tic-tac-toe = my_game:TicTacToe")
    (folder / "my_game.py").write_text(
        Path(tic_tac_toe.__file__).read_text(encoding="utf-8"), encoding="utf-8"
    )
    program = "import tengen; print(tengen.games()[-1], tengen.game('tic-tac-toe').start().legal_actions())"
    ran = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONPATH": str(folder)},
        check=True,
        capture_output=True,
        text=True,
    )
    assert ran.stdout == "tic-tac-toe [0, 1, 2, 3, 4, 5, 6, 7, 8]\n"


BROKEN = {
    "no-module": "no_such_module_at_all:Game",
    "no-attribute": f"{HERE}:NoSuchGame",
    "no-game": f"{HERE}:LINES",
    "no-class": f"{HERE}:Position",
    "raises": "raises_on_import:Game",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_plugin_says_so_and_harms_nobody_else(name: str, install: Install) -> None:
    points = "\n".join(f"{name} = {value}" for name, value in BROKEN.items())
    folder = install(f"tic-tac-toe = {HERE}:TicTacToe\n{points}")
    (folder / "raises_on_import.py").write_text("raise RuntimeError('not today')\n")
    assert tengen.games() == [*BUILT_IN, *sorted([*BROKEN, "tic-tac-toe"])]
    with pytest.raises(InvalidOption, match=name) as refusal:
        tengen.game(name)
    assert BROKEN[name] in str(refusal.value)
    assert tengen.game("tic-tac-toe") == TicTacToe()
    with pytest.raises(InvalidOption, match="tic-tac-toe"):
        tengen.game("no-such-game")


def test_built_in_names_cannot_be_taken_over(install: Install) -> None:
    install("\n".join(f"{name} = {HERE}:TicTacToe" for name in BUILT_IN))
    assert tengen.games() == BUILT_IN
    for name in BUILT_IN:
        assert not isinstance(tengen.game(name), TicTacToe)
        assert tengen.game(name).name == name
