"""What one address takes of a server's event loop by asking for all that it can, within its limits or not.

    python -m benchmarks.server_attacks
    python -m benchmarks.server_attacks --seconds 5 requests headers

Starts one server with its limits on a loopback port. Each attacker comes from an address of its own, spends
what it may have at once, and is then measured for a few seconds: the processor time of the thread with the
event loop, by the time that has passed, and the memory of the process. All the while two honest players move
from an address of their own. Of their moves it is told what the loop did from the frame that came to the
answer, for whomever, and of the loop what its longest turn was: both in processor time, which does not depend
on who else uses the machine. Fails where one attacker takes more of a core than MOST, a turn is longer than
MOST_TURN_S, one move in a hundred takes more than MOST_MOVE_S, or the server has a traceback to tell of.
`everything` is all attackers at once, each from its own address; they may have more of the core together.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.serving.games import Maker, scripts
from benchmarks.serving.processes import Serving
from benchmarks.serving.watched import Seen
from benchmarks.serving.wire import Wire, frame
from tengen.server.protocol import PROTOCOL

MOST = 0.6  # of a core
MOST_TURN_S, MOST_MOVE_S = 0.03, 0.1  # of the loop
MOVE_EVERY_S, LEAST_MOVES, ENOUGH_S = 0.05, 10, 120.0
HONEST, ATTACKER = "127.0.4", "127.0.3"  # an address of each for an attack: matches are limited
CONNECTIONS, SOCKETS = 90, 60
MORE, TEXT, PONG = 0, 1, 10  # opcodes
ANSWER_S = 10.0

FULL = 200_000  # bytes that have not been sent

Attack = Callable[["Target"], Awaitable[None]]


def begun(opcode: int, payload: bytes) -> bytes:
    """A frame of a message that goes on."""
    found = frame(opcode, payload)
    return bytes((found[0] & 0x7F, *found[1:]))


@dataclass(frozen=True, slots=True)
class Target:
    port: int
    source: str  # the attacker's address

    @property
    def host(self) -> bytes:
        return b"Host: 127.0.0.1:%d\r\n" % self.port

    async def say(self, data: bytes, pause_s: float | None = None) -> None:
        """Opens a connection, sends that, and reads an answer, or leaves it unread for a while."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.source, 0))
        try:
            writer.write(data)
            await writer.drain()
            if pause_s is None:
                async with asyncio.timeout(ANSWER_S):  # unlike wait_for it never swallows that we are stopped
                    await reader.read(200)
            else:
                await asyncio.sleep(pause_s)
        finally:
            writer.transport.abort()

    async def again(self, count: int, data: bytes, pause_s: float | None = None) -> None:
        """So many at a time, without an end."""

        async def one() -> None:
            while True:
                try:
                    await self.say(data, pause_s)
                except (OSError, TimeoutError):
                    await asyncio.sleep(0.02)

        await asyncio.gather(*(one() for _ in range(count)))

    async def ask(self, path: str, body: bytes) -> bytes:
        """One request, and the whole answer."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.source, 0))
        try:
            writer.write(self._posted(path, body))
            async with asyncio.timeout(ANSWER_S):
                return await reader.read()
        finally:
            writer.transport.abort()

    async def post(self, count: int, path: str, body: bytes) -> None:
        """The same request, so many at a time, without an end."""
        await self.again(count, self._posted(path, body))

    def _posted(self, path: str, body: bytes) -> bytes:
        head = b"Content-Type: application/json\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(
            body
        )
        return b"POST %s HTTP/1.1\r\n" % path.encode() + self.host + head + body

    async def sockets(self, message: bytes) -> None:
        """The same message on many sockets, nineteen times a second."""
        gone: set[int] = set()
        wires: list[Wire] = []
        try:
            for number in range(SOCKETS):
                wire = await Wire.open(
                    self.port, lambda data: None, partial(gone.add, number), source=self.source
                )
                wire.send(b'{"type":"hello","protocol":%d,"secret":null}' % PROTOCOL)
                wires.append(wire)
            while True:
                for number, wire in enumerate(wires):
                    if number not in gone:
                        wire.send(message)
                await asyncio.sleep(1 / 19)
        finally:
            for wire in wires:
                wire.abort()

    async def flood(self, first: bytes, then: bytes) -> None:
        """Frames on many sockets as fast as they are taken, on new ones when those are closed."""

        async def one() -> None:
            gone = asyncio.Event()
            wire = await Wire.open(self.port, lambda data: None, gone.set, source=self.source)
            try:
                wire.send(b'{"type":"hello","protocol":%d,"secret":null}' % PROTOCOL)
                wire.send_raw(first)
                while not gone.is_set():
                    if wire.unsent < FULL:
                        wire.send_raw(then)
                    await asyncio.sleep(0.005)
            finally:
                wire.abort()

        async def again() -> None:
            while True:
                with contextlib.suppress(OSError):
                    await one()
                await asyncio.sleep(0.05)

        await asyncio.gather(*(again() for _ in range(SOCKETS)))


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
    upgrade = b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    key = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    await target.again(CONNECTIONS, b"GET /api/socket HTTP/1.1\r\n" + target.host + upgrade + key)


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


async def imports(target: Target) -> None:
    """A file with as many lines and escapes as it may have."""
    text = rb"(;GM[1]SZ[19]C[" + rb"\\]" * 19_000 + rb"\n" * 400_000 + b"])"
    await target.post(8, "/api/studies", b'{"text":"' + text + b'"}')


async def trees(target: Target) -> None:
    """A file with as many branches as it may have."""
    cells = [f"{x}{y}" for x in "abcdefghi" for y in "abcdefghi"]
    lines = (f"(;B[{one}]{''.join(f'(;W[{two}])' for two in cells if two != one)})" for one in cells)
    await target.post(8, "/api/studies", msgspec.json.encode({"text": f"(;GM[1]SZ[9]{''.join(lines)})"}))


async def reviews(target: Target) -> None:
    """Of a study with as many moves as one may have."""
    nodes: list[dict[str, Any]] = [{"parent": None}]
    for number in range(2000):
        at = number % 80
        nodes.append({"parent": number, "seat": number % 2, "text": "", "actions": [at + (at >= 40)]})
    study = {"game": "great-kingdom", "options": {}, "nodes": nodes}
    await target.post(8, "/api/studies/review", msgspec.json.encode({"study": study, "visits": 400}))


async def known(target: Target) -> None:
    """What is known of a large tree."""
    nodes: list[dict[str, Any]] = [{"parent": None}]
    nodes += ({"parent": 0, "seat": 0, "actions": [number % 81]} for number in range(8000))
    study = {"game": "go", "options": {"size": 9}, "nodes": nodes}
    await target.post(8, "/api/studies/known", msgspec.json.encode(study))


async def explorations(target: Target) -> None:
    """Of a place that is reached by far too many moves."""
    place = {"game": "go", "options": {"size": 19}, "moves": [[1]] * 400_000}
    await target.post(8, "/api/explore", msgspec.json.encode({"place": place, "seconds": 30}))


async def long_lines(target: Target) -> None:
    """A review of as long a game as is allowed."""
    place = {"game": "go", "options": {"size": 19}, "moves": [[361]] * 2000}
    await target.post(8, "/api/review", msgspec.json.encode({"place": place, "visits": 400}))


async def estimates(target: Target) -> None:
    """How a game of the attacker's own stands, again and again."""
    seats = [{"kind": "me"}, {"kind": "machine", "player": "level:1"}]
    wish = {"game": "go", "options": {"size": 19}, "seats": seats}
    made = await target.ask("/api/matches", msgspec.json.encode(wish))
    match = msgspec.json.decode(made.partition(b"\r\n\r\n")[2])["match"].encode()
    path = b"GET /api/matches/" + match + b"/estimate HTTP/1.1\r\n"
    await target.again(CONNECTIONS, path + target.host + b"Connection: close\r\n\r\n")


async def everything(target: Target) -> None:
    """All of them at once, each from an address of its own."""
    net = target.source.rpartition(".")[0]
    each = (attack(Target(target.port, f"{net}.{100 + n}")) for n, attack in enumerate(ATTACKS[:-1]))
    await asyncio.gather(*each, return_exceptions=True)


ATTACKS: tuple[Attack, ...] = (
    requests,
    pipelined,
    connections,
    headers,
    half_open,
    reconnecting,
    hellos,
    strange_matches,
    nonsense,
    pongs,
    pieces,
    chunks,
    imports,
    trees,
    reviews,
    known,
    explorations,
    long_lines,
    estimates,
    everything,
)


def loop_s(server: Serving) -> float:
    """The processor time of the thread that the server began with, in which its event loop runs."""
    fields = Path(f"/proc/{server.pid}/task/{server.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Honest:
    """Two players of one match, who move by turns as long as `play` runs."""

    def __init__(self, server: Serving, source: str) -> None:
        maker = Maker([server.url], source=source)
        self._made = maker.make()
        maker.close()
        self._port, self._source = server.port, source
        self._heard, self._accepted = asyncio.Event(), False
        self.enough = asyncio.Event()  # set once there is something to judge by

    async def play(self) -> None:
        """A move at a time, each soon after the last was acknowledged."""
        match = self._made.match.encode()
        wires: list[Wire] = []
        for secret in self._made.secrets:
            wire = await Wire.open(self._port, self._hear, lambda: None, source=self._source)
            wire.send(b'{"type":"hello","protocol":%d,"secret":"%s"}' % (PROTOCOL, secret.encode()))
            wire.send(b'{"type":"watch","match":"%s"}' % match)
            wires.append(wire)
        try:
            for number, action in enumerate(scripts()[0]):
                self._accepted = False
                while not self._accepted:  # as clients do when a server says that it cannot just now
                    self._heard.clear()
                    wires[number % 2].send(
                        b'{"type":"ask","match":"%s","id":"m%d","kind":"move","actions":[%d]}'
                        % (match, number, action)
                    )
                    await self._heard.wait()
                    await asyncio.sleep(MOVE_EVERY_S)
                if number + 1 >= LEAST_MOVES:
                    self.enough.set()
        finally:
            for wire in wires:
                wire.abort()

    def _hear(self, message: bytes) -> None:
        if message.startswith((b'{"type":"accepted"', b'{"type":"refused"')):
            self._accepted = message.startswith(b'{"type":"accepted"')
            self._heard.set()


@dataclass(frozen=True, slots=True)
class Found:
    """`share` of a core that the event loop took; what it did is None where it was not watched."""

    share: float
    seen: Seen

    @property
    def move_s(self) -> float:
        """What 99 of 100 honest moves took of the loop's time, 0 if there were none."""
        moves = sorted(self.seen.moves_s)
        return moves[len(moves) * 99 // 100] if moves else 0.0

    @property
    def faults(self) -> list[str]:
        found = []
        if self.seen.longest_s > MOST_TURN_S:
            found += [f"a turn of {1000 * s:.0f} ms: {what}" for s, what in self.seen.long if s > MOST_TURN_S]
        if self.move_s > MOST_MOVE_S:
            found.append(f"moves took {1000 * self.move_s:.0f} ms")
        return found


async def measure(server: Serving, attack: Attack, number: int, seconds: float) -> Found:
    """What the loop does, after a second in which the attacker has spent its burst.

    Goes on for longer where honest players have not moved often enough by then; raises TimeoutError.
    """
    honest = await asyncio.to_thread(Honest, server, f"{HONEST}.{number}")
    attacking = asyncio.ensure_future(attack(Target(server.port, f"{ATTACKER}.{number}")))
    playing = asyncio.ensure_future(honest.play())
    await asyncio.wait({attacking}, timeout=1.0)
    begun, spent = time.monotonic(), loop_s(server)
    await asyncio.wait({attacking}, timeout=seconds)
    share = (loop_s(server) - spent) / (time.monotonic() - begun)
    try:
        async with asyncio.timeout(ENOUGH_S):
            await honest.enough.wait()
    finally:
        for one in (attacking, playing):
            one.cancel()
        await asyncio.gather(attacking, playing, return_exceptions=True)
    return Found(share, await asyncio.to_thread(server.seen))


def main() -> int:
    names = {attack.__name__: attack for attack in ATTACKS}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("attacks", nargs="*", help=", ".join(names))
    parser.add_argument("--seconds", type=float, default=3.0)
    wanted = parser.parse_args()
    missed = False
    with tempfile.TemporaryDirectory() as folder:
        server = Serving(Path(folder), f"sqlite:///{folder}/attacked.sqlite3", limits=True, watched=True)
        server.start()
        try:
            for number, name in enumerate(wanted.attacks or names, start=2):
                found = asyncio.run(measure(server, names[name], number, wanted.seconds))
                missed |= (found.share > MOST and name != "everything") or bool(found.faults)
                print(
                    f"{name}: {found.share:.2f} of a core, {server.rss_bytes() / 2**20:.0f} MB, "
                    f"a turn of the loop {1000 * found.seen.longest_s:.1f} ms at most, "
                    f"99 of 100 of {len(found.seen.moves_s)} moves within {1000 * found.move_s:.1f} ms of it",
                    *found.faults,
                    sep="\n  ",
                    flush=True,
                )
        finally:
            server.stop()
        told = server.log.read_text()
    print(f"the log has {len(told) // 1024} kB")
    if "Traceback" in told:
        missed = True
        print(told[told.index("Traceback") - 500 :][:3000], file=sys.stderr)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
