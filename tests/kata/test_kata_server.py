"""KataGo on a server: offered where it is found, in a seat, in analysis and review, and when it fails."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tengen
from tengen.server.matches.crew import Crew
from tests.kata.conftest import Fake
from tests.server.live import Live, live

Until = Callable[[Callable[[], bool]], None]
PLACE = {"game": "go", "options": {"size": 5}}
AGAINST = {**PLACE, "seats": [{"kind": "me"}, {"kind": "machine", "player": "katago:4"}]}
STUDY = {
    **PLACE,
    "nodes": [{"parent": None}, {"parent": 0, "actions": [12]}, {"parent": 0, "actions": [6]}],
}


def streamed(server: Live, path: str, body: dict[str, Any]) -> list[dict[str, Any]]:
    with server.client().stream("POST", path, json=body) as answer:
        assert answer.status_code == 200, answer.read()
        return [json.loads(line) for line in answer.iter_lines()]


def katago(server: Live) -> str:
    """How the server's KataGo is, which this starts."""
    return server.service.hub.engines._mind.katago()[0]


def offered(server: Live) -> dict[str, list[str]]:
    return {game["name"]: game["engines"] for game in server.client().get("/api/games").json()}


def test_analysis_review_and_a_match(fake: Fake, tmp_path: Path, until: Until) -> None:
    with live(tmp_path) as server:
        until(lambda: katago(server) == "ready")
        assert offered(server) == {name: ["katago"] if name == "go" else [] for name in tengen.games()}
        lines = streamed(server, "/api/explore", {"place": PLACE, "seconds": 30})
        last = [line["analysis"] for line in lines if line["analysis"]][-1]
        assert (last["by"], last["moves"][0]["move"]) == ("katago", "A5")
        own = streamed(server, "/api/explore", {"place": PLACE, "seconds": 0.1, "engine": "own"})
        kept = own[0]["analysis"]
        assert (kept["by"], kept["visits"]) == ("katago", last["visits"]), "what is kept is worth more"
        found = server.client().post("/api/analysis", json={"place": PLACE, "seconds": 0.2}).json()
        assert found["by"] == "katago"
        lines = streamed(server, "/api/studies/review", {"study": STUDY, "visits": 4, "engine": "katago"})
        assert {line["node"]: line["review"]["by"] for line in lines if line["review"]} == {
            1: "katago",
            2: "katago",
        }

        client = server.client()
        match = client.post("/api/matches", json=AGAINST).json()
        seats = client.get(f"/api/matches/{match['match']}").json()["match"]["seats"]
        assert seats[1]["name"] == "KataGo, 4 visits"
        rooms, played = server.service.hub.rooms, server.service.hub.engines
        assert rooms.get(match["match"]) is not None and not played.is_busy(match["match"])
        white = {**AGAINST, "seats": AGAINST["seats"][::-1]}  # type: ignore[index]
        second = client.post("/api/matches", json=white).json()["match"]
        until(lambda: client.get(f"/api/matches/{second}").json()["now"]["line"] == 1)


def test_a_katago_that_does_not_start(
    fake: Fake, tmp_path: Path, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tengen.kata.engine.AGAIN_S", 600.0)
    fake.behaves("refuse")
    with live(tmp_path) as server:
        until(lambda: katago(server) == "failed")
        lines = streamed(server, "/api/explore", {"place": PLACE, "seconds": 0.5})
        assert "no OpenCL driver" in lines[-1]["message"] and lines[-1]["done"]
        assert any(line["analysis"] and line["analysis"]["by"] != "katago" for line in lines), "ours goes on"
        lines = streamed(server, "/api/studies/review", {"study": STUDY, "visits": 4})
        assert any("no OpenCL driver" in line["message"] for line in lines)
        assert {line["review"]["by"] for line in lines if line["review"]} <= {"search", "brain"}
        answer = server.client().post("/api/matches", json=AGAINST)
        assert answer.status_code == 503 and "no OpenCL driver" in answer.json()["message"]


def test_a_server_without_one(tmp_path: Path) -> None:
    with live(tmp_path) as server:
        assert not any(offered(server).values())
        answer = server.client().post("/api/matches", json=AGAINST)
        assert answer.status_code == 400 and "There is no KataGo here" in answer.json()["message"]
        answer = server.client().post("/api/explore", json={"place": PLACE, "engine": "katago"})
        assert answer.status_code == 409
        kingdom = {"place": {"game": "great-kingdom"}, "engine": "katago"}
        assert "does not know" in server.client().post("/api/explore", json=kingdom).json()["message"]


def test_processes_share_one(fake: Fake, until: Until) -> None:
    crew = Crew(2, 8)
    game = tengen.game("go", size=5)
    try:
        crew.katago()
        until(lambda: crew.katago() == ("ready", ""))
        for name in ("one", "two", "three"):
            assert crew.move(name, "katago:4", game, game.start(), 5.0) == [0]
        assert crew.glance("look", game.start(), 0.2, "katago")["by"] == "katago"
        crew.leave("look", "katago")
        assert crew.review(game.start(), [0], 4, "katago")["by"] == "katago"
        assert len(crew.pids) == 1, "nobody else was needed"
        crew.forget(["one", "two", "three"])
    finally:
        crew.close()
    versions = [line for line in (fake.folder / "asked").read_text().splitlines() if "query_version" in line]
    assert len(versions) == 1


@pytest.mark.parametrize("player", ["katago:0", "katago:99999999999", "katago:1s", "katago:x"])
def test_what_cannot_be_asked_for(fake: Fake, tmp_path: Path, player: str) -> None:
    with live(tmp_path) as server:
        seats = [{"kind": "me"}, {"kind": "machine", "player": player}]
        answer = server.client().post("/api/matches", json={**PLACE, "seats": seats})
        assert answer.status_code == 400 and "from 1 to" in answer.json()["message"]
