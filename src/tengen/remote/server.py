"""What is asked once, over HTTP. Start reading at `Server`."""

from __future__ import annotations

import ipaddress
import urllib.error
import urllib.request
from http.client import HTTPException
from typing import TypeVar
from urllib.parse import quote, urlsplit

import msgspec

from tengen.remote.address import RemoteError, printable
from tengen.server.protocol import (
    PROTOCOL,
    Created,
    GameInfo,
    Join,
    Lobby,
    Me,
    MyMatches,
    NewMatch,
    Problem,
    ServerInfo,
    Snapshot,
)

TIMEOUT_S = 10.0
MAX_ANSWER_BYTES = 64 * 2**20  # more than any match has

T = TypeVar("T")


class Server:
    """A server by its address. `secret` is who we are there; it is learned when a seat is first taken."""

    def __init__(self, url: str, secret: str | None = None) -> None:
        self.url = url.rstrip("/")
        self.secret = secret
        host = urlsplit(url).hostname or ""
        self.direct = _loopback(host)  # no proxy of the environment can reach our own machine
        handlers = [urllib.request.ProxyHandler({})] if self.direct else []
        self._opener = urllib.request.build_opener(*handlers)

    def info(self) -> ServerInfo:
        """What the server is; raises RemoteError if it is no tengen server, or speaks another protocol."""
        try:
            info = self._call("GET", "/api/server", ServerInfo)
        except RemoteError as error:
            if error.code != "unknown":
                raise
            raise RemoteError(f"There is no tengen server at {self.url}.") from None
        if info.protocol != PROTOCOL:
            spoken = f"speaks protocol {info.protocol}, this tengen {PROTOCOL}"
            raise RemoteError(f"{self.url} {spoken}: update the older one.")
        return info

    def games(self) -> list[GameInfo]:
        return self._call("GET", "/api/games", list[GameInfo])

    def lobby(self) -> Lobby:
        return self._call("GET", "/api/lobby", Lobby)

    def me(self) -> Me:
        return self._call("GET", "/api/me", Me)

    def my_matches(self) -> MyMatches:
        return self._call("GET", "/api/me/matches", MyMatches)

    def create(self, wish: NewMatch) -> Created:
        return self._known(self._call("POST", "/api/matches", Created, wish))

    def join(self, match: str, token: str | None = None, name: str | None = None) -> Created:
        """Takes a seat that waits: an open one, or with `token` the one that the invitation is for."""
        body = Join(token=token, name=name)
        return self._known(self._call("POST", f"/api/matches/{quote(match)}/join", Created, body))

    def cancel(self, match: str) -> None:
        """Takes back a match that nobody has joined yet."""
        self._call("DELETE", f"/api/matches/{quote(match)}", msgspec.Raw)

    def snapshot(self, match: str) -> Snapshot:
        return self._call("GET", f"/api/matches/{quote(match)}", Snapshot)

    def _known(self, created: Created) -> Created:
        if created.secret is not None:
            self.secret = created.secret
        return created

    def _call(self, method: str, path: str, answer: type[T], body: msgspec.Struct | None = None) -> T:
        headers = {"Accept": "application/json"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if self.secret is not None:
            headers["Authorization"] = f"Bearer {self.secret}"
        data = None if body is None else msgspec.json.encode(body)
        request = urllib.request.Request(self.url + path, data, headers, method=method)  # noqa: S310
        try:
            with self._opener.open(request, timeout=TIMEOUT_S) as response:
                content = response.read(MAX_ANSWER_BYTES)
        except urllib.error.HTTPError as error:
            with error:
                raise self._problem(error.read(MAX_ANSWER_BYTES)) from None
        except (OSError, HTTPException) as error:
            raise RemoteError(f"Cannot reach {self.url}: {cause(error)}.") from None
        if answer is msgspec.Raw:
            return msgspec.Raw(content)  # type: ignore[return-value]
        try:
            return msgspec.json.decode(content, type=answer)
        except msgspec.MsgspecError:
            raise RemoteError(f"There is no tengen server at {self.url}.") from None

    def _problem(self, content: bytes) -> RemoteError:
        try:
            problem = msgspec.json.decode(content, type=Problem)
        except msgspec.MsgspecError:
            return RemoteError(f"There is no tengen server at {self.url}.")
        return RemoteError(printable(problem.message), problem.code)


def cause(error: Exception) -> str:
    """Why a connection failed, in a few words."""
    inner = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(inner, TimeoutError):
        return "no answer"
    if isinstance(inner, ConnectionRefusedError):
        return "nothing listens there"
    if isinstance(inner, OSError) and inner.strerror:
        return inner.strerror[0].lower() + inner.strerror[1:]
    return str(inner).rstrip(".") or "no answer"


def _loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
