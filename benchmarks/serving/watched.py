"""`tengen` with its event loop watched: how long its turns are, in processor time of the loop's thread.

    python -m benchmarks.serving.watched FILE serve --port 7777

Who else uses the machine makes no difference to that time, unlike to latencies. SIGUSR1 writes what was seen
since the last time to FILE and begins anew: see `Seen`. The loop costs some more for being watched. Start
reading at `watch`.
"""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
from starlette.websockets import WebSocket

from tengen.server import protocol as p
from tengen.server import wire
from tengen.server.matches import sockets

LONG_S = 0.01  # turns that are told one by one


class Seen(msgspec.Struct):
    """In seconds of the loop's processor time."""

    number: int = 0  # of the report
    longest_s: float = 0.0  # what anybody waited for at most while something else was done
    # Of each move: where it came from, and what the loop did from its frame to the answer, for whomever.
    moves_s: list[tuple[str, float]] = []
    long: list[tuple[float, str]] = []


def watch(file: Path) -> None:
    """Of all loops that are started after this."""
    seen, begun_s = Seen(), 0.0
    run_handle: Any = asyncio.Handle._run

    def run(handle: asyncio.Handle) -> None:
        callback = handle._callback  # type: ignore[attr-defined]
        begun = time.thread_time()
        run_handle(handle)
        took_s = time.thread_time() - begun
        seen.longest_s = max(seen.longest_s, took_s)
        if took_s > LONG_S:
            seen.long.append((took_s, _told(callback)))

    def collecting(phase: str, info: dict[str, int]) -> None:
        """In any thread: all others wait for it."""
        nonlocal begun_s
        if phase == "start":
            begun_s = time.thread_time()
            return
        took_s = time.thread_time() - begun_s
        seen.longest_s = max(seen.longest_s, took_s)
        if took_s > LONG_S:
            seen.long.append((took_s, f"garbage of generation {info['generation']}"))

    hand_over, receive, answer = wire.Wire._hand_over, sockets._receive, sockets._answer
    came: dict[asyncio.Task[Any] | None, float] = {}

    def handed(self: wire.Wire, text: str) -> None:
        hand_over(self, text)
        self.queue._items[-1]["came_s"] = time.thread_time()  # type: ignore[attr-defined]

    async def received(websocket: WebSocket, patience_s: float | None) -> Any:
        message = await receive(websocket, patience_s)
        came[asyncio.current_task()] = (message or {}).get("came_s", 0.0)
        return message

    async def answered(hub: Any, client: Any, websocket: Any, message: p.FromClient) -> None:
        await answer(hub, client, websocket, message)
        begun = came.pop(asyncio.current_task(), 0.0)
        if begun and isinstance(message, p.Ask):
            seen.moves_s.append((client.address, time.thread_time() - begun))

    def report(*_: object) -> None:
        unfinished = file.with_suffix(".part")
        unfinished.write_bytes(msgspec.json.encode(seen))
        seen.number += 1
        seen.longest_s, seen.moves_s, seen.long = 0.0, [], []
        unfinished.replace(file)  # last: who has it may ask again at once

    gc.callbacks.append(collecting)
    asyncio.Handle._run = run  # type: ignore[assignment, method-assign]
    wire.Wire._hand_over = handed  # type: ignore[method-assign]
    sockets._receive, sockets._answer = received, answered
    signal.signal(signal.SIGUSR1, report)


def _told(callback: Any) -> str:
    """What has run; of a task that goes on, where it waits by now."""
    task = getattr(callback, "__self__", None)
    if not isinstance(task, asyncio.Task):
        return repr(callback)[:300]
    waits: list[str] = []
    inner: Any = task.get_coro()
    while inner is not None and (frame := getattr(inner, "cr_frame", getattr(inner, "ag_frame", None))):
        waits.append(f"{frame.f_code.co_name}:{frame.f_lineno}")
        inner = getattr(inner, "cr_await", getattr(inner, "ag_await", None))
    return " ".join(["a task that waits in", *waits[-4:]] if waits else ["a task that has ended", repr(task)])


def main() -> None:
    from tengen.cli import main as run

    file, sys.argv[1:] = Path(sys.argv[1]), sys.argv[2:]
    watch(file)
    run()


if __name__ == "__main__":
    main()
