"""What a search's raw win rate and lead of Go mean; why and how is cpp/games/go/judgement.hpp."""

from __future__ import annotations

from typing import NamedTuple

from tengen import _core

MOST = _core.GO_MOST_WIN  # a raw win rate beyond this says no more


class Scale(NamedTuple):
    sharp: float  # what a unit of log odds is worth in truth
    points: float  # and in points, over the root of the empty points


def judged(empty: int, win: float, lead: float, scale: Scale) -> tuple[float, float]:
    """The win rate and lead for the same side."""
    return _core.go_judged(empty, win, lead, scale.sharp, scale.points)


def scale_of(size: int, by_net: bool) -> Scale:
    return Scale(*_core.go_scale(size, by_net))


SMALL, LARGE, NET = scale_of(9, False), scale_of(19, False), scale_of(9, True)
