"""How a stopped game of Go stands: dead stones, seki and what they make neutral. The suggestion of GO 18.

The judgement is cpp/games/go/ending.hpp, by which the search passes as well. It is a suggestion: the players
have the last word.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tengen import _core
from tengen.facets.opponents import DeadEstimate, Standing
from tengen.game import State

if TYPE_CHECKING:
    from tengen.games.go.rules import Go

# Visits are of each reading of what playouts are not sure of, each side first; so many are read at most.
PLAYOUTS, READING_VISITS, READINGS = _core.GO_SUGGESTION
SURE = 0.4  # an ownership from which on a point is counted as somebody's, and
NOISE = 0.15  # one below which it is nobody's, while a game is played


def estimate_dead(state: State, *, playouts: int = PLAYOUTS, seed: int = 0) -> DeadEstimate:
    if not isinstance(state, _core.Go9 | _core.Go19):
        raise TypeError("Only stones of Go can be dead.")
    found = _core.go_ending(state, playouts, READING_VISITS, READINGS, seed)
    return DeadEstimate(tuple(found.dead), tuple(found.seki), tuple(found.neutral), tuple(found.owner))


def standing(game: Go, state: _core.Go9 | _core.Go19) -> Standing:
    """What each side may expect at the end, from whose each point is likely to be.

    Under territory scoring a stone that dies counts twice for the other side, one that lives for nobody.
    """
    found = estimate_dead(state)
    territory = game.options["scoring"] == "territory"
    enclosed = state.count(sorted(found.dead), sorted(found.neutral)).owner
    ownership = tuple(_counted(*one) for one in zip(found.ownership, enclosed, strict=True))
    points = [0.0, game.komi]
    if territory:
        points = [points[seat] + taken for seat, taken in enumerate(state.prisoners)]
    for code, owner in zip(state.cells(), ownership, strict=True):
        if code and territory:
            points[2 - code] += 1 + owner if code == 2 else 1 - owner
        else:
            points[0 if owner > 0 else 1] += abs(owner)
    return Standing((points[0], points[1]), found.dead, ownership)


def _counted(owner: float, enclosed: int) -> float:
    """As much of a point as counts: playouts are never quite sure of one, and never quite even.

    What the living stones of one side enclose is that side's where the playouts do not doubt it.
    """
    if abs(owner) < NOISE:
        return 0.0
    same = enclosed == (1 if owner > 0 else 2)
    return math.copysign(1.0, owner) if same or abs(owner) >= SURE else owner
