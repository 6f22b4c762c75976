"""Which stones of a stopped game of Go look dead, and which points belong to a seki: the suggestion of GO 17.

Playouts say who would own each point; a chain that the opponent mostly owns is dead, unless it is alive whatever the
opponent does (Benson 1976). A seki is two chains without two eyes each that share liberties which neither may fill.
It is a suggestion: the players have the last word.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tengen import _core
from tengen.game import State

DEAD_BELOW = -0.35  # a chain's mean ownership, 1 all its owner's, at which it counts as dead
SEKI_LIBERTIES = 4  # chains with more liberties than this are not thought to be in seki
SEKI_EYE = 2  # nor do larger regions count as the eye of one


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
    dead: list[int] = []
    for colour in (1, 2):
        sign = 1 if colour == 1 else -1
        for chain in regions(cells, size, (colour,)):
            mean = sign * sum(owner[cell] for cell in chain) / len(chain)
            if mean < DEAD_BELOW and not safe.intersection(chain):
                dead.extend(chain)
    for cell in dead:
        cells[cell] = 0
    seki, neutral = _find_seki(cells, size, safe)
    return DeadEstimate(tuple(sorted(dead)), tuple(sorted(seki)), tuple(sorted(neutral)), tuple(owner))


def _find_seki(cells: Sequence[int], size: int, safe: set[int]) -> tuple[set[int], set[int]]:
    """Stones in seki, and the empty points that are neutral for that reason."""
    chains = {cell: chain for c in (1, 2) for chain in regions(cells, size, (c,)) for cell in chain}
    stones: set[int] = set()
    for region in regions(cells, size, (0,)):
        around = {id(chains[n]): chains[n] for cell in region for n in beside(cell, size) if cells[n]}
        colours = {cells[chain[0]] for chain in around.values()}
        shaky = all(_may_be_in_seki(cells, size, chain, safe) for chain in around.values())
        if len(colours) == 2 and len(region) <= SEKI_LIBERTIES and shaky:
            stones.update(cell for chain in around.values() for cell in chain)
    neutral: set[int] = set()
    for region in regions(cells, size, (0,)):
        around_cells = {n for cell in region for n in beside(cell, size) if cells[n]}
        if around_cells and around_cells <= stones and len(region) <= SEKI_LIBERTIES:
            neutral.update(region)
    return stones, neutral


def _may_be_in_seki(cells: Sequence[int], size: int, chain: Sequence[int], safe: set[int]) -> bool:
    if safe.intersection(chain):
        return False
    liberties = {n for cell in chain for n in beside(cell, size) if cells[n] == 0}
    if len(liberties) > SEKI_LIBERTIES:
        return False
    eyes = [
        region
        for region in regions(cells, size, (0,))
        if liberties.intersection(region)
        and all(cells[n] in (0, cells[chain[0]]) for cell in region for n in beside(cell, size))
    ]
    return len(eyes) <= 1 and all(len(eye) <= SEKI_EYE for eye in eyes)


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
