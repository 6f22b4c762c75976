"""Solves the small boards and writes docs/solved.md.

`.venv/bin/python tools/solved_table.py [--minutes N] [--memory-mb M] [WORD ...]` takes the rows whose command
has all the words. A row that is not done within N minutes is left as it was; other rows of the page stay.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import tengen
from tengen.game import OptionValue
from tengen.search.solve import Progress, Solution, solve

PAGE = Path(__file__).parent.parent / "docs" / "solved.md"
HEADER = "| game | value | best play | nodes | processor seconds | command |\n|---|---|---|---|---|---|\n"


@dataclass(frozen=True, eq=False)
class Row:
    label: str
    name: str
    options: dict[str, OptionValue]

    @property
    def command(self) -> str:
        def written(value: OptionValue) -> str:
            return str(value).lower() if isinstance(value, bool) else str(value)

        given = " ".join(f"-o {name}={written(value)}" for name, value in self.options.items())
        return f"tengen solve {self.name} {given}"


ROWS = [
    *(
        Row(
            f"Great Kingdom {size}×{size}, {'with' if neutral else 'without'} neutral castle, `{rules}`",
            "great-kingdom",
            {"size": size}
            | ({} if neutral else {"neutral": False})
            | ({} if rules == "rulebook" else {"rules": rules}),
        )
        for size, neutral in ((3, True), (3, False), (4, False), (5, True), (5, False))
        for rules in ("rulebook", "published")
    ),
    *(
        Row(f"Go {size}×{size}, area", "go", {"size": size, "scoring": "area", "komi": 0})
        for size in (2, 3, 4, 5)
    ),
    *(Row(f"Dominion Duel, {n} territories", "dominion-duel", {"n": n}) for n in (8, 9, 14, 100)),
]


class TooLong(Exception):
    """The row has used up its time."""


def solved(row: Row, minutes: float, memory_mb: int) -> str | None:
    """The row of the table, None when it took too long."""
    start = time.process_time()

    def watch(progress: Progress) -> None:
        spent = time.process_time() - start
        print(
            f"\r{row.command}: {progress.question} {progress.nodes:,} nodes, {spent:.0f} s  ",
            end="",
            file=sys.stderr,
        )
        if spent > 60 * minutes:
            raise TooLong

    try:
        solution = solve(tengen.game(row.name, **row.options).start(), memory_mb=memory_mb, progress=watch)
    except TooLong:
        return None
    finally:
        print(file=sys.stderr)
    if not solution.exact:
        return None
    seconds = time.process_time() - start
    cells = (
        row.label,
        value_text(row, solution),
        line_text(solution),
        f"{solution.nodes:,}",
        f"{seconds:.1f}" if seconds >= 0.1 else "under 0.1",
        f"`{row.command}`",
    )
    return f"| {' | '.join(cells)} |\n"


def value_text(row: Row, solution: Solution) -> str:
    if row.name == "dominion-duel":
        return "first player wins" if solution.winner == 0 else "draw"
    if row.name == "go" and solution.winner is None:
        return "draw"
    if math.isinf(solution.low):
        return "capture"
    return f"{solution.low:+.0f}" if solution.low else "0"


def line_text(solution: Solution) -> str:
    shown = solution.moves[:40]
    return " ".join(shown) + (" …" if len(shown) < len(solution.moves) else "")


def write(row: Row, line: str) -> None:
    """Puts the line in its place in the table; the rest of the page stays."""
    before, rest = PAGE.read_text(encoding="utf-8").split(HEADER)
    table = re.match(r"(\|.*\n)*", rest)
    old = table[0].splitlines(keepends=True) if table else []
    lines = {each: kept for each in ROWS for kept in old if f"| `{each.command}` |" in kept} | {row: line}
    text = (
        before + HEADER + "".join(lines[each] for each in ROWS if each in lines) + rest[len("".join(old)) :]
    )
    PAGE.write_text(text, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=15.0, help="processor time that a row may take")
    parser.add_argument("--memory-mb", type=int, default=1024)
    parser.add_argument("words", nargs="*")
    arguments = parser.parse_args()
    for row in ROWS:
        if not all(word in row.command.split() for word in arguments.words):
            continue
        line = solved(row, arguments.minutes, arguments.memory_mb)
        if line is None:
            print(f"{row.command}: not done within {arguments.minutes:g} minutes.", file=sys.stderr)
        else:
            write(row, line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
