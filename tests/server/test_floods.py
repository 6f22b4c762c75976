"""What strangers send without an end, and what the event loop spends on refusing it."""

from __future__ import annotations

import asyncio
import itertools
import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from benchmarks.serving.wire import frame
from tengen.server import app, door, pace
from tengen.server.crowd import AT_ONCE, Listener
from tengen.server.door import MOST_HEAD, MOST_LINES
from tengen.server.http.service import WebConfig
from tengen.server.limits import RATES, Limits, Rate
from tengen.server.logs import Seldom
from tengen.server.protocol import PROTOCOL
from tests.server.live import TIMEOUT_S, Live, live
from tests.waiting import let_pass, until

GET = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n"
MOST_S = 0.006  # of the loop, for what is refused
UPGRADE = (
    b"GET /api/socket HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with live(tmp_path_factory.mktemp("floods")) as found:
        yield found


@contextmanager
def connected(server: Live) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", server.port), TIMEOUT_S) as opened:
        yield opened


def said(server: Live, data: bytes) -> bytes:
    """All that the server answers until it closes, or cuts off."""
    found = b""
    with connected(server) as opened:
        try:
            opened.sendall(data)
            while more := opened.recv(65_536):
                found += more
        except (ConnectionResetError, BrokenPipeError):
            pass
    return found


def loop_s(server: Live) -> float:
    async def now() -> float:
        return time.thread_time()

    return asyncio.run_coroutine_threadsafe(now(), server.loop).result(TIMEOUT_S)


@pytest.mark.parametrize("before", [b"", GET + b"\r\n"], ids=["first", "after another"])
@pytest.mark.parametrize(
    "lines", [b"a:\r\n" * 3900, b"a: " + b"b" * 2 * MOST_HEAD + b"\r\n"], ids=["many", "long"]
)
def test_a_header_without_an_end_is_refused_unread(server: Live, before: bytes, lines: bytes) -> None:
    """The parser of a server takes a microsecond or three for each line, and would read them all."""
    said(server, GET + b"Connection: close\r\n\r\n")
    spent = []
    for _ in range(3):
        begun = loop_s(server)
        found = said(server, before + GET + lines + b"\r\n")
        spent.append(loop_s(server) - begun)
        if found:  # what was not read may have cut the answer off
            assert found.split(b" ")[1] == (b"200" if before else b"400")
            assert found.count(b"HTTP/1.1 200") == bool(before)
    assert min(spent) < MOST_S


def test_a_header_of_any_browser_fits(server: Live) -> None:
    lines = b"".join(b"x-%d: %s\r\n" % (number, b"y" * 100) for number in range(MOST_LINES - 5))
    assert len(lines) < MOST_HEAD
    assert said(server, GET + b"Connection: close\r\n" + lines + b"\r\n").startswith(b"HTTP/1.1 200")


def test_frames_before_there_is_a_socket_are_no_traceback(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They come while the request for a socket is made to wait."""
    waiting, heard = threading.Event(), threading.Event()

    async def slow_down(self: app.Gate, *of: object) -> None:
        waiting.set()
        await asyncio.to_thread(heard.wait, TIMEOUT_S)

    monkeypatch.setattr(app.Gate, "_slow_down", slow_down)
    with live(tmp_path) as strict:
        strict.service.limits = Limits({"sockets": Rate(0.5, 0.001)})
        with connected(strict) as opened:
            opened.sendall(UPGRADE)
            assert waiting.wait(TIMEOUT_S)
            opened.sendall(b"\xc1\x80abcd")
            cut_off = opened.recv(1) == b""
            heard.set()
        assert cut_off
        assert strict.client().get("/healthz").status_code == 200
    assert not [record for record in caplog.records if record.exc_info or record.levelno >= logging.ERROR]


HELLO = frame(1, b'{"type":"hello","protocol":%d}' % PROTOCOL)


def open_end(opcode: int, payload: bytes) -> bytes:
    """A frame of a message that goes on."""
    found = frame(opcode, payload)
    return bytes((found[0] & 0x7F, *found[1:]))


@pytest.mark.parametrize(
    "data",
    [
        frame(10, b"") * 10_000,
        open_end(1, b"{") + open_end(0, b"") * 10_000,
        frame(2, b"") * 10_000,
        frame(1, b"") * 10_000,
    ],
    ids=["pongs", "pieces", "bytes", "texts"],
)
def test_frames_without_an_end_are_cut_off(server: Live, data: bytes) -> None:
    """Of empty ones sixty kilobytes are ten thousand, some 40 ms of the parser and all that would follow."""
    spent = []
    for _ in range(3):
        with connected(server) as opened:
            opened.sendall(UPGRADE)
            assert opened.recv(65_536).startswith(b"HTTP/1.1 101 ")
            opened.sendall(HELLO)
            begun = loop_s(server)
            with suppress(ConnectionResetError, BrokenPipeError):
                opened.sendall(data)
                while opened.recv(65_536):
                    pass
            spent.append(loop_s(server) - begun)
    assert min(spent) < 0.02


@pytest.mark.parametrize("pause", [False, True], ids=["with it", "after it"])
def test_nothing_is_heard_before_an_upgrade_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pause: bool
) -> None:
    waiting, heard = threading.Event(), threading.Event()

    async def slow_down(self: app.Gate, *of: object) -> None:
        waiting.set()
        await asyncio.to_thread(heard.wait, TIMEOUT_S)

    monkeypatch.setattr(app.Gate, "_slow_down", slow_down)
    with live(tmp_path) as strict, connected(strict) as opened:
        strict.service.limits = Limits({"sockets": Rate(0.5, 0.001)})
        begun = loop_s(strict)
        opened.sendall(UPGRADE if pause else UPGRADE + HELLO + frame(10, b"") * 9000)
        if pause:
            assert waiting.wait(TIMEOUT_S)
            opened.sendall(frame(10, b"") * 9000)
        with suppress(ConnectionResetError):
            answer = opened.recv(65_536)
            assert answer.startswith(b"HTTP/1.1 400 ") is not pause
        heard.set()
        assert loop_s(strict) - begun < 0.02


@pytest.mark.parametrize(
    ("head", "bytes_after"),
    [
        (b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ", b"x"),
        (
            b"POST /api/studies HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            b"Content-Length: 9999\r\n\r\n",
            b" ",
        ),
        (UPGRADE, frame(1, b" " * 9000)),
    ],
    ids=["head", "body", "frame"],
)
def test_a_byte_at_a_time_is_read_at_the_pace_of_the_address(
    tmp_path: Path, head: bytes, bytes_after: bytes
) -> None:
    with live(tmp_path, limits=True) as strict, connected(strict) as opened:
        strict.service.limits.retune({**RATES, "reads": Rate(16, 40)}, 64)
        reads = count_reads(strict, lambda: drip(opened, head, bytes_after, 1.0))
        assert 16 < reads < 16 + 40 + 4 * pace.AT_ONCE
        assert strict.client().get("/healthz").status_code == 200, "which waits a little"


def drip(opened: socket.socket, head: bytes, then: bytes, seconds: float) -> None:
    opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    opened.sendall(head)
    if head is UPGRADE:
        assert opened.recv(65_536).startswith(b"HTTP/1.1 101 ")
    end = time.monotonic() + seconds
    for byte in itertools.cycle(then):
        if time.monotonic() > end:
            return
        opened.sendall(bytes((byte,)))
        let_pass(0.002)
    raise AssertionError("unreachable")


def count_reads(server: Live, work: Callable[[], None]) -> int:
    """How often the server reads from its only connection while that is done."""
    config = server.server.config
    kinds: list[Any] = [config.http_protocol_class, config.ws_protocol_class]
    count = 0

    def counting(received: Any) -> Any:
        def read(self: Any, data: bytes) -> None:
            nonlocal count
            count += 1
            received(self, data)

        return read

    with pytest.MonkeyPatch.context() as patch:
        for kind in kinds:
            patch.setattr(kind, "data_received", counting(kind.data_received))
        work()
    return count


def test_frames_of_somebody_honest_are_read(server: Live) -> None:
    """A message in pieces, with a ping and a pong between them."""
    text = b'{"type":"hello","protocol":%d}' % PROTOCOL
    pieces = [open_end(1, text[:5]), frame(9, b"?"), open_end(0, text[5:20]), frame(10, b"!")]
    with connected(server) as opened:
        opened.sendall(UPGRADE)
        assert opened.recv(65_536).startswith(b"HTTP/1.1 101 ")
        opened.sendall(b"".join(pieces) + frame(0, text[20:]))
        found = b""
        while b"welcome" not in found:
            found += opened.recv(65_536)
    assert frame_of_server(10, b"?") in found


def frame_of_server(opcode: int, payload: bytes) -> bytes:
    return bytes((0x80 | opcode, len(payload))) + payload


@pytest.mark.parametrize("what", ["UNREAD_S", "MOST_UNREAD"])
def test_answers_that_nobody_reads_are_not_kept_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """Neither for long nor many of one address."""
    monkeypatch.setattr(door, what, 0.2 if what == "UNREAD_S" else 1000)
    monkeypatch.setattr(door, "UNREAD_PER_S", 10**9)
    asked = b"GET /api/openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 100
    with live(tmp_path, limits=True) as strict, ExitStack() as held:
        protocol: Any = strict.server.config.http_protocol_class
        for _ in range(2):
            opened = held.enter_context(connected(strict))
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            opened.sendall(asked)
        left = 0 if what == "UNREAD_S" else 1
        until(
            lambda: (
                len(strict.server.server_state.connections) == left and bool(left) == bool(protocol.unread)
            )
        )


def test_a_body_in_chunks_is_refused_unread(server: Live) -> None:
    head = b"POST /api/studies HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
    said(server, GET + b"Connection: close\r\n\r\n")
    begun = loop_s(server)
    found = said(server, head + b"1\r\nx\r\n" * 8000)
    assert loop_s(server) - begun < 0.02
    assert not found or found.startswith(b"HTTP/1.1 400 ")
    said_at_once = said(server, head)
    assert said_at_once.startswith(b"HTTP/1.1 400 ") and b"how long the body is" in said_at_once


def test_connections_beyond_the_pace_are_closed_unheard() -> None:
    asked: list[str] = []

    def lets_in(host: str) -> bool:
        asked.append(host)
        return len(asked) > 2

    with Listener(socket.AF_INET, socket.SOCK_STREAM) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(AT_ONCE)
        listener.lets_in = lets_in
        unheard = [socket.create_connection(listener.getsockname(), TIMEOUT_S) for _ in range(2)]
        with socket.create_connection(listener.getsockname(), TIMEOUT_S) as third:
            taken, address = listener.accept()
            with taken:
                assert address == third.getsockname() and asked == ["127.0.0.1"] * 3
        for one in unheard:
            with one, pytest.raises(ConnectionResetError):
                one.recv(1)


def test_a_server_has_a_pace_for_connections_but_not_for_its_proxies(tmp_path: Path) -> None:
    with live(tmp_path, web=WebConfig(trusted_proxies=("10.0.0.1",))) as strict:
        strict.service.limits = Limits({"connections": Rate(3, 0.001)})
        assert [strict.server.lets_in("10.0.0.2") for _ in range(4)] == [True, True, True, False]
        assert all(strict.server.lets_in("10.0.0.1") for _ in range(4))
        assert strict.server.lets_in("10.0.0.3")


def test_who_is_refused_again_and_again_waits_and_fills_no_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "REFUSED_S", 0.1)
    caplog.set_level(logging.INFO, "tengen.access")
    with live(tmp_path) as strict:
        strict.service.limits = Limits({"requests": Rate(2, 0.001), "refusals": Rate(3, 0.001)})
        client, took = strict.client(), []
        for status in [200] * 2 + [429] * 5:
            begun = time.monotonic()
            assert client.get("/api/me").status_code == status
            took.append(time.monotonic() - begun)
        assert min(took[-2:]) >= app.REFUSED_S
        assert client.get("/healthz").status_code == 200, "which has a pace of its own"
    logged = [record for record in caplog.records if "/api/me" in record.getMessage()]
    assert len(logged) == 2 + 3


def test_health_has_a_pace(tmp_path: Path) -> None:
    with live(tmp_path) as strict:
        strict.service.limits = Limits({"health": Rate(2, 0.001)})
        client = strict.client()
        paths = ("/healthz", "/readyz", "/metrics")
        assert [client.get(path).status_code for path in paths] == [200, 200, 429]
        assert client.get("/api/me").status_code == 200


def test_a_library_does_not_say_the_same_all_the_time() -> None:
    seldom = Seldom()

    def heard(name: str, words: str, at: float, level: int = logging.WARNING) -> bool:
        record = logging.LogRecord(name, level, "", 0, words, None, None)
        record.created = at
        return seldom.filter(record)

    assert heard("uvicorn.error", "Invalid", 0.0) and not heard("uvicorn.error", "Invalid", 9.0)
    assert heard("uvicorn.error", "Other", 9.0) and heard("uvicorn.error", "Invalid", 11.0)
    assert all(heard("uvicorn.error", "Broken", at, logging.ERROR) for at in (1.0, 2.0))
    assert heard("tengen.serve", "Full", 1.0) and heard("tengen.serve", "Full", 1.0)
