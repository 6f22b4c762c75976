"""Bodies of requests: how long one may take to come, and how a large one is read while others are served.

Reading JSON holds the event loop up, some 50 ms a megabyte at worst. It is charged to the address as work,
and a study, which may have eight, is read some nodes at a time. Start reading at `received` and `decoded`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Raw
from msgspec.structs import asdict, fields
from starlette.exceptions import HTTPException
from starlette.requests import Request

from tengen.server.errors import Refusal
from tengen.server.limits import Limits
from tengen.server.protocol import Study, StudyNode, StudyReview

BODY_S = 60.0  # how long a body may take to come
SMALL = 16_384  # bytes that cost no more than the request itself
BYTES_A_MS = 50_000  # of work, beyond that
LARGE = 2**18  # bytes of a study that is read piece by piece
MOST_PIECE = 2**20  # bytes of a piece
AT_ONCE = 250  # nodes that are read in one turn of the event loop


def _with_raw(kind: type[msgspec.Struct], field: str, inside: Any) -> type[msgspec.Struct]:
    """The same type, with a field that is read later."""
    found: list[Any] = []
    for one in fields(kind):
        wanted = inside if one.name == field else one.type
        if one.required:
            found.append((one.name, wanted))
        elif one.default is not msgspec.NODEFAULT:
            found.append((one.name, wanted, one.default))
        else:
            found.append((one.name, wanted, msgspec.field(default_factory=one.default_factory)))
    return msgspec.defstruct(kind.__name__, found, frozen=True)


_STUDY = _with_raw(Study, "nodes", list[Raw])
_PIECES: dict[Any, Any] = {Study: _STUDY, StudyReview: _with_raw(StudyReview, "study", _STUDY)}
_nodes = msgspec.json.Decoder(list[StudyNode]).decode


async def received(request: Request, most: int, limits: Limits, address: str) -> bytes:
    """The whole body; raises HTTPException and TooMany."""
    length = request.headers.get("content-length", "0")
    if length.isascii() and length.isdigit() and int(length[:20]) > most:
        raise HTTPException(413, too_large(most))
    data = bytearray()
    try:
        with limits.body(address) as grown:
            async with asyncio.timeout(BODY_S):
                async for chunk in request.stream():
                    data += chunk
                    if len(data) > most:
                        raise HTTPException(413, too_large(most))
                    grown(len(data))
    except TimeoutError:
        raise HTTPException(408, "The body took too long to come.") from None
    if len(data) > SMALL:
        limits.take("work", address, len(data) / BYTES_A_MS)
    return bytes(data)


async def decoded(data: bytes, kind: Any) -> Any:
    """The value that a JSON text is; raises msgspec's errors, and Refusal."""
    pieces = _PIECES.get(kind)
    if pieces is None or len(data) < LARGE:
        return msgspec.json.decode(data, type=kind)
    found = msgspec.json.decode(data, type=pieces)
    if kind is Study:
        return await _whole(found)
    return StudyReview(**(asdict(found) | {"study": await _whole(found.study)}))


async def _whole(study: Any) -> Study:
    nodes: list[StudyNode] = []
    for piece in _pieces(study.nodes):
        nodes += _nodes(b"[" + b",".join(piece) + b"]")
        await asyncio.sleep(0)
    return Study(**(asdict(study) | {"nodes": nodes}))


def _pieces(nodes: list[Raw]) -> Iterator[list[Raw]]:
    """As many as are read in one turn; raises Refusal for one that is too large by itself."""
    piece, size = list[Raw](), 0
    for node in nodes:
        length = len(memoryview(node))
        if length > MOST_PIECE:
            raise Refusal("malformed", f"A move of a study has at most {MOST_PIECE // 2**20} MB.")
        if len(piece) == AT_ONCE or size + length > MOST_PIECE:
            yield piece
            piece, size = [], 0
        piece.append(node)
        size += length
    yield piece


def too_large(most: int) -> str:
    size = f"{most // 1024} kB" if most < 2**20 else f"{most // 2**20} MB"
    return f"The body is larger than {size}, which is the most."
