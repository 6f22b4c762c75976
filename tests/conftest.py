"""For every test: Ctrl-C means what it means in a terminal."""

from __future__ import annotations

import signal
import threading


def pytest_configure() -> None:
    """A run that was started in the background ignores SIGINT, and so would all that the tests start."""
    if (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    ):
        signal.signal(signal.SIGINT, signal.default_int_handler)
