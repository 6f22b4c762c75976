"""Answers: JSON from msgspec, compressed where that pays, and problems in one sentence."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from typing import Any

import msgspec
from starlette.datastructures import Headers
from starlette.responses import Response

from tengen.server.protocol import Code, Problem

MIN_GZIP_BYTES = 1024
_GZIP_LEVEL = 4  # beyond it a board gets little smaller and much slower
LONGEST_LIST = 500  # characters of codings that somebody takes
_encoder = msgspec.json.Encoder()

CODE_OF_STATUS: Mapping[int, Code] = {
    400: "malformed",
    403: "stranger",
    404: "unknown",
    405: "malformed",
    408: "malformed",
    409: "not-now",
    413: "malformed",
    415: "malformed",
    429: "too-many",
    500: "unavailable",
    503: "unavailable",
}
STATUS_OF_CODE: Mapping[Code, int] = {
    "malformed": 400,
    "unknown": 404,
    "stranger": 403,
    "illegal": 409,
    "not-now": 409,
    "stale": 409,
    "over": 409,
    "time-up": 409,
    "not-your-turn": 409,
    "too-many": 429,
    "unavailable": 503,
}


def encode(value: Any) -> bytes:
    return _encoder.encode(value)


def json_response(
    value: Any, status: int = 200, *, request_headers: Headers | None = None, **headers: str
) -> Response:
    """The value as JSON; compressed if it is long and the request's headers allow it."""
    return body_response(encode(value), "application/json", status, request_headers, _named(headers))


def body_response(
    body: bytes,
    media: str,
    status: int = 200,
    request_headers: Headers | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    sent = {"cache-control": "no-store", **(headers or {})}
    if len(body) >= MIN_GZIP_BYTES and request_headers is not None:
        sent["vary"] = "Accept-Encoding"
        if accepts(request_headers, "gzip"):
            body = gzip.compress(body, _GZIP_LEVEL, mtime=0)
            sent["content-encoding"] = "gzip"
    return Response(body, status, sent, media_type=media)


def accepts(headers: Headers, coding: str) -> bool:
    """Whether the client takes that content coding; a weight of 0 means that it does not."""
    for part in headers.get("accept-encoding", "")[:LONGEST_LIST].lower().split(","):
        name, _, weight = part.partition(";")
        if name.strip() == coding:
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def problem(status: int, found: Problem, **headers: str) -> Response:
    """An answer that is not a success."""
    sent = {"cache-control": "no-store", **_named(headers)}
    return Response(encode(found), status, sent, media_type="application/json")


def _named(headers: Mapping[str, str]) -> dict[str, str]:
    """`retry_after` is written Retry-After."""
    return {name.replace("_", "-").lower(): value for name, value in headers.items()}
