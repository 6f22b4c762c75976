"""How much one address may ask for: token buckets and counts, in memory that is bounded.

A bucket holds `burst` tokens and gets `per_second` back; what is asked for takes some out. IPv6 addresses
count by their /64, which one subscriber has. The table keeps the addresses seen last: whoever could push
others out of it would need more addresses than it has room for, and only make it forget debts. Limits are
kept by each process for itself. Start reading at `Limits`.
"""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network

MOST_BUCKETS = 50_000
MAX_SOCKETS = 64  # open at the same time, by address
MOST_BODY_BYTES = 24 * 2**20  # of bodies that are coming at the same time, by address
MOST_BODIES_BYTES = 256 * 2**20  # and of all together, where small ones still come through:
SMALL_BODY = 64 * 1024
MAX_OPEN = 20  # matches that wait for a player, by the address that made them
MAX_LIVE = 200  # matches that wait or are played, likewise


@dataclass(frozen=True, slots=True)
class Rate:
    burst: float
    per_second: float


RATES: Mapping[str, Rate] = {
    "connections": Rate(burst=300, per_second=30),  # that are begun; more are closed unheard
    "reads": Rate(burst=2000, per_second=1000),  # from its connections; those beyond come later
    "requests": Rate(burst=300, per_second=30),
    "health": Rate(burst=200, per_second=20),  # whether the server is well, and its metrics
    "refusals": Rate(burst=30, per_second=1),  # of requests: those beyond are told late, and not logged
    "creates": Rate(burst=40, per_second=0.2),  # matches and people
    "uploads": Rate(burst=30, per_second=0.2),
    "sockets": Rate(burst=100, per_second=2),
    "engine": Rate(burst=120, per_second=1.0),  # seconds of search
    "stored": Rate(burst=20_000_000, per_second=1_000_000 / 60),  # bytes of studies
    "work": Rate(burst=2000, per_second=200),  # milliseconds of the processor, as far as we can tell
    "aside": Rate(burst=10_000, per_second=250),  # the same beside the event loop, as it was measured
    "keys": Rate(burst=10, per_second=0.05),  # ways in that are tried
    "reports": Rate(burst=10, per_second=1 / 300),
    "exports": Rate(burst=5, per_second=1 / 300),
    "events": Rate(burst=6000, per_second=20),  # of matches, which are stored for ever
    "rematches": Rate(burst=20, per_second=0.05),  # by person
}
MESSAGE_MS = 0.2  # what one from a socket costs, and
BYTES_A_MS = 200_000  # how much is sent for one more
EVENTS_A_MS = 10  # of a log that has to be read and replayed
TOLD_A_MS = 50  # who are told of what somebody has done
MISSED_A_MS = 300  # events that somebody is told of who has missed them


def work_of(size: int, events: int = 0) -> float:
    """The milliseconds that it costs to send so many bytes, and to replay so many events before."""
    return MESSAGE_MS + size / BYTES_A_MS + events / EVENTS_A_MS


class TooMany(Exception):
    """A limit is reached; `wait_s` is when it is worth trying again."""

    def __init__(self, wait_s: float, message: str = "Too many requests from here; try again later.") -> None:
        super().__init__(message)
        self.wait_s = wait_s


@lru_cache(maxsize=4096)
def group(address: str) -> str:
    """What an address counts as: itself, or its network for IPv6."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ip_network((found, 64), strict=False))
    return str(found)


class Limits:
    """The buckets of one server process. Not safe for threads: it lives on the event loop."""

    def __init__(
        self,
        rates: Mapping[str, Rate] | None = None,
        *,
        enabled: bool = True,
        most: int = MOST_BUCKETS,
        max_sockets: int = MAX_SOCKETS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.enabled = enabled
        self._rates = {**RATES, **(rates or {})}
        self._most = most
        self._max_sockets = max_sockets
        self._clock = clock
        self._buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()
        self._sockets: dict[str, int] = {}
        self._made: OrderedDict[str, list[str]] = OrderedDict()
        self._bodies: Counter[str] = Counter()  # bytes of those that are coming, by address
        self._all_bodies = 0

    def retune(self, rates: Mapping[str, Rate], max_sockets: int) -> None:
        """Other limits from now on; what was taken stays taken."""
        self._rates, self._max_sockets = dict(rates), max_sockets

    @property
    def rates(self) -> Mapping[str, Rate]:
        """Those of now."""
        return self._rates

    @property
    def max_sockets(self) -> int:
        return self._max_sockets

    def take(self, what: str, address: str, cost: float = 1.0) -> None:
        """Takes tokens or raises TooMany; more than a full bucket is never had."""
        if not self.enabled:
            return
        missing = cost - self._tokens(what, address)
        if missing > 0:
            raise TooMany(missing / self._rates[what].per_second)
        self.charge(what, address, cost)

    def allows(self, what: str, address: str) -> bool:
        """Takes a token if there is one."""
        try:
            self.take(what, address)
        except TooMany:
            return False
        return True

    def charge(self, what: str, address: str, cost: float) -> None:
        """Takes tokens for what has been had already; a bucket may come to owe some."""
        if not self.enabled:
            return
        tokens = self._tokens(what, address) - cost
        self._buckets[what, group(address)] = (tokens, self._clock())
        while len(self._buckets) > self._most:
            self._buckets.popitem(last=False)

    def owed_s(self, what: str, address: str) -> float:
        """How long it takes until an address owes nothing any more."""
        return max(0.0, -self._tokens(what, address) / self._rates[what].per_second) if self.enabled else 0.0

    def _tokens(self, what: str, address: str) -> float:
        """What is in a bucket now, which becomes the one used last."""
        rate, now, key = self._rates[what], self._clock(), (what, group(address))
        if key not in self._buckets:
            return rate.burst
        self._buckets.move_to_end(key)
        tokens, at = self._buckets[key]
        return min(rate.burst, tokens + (now - at) * rate.per_second)

    @contextmanager
    def socket(self, address: str) -> Iterator[None]:
        """Counts a socket while it is open; raises TooMany."""
        self.take("sockets", address)
        key = group(address)
        count = self._sockets.get(key, 0)
        if self.enabled and count >= self._max_sockets:
            raise TooMany(10.0, "Too many connections from here; close some first.")
        self._sockets[key] = count + 1
        try:
            yield
        finally:
            if self._sockets[key] == 1:
                del self._sockets[key]
            else:
                self._sockets[key] -= 1

    @contextmanager
    def body(self, address: str) -> Iterator[Callable[[int], None]]:
        """While a body comes: what is given is told how many bytes it has, and raises TooMany."""
        key, has = group(address), 0

        def grown(size: int) -> None:
            nonlocal has
            more, has = size - has, size
            self._bodies[key] += more
            self._all_bodies += more
            full = self._bodies[key] > MOST_BODY_BYTES or self._all_bodies > MOST_BODIES_BYTES
            if self.enabled and full and size > SMALL_BODY:
                raise TooMany(10.0, "Too much is being sent at once; try again later.")

        try:
            yield grown
        finally:
            self._bodies[key] -= has
            self._all_bodies -= has
            if not self._bodies[key]:
                del self._bodies[key]

    def made(self, address: str) -> list[str]:
        """The matches that the address has made here and that were not forgotten since, oldest first."""
        return list(self._made.get(group(address), ()))

    def remember_made(self, address: str, matches: list[str]) -> None:
        """Replaces them; at most MAX_LIVE are kept."""
        if not self.enabled:
            return
        key = group(address)
        self._made.pop(key, None)
        self._made[key] = matches[-MAX_LIVE:]
        while len(self._made) > self._most // 10:
            self._made.popitem(last=False)

    def owing(self, most: int) -> list[tuple[str, str, float]]:
        """(what, address, tokens left) of those with the least left for their size."""
        found = [(what, key, self._tokens(what, key)) for what, key in tuple(self._buckets)]
        return sorted(found, key=lambda one: one[2] / self._rates[one[0]].burst)[:most]

    @property
    def buckets(self) -> int:
        return len(self._buckets)
