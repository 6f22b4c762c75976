"""A process that only thinks: it plays the machine seats of a server's matches, and nobody talks to it.

All that it needs is the database: it hears there of matches that wait for a machine, claims one, computes and
stores the move like any server process. One that is killed loses nothing, since its claim runs out and
another takes the move over. It does not beat, so a server that is away is missed though workers run. Start
reading at `work`.
"""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Mapping
from dataclasses import dataclass, replace

from tengen.server import logs
from tengen.server.config import ServerConfig
from tengen.server.errors import ServeError
from tengen.server.matches.hub import Hub
from tengen.server.store.store import Store, StoreError

log = logging.getLogger("tengen.worker")


@dataclass(frozen=True, slots=True)
class Working:
    """What `tengen worker` was asked for."""

    database_url: str
    programs: Mapping[str, str]  # GTP commands that this host has, by name
    searches: int | None = None  # how many at once
    log: logs.LogForm = "text"


def work(wanted: Working) -> None:
    """Thinks until it is stopped; raises ServeError where it cannot start."""
    logs.set_up(wanted.log)
    config = ServerConfig(
        database_url=wanted.database_url, programs=wanted.programs, serves=False, engine_processes=True
    )
    if wanted.searches is not None:
        config = replace(config, engine_workers=wanted.searches)
    asyncio.run(_run(config))


async def _run(config: ServerConfig) -> None:
    if config.database_url.startswith("sqlite"):
        raise ServeError(
            "A worker needs PostgreSQL: with SQLite machines think in processes that the server starts."
        )
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    try:
        store = await Store.open(config.database_url, process=config.process)
    except StoreError as error:
        raise ServeError(str(error)) from None
    hub = Hub(store, config)
    try:
        await hub.start()
        print("tengen thinks for machines. Stop it with Ctrl-C.", flush=True)
        await stopped.wait()
    finally:
        log.info("Stopping")
        await hub.stop()
        await store.close()
