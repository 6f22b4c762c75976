"""The differential tests for as long as you like: python -m tests.differential.soak --minutes 60 [--game go]

Goes through the games in turn with ever new seeds, prints a line every ten seconds, and stops at the first
difference with all that is needed to see it again. The seeds begin after those of the test run.
"""

import argparse
import itertools
import sys
import time
from collections import Counter

from .harness import GAMES, MismatchError, play_one

REPORT_S = 10.0
FIRST_SEED = 1_000_000


def progress(elapsed_s: float, games: Counter[str], actions: int, endings: Counter[str]) -> str:
    played = ", ".join(f"{game} {count:,}" for game, count in sorted(games.items()))
    ends = ", ".join(f"{name} {count:,}" for name, count in endings.most_common())
    return f"{elapsed_s / 60:6.1f} min  {played}; {actions:,} actions compared; {ends}"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.differential.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="stop after this long")
    parser.add_argument("--game", choices=GAMES, help="only this game")
    parser.add_argument("--seed", type=int, default=FIRST_SEED, help=f"the first seed ({FIRST_SEED:,})")
    parser.add_argument("--count", type=int, help="stop after this many seeds")
    arguments = parser.parse_args()

    names = (arguments.game,) if arguments.game else GAMES
    last_seed = float("inf") if arguments.count is None else arguments.seed + arguments.count - 1
    games: Counter[str] = Counter()
    endings: Counter[str] = Counter()
    actions = 0
    start = reported = time.monotonic()
    for seed, game in ((seed, name) for seed in itertools.count(arguments.seed) for name in names):
        now = time.monotonic()
        if seed > last_seed or now - start > arguments.minutes * 60:
            break
        try:
            reason, length = play_one(game, seed)
        except MismatchError as difference:
            print(f"{game}: engine and reference disagree\n{difference}", file=sys.stderr)
            return 1
        games[game] += 1
        endings[reason] += 1
        actions += length
        if now - reported > REPORT_S:
            reported = now
            print(progress(now - start, games, actions, endings), flush=True)
    print(progress(time.monotonic() - start, games, actions, endings))
    print("no difference found")
    return 0


if __name__ == "__main__":
    sys.exit(main())
