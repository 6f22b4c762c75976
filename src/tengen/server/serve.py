"""Running a server: the socket, the browser, addresses to share, signals, and errors in one sentence.

`serve` runs until it is stopped. The first Ctrl-C (or SIGTERM) tells clients and finishes what is under way,
a second one does not wait: what was acknowledged is stored in either case. Start reading at `serve`.
"""

from __future__ import annotations

import asyncio
import errno
import gc
import json
import logging
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from types import FrameType
from typing import Any

import uvicorn
from sqlalchemy.engine import URL
from starlette.types import ASGIApp
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from tengen.server import addresses, logs, tuning
from tengen.server.app import create_app, trusted_hosts
from tengen.server.config import ServerConfig
from tengen.server.courier import Courier
from tengen.server.crowd import Crowd, Listener, places, raise_limit
from tengen.server.door import MOST_CONNECTIONS, MOST_HEAD, open_door
from tengen.server.errors import ServeError
from tengen.server.http import lab_key
from tengen.server.http.service import LabDoor, Service, WebConfig
from tengen.server.names import Words
from tengen.server.pace import Pace
from tengen.server.protocol import MAX_MESSAGE_BYTES
from tengen.server.store import backup
from tengen.server.store.store import StoreError
from tengen.server.wire import open_wire

DATABASE = "tengen.sqlite3"
STOP_S = 5  # the most that a stop waits for requests
SWITCH_S = 0.0005  # until a thread that computes lets another run: the event loop must not wait long
# The logs of a thousand matches are half a million objects, and to look through them all takes half a second:
# the interpreter would do it while moves come in, and the keeper does it rarely. Young objects are looked
# through once, 8,000 at a time: more would hold the loop for longer than a turn should take, and to look
# twice costs twice, while most objects of a move go by themselves if they are left for a moment.
COLLECTIONS = (8_000, 1_000_000, 1_000_000)
_PROBE_S = 2.0
_BROWSER_S = 10.0  # for a browser to start, before we end
log = logging.getLogger("tengen.serve")


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """What `tengen serve` was asked for."""

    host: str = "127.0.0.1"
    port: int = 7777
    database_url: str | None = None  # None is SQLite in the user's data folder
    programs: Mapping[str, str] = field(default_factory=dict)
    web: WebConfig = field(default_factory=WebConfig)
    log: logs.LogForm = "text"
    log_level: int = logging.INFO
    limits: bool = True
    browser: bool = False
    machines: bool = True  # whether this process thinks for machine seats
    studies_bytes: int = 1024 * 2**20  # of all studies together
    keep_studies_days: int | None = None
    words: Words = field(default_factory=Words)  # that the operator does not want to read
    lab: bool = False  # whether everybody who reaches the server may train brains on it
    traces: str = ""  # the collector that OpenTelemetry's are sent to; empty for none
    tuning: Path | None = None  # a file with limits and log level, read again on SIGHUP


def serve(wanted: Running) -> None:
    """Runs a server until it is stopped; raises ServeError where it cannot start."""
    logs.set_up(wanted.log, wanted.log_level)
    sys.setswitchinterval(SWITCH_S)
    gc.set_threshold(*COLLECTIONS)
    with bind(wanted.host, wanted.port) as listener:
        port = listener.getsockname()[1]
        config = ServerConfig(
            database_url=wanted.database_url or default_database(),
            programs=wanted.programs,
            addresses=tuple(addresses.to_share(wanted.host, port)),
            limits=wanted.limits,
            machines=wanted.machines,
            studies_bytes=wanted.studies_bytes,
            keep_studies_days=wanted.keep_studies_days,
            words=wanted.words,
            traces=wanted.traces,
            engine_processes=True,
        )
        web = seen_from_outside(wanted)
        if web.lab == "here":
            # What a server that was killed has left behind: its pages go on where they were.
            web = replace(web, lab_key=lab_key.read(port) or lab_key.new_key())
        try:
            asyncio.run(_run(wanted, config, web, listener))
        finally:
            lab_key.remove(port, web.lab_key)


def seen_from_outside(wanted: Running) -> WebConfig:
    """With what follows from the address: a server for its own machine alone opens the Lab to it."""
    local = addresses.is_own_machine(wanted.host) and not wanted.web.trusted_proxies
    local_only = local and not wanted.web.origins
    here: LabDoor = "here" if local_only else "off"
    return replace(wanted.web, local_only=local_only, lab="everyone" if wanted.lab else here)


async def _run(wanted: Running, config: ServerConfig, web: WebConfig, listener: Listener) -> None:
    tuned = _tuning(wanted.tuning)
    try:
        service = await Service.open(config, web, begin=False)
    except StoreError as error:
        raise ServeError(str(error)) from None
    gc.freeze()  # what was imported is no garbage
    port = listener.getsockname()[1]
    if web.lab_key:
        lab_key.write(port, web.lab_key)
    if wanted.tuning is not None:
        tuned.apply(service.limits)
    most = places(raise_limit(), config.engine_players if config.programs else 0)
    server = Server(create_app(config, web, service=service), service, most)
    listener.lets_in = server.lets_in
    _heed_hangups(server, service, wanted.tuning)
    telling = asyncio.create_task(_tell(server, wanted, config, port, web.lab_key))
    try:
        await server.serve(sockets=[listener])
    except StoreError as error:
        raise ServeError(str(error)) from None
    finally:
        if server.force_exit:
            log.warning("Stopped without waiting")
            service.hub.engines.kill()
            lab_key.remove(port, web.lab_key)
            os._exit(130)
        telling.cancel()
        with suppress(asyncio.CancelledError):
            await telling
        await service.stop()


def _heed_hangups(server: Server, service: Service, file: Path | None) -> None:
    """SIGHUP reads the tuning file again. Without one it stops us, unless it was to be ignored."""
    if not hasattr(signal, "SIGHUP"):
        return
    loop = asyncio.get_running_loop()
    if file is not None:
        loop.add_signal_handler(signal.SIGHUP, tuning.retune, file, service.limits)
    elif signal.getsignal(signal.SIGHUP) == signal.SIG_DFL:
        loop.add_signal_handler(signal.SIGHUP, server.handle_exit, signal.SIGHUP, None)


def _tuning(file: Path | None) -> tuning.Tuning:
    """Raises ServeError for a file that cannot be used; one that is read later is only told of in the log."""
    try:
        return tuning.Tuning() if file is None else tuning.read(file)
    except tuning.TuningError as error:
        raise ServeError(str(error)) from None


class Server(uvicorn.Server):
    """uvicorn, but clients are told of the end before their connections are closed."""

    def __init__(self, app: ASGIApp, service: Service, most_connections: int | None = None) -> None:
        proxies: Any = ProxyHeadersMiddleware(app, trusted_hosts(service.web)).trusted_hosts  # type: ignore[arg-type]
        crowd, pace = Crowd(most_connections, proxies), Pace(service.limits, proxies)
        self._courier = Courier() if os.name == "posix" else None  # elsewhere sockets are no files
        super().__init__(
            uvicorn.Config(
                app,
                http=open_door(MOST_CONNECTIONS if service.limits.enabled else None, proxies, crowd, pace),
                ws=open_wire(crowd, self._courier, pace),
                h11_max_incomplete_event_size=MOST_HEAD,
                ws_per_message_deflate=False,
                ws_max_size=4 * MAX_MESSAGE_BYTES,
                lifespan="on",
                log_config=None,
                access_log=False,
                proxy_headers=False,
                server_header=False,
                timeout_keep_alive=30,
                timeout_graceful_shutdown=STOP_S,
            )
        )
        self._service, self._proxies = service, proxies

    def lets_in(self, host: str) -> bool:
        """Whether that address may begin one more connection now."""
        return host in self._proxies or self._service.limits.allows("connections", host)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """An outage ends when people are let in again, and no earlier."""
        await super().startup(sockets)
        if not self._service.ready:
            await self._service.begin()

    @property
    def serves(self) -> bool:
        return self.started and self._service.ready

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """The first signal stops, a second one by keyboard does not wait. None is raised again at the end."""
        if self.should_exit and sig == signal.SIGINT:
            self.force_exit = True
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        log.info("Stopping")
        for listening in self.servers:
            listening.close()
        quieting = asyncio.create_task(self._service.quiet())
        while not quieting.done() and not self.force_exit:
            await asyncio.wait({quieting}, timeout=0.1)
        if quieting.done() and (error := quieting.exception()) is not None:
            log.error("Not everything could be finished", exc_info=error)
        await super().shutdown(sockets)
        if self._courier is not None:
            self._courier.close()


async def _tell(server: Server, wanted: Running, config: ServerConfig, port: int, key: str) -> None:
    """Says where the server is, once it listens. The Lab opens by an address that is good once."""
    while not server.serves:
        await asyncio.sleep(0.02)
    own = own_url(wanted.host, port)
    _say(f"tengen is at {own}")
    if config.addresses and config.addresses != (own,):
        _say("Others on your network find it at:")
        for address in config.addresses:
            _say(f"  {address}")
    if config.addresses:
        _show_code(config.addresses[0])
    elif not addresses.is_own_machine(wanted.host):
        _say("This machine has no address that others could reach.")
    opened = wanted.browser and open_browser(entered(own, key))
    if key and not opened:
        _say(f"The Lab opens in one browser with {entered(own, key)}")
    if wanted.browser and not opened:
        _say("Open that address in a browser.")
    _say("Stop it with Ctrl-C.")


def own_url(host: str, port: int) -> str:
    """The address for somebody on this machine."""
    if addresses.is_everywhere(host):
        host = "::1" if host == "::" else "127.0.0.1"
    return addresses.url(host, port)


def entered(own: str, key: str | None) -> str:
    """The address for who has started the server, whose Lab is then theirs."""
    return f"{own}{lab_key.ENTER}{lab_key.mint(key)}" if key else own


def _say(text: str) -> None:
    print(text, flush=True)


def _show_code(address: str) -> None:
    """A QR code for phones, in a terminal that can show it."""
    if not sys.stdout.isatty() or "utf" not in (sys.stdout.encoding or "").lower():
        return
    import segno

    _say("Or with a phone's camera:")
    segno.make(address, micro=False).terminal(compact=True)
    sys.stdout.flush()


# Starting


def bind(host: str, port: int) -> Listener:
    """A socket on that address, not yet listening; raises ServeError."""
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (OSError, UnicodeError):
        raise ServeError(f"{host!r} is no address of this machine; use 127.0.0.1 or 0.0.0.0.") from None
    listener = Listener(family, kind, protocol)
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6 and addresses.is_everywhere(host):
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listener.bind(place)
        listener.listen(2048)
    except OSError as error:
        listener.close()
        raise ServeError(_why_not(error, host, port)) from None
    listener.setblocking(False)
    return listener


def _why_not(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is in use by another program: choose another with `tengen serve --port N`."
    if error.errno == errno.EACCES:
        return f"Port {port} is only for the system's administrator: choose one above 1023 with --port."
    if error.errno == errno.EADDRNOTAVAIL:
        return f"{host} is no address of this machine; use 127.0.0.1 or 0.0.0.0."
    return f"Cannot listen on {host}, port {port}: {error.strerror}."


def default_database() -> str:
    """SQLite in the user's data folder, which is made if it is not there; raises ServeError."""
    from platformdirs import user_data_path

    folder = user_data_path("tengen", appauthor=False)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ServeError(
            f"Cannot make the folder {folder}: {error.strerror}. Give another place with --database-url."
        ) from None
    return database_in(folder / DATABASE)


def database_in(file: Path) -> str:
    return URL.create("sqlite", database=str(file)).render_as_string()


def back_up(file: Path, database_url: str | None) -> None:
    """Copies the SQLite database to a file that is not there yet; raises ServeError."""
    url = database_url or default_database()
    if file.exists():
        raise ServeError(f"{file} is there already; give another name.")
    try:
        backup.back_up(url, file)
    except StoreError as error:
        raise ServeError(str(error)) from None


# The browser


def found_at(host: str, port: int) -> bool:
    """Whether a tengen server answers there already."""
    connection = HTTPConnection(host, port, timeout=_PROBE_S)
    try:
        connection.request("GET", "/api/server")
        answer = connection.getresponse()
        body = json.loads(answer.read(65536)) if answer.status == 200 else None
        return isinstance(body, dict) and {"version", "protocol", "programs"} <= body.keys()
    except (OSError, HTTPException, ValueError):
        return False
    finally:
        connection.close()


def open_browser(address: str, wait_s: float = 0.0) -> bool:
    """Opens the user's browser, which takes a while, in a thread; False where there is none to open."""
    if not has_browser(os.environ):
        return False
    opening = threading.Thread(target=webbrowser.open, args=(address,), daemon=True)
    opening.start()
    if wait_s:
        opening.join(wait_s)
    return True


def has_browser(environment: Mapping[str, str], platform: str = sys.platform) -> bool:
    """Whether a window can be opened here. Browsers for terminals would fight with us over this one."""
    if environment.get("BROWSER"):
        return True
    if platform in ("darwin", "win32", "cygwin"):
        return not environment.get("SSH_CONNECTION")
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def play_in_browser(port: int, run: Callable[[Running], None] = serve) -> None:
    """What bare `tengen` does: a server for this machine, or the one that runs already."""
    try:
        run(Running(port=port, browser=True, log_level=logging.WARNING))
    except ServeError:
        if not found_at("127.0.0.1", port):
            raise
        address = own_url("127.0.0.1", port)
        opened = open_browser(entered(address, lab_key.read(port)), wait_s=_BROWSER_S)
        _say(f"tengen runs already at {address}" + ("" if opened else ": open it in a browser."))
