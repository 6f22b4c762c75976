"""Counts the lines that name a game outside the folders of the games, and fails where there are too many.

A game is one place: `src/tengen/games/<game>/` and `web/src/games/<game>/`. What stands above asks the game.
Lines count that have its name (`"go"` in quotes, the others anyhow) or one of its types; generated files,
tests and documentation do not.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
NAMES = re.compile(
    r"(?i:great[-_ ]?kingdom|kelasu|dominion[-_ ]?duel)"
    r"|['\"`]go['\"`]|^\s*go: |_core\.Go\w*|\bGo(?:9|19|Details)\b|games[./]go\b"
)
# The folder, what is left out, the endings of files, and how many lines may name a game. In Python those are
# examples in help texts and docstrings.
PLACES = (
    (ROOT / "src/tengen", ("games", "_core.pyi", "web"), (".py",), 15),
    (ROOT / "web/src", ("games", "protocol.ts"), (".ts", ".svelte"), 0),
)


def naming(folder: Path, left_out: tuple[str, ...], endings: tuple[str, ...]) -> list[str]:
    """The lines of that folder that name a game, each with its file and number."""
    found = []
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if path.suffix not in endings or inside.parts[0] in left_out or ".test." in path.name:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if NAMES.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}")
    return found


def main() -> int:
    failed = False
    for folder, left_out, endings, most in PLACES:
        found = naming(folder, left_out, endings)
        print(f"{folder.relative_to(ROOT)}: {len(found)} lines name a game, {most} may.")
        if len(found) > most:
            failed = True
            print("\n".join(found), file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
