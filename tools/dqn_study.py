"""Trains the DQN for a while and measures it: against a random mover and against the net before training.

    python tools/dqn_study.py
    python tools/dqn_study.py --minutes 10 --games 200 size=9

The run is in arena/dqn-study/training, its brains in arena/dqn-study/brains and its measured games beside
them. A study that was stopped goes on where it was; --again starts over. Writes docs/results/dqn.json.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from tengen.arena import GAMES_FILE, Arena
from tengen.brains.file import stamp, store_file
from tengen.brains.info import BrainInfo
from tengen.brains.store import BrainStore
from tengen.cli_parts import make_game
from tengen.game import Game
from tengen.learn import dqn
from tengen.learn.dqn_net import model_bytes, new_net
from tengen.learn.dqn_settings import dqn_settings
from tengen.learn.run_files import take_lock
from tengen.learn.runs import Reporter, Run
from tengen.settings import load

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "docs" / "results"
NEEDED = 0.95  # of the games, against either


def main() -> None:
    parser = argparse.ArgumentParser(description="Trains the DQN for a while and measures it.")
    parser.add_argument("option", nargs="*", help="NAME=VALUE of Great Kingdom")
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--games", type=int, default=200, help="against each opponent, both colours")
    parser.add_argument("--folder", type=Path, default=ROOT / "arena" / "dqn-study")
    parser.add_argument("--again", action="store_true", help="throw away what is in the folder")
    parser.add_argument("--out", type=Path, default=RESULTS / "dqn.json")
    given = parser.parse_intermixed_args()
    if given.again:
        shutil.rmtree(given.folder, ignore_errors=True)
    game = make_game("great-kingdom", given.option)
    run, cpu_minutes = trained(game, given.minutes, given.folder)
    brain = given.folder / "brains" / game.name / f"{run.status().brain}.onnx"
    opponents = {"random": "random", "untrained": f"brain:{untrained_brain(run, given.folder)}"}
    measured = {
        name: measure(game, f"brain:{brain}", opponent, given.folder / name, given.games)
        for name, opponent in opponents.items()
    }
    words = ["python tools/dqn_study.py", *given.option, f"--minutes {given.minutes:g} --games {given.games}"]
    result = {
        "command": " ".join(words),
        "game": game.name,
        "options": game.options,
        "cores": os.cpu_count(),
        "minutes": round(run.status().elapsed_s / 60, 1),
        "cpu_minutes": round(cpu_minutes, 1),
        "training_games": run.status().games,
        "loss": run.status().loss,
        "settings": run.settings,
        "needed": NEEDED,
        "reached": all(row["score"] >= NEEDED for row in measured.values()),
        "against": measured,
        "curve": [row for row in run.progress() if "random" in row["win_rates"]],
    }
    given.out.parent.mkdir(parents=True, exist_ok=True)
    given.out.write_text(json.dumps(result, indent=1) + "\n")
    for name, row in measured.items():
        low, high = row["score_95"]
        print(f"| {name} | {row['games']} | {row['score']:.1%} | {low:.1%} to {high:.1%} |", flush=True)


def trained(game: Game, minutes: float, folder: Path) -> tuple[Run, float]:
    """The run after that many minutes of training, those of earlier starts included.

    Also the minutes of all cores together that this start got, which on a busy machine are few.
    """
    place = folder / "training"
    if (place / "dqn" / "run.json").exists():
        run = Run.open("dqn", place)
    else:
        run = Run.create("dqn", game.name, game.options, asdict(dqn_settings(load())), place, name="dqn")
    run = replace(run, limit_s=minutes * 60)
    lock = take_lock(run.folder)
    if lock is None:
        raise SystemExit(f"Another process trains in {run.folder}.")
    before = time.process_time()
    with lock:
        reporter = Reporter(run)
        dqn.train(run, reporter, BrainStore(folder / "brains"))
        reporter.close("finished", "Training has reached its limit.")
    return run, (time.process_time() - before) / 60


def untrained_brain(run: Run, folder: Path) -> Path:
    """The net that the run began with, as a brain."""
    net = new_net(run.game, run.settings["hidden"], run.settings["seed"])
    info = BrainInfo(run.game.name, run.game.options, "dqn", 0, 0.0, title="untrained")
    path = folder / "untrained.onnx"
    store_file(path, stamp(model_bytes(net), info))
    return path


def measure(game: Game, brain: str, opponent: str, folder: Path, games: int) -> dict[str, Any]:
    arena = Arena(game, brain, opponent, folder=folder, workers=1)
    standings = arena.run(games)
    lines = (folder / GAMES_FILE).read_text().splitlines()
    played = {json.dumps(json.loads(line)["record"]["moves"]) for line in lines}
    seats = {game.seats[seat].lower(): "{:g} of {}".format(*standings.by_seat(seat)) for seat in range(2)}
    return standings.to_json() | {"by_colour": seats, "different_games": len(played)}


if __name__ == "__main__":
    main()
