"""The operator's page and API, which strangers do not find; and what people can do about each other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from tengen.server import people
from tengen.server.http import lab_key
from tengen.server.http.admin import EVERYWHERE
from tengen.server.http.service import WebConfig
from tengen.server.limits import RATES, Rate
from tengen.server.names import Words
from tengen.server.protocol import PROTOCOL
from tengen.server.stamp import now_ms
from tengen.server.store.house import BanRow, NoticeRow
from tests.server.live import Live, live
from tests.server.table import Eye, make, person, table, until
from tests.server.test_people import browser
from tests.server.test_safety import hear_until, say, socket

TOKEN = "a-token-of-the-operator"
GO = {"game": "go", "options": {"size": 5}}
ME, OPEN = {"kind": "me"}, {"kind": "open"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    folder = tmp_path_factory.mktemp("house")
    web = WebConfig(folder=folder / "none", admin_token=TOKEN)
    with live(folder, web, words=Words(["darn"])) as running:
        yield running


@pytest.fixture
def operator(server: Live) -> httpx.Client:
    return server.client(TOKEN)


def refused(answer: httpx.Response, status: int = 403) -> str:
    assert answer.status_code == status, answer.text
    message: str = answer.json()["message"]
    return message


def do(operator: httpx.Client, deed: str, **given: str) -> dict[str, Any]:
    answer = operator.post(f"/api/admin/{deed}", json=given)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def at_a_match(server: Live, first: str, second: str) -> tuple[httpx.Client, httpx.Client, str]:
    one, other = browser(server, first), browser(server, second)
    match = one.post("/api/matches", json={**GO, "seats": [ME, OPEN]}).json()["match"]
    assert other.post(f"/api/matches/{match}/join", json={}).status_code == 200
    return one, other, match


# Who may


def test_strangers_find_nothing(server: Live) -> None:
    for client in (server.client(), server.client("wrong-token-of-nobody-at-all"), browser(server, "Eve")):
        for answer in (
            client.get("/api/admin"),
            client.post("/api/admin/drain", json={"on": "1"}),
            client.post("/admin/do/drain", data={"on": "1"}),
        ):
            assert answer.status_code == 404 and "sockets" not in answer.text
    page = server.client().get("/admin")
    assert page.status_code == 200 and "Token" in page.text and "Reports" not in page.text
    forged = {"cookie": f"tengen-{server.port}-admin=99999999999-{'0' * 64}"}
    assert "Reports" not in server.client(**forged).get("/admin").text
    assert server.client().get("/readyz").status_code == 200


def test_without_a_token_there_is_no_page_at_all(tmp_path: Path) -> None:
    with live(tmp_path) as server:
        for token in (None, "x", ""):
            assert server.client(token).get("/api/admin").status_code == 404
            assert server.client(token).get("/admin", headers={"accept": "*/*"}).status_code == 404
        assert server.client().post("/admin/enter", data={"token": ""}).status_code == 404


def test_the_token_is_not_guessed(tmp_path: Path) -> None:
    with live(tmp_path, WebConfig(folder=tmp_path / "none", admin_token=TOKEN), limits=True) as server:
        guesser = server.client()
        answers = [guesser.post("/admin/enter", data={"token": f"guess-{n}"}).status_code for n in range(20)]
        assert answers[-1] == 429
        tries = [server.client(f"guess-number-{n}-of-many-tries").get("/api/admin") for n in range(3)]
        assert {answer.status_code for answer in tries} == {429}


def test_the_page_is_entered_with_the_token_and_other_sites_cannot_use_it(server: Live) -> None:
    mine = browser(server)
    entered = mine.post("/admin/enter", data={"token": TOKEN})
    assert entered.status_code == 303 and "SameSite=strict" in entered.headers["set-cookie"]
    page = mine.get("/admin").text
    assert "Live matches" in page and "Announce" in page
    assert mine.get("/admin/style.css").headers["content-type"].startswith("text/css")
    evil = mine.post("/admin/do/drain", data={"on": "1"}, headers={"origin": "http://evil.example"})
    assert evil.status_code == 403
    assert (
        "said=malformed"
        in mine.post("/admin/do/ban", data={"kind": "address", "value": "x"}).headers["location"]
    )
    assert TOKEN not in page + entered.headers["set-cookie"]


def test_below_a_path_all_cookies_are_for_that_path(tmp_path: Path) -> None:
    """What else the host shows must not be sent them, least of all the operator's."""
    web = WebConfig(folder=tmp_path / "none", admin_token=TOKEN, lab_key="key", prefix="/tengen")
    with live(tmp_path, web) as server:
        one, into_the_lab = browser(server), f"/tengen/enter/{lab_key.mint('key')}"
        answers = (
            one.put("/tengen/api/me", json={"name": "Ann"}),
            one.post("/tengen/admin/enter", data={"token": TOKEN}),
            one.get(into_the_lab),
        )
        paths = {cookie.name.rpartition("-")[2]: cookie.path for cookie in one.cookies.jar}
    assert [answer.status_code for answer in answers] == [200, 303, 303]
    assert len(paths) == 3 and set(paths.values()) == {"/tengen"}


def test_what_people_write_does_no_harm_on_the_page(server: Live, operator: httpx.Client) -> None:
    one, _, match = at_a_match(server, "<script>x</script>", "Bob")
    assert one.post("/api/reports", json={"match": match, "seat": 0, "reason": "<b>"}).status_code == 204
    page = server.client(TOKEN).get("/admin").text
    assert "<script>" not in page and "&lt;script&gt;" in page and "<b>" not in page


# What it does


def test_the_operator_sees_who_is_here(server: Live, operator: httpx.Client) -> None:
    match = at_a_match(server, "Ann", "Bob")[2]
    with socket(server):
        found = operator.get("/api/admin").json()
        assert found["sockets"] >= 1 and found["sessions"][0]["address"]
    assert match in [row["id"] for row in found["live"]]
    assert found["limits"]["rates"]["requests"] == [300, 30] and found["limits"]["sockets"] == 64
    server.service.limits.retune({**RATES, "requests": Rate(600, 60)}, 7)
    limits = operator.get("/api/admin").json()["limits"]
    assert limits["rates"]["requests"] == [600, 60] and limits["sockets"] == 7, (
        "as the operator has tuned them"
    )


def test_a_banned_address_is_not_served_but_the_operator_is(server: Live, operator: httpx.Client) -> None:
    with socket(server) as opened:
        found = do(operator, "ban", kind="address", value="127.0.0.0/8", note="test")
        assert [one["value"] for one in found["bans"]] == ["127.0.0.0/8"]
        assert hear_until(opened, "closing")["message"] == "This address is not served here."
        assert refused(server.client().get("/api/lobby")) == "This address is not served here."
        with pytest.raises(InvalidStatus), socket(server):
            pass
        assert server.client().get("/healthz").status_code == 200
    do(operator, "unban", kind="address", value="127.0.0.0/8")
    assert server.client().get("/api/lobby").status_code == 200
    for wrong in ("", "nowhere", "300.1.1.1"):
        assert operator.post("/api/admin/ban", json={"kind": "address", "value": wrong}).status_code == 400
    answer = operator.post("/api/admin/ban", json={"kind": "address", "value": "::1", "hours": "-1"})
    assert answer.status_code == 400


def test_a_banned_name_is_taken_away_with_all_that_look_like_it(server: Live, operator: httpx.Client) -> None:
    one, _, match = at_a_match(server, "Mallory", "Bob")
    do(operator, "ban", kind="name", value="mallory")
    assert one.get("/api/me").json()["name"] == ""
    assert one.get(f"/api/matches/{match}").json()["match"]["seats"][0]["name"] == ""
    for name in ("Mallory", "MALL0RY", "Mallóry", "mailory", "M a l l o r y", "mal.lory"):
        assert "not wanted" in refused(one.put("/api/me", json={"name": name}), 400)
    assert one.put("/api/me", json={"name": "Mal"}).status_code == 200
    value = operator.get("/api/admin").json()["bans"][0]["value"]
    assert do(operator, "unban", kind="name", value=value)["bans"] == []


def test_an_announcement_reaches_who_is_here_and_who_comes(server: Live, operator: httpx.Client) -> None:
    with socket(server) as old, socket(server) as opened:
        say(opened, {"type": "hello", "protocol": PROTOCOL, "news": True})
        hear_until(opened, "welcome")
        notice = do(operator, "announce", text="We stop at\u202e noon.", hours="2")["notices"][0]
        assert [one["text"] for one in hear_until(opened, "notices")["notices"]] == ["We stop at noon."]
        say(old, {"type": "ping", "at": 1})
        assert hear_until(old, "pong", "notices")["type"] == "pong", "older clients do not know it"
        say(opened, {"type": "hello", "protocol": PROTOCOL, "news": True})
        assert hear_until(opened, "notices")["notices"]
        do(operator, "withdraw", id=notice["id"])
        assert hear_until(opened, "notices")["notices"] == []


def test_a_draining_server_begins_nothing_new(server: Live, operator: httpx.Client) -> None:
    one, _, match = at_a_match(server, "Ann", "Bob")
    assert do(operator, "drain")["draining"]
    assert "about to stop" in refused(one.post("/api/matches", json={**GO, "seats": [ME, OPEN]}), 409)
    assert server.client().get("/readyz").status_code == 503
    assert one.get(f"/api/matches/{match}").status_code == 200
    do(operator, "drain", on="0")
    assert server.client().get("/readyz").status_code == 200
    assert do(operator, "drain", on="1", where="all")["draining"]
    assert operator.get("/api/admin").json()["bans"] == []
    assert not do(operator, "drain", on="")["draining"]


class Connected(Eye):
    """A socket of somebody, as far as the house ends it."""

    name, watching = "", 0

    def __init__(self, address: str, secret_hash: str | None = None) -> None:
        super().__init__()
        self.address, self.secret_hash = address, secret_hash
        self.said: list[str] = []

    def tell_notices(self) -> None:
        self.said.append("notices")

    def dismiss(self, message: str) -> None:
        self.said.append(message)

    async def finish(self, message: str) -> None:
        pass


@pytest.mark.anyio
async def test_other_processes_take_up_at_once_what_the_operator_decides(postgres_url: str) -> None:
    """They are told: none looks by itself while the test runs."""
    async with (
        table(postgres_url, sweep_s=3600) as here,
        table(postgres_url, sweep_s=3600) as there,
    ):
        ann = await person(here, "Ann")
        phone = await people.admitted(here.store, ann.id, "phone", now_ms())
        barred, shut_out = Connected("192.0.2.7"), Connected("", people.hash_secret(phone))
        there.connections |= {barred, shut_out}
        await here.store.house.ban(BanRow("address", "192.0.2.0/24", now_ms()))
        await until(lambda: barred.said == ["This address is not served here."])
        assert there.house.bars("192.0.2.9")
        await here.store.house.unban("address", "192.0.2.0/24")
        await until(lambda: not there.house.bars("192.0.2.9"))
        await here.store.house.add_notice(NoticeRow("n", "Soon.", now_ms()))
        await until(lambda: "notices" in barred.said)
        devices = await here.store.people.devices(ann.id)
        await here.store.people.revoke(ann.id, [one.id for one in devices if one.name == "phone"], now_ms())
        await until(lambda: "This device has been signed out." in shut_out.said)
        match = await make(here, ann)
        room = await there.rooms.find(match)
        await here.store.unname(["Ann"])
        await until(lambda: room.row.seats[0].name == "")
        await here.store.house.ban(BanRow("drain", EVERYWHERE, now_ms()))
        await until(lambda: there.house.draining)
        async with table(postgres_url, sweep_s=3600) as fresh:
            await fresh.refresh_house()
            assert there.house.draining and not fresh.house.draining, "a process that comes later is new"
        await here.store.house.unban("drain", EVERYWHERE)
        await until(lambda: not there.house.draining)


# What people do about each other


def test_a_report_reaches_the_operator_once(server: Live, operator: httpx.Client) -> None:
    one, other, match = at_a_match(server, "Ann", "Rude Name")
    assert one.post("/api/reports", json={"match": match, "seat": 1, "reason": "rude"}).status_code == 204
    study = other.post("/api/studies", json={"text": "(;GM[1]SZ[9]GN[Title]C[bad comment];B[ee])"}).json()[
        "id"
    ]
    assert one.post("/api/reports", json={"study": study}).status_code == 204
    found = {row["text"].strip(): row for row in operator.get("/api/admin").json()["reports"]}
    assert found["Rude Name"]["reason"] == "rude"
    assert any("bad comment" in text and "Title" in text for text in found)
    left = do(operator, "done", id=found["Rude Name"]["id"])["reports"]
    assert "Rude Name" not in [row["text"] for row in left]
    for wrong, status in (({}, 400), ({"match": match, "seat": 7}, 400), ({"study": "AAAAAAAAAAAA"}, 404)):
        refused(one.post("/api/reports", json=wrong), status)


def test_who_is_blocked_is_not_met_again(server: Live) -> None:
    one, other, match = at_a_match(server, "Ann", "Pest")
    blocked = one.post("/api/me/blocks", json={"match": match, "seat": 1}).json()
    assert blocked["name"] == "Pest"
    assert one.get("/api/me/account").json()["blocked"] == [blocked]
    refused(one.post("/api/me/blocks", json={"match": match, "seat": 0}), 409)
    for host, guest in ((one, other), (other, one)):
        made = host.post("/api/matches", json={**GO, "seats": [ME, OPEN]}).json()["match"]
        assert (
            refused(guest.post(f"/api/matches/{made}/join", json={})) == "You cannot sit down at this match."
        )
    assert other.get("/api/me/account").json()["blocked"] == []
    refused(other.delete(f"/api/me/blocks/{blocked['id']}"), 404)
    assert one.delete(f"/api/me/blocks/{blocked['id']}").status_code == 204
    assert other.post(f"/api/matches/{made}/join", json={}).status_code == 200


def test_names_at_one_table_do_not_look_alike(server: Live) -> None:
    one, other = browser(server, "Ian"), browser(server)
    match = one.post("/api/matches", json={**GO, "seats": [ME, OPEN]}).json()["match"]
    assert "opponent" in refused(other.post(f"/api/matches/{match}/join", json={"name": "lan"}), 400)
    assert other.post(f"/api/matches/{match}/join", json={"name": "Ivan"}).status_code == 200


def test_people_of_the_same_name_are_told_apart(server: Live) -> None:
    one, other = browser(server, "Anna Lena"), browser(server, "Anna Lena")
    match = one.post("/api/matches", json={**GO, "seats": [ME, OPEN]}).json()["match"]
    assert other.post(f"/api/matches/{match}/join", json={}).status_code == 200
    seats = one.get(f"/api/matches/{match}").json()["match"]["seats"]
    assert [seat["name"] for seat in seats] == ["Anna Lena", "Anna Lena (2)"]
    assert other.get("/api/me").json()["name"] == "Anna Lena", "elsewhere the name is theirs"


def test_the_operators_words_are_kept_out(server: Live) -> None:
    assert "not wanted" in refused(browser(server).put("/api/me", json={"name": "Dárn"}), 400)
    refused(browser(server).post("/api/studies", json={"text": "(;GM[1]SZ[9]C[oh darn];B[ee])"}), 400)
    hidden = {"text": "(;GM[1]SZ[9]C[left\u202eright];B[ee])"}
    study = browser(server).post("/api/studies", json=hidden).json()
    assert study["nodes"][0]["comment"] == "leftright"
