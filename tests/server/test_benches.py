"""The benches of the server, small: that they run, and what does not depend on who else is at work."""

from __future__ import annotations

import asyncio
from pathlib import Path

from benchmarks import server_attacks, server_mixed, server_start
from benchmarks.serving import owning_attacks, raw_attacks
from benchmarks.serving.processes import Serving


def test_a_start_after_an_outage_hardly_depends_on_how_many_matches_there_are(tmp_path: Path) -> None:
    empty, full = server_start.measure(20_000, tmp_path)
    assert not server_start.missed(empty, full)
    assert full.memory_mb - empty.memory_mb < 100


def test_all_kinds_of_work_at_once(tmp_path: Path, postgres_url: str) -> None:
    wanted = server_mixed.Wanted(
        players=20, spectators=20, visitors=20, machines=2, attackers=10, processes=2, rate=20, seconds=3
    )
    found = server_mixed.measure(wanted, tmp_path, postgres_url)
    assert found["unanswered"] == 0 and found["moves"] > 10
    assert not any(found["lost"].values())
    assert all(count > 0 for count in found["messages"].values()), found["messages"]


def test_an_address_that_asks_for_all_it_can_takes_a_part_of_the_loop(tmp_path: Path) -> None:
    server = Serving(tmp_path, f"sqlite:///{tmp_path / 'attacked.sqlite3'}", limits=True, watched=True)
    server.start()
    try:
        for number, attack in enumerate((raw_attacks.requests, owning_attacks.own_matches), start=2):
            found = asyncio.run(server_attacks.measure(server, attack, number, seconds=1.0))
            assert not found.faults and len(found.moves_s) >= server_attacks.LEAST_MOVES - 1
            assert 0 < found.share < server_attacks.MOST
    finally:
        server.stop()
    assert "Traceback" not in server.log.read_text()
