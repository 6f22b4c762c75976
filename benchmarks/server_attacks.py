"""What one address takes of a server's event loop by asking for all that it can, within its limits or not.

    python -m benchmarks.server_attacks
    python -m benchmarks.server_attacks --seconds 5 requests headers

Starts one server with its limits on a loopback port. Each attacker comes from an address of its own, spends
what it may have at once, and is then measured for a few seconds: the processor time of the thread with the
event loop, by the time that has passed, and the memory of the process. Fails where one attacker takes more of
a core than MOST, or where the server has a traceback to tell of.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.serving.processes import Serving
from benchmarks.serving.wire import Wire
from tengen.server.protocol import PROTOCOL

MOST = 0.6  # of a core
CONNECTIONS, SOCKETS = 90, 60
TEXT = 1
ANSWER_S = 10.0

Attack = Callable[["Target"], Awaitable[None]]


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
                await asyncio.wait_for(reader.read(200), ANSWER_S)
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

    async def sockets(self, message: bytes) -> None:
        """The same message on many sockets, nineteen times a second."""
        gone: set[int] = set()
        wires: list[Wire] = []
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


async def imports(target: Target) -> None:
    """A file with as many lines and escapes as it may have."""
    text = rb"(;GM[1]SZ[19]C[" + rb"\\]" * 19_000 + rb"\n" * 400_000 + b"])"
    body = b'{"text":"' + text + b'"}'
    head = b"Content-Type: application/json\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(body)
    await target.again(8, b"POST /api/studies HTTP/1.1\r\n" + target.host + head + body)


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
    imports,
)


def loop_s(server: Serving) -> float:
    """The processor time of the thread that the server began with, in which its event loop runs."""
    fields = Path(f"/proc/{server.pid}/task/{server.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measure(server: Serving, attack: Attack, source: str, seconds: float) -> float:
    """How much of a core the event loop takes, after a second in which the attacker has spent its burst."""
    attacking = asyncio.ensure_future(attack(Target(server.port, source)))
    await asyncio.wait({attacking}, timeout=1.0)
    begun, spent = time.monotonic(), loop_s(server)
    await asyncio.wait({attacking}, timeout=seconds)
    share = (loop_s(server) - spent) / (time.monotonic() - begun)
    attacking.cancel()
    await asyncio.gather(attacking, return_exceptions=True)
    return share


def main() -> int:
    names = {attack.__name__: attack for attack in ATTACKS}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("attacks", nargs="*", help=", ".join(names))
    parser.add_argument("--seconds", type=float, default=3.0)
    wanted = parser.parse_args()
    missed = False
    with tempfile.TemporaryDirectory() as folder:
        server = Serving(Path(folder), f"sqlite:///{folder}/attacked.sqlite3", limits=True)
        server.start()
        try:
            for number, name in enumerate(wanted.attacks or names, start=2):
                share = asyncio.run(measure(server, names[name], f"127.0.3.{number}", wanted.seconds))
                missed |= share > MOST
                print(f"{name}: {share:.2f} of a core, {server.rss_bytes() / 2**20:.0f} MB", flush=True)
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
