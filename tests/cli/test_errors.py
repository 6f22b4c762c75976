"""A command line that cannot be read is answered with one plain sentence, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tengen.brains.info import BrainError
from tengen.cli import app
from tengen.records import RecordError


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("play go -o komi=abc", "komi must be a number from -400 to 400, not 'abc'."),
        ("play go -o komi", "'komi' should be NAME=VALUE, such as size=9."),
        ("play go --size x", "--size must be a whole number; see tengen play -h."),
        ("play go --size", "--size needs a value."),
        ("play go --seed -1", "--seed must be at least 0; see tengen play -h."),
        ("play go --siz 9", "There is no --siz (perhaps --size); see tengen play -h."),
        ("play go chess", "There is no place for chess; see tengen play -h."),
        ("serve --port 99999", "--port must be at most 65535; see tengen serve -h."),
        ("train go --minutes soon", "--minutes must be a number; see tengen train -h."),
        ("arena go level:1", "The argument b is missing; see tengen arena -h."),
        ("plya", "There is no command plya (perhaps play); see tengen -h."),
        ("brains frobnicate", "There is no command frobnicate; see tengen brains -h."),
    ],
)
def test_one_sentence(words: str, said: str) -> None:
    command = [sys.executable, "-m", "tengen", *words.split()]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)
    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", f"tengen: {said}\n")


@pytest.mark.parametrize("words", [("analyse",), ("play", "--open"), ("brains", "import")])
def test_a_file_that_may_not_be_read_is_refused_by_whoever_reads_it(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command line's library looks first, and says so in other words than all else that reads files."""
    file = tmp_path / "game.sgf"
    file.write_text("no game")
    monkeypatch.setattr(os, "access", lambda *_, **__: False)
    with pytest.raises((RecordError, BrainError)):
        app([*words, str(file)], standalone_mode=False)
