"""Waiting for what a run does in a process of its own."""

from __future__ import annotations

from collections.abc import Callable

from tests import waiting

PATIENCE_S = 180.0  # such a process first has to import PyTorch, maybe beside other tests


def until(true: Callable[[], bool]) -> None:
    waiting.until(true, PATIENCE_S)
