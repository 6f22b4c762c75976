"""Who asks pays: for all who are told, for what is read again, and for what nobody reads."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from benchmarks.serving.wire import frame
from tengen.server import protocol as p
from tengen.server.limits import MISSED_A_MS, RATES, TOLD_A_MS, Rate, work_of
from tengen.server.matches.sockets import FAR_BEHIND
from tengen.server.wire import MOST_TEXTS
from tests.server.live import TIMEOUT_S, Live, live
from tests.server.test_floods import UPGRADE
from tests.server.test_sockets import Client, ask
from tests.waiting import let_pass, until

PASS = 81


def alone(server: Live) -> tuple[str, str]:
    """A match of somebody with themselves."""
    seats = [{"kind": "me"}, {"kind": "me"}]
    made = server.client().post("/api/matches", json={"game": "go", "options": {"size": 9}, "seats": seats})
    return made.json()["match"], made.json()["secret"]


def on_loop(server: Live, work: Callable[[], Any]) -> Any:
    async def run() -> Any:
        return work()

    return asyncio.run_coroutine_threadsafe(run(), server.loop).result(TIMEOUT_S)


def paid(server: Live, what: Callable[[], None]) -> float:
    """The work that was charged meanwhile, without what came back of it."""
    server.service.limits.retune({**RATES, "work": Rate(10**6, 10**-6)}, 64)
    before = on_loop(server, lambda: server.service.limits._tokens("work", "127.0.0.1"))
    what()
    return float(before - on_loop(server, lambda: server.service.limits._tokens("work", "127.0.0.1")))


def grown(client: Client, match: str, events: int) -> str:
    """Two pass and neither agrees, again and again; the position after the first."""
    first = ""
    for number in range(1, events + 1):
        kind, more = ("move", {"actions": [PASS]}) if number % 3 else ("resume", {})
        client.say(ask(match, kind, f"g{number}", **more))
        assert client.hear(p.Accepted).number == number
        if number == 1:
            client.say(p.Watch(match))
            first = client.hear(p.Snapshot).now.position
            client.say(p.Leave(match))
    return first


def test_who_moves_pays_for_all_who_are_told(tmp_path: Path) -> None:
    with live(tmp_path, limits=True) as server:
        match, secret = alone(server)
        others = [Client(server, secret) for _ in range(5)]
        with Client(server, secret) as client:
            client.say(ask(match, "move", "one", actions=[0]))
            client.hear(p.Accepted)
            for one in others:
                one.say(p.Watch(match))
                one.hear(p.Snapshot)

            def move() -> None:
                client.say(ask(match, "move", "two", actions=[1]))
                client.hear(p.Accepted)

            assert paid(server, move) == pytest.approx(work_of(0) + 5 / TOLD_A_MS, abs=0.01)
        for one in others:
            one.end()


def test_who_reads_old_events_or_a_whole_match_again_pays_for_it(tmp_path: Path) -> None:
    with live(tmp_path, limits=True) as server:
        match, secret = alone(server)
        with Client(server, secret) as client:
            first = grown(client, match, 60)

            def missed() -> None:
                client.say(p.Watch(match, 1, first))
                assert len(client.hear(p.Update).events) == 59

            def stale() -> None:
                client.say(ask(match, "resign", "s", seat=0, position="elsewhere"))
                assert client.hear(p.Snapshot).now.number == 60

            assert paid(server, missed) > work_of(0) + 59 / MISSED_A_MS
            size = len(server.client().get(f"/api/matches/{match}").content)
            assert paid(server, stale) > work_of(size)


def test_events_are_stored_at_a_pace(tmp_path: Path) -> None:
    with live(tmp_path, limits=True) as server:
        server.service.limits.retune({**RATES, "events": Rate(3, 0.001)}, 64)
        match, secret = alone(server)
        with Client(server, secret) as client:
            for number in range(3):
                client.say(ask(match, "move", f"m{number}", actions=[number]))
                client.hear(p.Accepted)
            client.say(ask(match, "move", "m3", actions=[3]))
            assert client.hear(p.Refused).code == "too-many"
            client.say(p.Ping())
            assert client.hear(p.Pong), "which is stored nowhere"


def test_answers_that_nobody_reads_do_not_pile_up(tmp_path: Path) -> None:
    """Hundreds of questions at once, each answered with the whole match."""
    with live(tmp_path, socket_burst=10**6) as server:
        match, secret = alone(server)
        with Client(server, secret) as client:
            grown(client, match, 400)
        with socket.create_connection(("127.0.0.1", server.port)) as opened:
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            opened.settimeout(TIMEOUT_S)
            opened.sendall(UPGRADE)
            opened.recv(129)
            hello = frame(1, msgspec.json.encode(p.Hello(p.PROTOCOL, secret)))
            opened.sendall(hello + frame(1, msgspec.json.encode(p.Watch(match))) * 2)
            connections = server.service.hub.connections
            until(lambda: on_loop(server, lambda: [bool(one.watching) for one in connections]) == [True])
            (held,) = on_loop(server, lambda: list(connections))
            opened.sendall(frame(1, msgspec.json.encode(p.Watch(match))) * (MOST_TEXTS - 10))
            until(lambda: on_loop(server, lambda: held._bytes) > 0)
            let_pass(0.3)
            most = len(server.client().get(f"/api/matches/{match}").content) + FAR_BEHIND
            assert not held.is_closing, "it is asked for no more than it was told"
            assert on_loop(server, lambda: held._bytes) <= most
            assert on_loop(server, lambda: held._write.__self__._size) <= most
