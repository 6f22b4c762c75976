"""What `tengen serve` is asked for in words, checked and turned into `Running`. Raises ServeError."""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import ip_network
from pathlib import Path
from urllib.parse import urlsplit

from tengen.server.http.service import WebConfig
from tengen.server.logs import LogForm
from tengen.server.serve import Running, ServeError

_PROGRAM = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}")


def running(
    *,
    host: str,
    port: int,
    database_url: str | None,
    programs: Sequence[str],
    trusted_proxies: Sequence[str],
    origins: Sequence[str],
    metrics_addresses: Sequence[str],
    log: str,
    limits: bool,
    tuning: Path | None = None,
    lab: bool = False,
    machines: bool = True,
    studies_mb: int = 1024,
    keep_studies: int | None = None,
) -> Running:
    forms: dict[str, LogForm] = {"json": "json", "text": "text"}
    if log not in forms:
        raise ServeError(f"--log must be text or json, not {log!r}.")
    return Running(
        host=host,
        port=port,
        database_url=database_url,
        programs=dict(_program(word) for word in programs),
        web=WebConfig(
            trusted_proxies=tuple(_network("--trust-proxy", word) for word in trusted_proxies),
            origins=tuple(_origin(word) for word in origins),
            metrics_addresses=tuple(_network("--metrics-from", word) for word in metrics_addresses),
        ),
        log=forms[log],
        limits=limits,
        tuning=tuning,
        lab=lab,
        machines=machines,
        studies_bytes=studies_mb * 2**20,
        keep_studies_days=keep_studies,
    )


def _program(word: str) -> tuple[str, str]:
    name, equals, command = word.partition("=")
    if not equals or not command.strip() or not _PROGRAM.fullmatch(name):
        raise ServeError(f"--program must be NAME=COMMAND, such as gnugo='gnugo --mode gtp', not {word!r}.")
    return name, command.strip()


def _network(option: str, word: str) -> str:
    try:
        return str(ip_network(word, strict=False)) if "/" in word else str(ip_network(word).network_address)
    except ValueError:
        raise ServeError(
            f"{option} must be an address or a network such as 10.0.0.0/8, not {word!r}."
        ) from None


def _origin(word: str) -> str:
    parts = urlsplit(word)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.path not in ("", "/"):
        raise ServeError(f"--allow-origin must be like https://example.org, not {word!r}.")
    return f"{parts.scheme}://{parts.netloc}".lower()
