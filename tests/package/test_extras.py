"""Without an extra: one sentence with the command that adds it, and all else goes on."""

from __future__ import annotations

import subprocess
import sys
from importlib import metadata

import pytest
from packaging.requirements import Requirement

from tengen.extras import EXTRAS


def run_without(blocked: set[str], program: str) -> subprocess.CompletedProcess[str]:
    """Runs the program in an interpreter that cannot import those packages."""
    code = f"import sys; sys.modules |= dict.fromkeys({blocked!r})\n{program}"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("module", ["tengen.server.serve", "tengen.server.app"])
def test_the_server_needs_no_postgres_driver(module: str) -> None:
    ran = run_without({"psycopg"}, f"import {module}")
    assert ran.returncode == 0, ran.stderr


ALL = {module for extra in EXTRAS.values() for module in extra.modules}


@pytest.mark.parametrize(
    ("arguments", "extra"),
    [
        ([], "server"),
        (["serve"], "server"),
        (["join", "127.0.0.1:1"], "server"),
        (["backup", "nowhere.sqlite3"], "server"),
        (["brains", "list"], "brains"),
        (["play", "go", "--size", "9", "--first", "level:1", "--against", "brain:default"], "brains"),
        (["arena", "go", "brain:latest", "level:1", "--size", "9"], "brains"),
        (["train", "go"], "train"),
        (["duel", "go"], "train"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else value,
)
def test_a_missing_extra_is_one_sentence(arguments: list[str], extra: str) -> None:
    ran = run_without(ALL, f"import sys; sys.argv[1:] = {arguments!r}; from tengen.cli import main; main()")
    assert ran.returncode == 2, ran.stderr
    assert ran.stdout == ""
    assert ran.stderr.count("\n") == 1, ran.stderr
    assert ran.stderr.startswith("tengen: ") and ran.stderr.endswith(f": pip install 'tengen[{extra}]'.\n")


@pytest.mark.parametrize("name", ["great-kingdom", "go"])
def test_levels_hints_and_analysis_go_on_without_brains(name: str) -> None:
    """The strongest levels play with a net where it can be run; elsewhere they say that they do not."""
    program = f"""
import tengen
from tengen.players import make_player
game = tengen.game({name!r}, size=9)
player = make_player("level:10", game)
print(player.name)
assert player.choose(game.start(), 0.1)
assert tengen.analyse(game.start(), visits=20).moves
"""
    ran = run_without(ALL, program)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip().endswith("by search alone")


def test_a_postgres_database_without_its_driver_is_one_sentence() -> None:
    program = """
from tengen.server.store.database import parse
try:
    parse("postgresql://u@h/d")
except Exception as error:
    print(error)
"""
    ran = run_without({"psycopg"}, program)
    assert ran.stdout == "A PostgreSQL database needs PostgreSQL's driver: pip install 'tengen[postgres]'.\n"


def test_the_extras_of_the_package_are_those_that_are_explained() -> None:
    requirements = [Requirement(text) for text in metadata.requires("tengen") or []]
    named: dict[str, set[str]] = {name: set() for name in EXTRAS}
    for requirement in requirements:
        for name in EXTRAS:
            if requirement.marker is not None and requirement.marker.evaluate({"extra": name}):
                named[name].add(requirement.name.replace("-", "_").lower())
    assert set(metadata.metadata("tengen").get_all("Provides-Extra") or []) == set(EXTRAS)
    for name, extra in EXTRAS.items():
        included = set().union(*(named[other] for other in ("brains", "server") if "tengen" in named[name]))
        assert {module.replace(".", "_") for module in extra.modules} <= named[name] | included, name
