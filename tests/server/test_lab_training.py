"""Training through the Lab with a real process: it outlives the server, and its brain has a seat."""

from __future__ import annotations

import importlib.util
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import tengen
from tengen.brains.file import stamp
from tengen.brains.store import BrainStore
from tengen.learn.runs import Run, runs
from tengen.server.http.service import WebConfig
from tests.brains.make import info_for
from tests.server.live import live
from tests.waiting import until

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("torch") is None, reason="TRAINING WAS NOT TESTED: there is no PyTorch"
)

PATIENCE_S = 90.0
SMALL = {
    "TENGEN_GAME_MCTSITERATIONS": "2",
    "TENGEN_AI_HYPERPARAMETERS_BATCHSIZE": "8",
    "TENGEN_AI_MEMORY_CAPACITY": "300",
    "OMP_NUM_THREADS": "1",
}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A data folder of one's own; whatever trains in it at the end is killed."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for name, value in SMALL.items():
        monkeypatch.setenv(name, value)
    yield tmp_path
    for run in runs():
        pid = run.status().pid
        if run.running and pid is not None:
            os.kill(pid, signal.SIGKILL)


def told(client: httpx.Client, path: str) -> dict[str, Any]:
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()["run"]
    return found


def test_a_run_outlives_its_server_and_its_brain_plays(home: Path) -> None:
    web = WebConfig(folder=home / "no-client", lab="here")
    with live(home, web) as server:
        client = server.client()
        wish = {"kind": "dqn", "game": "great-kingdom", "minutes": 5}
        answer = client.post("/api/lab/runs", json=wish)
        assert answer.status_code == 201, answer.text
        name = answer.json()["run"]["name"]
        path = f"/api/lab/runs/{name}"
        assert answer.headers["location"] == path
        assert Run.open(name).settings["mcts_iterations"] == 2, "the settings in force are the run's"
        until(lambda: told(client, path)["games"] > 0)
        until(lambda: client.get(path).json()["live"] is not None)
        assert client.post("/api/lab/runs", json=wish).status_code == 409
    assert Run.open(name).running
    games = Run.open(name).status().games

    with live(home, web) as server:
        client = server.client()
        until(lambda: told(client, path)["games"] > games)
        assert client.post(path, json={"wish": "save"}).status_code == 200
        until(lambda: told(client, path)["brain"])
        brain = told(client, path)["brain"]
        assert client.post(path, json={"wish": "stop"}).status_code == 200
        until(lambda: told(client, path)["state"] == "stopped")
        stopped = told(client, path)["games"]

        kinds = {one["name"]: one["algorithm"] for one in client.get("/api/brains").json()}
        assert kinds[brain] == "dqn"
        seats = [{"kind": "machine", "player": f"brain:{brain}"}, {"kind": "me"}]
        made = client.post("/api/matches", json={"game": "great-kingdom", "seats": seats}).json()
        until(lambda: len(client.get(f"/api/matches/{made['match']}").json()["line"]) == 1)

        assert client.post(path, json={"wish": "resume"}).status_code == 200
        until(lambda: told(client, path)["games"] > stopped)
        assert client.post(path, json={"wish": "stop"}).status_code == 200
        until(lambda: told(client, path)["state"] == "stopped")


def test_two_dqn_brains_play_a_duel(home: Path) -> None:
    from tengen.learn.dqn_net import model_bytes, new_net

    game = tengen.game("great-kingdom")
    brains = []
    for seed in (1, 2):
        data = stamp(model_bytes(new_net(game, 8, seed)), info_for(game, "dqn", games=seed))
        brains.append(BrainStore().import_(data).name)
    with live(home, WebConfig(folder=home / "no-client", lab="here")) as server:
        client = server.client()
        wish = {"kind": "duel", "game": "great-kingdom", "minutes": 5, "brains": [brains[0], "default"]}
        refused = client.post("/api/lab/runs", json=wish)
        assert refused.status_code == 409 and "learn from different samples" in refused.json()["message"]
        answer = client.post("/api/lab/runs", json=wish | {"brains": brains})
        assert answer.status_code == 201, answer.text
        told_first = answer.json()["run"]
        assert (told_first["kind"], told_first["brains"]) == ("duel", brains)
        path = f"/api/lab/runs/{told_first['name']}"
        assert Run.open(told_first["name"]).settings["batch_size"] == 8, "the settings in force are the run's"
        until(lambda: told(client, path)["games"] > 0)
        names = client.get(path).json()["live"]["names"]
        assert sorted(name[0] for name in names) == ["A", "B"]
        assert client.post(path, json={"wish": "stop"}).status_code == 200
        until(lambda: told(client, path)["state"] == "stopped")
        champion = told(client, path)["brain"]
        assert told(client, path)["message"].endswith(f"is now latest: {champion}.")
        listed = {one["name"]: one for one in client.get("/api/brains").json() if one["champion"]}
        assert listed[champion]["algorithm"] == "dqn"
