"""How fast a brain plays itself: games, moves and positions a second, on as many threads as asked for.

    python -m benchmarks.self_play              Great Kingdom 9x9, the shipped brain, 32 simulations a move
    python -m benchmarks.self_play --game go --simulations 64

Writes benchmarks/results/self-play-GAME.json. The result is the median of several rounds; the pools of games
live on between them, so that long games count as well as short ones.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from dataclasses import replace
from pathlib import Path

import tengen
from tengen.brains.store import BrainStore
from tengen.learn.self_play import SelfPlay
from tengen.learn.settings import settings_for

RESULTS = Path(__file__).parent / "results"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures self-play with a brain.")
    parser.add_argument("--game", default="great-kingdom")
    parser.add_argument("--brain", default="default")
    parser.add_argument("--simulations", type=int, default=32)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=8)
    arguments = parser.parse_args()
    brain = BrainStore().find(arguments.game, arguments.brain)
    settings = replace(
        settings_for(arguments.game),
        full_simulations=arguments.simulations,
        fast_simulations=arguments.simulations,
        threads=arguments.threads,
    )
    games = SelfPlay(brain.game, settings, seed=1)
    rates: list[float] = []
    lengths: list[int] = []
    for number in range(arguments.rounds + 1):
        begun = time.monotonic()
        ended = begun + arguments.seconds

        def tick(_live: list[int], _count: int, ended: float = ended) -> bool:
            return time.monotonic() < ended

        played = games.play(brain.data, games=10**9, tick=tick)
        rate = len(played) / (time.monotonic() - begun)
        if number == 0:  # the first games to end are the short ones
            continue
        rates.append(rate)
        lengths += [len(game.actions) for game in played]
        print(f"round {number}: {rate:.1f} games/s", flush=True)
    words = ["python -m benchmarks.self_play --game", arguments.game, "--simulations", arguments.simulations]
    found = {
        "command": " ".join(map(str, words)),
        "game": repr(brain.game),
        "brain": brain.info.title or brain.name,
        "tengen": tengen.__version__,
        "cores": os.cpu_count(),
        "threads": arguments.threads,
        "simulations": arguments.simulations,
        "games_per_s": round(statistics.median(rates), 2),
        "lowest": round(min(rates), 2),
        "highest": round(max(rates), 2),
        "actions_per_game": round(statistics.mean(lengths), 1),
    }
    print(json.dumps(found, indent=1))
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"self-play-{arguments.game}.json").write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
