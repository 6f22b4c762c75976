"""A GTP program that passes every time: the shortest way to an agreement."""

import sys

COMMANDS = (
    "protocol_version name version list_commands boardsize clear_board komi play genmove undo quit".split()
)
ANSWERS = {"protocol_version": "2", "name": "Passer", "list_commands": "\n".join(COMMANDS), "genmove": "pass"}

for line in sys.stdin:
    number, command = line.split()[:2]
    sys.stdout.write(f"={number} {ANSWERS.get(command, '')}\n\n")
    sys.stdout.flush()
    if command == "quit":
        break
