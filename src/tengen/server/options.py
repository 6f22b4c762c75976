"""What `tengen serve` and `tengen worker` are asked for in words, checked. Raises ServeError."""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import ip_network
from pathlib import Path
from urllib.parse import urlsplit

from tengen.server.errors import ServeError
from tengen.server.http.admin import LEAST_TOKEN
from tengen.server.http.service import WebConfig
from tengen.server.logs import LogForm
from tengen.server.names import Words
from tengen.server.serve import Running
from tengen.server.worker import Working

_PREFIX = re.compile(r"[A-Za-z0-9_~-][A-Za-z0-9._~-]*(?:/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*")
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
    prefix: str = "",
    admin_token_file: Path | None = None,
    words_file: Path | None = None,
    studies_mb: int = 1024,
    keep_studies: int | None = None,
    traces: str = "",
) -> Running:
    return Running(
        host=host,
        port=port,
        database_url=database_url,
        programs=dict(_program(word) for word in programs),
        web=WebConfig(
            trusted_proxies=tuple(_network("--trust-proxy", word) for word in trusted_proxies),
            origins=tuple(_origin(word) for word in origins),
            metrics_addresses=tuple(_network("--metrics-from", word) for word in metrics_addresses),
            prefix=_prefix(prefix),
            admin_token=_token(admin_token_file),
        ),
        log=_form(log),
        limits=limits,
        tuning=tuning,
        lab=lab,
        machines=machines,
        studies_bytes=studies_mb * 2**20,
        keep_studies_days=keep_studies,
        traces=traces,
        words=_words(words_file),
    )


def working(*, database_url: str | None, programs: Sequence[str], searches: int | None, log: str) -> Working:
    """The same for `tengen worker`."""
    if database_url is None:
        raise ServeError("Say which database: `tengen worker --database-url postgresql://USER@HOST/NAME`.")
    return Working(database_url, dict(_program(word) for word in programs), searches, _form(log))


def _form(word: str) -> LogForm:
    forms: dict[str, LogForm] = {"json": "json", "text": "text"}
    if word not in forms:
        raise ServeError(f"--log must be text or json, not {word!r}.")
    return forms[word]


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


def _token(file: Path | None) -> str:
    """What the file holds; a short one could be guessed."""
    if file is None:
        return ""
    token = _read("--admin-token-file", file).strip()
    if len(token) < LEAST_TOKEN or not token.isascii() or not token.isprintable():
        raise ServeError(f"The token in {file} must have at least {LEAST_TOKEN} plain characters.")
    return token


def _words(file: Path | None) -> Words:
    return Words() if file is None else Words(_read("--words", file).splitlines())


def _read(option: str, file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise ServeError(f"{option}: the file {file} cannot be read.") from None


def _prefix(word: str) -> str:
    """With a slash before it and none after."""
    plain = word.strip("/")
    if not plain:
        return ""
    if not _PREFIX.fullmatch(plain):
        raise ServeError(f"--prefix must be a path such as /tengen, not {word!r}.")
    return f"/{plain}"


def _origin(word: str) -> str:
    parts = urlsplit(word)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.path not in ("", "/"):
        raise ServeError(f"--allow-origin must be like https://example.org, not {word!r}.")
    return f"{parts.scheme}://{parts.netloc}".lower()
