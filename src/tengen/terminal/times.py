"""Times and what a clock shows, in words, for matches here and on a server."""

from __future__ import annotations

from typing import Protocol

from tengen.facets.words import count
from tengen.game import InvalidOption
from tengen.match import Absolute, Clock, Fischer

_HOUR_MS, _DAY_MS = 3_600_000, 86_400_000


class Shown(Protocol):
    """What a clock shows."""

    @property
    def main_ms(self) -> int: ...
    @property
    def periods(self) -> int: ...
    @property
    def period_ms(self) -> int: ...


def reading(shown: Shown) -> str:
    if not shown.periods:
        return time(shown.main_ms)
    if shown.main_ms:
        return f"{time(shown.main_ms)} and {count(shown.periods, 'period')}"
    return f"{time(shown.period_ms)} of {count(shown.periods, 'period')} left"


def time(ms: int) -> str:
    """`0:09`, `1:05:00`, `2 days 3 h`."""
    if ms >= _DAY_MS:
        hours = ms % _DAY_MS // _HOUR_MS
        return count(ms // _DAY_MS, "day") + (f" {hours} h" if hours else "")
    seconds = -(-ms // 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def sentence(seats: tuple[str, str], shown: tuple[Shown, Shown]) -> str:
    """One line for both clocks."""
    both = ", ".join(f"{seat} {reading(one)}" for seat, one in zip(seats, shown, strict=True))
    return f"Clocks: {both}."


def before_prompt(shown: tuple[Shown, Shown]) -> str:
    """Both clocks in brackets, always equally long for a time control of minutes."""
    return "[{} {}] ".format(*(time(one.main_ms or one.period_ms).rjust(5) for one in shown))


def read_clock(text: str) -> Clock:
    """Minutes for each player, perhaps with seconds added for each turn: `10`, `5+3`; or InvalidOption."""
    minutes, plus, seconds = text.strip().partition("+")
    try:
        main_ms = round(float(minutes) * 60_000)
        increment_ms = round(float(seconds) * 1000) if plus else 0
    except (ValueError, OverflowError):
        main_ms, increment_ms = 0, 0
    if not (1000 <= main_ms <= 7 * _DAY_MS and 0 <= increment_ms <= _HOUR_MS):
        raise InvalidOption(f"{text!r} is no time: type minutes, or minutes+seconds.")
    return Fischer(main_ms, increment_ms) if plus else Absolute(main_ms)
