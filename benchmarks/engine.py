"""The command behind `make bench`: measures the engine, prints a table, writes the results and the chart.

    python -m benchmarks.engine [--seconds N] [--rounds N] [--check] [--dry-run]

Start with `rows`, the list of what is compared; measure.py says how, contestants/ with whom.
"""

import argparse
import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import tengen
from benchmarks import chart, report
from benchmarks.contestants import openspiel, ours, petting_zoo, sgfmill_board
from benchmarks.imports import import_cost
from benchmarks.machine import machine_facts, package_versions
from benchmarks.measure import Contestant, Measured, Row, measure
from benchmarks.targets import targets

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results" / "engine.json"
CHART = ROOT / "docs" / "images" / "bench-engine.svg"
DEFAULT_SECONDS = 150.0
DEFAULT_ROUNDS = 11  # odd, so that the median is a round that happened


def rows() -> list[Row]:
    """All comparisons. The counts make a batch some tens of milliseconds long."""
    record = ours.record(19)
    return [
        Row(
            "go-9",
            "Go 9x9",
            "playouts",
            (
                Contestant("tengen", ours.playouts(ours.go(9), 2000)),
                Contestant("OpenSpiel", openspiel.rollouts(9, 200)),
            ),
        ),
        Row(
            "go-19",
            "Go 19x19",
            "playouts",
            (
                Contestant("tengen", ours.playouts(ours.go(19), 500)),
                Contestant("OpenSpiel", openspiel.rollouts(19, 20)),
            ),
        ),
        _alone("great-kingdom-9", "Great Kingdom 9x9", tengen.game("great-kingdom", size=9), 5000),
        _alone("kelasu", "Kelasu", tengen.game("kelasu"), 50),
        _alone("dominion-duel-9", "Dominion Duel, n = 9", tengen.game("dominion-duel", n=9), 5000),
        Row(
            "tree-go-9",
            "Go 9x9, tree search",
            "simulations",
            (
                Contestant("tengen", ours.simulations(ours.go(9), 3000)),
                Contestant("OpenSpiel", openspiel.simulations(9, 400)),
            ),
        ),
        Row(
            "api-go-9",
            "Go 9x9, random play",
            "moves",
            (
                Contestant("tengen", ours.random_play(ours.go(9))),
                Contestant("OpenSpiel", openspiel.random_play(9)),
                Contestant("PettingZoo", petting_zoo.random_play(9)),
            ),
        ),
        Row(
            "replay-go-19",
            "Go 19x19, replay",
            "moves",
            (
                Contestant("tengen", ours.replay(19, record)),
                Contestant("sgfmill", sgfmill_board.replay(19, record, ours.final_cells(19, record))),
            ),
        ),
    ]


def main() -> int:
    arguments = _arguments()
    contests = rows()
    contestants = sum(len(row.contestants) for row in contests)
    turn_seconds = arguments.seconds / (arguments.rounds * contestants)
    measured = measure(contests, arguments.rounds, turn_seconds, _tell)
    _tell("import time")
    imported = import_cost()
    goals = targets(measured, imported)

    print(report.table(measured, imported, goals))
    if not arguments.dry_run:
        facts = {
            "date": datetime.now(UTC).date().isoformat(),
            "machine": machine_facts(),
            "versions": package_versions(),
            "method": {
                "rounds": arguments.rounds,
                "seconds_per_turn": round(turn_seconds, 3),
                "clock": "CPU time of the process, one thread",
                "ratio": "within each round; median, min and max over the rounds",
            },
        }
        _write(measured, facts | report.as_json(measured, imported, goals))
    return 1 if arguments.check and not all(goal.met for goal in goals) else 0


def _alone(key: str, title: str, game: tengen.Game, count: int) -> Row:
    return Row(key, title, "playouts", (Contestant("tengen", ours.playouts(game, count)),))


def _write(measured: list[Measured], results: dict[str, Any]) -> None:
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    RESULTS.write_text(json.dumps(results, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    machine = results["machine"]
    caption = (
        f"One thread of {machine['cpu']}, {machine['python']}, {results['date']}.",
        f"Median of {results['method']['rounds']} interleaved rounds. Bars are on a log scale.",
        "Libraries do not do exactly the same work: benchmarks/README.md says where they differ.",
    )
    CHART.parent.mkdir(parents=True, exist_ok=True)
    CHART.write_text(chart.svg(measured, caption), encoding="utf-8")
    _tell(f"wrote {RESULTS.relative_to(ROOT)} and {CHART.relative_to(ROOT)}")


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engine", description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=DEFAULT_SECONDS, help="measuring time, all in all")
    parser.add_argument("--rounds", type=int, default=DEFAULT_ROUNDS, help="turns that each contestant gets")
    parser.add_argument("--check", action="store_true", help="exit with 1 when a target is missed")
    parser.add_argument("--dry-run", action="store_true", help="print only; keep the results and the chart")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
