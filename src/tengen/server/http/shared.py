"""Answers that are the same for everybody: made beside the event loop, and kept for a few seconds.

They are large and cost some milliseconds, which nobody who plays should have to wait for. Start reading at
`Shared.answer`.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from starlette.datastructures import Headers
from starlette.responses import Response

from tengen.server.http.replies import accepts, encode

FRESH_S = 5.0  # after which it is made again for who asks
MAX_AGE_S = 60  # for which a client need not ask


@dataclass(slots=True)
class _Kept:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    made_at: float = float("-inf")
    body: bytes = b""
    squeezed: bytes = b""
    tag: str = ""


class Shared:
    """Not safe for threads: it lives on the event loop."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._kept: dict[str, _Kept] = {}

    async def answer(self, name: str, make: Callable[[], Any], headers: Headers) -> Response:
        """What `make` returns as JSON; it is called in another thread, and not again while that is fresh."""
        kept = self._kept.setdefault(name, _Kept())
        async with kept.lock:
            if self._clock() - kept.made_at >= FRESH_S:
                body, squeezed, tag = await asyncio.to_thread(_encoded, make)
                kept.body, kept.squeezed, kept.tag = body, squeezed, tag
                kept.made_at = self._clock()
        sent = {"cache-control": f"max-age={MAX_AGE_S}", "etag": kept.tag, "vary": "Accept-Encoding"}
        if kept.tag in headers.get("if-none-match", "").replace("W/", ""):
            return Response(None, 304, sent)
        if not accepts(headers, "gzip"):
            return Response(kept.body, 200, sent, media_type="application/json")
        sent["content-encoding"] = "gzip"
        return Response(kept.squeezed, 200, sent, media_type="application/json")


def _encoded(make: Callable[[], Any]) -> tuple[bytes, bytes, str]:
    body = encode(make())
    return body, gzip.compress(body, mtime=0), f'"{hashlib.sha256(body).hexdigest()[:16]}"'
