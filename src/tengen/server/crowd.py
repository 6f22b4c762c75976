"""How many connections fit: the file descriptors of the process, and who still gets in when they run short.

A process that is out of descriptors can neither take a connection nor refuse one: it spins. So the limit is
raised at the start where the system allows it, `Crowd` lets in fewer than fit, and `Listener` keeps one
descriptor in hand to turn somebody away with when even that was not enough. The last quarter of the places is
for addresses that have few, so that a handful of greedy ones cannot keep everybody else out. Start reading at
`Crowd.enter`.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import socket
import struct
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Container
from contextlib import suppress
from typing import Any

import msgspec

from tengen.server.limits import group
from tengen.server.protocol import Problem

WANTED = 65_536  # descriptors: more than one process serves
RESERVED = 96  # for the database, logs, pages and newcomers that are being turned away
A_PROGRAM = 4  # descriptors of a GTP program in a seat
FEWEST = 16  # connections, however few descriptors there are
FEW = (2, 8)  # connections that an address may have when the last quarter is being filled: one in
SHARE = 80  # of all places, within these bounds
AT_ONCE = 16  # connections that are taken in one turn of the event loop
MOST_LEAVING = 32  # who are being told that they do not fit
WAIT_S = 5  # what newcomers are told
QUIET_S = 10.0  # between two lines of the log about the same
_AT_ONCE = struct.pack("ii", 1, 0)  # closes a socket without a word
_OUT_OF = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)

log = logging.getLogger("tengen.serve")


def raise_limit() -> int:
    """Asks for as many descriptors as are worth having; how many there are then."""
    try:
        import resource
    except ImportError:  # Windows, whose sockets are no descriptors
        return WANTED
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    most = WANTED if hard == unlimited else min(hard, WANTED)
    for wanted in (most, 10_240, 4096):  # some systems refuse what they call allowed
        if soft == unlimited or soft >= wanted:
            break
        if wanted <= most:
            with suppress(OSError, ValueError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
                soft = wanted
    return WANTED if soft == unlimited else soft


def places(descriptors: int, programs: int = 0) -> int:
    """How many connections fit beside what else needs a descriptor."""
    found = max(FEWEST, descriptors - RESERVED - A_PROGRAM * programs)
    if found < 256:
        log.warning("Only %d connections fit, since a process may open only %d files", found, descriptors)
    return found


def full() -> bytes:
    """The whole answer to somebody who does not fit any more."""
    body = msgspec.json.encode(Problem("unavailable", "The server is full; try again in a moment."))
    head = (
        "HTTP/1.1 503 Service Unavailable",
        "content-type: application/json",
        f"content-length: {len(body)}",
        f"retry-after: {WAIT_S}",
        "cache-control: no-store",
        "connection: close",
    )
    return "\r\n".join((*head, "", "")).encode() + body


class Crowd:
    """Who is connected; without `most` there is no limit. A trusted proxy is many, and not counted."""

    def __init__(self, most: int | None, trusted: Container[str] = ()) -> None:
        self.most = most
        self._trusted = trusted
        self._inside: dict[object, str] = {}  # the address of each connection
        self._of: Counter[str] = Counter()
        self._leaving: OrderedDict[asyncio.Transport, None] = OrderedDict()
        self._said_at = -QUIET_S

    def __len__(self) -> int:
        return len(self._inside)

    def enter(self, connection: object, host: str) -> bool:
        """Whether the connection fits; one that does has to `leave`."""
        key = "" if host in self._trusted else group(host)
        if self.most is not None:
            few = min(max(FEW[0], self.most // SHARE), FEW[1])
            scarce = len(self._inside) >= self.most * 3 // 4
            if len(self._inside) >= self.most or (scarce and key and self._of[key] >= few):
                self._say(key)
                return False
        self._inside[connection] = key
        self._of[key] += 1
        return True

    def turn_away(self, transport: asyncio.Transport) -> None:
        """Says why; what the other side has sent is to be read meanwhile, or it might not get to see it."""
        transport.write(full())
        transport.write_eof()
        self._leaving[transport] = None
        if len(self._leaving) > MOST_LEAVING:
            self._leaving.popitem(last=False)[0].abort()

    def leave(self, connection: Any) -> None:
        """Whoever is gone, or has never been in."""
        self._leaving.pop(connection, None)
        key = self._inside.pop(connection, None)
        if key is not None:
            self._of[key] -= 1
            if not self._of[key]:
                del self._of[key]

    def _say(self, key: str) -> None:
        if time.monotonic() - self._said_at >= QUIET_S:
            self._said_at = time.monotonic()
            told = {"connections": len(self), "most": self.most, "address": key}
            log.warning("The server is full: newcomers are turned away", extra={"data": told})


class Listener(socket.socket):
    """A listening socket that takes a few connections at a time, and never fails for want of a descriptor."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._spare: int | None = None
        self._left = AT_ONCE
        self._said_at = -QUIET_S
        self.lets_in: Callable[[str], bool] = lambda host: True  # who may begin one more connection

    def accept(self) -> tuple[socket.socket, Any]:
        """Raises BlockingIOError when nobody waits, and so that others get a turn in between."""
        if not self._left:
            self._left = AT_ONCE
            raise BlockingIOError
        self._left -= 1
        if self._spare is None:
            with suppress(OSError):
                self._spare = os.open(os.devnull, os.O_RDONLY)
        try:
            newcomer, address = super().accept()
            if not self.lets_in(str(address[0])):
                newcomer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
                newcomer.close()
                return self.accept()
            return newcomer, address
        except OSError as error:
            if error.errno in _OUT_OF:
                self._turn_away(error)
                raise BlockingIOError from None
            raise

    def _turn_away(self, error: OSError) -> None:
        if time.monotonic() - self._said_at >= QUIET_S:
            self._said_at = time.monotonic()
            log.error("No connection can be taken: %s", error.strerror)
        if self._spare is None:
            time.sleep(0.01)  # or the loop would do nothing else
            return
        os.close(self._spare)
        self._spare = None
        with suppress(OSError):
            newcomer, _ = super().accept()
            with newcomer:
                newcomer.setblocking(False)
                newcomer.send(full())

    def close(self) -> None:
        if self._spare is not None:
            os.close(self._spare)
            self._spare = None
        super().close()
