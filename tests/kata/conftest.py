"""The fake KataGo, found as a real one would be."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tengen.kata.engine import close_all
from tests import waiting

FAKE = Path(__file__).with_name("fake_katago.py")


class Fake:
    """What stands in for KataGo in a test."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self._monkeypatch = monkeypatch
        self.model = folder / "net.bin.gz"
        self.model.write_bytes(bytes(20_000))
        monkeypatch.setenv("TENGEN_KATAGO", f"{sys.executable} {FAKE}")
        monkeypatch.setenv("TENGEN_KATAGO_MODEL", str(self.model))
        monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))

    def behaves(self, words: str) -> None:
        self._monkeypatch.setenv("FAKE_KATAGO", words)

    def asked(self) -> list[dict[str, Any]]:
        """The positions that it was asked about."""
        path = self.folder / "asked"
        lines = path.read_text().splitlines() if path.exists() else []
        return [one for one in map(json.loads, lines) if "action" not in one]


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Fake]:
    yield Fake(tmp_path, monkeypatch)
    close_all()


@pytest.fixture
def until() -> Callable[[Callable[[], bool]], None]:
    """Waits for something to be so."""
    return waiting.until
