"""`tengen brains`, with a data folder of its own."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import tengen
from tengen.brains.file import read_info
from tengen.brains.info import BrainInfo
from tengen.cli import main
from tengen.cli_brains import board_of
from tests.brains.make import tiny_brain, tiny_model, tiny_q_brain

GAME = tengen.game("dominion-duel")
NAME = "brain_L012300_G120_20260301_120000"


class Ran(NamedTuple):
    code: int
    out: str
    err: str


class Shell:
    """Runs the command in this process, with all that `main` does."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, capture: pytest.CaptureFixture[str]) -> None:
        self.folder, self._patch, self._capture = folder, patch, capture
        patch.chdir(folder)
        patch.setattr("platformdirs.user_data_path", lambda *_, **__: folder / "data")
        patch.setattr("tengen.brains.store.SHIPPED", folder / "shipped")

    def run(self, *words: str, stdin: str = "") -> Ran:
        self._patch.setattr(sys, "argv", ["tengen", "brains", *words])
        self._patch.setattr(sys, "stdin", io.StringIO(stdin))
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = self._capture.readouterr()
        assert isinstance(ended.value.code, int)
        return Ran(ended.value.code, out, err)

    def text(self, *words: str) -> str:
        ran = self.run(*words)
        assert ran.code == 0, ran.err
        return ran.out

    def data(self, *words: str) -> Any:
        return json.loads(self.text(*words, "--json"))


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    (tmp_path / "one.onnx").write_bytes(tiny_brain(GAME, 1))
    return Shell(tmp_path, monkeypatch, capsys)


def test_in_and_out_again(shell: Shell) -> None:
    assert shell.text("import", "one.onnx") == f"Imported {NAME} for dominion-duel.\n"
    row = shell.data("list", "dominion-duel")[-1]
    assert row["name"] == NAME and row["board"] == "9×1" and row["rating"] is None and not row["latest"]
    assert NAME in shell.text("list") and "unrated" in shell.text("list", "dominion-duel")

    assert "latest brain" in shell.text("use", "dominion-duel", NAME)
    shown = shell.data("show", "dominion-duel", "latest")
    assert shown["name"] == NAME and shown["latest"] and len(shown["sha256"]) == 64
    text = shell.text("show", "dominion-duel", f"{NAME}.onnx")
    assert f"{NAME} (latest)" in text and "Dominion Duel on 9×1" in text and "not measured yet" in text

    shell.text("export", "dominion-duel", "latest", "copy.onnx")
    assert (shell.folder / "copy.onnx").read_bytes() == (shell.folder / "one.onnx").read_bytes()
    again = shell.run("export", "dominion-duel", "latest", "copy.onnx")
    assert again.code == 2 and again.err == "tengen: copy.onnx is there already.\n"

    asked = shell.run("remove", "dominion-duel", NAME, stdin="n\n")
    assert asked.code == 1 and NAME in shell.text("list")
    assert f"Removed {NAME}." in shell.text("remove", "dominion-duel", NAME, "--yes")
    assert NAME not in shell.text("list")


def test_what_is_the_latest_after_the_champion_was_removed(shell: Shell) -> None:
    """Where none comes with tengen, as for a game of one's own, and then where one does."""
    (shell.folder / "two.onnx").write_bytes(tiny_brain(GAME, 2, created="2026-04-01T12:00:00Z"))
    champion = ("remove", "dominion-duel", "latest", "--yes")
    for name in ("one", "two"):
        shell.text("import", f"{name}.onnx")
    shell.text("use", "dominion-duel", NAME)
    chooses = "None of the brains for dominion-duel is the latest: `tengen brains use` makes one so."
    assert shell.text(*champion) == f"Removed {NAME}. {chooses}\n"
    assert shell.run("show", "dominion-duel", "latest").err == f"tengen: {chooses}\n"
    shell.text("import", "one.onnx")
    shell.text("use", "dominion-duel", NAME)
    (shell.folder / "shipped").mkdir()
    (shell.folder / "shipped" / "dominion-duel.onnx").write_bytes(tiny_brain(GAME, 3))
    assert shell.text(*champion).endswith("`latest` is the brain that comes with tengen again.\n")


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"no net at all", "bad.onnx is not an ONNX file, or was cut off."),
        (tiny_brain(GAME)[:-20], "bad.onnx is not an ONNX file, or was cut off."),
        (tiny_model(GAME).SerializeToString(), "bad.onnx is an ONNX model but not a brain of tengen"),
    ],
)
def test_a_bad_file_gets_a_sentence_and_nothing_is_written(shell: Shell, data: bytes, sentence: str) -> None:
    (shell.folder / "bad.onnx").write_bytes(data)
    ran = shell.run("import", "bad.onnx")
    assert ran.code == 2 and ran.out == ""
    assert ran.err.startswith(f"tengen: {sentence}") and ran.err.count("\n") == 1
    assert not (shell.folder / "data").exists()


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("show", "chess", "latest"), "There is no game 'chess'"),
        (("show", "dominion-duel", "nobody"), "There is no brain 'nobody' for dominion-duel"),
        (("show", "go", "one.onnx"), "The brain one plays dominion-duel, not go."),
        (("use", "kelasu", "best"), "No brain for kelasu has been measured yet"),
        (("import", "missing.onnx"), "Cannot read missing.onnx: No such file or directory."),
        (("remove", "dominion-duel", "one.onnx"), "There is no brain 'one.onnx'"),
    ],
)
def test_wrong_requests(shell: Shell, words: tuple[str, ...], part: str) -> None:
    ran = shell.run(*words)
    assert ran.code == 2 and part in ran.err and ran.out == ""


def test_measuring(shell: Shell) -> None:
    shell.text("import", "one.onnx")
    text = shell.text("rate", "dominion-duel", NAME, "--games", "2")
    assert "random " in text and "mcts:1000 is 0" in text
    row = next(row for row in shell.data("list", "dominion-duel") if row["name"] == NAME)
    assert row["rating"]["games"] == 8
    found = shell.data("rate", "dominion-duel", NAME, "--games", "2")
    assert found["rating"] == row["rating"] and found["zero"] == "mcts:1000"

    other = shell.run("rate", "dominion-duel", NAME, "--games", "2", "--simulations", "4", "--json")
    assert other.code == 0 and "Not remembered" in other.err
    assert (
        next(r for r in shell.data("list", "dominion-duel") if r["name"] == NAME)["rating"] == row["rating"]
    )

    target = shell.folder / "rated.onnx"
    shell.text("export", "dominion-duel", NAME, str(target))
    assert read_info(target).rating == row["rating"]["elo"]

    (shell.folder / "two.onnx").write_bytes(tiny_brain(GAME, 2))
    words = ("compare", "dominion-duel", NAME, "two.onnx", "--games", "4", "--simulations", "8")
    match = shell.data(*words)
    assert match["games"] == 4 and match["a"] == NAME and match["b"] == "two"
    assert f"{NAME} against two: " in shell.text(*words)


def test_a_dqn_brain_is_listed_as_one(shell: Shell) -> None:
    (shell.folder / "q.onnx").write_bytes(tiny_q_brain(tengen.game("great-kingdom", size=5)))
    row = json.loads(shell.text("import", "q.onnx", "--json"))
    assert row["algorithm"] == "dqn" and row["board"] == "5×5"


def test_the_program_itself(shell: Shell) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "tengen", "brains", "show", "dominion-duel", "one.onnx"],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=shell.folder,
    )
    assert ran.returncode == 0 and "Dominion Duel on 9×1" in ran.stdout and ran.stderr == ""


def test_all_boards_that_were_learned_are_named() -> None:
    one: dict[str, Any] = {"options": {"size": 9}, "algorithm": "gumbel", "games": 1, "loss": 1.0}
    assert board_of(BrainInfo("go", **one)) == "9×9"
    sizes = tuple({"size": size} for size in (13, 7, 9))
    assert board_of(BrainInfo("go", **one, mixture=sizes)) == "7×7 to 13×13"
    assert board_of(BrainInfo("go", **one, mixture=({"size": 99},))) == ""
