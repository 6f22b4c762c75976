"""Brains and the Lab over HTTP: who is let in, what can be done to brains, and training runs from outside."""

from __future__ import annotations

import asyncio
import importlib.util
import io
import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import httpx
import onnx
import pytest

import tengen
from tengen.brains.file import read_brain
from tengen.brains.store import BrainStore, Rating
from tengen.learn import runs as learn_runs
from tengen.learn.run_files import take_lock
from tengen.learn.runs import Reporter, Run
from tengen.server.http import api_lab, lab_key
from tengen.server.http.service import LabDoor, WebConfig
from tengen.server.options import running
from tengen.server.serve import seen_from_outside
from tests.brains.make import tiny_brain, tiny_model, tiny_q_brain
from tests.server.live import Live, live
from tests.waiting import until

FILE = {"content-type": "application/octet-stream"}
KINGDOM = "great-kingdom"
CLOSED = "The Lab of this server is for its operator."
PATIENCE_S = 30.0


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of one's own, and no brains that came with tengen."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    defaults = BrainStore.__init__.__kwdefaults__
    assert defaults is not None
    monkeypatch.setitem(defaults, "shipped", tmp_path / "shipped")
    return tmp_path


@contextmanager
def lab(folder: Path, door: LabDoor = "here", **config: Any) -> Iterator[Live]:
    with live(folder, WebConfig(folder=folder / "no-client", lab=door), **config) as running:
        yield running


@pytest.fixture
def server(home: Path) -> Iterator[Live]:
    with lab(home, engine_move_s=1.0) as running:
        yield running


def problem(answer: httpx.Response, status: int, code: str) -> str:
    assert answer.status_code == status, answer.text
    body = answer.json()
    assert body["code"] == code, body
    assert body["message"].endswith(".") and "Traceback" not in body["message"]
    return str(body["message"])


def upload(client: httpx.Client, data: bytes) -> dict[str, Any]:
    answer = client.post("/api/brains", content=data, headers=FILE)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def names(client: httpx.Client, **wanted: Any) -> list[str]:
    found = client.get("/api/brains").json()
    return [one["name"] for one in found if all(one[key] == value for key, value in wanted.items())]


# Who is let in


def _everything(client: httpx.Client) -> list[httpx.Response]:
    """One request to each endpoint of the Lab, in the order of its table."""
    asked = []
    for endpoint in api_lab.ENDPOINTS:
        if endpoint.door is None:
            continue
        path = endpoint.template.format(game=KINGDOM, brain="brain_x", run="some-run")
        more: dict[str, Any] = {}
        if endpoint.takes != "application/json":
            more = {"content": b"x", "headers": FILE}
        elif endpoint.body is not None:
            more = {"json": {}}
        asked.append(client.request(endpoint.method, path, **more))
    return asked


def test_a_closed_lab_tells_nothing_but_its_champions(home: Path) -> None:
    store = BrainStore()
    hidden = store.import_(tiny_brain(KINGDOM, seed=1, games=7)).name
    champion = store.import_(tiny_brain(KINGDOM, seed=2, games=8)).name
    store.set_latest(KINGDOM, champion)
    with lab(home, "off") as server:
        client = server.client()
        assert client.get("/api/server").json()["lab"] is False
        answers = _everything(client)
        assert len(answers) == len(api_lab.ENDPOINTS) - 1
        for answer in answers:
            assert problem(answer, 403, "stranger") == CLOSED
        assert names(client) == [champion]
        assert (store.folder(KINGDOM) / f"{hidden}.onnx").is_file()


def announced(server: Live, length: int) -> tuple[int, str]:
    """The answer to who has announced a body and sent nothing of it yet: its status and its sentence."""
    with closing(HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)) as connection:
        connection.putrequest("POST", "/api/brains")
        for name, value in {**FILE, "content-length": str(length)}.items():
            connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())["message"]


def test_a_body_is_not_waited_for_from_who_is_not_let_in(home: Path) -> None:
    with lab(home, "off") as server:
        assert announced(server, 1000) == (403, CLOSED)


def test_here_is_this_machine_and_no_proxy(server: Live) -> None:
    assert server.client().get("/api/server").json()["lab"] is True
    assert server.client().get("/api/lab").status_code == 200
    for header in ("x-forwarded-for", "forwarded"):
        stranger = server.client(**{header: "for=192.0.2.7"})
        assert stranger.get("/api/server").json()["lab"] is False
        for answer in _everything(stranger):
            assert problem(answer, 403, "stranger") == CLOSED


def test_everyone_is_everyone(home: Path) -> None:
    with lab(home, "everyone") as server:
        assert server.client(**{"x-forwarded-for": "192.0.2.7"}).get("/api/lab").status_code == 200
        page = server.client(origin="https://elsewhere.example")
        assert "another site" in problem(page.post("/api/brains", content=b"", headers=FILE), 403, "stranger")


# Brains


def test_brains_come_and_go(server: Live) -> None:
    client = server.client()
    data = tiny_brain(KINGDOM, games=500, loss=0.25, title="First try", rating=2900.0)
    first = upload(client, data)
    assert first["game"] == KINGDOM and first["games"] == 500 and first["loss"] == 0.25
    assert first["title"] == "First try" and first["algorithm"] == "gumbel" and not first["champion"]
    assert first["rating"] is None, "what a file claims is not measured"
    assert upload(client, data)["name"] == first["name"], "the same file is the same brain"
    second = upload(client, tiny_brain(KINGDOM, seed=1, games=900))["name"]
    go = upload(client, tiny_brain(tengen.game("go", size=9)))
    assert go["options"]["size"] == 9
    assert set(names(client, game=KINGDOM)) == {first["name"], second}

    BrainStore().set_rating(KINGDOM, second, Rating(1234.5, 200, 1200.0, 1270.0))
    assert names(client, game=KINGDOM) == [second, first["name"]], "the best measured first"
    assert [one["rating"] for one in client.get("/api/brains").json() if one["game"] == KINGDOM] == [
        1234.5,
        None,
    ]

    assert names(client, champion=True) == []
    assert client.post(f"/api/brains/{KINGDOM}/{second}/use").status_code == 204
    assert names(client, champion=True) == [second]

    answer = client.get(f"/api/brains/{KINGDOM}/{second}/file")
    assert answer.headers["content-type"] == "application/octet-stream"
    assert f'filename="{second}.onnx"' in answer.headers["content-disposition"]
    assert read_brain(answer.content).info.rating == 1234.5
    onnx.checker.check_model(onnx.load(io.BytesIO(answer.content)))

    assert client.delete(f"/api/brains/{KINGDOM}/{second}").status_code == 204
    assert names(client, game=KINGDOM) == [first["name"]]
    assert names(client, champion=True) == []
    problem(client.delete(f"/api/brains/{KINGDOM}/{second}"), 404, "unknown")


def test_the_brain_that_ships_stays(home: Path, server: Live) -> None:
    (home / "shipped").mkdir()
    (home / "shipped" / f"{KINGDOM}.onnx").write_bytes(tiny_brain(KINGDOM))
    client = server.client()
    (found,) = client.get("/api/brains").json()
    assert found["name"] == "default" and found["shipped"] and found["champion"]
    assert not found["any_board"]
    refusal = problem(client.delete(f"/api/brains/{KINGDOM}/default"), 409, "not-now")
    assert refusal == "The brain that comes with tengen cannot be removed."
    mine = upload(client, tiny_brain(KINGDOM, seed=3))["name"]
    assert client.post(f"/api/brains/{KINGDOM}/{mine}/use").status_code == 204
    assert names(client, champion=True) == [mine]
    assert client.post(f"/api/brains/{KINGDOM}/default/use").status_code == 204
    assert names(client, champion=True) == ["default"]


def test_a_file_that_is_no_brain_is_refused_in_a_sentence(server: Live) -> None:
    client = server.client()
    foreign = tiny_model(tengen.game(KINGDOM)).SerializeToString()
    cut = tiny_brain(KINGDOM)[:-200]
    for data, why in ((b"hello", "not an ONNX file"), (b"", "not an ONNX file"), (foreign, "not a brain")):
        answer = client.post("/api/brains", content=data, headers=FILE)
        assert why in problem(answer, 400, "malformed")
    problem(client.post("/api/brains", content=cut, headers=FILE), 400, "malformed")
    problem(client.post("/api/brains", json={"text": "hello"}), 415, "malformed")
    status, why = announced(server, api_lab.MAX_BRAIN_BYTES + 1)
    assert status == 413 and "64 MB" in why
    assert names(client) == []


@pytest.mark.parametrize("name", ["nosuch", "..", "%2e%2e", "..%2f..%2fsecret", "latest.txt", "a%00b"])
def test_a_name_is_never_a_path(server: Live, home: Path, name: str) -> None:
    (home / "data" / "tengen" / "secret.onnx").parent.mkdir(parents=True, exist_ok=True)
    (home / "data" / "tengen" / "secret.onnx").write_bytes(tiny_brain(KINGDOM))
    client = server.client()
    for method, tail in (("DELETE", ""), ("GET", "/file"), ("POST", "/use")):
        request = client.build_request(method, f"{server.url}/api/brains/{KINGDOM}/{name}{tail}")
        assert client.send(request).status_code in (404, 405)
    problem(client.get(f"/api/brains/chess/{name.strip('.%') or 'x'}/file"), 404, "unknown")
    assert (home / "data" / "tengen" / "secret.onnx").is_file()


# Seats


def match_with(client: httpx.Client, player: str, game: str = KINGDOM, **options: Any) -> httpx.Response:
    seats = [{"kind": "me"}, {"kind": "machine", "player": player}]
    return client.post("/api/matches", json={"game": game, "options": options, "seats": seats})


@pytest.mark.parametrize("door", ["off", "here"])
def test_a_brain_has_a_seat_and_moves(home: Path, door: LabDoor) -> None:
    store = BrainStore()
    name = store.import_(tiny_brain(KINGDOM)).name
    store.set_latest(KINGDOM, name)
    store.import_(tiny_q_brain(KINGDOM, games=3))
    texts = {
        "brain:latest": "Neural net latest",
        f"brain:{name}@8": f"Neural net {name}, 8 simulations",
        "brain:brain_L012300_G3_20260301_120000": "Neural net brain_L012300_G3_20260301_120000",
    }
    with lab(home, door, engine_move_s=1.0) as server:
        for player, shown in texts.items():
            made = match_with(server.client(), player)
            assert made.status_code == 201, made.text
            client, path = server.client(made.json()["secret"]), f"/api/matches/{made.json()['match']}"
            seat = client.get(path).json()["match"]["seats"][1]
            assert (seat["name"], seat["player"]) == (shown, player)
            _move(server, made.json(), "D4")
            until(lambda: len(client.get(path).json()["line"]) == 2)  # noqa: B023
            assert client.get(path).json()["now"]["phase"] == "playing"


def test_a_match_goes_on_with_the_champion_that_it_began_with(server: Live) -> None:
    store = BrainStore()
    brains = [store.import_(tiny_brain(KINGDOM, seed=seed, games=seed)).name for seed in (1, 2)]
    matches = []
    for name in brains:
        store.set_latest(KINGDOM, name)
        matches.append(match_with(server.client(), "brain:latest@8").json()["match"])
    for match, name in zip(matches, brains, strict=True):
        finding = asyncio.run_coroutine_threadsafe(server.service.hub.rooms.find(match), server.loop)
        room = finding.result(PATIENCE_S)
        assert room.match.setup.seats[1].id == f"brain:{name}@8"
        assert room.row.seats[1].player == "brain:latest@8", "it is shown as it was asked for"


def _move(server: Live, made: dict[str, Any], text: str) -> None:
    from websockets.sync.client import connect

    with connect(server.socket_url) as socket:
        socket.send(json.dumps({"type": "hello", "protocol": 1, "secret": made["secret"]}))
        ask = {"type": "ask", "match": made["match"], "id": "one", "kind": "move", "text": text}
        socket.send(json.dumps(ask))
        while json.loads(socket.recv(timeout=PATIENCE_S))["type"] != "accepted":
            pass


def test_a_brain_that_cannot_sit_is_refused_in_a_sentence(home: Path, server: Live) -> None:
    store = BrainStore()
    path = store.import_(tiny_brain(tengen.game("go", size=9))).path
    client = server.client()
    for player in (
        "brain:",
        f"brain:{path}",
        f"brain:../go/{path.stem}",
        "brain:nosuch",
        "brain:latest@0",
        "brain:latest@10001",
        "brain:latest@1.5s",
        "brain:latest@",
        "brain:a\nb",
        "brain:" + "x" * 300,
    ):
        problem(match_with(client, player), 400, "malformed")
    no_net = problem(match_with(client, "brain:latest"), 400, "malformed")
    assert no_net == "This server has no neural net for Great Kingdom."
    store.set_latest("go", path.stem)
    assert match_with(client, "brain:latest", "go", size=9).status_code == 201
    wrong = problem(match_with(client, "brain:latest", "go", size=13), 400, "malformed")
    assert "9×9, not on 13×13" in wrong


# Runs


@contextmanager
def at_work(kind: Any = "dqn", game: str = KINGDOM, **more: Any) -> Iterator[tuple[Run, Reporter]]:
    """A run whose process is this one."""
    run = Run.create(kind, game, **more)
    lock = take_lock(run.folder)
    assert lock is not None
    with lock:
        reporter = Reporter(run)
        reporter.proceed()
        yield run, reporter
        reporter.close("stopped", "Training was stopped; start it again and it goes on.")


def test_a_run_is_told_with_its_board_and_its_points(server: Live) -> None:
    client = server.client()
    assert client.get("/api/lab").json()["runs"] == []
    game = tengen.game(KINGDOM)
    actions = [30, 31, 50]
    with at_work(minutes=10) as (run, reporter):
        reporter.report(games=3, loss=0.5, win_rates={"random": 0.75}, elo=12.0, positions=90)
        reporter.report(games=6, loss=0.4)
        reporter.live(actions, ["the net", "mcts 1000"])
        path = f"/api/lab/runs/{run.name}"
        until(lambda: client.get(path).json()["live"] is not None)
        report = client.get(path).json()
        told = report["run"]
        assert (told["name"], told["kind"], told["game"], told["state"]) == (
            run.name,
            "dqn",
            KINGDOM,
            "running",
        )
        assert (told["games"], told["loss"], told["brain"], told["message"]) == (6, 0.4, None, "")
        assert 590 < told["left_s"] <= 600 and told["games_per_s"] > 0
        state = game.start()
        for action in actions:
            state = state.play(action)
        assert report["live"]["names"] == ["the net", "mcts 1000"] and report["live"]["moves"] == 3
        assert report["live"]["view"]["cells"] == "".join(game.view(state).cells)
        assert report["live"]["view"]["last"] == [50] and report["live"]["outcome"] is None
        assert [point["games"] for point in report["points"]] == [3, 6] and report["after"] == 0
        assert report["points"][0]["win_rates"] == {"random": 0.75} and report["points"][0]["elo"] == 12.0
        assert report["points"][1]["elo"] is None and report["points"][1]["win_rates"] == {}

        later = client.get(f"{path}?after=1").json()
        assert later["after"] == 1 and [point["games"] for point in later["points"]] == [6]
        lost = client.get(f"{path}?after=7").json()
        assert lost["after"] == 0 and len(lost["points"]) == 2, "who has more than there is gets all"
        for wrong in ("x", "-1", "1.5", "9" * 30, "٣"):
            problem(client.get(path, params={"after": wrong}), 400, "malformed")
        assert [one["name"] for one in client.get("/api/lab").json()["runs"]] == [run.name]
    ended = client.get(path).json()
    assert ended["run"]["state"] == "stopped" and ended["live"] is None
    problem(client.get("/api/lab/runs/nosuch"), 404, "unknown")


def test_wishes_reach_the_run(server: Live) -> None:
    client = server.client()
    with at_work() as (run, reporter):
        path = f"/api/lab/runs/{run.name}"

        def wish(what: str) -> None:
            assert client.post(path, json={"wish": what}).status_code == 200

        wish("pause")
        until(lambda: reporter.wish() == "pause")
        wish("resume")
        until(lambda: reporter.wish() == "run")
        assert not reporter.save_wanted()
        wish("save")
        until(reporter.save_wanted)
        reporter.saved("brain_1")
        assert client.get(path).json()["run"]["brain"] == "brain_1"
        assert "stop it first" in problem(client.delete(path), 409, "not-now")
        wish("stop")
        until(lambda: reporter.wish() == "stop")
        problem(client.post(path, json={"wish": "dance"}), 400, "malformed")
    for what in ("pause", "stop", "save"):
        refusal = problem(client.post(path, json={"wish": what}), 409, "not-now")
        assert refusal == f"The training run {run.name} is not running."
    assert client.delete(path).status_code == 204
    assert client.get("/api/lab").json()["runs"] == []


def test_one_run_works_at_a_time(server: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    client = server.client()
    monkeypatch.setattr("tengen.learn.runs.subprocess.Popen", _never)
    old = Run.create("gumbel", KINGDOM)
    with at_work("gumbel", "go", options={"size": 9}) as (run, _):
        busy = f"The training run {run.name} is at work: stop it first."
        answer = client.post("/api/lab/runs", json={"kind": "dqn", "game": KINGDOM})
        assert problem(answer, 409, "not-now") == busy
        answer = client.post(f"/api/lab/runs/{old.name}", json={"wish": "resume"})
        assert problem(answer, 409, "not-now") == busy
    assert {one["name"] for one in client.get("/api/lab").json()["runs"]} == {run.name, old.name}


def _never(*words: Any, **more: Any) -> Any:
    raise AssertionError("a process was started")


def test_a_wish_that_makes_no_sense_makes_no_run(server: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    client = server.client()
    monkeypatch.setattr("tengen.learn.runs.subprocess.Popen", _never)
    store = BrainStore()
    one = store.import_(tiny_brain(KINGDOM, seed=1, games=1)).name
    two = store.import_(tiny_brain(KINGDOM, seed=2, games=4)).name
    q = store.import_(tiny_q_brain(KINGDOM, games=2)).name
    small = store.import_(tiny_brain(tengen.game(KINGDOM, size=7), games=3)).name
    wishes: list[tuple[dict[str, Any], int]] = [
        ({"kind": "dqn", "game": "go"}, 400),
        ({"kind": "gumbel", "game": "chess"}, 400),
        ({"kind": "magic", "game": "go"}, 400),
        ({"kind": "gumbel", "game": "go", "minutes": 0}, 400),
        ({"kind": "gumbel", "game": "go", "options": {"size": 99}}, 400),
        ({"kind": "gumbel", "game": "go", "options": {"colour": "red"}}, 400),
        ({"kind": "gumbel", "game": "dominion-duel", "options": {"n": 100_000}}, 400),
        ({"kind": "gumbel", "game": KINGDOM, "brains": [small], "options": {"size": 9}}, 400),
        ({"kind": "duel", "game": KINGDOM, "brains": [one, two], "options": {"size": 7}}, 400),
        ({"kind": "gumbel", "game": "go", "minutes": 1e9}, 400),
        ({"kind": "dqn", "game": KINGDOM, "brains": [one]}, 400),
        ({"kind": "gumbel", "game": KINGDOM, "brains": ["nosuch"]}, 404),
        ({"kind": "gumbel", "game": KINGDOM, "brains": [q]}, 409),
        ({"kind": "duel", "game": KINGDOM}, 400),
        ({"kind": "duel", "game": KINGDOM, "brains": [one, "../x"]}, 404),
        ({"kind": "duel", "game": KINGDOM, "brains": [one, one]}, 409),
        ({"kind": "duel", "game": KINGDOM, "brains": [one, q]}, 409),
        ({"kind": "duel", "game": KINGDOM, "brains": [one, small]}, 409),
    ]
    codes = {400: "malformed", 404: "unknown", 409: "not-now"}
    for wish, status in wishes:
        problem(client.post("/api/lab/runs", json=wish), status, codes[status])
    assert learn_runs.runs() == []


def test_a_run_is_played_with_the_options_that_were_asked_for(
    server: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learn_runs.Run, "start", lambda run: run)
    client = server.client()
    small = BrainStore().import_(tiny_brain(tengen.game(KINGDOM, size=7))).name

    def options(game: str, **more: Any) -> dict[str, Any]:
        answer = client.post("/api/lab/runs", json={"kind": "gumbel", "game": game, **more})
        assert answer.status_code == 201, answer.text
        found: dict[str, Any] = answer.json()["run"]["options"]
        return found

    assert options("go")["size"] == 9
    assert options("go", options={"komi": 7.5}) == {**tengen.game("go", size=9).options, "komi": 7.5}
    assert options("go", options={"size": 13})["size"] == 13
    assert options(KINGDOM, brains=[small])["size"] == 7
    assert options(KINGDOM, brains=[small], options={"size": 7})["size"] == 7


def test_without_torch_brains_still_play(server: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    missing = {"torch"}
    monkeypatch.setattr(
        "tengen.learn.runs.importlib.util.find_spec", lambda name: None if name in missing else found(name)
    )
    client = server.client()
    assert client.get("/api/lab").json()["missing"] == "Training needs PyTorch: pip install 'tengen[train]'."
    answer = client.post("/api/lab/runs", json={"kind": "gumbel", "game": "go"})
    assert "pip install" in problem(answer, 409, "not-now")
    assert learn_runs.runs() == []
    name = upload(client, tiny_brain(KINGDOM))["name"]
    assert match_with(client, f"brain:{name}@4").status_code == 201


# Who opens it


def test_the_lab_is_for_who_has_started_the_server(home: Path) -> None:
    web = WebConfig(folder=home / "no-client", lab="here", local_only=True, lab_key=lab_key.new_key())
    with live(home, web) as server:
        stranger, mine = server.client(), server.client()
        problem(stranger.get("/api/lab"), 403, "stranger")
        token = lab_key.mint(web.lab_key)
        answer = mine.get(f"/enter/{token}")
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
        assert (
            "HttpOnly" in answer.headers["set-cookie"] and "SameSite=strict" in answer.headers["set-cookie"]
        )
        assert mine.get("/api/lab").status_code == 200 and mine.get("/api/server").json()["lab"]
        assert server.client(**{lab_key.HEADER: web.lab_key}).get("/api/lab").status_code == 200
        rebound = {"host": "rebound.example"}
        assert mine.get("/api/lab", headers=rebound).status_code == 403
        forged = token[:-1] + ("0" if token[-1] != "0" else "1")
        for wrong in (token, forged, lab_key.mint(lab_key.new_key()), "A" * 54):
            assert "set-cookie" not in stranger.get(f"/enter/{wrong}").headers, "spent, changed or made up"
        problem(stranger.get("/api/lab"), 403, "stranger")
        problem(server.client(**{lab_key.HEADER: "A" * 43}).get("/api/lab"), 403, "stranger")


def test_without_a_key_no_token_is_worth_anything(home: Path) -> None:
    with lab(home, "off") as server:
        assert "set-cookie" not in server.client().get(f"/enter/{lab_key.mint('')}").headers
        assert "set-cookie" not in server.client().get(f"/enter/{'A' * 54}").headers


@pytest.mark.parametrize(
    ("host", "more", "door"),
    [
        ("127.0.0.1", {}, "here"),
        ("::1", {}, "here"),
        ("localhost", {}, "here"),
        ("0.0.0.0", {}, "off"),
        ("192.0.2.1", {}, "off"),
        ("127.0.0.1", {"trusted_proxies": ["127.0.0.1"]}, "off"),
        ("127.0.0.1", {"origins": ["https://tengen.example.org"]}, "off"),
        ("0.0.0.0", {"lab": True}, "everyone"),
        ("127.0.0.1", {"trusted_proxies": ["127.0.0.1"], "lab": True}, "everyone"),
    ],
)
def test_the_operator_decides(host: str, more: dict[str, Any], door: str) -> None:
    words: dict[str, Any] = {
        "port": 0,
        "database_url": None,
        "programs": [],
        "trusted_proxies": [],
        "origins": [],
        "metrics_addresses": [],
        "log": "text",
        "limits": True,
    }
    assert seen_from_outside(running(host=host, **words | more)).lab == door
