"""Addresses as people type them, and the file that keeps who we are on each server."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

DEFAULT_PORT = 7777


class RemoteError(ValueError):
    """The server cannot be reached, or says no; one sentence. `code` is the protocol's, if it spoke."""

    def __init__(self, message: str, code: str | None = None) -> None:
        super().__init__(message)
        self.code = code


def printable(text: str) -> str:
    """What a server says, without what could disturb a screen."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


class Address(NamedTuple):
    """Where somebody wants to play: a server, perhaps a match there, perhaps with an invitation to it."""

    server: str
    match: str | None = None
    token: str | None = None


_PLACE = re.compile(r"(?P<base>.*?)/(?:play|join)/(?P<match>[\w-]+)/?", re.ASCII)


def read_address(text: str, port: int = DEFAULT_PORT) -> Address:
    """A server's URL, a match's link or an invitation; a bare `host` or `host:port` is a server too.

    Raises RemoteError when it is none of them. Whether anything is there is not asked.
    """
    text = text.strip()
    schemed = re.match(r"[a-z][a-z0-9+.-]*://", text, re.IGNORECASE)
    try:
        parts = urlsplit(text if schemed else f"http://{text}")
        host, number = parts.hostname, parts.port
    except ValueError:
        host, number = None, None
    if not host or parts.scheme.lower() not in ("http", "https") or re.search(r"\s", text):
        raise RemoteError(f"{text!r} is no address of a server, such as http://192.168.0.2:{port}.")
    if number is None and not schemed:
        number = port
    shown = f"[{host}]" if ":" in host else host
    server = f"{parts.scheme.lower()}://{shown}" + ("" if number is None else f":{number}")
    if found := _PLACE.fullmatch(parts.path):
        return Address(server + found["base"], found["match"], parts.fragment or None)
    return Address(server + parts.path.rstrip("/"))


# Who we are on each server


def secrets_path() -> Path:
    """Where the secrets of this user are kept; it may not exist yet."""
    from platformdirs import user_data_path

    return user_data_path("tengen", appauthor=False) / "servers.json"


def load_secret(server: str) -> str | None:
    """Who this user is on that server, if a seat was ever taken there."""
    entry = _secrets().get(server)
    secret = entry.get("secret") if isinstance(entry, dict) else None
    return secret if isinstance(secret, str) else None


def keep_secret(server: str, secret: str) -> None:
    """Remembers it in a file that only this user can read; raises RemoteError when that cannot be written."""
    path, known = secrets_path(), dict(_secrets())
    if known.get(server) == {"secret": secret}:
        return
    known[server] = {"secret": secret}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent)  # mode 600 from the first byte on
        with os.fdopen(handle, "w") as file:
            json.dump(known, file, indent=1)
        Path(name).replace(path)
    except OSError as error:
        raise RemoteError(f"Cannot keep your seat in {path}: {error.strerror}.") from None


def _secrets() -> Mapping[str, Any]:
    try:
        content = json.loads(secrets_path().read_bytes())
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}
