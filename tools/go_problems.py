"""Tries the search on problems of Go: capturing races, and life and death, in frames that make them decide.

    python tools/go_problems.py                        # all at 300, 1,000 and 3,000 visits
    python tools/go_problems.py --brain default        # with a brain in the search
    python tools/go_problems.py --visits 1000 --kind race --set exploration=0.1 -v

The problems (benchmarks/go_problems.json) are our own compositions. `answers` are the moves that solve one;
the komi makes the game a win with the solution and a loss without.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

import tengen
from tengen import _core
from tengen.brains.search import BrainSearch
from tengen.brains.store import BrainStore
from tengen.game import State
from tengen.search.mcts import Search

PROBLEMS = Path(__file__).parent.parent / "benchmarks" / "go_problems.json"


def new_search(
    state: State, brain: str | None, seed: int, settings: dict[str, float]
) -> Search | BrainSearch:
    if brain is None:
        return Search(state, seed=seed, **settings)
    constants = _core.NetSearchSettings()
    constants.gumbel = False
    for name, value in settings.items():
        setattr(constants, name, value)
    return BrainSearch(state, BrainStore().find(state.game, brain), seed=seed, settings=constants)


def solves(
    problem: dict[str, Any], visits: int, brain: str | None, seed: int, settings: dict[str, float]
) -> tuple[bool, str]:
    game = tengen.game("go", size=problem["size"], komi=problem["komi"])
    state = game.position(problem["rows"], problem["to_move"])
    search = new_search(state, brain, seed, settings)
    search.run(visits=visits)
    move = game.format(state, [search.report().actions[0].action])
    return move in problem["answers"], move


def main() -> None:
    parser = argparse.ArgumentParser(description="Tries the search on problems of Go.")
    parser.add_argument("--visits", type=int, nargs="*", default=[300, 1000, 3000])
    parser.add_argument("--kind", help="only problems of that kind: race, life or corner")
    parser.add_argument("--brain", help="a brain that judges, by its name or file; none unless given")
    parser.add_argument("--seeds", type=int, default=1, help="searches of each problem")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a search setting")
    parser.add_argument("-v", "--verbose", action="store_true", help="name the problems that were not solved")
    parser.add_argument("--file", type=Path, default=PROBLEMS)
    arguments = parser.parse_args()
    settings = {name: float(value) for name, value in (word.split("=") for word in arguments.set)}
    problems = [p for p in json.loads(arguments.file.read_text()) if arguments.kind in (None, p["kind"])]
    for visits in arguments.visits:
        solved, tried = Counter[str](), Counter[str]()
        for problem in problems:
            for seed in range(arguments.seeds):
                good, move = solves(problem, visits, arguments.brain, seed, settings)
                solved[problem["kind"]] += good
                tried[problem["kind"]] += 1
                if arguments.verbose and not good:
                    print(f"{problem['id']} at {visits}: {move}, not {' or '.join(problem['answers'])}")
        print(
            f"{visits:>6} visits: " + ", ".join(f"{kind} {solved[kind]} of {n}" for kind, n in tried.items())
        )


if __name__ == "__main__":
    main()
