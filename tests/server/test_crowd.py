"""When more people come than fit: nobody at the table notices, and newcomers are told to come back."""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from resource import RLIMIT_NOFILE, getrlimit, setrlimit
from statistics import median
from urllib.parse import urlsplit

import pytest
from websockets.sync.client import ClientConnection, connect

from tengen.server.crowd import AT_ONCE, FEW, FEWEST, RESERVED, Crowd, Listener, places
from tests.server.process import TIMEOUT_S, post, running

FILES = 256
SOON_S = 1.0  # on a machine with nothing else to do


def test_the_last_places_are_for_those_who_have_few() -> None:
    crowd = Crowd(40, trusted=["10.0.0.1"])
    greedy = [object() for _ in range(40)]
    inside = [one for one in greedy if crowd.enter(one, "127.0.0.2")]
    assert len(inside) == 30
    others = [(object(), f"127.0.1.{number // FEW[0]}") for number in range(12)]
    assert [crowd.enter(*other) for other in others] == [True] * 10 + [False] * 2
    crowd.leave(inside[0])
    crowd.leave(inside[0])
    crowd.leave(object())
    assert len(crowd) == 39
    assert not crowd.enter(object(), "127.0.0.2") and crowd.enter(object(), "127.0.9.9")
    roomy = Crowd(40, trusted=["10.0.0.1"])
    assert all(roomy.enter(object(), "10.0.0.1") for _ in range(40))


def test_an_ipv6_subscriber_is_one_of_the_crowd() -> None:
    crowd = Crowd(4)
    for _ in range(3):
        crowd.enter(object(), "2001:db8::1")
    assert not crowd.enter(object(), "2001:db8::2") and crowd.enter(object(), "2001:db8:0:1::2")


def test_there_is_room_even_with_few_files() -> None:
    assert places(20) == FEWEST and places(1024) == 1024 - RESERVED
    assert places(1024, programs=8) < places(1024)


def test_a_listener_lets_others_have_a_turn() -> None:
    with Listener(socket.AF_INET, socket.SOCK_STREAM) as listener, ExitStack() as opened:
        listener.bind(("127.0.0.1", 0))
        listener.listen(2 * AT_ONCE)
        listener.setblocking(False)
        for _ in range(AT_ONCE + 1):
            opened.enter_context(socket.create_connection(listener.getsockname()))
        for _ in range(AT_ONCE):
            opened.enter_context(listener.accept()[0])
        with pytest.raises(BlockingIOError):
            listener.accept()
        opened.enter_context(listener.accept()[0])


class Attack:
    """Connections that say nothing, from several addresses."""

    def __init__(self, port: int, stack: ExitStack) -> None:
        self._port, self._stack = port, stack

    def __call__(self, host: str, count: int) -> list[socket.socket]:
        return [
            self._stack.enter_context(
                socket.create_connection(("127.0.0.1", self._port), TIMEOUT_S, source_address=(host, 0))
            )
            for _ in range(count)
        ]


@contextmanager
def player(url: str, made: dict[str, str]) -> Iterator[ClientConnection]:
    with connect(f"{url.replace('http', 'ws')}api/socket", proxy=None) as opened:
        opened.send(json.dumps({"type": "hello", "protocol": 1, "secret": made["secret"]}))
        opened.send(json.dumps({"type": "watch", "match": made["match"]}))
        until(opened, "snapshot")
        yield opened


def until(opened: ClientConnection, kind: str) -> None:
    while json.loads(opened.recv(TIMEOUT_S))["type"] != kind:
        pass


def moves_in(opened: ClientConnection, match: str, number: int) -> float:
    """How long a move takes."""
    begun = time.monotonic()
    ask = {"type": "ask", "match": match, "id": f"{number}", "kind": "move", "actions": [number]}
    opened.send(json.dumps({**ask, "seat": number % 2}))
    until(opened, "accepted")
    return time.monotonic() - begun


def answer(connection: socket.socket) -> str:
    """What comes until the other side closes."""
    connection.sendall(b"GET /api/server HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
    found = b""
    while data := connection.recv(65_536):
        found += data
    return found.decode()


def test_a_thousand_connections_from_many_addresses_disturb_nobody(tmp_path: Path) -> None:
    go = {"game": "go", "seats": [{"kind": "me"}, {"kind": "me"}]}
    with running(tmp_path, "serve", "--port", "0", files=FILES) as server, ExitStack() as stack:
        url = server.url()
        attack = Attack(urlsplit(url).port or 0, stack)
        made = post(f"{url}api/matches", go).json()
        opened = stack.enter_context(player(url, made))
        before = median(moves_in(opened, made["match"], number) for number in range(19))
        for host in range(2, 19):
            attack(f"127.0.0.{host}", 60)
        (greedy,) = attack("127.0.0.2", 1)
        (newcomer,) = attack("127.0.0.99", 1)
        told = answer(greedy)
        assert told.startswith("HTTP/1.1 503 ") and "retry-after: " in told and '"unavailable"' in told
        assert answer(newcomer).startswith("HTTP/1.1 200 ")
        during = [moves_in(opened, made["match"], number) for number in range(19, 38)]
        assert median(during) < max(SOON_S, 10 * before)
        assert "Traceback" not in server.err and len(server.err) < 100_000
        assert "newcomers are turned away" in server.err


def test_without_a_descriptor_left_newcomers_are_still_told() -> None:
    with Listener(socket.AF_INET, socket.SOCK_STREAM) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(AT_ONCE)
        listener.setblocking(False)
        with pytest.raises(BlockingIOError):
            listener.accept()  # takes the spare descriptor
        soft, hard = getrlimit(RLIMIT_NOFILE)
        with socket.create_connection(listener.getsockname(), TIMEOUT_S) as newcomer:
            setrlimit(RLIMIT_NOFILE, (newcomer.fileno() + 1, hard))
            try:
                with ExitStack() as files:
                    take_all(files)
                    with pytest.raises(BlockingIOError):
                        listener.accept()
            finally:
                setrlimit(RLIMIT_NOFILE, (soft, hard))
            assert newcomer.recv(65_536).startswith(b"HTTP/1.1 503 ")


def take_all(files: ExitStack) -> None:
    with suppress(OSError):
        while True:
            files.callback(os.close, os.open(os.devnull, os.O_RDONLY))
