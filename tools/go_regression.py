"""Asks our GTP engine the regression problems of other programs: what move would you make here?

    python tools/go_regression.py FOLDER                          # all at 2,000 visits
    python tools/go_regression.py FOLDER --size 19 --most 50      # fifty of those on 19x19, drawn by lot
    python tools/go_regression.py FOLDER --visits 300 1000 3000 -v

FOLDER holds `.tst` files as GNU Go's sources have them in `regression`: GTP commands with the answers that
are right in a comment after the question, such as `#? [D4|E5]` or `#? [!A1]`. Only questions for a move
(`reg_genmove`) are asked; nothing of the problems is ours. Start reading at `problems`.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import random
import re
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import tengen
from tengen.players.engine import engine
from tengen.records.gtp_engine import GtpEngine

QUESTION = re.compile(r"(?:[0-9]+\s+)?(reg_genmove\s+\w+)")
ANSWERS = re.compile(r"#\?\s*\[(!?)(.*)\]\s*[*&]*\s*")
FRESH = ("loadsgf", "boardsize", "clear_board")  # what the moves before have no part in
PREPARING = (*FRESH, "play", "komi")
LOT = 1


@dataclass(frozen=True)
class Problem:
    name: str
    commands: tuple[str, ...]
    question: str
    answers: str  # a regular expression
    wrong: bool  # whether those are the moves that are not to be made

    def is_right(self, move: str) -> bool:
        return (re.fullmatch(self.answers, move, re.IGNORECASE) is None) == self.wrong


def problems(path: Path) -> Iterator[Problem]:
    """The questions of a file, each with the commands that set its board up."""
    commands: list[str] = []
    question = ""
    for number, line in enumerate(path.read_text("latin-1").splitlines(), 1):
        found = ANSWERS.fullmatch(line.strip())
        if question and found:
            name = f"{path.name}:{number}"
            yield Problem(name, tuple(commands), question, found[2], bool(found[1]))
            question = ""
        words = re.sub(r"^[0-9]+\s+", "", line.partition("#")[0]).strip()
        words = re.sub(r"^(black|white)\b", r"play \1", words)  # as the first version of GTP had it
        if not words:
            continue
        asked = QUESTION.match(words)
        question = asked[1] if asked else ""
        if words.startswith(FRESH):
            commands = [words]
        elif words == "undo" and len(commands) > 1:
            commands.pop()
        elif words.startswith(PREPARING):
            commands.append(words)


def ask(gtp: GtpEngine, out: io.StringIO, line: str) -> str | None:
    """Its answer, or None when it refuses."""
    out.seek(0)
    out.truncate()
    gtp.handle(line)
    text = out.getvalue().strip()
    return text[1:].strip() if text.startswith("=") else None


def main() -> None:
    parser = argparse.ArgumentParser(description="Asks our GTP engine regression problems of other programs.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--visits", type=int, nargs="*", default=[2000])
    parser.add_argument("--size", type=int, nargs="*", default=[9, 13, 19])
    parser.add_argument("--files", default="*.tst", help="only files like that")
    parser.add_argument("--most", type=int, help="problems a size, drawn by lot; all unless given")
    parser.add_argument("-v", "--verbose", action="store_true", help="name the problems that were not solved")
    given = parser.parse_args()
    run(given.folder, given.visits, given.size, given.most, given.files, verbose=given.verbose)


def run(
    folder: Path, visits: list[int], sizes: list[int], most: int | None, files: str, *, verbose: bool
) -> None:
    found = [one for path in sorted(folder.glob(files)) for one in problems(path)]
    random.Random(LOT).shuffle(found)
    with contextlib.chdir(folder):  # files name others beside them
        for number in visits:
            trial(found, number, sizes, most, verbose)


def trial(found: list[Problem], visits: int, sizes: list[int], most: int | None, verbose: bool) -> None:
    out = io.StringIO()
    gtp = engine(tengen.game("go"), visits=visits, resigns=False, stdout=out)
    solved, tried, refused = Counter[int](), Counter[int](), 0
    began = time.process_time()
    for problem in found:
        if any(ask(gtp, out, line) is None for line in problem.commands):
            refused += 1
            continue
        size = gtp.game.width
        if size not in sizes or (most is not None and tried[size] >= most):
            continue
        move = ask(gtp, out, problem.question)
        if move is None:
            refused += 1
            continue
        tried[size] += 1
        solved[size] += problem.is_right(move)
        if verbose and not problem.is_right(move):
            print(
                f"{problem.name} {size}x{size}: {move}, not {'!' * problem.wrong}{problem.answers}",
                flush=True,
            )
    shares = (f"{n}x{n} {solved[n]} of {tried[n]} ({solved[n] / tried[n]:.0%})" for n in sorted(tried))
    spent = time.process_time() - began
    print(f"{visits} visits: {', '.join(shares)}; {refused} cannot be asked; {spent:.0f} s", flush=True)


if __name__ == "__main__":
    main()
