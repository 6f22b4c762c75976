"""Fits what `tengen.games.go.judgement` makes of a search's raw win rate and lead, on self-played games.

    python tools/go_calibration.py play --games 40 --size 9  # adds to benchmarks/results/go_calibration.jsonl
    python tools/go_calibration.py fit                       # fits on seeds below 2000, tests on the others

A line is a game: size, the margin that it ended with for Black, and for every third position the mover, the
empty points, and the win rate and lead that a search of 400 visits gave for the mover.
"""

from __future__ import annotations

import argparse
import json
import math
import random
from pathlib import Path

import numpy as np

import tengen
from tengen.brains.strongest import strongest_search
from tengen.games.go.estimate import estimate_dead
from tengen.games.go.judgement import MOST, Scale, judged, scale_of
from tengen.search.mcts import Search

Row = tuple[int, float, float, float]
DATA = Path(__file__).parent.parent / "benchmarks" / "results" / "go_calibration.jsonl"
PLAY_VISITS, LOOK_VISITS, EVERY = 150, 400, 3
HELD_BACK = 2000  # games of seeds from here on only test


def play(size: int, seed: int, net: bool) -> dict[str, object]:
    rng = random.Random(seed)
    komi = rng.choice([5.5, 6.5, 7.5]) if size == 9 else 6.5
    game = tengen.game("go", size=size, komi=komi)
    state, looks = game.start(), []
    for number in range(3 * size * size):
        if state.outcome is not None:
            break
        look = number % EVERY == 0
        number_32 = rng.getrandbits(32)
        search = strongest_search(state, seed=number_32) if net else Search(state, seed=number_32)
        search.run(visits=LOOK_VISITS if look else PLAY_VISITS)
        report = search.report()
        if look:
            best = report.actions[0]
            empty = state.cells().count(0)
            looks.append([state.to_move, empty, round(report.win, 4), round(best.lead, 2)])
        near = [a for a in report.actions if a.visits * 3 >= report.actions[0].visits]
        chosen = rng.choice(near) if number < 8 else report.actions[0]
        state = state.play(chosen.action)
    found = estimate_dead(state)
    black, white = state.score(dead=found.dead, neutral=found.neutral)
    return {"size": size, "net": net, "komi": komi, "seed": seed, "margin": black - white, "looks": looks}


def rows(games: list[dict[str, object]]) -> list[Row]:
    """Empty points, win rate, lead and the margin at the end, all for the mover."""
    found = []
    for game in games:
        for mover, empty, win, lead in game["looks"]:  # type: ignore[attr-defined]
            margin = float(str(game["margin"])) * (1 if mover == 0 else -1)
            found.append((empty, win, lead, margin))
    return found


def fit(games: list[dict[str, object]]) -> None:
    for size, net in sorted({(int(str(g["size"])), bool(g.get("net"))) for g in games}):
        own = [g for g in games if g["size"] == size and bool(g.get("net")) == net]
        train = rows([g for g in own if int(str(g["seed"])) < HELD_BACK])
        test = rows([g for g in own if int(str(g["seed"])) >= HELD_BACK])
        if not train or not test:
            print(f"{size}x{size}{' net' if net else ''}: {len(own)} games, too few to fit and test")
            continue
        x, y = [], []
        for empty, win, lead, margin in train:
            share = min(max(win, 1 - MOST), MOST)
            sure = (2 * share - 1) ** 2
            x.append((1 - sure) * math.log(share / (1 - share)) * math.sqrt(empty))
            y.append(max(-1.5 * size, min(1.5 * size, margin)) - sure * lead)
        points = float(np.dot(x, y) / np.dot(x, x))
        sharp = min(np.arange(0.5, 4.0, 0.1), key=lambda sharp: brier(train, Scale(float(sharp), points)))
        scale = Scale(round(float(sharp), 1), round(points, 2))
        for name, tried in (("fitted", scale), ("in force", scale_of(size, net))):
            tell(name, tried, size, net, len(own), test)


def tell(name: str, scale: Scale, size: int, net: bool, count: int, test: list[Row]) -> None:
    raw = np.mean([(w - (m > 0)) ** 2 for _, w, _, m in test])
    off = np.mean([judged(e, w, lead, scale)[1] - m for e, w, lead, m in test])
    wide = np.median([abs(judged(e, w, lead, scale)[1] - m) for e, w, lead, m in test])
    wide_raw = np.median([abs(lead - m) for _, _, lead, m in test])
    contradict = sum((w - 0.5) * lead < 0 for _, w, lead, _ in test)
    print(
        f"{size}x{size}{' net' if net else ''}, {name}: {scale}, {count} games; held back: "
        f"Brier {raw:.4f} raw, {brier(test, scale):.4f} judged; "
        f"lead off by {off:+.2f} in the mean, {wide:.1f} in the median ({wide_raw:.1f} raw); "
        f"contradictions {contradict} of {len(test)} raw, 0 judged"
    )


def brier(data: list[Row], scale: Scale) -> float:
    return float(np.mean([(judged(e, w, lead, scale)[0] - (m > 0)) ** 2 for e, w, lead, m in data]))


def main() -> None:
    parser = argparse.ArgumentParser(description="Fits win rates and leads of Go on self-played games.")
    parser.add_argument("what", choices=["play", "fit"])
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--net", action="store_true", help="search with the shipped brain")
    arguments = parser.parse_args()
    if arguments.what == "fit":
        fit([json.loads(line) for line in DATA.read_text().splitlines()])
        return
    DATA.parent.mkdir(exist_ok=True)
    for seed in range(arguments.seed, arguments.seed + arguments.games):
        with DATA.open("a") as file:
            file.write(json.dumps(play(arguments.size, seed, arguments.net)) + "\n")


if __name__ == "__main__":
    main()
