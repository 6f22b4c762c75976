"""tools/system-packages for somebody without root: it says what is missing and goes on."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "tools" / "system-packages"
WANTED = ("gnugo", "initdb", "chromium-headless-shell", "node", "npm")
BASH = shutil.which("bash") or "/bin/bash"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """All that is on the PATH: somebody who is not root, an apt-get that must not be called, and no sudo."""
    command(tmp_path, "id", "echo 1000")
    command(tmp_path, "apt-get", f"touch {tmp_path}/called")
    return tmp_path


def command(folder: Path, name: str, does: str = ":") -> None:
    (folder / name).write_text(f"#!{BASH}\n{does}\n")
    (folder / name).chmod(0o755)


def run(folder: Path, *words: str) -> str:
    # The script adds the place of Debian's games itself, so GNU Go may be found there.
    variables = {"PATH": str(folder), "TENGEN_POSTGRES": str(folder)}
    ran = subprocess.run(
        [BASH, str(SCRIPT), *words], env=variables, capture_output=True, text=True, check=True, timeout=60
    )
    assert not ran.stdout and not (folder / "called").exists()
    return ran.stderr


@pytest.mark.parametrize("words", [(), ("--say",)])
def test_nothing_is_said_where_all_is_there(folder: Path, words: tuple[str, ...]) -> None:
    for name in WANTED:
        command(folder, name)
    assert run(folder, *words) == ""


def test_without_root_it_says_what_is_skipped_and_how_to_get_it(folder: Path) -> None:
    for name in set(WANTED) - {"chromium-headless-shell", "initdb"}:
        command(folder, name)
    said = run(folder)
    assert "There is no postgresql chromium-headless-shell fonts-liberation, and installing it needs" in said
    assert "sudo apt-get install postgresql chromium-headless-shell fonts-liberation" in said


def test_the_last_word_of_the_tests_repeats_it(folder: Path) -> None:
    for name in set(WANTED) - {"npm"}:
        command(folder, name)
    assert "NOT ALL WAS TESTED: there is no npm" in run(folder, "--say")


def test_an_old_node_is_said_too(folder: Path) -> None:
    for name in WANTED:
        command(folder, name, "exit 1" if name == "node" else ":")
    assert "NOT ALL WAS TESTED: there is no Node.js 20.19 or newer" in run(folder, "--say")


@pytest.mark.parametrize("browser", ["chromium", "google-chrome"])
def test_another_browser_will_do(folder: Path, browser: str) -> None:
    for name in (set(WANTED) - {"chromium-headless-shell"}) | {browser}:
        command(folder, name)
    assert run(folder) == ""


def test_what_only_spares_time_is_not_missed(folder: Path) -> None:
    assert run(folder, "ccache") == ""
