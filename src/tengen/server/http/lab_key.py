"""Who has started a server for this machine alone, and may use its Lab: others on the machine may not.

Each start makes a key, which lies in the data folder in a file that nobody else can read. From the key come
addresses that are good once, for who starts a browser; what that browser gets for it is a cookie. A program
sends the key itself, as X-Tengen-Lab. Start reading at `LabKeys`.
"""

from __future__ import annotations

import hmac
import os
import secrets
from collections import OrderedDict
from contextlib import suppress
from pathlib import Path

from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse, Response

from tengen.server.people import cookie_name, cookie_of

HEADER = "x-tengen-lab"
ENTER = "enter/"
MOST = 1000  # browsers that are let in, and tokens that are remembered as spent
_NONCE, _SEAL = 22, 32  # characters: 128 bits each


def new_key() -> str:
    return secrets.token_urlsafe(32)


def mint(key: str) -> str:
    """A token that the server with that key takes once."""
    nonce = secrets.token_urlsafe(16)
    return nonce + _seal(key, nonce)


def _seal(key: str, nonce: str) -> str:
    return hmac.digest(key.encode(), nonce.encode(), "sha256").hex()[:_SEAL]


class LabKeys:
    """An empty key asks for nothing: then every request from this machine is let in."""

    def __init__(self, key: str, prefix: str = "") -> None:
        self._key, self._path = key, prefix or "/"
        self._spent: OrderedDict[str, None] = OrderedDict()
        self._cookies: OrderedDict[str, None] = OrderedDict()

    def admits(self, request: HTTPConnection) -> bool:
        if not self._key:
            return True
        given = request.headers.get(HEADER, "").encode()
        cookie = cookie_of(request, _cookie(request))
        return hmac.compare_digest(given, self._key.encode()) or cookie in self._cookies

    def redeem(self, token: str) -> str | None:
        """The cookie for a token; None for one that is wrong or spent."""
        nonce, seal = token[:_NONCE], token[_NONCE:]
        right = bool(self._key) and hmac.compare_digest(seal.encode(), _seal(self._key, nonce).encode())
        if not right or nonce in self._spent:
            return None
        cookie = secrets.token_urlsafe(32)
        for kept, one in ((self._spent, nonce), (self._cookies, cookie)):
            kept[one] = None
            if len(kept) > MOST:
                kept.popitem(last=False)
        return cookie

    def enter(self, request: HTTPConnection, token: str) -> Response:
        """To the first page, with the cookie if the token is good."""
        answer = RedirectResponse("/", 303, {"cache-control": "no-store", "referrer-policy": "no-referrer"})
        cookie = self.redeem(token)
        if cookie is not None:
            answer.set_cookie(_cookie(request), cookie, path=self._path, httponly=True, samesite="strict")
        return answer


def _cookie(request: HTTPConnection) -> str:
    return f"{cookie_name(request)}-lab"


# The file


def _file(port: int) -> Path:
    from platformdirs import user_data_path

    return user_data_path("tengen", appauthor=False) / f"lab-{port}.key"


def write(port: int, key: str) -> None:
    """For a second `tengen` of the same person, who has no Lab where it cannot be written."""
    file = _file(port)
    with suppress(OSError):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as opened:
            opened.write(key)


def read(port: int) -> str | None:
    with suppress(OSError, ValueError):
        return _file(port).read_text() or None
    return None


def remove(port: int, key: str) -> None:
    """Unless another server has written its own since."""
    if read(port) == key:
        with suppress(OSError):
            _file(port).unlink()
