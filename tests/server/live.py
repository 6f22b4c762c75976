"""A real server on a free port, in a thread of the test: uvicorn, SQLite on disk, sockets and all."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from tengen.server.app import create_app
from tengen.server.config import ServerConfig
from tengen.server.http.service import Service, WebConfig
from tengen.server.serve import Server, bind, database_in
from tests.server.store_helpers import prepared
from tests.waiting import soon

TIMEOUT_S = 30.0


@dataclass
class Live:
    """The server and how to reach it."""

    url: str
    port: int
    service: Service
    server: Server
    loop: asyncio.AbstractEventLoop
    _clients: list[httpx.Client] = field(default_factory=list)

    def client(self, secret: str | None = None, **headers: str) -> httpx.Client:
        """Somebody new, or whoever has the secret; keeps cookies like a browser."""
        sent = {**headers, **({"authorization": f"Bearer {secret}"} if secret else {})}
        made = httpx.Client(base_url=self.url, headers=sent, timeout=TIMEOUT_S, trust_env=False, verify=False)
        self._clients.append(made)
        return made

    @property
    def socket_url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/api/socket"

    def close_clients(self) -> None:
        for client in self._clients:
            client.close()


@contextmanager
def live(folder: Path, web: WebConfig | None = None, **config: Any) -> Iterator[Live]:
    """Runs a server while the block runs. Rates are not limited unless asked for."""
    file = folder / "live.sqlite3"
    settings = ServerConfig(
        database_url=database_in(file) if file.exists() else prepared(file),
        **{"limits": False, "engine_workers": 1, **config},
    )
    seen = web or WebConfig(folder=folder / "no-client")
    listener = bind("127.0.0.1", 0)
    port: int = listener.getsockname()[1]
    ready = threading.Event()
    made: dict[str, Any] = {}

    async def run() -> None:
        service = await Service.open(settings, seen, begin=False)
        server = Server(create_app(settings, seen, service=service), service)
        made.update(service=service, server=server, loop=asyncio.get_running_loop())
        task = asyncio.create_task(server.serve(sockets=[listener]))
        await soon(lambda: server.serves or task.done())
        ready.set()
        await task

    def target() -> None:
        try:
            asyncio.run(run())
        except BaseException as error:
            made["error"] = error
        finally:
            ready.set()

    thread = threading.Thread(target=target, name="live server")
    thread.start()
    ready.wait(TIMEOUT_S)
    if "error" in made:
        listener.close()
        raise made["error"]
    found = Live(f"http://127.0.0.1:{port}", port, made["service"], made["server"], made["loop"])
    try:
        yield found
    finally:
        found.close_clients()
        made["server"].should_exit = True
        thread.join(TIMEOUT_S)
        listener.close()
        assert not thread.is_alive()
        if "error" in made:
            raise made["error"]
