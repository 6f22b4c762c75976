"""The games of an SGF text and the parse tree of one, after mending what people's files get wrong.

All text is UTF-8 here. Nothing is parsed before it is known not to take too much memory. A regular expression
keeps every other thread waiting until it has ended, so none runs over a whole file that strangers may send:
each search has an end that is near. Start reading at `split` and `parse`.
"""

from __future__ import annotations

import re
from typing import Any

from sgfmill import sgf_grammar

from tengen.records.record import RecordError

VALUES_A_NODE = 5
MOST_BRACKETS = 2_000_000  # of a collection: a hundred thousand games with variations

# A game begins with (; or, where a program forgot that, with a property of the root.
_START = re.compile(
    rb"\(\s*(?:;|(?=(?:FF|GM|SZ|CA|AP|KM|RU|HA|RE|PB|PW|BR|WR|DT|EV|GN|PC|AB|AW|PL|B|W|C|TENGEN)\s*\[))", re.I
)
# One that is never closed goes to the end of the text, so that a search takes linear time.
_VALUE = re.compile(rb"\[[^\\\]]*(?:\\.[^\\\]]*)*(?:\]|\\?\Z)", re.DOTALL)
_MENDED = re.compile(_VALUE.pattern + rb"|[A-Za-z]+|\(\s*(?=[A-Za-z])", re.DOTALL)
_TO_BRACKET = re.compile(rb"[^()\[]*+(?:" + _VALUE.pattern + rb"[^()\[]*+){0,500}+", re.DOTALL)


def split(data: bytes, max_nodes: int) -> list[bytes]:
    """The games of a collection, each from its first bracket to its last; RecordError when there is none."""
    games, at, brackets = [], 0, 0
    while (start := _START.search(data, at)) is not None:
        depth, opened, at = 0, 0, start.start()
        while True:
            at = _TO_BRACKET.match(data, at).end()  # type: ignore[union-attr]
            if at >= len(data):
                break
            if data[at] == 0x5B:  # there are more values than one search passes over
                continue
            opening = data[at] == 0x28
            depth += 1 if opening else -1
            opened += opening
            at += 1
            if opened > max_nodes:
                raise RecordError(f"The SGF text has more than {max_nodes} nodes.")
            if depth <= 0:
                break
        brackets += opened
        if brackets > MOST_BRACKETS:
            raise RecordError(f"The SGF text has more than {MOST_BRACKETS} games and variations.")
        games.append(data[start.start() : at])
    if not games:
        raise RecordError("This is not SGF: there is no game that begins with '(;'.")
    return games


def parse(data: bytes, max_nodes: int) -> Any:
    """sgfmill's parse tree of one game.

    Names in small letters, a missing `;` and brackets that are not closed are mended.
    """
    _check_size(data, max_nodes)
    data = _MENDED.sub(_mend, data)
    tokens, end = sgf_grammar.tokenise(data)
    brackets = [token for kind, token in tokens if kind == "D"]
    open_count = brackets.count(b"(") - brackets.count(b")")
    if open_count > 0 and not data[end:].strip(b" \t\r\n\0\x1a"):
        data = data[:end] + b")" * open_count
    try:
        return sgf_grammar.parse_sgf_game(data)
    except ValueError as error:
        raise RecordError(f"The SGF text cannot be read: {error}.") from None


def _mend(found: re.Match[bytes]) -> bytes:
    text = found[0]
    if text[:1] == b"(":
        return b"(;"
    return text.upper() if text[:1] != b"[" and text.islower() else text


def _check_size(data: bytes, max_nodes: int) -> None:
    semicolons = brackets = values = at = 0
    while (value := _VALUE.search(data, at)) is not None:
        semicolons += data.count(b";", at, value.start())
        brackets += data.count(b"(", at, value.start())
        values += 1
        at = value.end()
        if semicolons > max_nodes or brackets > max_nodes or values > VALUES_A_NODE * max_nodes:
            break
    else:
        semicolons += data.count(b";", at)
        brackets += data.count(b"(", at)
    if semicolons > max_nodes or brackets > max_nodes:
        raise RecordError(f"The SGF text has more than {max_nodes} nodes.")
    if values > VALUES_A_NODE * max_nodes:
        raise RecordError(f"The SGF text has more than {VALUES_A_NODE * max_nodes} values.")
