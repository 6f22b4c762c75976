"""How arguments of GTP commands are read: numbers, positions, KataGo's words for the rules, the clock of KGS.

KataGo knows more rules than we do; what we do not have is refused by name, never read as something near it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tengen.game import Game, OptionValue, State, cells_to_text
from tengen.records.gtp import parse_colour


class CommandError(Exception):
    """The command fails with this message."""


# By the names that KataGo takes: ko, scoring, whether suicide is allowed, White's bonus for handicap stones,
# and whether the players agree on what is dead under area scoring too.
_RULES = ("ko", "scoring", "suicide", "bonus", "dead")
_NAMED: Mapping[str, tuple[str, str, bool, str, str]] = {
    "japanese": ("simple", "territory", False, "zero", "by_scoring"),
    "korean": ("simple", "territory", False, "zero", "by_scoring"),
    "chinese": ("simple", "area", False, "full", "agreed"),
    "chinese-ogs": ("superko", "area", False, "full", "agreed"),
    "chinese-kgs": ("superko", "area", False, "full", "agreed"),
    "aga": ("situational", "area", False, "less_one", "agreed"),
    "bga": ("situational", "area", False, "less_one", "agreed"),
    "new-zealand": ("situational", "area", True, "zero", "agreed"),
    "tromp-taylor": ("superko", "area", True, "zero", "by_scoring"),
}
_ALIASES = {"nz": "new-zealand", "tromptaylor": "tromp-taylor"}
_KO = {"SIMPLE": "simple", "POSITIONAL": "superko", "SITUATIONAL": "situational"}
_BONUS = {"0": "zero", "N-1": "less_one", "N": "full"}
_SCORING = {"AREA": "area", "TERRITORY": "territory"}
_TAX = {"area": "NONE", "territory": "SEKI"}
# What else KataGo asks about, and the only answer that our rules have.
_WRITTEN = re.compile(
    r"ko(?P<ko>[A-Z]+?)score(?P<scoring>AREA|TERRITORY)tax(?P<tax>[A-Z]+?)(?:sui(?P<suicide>[01]))?"
    r"(?:button(?P<hasButton>[01]))?(?:whb(?P<whiteHandicapBonus>0|N-1|N))?(?:fpok(?P<friendlyPassOk>[01]))?"
)
_FIXED: Mapping[str, Any] = {"hasButton": False}


def read_kata_rules(text: str) -> dict[str, OptionValue]:
    """The options of the rules; ValueError with a sentence about what we do not have."""
    text = text.strip()
    if written := _WRITTEN.fullmatch(text):
        flags = {"0": False, "1": True}
        text = json.dumps(
            {
                key: word if key in ("ko", "scoring", "tax", "whiteHandicapBonus") else flags[word]
                for key, word in written.groupdict().items()
                if word is not None
            }
        )
    if not text.startswith("{"):
        name = "-".join(re.split(r"[\s_-]+", text.lower()))
        name = _ALIASES.get(name, name)
        if name not in _NAMED:
            raise ValueError(f"unknown rules; there are {', '.join(_NAMED)}, or KataGo's JSON")
        return dict(zip(_RULES, _NAMED[name], strict=True))
    try:
        given = json.loads(text)
    except json.JSONDecodeError:
        raise ValueError("the rules are not JSON") from None
    if not isinstance(given, dict):
        raise ValueError("the rules are not a JSON object")
    return _options(given)


def _options(given: Mapping[str, Any]) -> dict[str, OptionValue]:
    options: dict[str, OptionValue] = {}
    worded = (("ko", _KO, "ko"), ("scoring", _SCORING, "scoring"), ("whiteHandicapBonus", _BONUS, "bonus"))
    for key, words, option in worded:
        if key not in given:
            continue
        word = str(given[key]).upper()
        if word not in words:
            raise ValueError(f"{key} can be {' or '.join(words)}, not {given[key]}")
        options[option] = words[word]
    for key in ("suicide", "friendlyPassOk"):
        if not isinstance(given.get(key, True), bool):
            raise ValueError(f"{key} can be true or false")
    if "suicide" in given:
        options["suicide"] = given["suicide"]
    if "friendlyPassOk" in given:
        options["dead"] = "agreed" if given["friendlyPassOk"] else "by_scoring"
    if "tax" in given and "scoring" in options:
        tax = _TAX[str(options["scoring"])]
        if str(given["tax"]).upper() != tax:
            raise ValueError(f"tax can only be {tax} with this scoring, not {given['tax']}")
    for key, only in _FIXED.items():
        if given.get(key, only) != only:
            raise ValueError(f"{key} can only be {json.dumps(only)}")
    return options


def write_kata_rules(game: Game) -> str:
    options = game.all_options

    def theirs(words: Mapping[str, str], option: str) -> str:
        return next(word for word, ours in words.items() if ours == options[option])

    told = {
        "ko": theirs(_KO, "ko"),
        "scoring": theirs(_SCORING, "scoring"),
        "tax": _TAX[str(options["scoring"])],
        "suicide": options["suicide"],
        **_FIXED,
        "whiteHandicapBonus": theirs(_BONUS, "bonus"),
        "friendlyPassOk": game.table.agreement,
    }
    return json.dumps(told)


def read_kgs_time(words: Sequence[str]) -> tuple[float, float, int]:
    """Main time, overtime and its stones, as GTP's `time_settings` has them; ValueError.

    A byo-yomi of several periods is played as one that never ends, a stone a period.
    """
    kind = words[0].lower() if words else ""
    numbers = [number(words, index) for index in range(1, len(words))]
    if any(value < 0 for value in numbers):
        raise CommandError("syntax error")
    if kind == "none" and not numbers:
        return 0.0, 1.0, 0
    if kind == "absolute" and len(numbers) == 1:
        return numbers[0], 0.0, 0
    if kind == "byoyomi" and len(numbers) == 3:
        return numbers[0], numbers[1], 1
    if kind == "canadian" and len(numbers) == 3:
        return numbers[0], numbers[1], int(numbers[2])
    raise ValueError("syntax error")


def read_position(words: Sequence[str], game: Game) -> State:
    """Stones as colours and vertices in turn, the first seat to move; raises CommandError."""
    cells = bytearray(game.width * game.height)
    if len(words) % 2:
        raise CommandError("syntax error")
    for colour, vertex in zip(words[::2], words[1::2], strict=True):
        seat = parse_colour(colour, game)
        try:
            cell = game.table.read_cell(vertex)
        except ValueError:
            raise CommandError("syntax error") from None
        if seat is None or cells[cell]:
            raise CommandError("syntax error")
        cells[cell] = 1 + seat
    try:
        return game.position(cells_to_text(bytes(cells), game.letters, game.width))
    except ValueError as error:
        raise CommandError(f"illegal position: {error}".rstrip(".")) from None


def path_of(words: Sequence[str]) -> Path:
    """A path may have blanks, with quotation marks or without."""
    return Path(" ".join(words).strip("\"'"))


def number(words: Sequence[str], index: int) -> float:
    try:
        value = float(words[index])
    except (IndexError, ValueError):
        raise CommandError("syntax error") from None
    if value != value or abs(value) > 1e9:
        raise CommandError("syntax error")
    return value


def whole(words: Sequence[str], index: int) -> int:
    value = number(words, index)
    if value != int(value):
        raise CommandError("syntax error")
    return int(value)
