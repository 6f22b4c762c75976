"""The time of both seats as GTP tells it, and how much of it one move may take."""

from __future__ import annotations

from dataclasses import dataclass, field

SHARE = 0.9  # of what is there; the rest is for the pipe and for the controller's own clock
LEAST_S = 0.05


@dataclass
class Clock:
    """Canadian byo-yomi: so many stones in so much time, once the main time is used up."""

    main_s: float = 0.0
    byo_yomi_s: float = 0.0
    byo_yomi_stones: int = 0
    _left: dict[int, tuple[float, int]] = field(default_factory=dict)  # by seat; 0 stones: main time

    def set(self, main_s: float, byo_yomi_s: float, byo_yomi_stones: int) -> None:
        """GTP's time_settings, where a byo-yomi of no stones means that there is no limit."""
        self.main_s, self.byo_yomi_s, self.byo_yomi_stones = main_s, byo_yomi_s, byo_yomi_stones
        self.restart()

    def restart(self) -> None:
        self._left = {}
        if self.limited:
            self._left = dict.fromkeys((0, 1), (self.main_s, 0))

    @property
    def limited(self) -> bool:
        if self.byo_yomi_s > 0:
            return self.byo_yomi_stones > 0
        return self.main_s > 0

    def set_left(self, seat: int, left_s: float, stones: int) -> None:
        self._left[seat] = (left_s, stones)

    def budget_s(self, seat: int, moves_to_go: int) -> float | None:
        """The time for one move, None without a limit."""
        if seat not in self._left:
            return None
        left_s, stones = self._left[seat]
        if stones > 0:
            return max(left_s / stones * SHARE, LEAST_S)
        extra_s = self.byo_yomi_s / self.byo_yomi_stones if self.byo_yomi_stones else 0.0
        share_s = left_s / max(moves_to_go, 1) + extra_s
        return max(min(share_s, left_s + extra_s) * SHARE, LEAST_S)

    def spend(self, seat: int, used_s: float) -> None:
        """Counts down by itself, for a controller that does not send time_left."""
        if seat not in self._left:
            return
        left_s, stones = self._left[seat]
        left_s -= used_s
        if stones > 0:
            stones -= 1
            self._left[seat] = (left_s, stones) if stones else (self.byo_yomi_s, self.byo_yomi_stones)
        elif left_s <= 0 and self.byo_yomi_stones:
            self._left[seat] = (self.byo_yomi_s, self.byo_yomi_stones)
        else:
            self._left[seat] = (max(left_s, 0.0), 0)
