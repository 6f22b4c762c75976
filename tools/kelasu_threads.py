"""How much sooner Kelasu's search has looked so many plies deep with two threads than with one.

    python -m tools.kelasu_threads --positions 30 --depth 8

Compiles the search with c++. Time is the processor time of the first thread, which ends the search, so others
who use the machine matter only as far as they hold the second thread up: `second_share` is what that one had
of the first one's time and should be near 1. Prints JSON.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import random
import re
import subprocess
import tempfile
from pathlib import Path

from tengen.search.mcts import Search
from tools.kelasu_match import opening

CPP = Path(__file__).parent.parent / "cpp"
SHIM = r"""
#include <time.h>
#include "games/kelasu/heuristics.hpp"
using Search = tengen::KelasuSearch;
static double now(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}
// Adds the first thread's seconds, and those of all threads.
extern "C" __attribute__((visibility("default"))) void deepen(const int* actions, int count, int threads,
                                                              double* seconds) {
  tengen::Kelasu state{tengen::KelasuRules{}};
  for (int i = 0; i < count; ++i) state.play(actions[i]);
  Search search(state, tengen::SearchSettings{}, 1);
  tengen::SearchLimits limits;
  limits.threads = threads;
  const double first = now(CLOCK_THREAD_CPUTIME_ID);
  const double all = now(CLOCK_PROCESS_CPUTIME_ID);
  search.run(limits);
  seconds[0] += now(CLOCK_THREAD_CPUTIME_ID) - first;
  seconds[1] += now(CLOCK_PROCESS_CPUTIME_ID) - all;
}
"""


def library(folder: Path, depth: int) -> ctypes.CDLL:
    """The search, which ends when it has looked so deep."""
    game = CPP / "games" / "kelasu"
    text = (game / "search.cpp").read_text()
    ending, found = re.subn(r"kMaxDepth = \d+;", f"kMaxDepth = {depth};", text)
    if found != 1:
        raise SystemExit("search.cpp has no kMaxDepth to set.")
    (folder / "search.cpp").write_text(ending)
    (folder / "shim.cpp").write_text(SHIM)
    sources = [folder / "shim.cpp", folder / "search.cpp"]
    sources += [game / f"{part}.cpp" for part in ("kelasu", "eval", "tactics")]
    flags = ["-std=c++20", "-O3", "-march=x86-64-v2", "-fPIC", "-shared", "-pthread", f"-I{CPP}"]
    command = ["c++", *flags, "-o", str(folder / "search.so"), *map(str, sources)]
    subprocess.run(command, check=True)  # noqa: S603
    return ctypes.CDLL(str(folder / "search.so"))


def position(number: int) -> list[int]:
    """The actions of a game after eight random moves and up to forty of a short search."""
    rng = random.Random(number)
    state = opening(rng)
    search = Search(state, seed=number)
    left = rng.randrange(40)
    while state.outcome is None and (left > 0 or state.game.mid_move(state)):
        search.run(visits=300, stop_when_clear=True)
        state = state.play(search.report().actions[0].action)
        if state.outcome is not None:
            return position(number + 1000)
        search.play(state.actions[-1])
        left -= not state.game.mid_move(state)
    return list(state.actions)


def main() -> None:
    parser = argparse.ArgumentParser(description="Kelasu's search with two threads beside one.")
    parser.add_argument("--positions", type=int, default=30)
    parser.add_argument("--depth", type=int, default=8)
    arguments = parser.parse_args()
    seconds = {threads: (ctypes.c_double * 2)() for threads in (1, 2)}
    with tempfile.TemporaryDirectory() as folder:
        search = library(Path(folder), arguments.depth)
        for number in range(arguments.positions):
            actions = position(number)
            array = (ctypes.c_int * len(actions))(*actions)
            for threads, spent in seconds.items():
                search.deepen(array, len(actions), threads, spent)
    one, (two, both) = seconds[1][0], seconds[2]
    result = {"positions": arguments.positions, "depth": arguments.depth}
    result |= {"seconds_of_one": round(one, 3), "seconds_of_two": round(two, 3)}
    result |= {"times_as_fast": round(one / two, 3), "second_share": round(both / two - 1, 3)}
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
