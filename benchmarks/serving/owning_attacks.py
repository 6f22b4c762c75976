"""Attackers who own something: many matches, a long one, names, links, people who are to be forgotten."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from benchmarks.serving.playing_attacks import A_SECOND, own
from benchmarks.serving.target import CONNECTIONS, Target

MATCHES = 39  # that an address makes at once
LONG = 5000  # events
HOT_SEAT = [{"kind": "me"}, {"kind": "me"}]
WIDE = {"game": "dominion-duel", "options": {"n": 2000}, "seats": HOT_SEAT}


def request(target: Target, line: str, secret: str, body: Any = None) -> bytes:
    """Of somebody, who takes compressed answers."""
    data = b"" if body is None else msgspec.json.encode(body)
    head = f"{line} HTTP/1.1\r\nAuthorization: Bearer {secret}\r\nAccept-Encoding: gzip\r\n".encode()
    said = b"Content-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n" % len(data)
    return head + target.host + said + data


async def _owner(target: Target, matches: int = 1) -> str:
    """The secret of somebody with so many matches."""
    made = await target.ask("/api/matches", msgspec.json.encode(WIDE))
    secret: str = msgspec.json.decode(made.partition(b"\r\n\r\n")[2])["secret"]
    for _ in range(matches - 1):
        await target.say(request(target, "POST /api/matches", secret, WIDE))
    return secret


async def _all_say(target: Target, count: int, say: Callable[[], bytes]) -> None:
    """So many connections at a time, each with something new."""
    target.begun.set()

    async def one() -> None:
        while True:
            try:
                await target.say(say())
            except (OSError, TimeoutError):
                await asyncio.sleep(0.02)

    await asyncio.gather(*(one() for _ in range(count)))


async def own_matches(target: Target) -> None:
    """The list of many matches of one's own."""
    secret = await _owner(target, MATCHES)
    await target.again(CONNECTIONS, request(target, "GET /api/me/matches", secret))


async def own_lobby(target: Target) -> None:
    """The lobby, which has to be written for somebody with seats in it."""
    secret = await _owner(target, MATCHES)
    await target.again(CONNECTIONS, request(target, "GET /api/lobby", secret))


async def new_names(target: Target) -> None:
    """A name for each request, of letters that are many."""
    secret, numbers = await _owner(target), itertools.count()
    await _all_say(
        target,
        CONNECTIONS,
        lambda: request(target, "PUT /api/me", secret, {"name": f"{next(numbers)} {chr(0xFDFA) * 40}"}),
    )


async def links(target: Target) -> None:
    """Ways to other devices, which nobody takes."""
    secret = await _owner(target)
    await target.again(CONNECTIONS, request(target, "POST /api/me/link", secret))


async def erasures(target: Target) -> None:
    """People who come, make a match and want to be forgotten."""
    target.begun.set()

    async def one() -> None:
        while True:
            with contextlib.suppress(OSError, TimeoutError, KeyError, msgspec.DecodeError):
                secret = await _owner(target)
                await target.say(request(target, "POST /api/me/erase", secret, {"sure": True}))
            await asyncio.sleep(0.05)

    await asyncio.gather(*(one() for _ in range(20)))


async def long_match(target: Target) -> None:
    """All of a long match at once on all sockets, and again."""
    async with own(target) as match:
        await match.grow(LONG)
        await match.all_say({"type": "watch"})


async def takebacks(target: Target) -> None:
    """Moves of a long game that are taken back and made again, before an audience."""
    async with own(target) as match:
        await match.grow_by({"kind": "move", "actions": [cell]} for cell in range(0, 360, 2))
        for wire in match.wires:
            match.say(wire, type="watch")
        acts: Iterator[dict[str, Any]] = itertools.cycle(
            (
                {"kind": "offer", "what": "takeback", "seat": 0},
                {"kind": "answer", "what": "takeback", "accept": True},
                {"kind": "move", "actions": [1]},
            )
        )
        target.begun.set()
        for number in itertools.count(0, len(match.wires)):
            for at, wire in enumerate(match.wires):
                match.say(wire, type="ask", id=f"t{number + at}", **next(acts))
            await asyncio.sleep(1 / A_SECOND)


async def left_searches(target: Target) -> None:
    """Explorations that nobody waits for."""
    place = {"game": "go", "options": {"size": 19}, "moves": []}
    asked = request(target, "POST /api/explore", "", {"place": place, "seconds": 10})
    await target.again(CONNECTIONS, asked, pause_s=0.05)
