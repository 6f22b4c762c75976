"""What the values of SGF properties mean to us, read as files really have them: text encodings, komi, rules,
results, points. Nothing here raises for a value that makes no sense: it is as if it were not there.
"""

from __future__ import annotations

import codecs
import math
import re
from collections.abc import Iterable
from functools import lru_cache

from tengen.game import OptionValue
from tengen.games._grid import cell_name
from tengen.records.record import Result

SGF_LETTERS = "abcdefghijklmnopqrs"

_CHARSET = re.compile(rb"CA\s*\[\s*([A-Za-z0-9_.:-]{1,40})\s*\]")
_CHARSET_WITHIN = 4096  # bytes from the start of the game; it is a root property
# What a file may choose, by Python's names. Others that Python knows (idna, unicode_escape) are not for text.
_CHARSETS = {
    *("ascii", "utf-8", "utf-16", "utf-16-be", "utf-16-le", "big5", "big5hkscs", "cp950"),
    *("gb2312", "gbk", "gb18030", "hz", "shift_jis", "cp932", "euc_jp", "iso2022_jp", "euc_kr", "cp949"),
    *("johab", "koi8-r", "koi8-u", "mac-roman", "cp437", "cp850", "cp866", "cp874", "tis-620"),
    *(f"iso8859-{part}" for part in range(1, 17)),
    *(f"cp{page}" for page in range(1250, 1259)),
}
# Names that files use for an encoding whose superset they really contain.
_SUPERSETS = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "ascii": "utf-8",
}
_SUPERSETS |= {"iso8859-1": "cp1252", "big5": "big5hkscs"}

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


def decode(data: bytes) -> str:
    """The text of a file: by its byte order mark, its CA property, as UTF-8, or as Latin-1, SGF's default."""
    for mark, name in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(name, "replace")
    start = max(data.find(b"("), 0)
    stated = _CHARSET.search(data, start, start + _CHARSET_WITHIN)
    name = "" if stated is None else _known_charset(stated[1].decode("ascii"))
    for candidate in (name, "utf-8"):
        if candidate:
            try:
                return data.decode(candidate)
            except UnicodeError:
                continue
    return data.decode(name or "cp1252", "replace")


def _known_charset(stated: str) -> str:
    try:
        name = codecs.lookup(stated).name
    except (LookupError, ValueError):
        return ""
    if name not in _CHARSETS or name.startswith(
        "utf-16"
    ):  # such a file could not have been searched as bytes
        return ""
    return _SUPERSETS.get(name, name)


def read_point(text: str, size: int) -> str:
    """The name of the point, `pass`, or the text as it is when it is neither.

    An empty value is a pass, and so is tt on boards up to 19×19. Capitals and names such as Q16 are seen.
    """
    word = text.strip()
    low = word.lower()
    if low in ("", "pass") or (low == "tt" and size <= 19):
        return "pass"
    if len(low) == 2 and low[0] in SGF_LETTERS[:size] and low[1] in SGF_LETTERS[:size]:
        return cell_name(SGF_LETTERS.index(low[1]) * size + SGF_LETTERS.index(low[0]), size)
    return word


def read_cells(values: Iterable[str], size: int) -> set[int] | None:
    """The cells of a list of points, where aa:cc is a rectangle; None when one cannot be read."""
    cells: set[int] = set()
    for value in {value.strip().lower() for value in values}:
        found = _rectangle(value, size)
        if found is None:
            return None
        cells.update(found)
    return cells


@lru_cache
def _rectangle(value: str, size: int) -> tuple[int, ...] | None:
    corners = [word.strip() for word in value.split(":", 2)]
    if corners == [""]:
        return ()
    letters = SGF_LETTERS[:size]
    if len(corners) > 2 or not all(len(c) == 2 and c[0] in letters and c[1] in letters for c in corners):
        return None
    columns = sorted(letters.index(corner[0]) for corner in corners)
    rows = sorted(letters.index(corner[1]) for corner in corners)
    return tuple(
        row * size + column
        for row in range(rows[0], rows[-1] + 1)
        for column in range(columns[0], columns[-1] + 1)
    )


def write_point(cell: int, size: int) -> str:
    return SGF_LETTERS[cell % size] + SGF_LETTERS[cell // size]


def read_number(text: str) -> float | None:
    """The first number in the text, with a comma or a point."""
    found = re.search(r"[-+]?\d{1,9}(?:[.,]\d{0,9})?|[-+]?[.,]\d{1,9}", text)
    if found is None:
        return None
    value = float(found[0].replace(",", "."))
    return value if math.isfinite(value) else None


def read_komi(text: str) -> float:
    """Points for White. Some servers write hundredths (650), some Chinese stones (3.75 for 7.5 points)."""
    komi = read_number(text)
    if komi is None:
        return 0.0
    if abs(komi) >= 100:
        komi /= 100
    if abs(komi * 2) % 1 == 0.5:
        komi *= 2
    return komi if abs(komi) <= 400 else 0.0


def read_rules(text: str) -> dict[str, OptionValue]:
    """The options ko and scoring by the name of a rule set; Japanese when it says nothing that we know.

    Situational superko (AGA, New Zealand) is read as our positional one.
    """
    low = text.lower().replace("_", " ").replace("-", " ")
    area = re.search(r"chin|aga|zealand|\bnz\b|goe|ing\b|tromp|french|bga|area|stone scoring|中国|中國", low)
    territory = re.search(r"japan|korea|territory|日本|韩国|한국", low)
    scoring = "area" if area and not territory else "territory"
    ko = "superko" if scoring == "area" else "simple"
    if re.search(r"super ?ko|kopositional|kosituational", low):
        ko = "superko"
    elif re.search(r"simple ?ko|kosimple", low):
        ko = "simple"
    return {"ko": ko, "scoring": scoring}


def write_rules(ko: str, scoring: str) -> str:
    """What `read_rules` reads back."""
    if scoring == "area":
        return "Chinese" if ko == "superko" else "Chinese, simple ko"
    return "Japanese" if ko == "simple" else "Japanese, superko"


_RESULT = re.compile(r"(b|w|black|white)\s*(?:\+|wins?\s*(?:by|on)?)\s*(.*)", re.DOTALL)
_WINNERS = (("黑", 0), ("黒", 0), ("흑", 0), ("白", 1), ("백", 1))


def read_result(text: str) -> Result | None:
    """The result by SGF's RE; None when it is not known or not understood."""
    low = text.strip().lower()
    if low in ("0", "draw", "jigo", "tie", "和棋", "持碁"):
        return Result(None, "agreement")
    if low in ("void", "no result", "noresult"):
        return Result(None, "void")
    found = _RESULT.match(low)
    if found is not None:
        return _won(0 if found[1][0] == "b" else 1, found[2])
    for word, seat in _WINNERS:
        if low.startswith(word):
            return _won(seat, "resign" if re.search("中[盘盤押]|불계", low) else low)
    return None


def _won(seat: int, how: str) -> Result:
    if how.startswith("r"):
        return Result(seat, "resign")
    if how.startswith("t"):
        return Result(seat, "time")
    if how.startswith("f"):
        return Result(seat, "forfeit")
    return Result(seat, "score", margin=read_number(how))


def write_result(result: Result, scored: bool) -> str:
    """SGF's RE. `scored` says whether the winner is the side with more points, so that the margin is one."""
    if result.winner is None:
        return "Void" if result.reason in ("void", "repetition") else "0"
    letter = {"resign": "R", "time": "T", "forfeit": "F"}.get(result.reason, "")
    margin = result.margin
    if margin is None and result.score is not None and scored:
        margin = abs(result.score[0] - result.score[1])
    if not letter and margin is not None:
        letter = f"{margin:g}"
    return f"{'BW'[result.winner]}+{letter}"
