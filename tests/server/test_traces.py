"""Traces go where the operator says, and nowhere else."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from tengen.server.errors import ServeError
from tengen.server.http.service import WebConfig
from tengen.server.protocol import Accepted
from tengen.server.traces import open_traces
from tests.server.live import live
from tests.server.test_sockets import Client, ask, sit

pytest.importorskip("opentelemetry.sdk", reason="NOT TESTED: the extra traces is not installed")

PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


class Collector(HTTPServer):
    """Keeps what it is sent."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Take)
        self.bodies: list[bytes] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1/traces"


class _Take(BaseHTTPRequestHandler):
    server: Collector

    def do_POST(self) -> None:
        self.server.bodies.append(self.rfile.read(int(self.headers["content-length"])))
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def collector() -> Iterator[Collector]:
    with Collector() as made:
        thread = threading.Thread(target=made.serve_forever, daemon=True)
        thread.start()
        yield made
        made.shutdown()
        thread.join()


def spans(collector: Collector) -> list[tuple[str, str, str, dict[str, str]]]:
    """(name, trace, parent, attributes) of all that came, by the protocol's own decoder."""
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    return [
        (
            span.name,
            span.trace_id.hex(),
            span.parent_span_id.hex(),
            {one.key: one.value.string_value or str(one.value.int_value) for one in span.attributes},
        )
        for body in collector.bodies
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    ]


def test_requests_and_moves_have_spans(tmp_path: Path, collector: Collector) -> None:
    web = WebConfig(folder=tmp_path / "none", trusted_proxies=("127.0.0.1",))
    with live(tmp_path, web, traces=collector.url) as server:
        answer = server.client(traceparent=PARENT).get("/api/games")
        server.client().get("/healthz")
        match, one, _ = sit(server)
        with Client(server, one) as client:
            client.say(ask(match, "move", "m", text="D4"))
            client.hear(Accepted)
    found = {name: (trace, parent, facts) for name, trace, parent, facts in spans(collector)}
    trace, parent, facts = found["GET /api/games"]
    assert (trace, parent) == tuple(PARENT.split("-")[1:3]), "it is a part of the proxy's trace"
    assert facts["tengen.request"] == answer.headers["x-request-id"]
    assert facts["http.response.status_code"] == "200"
    moved = found["move"]
    assert moved[2]["tengen.match"] == match
    assert all(found[phase][0] == moved[0] for phase in ("decided", "stored", "told"))
    assert found["commit"][2]["tengen.events"] == "1"
    assert not any("healthz" in name for name in found)


def test_nothing_is_sent_unless_it_is_asked_for(
    tmp_path: Path, collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", collector.url)
    with live(tmp_path) as server:
        server.client().get("/api/games")
        assert server.service.traces is None
    assert collector.bodies == []


def test_a_collector_that_is_away_costs_nothing_but_its_spans(tmp_path: Path, collector: Collector) -> None:
    gone = Collector()
    gone.server_close()
    with live(tmp_path, traces=gone.url) as server:
        assert server.client().get("/api/games").status_code == 200


def test_what_is_no_address_is_said() -> None:
    with pytest.raises(ServeError, match="--traces must be an address"):
        open_traces("collector:4317", "p")
