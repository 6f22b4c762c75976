"""Which stones of a stopped game of Go look dead, and which points belong to a seki: the suggestion of GO 17.

Playouts say who would own each point; a chain that the opponent mostly owns is dead, unless it is alive
whatever the opponent does (Benson 1976), or in seki: chains that share liberties which neither side can
fill without putting itself in atari. It is a suggestion: the players have the last word.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tengen import _core
from tengen.game import IllegalAction, State

DEAD_BELOW = -0.35  # a chain's mean ownership, 1 all its owner's, at which it counts as dead
SEKI_POINTS = 4  # a shared region or an eye of more points than this is not thought to be part of a seki


@dataclass(frozen=True, slots=True)
class DeadEstimate:
    dead: tuple[int, ...]  # every stone of the dead chains
    seki: tuple[int, ...]  # every stone in seki
    neutral: tuple[int, ...]  # empty points that a seki makes nobody's
    ownership: tuple[float, ...]  # by cell, 1 Black's to -1 White's


def estimate_dead(state: State, *, playouts: int = 600, seed: int = 0) -> DeadEstimate:
    if not isinstance(state, _core.Go9 | _core.Go19):
        raise TypeError("Only stones of Go can be dead.")
    size = state.game.width
    cells = bytearray(state.cells())
    owner = _core.go_ownership(state, playouts, seed)
    safe = {stone for colour in (1, 2) for stone in pass_alive(cells, size, colour)}
    seki, neutral = _find_seki(state, safe)
    dead: list[int] = []
    for colour in (1, 2):
        sign = 1 if colour == 1 else -1
        for chain in regions(cells, size, (colour,)):
            mean = sign * sum(owner[cell] for cell in chain) / len(chain)
            if mean < DEAD_BELOW and not safe.intersection(chain) and not seki.intersection(chain):
                dead.extend(chain)
    return DeadEstimate(tuple(sorted(dead)), tuple(sorted(seki)), tuple(sorted(neutral)), tuple(owner))


def _find_seki(state: State, safe: set[int]) -> tuple[set[int], set[int]]:
    """Stones in seki, and the empty points that are neutral for that reason."""
    size, cells = state.game.width, state.cells()
    chain_at = {
        cell: chain for colour in (1, 2) for chain in regions(cells, size, (colour,)) for cell in chain
    }
    empty = regions(cells, size, (0,))
    stones: set[int] = set()
    for region in empty:
        around = {n for cell in region for n in beside(cell, size) if cells[n]}
        shared = {cells[n] for n in around} == {1, 2}
        if not shared or len(region) > SEKI_POINTS or around & safe:
            continue
        if all(_is_self_atari(state, cell, seat) for cell in region for seat in (0, 1)):
            stones.update(cell for n in around for cell in chain_at[n])
    neutral: set[int] = set()
    for region in empty:
        around = {n for cell in region for n in beside(cell, size) if cells[n]}
        if around and around <= stones and len(region) <= SEKI_POINTS:
            neutral.update(region)
    return stones, neutral


def _is_self_atari(state: State, cell: int, seat: int) -> bool:
    """Whether a stone there would stand with one liberty or none and capture nothing."""
    try:
        after = state.game.position(state.game.diagram(state), seat).play(cell)
    except IllegalAction:
        return True
    assert isinstance(after, _core.Go9 | _core.Go19)
    return not after.captured and after.liberties()[cell] <= 1


def pass_alive(cells: Sequence[int], size: int, colour: int) -> set[int]:
    """The stones of that colour that live even if their owner always passes (Benson's algorithm)."""
    chains = [frozenset(chain) for chain in regions(cells, size, (colour,))]
    areas = [frozenset(area) for area in regions(cells, size, (0, 3 - colour))]
    touching = {
        area: {chain for chain in chains if any(n in chain for cell in area for n in beside(cell, size))}
        for area in areas
    }

    def vital(area: frozenset[int], chain: frozenset[int]) -> bool:
        return all(cells[cell] or any(n in chain for n in beside(cell, size)) for cell in area)

    alive = set(chains)
    while True:
        sound = [area for area in areas if touching[area] and touching[area] <= alive]
        kept = {
            chain
            for chain in alive
            if sum(vital(area, chain) for area in sound if chain in touching[area]) >= 2
        }
        if kept == alive:
            return {cell for chain in alive for cell in chain}
        alive = kept


def regions(cells: Sequence[int], size: int, codes: Iterable[int]) -> list[list[int]]:
    """The connected groups of cells with one of those codes."""
    wanted = set(codes)
    seen: set[int] = set()
    found = []
    for start, code in enumerate(cells):
        if code not in wanted or start in seen:
            continue
        region, seen = [start], seen | {start}
        for cell in region:
            for n in beside(cell, size):
                if cells[n] in wanted and n not in seen:
                    seen.add(n)
                    region.append(n)
        found.append(region)
    return found


def beside(cell: int, size: int) -> list[int]:
    row, column = divmod(cell, size)
    near = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return [r * size + c for r, c in near if 0 <= r < size and 0 <= c < size]
