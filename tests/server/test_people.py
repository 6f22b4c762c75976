"""Who somebody is, for good: ways back, devices, passkeys, export and erasure, and those who try them all."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from tengen.server.http.service import WebConfig
from tengen.server.people import COOKIE, code_hash, hash_secret, new_code
from tengen.server.store.people import PasskeyRow
from tests.server.authenticator import Authenticator
from tests.server.conftest import Passing
from tests.server.live import Live, live
from tests.server.test_safety import hear_until, socket

GO = {"game": "go", "options": {"size": 5}, "public": False}
ME, INVITED, OPEN = {"kind": "me"}, {"kind": "invited"}, {"kind": "open"}
FIREFOX = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"
EVIL = {"origin": "http://evil.example"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with live(tmp_path_factory.mktemp("people")) as running:
        yield running


def browser(server: Live, name: str | None = None, **headers: str) -> httpx.Client:
    """A page of the server at localhost, which is a name, unlike 127.0.0.1."""
    made = server.client(origin=f"http://localhost:{server.port}", host=f"localhost:{server.port}", **headers)
    if name is not None:
        assert made.put("/api/me", json={"name": name}).status_code == 200
    return made


def account(who: httpx.Client) -> dict[str, Any]:
    found: dict[str, Any] = who.get("/api/me/account").json()
    return found


def refused(answer: httpx.Response, status: int = 403) -> str:
    assert answer.status_code == status, answer.text
    assert "set-cookie" not in answer.headers
    message: str = answer.json()["message"]
    assert message.endswith(".")
    return message


# Recovery codes


def test_a_recovery_code_brings_somebody_back_and_is_spent(server: Live) -> None:
    ann = browser(server, "Ann")
    made = ann.post("/api/matches", json={**GO, "seats": [ME, INVITED]}).json()
    code = ann.post("/api/me/recovery").json()["code"]
    assert account(ann)["recovery_ms"] is not None

    back = browser(server)
    typed = code.lower().replace("-", " ").replace("0", "o").replace("1", "l")
    answer = back.post("/api/me/recover", json={"code": typed}).json()
    assert answer["name"] == "Ann" and answer["secret"] is None
    assert back.get(f"/api/matches/{made['match']}").json()["you"] == [0]
    assert len(account(ann)["devices"]) == 2, "the first device stays"

    refused(browser(server).post("/api/me/recover", json={"code": code}))
    other = browser(server).post("/api/me/recover", json={"code": answer["recovery"]})
    assert other.json()["name"] == "Ann"


def test_a_new_code_ends_the_one_before_and_none_is_stored(server: Live, tmp_path: Path) -> None:
    ann = browser(server, "Ann")
    first = ann.post("/api/me/recovery").json()["code"]
    second = ann.post("/api/me/recovery").json()["code"]
    refused(browser(server).post("/api/me/recover", json={"code": first}))
    assert ann.delete("/api/me/recovery").status_code == 204
    refused(browser(server).post("/api/me/recover", json={"code": second}))
    assert account(ann)["recovery_ms"] is None


def test_a_program_is_told_its_secret(server: Live) -> None:
    program = server.client()
    secret = program.post("/api/matches", json={**GO, "seats": [ME, ME]}).json()["secret"]
    code = server.client(secret).post("/api/me/recovery").json()["code"]
    told = server.client().post("/api/me/recover", json={"code": code}).json()["secret"]
    assert told not in (None, secret)
    assert account(server.client(told))["devices"][0]["this"]


def test_codes_are_never_mixed_up() -> None:
    codes = {new_code() for _ in range(200)}
    assert len({code_hash(code) for code in codes}) == 200
    for wrong in ("", "U" * 24, "0" * 23, "0" * 25, "é" * 24, "0000-" * 6 + "0"):
        assert code_hash(wrong) is None


@pytest.mark.parametrize("path", ["/api/me/recover", "/api/me/device", "/api/me/passkey/options"])
def test_guessing_ends_soon(tmp_path: Path, path: str) -> None:
    with live(tmp_path, limits=True) as server:
        guesser = browser(server)
        answers = [
            guesser.post(path, json={"code": new_code(), "token": "A" * 43}).status_code for _ in range(20)
        ]
        assert answers[0] != 429 and answers[-1] == 429
        assert browser(server).get("/api/lobby").status_code == 200


# Another device


def test_a_link_makes_another_device_ours_once(server: Live) -> None:
    ann = browser(server, "Ann")
    link = ann.post("/api/me/link").json()
    phone = browser(server, **{"user-agent": FIREFOX})
    assert phone.post("/api/me/device", json={"token": link["token"]}).json()["name"] == "Ann"
    devices = account(phone)["devices"]
    assert [one["name"] for one in devices if one["this"]] == ["Firefox, Android"]
    assert len(devices) == 2
    refused(browser(server).post("/api/me/device", json={"token": link["token"]}))


def test_a_newer_link_ends_the_one_before(server: Live) -> None:
    ann = browser(server, "Ann")
    first, second = (ann.post("/api/me/link").json()["token"] for _ in range(2))
    refused(browser(server).post("/api/me/device", json={"token": first}))
    assert browser(server).post("/api/me/device", json={"token": second}).status_code == 200


def test_opening_ones_own_link_makes_no_second_device(server: Live) -> None:
    ann = browser(server, "Ann")
    token = ann.post("/api/me/link").json()["token"]
    assert ann.post("/api/me/device", json={"token": token}).status_code == 200
    assert len(account(ann)["devices"]) == 1


def test_a_link_is_too_old_after_five_minutes(server: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    passing = Passing()
    monkeypatch.setattr("tengen.server.http.endpoints.time", passing)
    ann = browser(server, "Ann")
    for seconds, status in ((299, 200), (301, 403)):
        token = ann.post("/api/me/link").json()["token"]
        passing(seconds)
        assert browser(server).post("/api/me/device", json={"token": token}).status_code == status


def test_a_link_is_no_recovery_code_nor_the_other_way_round(server: Live) -> None:
    ann = browser(server, "Ann")
    code = ann.post("/api/me/recovery").json()["code"]
    refused(browser(server).post("/api/me/device", json={"token": code}))
    refused(browser(server).post("/api/me/device", json={"token": code.replace("-", "")}))
    token = ann.post("/api/me/link").json()["token"]
    refused(browser(server).post("/api/me/recover", json={"code": token}))


def test_other_sites_can_neither_make_nor_use_a_way_in(server: Live) -> None:
    ann = browser(server, "Ann")
    code = ann.post("/api/me/recovery").json()["code"]
    for path, body in (
        ("/api/me/recovery", None),
        ("/api/me/link", None),
        ("/api/me/recover", {"code": code}),
        ("/api/me/device", {"token": "A" * 43}),
        ("/api/me/passkeys/options", None),
        ("/api/me/passkey/options", None),
        ("/api/me/erase", {"sure": True}),
    ):
        refused(ann.post(path, json=body, headers=EVIL))
    assert ann.delete("/api/me/devices", headers=EVIL).status_code == 403
    answer = ann.get("/api/me/export", headers={**EVIL, "sec-fetch-site": "cross-site"})
    assert "access-control-allow-origin" not in answer.headers
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    assert browser(server).post("/api/me/recover", json={"code": code}).status_code == 200


def test_a_stranger_has_nothing(server: Live) -> None:
    nobody = browser(server)
    assert account(nobody) == {
        "known": False, "name": "", "recovery_ms": None, "devices": [], "passkeys": [], "blocked": []
    }  # fmt: skip
    for path in ("recovery", "link", "passkeys/options"):
        refused(nobody.post(f"/api/me/{path}"))
    refused(nobody.get("/api/me/export"))
    refused(nobody.post("/api/me/erase", json={"sure": True}))
    refused(nobody.delete("/api/me/devices"))


# Devices


def linked(server: Live, who: httpx.Client) -> httpx.Client:
    token = who.post("/api/me/link").json()["token"]
    other = browser(server)
    assert other.post("/api/me/device", json={"token": token}).status_code == 200
    return other


def secret_in(who: httpx.Client) -> str:
    found = next(cookie.value for cookie in who.cookies.jar if cookie.name.startswith(COOKIE))
    assert found is not None
    return found


def test_a_device_that_is_shut_out_is_a_stranger_at_once(server: Live) -> None:
    ann = browser(server, "Ann")
    lost = linked(server, ann)
    stolen = secret_in(lost)
    with socket(server, stolen) as opened:
        there = next(one["id"] for one in account(ann)["devices"] if not one["this"])
        assert ann.delete(f"/api/me/devices/{there}").status_code == 204
        assert hear_until(opened, "closing")["final"] is False
    assert not account(lost)["known"]
    assert not account(server.client(stolen))["known"]
    assert len(account(ann)["devices"]) == 1


def test_the_first_device_can_be_shut_out_too(server: Live) -> None:
    ann = browser(server, "Ann")
    other = linked(server, ann)
    assert other.delete("/api/me/devices").status_code == 204
    assert not account(ann)["known"]
    assert account(other)["name"] == "Ann"


def test_leaving_takes_the_cookie_away(server: Live) -> None:
    ann = browser(server, "Ann")
    secret = secret_in(ann)
    answer = ann.delete(f"/api/me/devices/{account(ann)['devices'][0]['id']}")
    assert answer.status_code == 204 and "Max-Age=0" in answer.headers["set-cookie"]
    assert not account(server.client(secret))["known"]


def test_nobody_shuts_out_somebody_elses_device(server: Live) -> None:
    ann, eve = browser(server, "Ann"), browser(server, "Eve")
    device = account(ann)["devices"][0]["id"]
    refused(eve.delete(f"/api/me/devices/{device}"), 404)
    assert account(ann)["known"]


def test_the_device_used_least_lately_makes_room(server: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tengen.server.people.MOST_DEVICES", 2)
    ann = browser(server, "Ann")
    second = linked(server, ann)
    third = linked(server, second)
    assert [account(who)["known"] for who in (ann, second, third)].count(True) == 2
    assert account(third)["known"]


# Passkeys


def with_passkey(server: Live, name: str = "Ann") -> tuple[httpx.Client, Authenticator]:
    who = browser(server, name)
    key = Authenticator(f"http://localhost:{server.port}")
    made = who.post("/api/me/passkeys", json={"credential": key.make(options(who, "passkeys"))})
    assert made.status_code == 201, made.text
    return who, key


def options(who: httpx.Client, path: str) -> dict[str, Any]:
    found: dict[str, Any] = who.post(f"/api/me/{path}/options").json()["options"]
    return found


def test_a_passkey_opens_any_device_until_it_is_forgotten(server: Live) -> None:
    ann, key = with_passkey(server)
    back = browser(server)
    answer = back.post("/api/me/passkey", json={"credential": key.enter(options(back, "passkey"))})
    assert answer.json()["name"] == "Ann"
    kept = account(back)["passkeys"][0]
    assert kept["used_ms"] is not None
    assert ann.delete(f"/api/me/passkeys/{kept['id']}").status_code == 204
    again = browser(server)
    refused(again.post("/api/me/passkey", json={"credential": key.enter(options(again, "passkey"))}))


def test_an_answer_is_worth_one_use(server: Live) -> None:
    _, key = with_passkey(server)
    thief = browser(server)
    answer = {"credential": key.enter(options(thief, "passkey"))}
    assert thief.post("/api/me/passkey", json=answer).status_code == 200
    refused(browser(server).post("/api/me/passkey", json=answer))


def test_answers_that_are_not_right_let_nobody_in(server: Live) -> None:
    _, key = with_passkey(server)
    here = browser(server)
    for lies in (
        {"origin": "https://evil.example"},
        {"site": "evil.example"},
        {"challenge": "A" * 43},
        {"key": ec.generate_private_key(ec.SECP256R1())},
    ):
        refused(
            here.post("/api/me/passkey", json={"credential": key.enter(options(here, "passkey"), **lies)})
        )
    stranger = Authenticator(key.origin)
    refused(here.post("/api/me/passkey", json={"credential": stranger.enter(options(here, "passkey"))}))
    for nonsense in (
        {},
        {"response": 3},
        {"response": {"clientDataJSON": "e30"}},
        {"response": {"clientDataJSON": "!"}},
    ):
        refused(here.post("/api/me/passkey", json={"credential": nonsense}))


def test_a_challenge_is_too_old_after_five_minutes(server: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    _, key = with_passkey(server)
    passing = Passing()
    monkeypatch.setattr("tengen.server.http.endpoints.time", passing)
    here = browser(server)
    answer = {"credential": key.enter(options(here, "passkey"))}
    passing(301)
    refused(here.post("/api/me/passkey", json=answer))


def test_nobody_adds_a_passkey_with_somebody_elses_challenge(server: Live) -> None:
    ann, eve = browser(server, "Ann"), browser(server, "Eve")
    key = Authenticator(f"http://localhost:{server.port}")
    refused(ann.post("/api/me/passkeys", json={"credential": key.make(options(eve, "passkeys"))}))
    login = {"challenge": options(eve, "passkey")["challenge"], "rp": {"id": "localhost"}}
    refused(ann.post("/api/me/passkeys", json={"credential": key.make(login)}))
    assert account(ann)["passkeys"] == []


def test_a_copied_authenticator_is_found_out(server: Live) -> None:
    _, key = with_passkey(server)
    here = browser(server)
    for _ in range(3):
        assert (
            here.post("/api/me/passkey", json={"credential": key.enter(options(here, "passkey"))}).status_code
            == 200
        )
    key.uses = 0  # as an older copy counts
    refused(here.post("/api/me/passkey", json={"credential": key.enter(options(here, "passkey"))}))


def test_passkeys_need_a_name_and_a_browser(server: Live) -> None:
    by_address = server.client(origin=server.url)
    assert "name" in refused(by_address.post("/api/me/passkey/options"), 409)
    assert "browser" in refused(server.client().post("/api/me/passkey/options"), 409)


def test_a_person_has_ten_passkeys_at_most(server: Live) -> None:
    ann, _ = with_passkey(server)
    person = _person_of(server, ann)
    for number in range(9):
        _on_loop(server, server.service.store.people.add_passkey(
            PasskeyRow(f"{person}{number}", person, b"", 0, "", 1)
        ))  # fmt: skip
    refused(ann.post("/api/me/passkeys/options"), 429)


# All that is kept, and its end


def _on_loop(server: Live, work: Any) -> Any:
    return asyncio.run_coroutine_threadsafe(work, server.loop).result(20)


def _person_of(server: Live, who: httpx.Client) -> str:
    found = _on_loop(server, server.service.store.person(hash_secret(secret_in(who))))
    return str(found.id)


def two_at_a_match(server: Live) -> tuple[httpx.Client, httpx.Client, str]:
    ann, bob = browser(server, "Ann-Marie"), browser(server, "Bob")
    made = ann.post("/api/matches", json={**GO, "seats": [ME, INVITED]}).json()
    joined = bob.post(f"/api/matches/{made['match']}/join", json={"token": made["invitation"]})
    assert joined.status_code == 200
    return ann, bob, made["match"]


def test_an_export_has_everything(server: Live) -> None:
    ann, _, match = two_at_a_match(server)
    waiting = ann.post("/api/matches", json={**GO, "seats": [ME, OPEN]}).json()["match"]
    study = ann.post("/api/studies", json={"text": "(;GM[1]SZ[9]C[mine];B[ee])"}).json()["id"]
    for _ in range(30):
        ann.post("/api/matches", json={**GO, "seats": [ME, ME]})
    answer = ann.get("/api/me/export")
    assert "attachment" in answer.headers["content-disposition"]
    found = answer.json()
    assert found["name"] == "Ann-Marie" and len(found["sessions"]) == 1
    matches = {one["id"]: one for one in found["matches"]}
    assert len(matches) == len(found["matches"]) == 32
    assert matches[match]["record"]["players"][0]["name"] == "Ann-Marie"
    assert matches[waiting]["record"] is None and matches[waiting]["status"] == "open"
    assert [one["id"] for one in found["studies"]] == [study]
    assert found["studies"][0]["study"]["nodes"][0]["comment"] == "mine"
    assert secret_in(ann) not in answer.text


def test_erasure_leaves_others_their_games_and_nothing_of_us(server: Live) -> None:
    ann, bob, match = two_at_a_match(server)
    waiting = ann.post("/api/matches", json={**GO, "seats": [ME, OPEN]}).json()["match"]
    study = ann.post("/api/studies", json={"text": "(;GM[1]SZ[9];B[ee])"}).json()["id"]
    code = ann.post("/api/me/recovery").json()["code"]
    secret = secret_in(ann)
    refused(ann.post("/api/me/erase", json={"sure": False}), 400)
    with socket(server, secret) as opened:
        assert ann.post("/api/me/erase", json={"sure": True}).status_code == 204
        assert hear_until(opened, "closing")
    assert not account(server.client(secret))["known"]
    refused(browser(server).post("/api/me/recover", json={"code": code}))
    assert bob.get(f"/api/studies/{study}").status_code == 404

    seen = bob.get(f"/api/matches/{match}").json()
    assert seen["now"]["outcome"]["reason"] == "resign" and seen["you"] == [1]
    assert [seat["name"] for seat in seen["match"]["seats"]] == ["", "Bob"]
    for path in ("record?format=json", "record?format=sgf", "study"):
        text = bob.get(f"/api/matches/{match}/{path}").text
        assert "Ann-Marie" not in text and "Bob" in text
    assert bob.get(f"/api/matches/{waiting}").json()["match"]["status"] == "cancelled"
    assert "Ann-Marie" not in bob.get("/api/me/export").text


def test_nothing_of_an_erased_person_is_in_the_file(tmp_path: Path) -> None:
    with live(tmp_path, WebConfig(folder=tmp_path / "none")) as server:
        ann, _, _ = two_at_a_match(server)
        ann.post("/api/matches", json={**GO, "seats": [ME, ME]})
        person = _person_of(server, ann)
        assert ann.post("/api/me/erase", json={"sure": True}).status_code == 204
    with closing(sqlite3.connect(tmp_path / "live.sqlite3")) as database:
        rows = "\n".join(database.iterdump())
    assert person not in rows and "Ann-Marie" not in rows and "Bob" in rows
