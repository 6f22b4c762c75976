"""How many steps a second researchers get: tengen.batch and tengen.envs beside PettingZoo's Go 9x9.

    python -m benchmarks.batch [--seconds N] [--rounds N] [--check] [--dry-run]

A step is what a learner needs of a position: its observation, its mask of legal actions, a random choice
among them, and the move itself. Every contestant does all four, but for "without observations", which only
chooses and moves. It needs the packages of requirements.txt; measure.py says how it measures.
"""

import argparse
import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

import tengen
from benchmarks.contestants import ours, petting_zoo, python_rng
from benchmarks.machine import machine_facts
from benchmarks.measure import Contestant, Measured, Row, Series, Spread, Work, measure, ratio
from tengen import envs
from tengen.batch import Batch

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results" / "batch.json"
PACKAGES = ("tengen", "pettingzoo", "gymnasium", "numpy")
DEFAULT_SECONDS = 60.0
DEFAULT_ROUNDS = 11  # odd, so that the median is a round that happened
GAMES = 1024  # of a batch
STEPS = 8  # of a batch in one call of a contestant
TARGET = 20.0  # times PettingZoo's steps

OURS, THEIRS = "tengen batch", "PettingZoo go_v5"


def rows() -> list[Row]:
    go = ours.go(9)
    return [
        Row(
            "go-9",
            "Go 9x9",
            "steps",
            (
                Contestant(OURS, batched(go)),
                Contestant("  without observations", batched(go, observe=False)),
                Contestant("tengen environment", environment(go)),
                Contestant(THEIRS, petting_zoo.random_play(9)),
            ),
        ),
        Row("great-kingdom", "Great Kingdom 9x9", "steps", _alone(tengen.game("great-kingdom"))),
        Row("kelasu", "Kelasu", "steps", _alone(tengen.game("kelasu"))),
        Row("dominion-duel", "Dominion Duel, n = 9", "steps", _alone(tengen.game("dominion-duel"))),
    ]


def batched(game: tengen.Game, *, observe: bool = True) -> Callable[[], Work]:
    """Games at all stages: those that end begin anew."""
    batch = Batch(game, GAMES, seed=1, auto_reset=True)
    planes, legal = batch.encode(), batch.legal()

    def run() -> Work:
        for _ in range(STEPS):
            if observe:
                batch.encode(out=planes)
                batch.legal(out=legal)
            batch.step(batch.sample())
        return Work(STEPS * GAMES, STEPS * GAMES)

    return run


def environment(game: tengen.Game) -> Callable[[], Work]:
    """One game a call, as petting_zoo.random_play plays its own."""
    zoo = envs.env(game)
    rng = python_rng()

    def run() -> Work:
        zoo.reset()
        moves = 0
        while True:
            observation, _, terminated, truncated, _ = zoo.last()
            if terminated or truncated:
                return Work(moves, moves)
            actions = np.flatnonzero(observation["action_mask"])
            zoo.step(actions[int(rng() * len(actions))])
            moves += 1

    return run


def main() -> int:
    arguments = _arguments()
    contests = rows()
    turns = arguments.rounds * sum(len(row.contestants) for row in contests)
    turn_seconds = arguments.seconds / turns
    measured = measure(contests, arguments.rounds, turn_seconds, _tell)
    times = _times(measured)
    print(_table(measured))
    met = times.median >= TARGET
    verdict = "met" if met else "NOT MET"
    print(f"target {verdict}: {times.median:.1f} times PettingZoo's Go 9x9, at least {TARGET:g}")
    if not arguments.dry_run:
        results = {
            "date": datetime.now(UTC).date().isoformat(),
            "machine": machine_facts(),
            "versions": {package: version(package) for package in PACKAGES},
            "method": {
                "games_in_a_batch": GAMES,
                "rounds": arguments.rounds,
                "seconds_per_turn": round(turn_seconds, 3),
                "clock": "CPU time of the process, one thread",
                "ratio": "within each round; median, min and max over the rounds",
            },
            "rows": [_row_json(entry) for entry in measured],
            "target": {"value": round(times.median, 2), "at_least": TARGET, "met": met},
        }
        RESULTS.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
        _tell(f"wrote {RESULTS.relative_to(ROOT)}")
    return 1 if arguments.check and not met else 0


def _alone(game: tengen.Game) -> tuple[Contestant, ...]:
    return (
        Contestant(OURS, batched(game)),
        Contestant("  without observations", batched(game, observe=False)),
    )


def _times(measured: list[Measured]) -> Spread:
    series = {entry.name: entry for entry in measured[0].series}
    return ratio(series[OURS].units_per_second, series[THEIRS].units_per_second)


def _table(measured: list[Measured]) -> str:
    theirs = measured[0].series[-1]
    lines = [f"{'':22}{'':24}{'steps a second':>15}{'min .. max':>25}{'to PettingZoo':>15}"]
    for entry in measured:
        for number, series in enumerate(entry.series):
            rate = Spread.of(series.units_per_second)
            title = entry.row.title if number == 0 else ""
            line = (
                f"{title:22}{series.name:24}{rate.median:15,.0f}{f'{rate.min:,.0f} .. {rate.max:,.0f}':>25}"
            )
            if entry is measured[0] and series is not theirs:
                line += f"{ratio(series.units_per_second, theirs.units_per_second).median:14.1f}x"
            lines.append(line)
    return "\n".join(lines)


def _row_json(entry: Measured) -> dict[str, Any]:
    def contestant(series: Series) -> dict[str, Any]:
        facts: dict[str, Any] = {
            "name": series.name.strip(),
            "per_second": _spread_json(Spread.of(series.units_per_second), 1),
        }
        theirs = entry.series[-1]
        if theirs.name == THEIRS and series is not theirs:
            facts["to_pettingzoo"] = _spread_json(ratio(series.units_per_second, theirs.units_per_second), 3)
        return facts

    return {
        "key": entry.row.key,
        "title": entry.row.title,
        "unit": entry.row.unit,
        "contestants": [contestant(series) for series in entry.series],
    }


def _spread_json(spread: Spread, digits: int) -> dict[str, float]:
    return {name: round(value, digits) for name, value in spread._asdict().items()}


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.batch", description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=DEFAULT_SECONDS, help="measuring time, all in all")
    parser.add_argument("--rounds", type=int, default=DEFAULT_ROUNDS, help="turns that each contestant gets")
    parser.add_argument("--check", action="store_true", help="exit with 1 when the target is missed")
    parser.add_argument("--dry-run", action="store_true", help="print only; keep the results")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
