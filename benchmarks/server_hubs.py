"""What a durable move costs without sockets: hubs in one process, one with SQLite, two with PostgreSQL.

    python -m benchmarks.server_hubs
    python -m benchmarks.server_hubs --postgres

With PostgreSQL the two players of every match are at different hubs, as they are at different processes
elsewhere: one hub decides and stores, the other hears of it and follows. The figure is the processor time of
both together, the database's own not counted. It says what a change of the store is worth where a machine is
too busy for `server_load`. Start reading at `measure`.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

from benchmarks.serving.games import GAME, scripts
from tengen.server import protocol as p
from tengen.server.matches.hub import Hub
from tengen.server.store.rows import PersonRow
from tests.server.table import make, person, table

ROOT = Path(__file__).resolve().parent.parent
OUTAGE_MS = 100_000  # a busy machine may not let a hub beat for seconds


class Player:
    """A `Watcher` who wants to know when the match has gone on."""

    def __init__(self, row: PersonRow) -> None:
        self.row, self.person_id, self.address = row, row.id, ""
        self.told = asyncio.Event()

    def put(self, data: bytes) -> None:
        self.told.set()


async def measure(hubs: tuple[Hub, Hub], matches: int, moves: int) -> float:
    """Milliseconds of the processor for a move."""
    played = [await _begun(hubs) for _ in range(matches)]
    texts = scripts()
    begun = time.process_time()
    await asyncio.gather(*(_play(hubs, *one, texts[i % len(texts)][:moves]) for i, one in enumerate(played)))
    return 1000 * (time.process_time() - begun) / (matches * moves)


async def _begun(hubs: tuple[Hub, Hub]) -> tuple[str, tuple[Player, Player]]:
    first, second = Player(await person(hubs[0])), Player(await person(hubs[1]))
    match = await make(hubs[0], first.row, game=GAME)
    await hubs[1].seating.join(match, second.row)
    for hub, player in zip(hubs, (first, second), strict=True):
        (await hub.rooms.find(match)).enter(player)
    return match, (first, second)


async def _play(
    hubs: tuple[Hub, Hub], match: str, players: tuple[Player, Player], script: tuple[int, ...]
) -> None:
    for number, action in enumerate(script):
        hub, player = hubs[number % 2], players[number % 2]
        room = await hub.rooms.find(match)
        while room.number < number:
            player.told.clear()
            await player.told.wait()
        ask = p.Ask(match, f"m{number}", "move", actions=[action], position=room.match.position)
        await hub.ask(ask, player.person_id)


async def _run(postgres: bool, matches: int, moves: int) -> float:
    if not postgres:
        (ROOT / "build").mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=ROOT / "build") as folder:
            async with table(f"sqlite:///{folder}/hubs.sqlite3", outage_ms=OUTAGE_MS) as hub:
                return await measure((hub, hub), matches, moves)
    from tests.server.postgres import running

    with running(durable=True) as server, server.database("hubs") as url:
        async with table(url, outage_ms=OUTAGE_MS) as one, table(url, outage_ms=OUTAGE_MS) as other:
            return await measure((one, other), matches, moves)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.server_hubs", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--postgres", action="store_true", help="two hubs on a PostgreSQL of our own")
    parser.add_argument("--matches", type=int, default=40)
    parser.add_argument("--moves", type=int, default=20, help="of each match")
    got = parser.parse_args()
    print(f"{asyncio.run(_run(got.postgres, got.matches, got.moves)):.3f} ms of the processor a move")


if __name__ == "__main__":
    main()
