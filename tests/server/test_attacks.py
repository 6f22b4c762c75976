"""What one address may do within its limits, from outside and by real sockets: the others hardly notice."""

from __future__ import annotations

import asyncio
import itertools
import json
import statistics
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from benchmarks.serving.wire import Wire
from tengen.server.config import ServerConfig
from tengen.server.serve import database_in
from tests.server.process import Process, post, running
from tests.server.table import table
from tests.server.test_telling import long_match
from tests.waiting import passed

ATTACKER, HONEST = "127.0.0.2", "127.0.0.3"
SOCKETS = 60
SECONDS = 4.0


class Client:
    """A light client that hears; `answered` is told of what is for one of its requests."""

    def __init__(self) -> None:
        self.wire: Wire | None = None
        self.waiting: dict[str, asyncio.Future[float]] = {}
        self.refused = 0
        self.heard = 0
        self.updates = 0
        self._updated = asyncio.Event()

    @classmethod
    async def open(cls, port: int, source: str, secret: str | None) -> Client:
        made = cls()
        made.wire = await Wire.open(port, made.hear, lambda: None, source=source)
        made.send({"type": "hello", "protocol": 1, "secret": secret})
        return made

    def send(self, message: object) -> None:
        assert self.wire is not None
        self.wire.send(json.dumps(message).encode())

    async def hears(self, updates: int) -> None:
        """Until it was told so many."""
        while self.updates < updates:
            self._updated.clear()
            await self._updated.wait()

    def hear(self, message: bytes) -> None:
        self.heard += len(message)
        if message.startswith(b'{"type":"update"'):
            self.updates += 1
            self._updated.set()
        if message.startswith(b'{"type":"refused"'):
            self.refused += 1
        if message.startswith((b'{"type":"accepted"', b'{"type":"refused"')):
            future = self.waiting.pop(json.loads(message)["id"] or "", None)
            if future is not None:
                future.set_result(time.perf_counter())

    async def ask(self, match: str, name: str, **more: object) -> float:
        """How long the answer took."""
        future: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self.waiting[name] = future
        begun = time.perf_counter()
        self.send({"type": "ask", "match": match, "id": name, **more})
        return await asyncio.wait_for(future, 30) - begun

    def close(self) -> None:
        if self.wire is not None:
            self.wire.close()


@asynccontextmanager
async def honest(port: int, url: str) -> AsyncIterator[tuple[Client, str]]:
    """Somebody who plays both sides of a match of Go."""
    made = post(f"{url}api/matches", {"game": "go", "seats": [{"kind": "me"}, {"kind": "me"}]}).json()
    client = await Client.open(port, HONEST, made["secret"])
    client.send({"type": "watch", "match": made["match"]})
    try:
        yield client, made["match"]
    finally:
        client.close()


async def moves(client: Client, match: str, seconds: float, first: int) -> list[float]:
    """Ten moves a second, whatever happens, and how long each took."""
    found: list[float] = []
    end = time.perf_counter() + seconds
    for number in itertools.count(first):
        if time.perf_counter() >= end:
            return found
        found.append(await client.ask(match, f"m{number}", kind="move", actions=[number], seat=number % 2))
        await passed(max(0.0, 0.1 - found[-1]))
    raise AssertionError("unreachable")


def memory_mb(process: Process) -> float:
    lines = Path(f"/proc/{process.process.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) / 1024


@pytest.mark.anyio
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux")
async def test_watching_a_long_match_again_and_again_disturbs_nobody(tmp_path: Path) -> None:
    database = database_in(tmp_path / "long.sqlite3")
    async with table(database) as hub:
        match = await long_match(hub, 2000)
    with running(tmp_path, "serve", "--port", "0", "--database-url", database) as server:
        url = server.url()
        port = urlsplit(url).port or 0
        async with honest(port, url) as (client, own):
            before = await moves(client, own, SECONDS / 2, 0)
            memory = memory_mb(server)
            attackers = [await Client.open(port, ATTACKER, None) for _ in range(SOCKETS)]

            async def attack() -> None:
                while True:
                    for attacker in attackers:
                        attacker.send({"type": "watch", "match": match})
                    await passed(1 / 19)

            attacking = asyncio.create_task(attack())
            during = await moves(client, own, SECONDS, 1000 // 10)
            attacking.cancel()
            for attacker in attackers:
                attacker.close()
        heard = sum(attacker.heard for attacker in attackers)
        assert heard > 1_000_000, "the attack came through as far as its limits let it"
        assert sum(attacker.refused for attacker in attackers) > 0
        assert statistics.median(during) < max(0.3, 8 * statistics.median(before))
        assert memory_mb(server) - memory < 150
        assert "Traceback" not in server.err


FLOOD = 20
IN_TURN_S = FLOOD * ServerConfig().engine_busy_s  # after all of theirs, one of which may have just begun


@pytest.mark.anyio
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux")
async def test_many_heavy_machines_of_one_address_hold_nobody_up(tmp_path: Path) -> None:
    """Persons without a secret, each against a search of many visits; somebody else plays the first level."""
    with running(tmp_path, "serve", "--port", "0") as server:
        url = server.url()
        port = urlsplit(url).port or 0

        async def playing(player: str, source: str) -> tuple[Client, str]:
            seats = [{"kind": "me"}, {"kind": "machine", "player": player}]
            wish = {"game": "go", "options": {"size": 19}, "seats": seats}
            made = (await asyncio.to_thread(post_from, source, url, wish)).json()
            client = await Client.open(port, source, made["secret"])
            client.send({"type": "watch", "match": made["match"]})
            return client, made["match"]

        client, own = await playing("level:1", HONEST)
        alone = await answers(client, own, 3, 0)
        attackers = [await playing("mcts:20000", ATTACKER) for _ in range(FLOOD)]
        for attacker, match in attackers:
            await attacker.ask(match, "begin", kind="move", actions=[180])
        during = await answers(client, own, 5, 3)
        client.close()
        for attacker, _ in attackers:
            attacker.close()
        assert statistics.median(during) < max(IN_TURN_S / 4, 8 * statistics.median(alone))
        assert "Traceback" not in server.err


def post_from(source: str, url: str, body: object) -> httpx.Response:
    transport = httpx.HTTPTransport(local_address=source)
    with httpx.Client(transport=transport, trust_env=False, timeout=30) as client:
        return client.post(f"{url}api/matches", json=body)


async def answers(client: Client, match: str, count: int, first: int) -> list[float]:
    """How long a machine took to answer each of so many moves."""
    found = []
    for number in range(first, first + count):
        told = client.updates
        begun = time.perf_counter()
        await client.ask(match, f"m{number}", kind="move", actions=[19 * number + 3 * number + 2])
        await client.hears(told + 2)
        found.append(time.perf_counter() - begun)
    return found
