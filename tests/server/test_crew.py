"""Machines in processes of their own, which may die at any time without a move lost."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import tengen
from tengen.players import PlayerError
from tengen.server import protocol as p
from tengen.server.matches.crew import TRIES, Broken, Crew, Worker
from tests.server.table import ME, ask, machine, make, move, person, table, until, watch
from tests.waiting import next_turn

GO = tengen.game("go", size=9)


@pytest.fixture
def worker() -> Iterator[Worker]:
    made = Worker(niceness=1)
    yield made
    made.close()


def test_a_process_apart_plays_like_one_here(worker: Worker) -> None:
    state = GO.start().play(40)
    actions = worker.ask("move", "a/1", "mcts:20", GO, state, 1.0)
    assert state.play(*actions).to_move == 0
    assert worker.pid != os.getpid()
    with pytest.raises(PlayerError, match=r"nothing|no |machine|player"):
        worker.ask("move", "b/1", "nonsense:1", GO, state, 1.0)
    with pytest.raises(Broken, match="Traceback"):
        worker.ask("no_such_method")
    assert worker.ask("dead", GO.start()) == ((), ()), "and it goes on"


def kill_soon(worker: Worker, times: int) -> threading.Thread:
    """Kills the process whenever there is a new one."""

    def kill() -> None:
        seen: set[int | None] = {None}
        while len(seen) <= times:
            if worker.pid not in seen and worker._waiting:
                seen.add(worker.pid)
                os.kill(worker.pid or 0, signal.SIGKILL)

    thread = threading.Thread(target=kill, daemon=True)
    thread.start()
    return thread


@pytest.mark.parametrize("times", [1, TRIES - 1])
def test_who_dies_is_asked_again(worker: Worker, times: int) -> None:
    killing = kill_soon(worker, times)
    assert worker.ask("move", "a/0", "mcts:50", GO, GO.start(), 5.0)
    killing.join(10)


def test_what_kills_again_and_again_is_given_up(worker: Worker) -> None:
    kill_soon(worker, TRIES)
    with pytest.raises(PlayerError, match="again and again"):
        worker.ask("move", "a/0", "mcts:5000000", GO, GO.start(), 60.0)


def test_thinking_can_be_stopped_from_here() -> None:
    crew = Crew(1, 4)
    try:
        with ThreadPoolExecutor(1) as threads:
            thinking = threads.submit(crew.move, "a/0", "mcts:50000000", GO, GO.start(), 60.0)
            while not thinking.done():
                crew.stop("a/0")
            with pytest.raises(PlayerError):
                thinking.result(20)
    finally:
        crew.close()
    with pytest.raises(PlayerError):
        crew.move("a/0", "mcts:5", GO, GO.start(), 1.0)


@pytest.mark.anyio
async def test_no_move_is_lost_when_a_process_dies(sqlite_url: str) -> None:
    async with table(sqlite_url, engine_processes=True, engine_move_s=1.0) as hub:
        crew: Any = hub.engines._mind
        one = await person(hub)
        match = await make(hub, one, (ME, machine("mcts:20000")), "go", options={"size": 19})
        eye = await watch(hub, match, one)
        await move(hub, match, one, "D4")
        await until(lambda: crew.pids)
        os.kill(crew.pids[0], signal.SIGKILL)
        await until(lambda: eye.now().line == 2, 30)
        assert eye.kinds() == ["move", "move"]
        place = p.Place("go", {"size": 9}, moves=[[40]])
        found = await hub.engines.analyse(place, 0.1, "me")
        assert found.to_move == 1 and found.visits > 0
        await ask(hub, match, one, "resign")
        pids = crew.pids
    await next_turn()
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
