"""The HTTP API of a real server, asked as a browser and as a program would."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

import tengen
from tengen.records import Record
from tengen.server.http import api
from tengen.server.protocol import MAX_MESSAGE_BYTES, MAX_UPLOAD_BYTES, PROTOCOL
from tests.server.live import Live, live
from tests.waiting import until

ME = {"kind": "me"}
OPEN = {"kind": "open"}
INVITED = {"kind": "invited"}
DUEL = {"game": "dominion-duel", "options": {"n": 9}}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with live(tmp_path_factory.mktemp("api"), programs={"gnugo": "gnugo --mode gtp"}) as running:
        yield running


def problem(answer: httpx.Response, status: int, code: str) -> str:
    """The sentence of a problem."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/json"
    body = answer.json()
    assert body.keys() == {"code", "message"} and body["code"] == code, body
    assert body["message"].endswith(".") and "Traceback" not in body["message"]
    return str(body["message"])


def make(client: httpx.Client, *seats: dict[str, str], **more: Any) -> dict[str, Any]:
    answer = client.post("/api/matches", json={**DUEL, "seats": list(seats), **more})
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    assert answer.headers["location"] == f"/api/matches/{found['match']}"
    return found


def test_what_the_server_is(server: Live) -> None:
    client = server.client()
    info = client.get("/api/server").json()
    assert info == {
        "version": tengen.__version__,
        "protocol": PROTOCOL,
        "programs": ["gnugo"],
        "addresses": [],
        "lab": False,
    }
    games = client.get("/api/games").json()
    assert [game["name"] for game in games] == tengen.games()
    assert all(game["options"] or game["levels"] for game in games)
    assert client.get("/healthz").text == "alive\n"
    assert client.get("/readyz").text == "ready\n"


def test_a_program_is_told_its_secret_once(server: Live) -> None:
    stranger = server.client()
    assert stranger.get("/api/me").json() == {"name": ""}
    assert stranger.get("/api/me/matches").json() == {"matches": [], "more": False}
    made = make(stranger, ME, OPEN, name="  Ann\u202e ")
    assert made["you"] == [0] and len(made["match"]) == 16 and made["invitation"] is None
    ann = server.client(made["secret"])
    assert ann.get("/api/me").json() == {"name": "Ann"}
    again = make(ann, ME, ME)
    assert again["secret"] is None and again["you"] == [0, 1]
    mine = ann.get("/api/me/matches").json()["matches"]
    assert {one["info"]["id"] for one in mine} == {made["match"], again["match"]}
    nobody = server.client("x" * 43)
    assert nobody.get("/api/me").json() == {"name": ""}


def test_a_browser_keeps_a_cookie_that_scripts_cannot_read(server: Live) -> None:
    browser = server.client(origin=server.url)
    answer = browser.put("/api/me", json={"name": "Bob"})
    cookie = answer.headers["set-cookie"].lower()
    assert cookie.startswith(f"tengen-{server.port}=") and "httponly" in cookie and "samesite=lax" in cookie
    assert "path=/" in cookie and "secure" not in cookie.partition("=")[2].partition(";")[2]
    made = make(browser, ME, OPEN)
    assert made["secret"] is None
    assert browser.get("/api/me").json() == {"name": "Bob"}
    assert browser.get(f"/api/matches/{made['match']}").json()["you"] == [0]
    fresh = server.client(origin=server.url)
    made = make(fresh, ME, OPEN)
    assert made["secret"] is None and fresh.cookies.get(f"tengen-{server.port}")
    assert fresh.cookies[f"tengen-{server.port}"] not in json.dumps(made)


def test_joining_by_invitation(server: Live) -> None:
    ann, bob, eve = server.client(), server.client(), server.client()
    made = make(ann, ME, INVITED, public=False)
    path = f"/api/matches/{made['match']}"
    assert made["invitation"]
    lobby = eve.get("/api/lobby").json()
    assert all(one["info"]["id"] != made["match"] for one in lobby["open"] + lobby["playing"])
    problem(eve.post(f"{path}/join", json={}), 403, "stranger")
    problem(eve.post(f"{path}/join", json={"token": "wrong"}), 403, "stranger")
    assert eve.get(path).json()["match"]["status"] == "open"
    joined = bob.post(f"{path}/join", json={"token": made["invitation"], "name": "Bob"})
    assert joined.status_code == 200 and joined.json()["you"] == [1] and joined.json()["secret"]
    snapshot = eve.get(path).json()
    assert snapshot["type"] == "snapshot" and snapshot["you"] == []
    assert snapshot["match"]["status"] == "playing" and snapshot["match"]["seats"][1]["name"] == "Bob"
    assert problem(eve.post(f"{path}/join", json={"token": made["invitation"]}), 409, "not-now")
    text = json.dumps(snapshot)
    assert made["invitation"] not in text and made["secret"] not in text


def test_the_lobby_and_cancelling(server: Live) -> None:
    ann, bob = server.client(), server.client()
    made = make(ann, ME, OPEN)
    path = f"/api/matches/{made['match']}"
    assert made["match"] in {one["info"]["id"] for one in bob.get("/api/lobby").json()["open"]}
    problem(bob.delete(path), 403, "stranger")
    problem(ann.get(f"{path}/record"), 409, "not-now")
    assert ann.delete(path).status_code == 204
    assert made["match"] not in {one["info"]["id"] for one in bob.get("/api/lobby").json()["open"]}
    problem(bob.post(f"{path}/join", json={}), 409, "over")
    playing = make(ann, ME, ME)
    problem(ann.delete(f"/api/matches/{playing['match']}"), 409, "not-now")


def test_records_of_a_match(server: Live) -> None:
    client = server.client()
    duel = make(client, ME, ME)
    answer = client.get(f"/api/matches/{duel['match']}/record")
    assert answer.headers["content-type"] == "application/json"
    assert "attachment" in answer.headers["content-disposition"]
    assert Record.from_json(answer.text).game == "dominion-duel"
    assert "no SGF" in problem(
        client.get(f"/api/matches/{duel['match']}/record?format=sgf"), 400, "malformed"
    )
    go = make(client, ME, ME, game="go", options={"size": 9})
    answer = client.get(f"/api/matches/{go['match']}/record", params={"format": "sgf"})
    assert answer.headers["content-type"] == "application/x-go-sgf" and "SZ[9]" in answer.text
    study = client.get(f"/api/matches/{go['match']}/study").json()
    assert study["game"] == "go" and len(study["nodes"]) == 1
    for wrong in ("format=xml", "format=json&format=sgf"):
        problem(client.get(f"/api/matches/{go['match']}/record?{wrong}"), 400, "malformed")


def test_lines_and_analysis(server: Live) -> None:
    client = server.client()
    place = {"game": "go", "options": {"size": 9}, "moves": [[40], [20], [81]]}
    line = client.post("/api/line", json=place).json()["positions"]
    assert [one["text"] for one in line] == ["", "E5", "C7", "pass"]
    assert line[3]["view"]["cells"].count("X") == 1 and line[3]["diagram"].count("X") == 1
    found = client.post("/api/analysis", json={"place": place, "seconds": 0.1}).json()
    assert found["to_move"] == 1 and found["moves"] and len(found["ownership"]) == 81
    said = problem(client.post("/api/line", json={**place, "moves": [[40], [40]]}), 409, "illegal")
    assert said.startswith("Move 2")
    problem(client.post("/api/analysis", json={"place": place, "seconds": 60}), 400, "malformed")
    over = {"game": "dominion-duel", "options": {"n": 1}, "moves": [[0]]}
    problem(client.post("/api/analysis", json={"place": over}), 409, "over")


def test_a_review_comes_line_by_line(server: Live) -> None:
    client = server.client()
    place = {"game": "go", "options": {"size": 5}, "moves": [[12], [7], [25]]}
    with client.stream("POST", "/api/review", json={"place": place, "visits": 20}) as answer:
        assert answer.headers["content-type"] == "application/x-ndjson"
        moves = [json.loads(line) for line in answer.iter_lines()]
    assert [move["number"] for move in moves] == [1, 2, 3] and moves[2]["move"] == "pass"
    bad = {**place, "moves": [[12], [12]]}
    problem(client.post("/api/review", json={"place": bad}), 409, "illegal")


def test_studies_are_kept(server: Live) -> None:
    client = server.client()
    answer = client.post("/api/studies", json={"text": "(;GM[1]SZ[9];B[ee](;W[cc])(;W[gc]))"})
    assert answer.status_code == 201
    study = answer.json()
    assert answer.headers["location"] == f"/api/studies/{study['id']}"
    assert client.get(answer.headers["location"]).json() == study
    assert "set-cookie" not in answer.headers
    sgf = client.post("/api/studies/export", params={"format": "sgf"}, json=study)
    assert sgf.headers["content-type"] == "application/x-go-sgf" and "W[gc]" in sgf.text
    assert Record.from_json(client.post("/api/studies/export", json=study).text).game == "go"
    problem(client.post("/api/studies", json={"text": "/etc/passwd"}), 400, "malformed")
    problem(client.get("/api/studies/doesnotexist"), 404, "unknown")


def test_a_match_that_waits_stays_on_the_first_page(server: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "PAGE", 2)
    client = server.client()
    made = [make(client, ME, ME)["match"] for _ in range(4)]
    page = client.get("/api/me/matches").json()
    assert {row["info"]["id"] for row in page["matches"]} == set(made) and page["more"]
    last = page["matches"][-1]
    rest = client.get("/api/me/matches", params={"before": f"{last['moved_ms']}:{last['info']['id']}"}).json()
    assert len(rest["matches"]) == 2 and not rest["more"]


def test_my_matches_go_back_in_pages(server: Live) -> None:
    client = server.client()
    made = [make(client, ME, ME)["match"] for _ in range(3)]
    rows = client.get("/api/me/matches").json()["matches"]
    assert {row["info"]["id"] for row in rows} == set(made)
    for i, row in enumerate(rows):
        before = f"{row['moved_ms']}:{row['info']['id']}"
        page = client.get("/api/me/matches", params={"before": before}).json()
        assert page == {"matches": rows[i + 1 :], "more": False}
    assert client.get("/api/me/matches", params={"before": rows[-1]["moved_ms"]}).json()["matches"] == []
    for wrong in ("x", "-1", "1.5", "9" * 30, "٣", "1:", "1:a b", "1:2:3", ":a"):
        problem(client.get("/api/me/matches", params={"before": wrong}), 400, "malformed")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/nowhere", 404),
        ("GET", "/api/matches/AAAAAAAAAAAAAAAA", 404),
        ("GET", "/api/matches/x", 404),
        ("GET", "/api/matches/AAAAAAAAAAAAAAAA/record", 404),
        ("GET", "/api/matches/AAAAAAAAAAAAAAAA/study", 404),
        ("DELETE", "/api/matches/AAAAAAAAAAAAAAAA", 404),
        ("GET", "/api/studies/export", 405),
        ("PATCH", "/api/me", 405),
        ("DELETE", "/api/lobby", 405),
        ("POST", "/healthz", 405),
        ("GET", "/nothing.txt", 404),
    ],
)
def test_what_is_not_there(server: Live, method: str, path: str, status: int) -> None:
    answer = server.client().request(method, path)
    problem(answer, status, "unknown" if status == 404 else "malformed")
    if status == 405:
        assert answer.headers["allow"]


def post(client: httpx.Client, body: bytes, media: str = "application/json") -> httpx.Response:
    return client.post("/api/matches", content=body, headers={"content-type": media})


def test_bodies_that_cannot_be_read(server: Live) -> None:
    client = server.client()
    good = json.dumps({**DUEL, "seats": [ME, ME]}).encode()
    problem(post(client, good, "text/plain"), 415, "malformed")
    problem(post(client, good, "application/x-www-form-urlencoded"), 415, "malformed")
    assert post(client, good, "application/json; charset=utf-8").status_code == 201
    assert "not JSON" in problem(post(client, b"{"), 400, "malformed")
    problem(post(client, b"\xff\xfe"), 400, "malformed")
    problem(post(client, b"[" * 10_000), 400, "malformed")
    problem(post(client, b""), 400, "malformed")
    said = problem(post(client, b'{"game": 5, "seats": []}'), 400, "malformed")
    assert said == "In game: expected str, got int."
    problem(post(client, good + b" " * MAX_MESSAGE_BYTES), 413, "malformed")

    def endless() -> Iterator[bytes]:
        for _ in range(2 * MAX_UPLOAD_BYTES // 65536):
            yield b" " * 65536

    sent = client.post("/api/studies", content=endless(), headers={"content-type": "application/json"})
    assert sent.status_code == 400 and "not taken in chunks" in sent.text


@pytest.mark.parametrize(
    "wish",
    [
        {"game": "chess"},
        {"options": {"size": 9}},
        {"options": {"n": 10**30}},
        {"options": {"n": 100_000}},
        {"seats": [ME]},
        {"seats": [ME, {"kind": "machine"}]},
        {"seats": [ME, {"kind": "machine", "player": "gtp:touch /tmp/x"}]},
        {"seats": [ME, {"kind": "machine", "player": "program:other"}]},
        {"seats": [ME, {"kind": "machine", "player": "level:99"}]},
        {"clock": {"kind": "absolute"}},
        {"clock": {"kind": "absolute", "main_ms": -5}},
        {"clock": {"kind": "sundial"}},
        {"origin": ["x", 0]},
        {"origin": ["9", 7]},
        {"name": 5},
    ],
)
def test_matches_that_cannot_be(server: Live, wish: dict[str, Any]) -> None:
    body = {**DUEL, "seats": [ME, ME], **wish}
    problem(server.client().post("/api/matches", json=body), 400, "malformed")


def test_head_is_get_without_a_body(server: Live) -> None:
    answer = server.client().head("/api/server")
    assert answer.status_code == 200 and answer.content == b""


def test_long_answers_are_compressed(server: Live) -> None:
    answer = server.client().get("/api/games")
    assert answer.headers["content-encoding"] == "gzip" and answer.json()


def test_a_page_without_a_client_says_how_to_build_it(server: Live) -> None:
    answer = server.client().get("/play/abc")
    assert answer.status_code == 200 and "make web" in answer.text


def test_metrics_count_by_route(server: Live) -> None:
    client = server.client()
    played = make(client, {"kind": "machine", "player": "random"}, {"kind": "me"})["match"]
    until(lambda: client.get(f"/api/matches/{played}").json()["now"]["number"] >= 1)
    client.get("/api/matches/AAAAAAAAAAAAAAAA")
    client.get("/some/where/else")
    text = client.get("/metrics").text
    line = 'tengen_http_requests_total{method="GET",route="/api/matches/{match}",status="404"}'
    assert line in text and "AAAAAAAA" not in text and "some/where" not in text
    assert 'tengen_refusals_total{code="unknown"}' in text
    for name in ("tengen_sockets", "tengen_rooms", "tengen_matches_live", "tengen_engine_queue"):
        assert f"\n{name} " in text
    events = re.search(r"\ntengen_events_appended_total ([0-9.]+)", text)
    assert events is not None and float(events[1]) >= 1
    assert "tengen_commit_seconds_count" in text and 'tengen_engine_seconds_count{purpose="seat"}' in text
