"""What strangers, other sites, floods and broken clients can do to a real server: nothing."""

from __future__ import annotations

import json
import logging
import random
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tengen.server.http.endpoints import SORRY
from tengen.server.http.security import FIXED_HEADERS
from tengen.server.http.service import WebConfig
from tengen.server.limits import Limits, Rate
from tengen.server.protocol import MAX_MESSAGE_BYTES, PROTOCOL
from tests.server.live import Live, live

ME = {"kind": "me"}
INVITED = {"kind": "invited"}
GO = {"game": "go", "options": {"size": 5}}
TIMEOUT_S = 20.0


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with live(tmp_path_factory.mktemp("safety")) as running:
        yield running


@contextmanager
def socket(server: Live, secret: str | None = None, **headers: str) -> Iterator[ClientConnection]:
    """A socket that has said hello."""
    with connect(
        server.socket_url, additional_headers=headers, proxy=None, open_timeout=TIMEOUT_S, max_size=None
    ) as opened:
        say(opened, {"type": "hello", "protocol": PROTOCOL, "secret": secret})
        assert hear(opened)["type"] == "welcome"
        yield opened


def say(opened: ClientConnection, message: Any) -> None:
    opened.send(message if isinstance(message, str | bytes) else json.dumps(message))


def hear(opened: ClientConnection, timeout_s: float = TIMEOUT_S) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(opened.recv(timeout=timeout_s))
    return found


def hear_until(opened: ClientConnection, *kinds: str) -> dict[str, Any]:
    while (message := hear(opened))["type"] not in kinds:
        pass
    return message


def match_of_two(server: Live) -> tuple[str, str, str]:
    """A match with the secrets of both who play it."""
    made = server.client().post("/api/matches", json={**GO, "seats": [ME, INVITED], "public": False}).json()
    path = f"/api/matches/{made['match']}/join"
    joined = server.client().post(path, json={"token": made["invitation"]}).json()
    return made["match"], made["secret"], joined["secret"]


# Other sites

FOREIGN = ("http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1.evil.example")


@pytest.mark.parametrize("origin", FOREIGN)
def test_pages_of_other_sites_change_nothing(server: Live, origin: str) -> None:
    page = server.client(origin=origin)
    for answer in (
        page.put("/api/me", json={"name": "Eve"}),
        page.post("/api/matches", json={**GO, "seats": [ME, ME]}),
        page.delete("/api/matches/AAAAAAAAAAAAAAAA"),
    ):
        assert answer.status_code == 403 and answer.json()["code"] == "stranger"
        assert "set-cookie" not in answer.headers and "access-control-allow-origin" not in answer.headers
    with pytest.raises(InvalidStatus) as refused, socket(server, Origin=origin):
        pass
    assert refused.value.response.status_code == 403


def test_a_browser_that_hides_where_it_comes_from_is_a_stranger(server: Live) -> None:
    page = server.client(**{"sec-fetch-site": "cross-site"})
    assert page.put("/api/me", json={"name": "Eve"}).status_code == 403


def test_own_pages_and_programs_get_in(server: Live) -> None:
    assert server.client(origin=server.url).put("/api/me", json={"name": "Ann"}).status_code == 200
    assert server.client().put("/api/me", json={"name": "Ann"}).status_code == 200
    with socket(server, Origin=server.url), socket(server):
        pass


def test_a_site_that_is_allowed_gets_in(tmp_path: Path) -> None:
    web = WebConfig(folder=tmp_path / "none", origins=("https://friend.example",))
    with live(tmp_path, web) as server:
        friend = server.client(origin="https://friend.example")
        assert friend.put("/api/me", json={"name": "Ann"}).status_code == 200
        assert server.client(origin=FOREIGN[0]).put("/api/me", json={"name": "Ann"}).status_code == 403


def test_a_server_for_one_machine_answers_to_no_other_name(tmp_path: Path) -> None:
    with live(tmp_path, WebConfig(folder=tmp_path / "none", local_only=True)) as server:
        assert server.client(host="rebound.example").get("/api/server").status_code == 403
        for host in (f"localhost:{server.port}", f"127.0.0.1:{server.port}"):
            assert server.client(host=host).get("/api/server").status_code == 200


def test_workers_may_load_what_pages_may(tmp_path: Path) -> None:
    folder = tmp_path / "web"
    folder.mkdir()
    (folder / "index.html").write_text("<!doctype html>")
    (folder / "sw.js").write_text("fetch('/')")
    with live(tmp_path, WebConfig(folder=folder)) as server:
        policies = {server.client().get(path).headers["content-security-policy"] for path in ("/", "/sw.js")}
    assert len(policies) == 1 and "connect-src 'self'" in policies.pop()


def test_every_answer_has_the_headers(server: Live) -> None:
    client = server.client()
    answers = [
        client.get("/"),
        client.get("/api/server"),
        client.get("/api/nowhere"),
        client.patch("/api/me"),
        client.get("/metrics"),
        client.get("/healthz"),
        server.client(origin=FOREIGN[0]).put("/api/me", json={}),
        client.post("/api/matches", content=b"{", headers={"content-type": "application/json"}),
    ]
    for answer in answers:
        assert FIXED_HEADERS.items() <= dict(answer.headers).items()
        policy = answer.headers["content-security-policy"]
        assert (
            "frame-ancestors 'none'" in policy and "script-src" in policy
        ) or "default-src 'none'" in policy
        assert answer.headers["x-request-id"] and "server" not in answer.headers
    page = answers[0].headers["content-security-policy"]
    assert "script-src 'self' 'wasm-unsafe-eval';" in page and f"ws://127.0.0.1:{server.port}" in page


# Errors


def test_what_goes_wrong_inside_stays_inside(
    server: Live, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(*_: object) -> None:
        raise RuntimeError("the password is 1234")

    monkeypatch.setattr(server.service.store, "lobby", broken)
    answer = server.client(**{"x-request-id": "trace-this-0001"}).get("/api/lobby")
    assert answer.status_code == 500
    assert answer.json() == {"code": "unavailable", "message": SORRY}
    assert answer.headers["x-request-id"] == "trace-this-0001"
    assert "the password is 1234" in caplog.text


def test_a_request_id_that_could_forge_a_log_is_not_taken(server: Live) -> None:
    given = "a" * 100
    assert server.client(**{"x-request-id": given}).get("/healthz").headers["x-request-id"] != given


# Secrets


def test_secrets_are_in_no_log_and_no_answer_of_others(
    server: Live, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG, logger="tengen"):
        ann, bob, eve = server.client(), server.client(), server.client()
        made = ann.post("/api/matches", json={**GO, "seats": [ME, INVITED]}).json()
        path = f"/api/matches/{made['match']}"
        eve.post(f"{path}/join?token=in-the-address", json={"token": "wrong"})
        joined = bob.post(f"{path}/join", json={"token": made["invitation"]}).json()
        with socket(server, made["secret"]) as opened:
            say(opened, {"type": "watch", "match": made["match"]})
            heard = json.dumps(hear_until(opened, "snapshot"))
        seen = "".join(eve.get(p).text for p in (path, f"{path}/record", f"{path}/study", "/api/lobby"))
    hidden = [made["secret"], joined["secret"], made["invitation"], "in-the-address"]
    assert path in caplog.text
    for text in (caplog.text, seen, heard):
        assert not any(word in text for word in hidden)


def test_nobody_moves_for_another(server: Live) -> None:
    match, black, white = match_of_two(server)
    ask = {"type": "ask", "match": match, "id": "x", "kind": "move", "text": "C3", "seat": 0}
    for secret, code in ((None, "stranger"), ("x" * 43, "stranger"), (white, "stranger")):
        with socket(server, secret) as opened:
            say(opened, ask)
            assert hear_until(opened, "refused", "accepted")["code"] == code
    with socket(server, black) as opened:
        say(opened, ask)
        assert hear_until(opened, "refused", "accepted")["type"] == "accepted"


# Limits


@pytest.fixture
def strict(tmp_path: Path) -> Iterator[Live]:
    """A server with hardly any patience, behind a proxy on this machine."""
    web = WebConfig(folder=tmp_path / "none", trusted_proxies=("127.0.0.1",))
    with live(tmp_path, web) as server:
        rates = {"requests": Rate(12, 0.001), "creates": Rate(3, 0.001), "sockets": Rate(50, 1)}
        server.service.limits = Limits(rates, max_sockets=2)
        yield server


def too_many(answer: httpx.Response) -> bool:
    if answer.status_code != 429:
        return False
    assert answer.json()["code"] == "too-many" and int(answer.headers["retry-after"]) >= 1
    return True


def test_an_address_that_asks_for_too_much_waits(strict: Live) -> None:
    flood = strict.client(**{"x-forwarded-for": "203.0.113.1"})
    answers = [flood.get("/api/server") for _ in range(14)]
    assert [too_many(answer) for answer in answers] == [False] * 12 + [True] * 2
    assert flood.get("/healthz").status_code == 200
    spoofed = strict.client(**{"x-forwarded-for": "198.51.100.7, 203.0.113.1"})
    assert too_many(spoofed.get("/api/server"))
    assert not too_many(strict.client(**{"x-forwarded-for": "203.0.113.2"}).get("/api/server"))


def test_an_ipv6_subscriber_is_one_address(strict: Live) -> None:
    answers = [
        strict.client(**{"x-forwarded-for": f"2001:db8:1:1::{number:x}"}).get("/api/server")
        for number in range(13)
    ]
    assert too_many(answers[-1]) and not too_many(answers[-2])


def test_matches_and_people_are_made_at_a_pace(strict: Live) -> None:
    flood = strict.client(**{"x-forwarded-for": "203.0.113.1"})
    answers = [flood.post("/api/matches", json={**GO, "seats": [ME, ME]}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201, 201, 429]
    assert too_many(flood.post("/api/matches", json={**GO, "seats": [ME, ME]}))


def test_open_matches_of_an_address_are_counted(tmp_path: Path) -> None:
    with live(tmp_path) as server:
        server.service.limits = Limits({"creates": Rate(1000, 1), "requests": Rate(1000, 1)})
        wish = {**GO, "seats": [ME, INVITED]}
        made = [server.client().post("/api/matches", json=wish) for _ in range(21)]
        assert [answer.status_code for answer in made] == [201] * 20 + [429]
        owner = server.client(made[0].json()["secret"])
        assert owner.delete(f"/api/matches/{made[0].json()['match']}").status_code == 204
        assert server.client().post("/api/matches", json=wish).status_code == 201


def test_sockets_of_an_address_are_counted(strict: Live) -> None:
    with socket(strict), socket(strict):
        with pytest.raises(InvalidStatus) as refused, socket(strict):
            pass
        assert refused.value.response.status_code == 429
    with socket(strict):
        pass


def test_metrics_are_for_this_machine(server: Live, strict: Live) -> None:
    assert server.client().get("/metrics").status_code == 200
    assert server.client(**{"x-forwarded-for": "127.0.0.1"}).get("/metrics").status_code == 403
    assert strict.client(**{"x-forwarded-for": "203.0.113.1"}).get("/metrics").status_code == 403
    assert strict.client().get("/metrics").status_code == 200


def test_https_behind_a_proxy_makes_the_cookie_secure(strict: Live) -> None:
    answer = strict.client(**{"x-forwarded-proto": "https"}).put("/api/me", json={"name": "Ann"})
    assert "; secure" in answer.headers["set-cookie"].lower()


# Broken clients


def good_messages(match: str) -> list[dict[str, Any]]:
    return [
        {"type": "hello", "protocol": PROTOCOL, "secret": "y" * 43},
        {"type": "watch", "match": match, "after": 0, "position": None},
        {"type": "watch", "match": match, "after": 3, "position": "beef"},
        {"type": "leave", "match": match},
        {"type": "ping", "at": 1.5},
        {"type": "ask", "match": match, "id": "a", "kind": "move", "text": "A1", "seat": 0},
        {"type": "ask", "match": match, "id": "b", "kind": "move", "actions": [3], "position": "beef"},
        {"type": "ask", "match": match, "id": "c", "kind": "offer", "what": "draw"},
        {"type": "ask", "match": match, "id": "d", "kind": "answer", "what": "draw", "accept": True},
        {"type": "ask", "match": match, "id": "e", "kind": "mark", "what": "dead", "cell": 4, "on": True},
        {"type": "ask", "match": match, "id": "f", "kind": "claim"},
        {"type": "ask", "match": match, "id": "g", "kind": "resume"},
    ]


WEIRD: list[Any] = [
    None,
    True,
    -1,
    2**63,
    10**40,
    1e308,
    "",
    "x" * 300,
    "\x00",
    "\ud800",
    "💥\u202e",
    [],
    [[]],
    {},
    [None] * 50,
    {"type": "ask"},
]

NONSENSE: list[str | bytes] = [
    "",
    "[]",
    "null",
    "[" * 5000,
    "1" * 9000,
    "x" * (MAX_MESSAGE_BYTES + 1),
    b"\xff\xfe",
]


def mutated(dice: random.Random, message: dict[str, Any]) -> str | bytes:
    """The message with something wrong, or all of it."""
    message = dict(message)
    for _ in range(dice.randint(1, 3)):
        how = dice.randrange(4)
        key = dice.choice(list(message))
        if how == 0:
            message[key] = dice.choice(WEIRD)
        elif how == 1 and len(message) > 1:
            del message[key]
        elif how == 2:
            message[dice.choice(["type", "match", "id", "seat", "position", "cell", "more"])] = dice.choice(
                WEIRD
            )
    text = json.dumps(message)
    how = dice.randrange(10)
    if how == 0:
        cut = dice.randrange(len(text))
        return text[:cut]
    if how == 1:
        data = bytearray(text.encode())
        for _ in range(4):
            data[dice.randrange(len(data))] = dice.randrange(256)
        return bytes(data)
    if how == 2:
        return dice.choice(NONSENSE)
    return text


@pytest.mark.parametrize("seed", range(12))
def test_mutated_messages_disturb_nobody(server: Live, seed: int, caplog: pytest.LogCaptureFixture) -> None:
    """While nonsense comes in, from strangers and from players, another match goes on move by move."""
    dice = random.Random(seed)
    match, black, white = match_of_two(server)
    target, insider, _ = match_of_two(server)
    moves = iter(["A1", "B2", "C3", "D4", "E5", "A5"])
    with socket(server, black) as one, socket(server, white) as other:
        players = [one, other]
        for player in players:
            say(player, {"type": "watch", "match": match})
        for number, text in enumerate(moves):
            flood(server, dice, target, insider if number % 2 else None)
            mover = players[number % 2]
            say(mover, {"type": "ask", "match": match, "id": f"m{number}", "kind": "move", "text": text})
            answer = hear_until(mover, "accepted", "refused")
            assert answer == {"type": "accepted", "match": match, "id": f"m{number}", "number": number + 1}
    snapshot = server.client().get(f"/api/matches/{match}").json()
    assert snapshot["now"]["number"] == 6
    assert server.client().get(f"/api/matches/{target}").status_code == 200
    assert server.client().get("/readyz").text == "ready\n"
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


def flood(server: Live, dice: random.Random, match: str, secret: str | None) -> None:
    """Forty bad messages on one socket, in any order, often before any hello."""
    opening = connect(server.socket_url, proxy=None, open_timeout=TIMEOUT_S, max_size=None, max_queue=None)
    with opening as opened:
        try:
            if dice.random() < 0.7:
                say(opened, {"type": "hello", "protocol": PROTOCOL, "secret": secret})
            for _ in range(40):
                say(opened, mutated(dice, dice.choice(good_messages(match))))
                if dice.random() < 0.3:
                    with suppress(TimeoutError):
                        assert "Traceback" not in json.dumps(hear(opened, 0.1))
        except ConnectionClosed:
            pass


@pytest.mark.parametrize(
    "frame", [b"\x81\x82\x00\x00\x00\x00\xff\xfe", b"\x83\x80\x00\x00\x00\x00", b"\xf1\x80\x00\x00\x00\x00"]
)
def test_a_frame_that_is_none_is_no_traceback(
    server: Live, frame: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """Text that is not UTF-8, an unknown kind of frame, bits that mean nothing."""
    with socket(server) as opened:
        opened.socket.sendall(frame)
        with pytest.raises(ConnectionClosed):
            opened.recv(TIMEOUT_S)
    assert not [record for record in caplog.records if record.exc_info or record.levelno >= logging.ERROR]


def test_a_socket_that_says_nothing_is_closed(tmp_path: Path) -> None:
    with live(tmp_path, hello_s=0.2) as server, connect(server.socket_url, proxy=None) as opened:
        assert hear(opened)["type"] == "closing"
        with pytest.raises(ConnectionClosed):
            hear(opened)
