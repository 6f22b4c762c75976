"""Who somebody is: a random secret that only they have, kept by the server as its hash alone.

Browsers keep the secret in a cookie that scripts cannot read; programs send it as `Authorization: Bearer`.
Nobody registers: a person comes into being with the first request that needs one. The id of a person, which
seats are held by, is another random text and is shown to nobody.

Who has lost the cookie, or sits at another device, gets a secret of their own for it: by a recovery code, by
a link from a device that is theirs, or by a passkey (passkeys.py). Start reading at `known` and `admitted`.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import time
from collections import OrderedDict
from typing import TYPE_CHECKING

from starlette.requests import HTTPConnection

if TYPE_CHECKING:
    from tengen.server.store.store import PersonRow, Store

COOKIE = "tengen"  # and the port, where the address of the server has one: browsers keep one jar for a host
COOKIE_SECONDS = 400 * 24 * 3600  # the longest that browsers keep one
MOST_DEVICES = 20  # of a person
NOTE_S = 3600.0  # between two notes that a device is in use
_SIGNS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_MIXED_UP = str.maketrans("OIL", "011")
# In this order: many browsers also name the ones that they resemble.
_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
    ("tengen", "tengen"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)
_PORT = re.compile(r":([0-9]{1,5})$")
_SECRET = re.compile(r"[A-Za-z0-9_-]{32,128}")


def new_secret() -> str:
    return secrets.token_urlsafe(32)


def new_id() -> str:
    return secrets.token_urlsafe(16)


def hash_secret(secret: str) -> str:
    """What is stored. A secret has 256 random bits, so a plain hash is as good as a slow one."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


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
        found = cookie_of(connection, cookie_name(connection)) or cookie_of(connection, COOKIE)
    return found if _SECRET.fullmatch(found) else None


def cookie_of(connection: HTTPConnection, name: str) -> str:
    """Its value, or the first of several: that of the longest path. Others are not looked at.

    Our own are never quoted.
    """
    found = re.search(rf"(?:^|;)\s*{re.escape(name)}=([^;]*)", connection.headers.get("cookie", ""))
    return "" if found is None else found[1].strip()


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


async def created(store: Store, now_ms: int, name: str = "", device: str = "") -> tuple[PersonRow, str]:
    """A new person with the secret, which nobody can ask for again. The name must be clean."""
    from tengen.server.store.rows import PersonRow

    secret = new_secret()
    person = PersonRow(id=new_id(), secret_hash=hash_secret(secret), name=name, created_ms=now_ms)
    await store.add_person(person, device)
    return person, secret


async def admitted(store: Store, person_id: str, device: str, now_ms: int) -> str:
    """The secret of one more device of that person; beyond MOST_DEVICES the one used least lately goes."""
    from tengen.server.store.people import new_device

    secret = new_secret()
    had = await store.people.devices(person_id)
    spare = [one.id for one in had[MOST_DEVICES - 1 :]]
    if spare:
        await store.people.revoke(person_id, spare, now_ms)
    await store.people.add_device(person_id, new_device(hash_secret(secret), device, now_ms))
    return secret


def new_code() -> str:
    """A recovery code: 120 random bits in signs that are not mixed up on paper."""
    return "-".join("".join(secrets.choice(_SIGNS) for _ in range(4)) for _ in range(6))


def code_hash(code: str) -> str | None:
    """What is stored of a recovery code, however it was typed; None for what cannot be one."""
    plain = re.sub(r"[\s-]", "", code[:100]).upper().translate(_MIXED_UP)
    return hash_secret(plain) if len(plain) == 24 and set(plain) <= set(_SIGNS) else None


def device_name(connection: HTTPConnection) -> str:
    """What to call the device of a request, such as "Firefox, Android"; empty where it does not say."""
    said = connection.headers.get("user-agent", "")[:400]
    found = [next((name for sign, name in table if sign in said), "") for table in (_BROWSERS, _SYSTEMS)]
    return ", ".join(filter(None, found))


class Lately:
    """Which devices were noted as in use within the hour, in memory that is bounded."""

    def __init__(self, most: int = 20_000) -> None:
        self._most = most
        self._noted: OrderedDict[str, float] = OrderedDict()

    def is_due(self, secret_hash: str) -> bool:
        """Whether it is time to note it again, which the caller then does."""
        now = time.monotonic()
        if now - self._noted.get(secret_hash, -NOTE_S) < NOTE_S:
            return False
        self._noted[secret_hash] = now
        self._noted.move_to_end(secret_hash)
        if len(self._noted) > self._most:
            self._noted.popitem(last=False)
        return True
