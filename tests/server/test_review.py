"""What somebody hostile tries on a real server, and gets nothing from."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tengen.server import protocol as p
from tengen.server.http.service import WebConfig
from tests.server.live import Live, live
from tests.server.test_sockets import Client, ask, sit
from tests.waiting import until


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Live]:
    """One that other host names are served by too."""
    with live(tmp_path, WebConfig(folder=tmp_path / "no-client", trusted_proxies=("127.0.0.1",))) as running:
        yield running


def raw(server: Live, request: bytes) -> bytes:
    """What comes back to bytes that no client library would send."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as wire:
        wire.sendall(request + b"Connection: close\r\n\r\n")
        answer = b""
        while part := wire.recv(65536):
            answer += part
    return answer


def test_a_strangers_repeated_id_tells_nothing(server: Live) -> None:
    match, one, _ = sit(server)
    stranger = server.client().post("/api/matches", json={"game": "go", "seats": [{"kind": "me"}] * 2}).json()
    with Client(server, one) as ann, Client(server, stranger["secret"]) as eve:
        ann.say(ask(match, "move", "first", text="D4"))
        assert ann.hear(p.Accepted).number == 1
        for wanted in ("first", "never-used"):
            eve.say(ask(match, "move", wanted, text="D6"))
            refused = eve.hear(p.Refused)
            assert (refused.code, refused.message) == ("stranger", "You have no seat in this match.")
        eve.say(ask(stranger["match"], "resign", "first", seat=0))
        assert eve.hear(p.Accepted).number == 1, "ids of another match are none of its business"


def test_answers_that_come_late_change_nothing(server: Live) -> None:
    match, one, other = sit(server)
    with Client(server, one) as ann, Client(server, other) as bob:

        def code(who: Client, kind: str, **more: Any) -> str:
            who.say(ask(match, kind, f"{kind}-{time.monotonic_ns()}", **more))
            answer = who.hear(p.Accepted | p.Refused)  # type: ignore[arg-type]
            return answer.code if isinstance(answer, p.Refused) else ""

        assert code(ann, "move", text="D4") == ""
        assert code(ann, "offer", what="draw") == ""
        assert code(ann, "answer", what="draw", accept=True) == "not-now", "one's own offer"
        assert code(bob, "move", text="D6") == ""
        assert code(bob, "answer", what="draw", accept=True) == "not-now", "the move has declined it"
        assert code(bob, "offer", what="takeback") == ""
        assert code(ann, "move", text="F4") == ""
        assert code(ann, "answer", what="takeback", accept=True) == "not-now"
        assert code(bob, "resign") == ""
        assert [code(ann, kind) for kind in ("resign", "claim")] == ["over", "over"]


@pytest.mark.parametrize("host", [b"[", b"[::1", b"a b", b"", b"x" * 3000, b"a:b:c", b"\xff\xfe", b"a@evil"])
def test_hosts_that_are_none_disturb_nothing(server: Live, host: bytes) -> None:
    for request in (
        b"GET / HTTP/1.1\r\nHost: %s\r\n",
        b"DELETE /api/matches/abcdefgh HTTP/1.1\r\nHost: %s\r\n",
    ):
        status = int(raw(server, request % host).split()[1])
        assert status in (200, 400, 403, 404)


@pytest.mark.parametrize(
    "path",
    [
        b"/../../etc/passwd",
        b"/%2e%2e/%2e%2e/etc/passwd",
        b"/assets/..%2f..%2fpyproject.toml",
        b"/assets/%00",
        b"//etc/passwd",
        b"/..\\..\\x",
        b"/api/x%0d%0aSet-Cookie:a=b",
        b"/api/%ff%fe",
    ],
)
def test_paths_out_of_the_folder_lead_nowhere(server: Live, path: bytes) -> None:
    answer = raw(server, b"GET " + path + b" HTTP/1.1\r\nHost: a\r\n")
    assert answer.startswith(b"HTTP/1.1 404 ") and b"set-cookie" not in answer.lower()
    assert b"There is nothing here." in answer


def test_frames_of_all_kinds(server: Live) -> None:
    """Binary and fragmented ones are read; one that is too large ends that connection and no other."""
    with Client(server) as good, Client(server) as bad:
        good.say(b'{"type": "ping", "at": 2}')
        assert good.hear(p.Pong).at == 2
        good.wire.send(iter(['{"type": "pi', 'ng", "at": 3}']))
        assert good.hear(p.Pong).at == 3
        bad.say("x" * (p.MAX_MESSAGE_BYTES + 1))
        assert bad.hear(p.Refused).code == "malformed"
        bad.say("x" * (5 * p.MAX_MESSAGE_BYTES))
        assert bad.closed() == 1009
        good.say(p.Ping(4))
        assert good.hear(p.Pong).at == 4


def test_a_reviewer_who_leaves_frees_the_search(server: Live) -> None:
    place = {"game": "go", "options": {"size": 9}, "moves": [[cell] for cell in range(0, 80, 2)]}
    request = {"place": place, "visits": 800}  # half a minute of search
    with server.client().stream("POST", "/api/review", json=request) as answer:
        assert next(answer.iter_lines())
    until(lambda: not server.service.hub.engines._asked)
