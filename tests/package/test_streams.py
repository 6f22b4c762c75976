"""Streams that are closed, full or no longer read: no command ends in a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the redirections are a POSIX shell's")
COMMANDS = ["config", "play", "play great-kingdom", "brains list", "gtp", "train --list"]


def shell(line: str, home: Path) -> subprocess.CompletedProcess[str]:
    # With PYTHONUNBUFFERED nothing is left to be written at the end, where it goes wrong.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment |= {"HOME": str(home), "XDG_DATA_HOME": str(home), "PYTHON": sys.executable}
    return subprocess.run(
        ["/bin/sh", "-c", line], env=environment, cwd=home, capture_output=True, text=True, timeout=120
    )


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("closed", ["</dev/null", "<&- >&-", "<&- >&- 2>&-"])
def test_closed_streams(command: str, closed: str, tmp_path: Path) -> None:
    ran = shell(f'"$PYTHON" -m tengen {command} {closed}', tmp_path)
    assert ran.returncode in (0, 1), ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize("command", ["config", "play great-kingdom --first level:1 --second level:1", "-h"])
def test_a_reader_that_has_seen_enough(command: str, tmp_path: Path) -> None:
    """`head` may end before or after the last line is written; there is nothing to say about it."""
    ran = shell(f'{{ "$PYTHON" -m tengen {command}; echo $? >code; }} | head -1', tmp_path)
    assert ran.stdout.count("\n") == 1
    assert "Traceback" not in ran.stderr and "BrokenPipe" not in ran.stderr
    assert (tmp_path / "code").read_text().strip() in ("0", "141")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_is_a_sentence(tmp_path: Path) -> None:
    ran = shell('"$PYTHON" -m tengen config >/dev/full', tmp_path)
    assert ran.returncode == 2
    assert ran.stderr.splitlines()[-1] == "tengen: No space left on device."


@pytest.mark.parametrize(
    "command", ["new my-game", "arena dominion-duel random random --games 2 --folder games"]
)
def test_what_cannot_be_written_leaves_nothing_half_written(command: str, tmp_path: Path) -> None:
    ran = shell(f'ulimit -f 0; "$PYTHON" -m tengen {command}', tmp_path)
    assert ran.returncode == 2 and ran.stderr.splitlines()[-1] == "tengen: File too large."
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
    assert shell(f'"$PYTHON" -m tengen {command}', tmp_path).returncode == 0, "it can be tried again"


def test_a_stream_that_takes_only_ascii(tmp_path: Path) -> None:
    ran = shell('PYTHONIOENCODING=ascii "$PYTHON" -m tengen brains list kelasu', tmp_path)
    assert ran.returncode == 0 and "10?10" in ran.stdout, ran.stderr


def test_version(tmp_path: Path) -> None:
    import tengen

    assert shell('"$PYTHON" -m tengen --version', tmp_path).stdout == f"tengen {tengen.__version__}\n"


@pytest.mark.parametrize("command", ["", "play", "arena", "brains", "brains rate", "train", "serve", "solve"])
def test_short_help(command: str, tmp_path: Path) -> None:
    ran = shell(f'"$PYTHON" -m tengen {command} -h', tmp_path)
    assert ran.returncode == 0 and ran.stdout.startswith("Usage: tengen")


@pytest.mark.parametrize(
    ("words", "wanted"), [("play great", "great-kingdom"), ("tr", "train"), ("train kel", "kelasu")]
)
def test_shell_completion(words: str, wanted: str, tmp_path: Path) -> None:
    line = f"_TENGEN_COMPLETE=complete_bash COMP_WORDS='tengen {words}' COMP_CWORD={words.count(' ') + 1}"
    ran = shell(f'{line} "$PYTHON" -m tengen', tmp_path)
    assert ran.stdout.split() == [wanted], ran.stderr
