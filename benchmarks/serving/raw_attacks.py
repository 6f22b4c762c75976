"""Attackers who send bytes that are no play: requests, connections, headers, frames and bodies."""

from __future__ import annotations

import asyncio

from benchmarks.serving.target import CONNECTIONS, SOCKETS, Target
from benchmarks.serving.wire import frame
from tengen.server.protocol import PROTOCOL

MORE, TEXT, PING, PONG = 0, 1, 9, 10  # opcodes


def begun(opcode: int, payload: bytes) -> bytes:
    """A frame of a message that goes on."""
    found = frame(opcode, payload)
    return bytes((found[0] & 0x7F, *found[1:]))


async def requests(target: Target) -> None:
    await target.again(CONNECTIONS, b"GET /api/me HTTP/1.1\r\n" + target.host + b"Connection: close\r\n\r\n")


async def pipelined(target: Target) -> None:
    await target.again(CONNECTIONS, (b"GET /api/me HTTP/1.1\r\n" + target.host + b"\r\n") * 400, pause_s=1.0)


async def connections(target: Target) -> None:
    await target.again(CONNECTIONS, b"", pause_s=0.0)


async def headers(target: Target) -> None:
    await target.again(CONNECTIONS, b"GET /healthz HTTP/1.1\r\n" + target.host + b"a:\r\n" * 3900 + b"\r\n")


async def half_open(target: Target) -> None:
    await target.again(CONNECTIONS, b"GET / HTTP/1.1\r\n" + target.host + b"X: ", pause_s=1.0)


async def reconnecting(target: Target) -> None:
    await target.again(CONNECTIONS, target.upgrade)


async def hellos(target: Target) -> None:
    await target.sockets(b'{"type":"hello","protocol":%d,"secret":"%s"}' % (PROTOCOL, b"x" * 43))


async def strange_matches(target: Target) -> None:
    await target.sockets(b'{"type":"watch","match":"no-such-match-here"}')


async def nonsense(target: Target) -> None:
    await target.sockets(b'{"type":"watch","match":' + b"[" * 2000)


async def pongs(target: Target) -> None:
    await target.flood(b"", frame(PONG, b"") * 500)


async def pieces(target: Target) -> None:
    """Of messages that never end."""
    await target.flood(begun(TEXT, b"{"), begun(MORE, b"") * 500)


async def chunks(target: Target) -> None:
    """A body, a byte at a time."""
    how = b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    body = b"1\r\nx\r\n" * 20_000
    await target.again(CONNECTIONS, b"POST /api/studies HTTP/1.1\r\n" + target.host + how + body, pause_s=2.0)


async def early_frames(target: Target) -> None:
    """Frames that come with the upgrade, before there is a socket."""
    pongs = frame(PONG, b"") * 10_000
    await target.again(CONNECTIONS, target.upgrade + pongs, pause_s=0.2)


async def drips(target: Target) -> None:
    """Bodies, heads and frames a byte at a time, in packets of their own."""
    body = b"POST /api/studies HTTP/1.1\r\n" + target.host + b"Content-Type: application/json\r\n"
    head = b"GET /healthz HTTP/1.1\r\n" + target.host + b"X: "
    await asyncio.gather(
        target.drip(CONNECTIONS // 2, body + b"Content-Length: 2000000\r\n\r\n", b"x"),
        target.drip(CONNECTIONS // 2, head, b"x"),
        target.drip(SOCKETS, target.upgrade, frame(TEXT, b" " * 16_000)),
    )


async def long_headers(target: Target) -> None:
    """As many cookies, parts of a query and tags as fit into a header."""
    end = b"\r\nConnection: close\r\n\r\n"
    heads = (
        b"GET /api/me HTTP/1.1\r\n" + target.host + b"Cookie: " + b"a=b;" * 3900,
        b"GET /api/me/matches?" + b"a=b&" * 3900 + b" HTTP/1.1\r\n" + target.host + b"X: y",
        b"GET / HTTP/1.1\r\n" + target.host + b"If-None-Match: " + b'"a",' * 3900,
    )
    await asyncio.gather(*(target.again(CONNECTIONS // 3, head + end) for head in heads))


async def pings(target: Target) -> None:
    """As many as nobody is cut off for."""
    await target.flood(b"", frame(PING, b"x" * 125) * 40, every_s=1.0)


async def odd(target: Target) -> None:
    """What is no request, or one that nobody honest would make."""
    host, wants = target.host, b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    json = b"POST /api/matches HTTP/1.1\r\n" + host + b"Content-Type: application/json\r\n"
    key = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    forms = (
        b"GET /api/me HTTP/1.0\r\n\r\n",
        b"GET http://elsewhere.example/api/me HTTP/1.1\r\n" + host + b"\r\n",
        b"OPTIONS * HTTP/1.1\r\n" + host + b"\r\n",
        b"TRACE / HTTP/1.1\r\n" + host + b"\r\n",
        b"CONNECT a:1 HTTP/1.1\r\n" + host + b"\r\n",
        b"GET / HTTP/1.1\r\n" + host + b"Range: bytes=" + b"0-1," * 3000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: \xff\r\n\r\n",
        b"GET /\0 HTTP/1.1\r\n" + host + b"\r\n",
        b"GET /%zz%00%ff?%zz HTTP/1.1\r\n" + host + b"\r\n",
        b"GET /" + b"%2e%2e/" * 2000 + b" HTTP/1.1\r\n" + host + b"\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"\x16\x03\x01\x02\0\x01",
        json + b"Content-Length: -1\r\n\r\n",
        json + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
        json + b"Expect: 100-continue\r\nContent-Length: 5\r\n\r\n",
        json + b"Content-Length: 16000\r\n\r\n" + b"[" * 16_000,
        b"GET /x HTTP/1.1\r\n" + host + wants + key + b"\r\n",
        b"GET /api/socket HTTP/1.1\r\n" + host + wants + b"Sec-WebSocket-Key: x\r\n\r\n",
        target.upgrade[:-2] + b"Sec-WebSocket-Extensions: " + b"permessage-deflate," * 700 + b"x\r\n\r\n",
        b"GET /api/me HTTP/1.1\r\n" + host + b"X-Forwarded-For: " + b"1," * 7000 + b"\r\n\r\n",
        b"GET /enter/" + b"a" * 64 + b" HTTP/1.1\r\n" + host + b"\r\n",
        b"GET /admin HTTP/1.1\r\n" + host + b"\r\n",
        b"\r\n" * 8000,
    )
    await asyncio.gather(*(target.again(CONNECTIONS // len(forms), form) for form in forms))


async def unread(target: Target) -> None:
    """The largest answers, which nobody reads."""
    paths = (b"/api/games", b"/api/openapi.json", b"/")
    asked = (b"GET " + path + b" HTTP/1.1\r\n" + target.host + b"\r\n" for path in paths)
    await asyncio.gather(*(target.again(CONNECTIONS // 3, one * 30, pause_s=20.0) for one in asked))
