"""What a load balancer is told: that a server cannot store anything, and that it can again."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.serving.disk import Disk, SmallFiles, small_disk
from benchmarks.serving.processes import Serving
from tests.server.process import get
from tests.waiting import until


def _said(server: Serving) -> tuple[int, str]:
    answer = get(f"{server.url}/readyz")
    return answer.status_code, answer.text


def _fills_up(folder: Path, database: Path, disk: Disk, words: str) -> None:
    server = Serving(folder, f"sqlite:///{database}")
    server.start()
    try:
        disk.fill(server)
        until(lambda: _said(server)[0] == 503)
        text = _said(server)[1]
        assert text.startswith("not ready: ") and words in text
        assert get(f"{server.url}/healthz").status_code == 200, "a process that waits is not to be killed"
        disk.empty(server)
        until(lambda: _said(server) == (200, "ready\n"))
        assert "Traceback" not in server.log.read_text()
    finally:
        server.stop()


def test_a_database_that_takes_no_more_is_told_of(tmp_path: Path) -> None:
    _fills_up(tmp_path, tmp_path / "tengen.sqlite3", SmallFiles(), "cannot be written")


def test_a_full_disk_is_told_of(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk") as disk:
        if disk is None:
            pytest.skip("no file system can be mounted here; the other test stands in for it")
        _fills_up(tmp_path, tmp_path / "disk" / "tengen.sqlite3", disk, "full")
