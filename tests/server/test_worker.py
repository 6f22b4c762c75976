"""Machines that think in `tengen worker`: a process that has the database and nothing else, and may die."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tengen.server import protocol as p
from tengen.server.config import ServerConfig
from tengen.server.matches.hub import Hub
from tests.server.process import running
from tests.server.table import ME, ask, machine, make, person, table, until, watch
from tests.server.test_hub_many import at_number
from tests.waiting import soon_found

pytestmark = pytest.mark.anyio
READY = "thinks for machines"


def said(*words: str, home: Path) -> str:
    """What it says when it cannot start."""
    command = [sys.executable, "-m", "tengen", "worker", *words]
    found = subprocess.run(command, capture_output=True, text=True, cwd=home, timeout=60)
    assert found.returncode == 2 and "Traceback" not in found.stderr
    return found.stderr


def test_what_it_needs_is_said_in_a_sentence(tmp_path: Path) -> None:
    assert "Say which database" in said(home=tmp_path)
    assert "needs PostgreSQL" in said("--database-url", f"sqlite:///{tmp_path / 'x.db'}", home=tmp_path)


async def claims(hub: Hub) -> int:
    """How many matches somebody thinks about: those that are due, and are not there to be claimed."""
    with hub.store._database.reader.connect() as connection:
        return int(connection.exec_driver_sql("SELECT count(*) FROM claims").scalar_one())


async def test_a_worker_plays_and_one_that_is_killed_loses_no_move(tmp_path: Path, postgres_url: str) -> None:
    words = ("worker", "--database-url", postgres_url, "--searches", "1")
    async with table(postgres_url, machines=False) as web:
        one = await person(web)
        heavy = await make(web, one, (ME, machine("mcts:20000")), "go", options={"size": 19})
        light = await make(web, one, (ME, machine("level:1")), "go", options={"size": 9})
        slow, quick = await watch(web, heavy, one), await watch(web, light, one)
        with running(tmp_path, *words) as first:
            first.expect(READY)
            for turn in range(3):
                await ask(web, light, one, "move", actions=[quick.now().legal[0]])
                await at_number(quick, 2 * (turn + 1))
            before = await claims(web)
            await ask(web, heavy, one, "move", actions=[60])

            async def claimed() -> bool:
                assert first.process.poll() is None
                return await claims(web) > before

            await soon_found(claimed)
            first.stop(signal.SIGKILL)
        assert slow.now().number == 1, "it was killed while it thought"
        with running(tmp_path, *words) as second:
            second.expect(READY)
            await at_number(slow, 2)
            told = [event for update in slow.all(p.Update) for event in update.events]
            assert [(event.kind, event.seat) for event in told] == [("move", 0), ("move", 1)]
            assert second.stop() == 0
        assert "Traceback" not in first.err + second.err


async def test_a_worker_is_no_server(postgres_url: str) -> None:
    """While nobody serves it waits, no flag falls, and the time counts as an outage."""
    clock = p.Absolute(3_600_000)
    quick = {"beat_s": 0.05, "sweep_s": 0.05}
    async with table(postgres_url, machines=False, **quick) as web:
        one = await person(web)
        match = await make(web, one, (ME, machine("level:1")), clock=clock)
    async with table(postgres_url, serves=False, **quick) as worker:
        assert worker.held
        async with table(postgres_url, machines=False, **quick) as web:
            assert web.outages.last_ms > 0, "the worker has not hidden that nobody served"
            await until(lambda: not worker.held)
            eye = await watch(web, match, one)
            await ask(web, match, one, "move", actions=[eye.now().legal[0]])
            await until(lambda: eye.kinds().count("move") == 2)
        await until(lambda: worker.held)


async def test_what_a_host_lacks_is_left_to_others(postgres_url: str) -> None:
    programs = {"odd": f"{sys.executable} -c pass"}
    quick = {"beat_s": 0.05, "sweep_s": 0.05}
    async with (
        table(postgres_url, machines=False, programs=programs, **quick) as web,
        table(postgres_url, serves=False, **quick) as worker,
    ):
        one = await person(web)
        match = await make(web, one, (ME, machine("program:odd")), "go", options={"size": 9})
        eye = await watch(web, match, one)
        await ask(web, match, one, "move", actions=[40])
        await until(lambda: match in worker.engines._beyond and not worker.engines.is_busy(match))
        assert eye.now().outcome is None, "it does not forfeit what another host could play"
        due = [found for found, _ in await web.store.due_machines()]
        assert due == [match], "and does not keep it to itself"


async def test_two_machines_are_watched_where_others_think(postgres_url: str) -> None:
    async with table(postgres_url, machines=False) as web:
        match = await make(web, await person(web), (machine("level:1"), machine("level:1")))
        eye = await watch(web, match)
        await until(lambda: eye.now().number >= 2)


def test_a_claim_outlives_the_longest_thought() -> None:
    config = ServerConfig()
    assert config.engine_claim_ms / 3 < 1000 * config.engine_move_s < config.engine_claim_ms
