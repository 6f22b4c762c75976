"""The games of an SGF text and the parse tree of one, after mending what people's files get wrong.

All text is UTF-8 here. Nothing is parsed before it is known not to take too much memory. A regular expression
keeps every other thread waiting until it has ended, so none runs over a whole file that strangers may send:
each search has an end that is near. Start reading at `split` and `parse`.
"""

from __future__ import annotations

import contextlib
import re
from typing import Any

from sgfmill import sgf_grammar

from tengen.records.record import RecordError

VALUES_A_NODE = 5
MOST_BRACKETS = 2_000_000  # of a collection: a hundred thousand games with variations

# A game begins with (; or, where a program forgot that, with a property of the root, whose name old programs
# wrote out with small letters in between: GaMe.
_ROOT = b"FF GM SZ CA AP ST VW KM RU HA RE PB PW BR WR DT EV GN PC SO US AB AW PL B W C TENGEN".split()
_LONG = b"|".join(b"".join(b"%c[a-z]*" % letter for letter in name) for name in _ROOT)
_START = re.compile(rb"\(\s*(?:;|(?=(?:%b|%b)\s*\[))" % (_LONG, b"|".join(_ROOT).lower()))
# One that is never closed goes to the end of the text, so that a search takes linear time.
_VALUE = re.compile(rb"\[[^\\\]]*(?:\\.[^\\\]]*)*(?:\]|\\?\Z)", re.DOTALL)
_CLOSED = re.compile(rb"\[[^\\\]]*(?:\\.[^\\\]]*)*\]", re.DOTALL)
_MENDED = re.compile(_VALUE.pattern + rb"|[A-Za-z]+|\(\s*(?=[A-Za-z])", re.DOTALL)
# What a text that breaks the grammar is made of: values, names before a value, and what holds them together.
_PART = re.compile(
    _VALUE.pattern + rb"|(?<![A-Za-z0-9_])(?P<name>[A-Za-z][A-Za-z0-9_]{0,63}+)(?=\s*+\[)|[;()]", re.DOTALL
)
_AFTER_VALUE = re.compile(rb"\s*+(?:[;()\[]|[A-Z][A-Za-z]{0,63}+\s*+\[|\Z)")
_NODE = re.compile(rb";\s*+[A-Za-z]{1,64}+\s*+\[")
_NO_TEXT = {b"B", b"W", b"AB", b"AW", b"AE", b"PL", b"SZ", b"GM", b"FF", b"KM", b"HA"}  # no bracket within
MOST_MENDED = 1 << 20  # bytes: this goes part by part
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

    Names in small letters, a missing `;` and brackets that are not closed are mended; of a text that is none
    even then, what is no part of SGF is left out.
    """
    _check_size(data, max_nodes)
    try:
        return sgf_grammar.parse_sgf_game(_mended(data))
    except ValueError as error:
        if len(data) <= MOST_MENDED and b"[" in (sifted := _sifted(data)):
            with contextlib.suppress(ValueError):
                return sgf_grammar.parse_sgf_game(_mended(sifted))
        raise RecordError(f"The SGF text cannot be read: {error}.") from None


def _mended(data: bytes) -> bytes:
    """With names in capitals, a `;` after each bracket, and the brackets that are missing at the end."""
    data = _MENDED.sub(_mend, data)
    tokens, end = sgf_grammar.tokenise(data)
    brackets = [token for kind, token in tokens if kind == "D"]
    open_count = brackets.count(b"(") - brackets.count(b")")
    if open_count > 0 and not data[end:].strip(b" \t\r\n\0\x1a"):
        return data[:end] + b")" * open_count
    return data


def _sifted(data: bytes) -> bytes:
    """What is SGF in the text: names that have values, values that have a name, and what is between them.

    A bracket in a comment that should have been escaped is one of the comment if what follows shows that.
    """
    parts: list[bytes] = []
    name, at = b"", 0
    while (found := _PART.search(data, at)) is not None:
        part, at = found[0], found.end()
        if found["name"] is not None:
            name = part if part.isalpha() else b""
            parts.append(name)
        elif part[:1] == b"[":
            if at == len(data) and _CLOSED.fullmatch(part) is None:
                part = part.removesuffix(b"\\") + b"]"  # the file was cut off
                if part == b"[]" and name and parts[-1] == name:
                    parts.pop()
                    break
            while name and name not in _NO_TEXT and _AFTER_VALUE.match(data, at) is None:
                end = data.find(b"]", at)
                if end < 0 or _NODE.search(data, at, end) is not None:
                    break
                part, at = part[:-1] + b"\\" + data[at - 1 : end + 1], end + 1
            parts.append(part if name else b"")
        elif part == b")" and parts[-1:] == [b"("]:
            parts.pop()  # a variation without a node
        else:
            name = b""
            parts.append(part)
    return b"".join(parts)


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
