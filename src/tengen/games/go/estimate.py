"""How a stopped game of Go stands: dead stones, seki and what they make neutral. The suggestion of GO 18.

The judgement is cpp/games/go/ending.hpp, by which the search passes as well. It is a suggestion: the players
have the last word.
"""

from __future__ import annotations

from tengen import _core
from tengen.facets.opponents import DeadEstimate
from tengen.game import State

# Visits are of each reading of what playouts are not sure of, each side first; so many are read at most.
PLAYOUTS, READING_VISITS, READINGS = _core.GO_SUGGESTION


def estimate_dead(state: State, *, playouts: int = PLAYOUTS, seed: int = 0) -> DeadEstimate:
    if not isinstance(state, _core.Go9 | _core.Go19):
        raise TypeError("Only stones of Go can be dead.")
    found = _core.go_ending(state, playouts, READING_VISITS, READINGS, seed)
    return DeadEstimate(tuple(found.dead), tuple(found.seki), tuple(found.neutral), tuple(found.owner))
