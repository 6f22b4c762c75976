"""What encoding the text of an SGF file is in, which it often does not say or says wrongly.

A name of two letters is all that many files have, too little for detectors that know languages as a whole. So
the encodings of East Asia are told apart by how familiar their characters are: those that each standard put
first because they are common, kana, and words of the game. What looks like none of them goes to
charset-normalizer, which knows alphabets. Start reading at `decode`.
"""

from __future__ import annotations

import codecs
import json
import re
import unicodedata
from collections.abc import Sequence
from functools import partial
from pathlib import Path

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
_UTF16 = ((re.compile(rb"(?:[^\0]\0)*?\(\0"), "utf-16-le"), (re.compile(rb"(?:\0[^\0])*?\0\("), "utf-16-be"))
# All ASCII, with signs that say where another alphabet begins and ends.
_SHIFTED = (
    (re.compile(rb"\x1b\$[@B][^\x1b]{2,2000}\x1b\([BJ]"), "iso2022_jp"),
    (re.compile(rb"\x1b\$\)C[^\x0e]{0,2000}\x0e"), "iso2022_kr"),
    (re.compile(rb"~\{(?:[!-w][!-~]){1,1000}~\}"), "hz"),
)

_SAMPLE = 1 << 16  # bytes that are judged, from the first on that is not ASCII
_HIGH = re.compile(rb"[\x80-\xff]")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_WITHIN_A_WORD = re.compile(r"(?<=[A-Za-z])[^\x00-\x7f][a-z]?")
_SIGN_IN_A_WORD = re.compile(r"(?<=[a-z])[^\x00-\x7f](?=[a-z])")
_RUNS = re.compile(r"[^\x00-\x7f]+")
_WESTERN = {"cp1252", "iso8859-15", "mac-roman", "cp437", "cp850"}
_LETTERS = re.compile(rb"[^\]\[]{0,200}[\x80-\xff][^\]\[]{0,200}")
_ENOUGH = 8  # letters that are no Western ones, for a file that says that they are
_BROKEN = -3.0  # what a character is worth that cannot be one
_BROKEN_SHARE = 0.05  # of the characters that may be broken in a text that says what it is in, and
_BROKEN_UTF8 = 0.25  # in one of UTF-8, which other encodings hardly ever look like: names that were cut off
_DOUBTFUL = 0.45  # a text of East Asia is more familiar than that
_SURE = 0.6  # and one that contradicts what the file says is, and
_MORE = 0.25  # this much more than as what the file says
ALPHABETS = ("cp1252", "cp1251", "cp1250", "koi8_r", "cp1253", "cp1254")  # in the order of trust
DEFAULT = "cp1252"  # the superset of Latin-1, SGF's own default

# Data that the page reads too (web/src/engine/records/encoding.ts). By encoding: rows of its table by the
# first byte as [from, to) with what a character there is worth, and characters that are common in names,
# titles and comments of games, which are worth 1.
_TABLES = json.loads(Path(__file__).with_name("encodings.json").read_text("utf-8"))
_ROWS: dict[str, list[tuple[int, int, float]]] = _TABLES["rows"]
_FAMILIAR = {name: frozenset("".join(lines)) for name, lines in _TABLES["familiar"].items()}
_FAMILIAR["cp932"] = _FAMILIAR["euc_jp"] = _FAMILIAR["japanese"]


def decode(data: bytes) -> str:
    """The text of a file: by its byte order mark, its CA property, as UTF-8, or as what it looks like."""
    for mark, name in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(name, "replace")
    for start, name in _UTF16:
        if start.match(data):
            return data.decode(name, "replace")
    at = max(data.find(b"("), 0)
    stated = _CHARSET.search(data, at, at + _CHARSET_WITHIN)
    chosen = "" if stated is None else _known_charset(stated[1].decode("ascii"))
    sample = _sample(data)
    if not chosen and sample is None:
        chosen = next((name for signs, name in _SHIFTED if signs.search(data[:_SAMPLE])), "")
    if chosen and sample is not None and (truly := _contradicted(sample, chosen)):
        return data.decode(truly, "replace")
    candidates = list(dict.fromkeys(filter(None, (chosen, "utf-8"))))
    for name in candidates:
        try:
            return data.decode(name)
        except UnicodeError:
            continue
    sample = sample or data
    for name in candidates:
        text = sample.decode(name, "replace")
        share = _BROKEN_UTF8 if name == "utf-8" else _BROKEN_SHARE
        if text.count("\ufffd") <= share * len(_NOT_ASCII.findall(text)):
            return data.decode(name, "replace")
    return data.decode(detect(sample), "replace")


def _contradicted(sample: bytes, chosen: str) -> str:
    """The encoding that the text is really in where that is plainly not what the file says, else empty.

    Programs write the CA of their own country into files from others, or keep the one of a file that they
    save as UTF-8. A Western or an East Asian name is doubted; other alphabets look like Chinese themselves.
    """
    if chosen == "utf-8" or chosen not in {*_ROWS, *_WESTERN}:
        return ""
    if _is_utf8(sample) and (chosen in _WESTERN or _worth_of(sample, chosen) < _SURE):
        return "utf-8"
    if chosen in _WESTERN and _looks_western(sample.decode(chosen, "replace")):
        return ""
    best, worth = _likeliest(sample)
    own = 0.0 if chosen in _WESTERN else _worth_of(sample, chosen)
    if worth > _SURE and worth - own > _MORE:
        return best
    enough = chosen not in _WESTERN or len(_HIGH.findall(sample)) >= _ENOUGH
    return _alphabet(sample) if own <= 0 and worth <= _DOUBTFUL and enough else ""


def _is_utf8(sample: bytes) -> bool:
    """Whether it is; the end of a sample may be within a letter."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeError:
        return False
    return True


def _looks_western(text: str) -> bool:
    """Whether most of what is not ASCII are letters that stand alone, as in Köln or Besançon."""
    found = _NOT_ASCII.findall(text)
    alone = [run for run in _RUNS.findall(text) if len(run) == 1 and unicodedata.category(run)[0] == "L"]
    return len(alone) >= len(found) / 2


def _sample(data: bytes) -> bytes | None:
    """The part to judge by, None when all is ASCII."""
    first = _HIGH.search(data)
    return None if first is None else data[max(0, first.start() - 1) :][:_SAMPLE]


def _known_charset(stated: str) -> str:
    try:
        name = codecs.lookup(stated).name
    except (LookupError, ValueError):
        return ""
    if name not in _CHARSETS or name.startswith("utf-16"):  # a file in that has been told by its first bytes
        return ""
    return _SUPERSETS.get(name, name)


def detect(data: bytes) -> str:
    """The likeliest encoding, by Python's name, of bytes that are neither ASCII nor UTF-8."""
    best, worth = _likeliest(data)
    return best if worth > _DOUBTFUL else _alphabet(data)


def _likeliest(data: bytes) -> tuple[str, float]:
    """The encoding of East Asia that fits best, and how well."""
    worth = {name: _worth_of(data, name) for name in _ROWS}
    best = max(worth, key=worth.__getitem__)
    return best, worth[best]


def _worth_of(data: bytes, name: str) -> float:
    return _familiarity(data.decode(name, "replace"), name)


def _alphabet(data: bytes) -> str:
    from charset_normalizer import from_bytes  # here, as it takes a tenth of a second

    sample = b" ".join(_LETTERS.findall(data)[:100])
    if _strange(sample, DEFAULT):
        return min(ALPHABETS, key=partial(_strange, sample))
    found = from_bytes(sample, cp_isolation=list(ALPHABETS))
    usual = next((one for one in found if one.encoding == DEFAULT), None)
    best = found.best()
    if best is None or (
        usual is not None and usual.chaos <= best.chaos and usual.coherence >= best.coherence
    ):
        return DEFAULT
    return best.encoding


def _strange(sample: bytes, name: str) -> int:
    """How many signs there are that are no Latin letters in the middle of Latin words: Wroc³aw is Wrocław."""
    found = _SIGN_IN_A_WORD.findall(sample.decode(name, "replace"))
    return sum(not unicodedata.name(sign, "").startswith("LATIN") for sign in found)


def _familiarity(text: str, name: str) -> float:
    """How common the characters are on average, up to 1; a broken one counts against all others.

    So does one in the middle of a Latin word: that is a letter of another alphabet, read with the one after.
    """
    found = _NOT_ASCII.findall(text)
    value = partial(_worth, name=name, familiar=_FAMILIAR[name], rows=_ROWS[name])
    known = {char: value(char) for char in set(found)}
    total = sum(known[char] for char in found)
    for char in _WITHIN_A_WORD.findall(text):
        if char[-1:].islower() or char[0].encode(name, "replace")[-1:].islower():
            total += _BROKEN - known[char[0]]
    return total / len(found) if found else 0.0


def _worth(char: str, name: str, familiar: frozenset[str], rows: Sequence[tuple[int, int, float]]) -> float:
    if char == "\ufffd":
        return _BROKEN
    if char in familiar:
        return 1.0
    raw = char.encode(name, "replace")
    if len(raw) != 2:
        return -0.3  # half-width kana, and the far ends of large tables
    if name in ("gb18030", "cp949") and raw[1] < 0xA1:
        return -0.3  # what came to the table later
    return next((worth for low, high, worth in rows if low <= raw[0] < high), -0.3)
