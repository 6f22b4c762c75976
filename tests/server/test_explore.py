"""Looking on: positions that are searched while somebody watches, whole trees, and what is kept of both."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tengen.records import load_tree
from tengen.server.http.kept import is_worth_more, place_key, study_keys
from tengen.server.limits import Rate
from tengen.server.protocol import Analysis, Candidate, Judge, Place, Study, StudyNode
from tests.server.live import Live, live
from tests.waiting import until

SGF = "(;GM[1]FF[4]SZ[5]EV[A cup];B[cc](;W[bb];B[db])(;W[dd]))"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with live(tmp_path_factory.mktemp("explore"), explore_visits=400) as running:
        yield running


def streamed(server: Live, path: str, body: dict[str, Any]) -> list[dict[str, Any]]:
    with server.client().stream("POST", path, json=body) as answer:
        assert answer.status_code == 200, answer.read()
        return [json.loads(line) for line in answer.iter_lines()]


def opened(server: Live, text: str = SGF) -> dict[str, Any]:
    answer = server.client().post("/api/studies", json={"text": text})
    assert answer.status_code == 201, answer.text
    study: dict[str, Any] = answer.json()
    return study


def test_a_position_is_refined_until_the_bound(server: Live) -> None:
    place = {"game": "go", "options": {"size": 7}, "moves": [[24]]}
    lines = streamed(server, "/api/explore", {"place": place})
    assert [line["done"] for line in lines] == [False] * (len(lines) - 1) + [True]
    visits = [line["analysis"]["visits"] for line in lines if line["analysis"]]
    assert visits == sorted(set(visits)) and visits[-1] >= 400
    best = next(line["analysis"] for line in reversed(lines) if line["analysis"])
    assert best["to_move"] == 1 and len(best["ownership"]) == 49 and best["moves"][0]["line"]
    again = streamed(server, "/api/explore", {"place": place, "seconds": 0.05})
    first = again[0]["analysis"]
    assert first["visits"] == visits[-1] and first["moves"][0]["move"] == best["moves"][0]["move"]
    assert all(line["analysis"] is None or line["analysis"]["visits"] > visits[-1] for line in again[1:])


def test_what_is_known_for_certain_ends_at_once(server: Live) -> None:
    lines = streamed(server, "/api/explore", {"place": {"game": "dominion-duel", "options": {"n": 9}}})
    assert lines[-1]["done"] and lines[0]["analysis"]["by"] == "exact"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"place": {"game": "go"}, "seconds": 0}, 400),
        ({"place": {"game": "go"}, "seconds": 1e9}, 400),
        ({"place": {"game": "go"}, "engine": "other"}, 400),
        ({"place": {"game": "go", "options": {"size": 5}, "moves": [[25], [25]]}}, 409),
        ({"place": {"game": "go", "options": {"size": 5}, "moves": [[1], [1]]}}, 409),
    ],
)
def test_what_cannot_be_looked_at(server: Live, body: dict[str, Any], status: int) -> None:
    answer = server.client().post("/api/explore", json=body)
    assert answer.status_code == status and answer.json()["message"].endswith(".")


def test_who_leaves_stops_the_search(tmp_path: Path) -> None:
    with live(tmp_path) as server:
        engines = server.service.hub.engines
        body = {"place": {"game": "go", "options": {"size": 19}}, "seconds": 60}
        with server.client().stream("POST", "/api/explore", json=body) as answer:
            lines = answer.iter_lines()  # which closes the connection when it goes
            assert next(lines) and engines._asked
        until(lambda: not engines._asked)
        assert not engines.waiting


def test_who_does_not_wait_for_an_answer_stops_the_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped: list[str] = []

    async def endless(*_: object) -> AsyncIterator[None]:
        try:
            await asyncio.Event().wait()
            yield
        finally:
            stopped.append("the search")

    with live(tmp_path) as server:
        monkeypatch.setattr(server.service.hub.engines, "review_moves", endless)
        place = {"game": "go", "options": {"size": 5}, "moves": [[12], [25], [25]]}
        with httpx.Client(base_url=server.url, timeout=1.0) as client, pytest.raises(httpx.ReadTimeout):
            client.post("/api/turning", json={"place": place, "loser": 0})
        until(lambda: stopped)


def test_an_address_gets_only_so_much(tmp_path: Path) -> None:
    with live(tmp_path, limits=True) as server:
        server.service.limits._rates["engine"] = Rate(burst=1.2, per_second=0.001)
        body = {"place": {"game": "go", "options": {"size": 9}}, "seconds": 30}
        lines = streamed(server, "/api/explore", body)
        assert lines[-1]["done"] and "look again" in lines[-1]["message"]
        assert server.client().post("/api/explore", json=body).status_code == 429


def test_the_whole_tree_is_reviewed_and_kept(server: Live) -> None:
    study = opened(server)
    lines = streamed(server, "/api/studies/review", {"study": study, "visits": 30})
    reviews = {line["node"]: line["review"] for line in lines if line["review"]}
    assert list(reviews) == [1, 2, 3, 4], "the main line first, then the variation"
    assert [reviews[node]["move"] for node in reviews] == ["C3", "B4", "D4", "D2"]
    assert {line["node"] for line in lines if line["analysis"]} == {0, 1, 2}
    assert (lines[-1]["done"], lines[-1]["total"]) == (4, 4)
    again = streamed(server, "/api/studies/review", {"study": study, "visits": 30})
    assert {line["node"]: line["review"] for line in again if line["review"]} == reviews

    kept = server.client().get(f"/api/studies/{study['id']}").json()
    assert [node["review"] for node in kept["nodes"]] == [None, *reviews.values()]
    assert [node["analysis"] is not None for node in kept["nodes"]] == [True, True, True, False, False]
    bare = server.client().post("/api/studies/known", json=study).json()
    assert bare["nodes"] == kept["nodes"]


def test_the_file_says_what_was_found(server: Live) -> None:
    study = opened(server)
    streamed(server, "/api/studies/review", {"study": study, "visits": 30})
    plain = server.client().post("/api/studies/export?format=sgf", json=study).text
    text = server.client().post("/api/studies/export?format=sgf&analysis=1", json=study).text
    for one in (plain, text):
        assert "KM[" not in one and "RU[" not in one, "the file had neither"
        assert "EV[A cup]" in one
    assert "SBKV[" not in plain
    root = load_tree(text.encode()).root
    assert {"SBKV", "LB"} <= root.properties.keys() and "visits)" in root.comment
    assert [node.move for node in load_tree(text.encode()).main_line()[1:]] == ["C3", "B4", "D4"]


def test_what_is_worth_more() -> None:
    def found(by: Judge, visits: int, *, moves: int = 1) -> Analysis:
        candidate = Candidate("A1", [0], visits, 0.5, None, None, ["A1"])
        return Analysis(0, visits, 0.5, None, None, [candidate] * moves, None, by)

    ours = found("brain", 5000)
    assert is_worth_more(ours, None) and is_worth_more(found("katago", 2), ours)
    assert not is_worth_more(found("brain", 4000), ours) and not is_worth_more(ours, found("katago", 2))
    assert is_worth_more(found("exact", 1), found("katago", 9))
    for nothing in (found("katago", 0, moves=0), found("search", 1, moves=0)):
        assert not is_worth_more(nothing, ours) and not is_worth_more(nothing, None)


def test_keys_are_those_of_the_moves() -> None:
    nodes = [
        StudyNode(None),
        StudyNode(0, actions=[12]),
        StudyNode(1, actions=[6]),
        StudyNode(1, actions=[18]),
    ]
    study = Study("go", {"size": 5}, nodes)
    keys = study_keys(study)
    assert len(set(keys)) == 4
    assert keys[3] == place_key(Place("go", {"size": 5}, moves=[[12], [18]]))
    assert keys[3] == place_key(Place("go", {"size": 5, "komi": 6.5}, moves=[[12], [18]])), "by default"
    assert keys[3] != place_key(Place("go", {"size": 5, "komi": 7.5}, moves=[[12], [18]]))
    resumed = Place("go", {"size": 5}, moves=[[25], [25], [3]], resumptions=[(2, 1)])
    assert place_key(resumed) != place_key(Place("go", {"size": 5}, moves=[[25], [25], [3]]))
    way = [StudyNode(None), StudyNode(0, actions=[25]), StudyNode(1, actions=[25]), StudyNode(2, resumed=1)]
    assert study_keys(Study("go", {"size": 5}, [*way, StudyNode(3, actions=[3])]))[-1] == place_key(resumed)


def test_why_a_game_was_lost(server: Live) -> None:
    """Blue takes the castle in the corner, where it has nowhere to run."""
    moves = [[49], [0], [9], [80], [1]]
    place = {"game": "great-kingdom", "moves": moves}
    answer = server.client().post("/api/turning", json={"place": place, "loser": 1})
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert (found["kind"], found["number"], found["move"]) == ("move", 2, "A9")
    nodes = [{"parent": None}, *({"parent": at, "actions": move} for at, move in enumerate(moves))]
    study = {"game": "great-kingdom", "options": {}, "nodes": nodes}
    lines = server.client().post("/api/studies/review", json={"study": study}).text.splitlines()
    reviews = {line["node"]: line["review"] for line in map(json.loads, lines) if line["review"]}
    blunders = [number for number in (2, 4) if reviews[number]["mistake"] == "blunder"]
    review = reviews[blunders[-1]]
    assert (blunders[-1], review["best"], review["win_before"]) == (2, found["better"], found["chance"])
    assert found["line"][0] == found["better"] != found["move"], "a review says the same"
    for body in ({"place": place, "loser": 2}, {"place": {"game": "go"}, "loser": 0}):
        refused = server.client().post("/api/turning", json=body)
        assert refused.status_code == 400 and refused.json()["message"].endswith(".")


def test_how_a_match_stands(server: Live) -> None:
    client, stranger = server.client(), server.client()
    me = {"kind": "me"}
    wish = {"game": "go", "options": {"size": 5, "komi": 0.5}, "origin": ["1X1O1/1X1O1/1X1O1/1X1O1/1X1O1", 0]}

    def made(*seats: dict[str, str], **more: object) -> tuple[str, bool]:
        match = client.post("/api/matches", json={**wish, "seats": list(seats), **more}).json()["match"]
        return match, client.get(f"/api/matches/{match}").json()["match"]["estimate"]

    alone, allowed = made(me, me)
    found = stranger.get(f"/api/matches/{alone}/estimate").json()
    assert allowed and len(found["ownership"]) == 25 and found["dead"] == []
    assert found["points"][1] - found["points"][0] == pytest.approx(0.5, abs=3)
    assert made(me, {"kind": "machine", "player": "random"})[1]
    friends, allowed = made(me, {"kind": "invited"}, estimate=True)
    assert allowed and client.get(f"/api/matches/{friends}/estimate").status_code == 409, (
        "nobody has come yet"
    )
    invited = {"game": "go", "options": {"size": 5}, "seats": [me, {"kind": "invited"}]}
    made_one = client.post("/api/matches", json=invited).json()
    stranger.post(f"/api/matches/{made_one['match']}/join", json={"token": made_one["invitation"]})
    answer = client.get(f"/api/matches/{made_one['match']}/estimate")
    assert answer.status_code == 409 and answer.json()["message"].startswith("Nobody may ask")
    kingdom = client.post("/api/matches", json={"game": "great-kingdom", "seats": [me, me]}).json()["match"]
    assert not client.get(f"/api/matches/{kingdom}").json()["match"]["estimate"]
    assert client.get(f"/api/matches/{kingdom}/estimate").status_code == 409
