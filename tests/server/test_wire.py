"""The short way of a socket's messages: it takes what is whole texts, and knows when the parser is busy."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.server import ServerProtocol

from tengen.server.wire import Inbox, _waits_for_a_frame, whole_texts
from tests.waiting import next_turn


def frame(text: str, opcode: Opcode = Opcode.TEXT, **more: bool) -> bytes:
    return Frame(opcode, text.encode(), **more).serialize(mask=True)


@given(st.lists(st.text(max_size=300), max_size=4))
def test_whole_texts_are_read_as_they_were_written(texts: list[str]) -> None:
    data = b"".join(map(frame, texts))
    assert whole_texts(data) == texts
    for cut in range(len(data)):
        assert whole_texts(data[:cut]) in (None, *(texts[:n] for n in range(len(texts))))


@pytest.mark.parametrize(
    "data",
    [
        frame("a", Opcode.BINARY),
        frame("a", Opcode.PING),
        frame("a", fin=False),
        frame("a") + frame("b", Opcode.CONT),
        Frame(Opcode.TEXT, b"a").serialize(mask=False),
        Frame(Opcode.TEXT, b"\xff").serialize(mask=True),
        frame("x" * 70_000),
    ],
    ids=["binary", "ping", "begun", "continued", "unmasked", "no text", "long"],  # masks are random
)
def test_the_rest_is_left_to_the_parser(data: bytes) -> None:
    assert whole_texts(data) is None


@pytest.mark.parametrize("text", ["", "short", "x" * 200])
def test_a_frame_that_is_begun_is_seen_at_every_byte(text: str) -> None:
    data = frame(text)
    for cut in range(len(data) + 1):
        protocol = ServerProtocol()
        protocol.receive_data(
            b"GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
        (request,) = protocol.events_received()
        assert isinstance(request, Request)
        protocol.send_response(protocol.accept(request))
        assert _waits_for_a_frame(protocol.parser)
        protocol.receive_data(data[:cut])
        assert _waits_for_a_frame(protocol.parser) == (cut in (0, len(data)))


@pytest.mark.anyio
async def test_who_sends_many_messages_at_once_has_others_served_in_between() -> None:
    inbox, order = Inbox(asyncio.get_running_loop()), list[str]()
    for number in range(3):
        inbox.put_nowait({"type": "websocket.receive", "text": str(number)})

    async def serve() -> None:
        for _ in range(3):
            order.append((await inbox.get())["text"])  # type: ignore[typeddict-item, arg-type]

    async def other() -> None:
        for _ in range(3):
            order.append("other")
            await next_turn()

    await asyncio.gather(serve(), other())
    assert order == ["other", "0", "other", "1", "other", "2"]
