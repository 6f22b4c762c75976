"""Questions with a few answers: which game, how large, against whom. Left is raised when one goes."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from tengen.facets.words import count
from tengen.game import InvalidOption
from tengen.games import game_class, games
from tengen.records import RecordError
from tengen.search.levels import levels
from tengen.terminal import saving
from tengen.terminal.names import machine_name
from tengen.terminal.screen import Left, Screen

NET = ("net", "neural net", "brain", "n")
LEAVING = ("q", "quit", "exit")
MOST_KEPT = 20  # games that are offered to go on with


def _answer(screen: Screen, prompt: str) -> str:
    answer = screen.read(prompt).strip().lower()
    if answer in LEAVING:
        raise Left
    return answer


def ask_number(screen: Screen, prompt: str, most: int, names: Sequence[str]) -> int:
    """A number from 1 to `most`, or a name; returned from 0 on."""
    while True:
        answer = _answer(screen, prompt)
        if answer.isdecimal() and 1 <= int(answer) <= most:
            return int(answer) - 1
        if answer in names:
            return list(names).index(answer)
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


def ask_size(screen: Screen, name: str) -> int | None:
    """The size of the board in a game that is asked for it; None elsewhere."""
    kind = game_class(name)
    if not kind.look_kind.asks_size:
        return None
    offered = [str(size) for size in kind.look_kind.sizes["size"]]
    option = next(option for option in kind.option_list if option.name == "size")
    choice = f"{', '.join(offered[:-1])} or {offered[-1]}"
    while True:
        answer = _answer(screen, f"Board size, {choice} (Enter for {offered[0]}): ") or offered[0]
        try:
            option.check(int(answer) if answer.isdecimal() else answer)
        except InvalidOption:
            screen.say(f"The size is a number from {option.minimum} to {option.maximum}.")
        else:
            return int(answer)


def ask_opponent(screen: Screen, game: str, otherwise: str, *, net: bool = False) -> str | None:
    """A level, or with `net` a neural net, as a player's text; None for what Enter means."""
    known = levels(game)
    if not known:
        return None
    offered = f"a level from 1 to {len(known)}{', or net for a neural net' if net else ''}"
    screen.say(f"Your opponent: {offered}; Enter for {otherwise}.")
    while True:
        answer = _answer(screen, "Opponent: ")
        if not answer:
            return None
        if answer.isdecimal() and 1 <= int(answer) <= len(known):
            return f"level:{answer}"
        if net and answer in NET:
            return "brain:latest"
        screen.say(f"The level is a number from 1 to {len(known)}{', or net' if net else ''}.")


def has_brain(game: str) -> bool:
    """Whether a neural net can play that game here."""
    from tengen.brains.info import BrainError
    from tengen.brains.store import LATEST, BrainStore

    try:
        BrainStore().entry(game, LATEST)
    except BrainError:  # none, or nothing to run it with
        return False
    return True


def ask_kept(screen: Screen, paths: Sequence[Path]) -> Path:
    """One of the games that were left; the last for Enter."""
    screen.say("Which game?")
    for number, path in enumerate(paths[:MOST_KEPT], start=1):
        screen.say(f"  {number}  {kept_words(path)}")
    shown = min(len(paths), MOST_KEPT)
    while True:
        answer = _answer(screen, f"Number, 1 to {shown} (Enter for the last, 1): ") or "1"
        if answer.isdecimal() and 1 <= int(answer) <= shown:
            return paths[int(answer) - 1]
        screen.say(f"Please type a number from 1 to {shown}.")


def kept_words(path: Path) -> str:
    """A game that was left, in a line."""
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(path.stat().st_mtime))
    try:
        kept = saving.load(path)
    except RecordError as error:
        return f"{when}  {error}"
    moves = sum(event.kind == "move" for event in kept.match.line)
    size = kept.match.game.table.size_words
    title = f"{kept.match.game.title} {size}".rstrip()
    players = " against ".join(machine_name(seat) for seat in kept.seats)
    return f"{when}  {title}, {players}, {count(moves, 'move')}"
