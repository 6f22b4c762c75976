"""Regression problems of other programs, in files as GNU Go has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import go_regression

PROBLEMS = """# two stones, and who moves is asked
loadsgf games/one.sgf 2
10 reg_genmove white
#? [E5|D4]*

black C3
20 reg_genmove white
#? [!PASS]
undo
30 attack C3
#? [0]
40 reg_genmove black
#? [(J1|J2)]
"""


def test_problems_are_read_and_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games/one.sgf").write_text("(;SZ[9]KM[6.5];B[gc];W[cg])")
    (tmp_path / "one.tst").write_text(PROBLEMS)
    found = list(go_regression.problems(tmp_path / "one.tst"))
    load = "loadsgf games/one.sgf 2"
    assert [problem.commands for problem in found] == [(load,), (load, "play black C3"), (load,)]
    assert [found[0].is_right(move) for move in ("E5", "d4", "D5")] == [True, True, False]
    assert [found[1].is_right(move) for move in ("E5", "pass")] == [True, False]
    assert found[2].is_right("J2") and not found[2].is_right("J3")
    go_regression.run(tmp_path, [4], [9], None, "*.tst", verbose=True)
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].startswith("4 visits: 9x9 ") and " of 3 (" in lines[-1] and "0 cannot" in lines[-1]
