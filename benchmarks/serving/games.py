"""Legal games of Great Kingdom that do not end before their last move, and the matches they are played in."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from functools import cache
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import tengen

GAME = "great-kingdom"
VARIETY = 64  # different games; matches share them


@cache
def scripts(size: int = 9) -> tuple[tuple[int, ...], ...]:
    """The actions of random games without captures, suicides and passes."""
    rng = random.Random(5)
    return tuple(_script(size, rng) for _ in range(VARIETY))


def _script(size: int, rng: random.Random) -> tuple[int, ...]:
    state = tengen.game(GAME, size=size).start()
    actions: list[int] = []
    while True:
        legal = state.legal_actions()[:-1]  # the last is the pass
        rng.shuffle(legal)
        for action in legal:
            after = state.play(action)
            if after.outcome is None:
                break
        else:
            return tuple(actions)
        state = after
        actions.append(action)


@dataclass(frozen=True, slots=True)
class Made:
    """A match with the secrets of its two players."""

    match: str
    secrets: tuple[str, str]


class Maker:
    """Makes matches over one connection for each server, from that address."""

    def __init__(self, urls: list[str], source: str = "127.0.0.1") -> None:
        places = [urlsplit(url).netloc for url in urls]
        self._connections = [
            HTTPConnection(place, timeout=60, source_address=(source, 0)) for place in places
        ]
        self._count = 0

    def make(
        self, players: tuple[str | None, str | None] = (None, None), size: int = 9, *, timed: bool = False
    ) -> Made:
        """One between two persons, new ones unless they are given by their secrets."""
        body: dict[str, Any] = {"game": GAME, "options": {"size": size}}
        body["seats"] = [{"kind": "me"}, {"kind": "open"}]
        if timed:
            body["clock"] = {"kind": "fischer", "main_ms": 3_600_000, "increment_ms": 10_000}
        created = self._post("/api/matches", body, players[0])
        joined = self._post(f"/api/matches/{created['match']}/join", {}, players[1])
        first, second = players[0] or created["secret"], players[1] or joined["secret"]
        return Made(created["match"], (first, second))

    def make_open(self) -> None:
        """A public one of somebody new that waits for a player."""
        self._post("/api/matches", {"game": GAME, "seats": [{"kind": "me"}, {"kind": "open"}]}, None)

    def make_with_machine(self, player: str) -> Made:
        """One of somebody new against a machine, who moves second."""
        seats = [{"kind": "me"}, {"kind": "machine", "player": player}]
        created = self._post("/api/matches", {"game": GAME, "options": {"size": 9}, "seats": seats}, None)
        return Made(created["match"], (created["secret"], ""))

    def close(self) -> None:
        for connection in self._connections:
            connection.close()

    def _post(self, path: str, body: Any, secret: str | None) -> Any:
        self._count += 1
        connection = self._connections[self._count % len(self._connections)]
        headers = {"Content-Type": "application/json"}
        if secret is not None:
            headers["Authorization"] = f"Bearer {secret}"
        connection.request("POST", path, json.dumps(body), headers)
        response = connection.getresponse()
        content = response.read()
        if response.status not in (200, 201):
            raise RuntimeError(f"{path} answered {response.status}: {content[:300]!r}")
        return json.loads(content)
