"""KataGo in the commands and in the doctor's list, with the small program in its part."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import tengen
from tengen import cli_study
from tengen.cli import app
from tengen.kata import engine
from tengen.records import load_tree
from tengen.terminal import advice, doctor
from tengen.terminal.advice import hint
from tengen.terminal.screen import Screen
from tests.kata.conftest import Fake


def run(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tengen", *words]
    return subprocess.run(command, input="", capture_output=True, text=True, timeout=120)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.sgf"
    path.write_text("(;GM[1]FF[4]SZ[5];B[cc](;W[bb];B[db])(;W[dd]))")
    return path


def test_analyse_and_annotated_sgf(fake: Fake, game: Path, tmp_path: Path) -> None:
    written = tmp_path / "annotated.sgf"
    ran = run("analyse", str(game), "--visits", "6", "--variations", "--json", "--sgf", str(written))
    assert ran.returncode == 0, ran.stderr
    assert {move["by"] for move in json.loads(ran.stdout)["moves"]} == {"katago"}
    tree = load_tree(written)
    assert "KataGo, 6 visits" in tree.root.comment
    assert tree.root.properties["V"] == ("5.0",) and tree.root.properties["SBKV"] == ("90.00",)
    assert tree.root.properties["LB"] == ("aa:A", "ba:B", "ca:C")
    assert [len(node.children) for node in tree.main_line()] == [1, 2, 1, 0]


def test_analyse_without_it(fake: Fake, game: Path) -> None:
    fake.behaves("refuse")
    ran = run("analyse", str(game), "--engine", "katago")
    assert ran.returncode == 2 and ran.stderr.strip().endswith("CL_PLATFORM_NOT_FOUND_KHR.")
    assert "Traceback" not in ran.stderr
    ran = run("analyse", str(game), "--visits", "20")
    assert ran.returncode == 0 and "Our own search goes on." in ran.stderr
    assert "are rough." in ran.stdout, "no brain knows that board"
    assert run("analyse", str(game), "--engine", "other").returncode == 2


def test_analyse_while_it_tunes(fake: Fake, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has not asked for KataGo is told, and not kept waiting for minutes."""
    fake.behaves("deaf")
    monkeypatch.setattr(cli_study, "KATAGO_SAID_S", 0.1)
    monkeypatch.setattr(cli_study, "KATAGO_WAIT_S", 0.2)
    ran = CliRunner().invoke(app, ["analyse", str(game), "--visits", "20"])
    said = " ".join(ran.output.split())
    assert ran.exit_code == 0 and "KataGo is starting" in said, said
    assert "--engine katago waits for it. Our own search goes on." in said
    monkeypatch.setattr(engine, "SILENT_S", 0.3)
    ran = CliRunner().invoke(app, ["analyse", str(game), "--engine", "katago"])
    assert ran.exit_code != 0 and "KataGo has not said a word in 0.3 s" in str(ran.exception or ran.output)


def test_arena(fake: Fake) -> None:
    words = ("--size", "2", "-o", "scoring=area", "--games", "2", "--workers", "1", "--json")
    ran = run("arena", "go", "katago:2", "random", *words)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["identities"][0] == "katago:2, KataGo 0.0-fake with net.bin.gz"


def test_the_doctor(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    found = doctor._katago()
    assert found.state == "ok" and "0.0-fake" in found.words and "net.bin.gz" in found.words
    fake.behaves("refuse")
    found = doctor._katago()
    assert found.state == "broken" and "no OpenCL driver" in found.words and found.fix
    fake.behaves("deaf")
    monkeypatch.setattr(doctor, "KATAGO_S", 0.1)
    found = doctor._katago()
    assert found.state == "ok" and "not ready" in found.words
    monkeypatch.setenv("TENGEN_KATAGO_MODEL", "/nowhere/net.bin.gz")
    assert doctor._katago().state == "broken"
    monkeypatch.setenv("TENGEN_KATAGO", "off")
    assert doctor._katago().state == "absent" and "left alone" in doctor._katago().words


def test_hints(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    state = tengen.game("go", size=5).start()
    monkeypatch.setattr(advice, "HINT_SECONDS", 60.0)  # it is done long before
    assert hint(state, Screen()).startswith("Try A5 (wins 20%, behind by 1.5).")
    fake.behaves("refuse")
    monkeypatch.setattr(advice, "HINT_SECONDS", 0.1)
    monkeypatch.setenv("TENGEN_KATAGO_MODEL", str(fake.model.rename(fake.folder / "other.bin.gz")))
    said = hint(state, Screen())
    assert said.startswith("KataGo did not start") and "Try " in said
