"""What a line that a player types may mean: a command with its rest, or a move in the game's notation.

Moves are taken generously: `play d4`, `4d`, `b1 to c1`, `[5]` and typographic dashes are brought to the form
that `Game.parse` reads.
"""

from __future__ import annotations

import re
import textwrap
from difflib import get_close_matches
from typing import NamedTuple

from tengen.game import Game

RESIGN = "Give the game up?"
WHY = "Shall the machine say where it was lost?"


class Command(NamedTuple):
    name: str
    rest: str


_PLAYING = {
    "pass": "give the turn to your opponent",
    "undo": "take your last move back",
    "hint": "ask the machine what it would play",
    "moves": "list what you may play",
    "score": "how it stands",
    "board": "show the board again",
    "draw": "offer a draw",
    "resign": "give up",
}
_ALWAYS = {
    "save FILE": "write the game to a file",
    "rules": "the rules in short",
    "help": "this list",
    "quit": "leave; `tengen play --resume` goes on with the game",
}
_AGREEING = {
    "POINT": "a stone: dead or alive; an empty point: neutral (seki) or not",
    "accept": "agree to the count as it is shown",
    "resume": "play on, your opponent first, because you do not agree",
    "board": "show the board again",
    "resign": "give up",
}
_ONLINE = {  # what is more, or otherwise, on a server
    "undo": "ask to take your last move back",
    "hint": "ask the machine; not against other people",
    "accept": "say yes to an offer",
    "decline": "say no to it",
    "clock": "how much time is left",
    "pause": "stop the clocks if the other agrees; again to let them run",
    "claim": "win over somebody who has gone",
    "why": "after the end: where it was lost",
    "rematch": "play again with sides changed, after the end",
    "link": "the address of this match, for others to watch",
    "quit": "leave; the same tengen join goes on with the game",
}
_SHORT = {"?": "help", "h": "help", "q": "quit", "exit": "quit", "u": "undo", "p": "pass", "done": "accept"}
_NAMES = {name.split()[0].lower() for name in (*_PLAYING, *_ALWAYS)}
_AGREEING_NAMES = {name.lower() for name in _AGREEING if name.islower()} | {
    name.split()[0] for name in _ALWAYS
}
_ONLINE_SHORT = {"yes": "accept", "y": "accept", "no": "decline", "n": "decline", "takeback": "undo"}

_DOES = 14  # the column in which it stands what a command does
_LEADING = re.compile(r"(?:play|move|claim|place|put|go)\s+", re.IGNORECASE)
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−→", "-"))


def read_command(line: str, *, agreeing: bool = False, online: bool = False) -> Command | None:
    """The command of a line, None when it is something else."""
    word, _, rest = line.strip().partition(" ")
    short = _SHORT | _ONLINE_SHORT if online else _SHORT
    name = short.get(word.lower(), word.lower())
    known = _known(agreeing, online)
    return Command(name, rest.strip()) if name in known and (name == "save" or not rest.strip()) else None


def _known(agreeing: bool, online: bool) -> set[str]:
    return (_AGREEING_NAMES if agreeing else _NAMES) | (set(_ONLINE) if online else set())


def read_move(game: Game, line: str) -> str:
    """The line as `Game.parse` likes it."""
    text = _LEADING.sub("", line.strip().translate(_DASHES), count=1)
    text = re.sub(r"\s+to\s+", "-", text, flags=re.IGNORECASE)
    return game.table.read(text)


def meant(line: str, *, agreeing: bool = False, online: bool = False) -> str | None:
    """The command that a mistyped word was probably meant to be."""
    word = line.strip().split(" ")[0].lower()
    if len(word) < 3 or not word.isalpha():
        return None
    close = get_close_matches(word, _known(agreeing, online), n=1)
    return close[0] if close else None


def help_lines(game: Game, width: int = 80, *, agreeing: bool = False, online: bool = False) -> list[str]:
    """A command in a line, broken to that width below what it does."""
    if agreeing:
        rows = {**_AGREEING, **_ALWAYS}
    else:
        playing = {name: text for name, text in _PLAYING.items() if game.table.passes or name != "pass"}
        rows = {**game.table.move_examples, **playing, **_ALWAYS}
    if "sgf" in game.records.formats:
        rows["save FILE"] += ", SGF if its name ends in .sgf"
    if online:
        rows |= {name: text for name, text in _ONLINE.items() if not agreeing or name in ("clock", "quit")}
    indent = " " * min(_DOES, width // 2)
    return [
        line
        for name, text in rows.items()
        for line in textwrap.wrap(
            f"  {name:{_DOES - 3}} {text}", max(width, 20), subsequent_indent=indent, break_long_words=False
        )
    ]
