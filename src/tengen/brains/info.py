"""What a brain says of itself: the JSON that stands in a brain file under the metadata key `tengen.brain`.

Whoever wrote the file chose these words, so `BrainInfo.from_json` checks each of them. That the net beside
them fits the game is not checked here; `tengen.brains.file` does that.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal, get_args

from tengen.game import Game, InvalidOption, OptionValue
from tengen.games import game as make_game

Algorithm = Literal["dqn", "gumbel"]
ALGORITHMS: tuple[str, ...] = get_args(Algorithm)
VERSION = 1
KEY = "tengen.brain"
LONGEST_TEXT = 16_384  # characters of the JSON; options and a title need a few hundred
LONGEST_TITLE = 200
LONGEST_REASON = 300
MOST_GAMES = 10**12
MOST_LEARNED = 32  # games in a mixture


class BrainError(ValueError):
    """A brain that cannot be used, in one sentence for the person who asked for it."""


def now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass(frozen=True, slots=True)
class BrainInfo:
    """`created` is a UTC time such as 2026-03-01T12:00:00Z; `rating` is what its maker claims, in Elo."""

    game: str
    options: Mapping[str, OptionValue]
    algorithm: Algorithm
    games: int  # played in training
    loss: float
    rating: float | None = None
    version: int = VERSION
    created: str = field(default_factory=now)
    title: str = ""
    mixture: tuple[Mapping[str, OptionValue], ...] = ()  # all games that it learned, if it takes any board

    def to_json(self) -> str:
        return json.dumps(asdict(self), allow_nan=False)

    def make_game(self) -> Game:
        """The game that the brain was made for; raises BrainError with the end of a sentence."""
        return self._game(self.options)

    def learned(self) -> list[Game]:
        """All games that the brain has learned; raises BrainError likewise."""
        return [self._game(options) for options in self.mixture or (self.options,)]

    def _game(self, options: Mapping[str, OptionValue]) -> Game:
        try:
            return make_game(self.game, **options)
        except InvalidOption as error:
            reason = str(error) if len(str(error)) <= LONGEST_REASON else "its options are wrong."
            raise BrainError(f"is for a game that cannot be set up: {reason}") from None

    @classmethod
    def from_json(cls, text: str) -> BrainInfo:
        """Raises BrainError with the end of a sentence, for the caller to say which file it is about."""
        try:
            content = json.loads(text[: LONGEST_TEXT + 1])
        except (ValueError, RecursionError):
            content = None
        if not isinstance(content, dict):
            raise BrainError("has a description that cannot be read.")
        version = content.get("version")
        if type(version) is not int or version != VERSION:
            raise BrainError(
                f"has format version {_short(version)}, and this tengen reads version {VERSION}."
            )
        for name, (may_be, right) in _FIELDS.items():
            value = content.setdefault(name, _DEFAULTS.get(name))
            if not right(value):
                raise BrainError(f"says that its {name} is {_short(value)}, which should be {may_be}.")
        content["mixture"] = tuple(content["mixture"])
        return cls(**{name: content[name] for name in (*_FIELDS, "version")})


def brain_name(info: BrainInfo) -> str:
    """The file's name without `.onnx`: brain_L{loss × 1e6, 6 digits}_G{games}_{YYYYMMDD_HHMMSS}."""
    created = datetime.fromisoformat(info.created).astimezone(UTC)
    return f"brain_L{round(info.loss * 1e6):06d}_G{info.games}_{created:%Y%m%d_%H%M%S}"


def _short(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 40 else f"{shown[:37]}..."


def _number(value: Any, most: float = 1e15) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) < most  # NaN is not


def _time(value: Any) -> bool:
    if not isinstance(value, str) or len(value) > 40:
        return False
    try:
        return datetime.fromisoformat(value).tzinfo is not None
    except ValueError:
        return False


def _options(value: Any) -> bool:
    return isinstance(value, dict) and all(
        found is None or isinstance(found, bool | str) or _number(found) for found in value.values()
    )


_DEFAULTS: dict[str, object] = {"title": "", "rating": None, "mixture": []}
_FIELDS: dict[
    str, tuple[str, Callable[[Any], bool]]
] = {  # what each may be, for the sentence and for the check
    "game": ("a game's name", lambda value: isinstance(value, str)),
    "options": ("the game's options", _options),
    "algorithm": (" or ".join(ALGORITHMS), lambda value: value in ALGORITHMS),
    "games": ("a whole number", lambda value: type(value) is int and 0 <= value <= MOST_GAMES),
    "loss": ("a number from 0", lambda value: _number(value, 1e6) and value >= 0),
    "rating": ("a number or nothing", lambda value: value is None or _number(value)),
    "created": ("a time with its zone", _time),
    "mixture": (
        f"at most {MOST_LEARNED} games' options",
        lambda value: (
            isinstance(value, list | tuple) and len(value) <= MOST_LEARNED and all(map(_options, value))
        ),
    ),
    "title": (
        f"at most {LONGEST_TITLE} characters in a line",
        lambda value: isinstance(value, str) and value.isprintable() and len(value) <= LONGEST_TITLE,
    ),
}
