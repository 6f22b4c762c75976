"""Clocks of a game in lines: they tick before the prompt, are said where that cannot be, and fall."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tengen.game import InvalidOption
from tengen.match import Absolute, Fischer
from tengen.terminal.times import read_clock
from tests.terminal.helpers import Terminal, run

SMALL = ("play", "go", "--size", "5")


def test_the_clock_ticks_beside_what_is_typed(tmp_path: Path) -> None:
    with Terminal(tmp_path, *SMALL, "--clock", "10") as terminal:
        terminal.expect("] Black> ")
        terminal.expect("[ 9:5")
        terminal.expect(" 10:00] Black> ")
        terminal.send("c3")
        terminal.expect("Black plays C3.")
        terminal.expect("] White> ")
        terminal.expect(" 9:5")
        terminal.send("quit")
        assert terminal.wait() == 0


def test_the_flag_falls_while_nothing_is_typed(tmp_path: Path) -> None:
    with Terminal(tmp_path, *SMALL, "--clock", "0.03") as terminal:
        terminal.expect("White wins: Black has run out of time.")
        assert terminal.wait() == 0
        assert terminal.settings == terminal.given, "the terminal is given back as it was"


def test_the_clock_stands_while_the_game_is_left(tmp_path: Path) -> None:
    run(tmp_path, *SMALL, "--clock", "10", lines=["c3", "quit"])
    (path,) = (tmp_path / "data" / "tengen" / "unfinished").iterdir()
    kept = json.loads(path.read_text())
    assert [event["kind"] for event in kept["events"]] == ["move", "suspend"]
    hours_ago = 5 * 3_600_000
    kept["setup"]["started_ms"] -= hours_ago
    for event in kept["events"]:
        event["at_ms"] -= hours_ago
    path.write_text(json.dumps(kept))
    ran = run(tmp_path, "play", "--resume", lines=["b2", "quit"])
    assert "White plays B2." in ran.out, ran


def test_a_pipe_is_told_the_clocks(tmp_path: Path) -> None:
    ran = run(tmp_path, *SMALL, "--clock", "10+5", lines=["c3", "quit"])
    assert "Clocks: Black 10:00, White 10:00.\nBlack> c3\n" in ran.out
    assert "[" not in ran.out and ran.code == 0


def test_a_machine_plays_within_its_time(tmp_path: Path) -> None:
    ran = run(tmp_path, *SMALL, "--clock", "0.5", "--first", "mcts:100s", lines=["quit"])
    assert "Black plays " in ran.out and ran.code == 0


def test_times_that_are_read() -> None:
    assert read_clock("10") == Absolute(600_000)
    assert read_clock(" 0.5+3 ") == Fischer(30_000, 3000)
    for wrong in ("", "x", "1+", "0", "nan", "1e9"):
        with pytest.raises(InvalidOption, match="is no time"):
            read_clock(wrong)


def test_a_clock_that_cannot_be_read_is_a_sentence(tmp_path: Path) -> None:
    ran = run(tmp_path, *SMALL, "--clock", "soon")
    assert ran.code == 2 and ran.err == "tengen: 'soon' is no time: type minutes, or minutes+seconds.\n"
