"""Traces for OpenTelemetry, where the operator has said where they go; nothing is sent anywhere without that.

A span a request, with the id that the log and the answer have; a span a move with its phases (decided,
stored, told); spans for commits and pieces of search. They are made when the thing is over, from times that
were taken anyway, so that nothing waits for them: a thread sends them, and drops them where nobody takes
them. What is sampled, say the variables of OpenTelemetry itself (OTEL_TRACES_SAMPLER). Start reading at
`Traces.request`.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import tengen
from tengen import extras
from tengen.server.errors import ServeError

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace.export import SpanExporter

CLOSE_MS = 2000  # for the last spans to be sent


class Traces:
    def __init__(self, exporter: SpanExporter, process: str) -> None:
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

        names = {"service.name": "tengen", "service.version": tengen.__version__}
        self._provider = TracerProvider(resource=Resource.create(names | {"service.instance.id": process}))
        self._sending = BatchSpanProcessor(exporter)
        self._provider.add_span_processor(self._sending)
        self._tracer = self._provider.get_tracer("tengen")

    def request(
        self, method: str, route: str, status: int, seconds: float, request: str, parent: str | None = None
    ) -> None:
        """`parent` is the header `traceparent` of a proxy that is trusted."""
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        context = None
        if parent is not None:
            context = TraceContextTextMapPropagator().extract({"traceparent": parent})
        facts = {
            "http.request.method": method,
            "http.route": route,
            "http.response.status_code": status,
            "tengen.request": request,
        }
        self._span(f"{method} {route}", seconds, facts, context)

    def moved(self, match: str, decided_s: float, stored_s: float, told_s: float) -> None:
        """A request on a socket that became an event, with its phases one after another."""
        from opentelemetry.trace import set_span_in_context

        phases = {"decided": decided_s, "stored": stored_s, "told": told_s}
        at = time.time_ns() - _ns(sum(phases.values()))
        whole = self._tracer.start_span("move", start_time=at, attributes={"tengen.match": match})
        context = set_span_in_context(whole)
        for name, seconds in phases.items():
            self._tracer.start_span(name, context, start_time=at).end(at := at + _ns(seconds))
        whole.end(at)

    def committed(self, events: int, seconds: float) -> None:
        self._span("commit", seconds, {"tengen.events": events})

    def searched(self, purpose: str, seconds: float) -> None:
        self._span("search", seconds, {"tengen.purpose": purpose})

    def flush(self) -> None:
        """Sends what waits."""
        self._sending.force_flush(CLOSE_MS)

    def close(self) -> None:
        """May take as long as `CLOSE_MS` where nobody takes the spans."""
        self.flush()
        self._provider.shutdown()

    def _span(
        self, name: str, seconds: float, facts: Mapping[str, Any], context: Context | None = None
    ) -> None:
        until = time.time_ns()
        begun = until - _ns(seconds)
        self._tracer.start_span(name, context, start_time=begun, attributes=dict(facts)).end(until)


def open_traces(url: str, process: str) -> Traces:
    """Sends to a collector by OTLP over HTTP, such as http://127.0.0.1:4318/v1/traces; raises ServeError."""
    if not url.startswith(("http://", "https://")):
        raise ServeError(f"--traces must be an address such as http://127.0.0.1:4318/v1/traces, not {url!r}.")
    if not extras.has("traces"):
        raise ServeError(extras.sentence("traces", "--traces"))
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

    return Traces(OTLPSpanExporter(endpoint=url, timeout=CLOSE_MS / 1000), process)


def _ns(seconds: float) -> int:
    return int(seconds * 1e9)
