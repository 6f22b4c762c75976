"""Measures the ladder of levels: each level of a game against the one below, by the arena.

    python tools/ladder.py great-kingdom --games 100
    python tools/ladder.py go --games 100 size=9 scoring=area komi=7.5

Writes docs/results/levels-GAME.json and prints the table. A run that was stopped goes on where it was, from
the games in arena/.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from tengen.arena import Arena
from tengen.cli_parts import make_game
from tengen.players.identity import engine
from tengen.search.levels import levels

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "docs" / "results"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures each level of a game against the one below.")
    parser.add_argument("game")
    parser.add_argument("option", nargs="*", help="NAME=VALUE")
    parser.add_argument("--games", type=int, default=100)
    arguments = parser.parse_intermixed_args()
    game = make_game(arguments.game, arguments.option)
    rows = []
    for upper in levels(game.name)[1:]:
        lower = upper.number - 1
        folder = ROOT / "arena" / f"ladder-{game.name}-{upper.number}"
        match = Arena(game, f"level:{upper.number}", f"level:{lower}", folder=folder)
        found = match.run(arguments.games).to_json()
        who = {"identities": match.identities}
        rows.append({"level": upper.number, "name": upper.name, "against": lower} | who | found)
        low, high = found["score_95"]
        print(
            f"| {upper.number} {upper.name} | {lower} | {found['games']} | {found['score']:.1%} "
            f"| {low:.1%} to {high:.1%} |",
            flush=True,
        )
    RESULTS.mkdir(exist_ok=True)
    words = " ".join(["python tools/ladder.py", game.name, *arguments.option, f"--games {arguments.games}"])
    result = {
        "command": words,
        "engine": engine(),
        "game": game.name,
        "options": game.options,
        "levels": rows,
    }
    (RESULTS / f"levels-{game.name}.json").write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
