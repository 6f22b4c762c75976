"""What tengen leaves behind where nobody asked it to: nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

# By these ONNX Runtime keeps still of itself, which would hide that we did not ask it to; and these say where
# programs keep what is theirs.
HIDING = ("CI", "GITHUB_ACTIONS", "TF_BUILD", "ORT_", "XDG_", "PYTEST_")
ONE_MOVE = """
import tengen
from tengen.players import make_player
game = tengen.game("great-kingdom")
player = make_player("brain:default@4", game)
assert player.choose(game.start())
player.close()
"""
SELF_PLAY = """
from tengen.learn.self_play import open_session
from tengen.brains.store import SHIPPED
open_session((SHIPPED / "go.onnx").read_bytes())
"""


@pytest.mark.parametrize("program", [ONE_MOVE, SELF_PLAY], ids=["a move", "self-play"])
def test_a_clean_home_stays_clean(program: str, tmp_path: Path) -> None:
    """ONNX Runtime would write a device id and a queue of events into the cache as it is imported."""
    home = tmp_path / "home"
    home.mkdir()
    environment = {name: value for name, value in os.environ.items() if not name.startswith(HIDING)}
    environment |= {"HOME": str(home)}
    ran = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ran.returncode == 0, ran.stderr
    assert [path.relative_to(home) for path in home.rglob("*")] == []
