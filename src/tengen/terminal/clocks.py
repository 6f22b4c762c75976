"""Clocks of a match on a server, in words. The server tells what they showed; what has run since is ours."""

from __future__ import annotations

from tengen.facets.words import count
from tengen.server.protocol import ByoYomi, Canadian, Clock, Correspondence, Fischer, NoClock, Now, Reading
from tengen.terminal import times
from tengen.terminal.times import time


def later(clock: Clock, reading: Reading, elapsed_ms: int) -> Reading:
    """What a running clock shows that much later."""
    left_ms, main_ms = max(0, reading.left_ms - elapsed_ms), max(0, reading.main_ms - elapsed_ms)
    if not isinstance(clock, ByoYomi):
        return Reading(left_ms, main_ms, reading.periods, left_ms - main_ms)
    periods = -(-(left_ms - main_ms) // clock.period_ms)
    return Reading(left_ms, main_ms, periods, left_ms - main_ms - max(0, periods - 1) * clock.period_ms)


def readings(clock: Clock, now: Now, at_ms: int) -> tuple[Reading, Reading] | None:
    """Both clocks at that time of the server; None where nobody is timed."""
    if now.clocks is None:
        return None
    elapsed_ms = max(0, at_ms - now.at_ms)
    first, second = (
        later(clock, reading, elapsed_ms if seat == now.running else 0)
        for seat, reading in enumerate(now.clocks)
    )
    return first, second


def tell(clock: Clock, now: Now, seats: tuple[str, str], at_ms: int) -> str | None:
    """One line for both clocks."""
    shown = readings(clock, now, at_ms)
    if shown is None:
        return None
    first, second = (f"{seat} {reading(clock, one)}" for seat, one in zip(seats, shown, strict=True))
    return f"Clocks: {first}, {second}."


def control(clock: Clock) -> str:
    """The time control in a few words."""
    if isinstance(clock, NoClock):
        return "no clock"
    if isinstance(clock, Correspondence):
        away = f", {count(clock.vacation_days, 'day')} of vacation" if clock.vacation_days else ""
        return f"{count(clock.days_per_move, 'day')} a move{away}"
    main = time(clock.main_ms)
    if isinstance(clock, Fischer):
        return f"{main} + {time(clock.increment_ms)} a move"
    if isinstance(clock, ByoYomi):
        return f"{main} and {clock.periods} x {time(clock.period_ms)}"
    if isinstance(clock, Canadian):
        return f"{main}, then {count(clock.moves, 'move')} in {time(clock.period_ms)}"
    return main


def reading(clock: Clock, shown: Reading) -> str:
    """What one of the clocks shows."""
    if isinstance(clock, Correspondence):
        away = f" and {time(shown.period_ms)} of vacation" if shown.period_ms else ""
        return f"{time(shown.main_ms)}{away}"
    if isinstance(clock, Canadian):
        in_period = f"{time(shown.period_ms)} for {count(shown.periods, 'move')}"
        return time(shown.main_ms) if shown.main_ms else in_period
    return times.reading(shown)
