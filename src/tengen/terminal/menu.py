"""Questions with a few answers: which game, how large, against whom. Left is raised when one goes."""

from __future__ import annotations

from collections.abc import Sequence

from tengen.games import game_class, games
from tengen.search.levels import levels
from tengen.terminal.screen import Left, Screen


def ask_number(screen: Screen, prompt: str, most: int, names: Sequence[str]) -> int:
    """A number from 1 to `most`, or a name; returned from 0 on."""
    while True:
        answer = screen.read(prompt).strip().lower()
        if answer.isdecimal() and 1 <= int(answer) <= most:
            return int(answer) - 1
        if answer in names:
            return list(names).index(answer)
        if answer in ("q", "quit", "exit"):
            raise Left
        screen.say(f"Please type a number from 1 to {most}.")


def ask_game(screen: Screen, other: str = "") -> str | None:
    """The name of a game; None for the other choice that is offered below the games."""
    names = games()
    screen.say("Which game?")
    for number, name in enumerate(names, start=1):
        screen.say(f"  {number}  {game_class(name).title}")
    if other:
        screen.say(f"  {len(names) + 1}  {other}")
    choice = ask_number(screen, "Number: ", len(names) + bool(other), names)
    return None if choice == len(names) else names[choice]


def ask_size(screen: Screen) -> int:
    """The size of a Go board."""
    while True:
        answer = screen.read("Board size, 9, 13 or 19 (Enter for 9): ").strip()
        if not answer:
            return 9
        if answer.isdecimal() and 2 <= int(answer) <= 19:
            return int(answer)
        screen.say("The size is a number from 2 to 19.")


def ask_level(screen: Screen, game: str, otherwise: str) -> str | None:
    """A level as a player's text, None for what Enter means."""
    known = levels(game)
    if not known:
        return None
    while True:
        prompt = f"Level of your opponent, 1 to {len(known)} (Enter for {otherwise}): "
        answer = screen.read(prompt).strip()
        if not answer:
            return None
        if answer.isdecimal() and 1 <= int(answer) <= len(known):
            return f"level:{answer}"
        screen.say(f"The level is a number from 1 to {len(known)}.")
