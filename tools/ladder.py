"""Measures the ladder of levels: each level of a game against the one below, by the arena.

    python tools/ladder.py great-kingdom --games 100
    python tools/ladder.py go --games 100 size=9 scoring=area komi=7.5
    python tools/ladder.py kelasu --games 12 --levels 9 10
    python tools/ladder.py great-kingdom --games 40 --board published-7x7 rules=published size=7

Writes docs/results/levels-GAME.json, or levels-GAME-BOARD.json for a board or rules that are not the usual
ones, and prints the table. A run that was stopped goes on where it was, from the games in arena/. With
`--levels` the rows of the other levels stay as they are in that file.
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
    parser.add_argument("--board", help="what those options are called in the file's name")
    parser.add_argument("--levels", type=int, nargs=2, metavar=("FIRST", "LAST"), default=(2, 10))
    arguments = parser.parse_intermixed_args()
    game = make_game(arguments.game, arguments.option)
    title = "-".join(filter(None, [game.name, arguments.board]))
    path = RESULTS / f"levels-{title}.json"
    first, last = arguments.levels
    earlier = json.loads(path.read_text())["levels"] if path.exists() else []
    rows = [row for row in earlier if not first <= row["level"] <= last]
    board = [f"--board {arguments.board}"] if arguments.board else []
    words = ["python tools/ladder.py", game.name, *arguments.option, f"--games {arguments.games}", *board]
    known = levels(game.name)
    for upper in known[max(first, 2) - 1 : last]:
        lower = upper.number - 1
        budgets = "-".join(f"{level.visits}~{level.blur:g}" for level in (upper, known[lower - 1]))
        folder = ROOT / "arena" / f"ladder-{title}-{upper.number}-{budgets}"
        match = Arena(game, f"level:{upper.number}", f"level:{lower}", folder=folder)
        found = match.run(arguments.games).to_json()
        who = {
            "identities": match.identities,
            "command": f"{' '.join(words)} --levels {upper.number} {upper.number}",
        }
        rows.append({"level": upper.number, "name": upper.name, "against": lower} | who | found)
        low, high = found["score_95"]
        print(
            f"| {upper.number} {upper.name} | {lower} | {found['games']} | {found['score']:.1%} "
            f"| {low:.1%} to {high:.1%} |",
            flush=True,
        )
    rows.sort(key=lambda row: row["level"])
    result = {"engine": engine(), "game": game.name, "options": game.options, "levels": rows}
    path.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
