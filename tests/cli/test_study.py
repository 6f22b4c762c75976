"""The commands for study: arena, analyse, solve, gtp, bench. The real program, through pipes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import tengen
from tengen.cli_study import analyse, counted
from tengen.records import Record

SGF = "(;GM[1]FF[4]SZ[9]KM[7.5]RU[Chinese];B[ee];W[cc];B[gc];W[cg];B[];W[])"


def run(*words: str, stdin: str = "", cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tengen", *words]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=120, cwd=cwd)


def data(*words: str, cwd: Path | None = None) -> Any:
    ran = run(*words, "--json", cwd=cwd)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def test_arena(tmp_path: Path) -> None:
    words = ("arena", "dominion-duel", "level:4", "random", "--games", "6")
    found = data(*words, cwd=tmp_path)
    assert found["games"] == 6 and found["a"] == "level:4"
    text = run(*words, cwd=tmp_path).stdout
    assert "level:4 against random" in text and "Elo" in text and "as Player 1" in text
    assert "A was level:4 by tengen" in text
    assert list(tmp_path.iterdir()) == [], "nobody asked for a folder"
    for games in ("6", "4"):
        assert data(*words[:-1], games, "--folder", "kept", cwd=tmp_path)["games"] == int(games)
    assert (tmp_path / "kept" / "games.jsonl").read_text().count("\n") == 6
    again = run(*words, "--folder", "kept", cwd=tmp_path)
    assert again.stderr.strip().endswith("6/6 0:00:00"), "none had to be played"


def test_an_even_match_is_plus_zero() -> None:
    assert "\nElo +0 (95 %" in run("arena", "dominion-duel", "level:4", "level:4", "--games", "2").stdout


def test_a_file_that_cannot_be_written_is_refused_before_the_review(tmp_path: Path) -> None:
    game = tmp_path / "game.sgf"
    game.write_text(f"{SGF}{SGF}")
    (tmp_path / "new-2.sgf").write_text("another game")
    for words, sentence in (
        (("--sgf", "nowhere/new.sgf"), "Cannot write nowhere/new.sgf: there is no folder nowhere."),
        (("--sgf", "game.sgf"), "game.sgf is there already: choose another name."),
        (("--all", "--sgf", "new.sgf"), "new-2.sgf is there already: choose another name."),
    ):
        ran = run("analyse", "game.sgf", "--visits", "1000000", *words, cwd=tmp_path)
        assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", f"tengen: {sentence}\n")
    assert game.read_text() == f"{SGF}{SGF}"


@pytest.mark.parametrize(
    ("here", "said"),
    [
        (True, "No brain has learned this board: win rates and leads are rough.\n"),
        (False, "Win rates and leads are rough: a better judge needs ONNX Runtime: pip install"),
    ],
)
def test_why_win_rates_are_rough(
    here: bool, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever lacks the brains does not hear that none has learned the board."""
    (tmp_path / "game.sgf").write_text("(;GM[1]FF[4]SZ[5];B[cc])")
    monkeypatch.setattr("tengen.extras.has", lambda name: here)
    analyse(tmp_path / "game.sgf", visits=5, engine="own")
    assert capsys.readouterr().out.startswith(said)


def test_analyse_reads_sgf_and_records(tmp_path: Path) -> None:
    (tmp_path / "game.sgf").write_text(SGF)
    found = data("analyse", str(tmp_path / "game.sgf"), "--visits", "40")
    assert [move["move"] for move in found["moves"]] == ["E5", "C7", "G7", "C3", "pass", "pass"]
    assert all(0 <= move["win_after"] <= 1 for move in found["moves"])

    kelasu = tengen.game("kelasu")
    state = kelasu.start()
    for action in kelasu.parse(state, "B1-C1; B3-C3; B4-C4; B5-C5"):
        state = state.play(action)
    Record.from_state(state).save(tmp_path / "game.json")
    text = run("analyse", str(tmp_path / "game.json"), "--visits", "40").stdout
    assert "B1-C1; B3-C3; B4-C4; B5-C5" in text or "B1-C1;B3-C3;B4-C4;B5-C5" in text
    assert "Blue:" in text and "Red:" in text


def test_the_lead_beside_a_win_rate_is_of_the_same_moment(tmp_path: Path) -> None:
    """A blunder stood beside the lead that it gave away."""
    (tmp_path / "game.sgf").write_text("(;GM[1]FF[4]SZ[19]KM[0];B[aa];W[pd];B[dp])")
    found = data("analyse", str(tmp_path / "game.sgf"), "--visits", "5")["moves"]
    text = run("analyse", str(tmp_path / "game.sgf"), "--visits", "5").stdout
    told = re.findall(r"win +([\d.]+)%  lead ([-+][\d.]+)", text)
    assert len(told) == len(found) == 3 and found[0]["mistake"] == "blunder"
    for (win, lead), move in zip(told, found, strict=True):
        assert float(lead) == pytest.approx(move["lead_after"], abs=0.06)
        assert (float(win) - 50) * float(lead) > 0 and (move["win_before"] - 0.5) * move["lead"] >= 0


def test_mistakes_are_counted_from_the_worst_down() -> None:
    kinds = ["inaccuracy", "blunder", "mistake", "inaccuracy"]
    assert counted(kinds) == "1 blunder, 1 mistake, 2 inaccuracies"
    assert counted([]) == "no mistakes found"


def test_solve() -> None:
    found = data("solve", "dominion-duel", "--size", "9")
    assert found["exact"] and found["winner"] == 0 and found["line"][0] == "5"
    found = data("solve", "go", "--size", "2", "-o", "scoring=area")
    assert found["exact"] and found["value"] is not None
    assert "lead of 0" in run("solve", "great-kingdom", "--size", "3").stdout


def test_gtp_conversation() -> None:
    script = (
        "1 boardsize 9\n2 komi 7.5\n3 play b E5\n4 genmove w\n5 undo\n6 nonsense\nkata-analyze b 5\nquit\n"
    )
    ran = run("gtp", "--visits", "50", stdin=script)
    answers = ran.stdout.split("\n\n")
    assert ran.returncode == 0 and answers[0] == "=1" and answers[5].startswith("?6")
    vertex = answers[3].removeprefix("=4 ")
    assert vertex == "pass" or vertex[0] in "ABCDEFGHJ"


def test_bench() -> None:
    rows = data("bench", "--seconds", "0.1")
    assert {row["game"] for row in rows} == set(tengen.games()[:4])
    assert all(row["playouts_s"] > 0 and row["simulations_s"] > 0 for row in rows)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("arena", "chess", "level:1", "random"), "There is no game 'chess'"),
        (("arena", "go", "level:99", "random"), "levels 1 to 10"),
        (("arena", "go", "fish", "random"), "is no player"),
        (("arena", "go", "random", "gtp:no-such-program"), "no-such-program"),
        (("analyse", "no-such-file.sgf"), "no-such-file.sgf"),
        (("solve", "kelasu"), "no exact solver"),
        (("solve", "go", "--size", "9", "-o", "scoring=area"), "at most"),
        (("solve", "go", "-o", "size"), "NAME=VALUE"),
        (("solve", "go", "-o", "sise=9"), "no option 'sise'"),
        (("solve", "great-kingdom", "-o", "neutral=perhaps"), "neutral must be True or False"),
    ],
)
def test_a_wrong_request_is_one_sentence_and_changes_nothing(
    words: tuple[str, ...], sentence: str, tmp_path: Path
) -> None:
    ran = run(*words, cwd=tmp_path)
    assert ran.returncode == 2 and sentence in ran.stderr
    assert "Traceback" not in ran.stderr and len(ran.stderr.strip().splitlines()) == 1
    assert ran.stdout == "" and not any(tmp_path.iterdir())
