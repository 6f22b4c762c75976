"""Small words that sentences of every game are made with."""

from __future__ import annotations

import math
import re
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


def read_number(text: str) -> float | None:
    """The first number in the text, with a comma or a point."""
    found = re.search(r"[-+]?\d{1,9}(?:[.,]\d{0,9})?|[-+]?[.,]\d{1,9}", text)
    if found is None:
        return None
    value = float(found[0].replace(",", "."))
    return value if math.isfinite(value) else None
