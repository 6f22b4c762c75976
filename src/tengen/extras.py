"""The optional parts of tengen, and the one sentence that whoever lacks one reads.

`pip install tengen` gives rules, search, records and the terminal; the extras of pyproject.toml add the rest.
Nothing is imported to find out which are here. Start reading at `need`.
"""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass


class MissingExtra(ImportError):
    """An extra is not installed; one sentence with the command that adds it."""


@dataclass(frozen=True, slots=True)
class Extra:
    """What it brings, in words that fit "… needs", and the modules by which one knows that it is here."""

    adds: str
    modules: tuple[str, ...]


EXTRAS: dict[str, Extra] = {
    "server": Extra(
        "the server's packages",
        (
            "alembic",
            "msgspec",
            "prometheus_client",
            "segno",
            "sqlalchemy",
            "starlette",
            "uvicorn",
            "webauthn",
            "websockets",
        ),
    ),
    "brains": Extra("ONNX Runtime", ("onnx", "onnxruntime")),
    "train": Extra("PyTorch", ("onnx", "onnxruntime", "torch")),
    "cluster": Extra("Ray", ("onnx", "onnxruntime", "ray")),
    "postgres": Extra("PostgreSQL's driver", ("psycopg",)),
    "envs": Extra("PettingZoo", ("pettingzoo",)),
    "traces": Extra("OpenTelemetry", ("opentelemetry.sdk", "opentelemetry.exporter.otlp.proto.http")),
}


def missing(name: str) -> list[str]:
    """The modules of that extra that are not installed."""
    return [module for module in EXTRAS[name].modules if not _found(module)]


def _found(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ImportError:  # somebody's import hook says no
        return False
    except ValueError:  # put there by hand, without saying where it is from
        return True


def has(name: str) -> bool:
    return not missing(name)


def command(name: str) -> str:
    """What adds the extra to this installation."""
    return f"pip install 'tengen[{name}]'"


def need(name: str, what: str) -> None:
    """Raises MissingExtra unless the extra is here; `what` begins the sentence, such as "tengen serve"."""
    if not has(name):
        raise MissingExtra(sentence(name, what))


def sentence(name: str, what: str) -> str:
    return f"{what} needs {EXTRAS[name].adds}: {command(name)}."
