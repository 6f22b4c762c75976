"""Real sockets: a server in a thread, clients that speak the protocol, well and badly."""

from __future__ import annotations

import asyncio
import random
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tengen.server import door, serve, wire
from tengen.server import protocol as p
from tengen.server.http.service import WebConfig
from tengen.server.limits import RATES, Rate
from tengen.server.matches.sockets import LOOK_MS, Socket, TokenBucket
from tests.server.live import Live, live
from tests.waiting import let_pass, next_turn, until

_encode = msgspec.json.encode
_decode = msgspec.json.Decoder(p.FromServer).decode

T = TypeVar("T")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Live]:
    with live(tmp_path) as running:
        yield running


class Client:
    """One socket, with a hello said for it."""

    def __init__(self, server: Live, secret: str | None = None, hello: bool = True, **headers: str) -> None:
        self._held = ExitStack()
        connecting = connect(server.socket_url, additional_headers=headers, max_size=None, close_timeout=0.5)
        self.wire: ClientConnection = self._held.enter_context(connecting)
        if hello:
            self.say(p.Hello(p.PROTOCOL, secret))
            self.welcome = self.hear(p.Welcome)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        self._held.close()

    def say(self, message: Any) -> None:
        raw = isinstance(message, str | bytes)
        self.wire.send(message if raw else _encode(message).decode())

    def hear(self, kind: type[T]) -> T:
        """The next message of that kind; others are passed over."""
        until = time.monotonic() + 60
        while time.monotonic() < until:
            message = _decode(self.wire.recv(timeout=10))
            if isinstance(message, kind):
                return message
        raise AssertionError(f"no {kind.__name__} came")

    def closed(self) -> int:
        """The code that the server closes with."""
        with pytest.raises(ConnectionClosed) as caught:
            while True:
                self.wire.recv(timeout=10)
        assert caught.value.rcvd is not None
        return caught.value.rcvd.code


def sit(server: Live, **wish: Any) -> tuple[str, str, str]:
    """A match of two programs, and the secret of each."""
    body = {"game": "great-kingdom", "seats": [{"kind": "me"}, {"kind": "open"}], **wish}
    made = server.client().post("/api/matches", json=body).json()
    joined = server.client().post(f"/api/matches/{made['match']}/join", json={}).json()
    return made["match"], made["secret"], joined["secret"]


def ask(match: str, kind: Any, client_id: str, **more: Any) -> p.Ask:
    return p.Ask(match, client_id, kind, **more)


def test_two_programs_play_a_game(server: Live) -> None:
    match, one, other = sit(server, clock={"kind": "fischer", "main_ms": 60_000, "increment_ms": 1000})
    with Client(server, one) as first, Client(server, other) as second:
        players = (first, second)
        views = []
        for player in players:
            player.say(p.Watch(match))
            views.append(player.hear(p.Snapshot).now)
        dice = random.Random(11)
        turn = 0
        while views[0].phase == "playing":
            now = views[0]
            mover = players[now.view.to_move]
            action = dice.choice(now.legal)
            mover.say(ask(match, "move", f"m{turn}", actions=[action], position=now.position))
            views = [player.hear(p.Update).now for player in players]
            assert mover.hear(p.Accepted) == p.Accepted(match, f"m{turn}", turn + 1)
            assert views[0] == views[1] and views[0].number == turn + 1
            turn += 1
        assert views[0].outcome is not None
        players[0].say(ask(match, "move", "m0", actions=[0]))
        assert players[0].hear(p.Accepted).number == 1, "a repeated request gets its first answer"


def test_who_somebody_is(server: Live) -> None:
    match, one, other = sit(server)
    for client in (
        Client(server, one),
        Client(server, None, Cookie=f"tengen={one}"),
        Client(server, None, Authorization=f"Bearer {one}"),
        Client(server, one, Cookie=f"tengen={other}"),
    ):
        with client:
            client.say(p.Watch(match))
            assert client.hear(p.Snapshot).you == [0]
            assert client.welcome.name == ""
    for client in (Client(server), Client(server, "x" * 43), Client(server, "nonsense")):
        with client:
            assert client.welcome.name is None
            client.say(p.Watch(match))
            assert client.hear(p.Snapshot).you == []
            client.say(ask(match, "move", "mine", text="D4"))
            assert client.hear(p.Refused) == p.Refused(
                match, "mine", "stranger", "You have no seat in this match."
            )


def test_manners(server: Live) -> None:
    with Client(server, hello=False) as client:
        client.say(p.Ping(1))
        assert client.hear(p.Refused).code == "malformed"
        client.say(p.Hello(99))
        assert client.hear(p.Closing).final
        assert client.closed() == 1008
    with Client(server) as client:
        client.say(p.Ping(17.5))
        assert client.hear(p.Pong).at == 17.5
        client.say(p.Watch("nowhere"))
        assert client.hear(p.Refused) == p.Refused("nowhere", None, "unknown", "There is no such match.")
        client.say('{"type":"ask","match":"m","id":"seven","kind":"fly"}')
        refused = client.hear(p.Refused)
        assert (refused.match, refused.id, refused.code) == ("m", "seven", "malformed")
        client.say("{" * 100)
        client.say(b"\xff\xfe")
        client.say("[" * 10_000)
        client.say(p.Ping(1))
        client.hear(p.Pong)
        client.say(" " * (p.MAX_MESSAGE_BYTES + 1))
        for junk in ("", "null", '{"type":"welcome"}', '{"type":"ask","match":5,"id":[],"kind":"move"}'):
            client.say(junk)
        assert client.hear(p.Closing).final
        assert client.closed() == 1008


def test_somebody_silent_is_sent_away(tmp_path: Path) -> None:
    with live(tmp_path, hello_s=0.2) as server, Client(server, hello=False) as client:
        assert client.hear(p.Closing).message == "Nobody said hello."
        assert client.closed() == 4408


def test_stale_and_out_of_order(server: Live) -> None:
    match, one, other = sit(server)
    with Client(server, one) as first, Client(server, other) as second:
        first.say(p.Watch(match))
        begin = first.hear(p.Snapshot).now
        second.say(ask(match, "move", "early", text="D6"))
        assert second.hear(p.Refused).code == "not-your-turn"
        first.say(ask(match, "move", "a", text="D4", position=begin.position))
        first.hear(p.Accepted)
        second.say(p.Watch(match))
        second.hear(p.Snapshot)
        second.say(ask(match, "move", "b", text="D6", position=begin.position))
        assert second.hear(p.Snapshot).now.number == 1, "who is behind gets everything"
        assert second.hear(p.Refused).code == "stale"
        second.say(p.Leave(match))
        second.say(ask(match, "move", "c", text="D6"))
        assert second.hear(p.Accepted).number == 2
        first.hear(p.Update)


def test_at_most_so_many_matches(tmp_path: Path) -> None:
    with live(tmp_path, max_watched=2) as server:
        matches = [sit(server)[0] for _ in range(3)]
        with Client(server) as client:
            for match in matches[:2]:
                client.say(p.Watch(match))
                client.hear(p.Snapshot)
            client.say(p.Watch(matches[2]))
            assert client.hear(p.Refused).code == "too-many"
            client.say(p.Leave(matches[0]))
            client.say(p.Watch(matches[2]))
            client.hear(p.Snapshot)


def test_too_many_messages(tmp_path: Path) -> None:
    with live(tmp_path, limits=True, socket_per_s=1.0, socket_burst=5.0) as server, Client(server) as client:
        for _ in range(6):
            with suppress(ConnectionClosed):  # the server may be through with us before the last one
                client.say(p.Ping(1))
        assert "slow down" in client.hear(p.Closing).message
        assert client.closed() == 4429


def test_a_bucket(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    bucket = TokenBucket(1000, 2)
    assert [bucket.take() for _ in range(3)] == [True, True, False]
    now = 0.001
    assert [bucket.take() for _ in range(2)] == [True, False]
    now = 0.1
    assert [bucket.take() for _ in range(3)] == [True, True, False], "no more than the burst"


def test_a_slow_reader_is_dropped_and_catches_up(tmp_path: Path) -> None:
    with live(tmp_path, queue_messages=16, queue_bytes=200_000, stop_s=0.3) as server:
        match, one, other = sit(server)
        with Client(server, one) as first, Client(server, other) as second:
            slow = Client(server)
            slow.say(p.Watch(match))
            seen = slow.hear(p.Snapshot).now
            hub = server.service.hub
            watching: Socket = next(
                one for one in hub.connections if isinstance(one, Socket) and one.person is None
            )

            async def flood() -> None:
                """More than the kernel's buffers and the client's hold, to a client that does not read."""
                for _ in range(2000):
                    watching.put(b'"' + b"x" * 100_000 + b'"')
                    await next_turn()

            for index, text in enumerate(("D4", "D6", "F4")):
                client = (first, second)[index % 2]
                client.say(ask(match, "move", f"m{index}", text=text))
                client.hear(p.Accepted)
            asyncio.run_coroutine_threadsafe(flood(), server.loop).result(20)
            assert watching.is_closing
            until(lambda: watching not in hub.connections)
            slow.end()
            with Client(server) as again:
                again.say(p.Watch(match, seen.number, seen.position))
                assert again.hear(p.Snapshot).now.number == 3
                last = again.hear(p.Info)
                assert last.watchers == 1
            with Client(server) as again:
                again.say(p.Watch(match, 1, _position(server, match, 1)))
                assert [event.number for event in again.hear(p.Update).events] == [2, 3]


def test_a_peer_that_never_reads_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its buffers are full, so neither the last word nor the close frame gets through to it."""
    monkeypatch.setattr(wire, "LEAVE_S", 0.5)
    with (
        live(tmp_path, queue_bytes=200_000, stop_s=0.3) as server,
        socket.create_connection(("127.0.0.1", server.port)) as peer,
    ):
        peer.sendall(UPGRADE.format(port=server.port).encode())
        assert peer.recv(12) == b"HTTP/1.1 101"
        hub, connections = server.service.hub, server.server.server_state.connections
        until(lambda: hub.connections)
        [stuck] = hub.connections
        assert isinstance(stuck, Socket)

        async def flood() -> None:
            while not stuck.is_closing:
                stuck.put(b'"' + b"x" * 100_000 + b'"')
                await next_turn()

        asyncio.run_coroutine_threadsafe(flood(), server.loop).result(20)
        until(lambda: not connections and not hub.connections)


UPGRADE = (
    "GET /api/socket HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


def test_a_flood_of_pings_is_cut_off(server: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of one that reads nothing, and of one that sends too many."""
    ping = b"\x89\xfd\0\0\0\0" + b"x" * 125
    for most in (10**9, wire.PINGS_PER_S):
        monkeypatch.setattr(wire, "PINGS_PER_S", most)
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as peer:
            peer.sendall(UPGRADE.format(port=server.port).encode())
            assert peer.recv(12) == b"HTTP/1.1 101"
            with pytest.raises(ConnectionError):
                for _ in range(200 if most > 1000 else 10):
                    peer.sendall(ping * 3000)
                    let_pass(0.01)


def test_a_socket_may_ping(server: Live) -> None:
    with Client(server) as client:
        for _ in range(5):
            assert client.wire.ping().wait(5)


def test_a_refused_socket_is_no_error(server: Live, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("WARNING", logger="uvicorn.error"):
        with pytest.raises(InvalidStatus) as caught:
            Client(server, Origin="http://elsewhere.example")
        assert caught.value.response.status_code == 403
        server.client().get("/healthz")
    assert not [record for record in caplog.records if record.name == "uvicorn.error"]


def closes(peer: socket.socket, seconds: float) -> bool:
    """Whether the other side ends the connection in that time."""
    peer.settimeout(seconds)
    try:
        return peer.recv(1) == b""
    except ConnectionError:
        return True
    except TimeoutError:
        return False


def test_silent_and_half_said_connections_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "HEADER_S", 0.4)
    with live(tmp_path) as server, ExitStack() as held:
        address = ("127.0.0.1", server.port)
        silent, half, kept = (held.enter_context(socket.create_connection(address)) for _ in range(3))
        half.sendall(b"GET /healthz HT")
        kept.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        heard = b""
        while not heard.endswith(b"alive\n"):
            heard += kept.recv(1000)
        with suppress(ConnectionError):
            for _ in range(3):
                let_pass(0.1)
                half.sendall(b"T")
        assert closes(silent, 10) and closes(half, 10), "the bits it said did not help"
        assert not closes(kept, 0.5), "one that was served may wait"
        kept.sendall(b"GET /healthz HT")
        assert closes(kept, 10)
        with Client(server) as client:
            let_pass(0.6)
            client.say(p.Ping(1))
            client.hear(p.Pong)


def client_let_in(server: Live) -> Client:
    """As soon as the server has noticed that another connection is gone."""
    let_in: list[Client] = []

    def tried() -> bool:
        with suppress(ConnectionError, EOFError, InvalidMessage):
            let_in.append(Client(server))
        return bool(let_in)

    until(tried)
    return let_in[0]


@pytest.mark.parametrize("trusted", [(), ("127.0.0.1",)])
def test_connections_of_one_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trusted: tuple[str, ...]
) -> None:
    monkeypatch.setattr(serve, "MOST_CONNECTIONS", 3)
    web = WebConfig(folder=tmp_path / "no-client", trusted_proxies=trusted)
    with live(tmp_path, web, limits=True) as server, ExitStack() as held:
        address = ("127.0.0.1", server.port)
        peers = [held.enter_context(socket.create_connection(address)) for _ in range(3)]
        with socket.create_connection(address) as one_more:
            assert closes(one_more, 0.5 if trusted else 10) == (not trusted)
        peers[0].close()
        with client_let_in(server):
            again = held.enter_context(socket.create_connection(address))
            assert not closes(again, 0.3), "a socket is not counted here"


def test_refusals_are_counted(server: Live) -> None:
    match, _, _ = sit(server)
    with Client(server) as client:
        client.say("nonsense")
        client.say(ask(match, "move", "m", text="D4"))
        client.hear(p.Refused)
        assert client.hear(p.Refused).code == "stranger"
    text = server.client().get("/metrics").text
    for code in ("malformed", "stranger"):
        assert f'tengen_refusals_total{{code="{code}"}} 1.0' in text


def test_frames(server: Live) -> None:
    """Made by hand, they are what a client reads."""
    with Client(server) as client:
        [watching] = server.service.hub.connections
        for size in (0, 10, 100, 125, 200, 60_000, 70_000):
            name = "ü" * size
            server.loop.call_soon_threadsafe(watching.put, _encode(p.Welcome(1, "", 0, name)))
            assert client.hear(p.Welcome).name == name


def _position(server: Live, match: str, number: int) -> str:
    room = server.service.hub.rooms.get(match)
    assert room is not None
    return room.match.events[number - 1].position


def test_a_stop_says_goodbye(tmp_path: Path) -> None:
    with live(tmp_path) as server:
        match, one, _ = sit(server)
        client = Client(server, one)
        client.say(ask(match, "move", "m", text="D4"))
        client.hear(p.Accepted)
    closing = client.hear(p.Closing)
    assert not closing.final
    assert client.closed() == 1012
    client.end()
    with live(tmp_path) as server, Client(server, one) as client:
        client.say(p.Watch(match))
        assert client.hear(p.Snapshot).now.number == 1


def test_a_socket_that_vanishes_is_forgotten(server: Live) -> None:
    match, one, _ = sit(server)
    hub = server.service.hub
    client = Client(server, one)
    client.say(p.Watch(match))
    client.hear(p.Snapshot)
    room = hub.rooms.get(match)
    assert room is not None and room.local_here() == (True, False)
    client.wire.socket.close()
    until(lambda: not hub.connections and not room.watchers)
    assert room.local_here() == (False, False)
    client.end()


@pytest.mark.parametrize("message", [p.Hello(p.PROTOCOL, "x" * 43), p.Watch("no-such-match-here")])
def test_what_is_looked_up_is_paid_for(tmp_path: Path, message: Any) -> None:
    """Whether or not it is found: it takes the store a millisecond or two."""
    with live(tmp_path, limits=True) as server, Client(server) as client:
        budget = 5 * LOOK_MS
        server.service.limits.retune({**RATES, "work": Rate(budget, 0.001)}, 64)
        for _ in range(10):
            client.say(message)
        while (refused := client.hear(p.Refused)).code == "unknown":
            pass
        assert refused.code == "too-many"
