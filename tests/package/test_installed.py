"""The sdist, and the wheel built from it, installed outside the repository: what a stranger gets works.

One test, since building is what takes the time; its parts are subtests.
"""

from __future__ import annotations

import importlib.util
import json
import re
import tarfile
import urllib.request
import zipfile
from pathlib import Path

import pytest

from tests.package.installing import (
    Installed,
    add,
    build_sdist,
    build_wheel,
    has_node,
    install,
    lend,
)

SHIPPED = ("dominion-duel", "go", "great-kingdom", "kelasu")
TRAINING = ("train", "great-kingdom", "--size", "5", "--algorithm", "dqn", "--games", "4", "--plain")
TINY = ("mcts_iterations=2", "hidden=8", "batch_size=8", "capacity=200", "self_play_games=0", "threads=1")


def test_what_a_stranger_gets(tmp_path: Path, subtests: pytest.Subtests) -> None:
    sdist = build_sdist(tmp_path / "dist")
    with tarfile.open(sdist) as archive:
        top = {name.partition("/")[2].partition("/")[0] for name in archive.getnames()}
    assert {"LICENSE", "README.md", "pyproject.toml", "CMakeLists.txt", "cpp", "src", "web"} <= top
    assert {"tests", "benchmarks"} <= top, "the one imports the other"
    wheel = build_wheel(sdist, tmp_path / "built")
    check_content(wheel)
    installed = install(wheel, tmp_path / "installed")
    check_alone(installed, subtests)
    add(wheel, installed, ["server", "brains"])
    check_with_extras(installed, subtests)


def check_alone(installed: Installed, subtests: pytest.Subtests) -> None:
    with subtests.test("a level"):
        play_level(installed)
    with subtests.test("doctor"):
        check_doctor(installed, {"server": "absent", "brains": "absent"})
    with subtests.test("no server without its extra"):
        assert installed.run("serve", code=2).endswith("pip install 'tengen[server]'.\n")
    with subtests.test("few dependencies"):
        site = next((installed.folder / "env" / "lib").glob("python*/site-packages"))
        assert len(list(site.glob("*.dist-info"))) <= 21  # seven, and what they need


def check_with_extras(installed: Installed, subtests: pytest.Subtests) -> None:
    with subtests.test("a brain"):
        said = installed.run("play", "great-kingdom", "--first", "brain:default@4", "--against", "level:1")
        assert "wins" in said
    with subtests.test("doctor"):
        check_doctor(installed, {"server": "ok", "brains": "ok"})
    with subtests.test("the server with its client"), installed.serving() as address:
        check_server(installed, address, "brain:default@4")
    with subtests.test("a back-up"):
        installed.run("backup", "copy.sqlite3")
        assert (installed.home / "copy.sqlite3").stat().st_size > 0
    with subtests.test("no training without PyTorch"):
        said = installed.run(*TRAINING, code=2)
        assert said.endswith("pip install 'tengen[train]'.\n")
    if importlib.util.find_spec("torch") is not None:
        lend("torch", installed)
        with subtests.test("training"):
            said = installed.run(*TRAINING, *(word for setting in TINY for word in ("--set", setting)))
            assert " dqn " in installed.run("brains", "list", "great-kingdom"), said


def check_content(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert "tengen/py.typed" in names and "tengen/_core.pyi" in names
    assert {f"tengen/brains/shipped/{game}.onnx" for game in SHIPPED} <= names
    assert not [name for name in names if name.startswith(("tests/", "web/")) or "__pycache__" in name]
    if has_node():
        assert "tengen/web/index.html" in names, "npm is here, and yet the wheel has no browser client"


def play_level(installed: Installed) -> None:
    said = installed.run("play", "dominion-duel", "--first", "level:4", "--second", "level:1", "--plain")
    assert "Game Over!" in said


def check_doctor(installed: Installed, wanted: dict[str, str]) -> None:
    found = {row["part"]: row for row in json.loads(installed.run("doctor", "--json"))}
    assert {part: found[part]["state"] for part in wanted} == wanted
    assert found["browser client"]["state"] == ("ok" if has_node() else "absent")


def check_server(installed: Installed, address: str, machine: str) -> None:
    """The page and its script are served, and two machines play a match to its end before a spectator."""
    page = fetch(address)
    if has_node():
        scripts = re.findall(r'src="(/assets/[^"]+\.js)"', page)
        assert sum(len(fetch(address + script)) for script in scripts) > 10_000, page
    assert {game["name"] for game in json.loads(fetch(f"{address}/api/games"))} >= set(SHIPPED)
    seats = [{"kind": "machine", "player": player} for player in ("level:1", machine)]
    wish = {"game": "dominion-duel", "seats": seats}
    match = json.loads(fetch(f"{address}/api/matches", wish))["match"]
    said = installed.run("join", f"{address}/play/{match}", "--watch", "--plain")
    assert "Game Over!" in said


def fetch(address: str, body: object = None) -> str:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address, data, {"Content-Type": "application/json"} if data else {})
    with urllib.request.urlopen(request, timeout=60) as answer:
        found: str = answer.read().decode()
    return found
