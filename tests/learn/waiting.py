"""Waiting for what a run does in a process of its own."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE_S = 180.0  # such a process first has to import PyTorch, maybe beside other tests


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.02)
