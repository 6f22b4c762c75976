"""The application: routes, what wraps them, and the life of the service behind them.

From the outside in: addresses from trusted proxies, `Prefix` (their path), `Observer` (request ids, log,
metrics, last resort for errors), `Guard` (headers, origins), `Gate` (limits by address), then the routes.
Start at `create_app`.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from ipaddress import ip_address, ip_network

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from tengen.records.record import shorten
from tengen.server import metrics
from tengen.server.config import ServerConfig
from tengen.server.http import admin, api
from tengen.server.http.endpoints import ROUTE, explain, routes
from tengen.server.http.pages import Pages
from tengen.server.http.replies import problem
from tengen.server.http.security import Guard
from tengen.server.http.service import Service, WebConfig
from tengen.server.limits import Limits, TooMany, group
from tengen.server.logs import request_id
from tengen.server.matches import sockets
from tengen.server.protocol import Problem
from tengen.server.store.store import StoreError

log = logging.getLogger("tengen.access")
LONGEST_PATH = 200  # characters of one in a log
HEALTH = ("/healthz", "/readyz", "/metrics")
REFUSED_S = 1.0  # until somebody hears of it who was refused many times already
MOST_WAITING = 100  # of an address, who are made to wait like that
QUIET = "tengen.quiet"  # where a scope says that it is not worth a line of the log
ADMIN = ("/api/admin", "/admin")  # which have a lock of their own: no operator locks themselves out
_REQUEST_ID = re.compile(r"[A-Za-z0-9-]{8,64}")
_METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH")


def create_app(
    config: ServerConfig, web: WebConfig | None = None, *, service: Service | None = None
) -> Starlette:
    """The whole server as an ASGI application. A service that is given has been opened; both end with it."""
    web = web or WebConfig()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        opened = service or await Service.open(config, web)
        app.state.service = opened
        app.state.hub, app.state.store, app.state.config = opened.hub, opened.store, config
        try:
            yield
        finally:
            await opened.stop()

    app = Starlette(
        routes=[
            *routes(api.ENDPOINTS),
            WebSocketRoute("/api/socket", sockets.socket),
            *admin.ROUTES,
            Route("/healthz", _alive),
            Route("/readyz", _ready),
            Route("/metrics", _metrics),
            Route("/enter/{token:id}", _enter),
            Route("/{path:page}", _named("page", Pages(web.folder, web.prefix))),
        ],
        middleware=[
            *([Middleware(ProxyHeadersMiddleware, trusted_hosts(web))] if web.trusted_proxies else []),
            *([Middleware(Prefix, web.prefix)] if web.prefix else []),
            Middleware(Observer),
            Middleware(Guard, origins=web.origins, local_only=web.local_only),
            Middleware(Gate),
        ],
        exception_handlers={HTTPException: _http_error},
        lifespan=lifespan,
    )
    return app


def trusted_hosts(web: WebConfig) -> list[str]:
    """The proxies. An IPv4 address looks different on a socket that is for IPv6 too."""
    mapped = [f"::ffff:{address}" for address in web.trusted_proxies if "." in address and "/" not in address]
    return [*web.trusted_proxies, *mapped]


def _named(name: str, pages: Pages) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        request.scope[ROUTE] = name
        return await pages(request)

    return answer


async def _http_error(request: Request, error: Exception) -> Response:
    return explain(error, request.app.state.service.metrics)


# Health


async def _alive(request: Request) -> Response:
    request.scope[ROUTE] = "/healthz"
    return PlainTextResponse("alive\n")


async def _ready(request: Request) -> Response:
    """Whether a load balancer should send people here."""
    request.scope[ROUTE] = "/readyz"
    service: Service = request.app.state.service
    try:
        if not service.ready:
            raise StoreError("The server is starting or stopping.")
        if service.hub.house.draining:
            raise StoreError("The server takes nobody new.")
        if service.hub.keeper.trouble is not None:
            raise service.hub.keeper.trouble
        await service.store.ping()
    except StoreError as error:
        return PlainTextResponse(f"not ready: {error}\n", 503)
    return PlainTextResponse("ready\n")


async def _enter(request: Request) -> Response:
    request.scope[ROUTE] = "/enter"
    service: Service = request.app.state.service
    return service.lab_keys.enter(request, request.path_params["token"])


async def _metrics(request: Request) -> Response:
    request.scope[ROUTE] = "/metrics"
    service: Service = request.app.state.service
    if not _may_read_metrics(request, service.web):
        return problem(403, Problem("stranger", "The metrics are for the operator of this server."))
    with contextlib.suppress(StoreError):
        service.live_matches = await service.store.count_live()
    return Response(service.metrics.text(), headers={"content-type": metrics.TEXT})


def _may_read_metrics(request: Request, web: WebConfig) -> bool:
    """This machine, or an address that is configured; never through a proxy that nobody told us of."""
    forwarded = any(name in request.headers for name in ("x-forwarded-for", "forwarded"))
    if request.client is None or (forwarded and not web.trusted_proxies):
        return False
    try:
        address = ip_address(request.client.host.removeprefix("::ffff:"))
    except ValueError:
        return False
    return address.is_loopback or any(
        address in ip_network(allowed, strict=False) for allowed in web.metrics_addresses
    )


# What wraps everything


class Observer:
    """Gives each request an id, logs and counts it; what nobody caught becomes a Problem."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._warned = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        given = headers.get("x-request-id", "")
        token = request_id.set(given if _REQUEST_ID.fullmatch(given) else secrets.token_hex(8))
        self._warn_of_proxy(scope, headers)
        begun, status = time.monotonic(), 0

        async def observed(message: Message) -> None:
            nonlocal status
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                status = message["status"]
                MutableHeaders(scope=message)["x-request-id"] = request_id.get()
            elif message["type"] == "websocket.accept":
                status = 101
            await send(message)

        try:
            await self._app(scope, receive, observed)
        except asyncio.CancelledError:
            if status or scope["type"] != "http" or scope["app"].state.service.ready:
                raise
            stopped = Problem("unavailable", "The server is stopping; try again in a moment.")
            await problem(503, stopped, retry_after="2")(scope, receive, observed)
        except Exception as error:
            if status:
                raise
            await explain(error)(scope, receive, observed)
        finally:
            self._note(scope, status, time.monotonic() - begun)
            request_id.reset(token)

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        route = scope.get(ROUTE, "/api/socket" if scope["type"] == "websocket" else "other")
        method = scope.get("method", "SOCKET")
        service: Service = scope["app"].state.service
        if scope["type"] == "http":
            known = method if method in _METHODS else "other"
            service.metrics.request(route, known, status, seconds)
            if service.traces is not None and route not in HEALTH:
                trusted = service.web.trusted_proxies and Headers(scope=scope).get("traceparent")
                service.traces.request(known, route, status, seconds, request_id.get(), trusted or None)
        quiet = route in HEALTH or (route == "page" and status < 400) or QUIET in scope
        log.log(
            logging.DEBUG if quiet else logging.INFO,
            "%s %s",
            shorten(method),
            shorten(scope["path"], LONGEST_PATH),
            extra={
                "data": {
                    "status": status,
                    "ms": round(seconds * 1000, 1),
                    "address": shorten(_address(scope), LONGEST_PATH),
                }
            },
        )

    def _warn_of_proxy(self, scope: Scope, headers: Headers) -> None:
        if self._warned or "x-forwarded-for" not in headers:
            return
        service: Service = scope["app"].state.service
        if not service.web.trusted_proxies:
            self._warned = True
            log.warning(
                "Requests come through a proxy that is not trusted, so all count as one address: "
                "see --trust-proxy",
                extra={"data": {"address": _address(scope)}},
            )


class Prefix:
    """Takes the path away below which a proxy shows this server, unless the proxy has done so already."""

    def __init__(self, app: ASGIApp, prefix: str) -> None:
        self._app, self._prefix = app, prefix

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        path, prefix = scope["path"], self._prefix
        if path == prefix or path.startswith(f"{prefix}/"):
            scope = {**scope, "path": path.removeprefix(prefix) or "/"}

        async def placed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("location", "").startswith("/"):
                    headers["location"] = prefix + headers["location"]
            await send(message)

        await self._app(scope, receive, placed)


class Gate:
    """Refuses an address that asks for too much, or that the operator has barred.

    To refuse costs as much as a small answer, so who goes on without waiting is made to wait.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._waiting: Counter[str] = Counter()  # by address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        service: Service = scope["app"].state.service
        address = _address(scope)
        health = scope["path"] in HEALTH
        if service.hub.house.bars(address) and not (health or scope["path"].startswith(ADMIN)):
            await self._slow_down(service.limits, address, scope)
            barred = Problem("stranger", "This address is not served here.")
            await problem(403, barred)(scope, receive, send)
            return
        try:
            if scope["type"] == "websocket":
                with service.limits.socket(address):
                    await self._app(scope, receive, send)
                return
            service.limits.take("health" if health else "requests", address)
        except TooMany as error:
            await self._slow_down(service.limits, address, scope)
            await explain(error, service.metrics)(scope, receive, send)
            return
        await self._app(scope, receive, send)

    async def _slow_down(self, limits: Limits, address: str, scope: Scope) -> None:
        if limits.allows("refusals", address):
            return
        scope[QUIET] = True
        key = group(address)
        if self._waiting[key] < MOST_WAITING:
            self._waiting[key] += 1
            try:
                await asyncio.sleep(REFUSED_S)
            finally:
                self._waiting[key] -= 1
        if not self._waiting[key]:
            del self._waiting[key]


def _address(scope: Scope) -> str:
    client = scope.get("client")
    return str(client[0]) if client else ""
