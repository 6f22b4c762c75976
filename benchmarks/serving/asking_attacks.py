"""Attackers who ask for what computes: files, trees, reviews, explorations and estimates."""

from __future__ import annotations

from typing import Any

import msgspec

from benchmarks.serving.target import CONNECTIONS, Target


async def imports(target: Target) -> None:
    """A file with as many lines and escapes as it may have."""
    text = rb"(;GM[1]SZ[19]C[" + rb"\\]" * 19_000 + rb"\n" * 400_000 + b"])"
    await target.post(8, "/api/studies", b'{"text":"' + text + b'"}')


async def trees(target: Target) -> None:
    """A file with as many branches as it may have."""
    cells = [f"{x}{y}" for x in "abcdefghi" for y in "abcdefghi"]
    lines = (f"(;B[{one}]{''.join(f'(;W[{two}])' for two in cells if two != one)})" for one in cells)
    await target.post(8, "/api/studies", msgspec.json.encode({"text": f"(;GM[1]SZ[9]{''.join(lines)})"}))


async def reviews(target: Target) -> None:
    """Of a study with as many moves as one may have."""
    nodes: list[dict[str, Any]] = [{"parent": None}]
    for number in range(2000):
        at = number % 80
        nodes.append({"parent": number, "seat": number % 2, "text": "", "actions": [at + (at >= 40)]})
    study = {"game": "great-kingdom", "options": {}, "nodes": nodes}
    await target.post(8, "/api/studies/review", msgspec.json.encode({"study": study, "visits": 400}))


async def known(target: Target) -> None:
    """What is known of a large tree."""
    nodes: list[dict[str, Any]] = [{"parent": None}]
    nodes += ({"parent": 0, "seat": 0, "actions": [number % 81]} for number in range(8000))
    study = {"game": "go", "options": {"size": 9}, "nodes": nodes}
    await target.post(8, "/api/studies/known", msgspec.json.encode(study))


async def explorations(target: Target) -> None:
    """Of a place that is reached by far too many moves."""
    place = {"game": "go", "options": {"size": 19}, "moves": [[1]] * 400_000}
    await target.post(8, "/api/explore", msgspec.json.encode({"place": place, "seconds": 30}))


async def long_lines(target: Target) -> None:
    """A review of as long a game as is allowed."""
    place = {"game": "go", "options": {"size": 19}, "moves": [[361]] * 2000}
    await target.post(8, "/api/review", msgspec.json.encode({"place": place, "visits": 400}))


async def estimates(target: Target) -> None:
    """How a game of the attacker's own stands, again and again."""
    seats = [{"kind": "me"}, {"kind": "machine", "player": "level:1"}]
    wish = {"game": "go", "options": {"size": 19}, "seats": seats}
    made = await target.ask("/api/matches", msgspec.json.encode(wish))
    match = msgspec.json.decode(made.partition(b"\r\n\r\n")[2])["match"].encode()
    path = b"GET /api/matches/" + match + b"/estimate HTTP/1.1\r\n"
    await target.again(CONNECTIONS, path + target.host + b"Connection: close\r\n\r\n")
