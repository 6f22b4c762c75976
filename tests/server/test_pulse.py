"""What an operator sees of how a process feels."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tengen.server.pulse import EVERY_S, Pulse, open_files
from tests.server.live import live
from tests.server.table import until
from tests.waiting import let_pass


@pytest.mark.anyio
async def test_a_loop_that_was_held_up_is_noticed() -> None:
    pulse = Pulse()
    pulse.start()
    seen: list[float] = []
    let_pass(2 * EVERY_S)  # which holds the loop up
    await until(lambda: seen.append(pulse.worst_s()) or max(seen) >= 0.9 * EVERY_S)  # type: ignore[func-returns-value]
    assert pulse.worst_lately_s >= 0.9 * EVERY_S, "whoever else has asked"
    pulse.stop()


def test_the_metrics_tell(tmp_path: Path) -> None:
    with live(tmp_path) as server:
        text = server.client().get("/metrics").text
    assert "tengen_loop_lag_seconds " in text and "tengen_open_files " in text
    assert open_files() > 0 or not Path("/proc/self/fd").exists()


KNOTS = """
import weakref
from tengen.server.matches.keeper import collect

class Knot:
    def __init__(self):
        self.own = self  # garbage that knows itself, once nobody else does

young, old = Knot(), Knot()
seen_young, seen_old = weakref.ref(young), weakref.ref(old)
del young
collect(everything=False)
del old
collect(everything=False)
assert seen_young() is None and seen_old() is not None
collect(everything=True)
assert seen_old() is None
"""


def test_garbage_that_has_outlived_a_collection_goes_with_everything() -> None:
    """In a process of its own: here it would be blamed for what other tests left lying about."""
    subprocess.run([sys.executable, "-c", KNOTS], check=True)
