"""The process that trains: `python -m tengen.learn FOLDER`, started by `Run.start`.

It holds the lock of the run for as long as it lives. A signal that asks it to end is a wish to stop, and what
goes wrong becomes one sentence in the status, with the details in the log.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import signal
import sys
import traceback
from pathlib import Path

from tengen.learn.run_files import State, take_lock
from tengen.learn.runs import IS_RUNNING, NO_TORCH, Reporter, Run

NICENESS = 5  # games that people play on this machine come first


def main(folder: Path) -> int:
    run = Run.read(folder)
    lock = take_lock(folder)
    if lock is None:
        return IS_RUNNING
    with lock:
        reporter = Reporter(run)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: reporter.ask_stop())
        if hasattr(os, "nice"):
            with contextlib.suppress(OSError):
                os.nice(NICENESS)
        state, message = _train(run, reporter)
        reporter.close(state, message)
    return 1 if state == "failed" else 0


def _train(run: Run, reporter: Reporter) -> tuple[State, str]:
    """How it ended, and what to say about it."""
    try:
        importlib.import_module(f"tengen.learn.{run.kind}").train(run, reporter)
    except Exception as error:
        traceback.print_exc()
        return "failed", _sentence(error, run)
    if reporter.limit_reached:
        return "finished", reporter.conclusion or "Training has reached its limit."
    if reporter.wish() == "stop":
        return "stopped", reporter.conclusion or "Training was stopped; start it again and it goes on."
    return "finished", reporter.conclusion or "Training is finished."


def _sentence(error: Exception, run: Run) -> str:
    if isinstance(error, ModuleNotFoundError) and (error.name or "").partition(".")[0] == "torch":
        return NO_TORCH
    if isinstance(error, MemoryError):
        return "There is not enough memory to train with these settings."
    if isinstance(error, (ValueError, OSError)) and str(error).endswith("."):
        return str(error)
    return f"Training failed ({type(error).__name__}: {error}); {run.folder / 'log.txt'} has the details."


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
