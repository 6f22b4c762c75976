"""The courier: what a crowd is told goes out in order, whole and to nobody else, whoever leaves meanwhile."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from benchmarks import server_crowd
from benchmarks.serving.games import Maker
from benchmarks.serving.processes import Serving
from tengen.server import courier as module
from tengen.server.courier import CHUNK, Courier, Outlet
from tests.waiting import soon

Ends = tuple[Outlet, socket.socket]


class Ours(asyncio.Protocol):
    """The server's end, which does with its outlet what a wire does."""

    outlet: Outlet | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.outlet = Outlet(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        assert self.outlet is not None
        self.outlet.lose()


@asynccontextmanager
async def ends(count: int) -> AsyncIterator[tuple[Courier, list[Ends]]]:
    """A courier, and connections with the outlet of each and its peer."""
    courier, found = Courier(), list[Ends]()
    for _ in range(count):
        here, there = socket.socketpair()
        _, protocol = await asyncio.get_running_loop().create_connection(Ours, sock=here)
        there.setblocking(False)
        assert protocol.outlet is not None
        found.append((protocol.outlet, there))
    try:
        yield courier, found
    finally:
        courier.close()
        for outlet, there in found:
            outlet.transport.abort()
            there.close()
        await asyncio.sleep(0)


def carry(courier: Courier, some: list[Ends], data: bytes) -> None:
    assert all(outlet.lend(courier) for outlet, _ in some)
    courier.carry([outlet for outlet, _ in some], data)


async def read(there: socket.socket, size: int) -> bytes:
    """So many bytes, or all until the end."""
    found = b""
    async with asyncio.timeout(60):
        while len(found) < size and (some := await asyncio.get_running_loop().sock_recv(there, 65_536)):
            found += some
    return found


def test_what_is_written_meanwhile_comes_after_it_and_before_the_end() -> None:
    async def run() -> None:
        async with ends(3) as (courier, some):
            with courier.lock:  # as if the courier were slow
                carry(courier, some, b"first ")
                for outlet, _ in some:
                    outlet.write(b"second ")
                    outlet.write(b"third")
                    assert not outlet.lend(courier)
                    outlet.close()
                    assert outlet.is_closing() and not outlet.transport.is_closing()
            for _, there in some:
                assert await read(there, 1000) == b"first second third"

    asyncio.run(run())


def test_who_reads_slowly_gets_all_of_it_in_order() -> None:
    async def run() -> None:
        async with ends(2) as (courier, some):
            (slow, unread), (quick, reading) = some
            texts = [bytes([65 + number % 26]) * 100_000 for number in range(30)]
            for text in texts:
                await soon(lambda: quick.lend(courier))
                courier.carry([quick], text)
                if slow.lend(courier):
                    courier.carry([slow], text)
                else:
                    slow.write(text)
                assert await read(reading, len(text)) == text
            await soon(lambda: slow.transport.get_write_buffer_size() > 0)  # it has had to wait
            assert await read(unread, sum(map(len, texts))) == b"".join(texts)
            await soon(lambda: slow.lend(courier))

    asyncio.run(run())


def held_writes(
    monkeypatch: pytest.MonkeyPatch, at: int
) -> tuple[list[int], threading.Event, threading.Event]:
    """Descriptors that were written to; the write with that number waits for the second event."""
    written, begun, go_on = list[int](), threading.Event(), threading.Event()
    write: Callable[[int, bytes], int] = os.write

    def slow(fd: int, data: bytes) -> int:
        written.append(fd)
        if len(written) == at:
            begun.set()
            assert go_on.wait(60)
        return write(fd, data)

    monkeypatch.setattr(module, "write", slow)
    return written, begun, go_on


def test_who_is_lost_is_written_to_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their descriptors belong to others as soon as they are closed."""

    async def run() -> None:
        written, begun, go_on = held_writes(monkeypatch, at=1)
        async with ends(CHUNK + 20) as (courier, some):
            lost, there = some[CHUNK]  # the first of the next few
            number = lost.transport.get_extra_info("socket").fileno()
            carry(courier, some, b"news")
            await asyncio.to_thread(begun.wait)
            losing = asyncio.create_task(asyncio.to_thread(lost.lose))
            await soon(lambda: courier.wanted)
            assert not losing.done(), "it waits while descriptors are used"
            go_on.set()
            await losing
            await soon(lambda: some[-1][0]._lent is None)
            assert number not in written and len(written) == len(some) - 1
            with pytest.raises(BlockingIOError):
                there.recv(1)
            assert not lost.lend(courier)

    asyncio.run(run())


def test_all_leave_while_they_are_told_and_others_take_their_descriptors(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def run() -> None:
        _, begun, go_on = held_writes(monkeypatch, at=CHUNK + 5)
        async with ends(4 * CHUNK) as (courier, some):
            carry(courier, some, b"for those who look on")
            await asyncio.to_thread(begun.wait)
            for outlet, _ in some:
                outlet.transport.abort()
            threading.Timer(0.05, go_on.set).start()  # meanwhile the loop waits in `lose`
            await soon(lambda: all(outlet._lent is None for outlet, _ in some))
            others = [socket.socketpair() for _ in some]
            for ours, theirs in others:
                theirs.setblocking(False)
                with pytest.raises(BlockingIOError):
                    theirs.recv(1)
                ours.close()
                theirs.close()

    asyncio.run(run())


def test_a_crowd_hears_every_move_in_order(tmp_path: Path) -> None:
    """Through a real server, with more of them than are written to at once."""
    server = Serving(tmp_path, f"sqlite:///{tmp_path}/crowd.sqlite3", watched=True)
    server.start()
    try:
        maker = Maker([server.url])
        made = maker.make()
        maker.close()

        async def run() -> server_crowd.Stage:
            stage = server_crowd.Stage(server, made)
            await stage.gather(200)
            playing = asyncio.create_task(stage.play(10))
            for wire in stage.wires[100:]:  # while they are told
                wire.abort()
                await asyncio.sleep(0)
            del stage.seats[102:]  # the players and those who stay
            await playing
            for wire in (*stage.players, *stage.wires):
                wire.abort()
            await asyncio.sleep(0)
            return stage

        assert asyncio.run(run()).faults == 0
    finally:
        server.stop()
    assert "Traceback" not in server.log.read_text()
