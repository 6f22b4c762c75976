"""The parts under the HTTP API, each by itself: names, limits, origins, headers, files, words."""

from __future__ import annotations

import gzip
import json
import logging
import os
from pathlib import Path
from socket import gethostname

import pytest
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request

from tengen.server import addresses, logs
from tengen.server.errors import ServeError, plain
from tengen.server.http import pages, replies, security
from tengen.server.http.pages import Pages
from tengen.server.limits import MAX_LIVE, Limits, Rate, TooMany, group
from tengen.server.names import clean_name
from tengen.server.options import running
from tengen.server.people import hash_secret, new_secret, secret_of
from tengen.server.protocol import MAX_NAME
from tengen.server.serve import bind, has_browser, own_url


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("Ann", "Ann"),
        ("  Ann \t Lee\n", "Ann Lee"),
        ("a\u202eb\u2066c", "abc"),
        ("\x00\x1b[31mred\x7f", "[31mred"),
        ("\u200b\ufeff", ""),
        ("\u3164\u2800 \uffa0", ""),
        ("\u0301\ufe0f", ""),
        ("\u3164Ann\u2800", "Ann"),
        ("한글 ♞", "한글 ♞"),
        ("", ""),
        ("e\u0301", "é"),
        ("x" * 100, "x" * MAX_NAME),
        ("x" * (MAX_NAME - 1) + "  y", "x" * (MAX_NAME - 1)),
    ],
)
def test_names_are_cleaned(given: str, kept: str) -> None:
    assert clean_name(given) == kept
    assert clean_name(kept) == kept


def request(*headers: tuple[str, str], path: str = "/", method: str = "GET") -> Request:
    raw = [(name.lower().encode(), value.encode("latin-1")) for name, value in headers]
    return Request({"type": "http", "method": method, "path": path, "headers": raw, "query_string": b""})


def test_a_secret_comes_as_bearer_or_cookie() -> None:
    secret = new_secret()
    assert len(secret) == 43 and new_secret() != secret
    assert len(hash_secret(secret)) == 64 and secret not in hash_secret(secret)
    assert secret_of(request(("Authorization", f"Bearer {secret}"))) == secret
    assert secret_of(request(("Cookie", f"a=b; tengen={secret}"))) == secret
    assert secret_of(request(("Cookie", f"tengen={secret}"), ("Authorization", "Bearer no"))) is None
    other, here = new_secret(), ("Host", "localhost:7778")
    both = ("Cookie", f"tengen-7777={secret}; tengen-7778={other}")
    assert secret_of(request(both, here)) == other, "two servers on one machine share a jar"
    assert secret_of(request(("Cookie", f"tengen-7777={secret}"), here)) is None
    assert secret_of(request(("Cookie", f"tengen={secret}"), here)) == secret, "from an older version"
    for wrong in ("", "short", "x" * 200, "ü" * 43, "a b" * 20):
        assert secret_of(request(("Authorization", f"Bearer {wrong}"))) is None
        assert secret_of(request(("Cookie", f"tengen={wrong}"))) is None


# Limits


class Time:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_empties_and_fills() -> None:
    time = Time()
    limits = Limits({"requests": Rate(burst=3, per_second=0.5)}, clock=time)
    for _ in range(3):
        limits.take("requests", "1.2.3.4")
    with pytest.raises(TooMany) as refused:
        limits.take("requests", "1.2.3.4")
    assert refused.value.wait_s == pytest.approx(2.0)
    limits.take("requests", "1.2.3.5")
    time.now += 2.0
    limits.take("requests", "1.2.3.4")
    with pytest.raises(TooMany):
        limits.take("requests", "1.2.3.4")
    time.now += 1e6
    with pytest.raises(TooMany):
        limits.take("requests", "1.2.3.4", cost=3.5)


def test_the_memory_of_limits_is_bounded() -> None:
    limits = Limits(most=100, clock=Time())
    for number in range(1000):
        limits.take("requests", f"10.0.{number // 250}.{number % 250}")
        limits.remember_made(f"10.0.{number // 250}.{number % 250}", ["m"])
    assert limits.buckets == 100
    assert sum(bool(limits.made(f"10.0.{n // 250}.{n % 250}")) for n in range(1000)) == 10
    limits.remember_made("9.9.9.9", [str(n) for n in range(2 * MAX_LIVE)])
    assert len(limits.made("9.9.9.9")) == MAX_LIVE


def test_sockets_are_counted_while_they_are_open() -> None:
    limits = Limits(max_sockets=2, clock=Time())
    with limits.socket("1.2.3.4"), limits.socket("1.2.3.4"):
        with pytest.raises(TooMany), limits.socket("1.2.3.4"):
            pass
        with limits.socket("4.3.2.1"):
            pass
    with limits.socket("1.2.3.4"):
        pass


def test_limits_can_be_off() -> None:
    limits = Limits({"creates": Rate(1, 0.001)}, enabled=False, clock=Time())
    for _ in range(100):
        limits.take("creates", "1.2.3.4")
    assert limits.buckets == 0


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("1.2.3.4", "1.2.3.5", False),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:1.2.3.4", "1.2.3.4", True),
        ("fe80::1%eth0", "fe80::2", True),
        ("nonsense", "nonsense", True),
    ],
)
def test_addresses_are_grouped(one: str, other: str, same: bool) -> None:
    assert (group(one) == group(other)) is same


def test_a_group_is_short() -> None:
    assert len(group("x" * 10_000)) <= 64


# Origins


@pytest.mark.parametrize(
    ("origin", "host", "same"),
    [
        ("http://127.0.0.1:7777", "127.0.0.1:7777", True),
        ("http://localhost:7777", "localhost:7777", True),
        ("http://LOCALHOST:7777", "localhost:7777", True),
        ("https://example.org", "example.org", True),
        ("https://example.org:443", "example.org", True),
        ("https://example.org", "example.org:443", True),
        ("http://[::1]:7777", "[::1]:7777", True),
        ("http://127.0.0.1:7778", "127.0.0.1:7777", False),
        ("http://localhost:7777", "127.0.0.1:7777", False),
        ("https://evil.org", "example.org", False),
        ("https://example.org.evil.org", "example.org", False),
        ("https://example.org@evil.org", "example.org", False),
        ("https://evil.org#example.org", "example.org", False),
        ("null", "example.org", False),
        ("", "example.org", False),
        ("file://", "example.org", False),
        ("chrome-extension://example.org", "example.org", False),
        ("http://example.org:99999", "example.org:99999", False),
        ("http://", "", False),
    ],
)
def test_origins(origin: str, host: str, same: bool) -> None:
    assert security.same_origin(origin, "http", host) is same


def test_an_origin_can_be_allowed() -> None:
    assert security.same_origin("https://a.org", "http", "b.org", {"https://a.org"})


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("localhost", True),
        ("localhost:7777", True),
        ("tengen.localhost:80", True),
        ("127.0.0.1:7777", True),
        ("[::1]:7777", True),
        ("192.168.1.4", True),
        ("evil.org", False),
        ("localhost.evil.org", False),
        ("", False),
        ("a b", False),
    ],
)
def test_names_that_mean_this_machine(host: str, local: bool) -> None:
    assert security.is_local_host(host) is local


def test_the_policy_lets_no_foreign_host_in() -> None:
    policy = security.content_policy("example.org:8080")
    assert "ws://example.org:8080 wss://example.org:8080" in policy
    assert "script-src 'self' 'wasm-unsafe-eval';" in policy
    for hostile in ("a; script-src *", "*", "a b", "a\n", "'unsafe-eval'"):
        assert hostile not in security.content_policy(hostile).replace("data:", "")


# Answers


def test_what_is_long_is_compressed_for_who_takes_it() -> None:
    value = {"cells": "." * 2000}
    taken = replies.json_response(value, request_headers=Headers({"accept-encoding": "br, gzip"}))
    assert taken.headers["content-encoding"] == "gzip" and taken.headers["vary"] == "Accept-Encoding"
    assert json.loads(gzip.decompress(bytes(taken.body))) == value
    for coding in ("", "gzip;q=0", "br"):
        plainly = replies.json_response(value, request_headers=Headers({"accept-encoding": coding}))
        assert "content-encoding" not in plainly.headers and json.loads(bytes(plainly.body)) == value
    short = replies.json_response({}, request_headers=Headers({"accept-encoding": "gzip"}))
    assert "content-encoding" not in short.headers


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ("Expected `int`, got `str` - at `$.seats[0].kind`", "In seats[0].kind: expected int, got str."),
        ("Object missing required field `game`", "Object missing required field game."),
        ("Invalid value 'x' - at `$.options[...]`", "In options: invalid value 'x'."),
    ],
)
def test_errors_are_sentences(told: str, sentence: str) -> None:
    assert plain(told) == sentence


# Logs


def test_logs_are_lines_that_cannot_be_forged() -> None:
    record = logging.LogRecord("tengen.x", logging.INFO, "", 0, "one\ntwo %s", ("three",), None)
    record.data = {"status": 200}
    token = logs.request_id.set("abc")
    try:
        read = json.loads(logs.JsonForm().format(record))
        text = logs.TextForm().format(record)
    finally:
        logs.request_id.reset(token)
    assert read["message"] == "one\ntwo three" and read["status"] == 200 and read["request"] == "abc"
    assert "\n" not in text and text.endswith("one\\ntwo three status=200 request=abc")


# Pages


@pytest.fixture
def client_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "web"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>tengen</title>")
    (folder / "assets" / "app-1a2b.js").write_text("console.log(1);" * 200)
    (folder / "assets" / "app-1a2b.js.br").write_bytes(b"pressed")
    (folder / "manifest.webmanifest").write_text("{}")
    (folder / ".hidden").write_text("secret")
    (tmp_path / "outside.txt").write_text("outside")
    (folder / "link.txt").symlink_to(tmp_path / "outside.txt")
    return folder


async def _get(app: Pages, path: str, *headers: tuple[str, str]) -> tuple[int, Headers, bytes]:
    answer = await app(request(*headers, path=path))
    return answer.status_code, Headers(raw=answer.raw_headers), bytes(answer.body)


def get(app: Pages, path: str, *headers: tuple[str, str]) -> tuple[int, Headers, bytes]:
    import asyncio

    return asyncio.run(_get(app, path, *headers))


def test_pages_are_the_index(client_folder: Path) -> None:
    app = Pages(client_folder)
    for path in ("/", "/play/abc", "/join/abc", "/lobby", "/review/x", "/study/x", "/rules/go", "/settings"):
        status, headers, body = get(app, path)
        assert status == 200 and b"<title>tengen" in body
        assert (
            headers["content-type"] == "text/html; charset=utf-8" and headers["cache-control"] == "no-cache"
        )
    assert get(app, "/nowhere", ("Accept", "text/html"))[0] == 404
    for path in ("/nowhere", "/api/nowhere", "/assets/none.js", "/.hidden", "/link.txt", "/../outside.txt"):
        with pytest.raises(HTTPException):
            get(app, path)


def test_files_are_cached_and_compressed(client_folder: Path) -> None:
    app = Pages(client_folder)
    path = "/assets/app-1a2b.js"
    status, headers, body = get(app, path)
    assert status == 200 and body.startswith(b"console.log") and headers["cache-control"] == pages.FOREVER
    assert headers["content-type"].startswith("text/javascript")
    pressed = get(app, path, ("Accept-Encoding", "gzip, br"))
    assert pressed[1]["content-encoding"] == "br" and pressed[2] == b"pressed"
    zipped = get(app, path, ("Accept-Encoding", "gzip"))
    assert zipped[1]["content-encoding"] == "gzip" and gzip.decompress(zipped[2]) == body
    same = get(app, path, ("If-None-Match", headers["etag"]))
    assert same[0] == 304 and same[2] == b""
    assert get(app, "/manifest.webmanifest")[1]["content-type"] == "application/manifest+json"


def test_a_new_build_is_seen(client_folder: Path) -> None:
    app = Pages(client_folder)
    etag = get(app, "/")[1]["etag"]
    (client_folder / "index.html").write_text("<!doctype html><title>new</title>")
    os.utime(client_folder / "index.html", ns=(1, 1))
    status, headers, body = get(app, "/", ("If-None-Match", etag))
    assert status == 200 and b"new" in body and headers["etag"] != etag


def test_without_a_client_a_page_says_how_to_build_it(tmp_path: Path) -> None:
    status, headers, body = get(Pages(tmp_path / "none"), "/play/x")
    assert status == 200 and b"make web" in body and headers["content-type"].startswith("text/html")


# Starting


def test_addresses_to_share() -> None:
    assert addresses.to_share("127.0.0.1", 7777) == []
    assert addresses.to_share("localhost", 7777) == []
    assert addresses.to_share("192.168.7.8", 7777) == ["http://192.168.7.8:7777/"]
    assert addresses.to_share("fd00::1", 80) == ["http://[fd00::1]/"]
    for found in addresses.to_share("0.0.0.0", 7777):
        assert found.endswith(":7777/") and "127.0.0.1" not in found
    assert own_url("0.0.0.0", 80) == "http://127.0.0.1/"
    assert own_url("::", 7777) == "http://[::1]:7777/"


@pytest.mark.parametrize(
    ("environment", "platform", "found"),
    [
        ({}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({"BROWSER": "firefox"}, "linux", True),
        ({}, "darwin", True),
        ({"SSH_CONNECTION": "x"}, "darwin", False),
    ],
)
def test_where_there_is_a_browser(environment: dict[str, str], platform: str, found: bool) -> None:
    assert has_browser(environment, platform) is found


def test_a_port_in_use_is_said() -> None:
    with bind("127.0.0.1", 0) as taken, pytest.raises(ServeError, match="in use by another program"):
        bind("127.0.0.1", taken.getsockname()[1])


@pytest.mark.parametrize("host", ["203.0.113.9", "no such host", "a" * 300])
def test_an_address_of_somebody_else_is_said(host: str) -> None:
    with pytest.raises(ServeError, match="no address of this machine"):
        bind(host, 0)


@pytest.mark.parametrize(
    "wrong",
    [
        {"programs": ["gnugo"]},
        {"programs": ["a b=c"]},
        {"programs": ["gnugo="]},
        {"trusted_proxies": ["proxy.example.org"]},
        {"metrics_addresses": ["10.0.0.0/99"]},
        {"origins": ["example.org"]},
        {"origins": ["https://example.org/page"]},
        {"log": "xml"},
    ],
)
def test_options_that_make_no_sense(wrong: dict[str, object]) -> None:
    good: dict[str, object] = {
        "host": "127.0.0.1",
        "port": 7777,
        "database_url": None,
        "programs": ["gnugo=gnugo --mode gtp"],
        "trusted_proxies": ["127.0.0.1", "10.0.0.0/8"],
        "origins": ["https://Example.org"],
        "metrics_addresses": ["::1"],
        "log": "json",
        "limits": True,
    }
    read = running(**good)  # type: ignore[arg-type]
    assert read.programs == {"gnugo": "gnugo --mode gtp"} and read.web.origins == ("https://example.org",)
    with pytest.raises(ServeError):
        running(**{**good, **wrong})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("192.168.1.20:7777", True),
        ("localhost", True),
        ("[::1]:7777", True),
        (f"{gethostname()}:7777", True),
        ("go.example.org", True),
        ("evil.example", False),
        ("192.168.1.20.evil.example", False),
        ("", False),
    ],
)
def test_names_that_no_stranger_has_made_up(host: str, known: bool) -> None:
    assert security.is_known_host(host, ["https://go.example.org"]) == known
