"""Small words that sentences of every game are made with."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Sequence


def number(value: float) -> str:
    """A score without a needless .0."""
    return f"{value:g}"


def count(amount: int, thing: str) -> str:
    return f"{amount} {thing}{'' if amount == 1 else 's'}"


def listed(words: Sequence[str]) -> str:
    """`4`, `4 and 6`, `4, 6 and 8`."""
    return " and ".join((", ".join(words[:-1]), words[-1])) if len(words) > 1 else "".join(words)


def points(score: Sequence[float]) -> str:
    return f"{number(score[0])} to {number(score[1])}"


_SIGNS = str.maketrans({"½": " 1/2", "¼": " 1/4", "¾": " 3/4", "−": "-"})
_NUMERALS = "一二三四五六七八九"
_NUMERAL = re.compile(rf"[{_NUMERALS}](?=\s*[目子又点點])")
_PARTS = re.compile(r"([二四])分之([一三])")


def plain_numbers(text: str) -> str:
    """The text in small letters with numbers as digits and fractions as 3/4: 三又四分之三子 is 3又3/4子."""
    text = unicodedata.normalize("NFKC", text.translate(_SIGNS)).replace("⁄", "/").lower()
    text = _PARTS.sub(lambda found: f"{_digit(found[2])}/{_digit(found[1])}", text)
    return _NUMERAL.sub(lambda found: str(_digit(found[0])), text)


def _digit(numeral: str) -> int:
    return _NUMERALS.index(numeral) + 1


def read_number(text: str) -> float | None:
    """The first number in the text, with a comma or a point."""
    found = re.search(r"[-+]?\d{1,9}(?:[.,]\d{0,9})?|[-+]?[.,]\d{1,9}", text)
    if found is None:
        return None
    value = float(found[0].replace(",", "."))
    return value if math.isfinite(value) else None
