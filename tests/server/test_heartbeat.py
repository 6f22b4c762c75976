"""Pings: who does not answer is gone, who does is asked again, and thousands cost one timer."""

from __future__ import annotations

import asyncio
import gc
import socket
from itertools import pairwise
from pathlib import Path

import pytest

from benchmarks.serving.wire import frame
from tengen.server import heartbeat, wire
from tengen.server.heartbeat import Heartbeat
from tests.server.live import TIMEOUT_S, live
from tests.server.test_floods import HELLO, UPGRADE
from tests.server.test_sockets import Client
from tests.waiting import soon, until

PING = b"\x89\x04"


def test_who_does_not_answer_a_ping_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "PING_S", 0.3)
    with (
        live(tmp_path) as server,
        socket.create_connection(("127.0.0.1", server.port), TIMEOUT_S) as silent,
        Client(server) as polite,
    ):
        silent.sendall(UPGRADE)
        found = b""
        while more := silent.recv(65_536):
            found += more
        assert found.count(PING) == 1 and (1011).to_bytes(2, "big") in found
        assert polite.wire.ping().wait(5), "who answers stays"


def test_a_pong_on_the_short_way_and_on_the_long_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Alone, and with something else in the same bytes."""
    monkeypatch.setattr(wire, "PING_S", 0.2)
    with live(tmp_path) as server, socket.create_connection(("127.0.0.1", server.port), TIMEOUT_S) as opened:
        opened.sendall(UPGRADE)
        found, pings = b"", 0
        while pings < 6:
            found += opened.recv(65_536)
            at = found.find(PING)
            if at >= 0 and len(found) >= at + 6:
                pong, found, pings = frame(10, found[at + 2 : at + 6]), found[at + 6 :], pings + 1
                opened.sendall(HELLO + pong if pings % 2 else pong)
        (client,) = server.service.hub.connections
        until(lambda: client.lag_ms() >= 0 and client._round_trip_s() > 0)  # type: ignore[attr-defined]


class Counted:
    def __init__(self, order: list[int], number: int) -> None:
        self._order, self._number = order, number

    def beat(self) -> bool:
        self._order.append(self._number)
        return True


@pytest.mark.anyio
async def test_hearts_beat_in_turn_a_few_at_a_time_and_the_dead_are_forgotten() -> None:
    order: list[int] = []
    beating = Heartbeat(0.05)
    count = 3 * heartbeat.AT_ONCE
    hearts = [Counted(order, number) for number in range(count)]
    for heart in hearts:
        beating.add(heart)
    turns: list[int] = []  # how many have beaten after each turn of the loop

    async def all_have() -> None:
        while len(order) < count:
            turns.append(len(order))
            await asyncio.sleep(0)

    await asyncio.wait_for(all_have(), TIMEOUT_S)
    assert order[:count] == list(range(count)), "in the order in which they came"
    assert max(later - before for before, later in pairwise([*turns, count])) <= heartbeat.AT_ONCE
    hearts.clear()
    del heart
    gc.collect()
    await soon(lambda: beating._timer is None and not beating._due)
