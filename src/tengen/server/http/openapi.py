"""The OpenAPI document, made from the table of endpoints and the types of the protocol.

Nothing in it is written by hand that the code does not act on: bodies and answers are msgspec types, whose
JSON Schema msgspec gives.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

import msgspec
from starlette.convertors import CONVERTOR_TYPES

import tengen
from tengen.server.http.endpoints import COMMON_PROBLEMS, JSON, Endpoint
from tengen.server.protocol import Problem

REF = "#/components/schemas/{name}"
_IN_PATH = re.compile(r"{(\w+):(\w+)}")
_FILE = {"type": "string", "format": "binary"}
_PATH_HELP = {
    "match": "The id of a match.",
    "study": "The id of a study.",
    "blocked": "The id of somebody whom you have blocked.",
    "device": "The id of a device.",
    "passkey": "The id of a passkey.",
    "game": "The name of a game.",
    "brain": "The name of a brain.",
    "run": "The name of a training run.",
}


def document(endpoints: Sequence[Endpoint]) -> dict[str, Any]:
    """The whole document, as JSON values."""
    types = _types(endpoints)
    schemas, components = msgspec.json.schema_components(types, ref_template=REF)
    schema_of = dict(zip(map(repr, types), schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in endpoints:
        paths.setdefault(endpoint.template, {})[endpoint.method.lower()] = _operation(endpoint, schema_of)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "tengen",
            "version": tengen.__version__,
            "summary": "Matches of board games for two.",
            "description": "What is live goes over the WebSocket at /api/socket: see docs/protocol.md.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "paths": paths,
        "components": {
            "schemas": {name: _tidy(schema) for name, schema in components.items()},
            "securitySchemes": {
                "cookie": {"type": "apiKey", "in": "cookie", "name": "tengen"},
                "bearer": {"type": "http", "scheme": "bearer"},
            },
        },
    }


def _types(endpoints: Sequence[Endpoint]) -> list[Any]:
    bodies = [endpoint.body for endpoint in endpoints if endpoint.takes == JSON]
    named = [kind for kind in (*bodies, *(one.answer for one in endpoints)) if kind is not None]
    return list({repr(kind): kind for kind in (*named, Problem)}.values())


def _operation(endpoint: Endpoint, schema_of: dict[str, Any]) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": endpoint.handler.__name__,
        "summary": endpoint.summary,
        "parameters": _parameters(endpoint),
        "responses": _responses(endpoint, schema_of),
    }
    if endpoint.body is not None:
        schema = schema_of[repr(endpoint.body)] if endpoint.takes == JSON else _FILE
        operation["requestBody"] = {"required": True, "content": {endpoint.takes: {"schema": schema}}}
    if endpoint.identity:
        operation["security"] = [{}, {"cookie": []}, {"bearer": []}]
    return operation


def _parameters(endpoint: Endpoint) -> list[dict[str, Any]]:
    in_path = [
        {
            "name": name,
            "in": "path",
            "required": True,
            "description": _PATH_HELP[name],
            "schema": {"type": "string", "pattern": f"^{CONVERTOR_TYPES[convertor].regex}$"},
        }
        for name, convertor in _IN_PATH.findall(endpoint.path)
    ]
    in_query = [
        {"name": one.name, "in": "query", "description": one.help, "schema": dict(one.schema)}
        for one in endpoint.query
    ]
    return [*in_path, *in_query]


def _responses(endpoint: Endpoint, schema_of: dict[str, Any]) -> dict[str, Any]:
    statuses = {*endpoint.problems, *COMMON_PROBLEMS}
    if endpoint.body is not None:
        statuses |= {400, 408, 413, 415}
    responses = {
        str(status): {
            "description": HTTPStatus(status).phrase,
            "content": {JSON: {"schema": schema_of[repr(Problem)]}},
        }
        for status in sorted(statuses)
    }
    answer: dict[str, Any] = {"description": HTTPStatus(endpoint.status).phrase}
    if endpoint.status != 204:
        schema = {} if endpoint.answer is None else schema_of[repr(endpoint.answer)]
        answer["content"] = {media: {"schema": schema} for media in endpoint.media}
    return {str(endpoint.status): answer, **responses}


def _tidy(schema: dict[str, Any]) -> dict[str, Any]:
    """Without the words that types inherit from the class that they are made of."""
    if schema.get("description") in ("A value of the protocol.",):
        return {name: value for name, value in schema.items() if name != "description"}
    return schema
