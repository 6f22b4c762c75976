"""The OpenAPI document, and the real server fuzzed from it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from tengen.server.http.api import ENDPOINTS, openapi_document
from tests.server.live import Live, live

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    unsupported_method,
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    folder = tmp_path_factory.mktemp("openapi")
    with live(folder, engine_move_s=0.05, analysis_s=0.2, review_visits=50) as running:
        yield running


@pytest.fixture(scope="module")
def session(server: Live) -> Iterator[requests.Session]:
    """One connection for all, and a person who keeps the cookie."""
    with requests.Session() as made:
        made.trust_env = False
        yield made
        assert made.get(f"{server.url}/readyz", timeout=20).text == "ready\n"


schema = schemathesis.openapi.from_dict(json.loads(json.dumps(openapi_document())))


@schema.parametrize()
@settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_the_server_does_what_its_document_says(case: Any, server: Live, session: requests.Session) -> None:
    case.call_and_validate(base_url=server.url, checks=CHECKS, timeout=20, session=session)


def test_the_document_has_every_endpoint() -> None:
    document = openapi_document()
    listed = {(path, method.upper()) for path, methods in document["paths"].items() for method in methods}
    assert listed == {(one.template, one.method) for one in ENDPOINTS}
    names = [one["operationId"] for methods in document["paths"].values() for one in methods.values()]
    assert len(set(names)) == len(names)
    assert document["openapi"].startswith("3.1")
    assert "Problem" in document["components"]["schemas"]
