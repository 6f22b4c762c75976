"""What a search's raw win rate and lead of Go mean: one judgement, so that the two never contradict.

Playouts play worse than their search, so their win rates are too timid, and while much is open their leads
are means of wide guesses. So an open game's lead is told by the win rate, a decided one's by what playouts
count. The numbers were fitted to self-played games; tools/go_calibration.py repeats that and tests them on
games held back.
"""

from __future__ import annotations

import math
from typing import NamedTuple


class Scale(NamedTuple):
    sharp: float  # what a unit of log odds is worth in truth
    points: float  # and in points, over the root of the empty points


SMALL, LARGE, NET = Scale(1.5, 0.4), Scale(1.5, 0.4), Scale(1.1, 0.33)  # NET is the shipped brain
MOST = 0.99  # a raw win rate beyond this says no more
_UP_TO = 12  # sides of boards that are judged as small


def judged(empty: int, win: float, lead: float, scale: Scale) -> tuple[float, float]:
    """The win rate and lead for the same side."""
    share = min(max(win, 1 - MOST), MOST)
    odds = math.log(share / (1 - share))
    sure = (2 * share - 1) ** 2
    told = scale.points * odds * math.sqrt(max(empty, 1))
    counted = lead if lead * odds > 0 else told  # a lead that contradicts the win rate says nothing
    points = sure * counted + (1 - sure) * told
    return 1 / (1 + math.exp(-scale.sharp * odds)), points


def scale_of(size: int, by_net: bool) -> Scale:
    if by_net:
        return NET
    return SMALL if size <= _UP_TO else LARGE
