"""Who somebody is: a random secret that only they have, kept by the server as its hash alone.

Browsers keep the secret in a cookie that scripts cannot read; programs send it as `Authorization: Bearer`.
Nobody registers: a person comes into being with the first request that needs one. The id of a person, which
seats are held by, is another random text and is shown to nobody. Start reading at `known`.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import unicodedata
from typing import TYPE_CHECKING

from starlette.requests import HTTPConnection

from tengen.server.protocol import MAX_NAME

if TYPE_CHECKING:
    from tengen.server.store.store import PersonRow, Store

COOKIE = "tengen"  # and the port, where the address of the server has one: browsers keep one jar for a host
COOKIE_SECONDS = 400 * 24 * 3600  # the longest that browsers keep one
_PORT = re.compile(r":([0-9]{1,5})$")
_SECRET = re.compile(r"[A-Za-z0-9_-]{32,128}")
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and signs that show nothing
_HIDDEN = frozenset(("Cc", "Cf", "Co", "Cs", "Zl", "Zp"))  # controls, bidi overrides, line breaks


def new_secret() -> str:
    return secrets.token_urlsafe(32)


def new_id() -> str:
    return secrets.token_urlsafe(16)


def hash_secret(secret: str) -> str:
    """What is stored. A secret has 256 random bits, so a plain hash is as good as a slow one."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def clean_name(name: str) -> str:
    """A nickname without what could disturb a screen, at most MAX_NAME characters.

    It may be empty, as it is where no character would be seen.
    """
    folded = unicodedata.normalize("NFC", name[: 16 * MAX_NAME])
    kept = "".join(
        " " if letter.isspace() or letter in _BLANK else letter
        for letter in folded
        if letter.isspace() or unicodedata.category(letter) not in _HIDDEN
    )
    name = " ".join(kept.split())[:MAX_NAME].rstrip()
    return name if any(unicodedata.category(letter)[0] in "LNPS" for letter in name) else ""


def cookie_name(connection: HTTPConnection) -> str:
    """What the cookie of this server is called, as the browser sees the server."""
    port = _PORT.search(connection.headers.get("host", ""))
    return COOKIE if port is None else f"{COOKIE}-{port[1]}"


def secret_of(connection: HTTPConnection) -> str | None:
    """The secret that came with a request or a socket, if it can be one. Bearer goes before the cookie.

    A cookie without a port may be of another server, or of an older version of this one.
    """
    kind, _, given = connection.headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer":
        found = given.strip()
    else:
        cookies = connection.cookies
        found = cookies.get(cookie_name(connection)) or cookies.get(COOKIE, "")
    return found if _SECRET.fullmatch(found) else None


def sends_bearer(connection: HTTPConnection) -> bool:
    return connection.headers.get("authorization", "").lower().startswith("bearer ")


def is_browser(connection: HTTPConnection) -> bool:
    """Whether it looks like a browser, which must not be told the secret in a body."""
    return "origin" in connection.headers or "sec-fetch-site" in connection.headers


async def known(store: Store, secret: str | None) -> PersonRow | None:
    """The person with that secret; None for somebody who has not been seen before."""
    if secret is None or not _SECRET.fullmatch(secret):
        return None
    return await store.person(hash_secret(secret))


async def created(store: Store, now_ms: int, name: str = "") -> tuple[PersonRow, str]:
    """A new person with the secret, which nobody can ask for again. The name must be clean."""
    from tengen.server.store.rows import PersonRow

    secret = new_secret()
    person = PersonRow(id=new_id(), secret_hash=hash_secret(secret), name=name, created_ms=now_ms)
    await store.add_person(person)
    return person, secret
