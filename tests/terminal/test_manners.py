"""The command line as a whole: what goes where, exit codes, help, completion, `config` and `doctor`."""

from __future__ import annotations

import json
import os
import resource
from pathlib import Path

import pytest

import tengen
from tengen.terminal import doctor, saving
from tests.terminal.helpers import Terminal, run

COMMANDS = (
    "play",
    "config",
    "doctor",
    "arena",
    "analyse",
    "bench",
    "gtp",
    "solve",
    "train",
    "duel",
    "brains",
)
HELP_CPU_S = 0.3  # that `tengen --help` may take


def test_help_lists_the_commands_and_the_exit_codes(tmp_path: Path) -> None:
    ran = run(tmp_path, "--help")
    assert ran.code == 0 and ran.err == ""
    assert all(f"\n  {name} " in ran.out for name in COMMANDS)
    assert "Exit codes: 0 done" in ran.out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, tmp_path: Path) -> None:
    ran = run(tmp_path, command, "--help")
    assert ran.code == 0 and len(ran.out.split("\n")) > 5


def test_help_is_quick(tmp_path: Path) -> None:
    spent = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run(tmp_path, "--help")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert min(spent) < HELP_CPU_S


def test_unknown_commands_and_flags_are_code_2(tmp_path: Path) -> None:
    for args in (("nonsense",), ("play", "--nonsense")):
        ran = run(tmp_path, *args)
        assert (ran.out, ran.code) == ("", 2)


def test_games_are_completed(tmp_path: Path) -> None:
    env = {"_TENGEN_COMPLETE": "complete_bash", "COMP_WORDS": "tengen play k", "COMP_CWORD": "2"}
    assert run(tmp_path, env=env).out.split() == ["kelasu"]


def test_config_shows_values_and_where_they_come_from(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"Game": {"GridSize": 7, "Port": 8000}}')
    ran = run(tmp_path, "config", env={"TENGEN_GAME_PORT": "9000", "TENGEN_AI_GAMMA": "1"})
    assert ran.code == 0
    rows = {line.split()[0]: line.split(maxsplit=2)[1:] for line in ran.out.splitlines()}
    assert rows["Game.GridSize"] == ["7", str(tmp_path / "config.json")]
    assert rows["Game.Port"] == ["9000", "TENGEN_GAME_PORT"]
    assert rows["AI.Memory.Capacity"] == ["10000", "default"]
    assert "Note: TENGEN_AI_GAMMA is no setting" in ran.err
    found = json.loads(run(tmp_path, "config", "--json").out)
    assert found["settings"]["Game"]["GridSize"] == 7
    assert found["origins"]["Game.Port"] == str(tmp_path / "config.json")


def test_wrong_config_is_one_sentence_for_every_command_that_reads_it(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"Game": {"GridSize": 8}}')
    for args in (("config",), ("play", "great-kingdom")):
        ran = run(tmp_path, *args)
        assert ran.err == (
            f"tengen: {tmp_path / 'config.json'}: "
            "Game.GridSize must be an odd whole number from 3 to 19, not 8.\n"
        )
        assert (ran.out, ran.code) == ("", 2)


def test_settings_are_used_and_flags_win(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"Game": {"GridSize": 7, "MCTSIterations": 12}}')
    ran = run(tmp_path, "play", "great-kingdom", "--against", "mcts")
    assert ran.out.startswith("Great Kingdom 7x7: Blue is you, Orange is mcts 12.")
    for flags in (("--size", "5"), ("-o", "size=5")):
        assert run(tmp_path, "play", "great-kingdom", *flags).out.startswith("Great Kingdom 5x5")
    assert run(tmp_path, "play", "go").out.startswith("Go 19x19"), "the grid is Great Kingdom's"


def test_doctor(tmp_path: Path) -> None:
    rows = json.loads(run(tmp_path, "doctor", "--json").out)
    parts = {row["part"]: row["state"] for row in rows}
    assert parts["core"] == parts["search"] == parts["settings"] == parts["store"] == "ok"
    assert parts["server"] == parts["brains"] == parts["PostgreSQL"] == "ok"
    client = Path(tengen.__file__).parent / "web" / "index.html"
    assert parts["browser client"] == ("ok" if client.exists() else "absent")
    (tmp_path / "config.json").write_text('{"Game": {"Port": 0}}')
    with Terminal(tmp_path, "doctor", XDG_DATA_HOME="/dev/null/nowhere") as terminal:
        assert terminal.wait() == 1
        assert "BROKEN  settings" in terminal.text and "fix: correct the value" in terminal.text
        assert "BROKEN  store" in terminal.text
        assert "BROKEN  KataGo" not in terminal.text, "nor is it KataGo's fault"
        assert terminal.text.count("\n") <= 24, "one screen"


def test_the_doctor_looks_into_the_database_and_the_brains(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    folder = saving.folder().parent
    (folder / "brains" / "go").mkdir(parents=True)
    damaged = [folder / "tengen.sqlite3", folder / "brains" / "go" / "mine.onnx"]
    for path in damaged:
        path.write_text("neither a database nor a net")
    found = {finding.part: finding for finding in doctor.examine()}
    assert found["server"].state == "broken" and "is not a database" in found["server"].words
    assert found["brains"].state == "broken" and "go: mine.onnx is not" in found["brains"].words
    assert {path for path in folder.rglob("*") if path.is_file()} == set(damaged), "it only looks"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_the_doctor_sees_a_full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    with Path("/dev/full").open("wb") as full:
        monkeypatch.setattr("tempfile.TemporaryFile", lambda **_: full)
        (store,) = [finding for finding in doctor.examine() if finding.part == "store"]
    assert store.state == "broken" and store.words.endswith("No space left on device")


def test_the_doctor_sees_a_home_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As of a container whose HOME is another user's."""
    really = Path.stat

    def refused(self: Path, *, follow_symlinks: bool = True) -> os.stat_result:
        if self.is_relative_to(tmp_path):
            raise PermissionError(13, "Permission denied", str(self))
        return really(self, follow_symlinks=follow_symlinks)

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "theirs"))
    monkeypatch.setattr(Path, "stat", refused)
    found = {finding.part: finding for finding in doctor.examine()}
    for part in ("store", "brains"):
        assert found[part].state == "broken" and found[part].words.endswith("Permission denied")
