"""The parts of a running server, put together: what the endpoints and the socket find in `app.state`."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, ParamSpec

from tengen.server.at_once import AtOnce
from tengen.server.config import ServerConfig
from tengen.server.http.heavy import Heavy
from tengen.server.http.kept import Kept
from tengen.server.http.lab_key import LabKeys
from tengen.server.http.shared import Shared
from tengen.server.http.shelf import Shelf
from tengen.server.limits import Limits
from tengen.server.matches.hub import Hub
from tengen.server.metrics import Metrics
from tengen.server.people import Lately
from tengen.server.pulse import Pulse, memory_bytes, open_files
from tengen.server.store.store import Store
from tengen.server.traces import Traces, open_traces

WEB = Path(__file__).parents[2] / "web"
AT_ONCE = 4  # requests of an address that are answered at the same time, those for the search aside
P = ParamSpec("P")
LabDoor = Literal["off", "here", "everyone"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WebConfig:
    """How the server is seen from outside; what a match is does not depend on it."""

    trusted_proxies: tuple[str, ...] = ()  # addresses and networks whose X-Forwarded-For is believed
    origins: tuple[str, ...] = ()  # what browsers call this server where Host says something else
    metrics_addresses: tuple[str, ...] = ()  # that may read /metrics beside this machine
    local_only: bool = False  # the server is for its own machine: other host names are not served
    lab: LabDoor = "off"  # who may train brains; "here" is this machine alone, and
    lab_key: str = ""  # there, who has this (see lab_key.py)
    admin_token: str = ""  # of the operator; without one there is no admin page
    prefix: str = ""  # the path below which a proxy shows this server, such as /tengen
    folder: Path = WEB  # the built browser client


@dataclass(slots=True)
class Service:
    """Open it before the first request; `stop` may be called twice."""

    config: ServerConfig
    web: WebConfig
    store: Store
    hub: Hub
    limits: Limits
    metrics: Metrics
    heavy: Heavy
    kept: Kept
    pulse: Pulse = field(default_factory=Pulse)
    traces: Traces | None = None
    shared: Shared = field(default_factory=Shared)
    lately: Lately = field(default_factory=Lately)
    at_once: AtOnce = field(init=False)
    lab_keys: LabKeys = field(init=False)
    shelf: Shelf = field(init=False)
    ready: bool = False
    live_matches: int = 0  # of all processes, as far as somebody has asked
    _quieting: asyncio.Task[None] | None = None
    _closed: bool = False

    def __post_init__(self) -> None:
        self.at_once = AtOnce(AT_ONCE if self.config.limits else None)
        self.lab_keys = LabKeys(self.web.lab_key, self.web.prefix)
        self.shelf = Shelf(self.store, self.config.studies_bytes)

    @classmethod
    async def open(cls, config: ServerConfig, web: WebConfig, *, begin: bool = True) -> Service:
        """Opens the store; raises StoreError. Who says not to `begin` does so once it listens."""
        metrics = Metrics()
        traces = open_traces(config.traces, config.process) if config.traces else None
        store = await Store.open(config.database_url, process=config.process, alone=True)
        try:
            limits = Limits(enabled=config.limits)
            heavy = Heavy(limits)
            hub = Hub(store, config, limits)
            service = cls(config, web, store, hub, limits, metrics, heavy, Kept(store), traces=traces)
            service._watch_numbers()
            await hub.get_ready()
            if begin:
                await service.begin()
        except BaseException:
            await store.close()
            raise
        return service

    async def begin(self) -> None:
        """Matches go on from here, and so do their clocks; raises StoreError."""
        await self.hub.start()
        self.pulse.start()
        self.ready = True

    def _watch_numbers(self) -> None:
        watch, hub = self.metrics.watch, self.hub
        watch("tengen_sockets", "Open sockets.", lambda: len(hub.connections))
        watch("tengen_rooms", "Matches in the memory of this process.", lambda: len(hub.rooms))
        watch("tengen_matches_live", "Matches being played, of all processes.", lambda: self.live_matches)
        committed, searched, moved = self.metrics.committed, self.metrics.searched, self.metrics.moved
        if self.traces is not None:
            committed = _both(committed, self.traces.committed)
            searched = _both(searched, self.traces.searched)
            moved = _both(moved, self.traces.moved)
        self.store.observe(committed)
        hub.engines.observe(searched)
        hub.observe_move = moved
        hub.count_refusal = self.metrics.refused
        watch(
            "tengen_loop_lag_seconds",
            "The worst delay of the event loop since the last look.",
            self.pulse.worst_s,
        )
        watch("tengen_open_files", "File descriptors of this process.", open_files)
        watch("tengen_memory_bytes", "Memory of this process.", memory_bytes)
        count = self.metrics.count
        count("tengen_messages_received", "Messages from sockets.", lambda: hub.received)
        count("tengen_messages_sent", "Messages to sockets.", lambda: hub.sent)
        count("tengen_cpu_seconds", "Processor time of this process.", time.process_time)
        watch("tengen_engine_queue", "Jobs that wait for the search.", lambda: hub.engines.waiting)

    async def quiet(self) -> None:
        """Tells everybody who is connected, finishes what is under way, and starts nothing new."""
        if self._quieting is None:
            self.ready = False
            self._quieting = asyncio.create_task(self.hub.stop())
        await asyncio.shield(self._quieting)

    async def stop(self) -> None:
        self.pulse.stop()
        try:
            await self.quiet()
        finally:
            if not self._closed:
                self._closed = True
                await self.store.close()
                if self.traces is not None:
                    await asyncio.to_thread(self.traces.close)


def _both(one: Callable[P, None], other: Callable[P, None]) -> Callable[P, None]:
    def call(*args: P.args, **kwargs: P.kwargs) -> None:
        one(*args, **kwargs)
        other(*args, **kwargs)

    return call
