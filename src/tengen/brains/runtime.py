"""ONNX Runtime, with its telemetry off: the only place that imports it, which `make lint` checks.

Since version 1.29 the official builds write a device id and a queue of events into the user's cache as soon
as they are imported, and send them to their maker, unless the environment says no before that. So it is said
here, for this process and those that it starts. On Windows the events go to the system's own tracing and are
turned off by a call. Neither brains nor their makers, games or machines are anybody's business.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tengen import extras
from tengen.brains.info import BrainError

if TYPE_CHECKING:
    from types import ModuleType

Session = Any  # onnxruntime.InferenceSession, which has no types

# The first is what releases read; the second is what its developers called it before.
NO_TELEMETRY = ("ORT_DISABLE_TELEMETRY", "ORT_TELEMETRY_DISABLED")
# Graphics cards that its builds may know. Its other providers, one of which asks a server, stay unused.
GRAPHICS = ("CUDAExecutionProvider", "ROCMExecutionProvider", "DmlExecutionProvider")
_FATAL = 4  # the least that ONNX Runtime can log: what fails is told in a sentence of ours


def require() -> None:
    """Raises BrainError unless what brains need is installed."""
    if not extras.has("brains"):
        raise BrainError(extras.sentence("brains", "A brain"))


def runtime() -> ModuleType:
    """The module `onnxruntime`, told to keep what it sees to itself; raises BrainError if missing."""
    require()
    for name in NO_TELEMETRY:
        os.environ[name] = "1"
    import onnxruntime

    onnxruntime.disable_telemetry_events()
    return onnxruntime  # type: ignore[no-any-return]


def open_session(data: bytes, threads: int = 1) -> Session:
    """A session that keeps to so many threads and does not spin while it waits.

    It is on the graphics card where the installed build knows one, and else, or if that does not start, on
    the processor. Raises BrainError where ONNX Runtime is missing, and its own exceptions where it cannot
    run the net.
    """
    module = runtime()
    options = module.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = _FATAL
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # others need the cores
    options.add_session_config_entry("session.load_model_format", "ONNX")  # no format that nobody checked
    return module.InferenceSession(data, options, providers=providers(module.get_available_providers()))


def providers(known: Sequence[str]) -> list[str]:
    """What a session is to run on, the first that works, of what a build of ONNX Runtime knows."""
    return [*(name for name in GRAPHICS if name in known), "CPUExecutionProvider"]
