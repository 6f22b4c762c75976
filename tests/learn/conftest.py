"""Where training tests keep their brains, runs and settings."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is read from the user's folders or left there; one thread is enough for a run of its own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")


@pytest.fixture(autouse=True, scope="session")
def _one_thread() -> None:
    """Several threads would only wait for each other on boards and nets this small."""
    torch = pytest.importorskip("torch", reason="NOT TESTED: PyTorch is not installed")
    torch.set_num_threads(1)
