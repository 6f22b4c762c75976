"""Whether a teacher's file says what KataGo itself says with the net that it was made of.

    python -m tools.go_lesson.compare TEACHER.onnx "katago analysis -config ANALYSIS.cfg -model NET.bin.gz"

The config must not turn boards (`nnRandomize = false`). Positions are those of the lesson's games, KataGo has
one visit for each. Printed is, by board, how often both have the same first move, and how far they are apart
on average in the win rate, in points, and in whose a point is (of 1 to -1).
"""

from __future__ import annotations

import argparse
import json
import random
import shlex
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tools.go_lesson.judge import Said, Table, Teacher, question_of

RULES = {"ko": "SIMPLE", "scoring": "AREA", "tax": "NONE", "suicide": False, "whiteHandicapBonus": "0"}
LETTERS = "ABCDEFGHJKLMNOPQRST"
TABLES, MOVES, EVERY = 8, 60, 8


def question_for_katago(name: str, table: Table) -> dict[str, Any]:
    """The same position, as KataGo's analysis engine wants it."""
    game, size = table.state.game, table.size
    moves = []
    for number, action in enumerate(table.state.actions):
        row, column = divmod(action, size)
        where = "pass" if action == table.cells else f"{LETTERS[column]}{size - row}"
        moves.append(["BW"[number % 2], where])
    return {
        "id": name,
        "moves": moves,
        "rules": RULES,
        "komi": game.options["komi"],
        "boardXSize": size,
        "boardYSize": size,
        "maxVisits": 1,
        "includePolicy": True,
        "includeOwnership": True,
        "overrideSettings": {
            "ignorePreRootHistory": False,
            "conservativePass": False,
            "reportAnalysisWinratesAs": "SIDETOMOVE",
        },
    }


def answers(command: Sequence[str], asked: Sequence[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """What KataGo says of all those, by name."""
    lines = "".join(json.dumps(one) + "\n" for one in asked)
    done = subprocess.run(command, input=lines, stdout=subprocess.PIPE, text=True, check=True)  # noqa: S603
    said = [json.loads(line) for line in done.stdout.splitlines()]
    if faults := [one["error"] for one in said if "error" in one]:
        raise SystemExit(f"KataGo did not understand: {faults[0]}")
    return {one["id"]: one for one in said}


def apart(ours: Said, row: int, theirs: dict[str, Any]) -> tuple[float, float, float, float]:
    """Of one position: whether the first move is the same, and the distances."""
    policy = np.array(theirs["policy"])
    legal = policy >= 0
    root = theirs["rootInfo"]
    mine = np.where(legal, ours.policy[row], -np.inf)
    return (
        float(mine.argmax() == policy.argmax()),
        abs((float(ours.value[row]) + 1) / 2 - root["winrate"]),
        abs(float(ours.lead[row]) - root["scoreLead"]),
        float(np.abs(ours.ownership[row].ravel() - np.array(theirs["ownership"])).mean()),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Compares a teacher's file with KataGo itself.")
    parser.add_argument("teacher", type=Path)
    parser.add_argument("katago", help="its analysis engine, as a command")
    given = parser.parse_args()
    teacher, rng = Teacher(given.teacher.read_bytes()), random.Random(1)
    looks: list[tuple[int, Said, int, str]] = []
    asked = []
    for size in (9, 13, 19):
        tables = [Table(size, rng) for _ in range(TABLES)]
        for made in range(MOVES):
            said = teacher.judge(question_of(tables))
            for row, table in enumerate(tables):
                if made % EVERY == 3 and not table.state.game.options["handicap"]:
                    name = f"{size}-{made}-{row}"
                    looks.append((size, said, row, name))
                    asked.append(question_for_katago(name, table))
                table.answer(said, row)
    theirs = answers(shlex.split(given.katago), asked)
    for size in (9, 13, 19):
        found = np.array([apart(said, row, theirs[name]) for one, said, row, name in looks if one == size])
        same, win, points, owner = found.mean(0)
        print(
            f"{size}x{size}: {len(found)} positions, same first move {same:.1%}, win rate {win:.2%}, "
            f"lead {points:.2f} points, owners {owner:.3f} apart"
        )


if __name__ == "__main__":
    main()
