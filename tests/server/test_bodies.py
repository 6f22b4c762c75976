"""Large bodies, and what one address can do with HTTP: others are served meanwhile."""

from __future__ import annotations

import asyncio
import gc
import socket
import statistics
import threading
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import msgspec
import pytest

from tengen.server.errors import Refusal
from tengen.server.http import bodies
from tengen.server.limits import MOST_BODY_BYTES, SMALL_BODY, Limits, TooMany
from tengen.server.protocol import Study, StudyNode, StudyReview
from tests.server.process import running
from tests.server.test_attacks import ATTACKER, SECONDS, honest, moves
from tests.server.test_telling import longest_step

MEGABYTE = 2**20
ENOUGH_S = 0.05  # of the loop, in one piece


def study(size: int) -> Study:
    """One with nodes of about so many bytes together."""
    node = msgspec.convert({"parent": 0, "comment": "x" * 200}, StudyNode)
    first = msgspec.convert({"parent": None}, StudyNode)
    return Study("go", {"size": 9}, [first, *[node] * (size // len(msgspec.json.encode(node)))])


@pytest.fixture(autouse=True)
def _no_collection() -> Iterator[None]:
    """The garbage of all tests before is not what is measured."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.anyio
@pytest.mark.parametrize("kind", [Study, StudyReview])
async def test_a_large_study_is_read_in_pieces(kind: type) -> None:
    wanted = study(8 * MEGABYTE) if kind is Study else StudyReview(study(8 * MEGABYTE), 200)
    data = msgspec.json.encode(wanted)
    found: list[object] = []

    async def read() -> None:
        found.append(await bodies.decoded(data, kind))

    held_s = await longest_step(read())
    assert found == [wanted]
    assert held_s < ENOUGH_S


@pytest.mark.anyio
async def test_what_is_wrong_in_a_large_study_is_said() -> None:
    data = msgspec.json.encode(study(2 * MEGABYTE))
    with pytest.raises(msgspec.ValidationError, match="comment"):
        await bodies.decoded(data.replace(b'"comment":"xxx', b'"comment":7,"y":"xxx', 1), Study)
    huge = study(0).nodes[0]
    many = Study("go", {}, [msgspec.structs.replace(huge, comment="x" * (bodies.MOST_PIECE + 1))])
    with pytest.raises(Refusal, match="A move of a study has at most"):
        await bodies.decoded(msgspec.json.encode(many), Study)


@pytest.mark.anyio
async def test_a_study_of_long_comments_is_read_in_smaller_pieces() -> None:
    node = study(0).nodes[0]
    comments = ["x" * 600_000, *("y" * 9_000 for _ in range(300)), "z" * 600_000]
    wanted = Study("go", {}, [msgspec.structs.replace(node, comment=comment) for comment in comments])
    assert await bodies.decoded(msgspec.json.encode(wanted), Study) == wanted


def test_an_address_sends_so_much_at_a_time() -> None:
    limits = Limits()
    with ExitStack() as held:
        for _ in range(3):
            held.enter_context(limits.body("192.0.2.1"))(MOST_BODY_BYTES // 3)
        with limits.body("192.0.2.1") as grown:
            grown(SMALL_BODY)
            with pytest.raises(TooMany):
                grown(SMALL_BODY + 1)
        with limits.body("192.0.2.2") as grown:
            grown(MEGABYTE)
    with limits.body("192.0.2.1") as grown:
        grown(MEGABYTE)
    assert not limits._bodies and limits._all_bodies == 0


@pytest.mark.anyio
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux")
async def test_floods_of_one_address_disturb_nobody(tmp_path: Path) -> None:
    """Bodies that come slowly, large ones, half-open sockets, challenges, guesses, analyses: all at once."""
    with running(tmp_path, "serve", "--port", "0") as server, ExitStack() as held:
        url = server.url()
        port = urlsplit(url).port or 0
        async with honest(port, url) as (client, own):
            before = await moves(client, own, SECONDS / 2, 0)
            drip(held, port, 40)
            half_open(held, port, 30)
            ending = threading.Event()
            statuses: list[int] = []
            large = msgspec.json.encode(study(4 * MEGABYTE))
            place = b'{"place":{"game":"go","options":{},"moves":[]},"seconds":5}'
            wishes = (
                ("/api/studies/export?format=sgf", large),
                ("/api/me/passkey/options", b"{}"),
                ("/api/me/recover", b'{"code":"AAAA-BBBB-CCCC-DDDD-EEEE-FFFF"}'),
                ("/api/analysis", place),
                ("/api/explore", b'{"place":{"game":"go","options":{"size":19},"moves":[]}}'),
                ("/api/studies", b'{"text":"(;GM[1]SZ[19]' + b";B[aa];W[]" * 500 + b')"}'),
            )
            threads = [
                threading.Thread(target=flood, args=(url, path, body, ending, statuses))
                for path, body in wishes
            ]
            for thread in threads:
                thread.start()
            try:
                during = await moves(client, own, SECONDS, 100)
            finally:
                ending.set()
                for thread in threads:
                    await asyncio.to_thread(thread.join)
        assert 429 in statuses, "the attack came to its limits"
        assert not [status for status in statuses if status >= 500]
        assert statistics.median(during) < max(0.3, 8 * statistics.median(before))
        assert "Traceback" not in server.err


def drip(held: ExitStack, port: int, count: int) -> None:
    """Bodies that are promised and hardly come."""
    for _ in range(count):
        peer = held.enter_context(
            socket.create_connection(("127.0.0.1", port), 30, source_address=(ATTACKER, 0))
        )
        peer.sendall(
            f"POST /api/studies HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {MEGABYTE}\r\n\r\n".encode()
            + b'{"text":"('
        )


def half_open(held: ExitStack, port: int, count: int) -> None:
    """Sockets that are asked for and never greet."""
    for _ in range(count):
        peer = held.enter_context(
            socket.create_connection(("127.0.0.1", port), 30, source_address=(ATTACKER, 0))
        )
        peer.sendall(f"GET /api/socket HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n".encode())


def flood(url: str, path: str, body: bytes, ending: threading.Event, statuses: list[int]) -> None:
    transport = httpx.HTTPTransport(local_address=ATTACKER)
    with httpx.Client(transport=transport, trust_env=False, timeout=30, base_url=url) as client:
        while not ending.is_set():
            with suppress(httpx.TransportError):
                headers = {"content-type": "application/json"}
                with client.stream("POST", path, content=body, headers=headers) as answer:
                    statuses.append(answer.status_code)
