"""Reading a game in whatever format it is: our JSON record or SGF, from a file or from text."""

from __future__ import annotations

import os
import re
from pathlib import Path

from tengen.records.record import Record, RecordError, read_limited, save_file
from tengen.records.sgf import MAX_NODES, read_sgf, split_sgf, write_sgf
from tengen.records.tree import GameTree

_SGF = re.compile(r"\(\s*(?:;|[A-Za-z]+\s*\[)")

Source = str | bytes | os.PathLike[str]


def load_any(source: Source, number: int = 1) -> Record:
    """The record in a file or a text; raises RecordError.

    Of SGF that is the main line of the game with that number, up to a move that the rules forbid: see
    `GameTree.opened`. A string that begins with `{` or like SGF, or has `(;` in it, is text, any other is the
    name of a file.
    """
    data = _data(source)
    return _json_record(data, number) if _is_json(data) else read_sgf(data, number=number).opened()


def load_tree(source: Source, number: int = 1, *, max_nodes: int = MAX_NODES) -> GameTree:
    """The same with all variations, for review; illegal moves in it are found when they are looked at.

    `games` of the tree says how many the file has. One with more nodes than that is refused.
    """
    data = _data(source)
    if not _is_json(data):
        return read_sgf(data, number=number, max_nodes=max_nodes)
    record = _json_record(data, number)
    if len(record.moves) >= max_nodes:
        raise RecordError(f"The record has more than {max_nodes} moves.")
    return GameTree.from_record(record)


def count_games(source: Source) -> int:
    """How many games a file or a text has, each of which `load_any` and `load_tree` read by its number."""
    data = _data(source)
    return 1 if _is_json(data) else len(split_sgf(data))


def _json_record(data: str | bytes, number: int) -> Record:
    if number != 1:
        raise RecordError(f"There is no game {number}: a JSON record has one.")
    return Record.from_json(data)


def save_any(game: Record | GameTree, path: str | os.PathLike[str]) -> None:
    """Writes SGF when the name ends in .sgf, else the JSON record."""
    if Path(path).suffix.lower() == ".sgf":
        save_file(path, write_sgf(game).encode())
    else:
        (game.record() if isinstance(game, GameTree) else game).save(path)


def _data(source: Source) -> str | bytes:
    if isinstance(source, bytes):
        return source
    if isinstance(source, str):
        start = source.lstrip("\ufeff \t\r\n")
        if start.startswith("{") or "(;" in start or _SGF.match(start) or not start:
            return source
        if "\n" in start or len(start) > 4096:
            raise RecordError("The text is neither a JSON record nor SGF.")
    return read_limited(source)


def _is_json(data: str | bytes) -> bool:
    if isinstance(data, bytes):
        return data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")
    return data.lstrip("\ufeff \t\r\n").startswith("{")
