"""Time controls, as pure arithmetic on whole milliseconds.

A `Clock` is the control both seats play under. What a seat has is a `Reserve`, counted at the start of its
turn; the time used in the turn under way is kept beside it (by `Match`) and turned into a new reserve when
the turn stops. A flag falls at the instant when all of the turn's budget is used, not one millisecond later.
Increments and new periods come once a turn, so a turn of several moves earns one.

What the network took of a turn may be given back (`Match`, `lag_ms`): never more than MOST_LAG_MS for a turn,
nor more than the seat has in its bank, which holds LAG_BANK_MS at the start and at most, and gets LAG_TURN_MS
with every turn of its own. So n turns gain at most LAG_BANK_MS + n * LAG_TURN_MS, whatever a client claims.
"""

from __future__ import annotations

from abc import ABC
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, NamedTuple

from tengen.game import InvalidOption

DAY_MS = 86_400_000
LONGEST_MS = 366 * DAY_MS  # of any one part of a control; far inside what JSON numbers hold exactly
MOST_PERIODS = 1000
MOST_MOVES = 1000  # of a Canadian period
MOST_LAG_MS, LAG_BANK_MS, LAG_TURN_MS = 500, 1500, 250


class Reserve(NamedTuple):
    """What a seat has at the start of a turn. Under one clock the lesser tuple is less time."""

    main_ms: int
    periods: int = 0  # Canadian: turns that have yet to be made in the period
    left_ms: int = 0  # Canadian: of the period; correspondence: of the vacation


class Reading(NamedTuple):
    """What a clock shows. `left_ms` is all the time before the flag falls, None without a clock."""

    left_ms: int | None
    main_ms: int
    periods: int = 0  # byo-yomi: those not used up, the one under way included; Canadian: turns to be made
    period_ms: int = 0  # byo-yomi and Canadian: what is left of the one under way; correspondence: vacation


class Clock(ABC):
    """A time control; the subclasses are all there are, and `from_json` knows them."""

    kind: ClassVar[str]
    gives_back_lag: ClassVar[bool] = True

    def start(self) -> Reserve:
        raise NotImplementedError

    @property
    def _period_ms(self) -> int:
        return 0

    def budget_ms(self, reserve: Reserve) -> int | None:
        """How long the turn that begins with this reserve may last; None is for ever."""
        return reserve.main_ms + reserve.periods * self._period_ms

    def after(self, reserve: Reserve, used_ms: int, moved: bool) -> Reserve:
        """What is left when a turn stops; `moved` says that it was completed rather than broken off."""
        over_ms = used_ms - reserve.main_ms
        if over_ms < 0:
            return Reserve(-over_ms, reserve.periods)
        gone = over_ms // self._period_ms if self._period_ms else 0
        return Reserve(0, max(0, reserve.periods - gone))

    def reading(self, reserve: Reserve, used_ms: int) -> Reading:
        budget_ms = self.budget_ms(reserve)
        if budget_ms is None:
            return Reading(None, 0)
        left_ms = max(0, budget_ms - used_ms)
        main_ms = max(0, reserve.main_ms - used_ms)
        if not self._period_ms:
            return Reading(left_ms, main_ms)
        in_periods_ms = left_ms - main_ms
        periods = -(-in_periods_ms // self._period_ms)
        return Reading(left_ms, main_ms, periods, in_periods_ms - max(0, periods - 1) * self._period_ms)

    def lesser(self, had: Reserve, has: Reserve) -> Reserve:
        """What a seat has after a takeback, which gives nobody time: `had` is how it stood at that turn."""
        return min(had, has)

    def to_json(self) -> dict[str, Any]:
        return {"kind": self.kind, **asdict(self)}  # type: ignore[call-overload]

    @staticmethod
    def from_json(data: object) -> Clock:
        """The clock that `to_json` wrote; raises InvalidOption for anything else."""
        kind = data.get("kind") if isinstance(data, dict) else None
        if not isinstance(data, dict) or not isinstance(kind, str) or kind not in CLOCKS:
            raise InvalidOption(f"A clock is one of {', '.join(CLOCKS)}, not {data!r}.")
        fields = {name: value for name, value in data.items() if name != "kind"}
        try:
            return CLOCKS[kind](**fields)
        except TypeError:
            raise InvalidOption(f"A clock of the kind {kind} has other settings.") from None


@dataclass(frozen=True, slots=True)
class NoClock(Clock):
    """Nobody is timed."""

    kind: ClassVar[str] = "none"
    gives_back_lag = False

    def start(self) -> Reserve:
        return Reserve(0)

    def budget_ms(self, reserve: Reserve) -> int | None:
        return None

    def after(self, reserve: Reserve, used_ms: int, moved: bool) -> Reserve:
        return reserve


@dataclass(frozen=True, slots=True)
class Absolute(Clock):
    """All turns of a seat together may last `main_ms`."""

    kind: ClassVar[str] = "absolute"
    main_ms: int

    def __post_init__(self) -> None:
        _check("main_ms", self.main_ms, 1)

    def start(self) -> Reserve:
        return Reserve(self.main_ms)


@dataclass(frozen=True, slots=True)
class Fischer(Clock):
    """`increment_ms` is added after each turn of one's own; with `cap_ms` the sum never rises above it."""

    kind: ClassVar[str] = "fischer"
    main_ms: int
    increment_ms: int
    cap_ms: int | None = None

    def __post_init__(self) -> None:
        _check("main_ms", self.main_ms, 1)
        _check("increment_ms", self.increment_ms, 0)
        if self.cap_ms is not None:
            _check("cap_ms", self.cap_ms, self.main_ms)

    def start(self) -> Reserve:
        return Reserve(self.main_ms)

    def after(self, reserve: Reserve, used_ms: int, moved: bool) -> Reserve:
        left_ms = max(0, reserve.main_ms - used_ms)
        if not (moved and left_ms):
            return Reserve(left_ms)
        left_ms += self.increment_ms
        return Reserve(left_ms if self.cap_ms is None else min(left_ms, self.cap_ms))


@dataclass(frozen=True, slots=True)
class ByoYomi(Clock):
    """After `main_ms` come periods; one that is used up is gone, and a turn that ends within one keeps it."""

    kind: ClassVar[str] = "byo-yomi"
    main_ms: int
    periods: int
    period_ms: int

    def __post_init__(self) -> None:
        _check("main_ms", self.main_ms, 0)
        _check("periods", self.periods, 1, MOST_PERIODS)
        _check("period_ms", self.period_ms, 1)

    @property
    def _period_ms(self) -> int:
        return self.period_ms

    def start(self) -> Reserve:
        return Reserve(self.main_ms, self.periods)


@dataclass(frozen=True, slots=True)
class Canadian(Clock):
    """After `main_ms` so many turns have to be made in each period; once they are, a new one begins."""

    kind: ClassVar[str] = "canadian"
    main_ms: int
    moves: int
    period_ms: int

    def __post_init__(self) -> None:
        _check("main_ms", self.main_ms, 0)
        _check("moves", self.moves, 1, MOST_MOVES)
        _check("period_ms", self.period_ms, 1)

    def start(self) -> Reserve:
        return Reserve(self.main_ms, self.moves, self.period_ms)

    def budget_ms(self, reserve: Reserve) -> int:
        return reserve.main_ms + reserve.left_ms

    def after(self, reserve: Reserve, used_ms: int, moved: bool) -> Reserve:
        if used_ms < reserve.main_ms:
            return reserve._replace(main_ms=reserve.main_ms - used_ms)
        left_ms = max(0, self.budget_ms(reserve) - used_ms)
        moves = reserve.periods - (moved and left_ms > 0)
        return Reserve(0, moves, left_ms) if moves else Reserve(0, self.moves, self.period_ms)

    def reading(self, reserve: Reserve, used_ms: int) -> Reading:
        left_ms = max(0, self.budget_ms(reserve) - used_ms)
        main_ms = max(0, reserve.main_ms - used_ms)
        return Reading(left_ms, main_ms, reserve.periods, left_ms - main_ms)

    def lesser(self, had: Reserve, has: Reserve) -> Reserve:
        if had.main_ms or has.main_ms:
            return min(had, has)
        return had._replace(left_ms=min(had.left_ms, has.left_ms))


@dataclass(frozen=True, slots=True)
class Correspondence(Clock):
    """Each turn may last that many days; what is not used is not kept.

    A turn that lasts longer takes from the days of vacation, of which each seat has so many for the match.
    """

    kind: ClassVar[str] = "correspondence"
    gives_back_lag = False
    days_per_move: int
    vacation_days: int = 0

    def __post_init__(self) -> None:
        _check("days_per_move", self.days_per_move, 1, LONGEST_MS // DAY_MS)
        _check("vacation_days", self.vacation_days, 0, LONGEST_MS // DAY_MS)

    def start(self) -> Reserve:
        return Reserve(self.days_per_move * DAY_MS, 0, self.vacation_days * DAY_MS)

    def budget_ms(self, reserve: Reserve) -> int:
        return reserve.main_ms + reserve.left_ms

    def after(self, reserve: Reserve, used_ms: int, moved: bool) -> Reserve:
        left_ms = reserve.left_ms - max(0, used_ms - reserve.main_ms)
        if used_ms >= self.budget_ms(reserve):
            return Reserve(0)
        return self.start()._replace(left_ms=left_ms)

    def reading(self, reserve: Reserve, used_ms: int) -> Reading:
        left_ms = max(0, self.budget_ms(reserve) - used_ms)
        main_ms = max(0, reserve.main_ms - used_ms)
        return Reading(left_ms, main_ms, 0, left_ms - main_ms)

    def to_json(self) -> dict[str, Any]:
        """Without a vacation as versions wrote it that knew none."""
        days = {"kind": self.kind, "days_per_move": self.days_per_move}
        return days | ({"vacation_days": self.vacation_days} if self.vacation_days else {})


CLOCKS: dict[str, type[Clock]] = {
    clock.kind: clock for clock in (NoClock, Absolute, Fischer, ByoYomi, Canadian, Correspondence)
}


def _check(name: str, value: object, low: int, high: int = LONGEST_MS) -> None:
    if type(value) is not int or not low <= value <= high:
        raise InvalidOption(f"{name} of a clock must be a whole number from {low} to {high}, not {value!r}.")
