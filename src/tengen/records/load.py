"""Reading a game in whatever format it is: our JSON record or SGF, from a file or from text."""

from __future__ import annotations

import os
from pathlib import Path

from tengen.records.record import Record, RecordError, read_limited, write_atomic
from tengen.records.sgf import MAX_NODES, read_sgf, write_sgf
from tengen.records.tree import GameTree

Source = str | bytes | os.PathLike[str]


def load_any(source: Source) -> Record:
    """The record in a file or a text. Of an SGF tree that is its main line; raises RecordError.

    A string that begins with `{` or has `(;` in it is text, any other is the name of a file.
    """
    data = _data(source)
    return Record.from_json(data) if _is_json(data) else read_sgf(data).record()


def load_tree(source: Source, *, max_nodes: int = MAX_NODES) -> GameTree:
    """The same with all variations, for review; illegal moves in it are found when they are looked at.

    One with more nodes than that is refused.
    """
    data = _data(source)
    if not _is_json(data):
        return read_sgf(data, max_nodes=max_nodes)
    record = Record.from_json(data)
    if len(record.moves) >= max_nodes:
        raise RecordError(f"The record has more than {max_nodes} moves.")
    return GameTree.from_record(record)


def save_any(game: Record | GameTree, path: str | os.PathLike[str]) -> None:
    """Writes SGF when the name ends in .sgf, else the JSON record."""
    if Path(path).suffix.lower() == ".sgf":
        write_atomic(path, write_sgf(game).encode())
    else:
        (game.record() if isinstance(game, GameTree) else game).save(path)


def _data(source: Source) -> str | bytes:
    if isinstance(source, bytes):
        return source
    if isinstance(source, str):
        start = source.lstrip("\ufeff \t\r\n")
        if start.startswith("{") or "(;" in start or not start:
            return source
        if "\n" in start or len(start) > 4096:
            raise RecordError("The text is neither a JSON record nor SGF.")
    return read_limited(source)


def _is_json(data: str | bytes) -> bool:
    if isinstance(data, bytes):
        return data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")
    return data.lstrip("\ufeff \t\r\n").startswith("{")
