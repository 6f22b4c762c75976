"""A program that speaks KataGo's analysis protocol and knows nothing of the game.

It finds the empty points in the order of the board, and is sure that Black is ahead by 5 less the komi. Words
in the environment FAKE_KATAGO make it misbehave: `refuse` prints an error and ends, `slow` searches for ever,
`die` ends at the first question, once for each file `died` beside the model, `always-die` ends at every
one, `picky` refuses positions with moves, `tune` ends within its tuning, `deaf` never gets ready, `torn` sees
Black a little behind and winning a little more often. What it is asked goes to the file `asked` beside the
model, a line each.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from pathlib import Path
from typing import Any

LETTERS = "ABCDEFGHJKLMNOPQRST"
WORDS = os.environ.get("FAKE_KATAGO", "").split()
FOLDER = Path(sys.argv[sys.argv.index("-model") + 1]).parent
writing = threading.Lock()
ended: set[str] = set()
stopping = threading.Condition()
PACE_S = 0.02  # between reports of a slow search


def say(message: dict[str, Any]) -> None:
    with writing:
        print(json.dumps(message), flush=True)


def analysis(question: dict[str, Any], visits: int, during: bool) -> dict[str, Any]:
    width, height = question["boardXSize"], question["boardYSize"]
    taken = {point for _, point in [*question["initialStones"], *question["moves"]]}
    points = [f"{LETTERS[x]}{height - y}" for y in range(height) for x in range(width)]
    free = [point for point in points if point not in taken] + ["pass"]
    lead = 5 - question["komi"]
    value = {"winrate": 0.9 if lead > 0 else 0.2, "scoreLead": lead}
    if "torn" in WORDS:
        value = {"winrate": 0.516, "scoreLead": -0.04}
    moves = [
        {"move": point, "visits": visits // 2**n, "order": n, "prior": 0.5 / 2**n, "pv": free[n:], **value}
        for n, point in enumerate(free[:3])
    ]
    answer = {
        "id": question["id"],
        "isDuringSearch": during,
        "turnNumber": len(question["moves"]),
        "moveInfos": moves if question["maxVisits"] > 1 else [],  # one visit is the root's
        "rootInfo": {"visits": visits, **value},
        "ownership": [1.0 if n < width else -1.0 for n in range(width * height)],
    }
    if question.get("includePolicy"):  # -1 where there is a stone, as the real one says what is not legal
        known = {move["move"]: move["prior"] for move in moves}
        answer["policy"] = [-1 if point in taken else known.get(point, 0) for point in [*points, "pass"]]
    return answer


def search(question: dict[str, Any]) -> None:
    if "slow" in WORDS:
        visits = 1
        while question["id"] not in ended:
            say(analysis(question, visits, True))
            visits += 1
            with stopping:
                stopping.wait(PACE_S)
        say(analysis(question, visits, False))
    else:
        say(analysis(question, max(1, question["maxVisits"] // 2), True))
        say(analysis(question, question["maxVisits"], False))


def begin() -> None:
    if "refuse" in WORDS:
        sys.exit("2026-01-01 00:00:00+0000: ERROR: CL_PLATFORM_NOT_FOUND_KHR")
    if "tune" in WORDS:
        print("Performing autotuning\nTuning 3/55 ...", file=sys.stderr, flush=True)
        os.abort()
    if "deaf" in WORDS:
        threading.Event().wait()


def main() -> None:
    begin()
    for line in sys.stdin:
        question = json.loads(line)
        with (FOLDER / "asked").open("a") as log:
            log.write(line)
        if question.get("action") == "query_version":
            say({**question, "version": "0.0-fake"})
        elif question.get("action") == "terminate":
            with stopping:
                ended.add(question["terminateId"])
                stopping.notify_all()
            say(question)
        elif "always-die" in WORDS or ("die" in WORDS and not (FOLDER / "died").exists()):
            (FOLDER / "died").touch()
            sys.exit("out of memory")
        elif "picky" in WORDS and question["moves"]:
            say({"id": question["id"], "error": "Illegal move 0", "field": "moves"})
        else:
            threading.Thread(target=search, args=(question,), daemon=True).start()


if __name__ == "__main__":
    main()
