"""The package as a whole: what importing it costs, what it exports, and that its pages tell the truth."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from types import ModuleType

import pytest

import tengen

ROOT = Path(__file__).parents[1]
HEAVY = ("numpy", "torch", "fastapi", "onnxruntime", "hypothesis", "importlib.metadata")
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
PACKAGES = ["tengen", *(f"tengen.{name}" for name in ("game", "search", "records", "match", "players"))]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def fresh(program: str) -> str:
    """What the program prints in an interpreter of its own."""
    ran = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    return ran.stdout


@pytest.mark.parametrize(
    "use",
    [
        "pass",
        "tengen.game('go', size=9).start().play(40).legal_actions()",
        "[tengen.game(n).text(tengen.game(n).start()) for n in ('great-kingdom', 'kelasu', 'dominion-duel')]",
    ],
)
def test_importing_and_playing_do_not_load_what_is_heavy(use: str) -> None:
    loaded = fresh(f"import sys, tengen; {use}; print(*sys.modules)").split()
    assert "tengen" in loaded
    assert not set(HEAVY) & set(loaded)


def test_the_full_screen_costs_nothing_where_it_is_not_shown() -> None:
    """Neither help nor a game in lines imports its toolkit, nor finding out whether it would fit."""
    program = """
import sys, tengen.cli, tengen.terminal.start as start
from tengen.terminal.full.room import fits
from tengen.terminal.screen import Screen
assert not fits(tengen.game("go"), Screen()), "this is no terminal"
print(*sys.modules)
"""
    loaded = fresh(program).split()
    assert "tengen.terminal.session" in loaded and "textual" not in loaded


@pytest.mark.parametrize(
    "name", ["tengen", "tengen.game", "tengen.search", "tengen.records", "tengen.match", "tengen.players"]
)
def test_every_exported_name_exists(name: str) -> None:
    module = import_module(name)
    assert len(set(module.__all__)) == len(module.__all__)
    for exported in module.__all__:
        assert getattr(module, exported) is not None


def test_the_version_is_that_of_the_distribution() -> None:
    assert tengen.__version__ == version("tengen")


def test_the_package_says_that_it_is_typed() -> None:
    assert Path(tengen.__file__).with_name("py.typed").exists()


def python_blocks(page: Path) -> list[tuple[int, str]]:
    """The fenced blocks with the line that each begins on."""
    text = page.read_text(encoding="utf-8")
    return [(text.count("\n", 0, match.start(1)), match[1]) for match in BLOCK.finditer(text)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_python_on_a_page_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Top to bottom in one namespace; a traceback points to the line of the page."""
    monkeypatch.chdir(tmp_path)
    module = ModuleType("page")
    monkeypatch.setitem(sys.modules, "page", module)  # where pickle finds what the page defines
    for line, source in python_blocks(page):
        exec(compile("\n" * line + source, str(page), "exec"), module.__dict__)


def test_the_blocks_of_the_rules_are_found() -> None:
    assert len(python_blocks(ROOT / "docs" / "rules" / "dominion-duel.md")) >= 2


def test_the_readme_is_typed_for_a_client_project(tmp_path: Path) -> None:
    """Under strict mypy, with nothing but the package: `game.size`, `turn.energy`, `outcome.winner`."""
    client = tmp_path / "client.py"
    client.write_text("\n".join(block for _, block in python_blocks(ROOT / "README.md")), encoding="utf-8")
    asks = "game.size", "turn.energy", "outcome.winner"
    assert all(ask in client.read_text(encoding="utf-8") for ask in asks)
    client.write_text(client.read_text(encoding="utf-8") + "reveal_type(turn)\nreveal_type(board)\n")
    ran = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(client)],
        cwd=tmp_path,
        env=os.environ | {"MYPYPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "error:" not in ran.stdout, ran.stdout
    assert "_core.Kelasu" in ran.stdout and "_core.Go9 | " in ran.stdout
