"""Kelasu's search of two source trees against each other, at equal processor time.

    git worktree add /tmp/before 7e64150
    python tools/kelasu_match.py . /tmp/before --ms 20 --games 100

Compiles the search of each tree with c++ and loads both. Each whole move has that much processor time of one
thread, however busy the machine is; `--ms 20 2` gives the second tree another, and `--visits 40000 4000`
counts positions instead. Openings are eight to fourteen
random moves after which the search of the installed package calls the game about even, each played twice with
colours swapped. With `--elo 0 15` a sequential test, both error rates 5 %, ends the match early. Prints JSON.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import math
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import tengen
from tengen.game import State
from tengen.search.mcts import Search

GAME = tengen.game("kelasu")
OPENING_MOVES = (8, 14)  # of both sides together
OPENING_VISITS = 20_000  # of the search that judges an opening
EVEN = (0.4, 0.6)  # what it may think of the mover's chance
LONGEST = 6000  # actions, then it is a draw
BOUND = math.log(0.95 / 0.05)  # of the log likelihood ratio, where both error rates are 5 %
SHIM = r"""
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "games/kelasu/heuristics.hpp"
// The search's clock is the processor time of its thread.
extern "C" int clock_gettime(clockid_t, struct timespec* time) {
  return static_cast<int>(syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, time));
}
using Search = tengen::KelasuSearch;
#define SHOWN extern "C" __attribute__((visibility("default")))
SHOWN void* begin(std::uint64_t seed) {
  return new Search(tengen::Kelasu{tengen::KelasuRules{}}, tengen::SearchSettings{}, seed);
}
SHOWN void finish(void* search) { delete static_cast<Search*>(search); }
SHOWN void advance(void* search, int action) { static_cast<Search*>(search)->advance(action); }
SHOWN int think(void* search, std::int64_t ms, std::int64_t visits) {
  tengen::SearchLimits limits;
  limits.ms = ms;
  limits.visits = visits;
  limits.stop_when_clear = true;
  static_cast<Search*>(search)->run(limits);
  return static_cast<Search*>(search)->report().moves[0].action;
}
"""


Budget = tuple[int, int]  # milliseconds and visits, 0 being no limit


class Engine:
    def __init__(self, tree: Path, folder: Path, name: str) -> None:
        shim, library = folder / f"{name}.cpp", folder / f"{name}.so"
        shim.write_text(SHIM)
        game = tree / "cpp" / "games" / "kelasu"
        sources = [game / f"{part}.cpp" for part in ("kelasu", "eval", "tactics", "search")]
        # A standard library of its own, so that its clock is ours.
        flags = ["-std=c++20", "-O3", "-march=x86-64-v2", "-fPIC", "-shared", "-fvisibility=hidden"]
        flags += ["-static-libstdc++", "-Wl,-Bsymbolic", f"-I{tree / 'cpp'}", "-o", str(library)]
        command = ["c++", *flags, str(shim), *map(str, sources)]
        subprocess.run(command, check=True)  # noqa: S603
        self.library = ctypes.CDLL(str(library))
        self.library.begin.restype = ctypes.c_void_p
        self.library.begin.argtypes = [ctypes.c_uint64]
        self.library.finish.argtypes = [ctypes.c_void_p]
        self.library.advance.argtypes = [ctypes.c_void_p, ctypes.c_int]
        self.library.think.argtypes = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64]


def opening(rng: random.Random) -> State:
    """Random moves that leave the game about even, so that the players decide it."""
    while True:
        state: State = GAME.start()
        for _ in range(rng.randint(*OPENING_MOVES)):
            state = state.play(rng.choice(state.legal_actions()))
            while GAME.mid_move(state):
                state = state.play(rng.choice(state.legal_actions()))
        search = Search(state, seed=1)
        search.run(visits=OPENING_VISITS)
        if EVEN[0] <= search.report().win <= EVEN[1]:
            return state


def play(engines: list[Engine], first: int, state: State, seed: int, budgets: list[Budget]) -> float:
    """What the first engine scores, which sits at that seat, from that opening on."""
    by_seat = engines if first == 0 else engines[::-1]
    budget_by_seat = budgets if first == 0 else budgets[::-1]
    searches = [engine.library.begin(2 * seed + seat) for seat, engine in enumerate(by_seat)]

    def follow(action: int) -> None:
        for engine, search in zip(by_seat, searches, strict=True):
            engine.library.advance(search, action)

    for action in state.actions:
        follow(action)
    while state.outcome is None and len(state.actions) < LONGEST:
        action = by_seat[state.to_move].library.think(searches[state.to_move], *budget_by_seat[state.to_move])
        state = state.play(action)
        follow(action)
    for engine, search in zip(by_seat, searches, strict=True):
        engine.library.finish(search)
    winner = None if state.outcome is None else state.outcome.winner
    return 0.5 if winner is None else float(winner == first)


def likelihood(pairs: list[float], elo: tuple[float, float]) -> float:
    """The log likelihood ratio of the second Elo difference to the first, by scores of pairs of games."""
    mean = sum(pairs) / len(pairs)
    spread = sum((pair - mean) ** 2 for pair in pairs) / len(pairs)
    low, high = (1 / (1 + 10 ** (-difference / 400)) for difference in elo)
    return len(pairs) * (high - low) * (2 * mean - low - high) / (2 * spread) if spread else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description="Kelasu's search of two source trees against each other.")
    parser.add_argument("tree", type=Path, nargs=2)
    parser.add_argument("--ms", type=int, nargs="+", default=[20], help="processor time of a whole move")
    parser.add_argument("--visits", type=int, nargs="+", help="positions of a whole move, in place of time")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--elo", type=float, nargs=2)
    arguments = parser.parse_args()
    visits = arguments.visits or [0]
    times = [0] if arguments.visits else arguments.ms
    budgets = [(times[0], visits[0]), (times[-1], visits[-1])]
    scores: list[float] = []
    pairs: list[float] = []
    ratio = 0.0
    with tempfile.TemporaryDirectory() as folder:
        engines = [Engine(tree, Path(folder), name) for tree, name in zip(arguments.tree, "ab", strict=True)]
        for pair in range(arguments.games // 2):
            seed = arguments.seed + pair
            start = opening(random.Random(seed))
            both = [play(engines, first, start, seed, budgets) for first in (0, 1)]
            scores += both
            pairs.append(sum(both) / 2)
            print(f"{sum(scores):g} of {len(scores)}", file=sys.stderr, flush=True)
            if arguments.elo:
                ratio = likelihood(pairs, (arguments.elo[0], arguments.elo[1]))
                if abs(ratio) > BOUND and len(pairs) > 5:
                    break
    mean = sum(pairs) / len(pairs)
    margin = 1.96 * math.sqrt(sum((pair - mean) ** 2 for pair in pairs)) / len(pairs)
    result: dict[str, object] = {"ms_and_visits": budgets, "games": len(scores), "score": round(mean, 4)}
    result |= {"wins": scores.count(1), "draws": scores.count(0.5), "losses": scores.count(0)}
    result |= {"score_95": [round(max(0, mean - margin), 4), round(min(1, mean + margin), 4)]}
    if arguments.elo:
        result |= {"elo": arguments.elo, "log_likelihood_ratio": round(ratio, 2), "bound": round(BOUND, 2)}
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
