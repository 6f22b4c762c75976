"""What is said to somebody whose request cannot be done: a code of the protocol and one sentence."""

from __future__ import annotations

import re

from tengen.game import IllegalAction, InvalidOption, InvalidPosition, NotationError
from tengen.match import (
    Malformed,
    MatchError,
    MatchOver,
    NoOffer,
    NotNow,
    NotYourTurn,
    Stale,
    Stranger,
    TimeUp,
)
from tengen.records.record import shorten
from tengen.server.protocol import Code
from tengen.server.store.rows import StoreUnavailable

LONGEST = 300  # characters of a message

_CODES: tuple[tuple[type[ValueError], Code], ...] = (
    (Malformed, "malformed"),
    (Stranger, "stranger"),
    (NotYourTurn, "not-your-turn"),
    (MatchOver, "over"),
    (NoOffer, "not-now"),
    (NotNow, "not-now"),
    (Stale, "stale"),
    (TimeUp, "time-up"),
    (IllegalAction, "illegal"),
    (NotationError, "illegal"),
    (InvalidOption, "malformed"),
    (InvalidPosition, "malformed"),
    (MatchError, "not-now"),
)


class ServeError(ValueError):
    """A server or a worker cannot start; one sentence that says why and what to do."""


class Refusal(Exception):
    """Nothing was changed; `message` is one sentence for the player, cut where it repeats too much."""

    def __init__(self, code: Code, message: str) -> None:
        self.code: Code = code
        self.message = shorten(message, LONGEST)
        super().__init__(self.message)

    @classmethod
    def of(cls, error: ValueError) -> Refusal:
        """What an error of a game or a match says to whoever caused it."""
        code: Code = next((code for kind, code in _CODES if isinstance(error, kind)), "malformed")
        return cls(code, str(error))


def unavailable() -> Refusal:
    return Refusal("unavailable", "The server cannot store that now; it is sent again by itself.")


def no_such_match() -> Refusal:
    return Refusal("unknown", "There is no such match.")


class storing:  # noqa: N801 - it is used like a function
    """A block that says `unavailable` to whoever asked when the store is away."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, StoreUnavailable):
            raise unavailable() from None


_AT = re.compile(r"^(?P<what>.*?)(?: - at `\$?(?P<where>[^`]*)`)?$", re.DOTALL)


def plain(message: str) -> str:
    """A message of msgspec as a sentence: what is wrong, and where."""
    found = _AT.match(message)
    assert found is not None
    what = found["what"].replace("`", "")
    where = (found["where"] or "").lstrip(".").replace("[...]", "")
    start = f"In {where}: " if where else ""
    return f"{start}{what[:1].lower() + what[1:] if start else what}."
