"""SIGTERM ends a game as leaving it does: the game is kept, and the terminal is as it was."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from typing import NoReturn

CODE = 128 + signal.SIGTERM  # what a shell calls a program that was ended so


@contextlib.contextmanager
def ends_in_order() -> Iterator[None]:
    """While a game is played in the main thread, SIGTERM raises SystemExit there."""

    def end(*_: object) -> NoReturn:
        raise SystemExit(CODE)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
