"""Limits and log level from a file, and the board of what /metrics has."""

from __future__ import annotations

import json
import logging
import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tengen.server import tuning
from tengen.server.config import ServerConfig
from tengen.server.http.service import Service, WebConfig
from tengen.server.limits import RATES, Limits, TooMany
from tengen.server.metrics import _LATENCIES_S, Metrics
from tests.server.process import running

BOARD = Path(__file__).parents[2] / "docs" / "grafana.json"


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    logger = logging.getLogger("tengen")
    level = logger.level
    yield tmp_path / "tuning.json"
    logger.setLevel(level)


def test_limits_and_log_level_follow_the_file(file: Path) -> None:
    limits = Limits()
    file.write_text(
        '{"log_level": "error", "sockets": 1, "rates": {"requests": {"burst": 2, "per_second": 1}}}'
    )
    tuning.retune(file, limits)
    assert logging.getLogger("tengen").level == logging.ERROR
    for _ in range(2):
        limits.take("requests", "a")
    with pytest.raises(TooMany):
        limits.take("requests", "a")
    with limits.socket("a"), pytest.raises(TooMany), limits.socket("a"):
        pass
    file.write_text("{}")
    tuning.retune(file, limits)
    limits.take("requests", "b", RATES["requests"].burst)
    assert logging.getLogger("tengen").level == logging.INFO


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "cannot be used"),
        ('{"log_level": "loud"}', r"cannot be used\. In log_level: invalid enum value 'loud'\.$"),
        ('{"rates": {"requests": {"burst": 0, "per_second": 1}}}', "cannot be used"),
        ('{"rates": {"wishes": {"burst": 1, "per_second": 1}}}', "no such rate: wishes"),
        ('{"sokcets": 3}', "cannot be used"),
        (None, "cannot be read"),
    ],
)
def test_a_file_that_cannot_be_used_changes_nothing(
    file: Path, text: str | None, why: str, caplog: pytest.LogCaptureFixture
) -> None:
    limits = Limits()
    if text is not None:
        file.write_text(text)
    with pytest.raises(tuning.TuningError, match=why):
        tuning.read(file)
    tuning.retune(file, limits)
    assert "Nothing was changed" in caplog.text
    limits.take("requests", "a", RATES["requests"].burst)


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="needs SIGHUP")
def test_a_running_server_reads_it_again(tmp_path: Path) -> None:
    file = tmp_path / "tuning.json"
    file.write_text("{}")
    with running(tmp_path, "serve", "--port", "0", "--tuning", str(file)) as server:
        server.url()
        file.write_text('{"log_level": "debug"}')
        os.kill(server.process.pid, signal.SIGHUP)
        server.expect("were read again")


@pytest.mark.anyio
async def test_the_board_shows_what_there_is(sqlite_url: str) -> None:
    service = await Service.open(ServerConfig(database_url=sqlite_url, machines=False), WebConfig())
    try:
        service.metrics.moved("match", 0.1, 0.2, 0.3)
        told = service.metrics.text().decode()
    finally:
        await service.stop()
    known = set(re.findall(r"^# TYPE (\w+)", told, re.M)) | {"tengen_http_requests_total"}
    assert 'tengen_move_seconds_count{phase="stored"} 1.0' in told
    for panel in json.loads(BOARD.read_text())["panels"]:
        for target in panel["targets"]:
            for name in re.findall(r"tengen_\w+", target["expr"]):
                assert {name, name.removesuffix("_bucket"), name.removesuffix("_total")} & known, name


def test_the_histogram_of_moves_is_one_as_prometheus_reads_it() -> None:
    from prometheus_client import CollectorRegistry, Histogram, generate_latest

    metrics, registry = Metrics(), CollectorRegistry()
    theirs = Histogram("tengen_move_seconds", "It", ("phase",), buckets=_LATENCIES_S, registry=registry)
    for seconds in ((0.0001, 0.001, 0.0011), (0.3, 10.0, 99.0)):
        metrics.moved("match", *seconds)
        for phase, took_s in zip(("decided", "stored", "told"), seconds, strict=True):
            theirs.labels(phase).observe(took_s)

    def samples(text: bytes) -> set[str]:
        lines = text.decode().splitlines()
        return {line for line in lines if line.startswith("tengen_move_seconds_") and "created" not in line}

    assert len(samples(metrics.text())) == 3 * (len(_LATENCIES_S) + 3)
    assert samples(metrics.text()) == samples(generate_latest(registry))
