"""Taking dead stones off the board by playing, for controllers that count every stone on it as alive."""

from __future__ import annotations

from collections.abc import Collection

from tengen.game import State
from tengen.records._gtp_analyse import beside, chains


def taking_move(state: State, dead: Collection[int]) -> int | None:
    """A move that takes a liberty of the opponent's dead stones and stays safe; None where there is none.

    What captures comes first, then what leaves the own chain the most liberties.
    """
    cells, width = state.cells(), state.game.width
    theirs = {cell for cell in dead if cells[cell] == 2 - state.to_move}
    liberties = {point for cell in theirs for point in beside(cell, width) if not cells[point]}
    found = [(*_worth(state, action), -action) for action in liberties & set(state.legal_actions())]
    found = [one for one in found if one[0] or one[1] > 1]
    return -max(found)[-1] if found else None


def _worth(state: State, action: int) -> tuple[int, int]:
    """How many stones the move takes, and how many liberties its chain has then."""
    before, after, width = state.cells(), state.play(action).cells(), state.game.width
    taken = sum(1 for was, now in zip(before, after, strict=True) if was and not now)
    chain = next((chain for chain in chains(after, width) if action in chain), set[int]())
    free = {point for cell in chain for point in beside(cell, width) if not after[point]}
    return taken, len(free)
