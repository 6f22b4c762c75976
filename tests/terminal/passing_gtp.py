"""A GTP program that passes every time: the shortest way to an agreement."""

import sys

ANSWERS = {"protocol_version": "2", "name": "Passer", "genmove": "pass"}
ANSWERS["list_commands"] = "\n".join([*ANSWERS, "boardsize", "clear_board", "komi", "play", "undo", "quit"])

for line in sys.stdin:
    number, command = line.split()[:2]
    sys.stdout.write(f"={number} {ANSWERS.get(command, '')}\n\n")
    sys.stdout.flush()
    if command == "quit":
        break
