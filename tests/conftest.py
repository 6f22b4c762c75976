"""For every test: Ctrl-C means what it means in a terminal, no KataGo of the machine joins in, and there
are as many descriptors as a server asks for, for tests that play a thousand people."""

from __future__ import annotations

import os
import signal
import threading

from tengen.server.crowd import raise_limit

REAL_KATAGO = "TENGEN_TEST_KATAGO"  # what TENGEN_KATAGO was, for the test that needs a real one


def pytest_configure() -> None:
    """A run that was started in the background ignores SIGINT, and so would all that the tests start."""
    if (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    ):
        signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.setdefault(REAL_KATAGO, os.environ.get("TENGEN_KATAGO", ""))
    os.environ["TENGEN_KATAGO"] = "off"
    raise_limit()
