"""Attackers whose requests are well formed, but larger, deeper or slower than anybody honest needs."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import itertools
import socket
from collections.abc import Iterator
from typing import Any

import msgspec

from benchmarks.serving.owning_attacks import WIDE, request
from benchmarks.serving.playing_attacks import A_SECOND, own
from benchmarks.serving.target import CONNECTIONS, SOCKETS, Target
from benchmarks.serving.wire import Wire, frame
from tengen.server.protocol import PROTOCOL

TEXT = 1  # an opcode
HELD_S = 20.0
GROWN, READERS = 600, 30  # events of a match, and who reads it slowly


async def _in_turn(target: Target, count: int, requests: list[bytes]) -> None:
    """So many at a time, each what comes next in a round."""
    waiting = itertools.cycle(requests)
    target.begun.set()

    async def one() -> None:
        while True:
            with contextlib.suppress(OSError, TimeoutError):
                await target.say(next(waiting))
            await asyncio.sleep(0.01)

    await asyncio.gather(*(one() for _ in range(count)))


async def held_bodies(target: Target) -> None:
    """Bodies that are announced where nobody wants one, and never come."""
    paths = (
        "GET /api/me",
        "GET /",
        "GET /api/nope",
        "POST /api/lab/runs",
        "POST /api/me/recovery",
        "GET /healthz",
    )
    end = b"Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\nx"
    heads = itertools.cycle([f"{path} HTTP/1.1\r\n".encode() + target.host + end for path in paths])
    target.begun.set()

    async def one() -> None:
        while True:
            with contextlib.suppress(OSError, TimeoutError):
                await target.say(next(heads), pause_s=HELD_S)
            await asyncio.sleep(0.02)

    await asyncio.gather(*(one() for _ in range(CONNECTIONS)))


async def deep_json(target: Target) -> None:
    """Wishes for a match that are deep, wide or long."""
    seats = b'"seats":[{"kind":"me"},{"kind":"me"}]'
    forms = (
        b"[" * 16_000,
        b'{"a":' * 2600 + b"1" + b"}" * 2600,
        b'{"game":"go",' + seats + b',"options":{"size":' + b"[" * 5000 + b"]" * 5000 + b"}}",
        b'{"game":"go",' + seats + b',"options":{' + b",".join(b'"k%d":1' % n for n in range(1300)) + b"}}",
        b'{"game":"go",' + seats + b',"options":{"komi":' + b"9" * 15_000 + b"}}",
        b'{"game":"go",' + seats + b',"origin":["' + b"9/" * 7000 + b'",0]}',
        b'{"game":"kelasu",' + seats + b',"origin":["' + b"b" * 15_000 + b'",0]}',
        b'{"game":"dominion-duel",' + seats + b',"options":{"n":1000000}}',
    )
    await _in_turn(target, 40, [target.posted("/api/matches", form) for form in forms])


async def files(target: Target) -> None:
    """SGF and records that are nothing but one thing, and encodings that are none."""
    texts = (
        "(" * 1_900_000,
        "(;GM[1]" * 200_000,
        "(;GM[1]SZ[19]" + ";B[aa]W[bb]" * 150_000 + ")",
        "(;GM[1]SZ[9]AB" + "[aa:ii]" * 200_000 + ")",
        "(;GM[1]SZ[9];LB" + "[aa:xx]" * 250_000 + ")",
        "(;GM[1]SZ[" + "9" * 1_900_000 + "])",
        "(;" + "A" * 1_900_000 + "[x])",
        "[" * 1_900_000,
    )
    named = (b"UTF-7", b"punycode", b"idna", b"zlib", b"unicode_escape")
    datas = [b"(;GM[1]CA[" + name + b"]C[" + b"xn--a." * 200_000 + b"])" for name in named]
    datas += [b"\x81\x30\x81\x30" * 450_000, b"\xff\xfe" + b"(\0" * 900_000]
    forms: list[dict[str, str]] = [{"text": text} for text in texts]
    forms += [{"data": base64.b64encode(data).decode()} for data in datas]
    wanted = itertools.product(("/api/studies", "/api/studies/games"), forms)
    await _in_turn(target, 8, [target.posted(path, msgspec.json.encode(form)) for path, form in wanted])


async def wide_lines(target: Target) -> None:
    """All positions on the way to a place on the widest board."""
    place = {"game": "dominion-duel", "options": {"n": 2000}, "moves": [[3 * n] for n in range(320)]}
    await target.post(8, "/api/line", msgspec.json.encode(place))


async def slow_readers(target: Target) -> None:
    """Sockets that ask for a long match and take a few bytes of it a second."""
    async with own(target, SOCKETS - READERS) as match:
        await match.grow(GROWN)
        target.begun.set()
        hello = frame(TEXT, b'{"type":"hello","protocol":%d,"secret":null}' % PROTOCOL)
        watch = frame(TEXT, b'{"type":"watch","match":"%s"}' % match.match.encode())

        async def one() -> None:
            narrow = socket.socket()
            narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            narrow.setblocking(False)
            narrow.bind((target.source, 0))
            await asyncio.get_running_loop().sock_connect(narrow, ("127.0.0.1", target.port))
            reader, writer = await asyncio.open_connection(sock=narrow, limit=256)
            try:
                writer.write(target.upgrade)
                await reader.readuntil(b"\r\n\r\n")
                writer.write(hello)
                while not writer.transport.is_closing():
                    writer.write(watch)
                    await reader.read(16)
                    await asyncio.sleep(0.5)
            finally:
                writer.transport.abort()

        async def again() -> None:
            while True:
                with contextlib.suppress(OSError, EOFError):
                    await one()
                await asyncio.sleep(0.1)

        await asyncio.gather(*(again() for _ in range(READERS)))


async def many_matches(target: Target) -> None:
    """Twenty wide matches, which all sockets come to and leave by turns."""
    made = msgspec.json.decode(
        (await target.ask("/api/matches", msgspec.json.encode(WIDE))).split(b"\r\n\r\n")[1]
    )
    secret, ids = made["secret"], [made["match"]]
    for _ in range(19):
        answer = await target.ask_with(request(target, "POST /api/matches", secret, WIDE))
        ids.append(msgspec.json.decode(answer.split(b"\r\n\r\n")[1])["match"])
    wires: list[Wire] = []
    try:
        for _ in range(SOCKETS):
            wire = await Wire.open(target.port, lambda data: None, lambda: None, source=target.source)
            wire.send(b'{"type":"hello","protocol":%d,"secret":"%s"}' % (PROTOCOL, secret.encode()))
            wires.append(wire)
        target.begun.set()
        for number in itertools.count():
            what = b"leave" if number // len(ids) % 2 else b"watch"
            for at, wire in enumerate(wires):
                match = ids[(number + at) % len(ids)].encode()
                wire.send(b'{"type":"%s","match":"%s"}' % (what, match))
            await asyncio.sleep(1 / A_SECOND)
    finally:
        for wire in wires:
            wire.abort()


async def no_moves(target: Target) -> None:
    """Moves that are none, as long as a message may be, in three games."""
    texts = ("; ".join(["B1-C1"] * 1500), "9" * 15_000, "A1 " * 5000, "(" * 15_000, "-" * 15_000)
    actions = ([1] * 7000, [2**62] * 700, [-1] * 5000, [106] * 3500)
    moves: list[dict[str, Any]] = [{"text": text} for text in texts]
    moves += [{"actions": one} for one in actions]
    each = SOCKETS // 3
    async with (
        own(target, each, game="kelasu", options={}) as one,
        own(target, each, game="dominion-duel", options={"n": 2000}) as other,
        own(target, each) as third,
    ):
        wanted: Iterator[dict[str, Any]] = itertools.cycle(moves)
        target.begun.set()
        for number in itertools.count():
            for match in (one, other, third):
                for at, wire in enumerate(match.wires):
                    match.say(wire, type="ask", id=f"n{number}-{at}", kind="move", **next(wanted))
            await asyncio.sleep(1 / A_SECOND)


async def suggestions(target: Target) -> None:
    """Agreements on the dead stones of a full board, begun and left again."""
    async with own(target) as match:
        cells = [cell for cell in range(361) if (cell // 19 + cell) % 3][:180]
        await match.grow_by({"kind": "move", "actions": [cell]} for cell in cells)
        passes = {"kind": "move", "actions": [361]}
        acts: Iterator[dict[str, Any]] = itertools.cycle((passes, passes, {"kind": "resume"}))
        target.begun.set()
        for number in itertools.count():
            for at, wire in enumerate(match.wires):
                match.say(wire, type="ask", id=f"s{number}-{at}", **next(acts))
            await asyncio.sleep(1 / A_SECOND)


async def authenticators(target: Target) -> None:
    """Passkeys whose attestation is a bomb: CBOR that is deep, or says that it is long."""
    made = msgspec.json.decode(
        (await target.ask("/api/matches", msgspec.json.encode(WIDE))).split(b"\r\n\r\n")[1]
    )
    secret, origin = made["secret"], f"http://localhost:{target.port}"
    bombs = itertools.cycle(
        (
            b"\x81" * 9000,
            b"\x9f" * 9000,
            b"\xa1\x00" * 4000,
            b"\x5b\x7f" + b"\xff" * 7,
            b"\xbb\x00\x00\x00\x7f\xff\xff\xff\xff",
            b"\xd8\x1c" * 4000,
            b"\xc2\x59\x20\x00" + b"\xff" * 8192,
            b"\xc4\x82\x1b\x7f" + b"\xff" * 7 + b"\x01",
        )
    )
    target.begun.set()

    def ask(path: str, body: Any = None) -> bytes:
        plain = request(target, f"POST {path}", secret, body)
        there = b"Host: localhost:%d\r\nOrigin: %s\r\n" % (target.port, origin.encode())
        return plain.replace(target.host, there)

    async def one() -> None:
        while True:
            with contextlib.suppress(OSError, TimeoutError, KeyError, msgspec.DecodeError):
                answer = await target.ask_with(ask("/api/me/passkeys/options"))
                options = msgspec.json.decode(answer.split(b"\r\n\r\n", 1)[1])["options"]
                said = {"type": "webauthn.create", "challenge": options["challenge"], "origin": origin}
                response = {
                    "clientDataJSON": _base64url(msgspec.json.encode(said)),
                    "attestationObject": _base64url(next(bombs)),
                }
                made = {"id": "AAAA", "rawId": "AAAA", "type": "public-key", "response": response}
                await target.say(ask("/api/me/passkeys", {"credential": made}))
            await asyncio.sleep(0.05)

    await asyncio.gather(*(one() for _ in range(12)))


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
