"""Unfinished games on disk, so that a game that was left can go on: a file each in the user's data folder.

The file holds the match's setup and its log, and the words that the seats were asked for with. It is written
after every event, as a whole or not at all, and goes away when the game has ended.
"""

from __future__ import annotations

import contextlib
import json
import secrets
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tengen.game import InvalidOption
from tengen.match import Event, Match, MatchError, Setup
from tengen.records import Player, Record, RecordError, Result, save_any
from tengen.records.record import read_limited, save_file
from tengen.terminal.screen import Screen
from tengen.terminal.variations import Tried

FORMAT = "tengen-unfinished-game"
VERSION = 1


@dataclass(frozen=True)
class Unfinished:
    path: Path
    match: Match
    seats: tuple[str, str]
    tried: Tried


def folder() -> Path:
    """Where unfinished games are kept; it may not exist yet."""
    from platformdirs import user_data_path

    return user_data_path("tengen", appauthor=False) / "unfinished"


def new_path(game: str) -> Path:
    stamp = time.strftime("%Y-%m-%d-%H%M%S")
    return folder() / f"{stamp}-{game}-{secrets.token_hex(2)}.json"


def keep(path: Path, match: Match, seats: tuple[str, str], tried: Tried) -> None:
    """Raises RecordError when it cannot be written."""
    content: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "seats": list(seats),
        "setup": match.setup.to_json(),
        "events": [event.to_json() for event in match.events],
    }
    if tried.branches:
        content["tried"] = tried.lines()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RecordError(f"Cannot keep games in {path.parent}: {error.strerror}.") from None
    save_file(path, json.dumps(content).encode())


def discard(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()


def unfinished(game: str | None = None) -> list[Path]:
    """The files of games that were left, the last one first."""
    try:
        found = [path for path in folder().glob("*.json") if game is None or f"-{game}-" in path.name]
        return sorted(found, key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:
        return []


def is_unfinished(path: Path) -> bool:
    """Whether that is one of the games that were left."""
    return path.absolute().parent == folder().absolute()


def load(path: Path) -> Unfinished:
    """Raises RecordError when the file cannot be used."""
    data = read_limited(path)
    try:
        content: Any = json.loads(data)
        if content["format"] != FORMAT or content["version"] != VERSION:
            raise RecordError(f"{path} is not an unfinished game of this version of tengen.")
        first, second = content["seats"]
        match = Match.replay(Setup.from_json(content["setup"]), map(Event.from_json, content["events"]))
        tried = Tried.since(match.setup.first_state())
        tried.add_lines([(int(seat), str(text)) for seat, text in line] for line in content.get("tried", []))
        return Unfinished(path, match, (str(first), str(second)), tried)
    except RecordError:
        raise
    except (InvalidOption, MatchError) as error:
        raise RecordError(f"{path} cannot be played on: {error}") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise RecordError(f"{path} is damaged and cannot be played on.") from None


def write_record(match: Match, path: Path, tried: Tried | None = None) -> None:
    """The game so far as a record, or with its variations as SGF; raises RecordError."""
    players = [Player(one.name, kind=one.kind) for one in match.setup.seats]
    result = None if match.outcome is None else Result.of(match.outcome)
    if tried is not None and tried.branches and path.suffix.lower() == ".sgf":
        tried.put_first()
        save_any(replace(tried.tree, players=(players[0], players[1]), result=result), path)
        return
    record = Record.from_state(
        match.state,
        players=(players[0], players[1]),
        result=result,
        events=tuple(event.to_json() for event in match.events),
    )
    save_any(record, path)


def check_new(path: Path) -> None:
    """Raises RecordError where a file cannot be written, or is there already, before the work begins."""
    folder = path.absolute().parent
    if not folder.is_dir():
        raise RecordError(f"Cannot write {path}: there is no folder {path.parent}.")
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise RecordError(f"Cannot write {path}: {error.strerror}.") from None
    if path.exists():
        raise RecordError(f"{path} is there already: choose another name.")


def write_asked(name: str, screen: Screen, write: Callable[[Path], None]) -> str | None:
    """Writes a file that a person named; the sentence that says how it went, None if they thought better."""
    try:
        path = named(name)
        if path.is_dir():
            return f"{path} is a folder: give the file a name."
        there = path.exists()
    except RecordError as error:
        return str(error)
    except OSError as error:  # a name that is too long, a folder that one may not look into
        return f"Cannot write {name}: {error.strerror}."
    if there and not screen.confirm(f"{path} exists. Replace it?"):
        return None
    try:
        write(path)
    except RecordError as error:
        return str(error)
    return f"Saved to {path}."


def named(name: str) -> Path:
    """The file that a person means; raises RecordError where none can have that name."""
    if "\0" in name:
        raise RecordError(f"{name!r} cannot be the name of a file.")
    try:
        return Path(name).expanduser()
    except RuntimeError:
        raise RecordError(f"{name}: there is no user of that name.") from None
