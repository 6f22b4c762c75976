"""What the server tells Prometheus. Each application has a registry of its own, so that tests do not mix.

`Metrics` is handed to whoever has something to count; the methods are the events. Numbers that somebody
else keeps already (sockets, live matches) are read when they are asked for: see `watch`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

TEXT = "text/plain; version=0.0.4; charset=utf-8"
_LATENCIES_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_BATCHES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)


class _Kept(Collector):
    def __init__(self, name: str, help_text: str, read: Callable[[], float]) -> None:
        self._name, self._help, self._read = name, help_text, read

    def collect(self) -> Iterator[Metric]:
        yield CounterMetricFamily(self._name, self._help, self._read())


class _Phases(Collector):
    """A histogram of several phases of one thing. Prometheus' own would take as long as the rules of a move.

    Only one thread may observe.
    """

    def __init__(self, name: str, help_text: str, phases: Sequence[str]) -> None:
        self._name, self._help, self._phases = name, help_text, phases
        self._counts = [[0] * (len(_LATENCIES_S) + 1) for _ in phases]
        self._sums = [0.0] * len(phases)

    def observe(self, *seconds: float) -> None:
        sums = self._sums
        for i, (counts, took_s) in enumerate(zip(self._counts, seconds, strict=True)):
            counts[bisect_left(_LATENCIES_S, took_s)] += 1
            sums[i] += took_s

    def collect(self) -> Iterator[Metric]:
        found = HistogramMetricFamily(self._name, self._help, labels=["phase"])
        bounds = [*map(floatToGoString, _LATENCIES_S), "+Inf"]
        for phase, counts, total in zip(self._phases, self._counts, self._sums, strict=True):
            found.add_metric([phase], list(zip(bounds, accumulate(counts), strict=True)), total)
        yield found


class Metrics:
    """Counters of one server process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "tengen_http_requests",
            "HTTP requests by route and status.",
            ("route", "method", "status"),
            registry=self.registry,
        )
        self._request_s = Histogram(
            "tengen_http_request_seconds",
            "Time to answer, by route.",
            ("route",),
            buckets=_LATENCIES_S,
            registry=self.registry,
        )
        self._refusals = Counter(
            "tengen_refusals", "Requests refused, by code.", ("code",), registry=self.registry
        )
        self._events = Counter(
            "tengen_events_appended", "Events of matches stored by this process.", registry=self.registry
        )
        self._batch = Histogram(
            "tengen_commit_batch_events",
            "Events that shared a commit.",
            buckets=_BATCHES,
            registry=self.registry,
        )
        self._commit_s = Histogram(
            "tengen_commit_seconds",
            "Time of a commit, sync included.",
            buckets=_LATENCIES_S,
            registry=self.registry,
        )
        self._engine_s = Histogram(
            "tengen_engine_seconds",
            "Time of the search, by what it was for.",
            ("purpose",),
            buckets=_LATENCIES_S,
            registry=self.registry,
        )

        self._moves = _Phases(
            "tengen_move_seconds",
            "From a request on a socket to its event, by phase: decided, then stored, then told.",
            ("decided", "stored", "told"),
        )
        self.registry.register(self._moves)

    def moved(self, match: str, decided_s: float, stored_s: float, told_s: float) -> None:
        """How long each phase of a request took that became an event."""
        self._moves.observe(decided_s, stored_s, told_s)

    def request(self, route: str, method: str, status: int, seconds: float) -> None:
        self._requests.labels(route, method, str(status)).inc()
        self._request_s.labels(route).observe(seconds)

    def refused(self, code: str) -> None:
        self._refusals.labels(code).inc()

    def committed(self, events: int, seconds: float) -> None:
        """One transaction with that many events is on disk."""
        self._events.inc(events)
        self._batch.observe(events)
        self._commit_s.observe(seconds)

    def searched(self, purpose: str, seconds: float) -> None:
        self._engine_s.labels(purpose).observe(seconds)

    def watch(self, name: str, help_text: str, read: Callable[[], float]) -> None:
        """A gauge that is read at each scrape."""
        Gauge(name, help_text, registry=self.registry).set_function(read)

    def count(self, name: str, help_text: str, read: Callable[[], float]) -> None:
        """A counter that somebody else keeps, read at each scrape."""
        self.registry.register(_Kept(name, help_text, read))

    def text(self) -> bytes:
        """The page that Prometheus reads."""
        return generate_latest(self.registry)
