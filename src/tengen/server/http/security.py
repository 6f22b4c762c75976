"""What keeps other people's web pages out: headers on every answer, and a check of where requests come from.

A browser says in `Origin` which page sent a request that changes something or opens a socket. It must be a
page of this server: the same host and port as in `Host`, or a name that the operator gave. Programs that are
no browsers send none, and are let in, since no page can make a browser leave it out. `Host` itself is
checked on a server for one machine: a name that an attacker's DNS points at 127.0.0.1 is not served.
Start reading at `Guard`.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from ipaddress import ip_address
from socket import gethostname
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tengen.server.http.replies import problem
from tengen.server.protocol import Problem

SAFE_METHODS = ("GET", "HEAD", "OPTIONS", "TRACE")
_DEFAULT_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}
_HOST = re.compile(r"(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?")

FIXED_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
}
PAGES_AND_WORKERS = ("text/html", "text/javascript")  # a worker has the policy of its own file
NOTHING = "default-src 'none'; frame-ancestors 'none'"


def content_policy(host: str) -> str:
    """Which sources a page may load from.

    Styles in attributes are what Svelte makes of moving parts, and WebAssembly is the engine in the page.
    """
    sockets = f" ws://{host} wss://{host}" if _HOST.fullmatch(host) else ""
    return "; ".join(
        (
            "default-src 'self'",
            "script-src 'self' 'wasm-unsafe-eval'",
            "style-src 'self'",
            "style-src-attr 'unsafe-inline'",
            "img-src 'self' data:",
            f"connect-src 'self'{sockets}",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        )
    )


def authority(scheme: str, host: str) -> tuple[str, int] | None:
    """Host and port, with the port of the scheme where none is written; None if it cannot be read."""
    if not _HOST.fullmatch(host):
        return None
    try:
        parts = urlsplit(f"//{host}")
        name, port = parts.hostname, parts.port
    except ValueError:
        return None
    return (name.lower(), port or _DEFAULT_PORTS.get(scheme, 0)) if name else None


def same_origin(origin: str, scheme: str, host: str, allowed: Collection[str] = ()) -> bool:
    """Whether a page of that origin belongs to the server that was asked as `host`.

    The schemes may differ: behind a proxy that ends TLS, only the browser knows that it was https.
    """
    if origin in allowed:
        return True
    page_scheme, separator, rest = origin.partition("://")
    if not separator or page_scheme not in ("http", "https"):
        return False
    page = authority(page_scheme, rest)
    here = authority(scheme, host)
    return page is not None and (page == here or page == authority(page_scheme, host))


def is_local_host(host: str) -> bool:
    """Whether the name can only mean an address that was typed, or this very machine."""
    found = authority("http", host)
    if found is None:
        return False
    name = found[0]
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def is_known_host(host: str, allowed: Collection[str] = ()) -> bool:
    """Whether no stranger's DNS can have made up that name: an address, this machine's, or an operator's."""
    found = authority("http", host)
    if found is None:
        return False
    own = gethostname().lower()
    named = {own, own.partition(".")[0], f"{own.partition('.')[0]}.local"}
    named |= {urlsplit(origin).hostname or "" for origin in allowed}
    return is_local_host(host) or found[0] in named


class Guard:
    """Sets the headers, and refuses what comes from somewhere else. Wraps the whole application."""

    def __init__(self, app: ASGIApp, *, origins: Collection[str] = (), local_only: bool = False) -> None:
        self._app = app
        self._origins = frozenset(origins)
        self._local_only = local_only

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host = headers.get("host", "")

        async def send_with_headers(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                found = MutableHeaders(scope=message)
                for name, value in FIXED_HEADERS.items():
                    found.setdefault(name, value)
                page = found.get("content-type", "").startswith(PAGES_AND_WORKERS)
                found.setdefault("content-security-policy", content_policy(host) if page else NOTHING)
            await send(message)

        refusal = self._refusal(scope, headers, host)
        if refusal is not None:
            await problem(403, refusal)(scope, receive, send_with_headers)
        else:
            await self._app(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope, headers: Headers, host: str) -> Problem | None:
        if self._local_only and not is_local_host(host):
            return Problem("stranger", "This server is for its own machine: use localhost or an address.")
        changes = scope["type"] == "websocket" or scope["method"] not in SAFE_METHODS
        origin = headers.get("origin")
        if not changes:
            return None
        if origin is None:
            if headers.get("sec-fetch-site", "none") in ("none", "same-origin"):
                return None
        elif same_origin(origin, scope["scheme"], host, self._origins):
            return None
        return Problem("stranger", "That request came from a page of another site.")
