"""The agreement on dead stones: one set of marks that both seats change and accept (GO 16 to GO 22).

Marks are whole chains and whole regions. A region is a greatest set of neighbouring points that are empty or
hold dead stones, as the count will see them. It is neutral when all its empty points have been chosen as
neutral. So a chain that is turned dead by mistake, and joins a seki's eye to other ground, gives the eye back
as it was when it is turned alive again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from tengen.match.events import Malformed, NotNow


@dataclass(frozen=True, slots=True)
class Marking:
    """`dead` and `chosen` are what was marked; `neutral` follows from them and the board."""

    cells: bytes
    width: int
    dead: frozenset[int] = frozenset()  # whole chains
    chosen: frozenset[int] = frozenset()  # empty points only
    accepted: tuple[bool, bool] = (False, False)
    touched: bool = False  # by a seat: from then on a suggestion comes too late

    @property
    def neutral(self) -> frozenset[int]:
        found: set[int] = set()
        for cell in self.chosen:
            if cell not in found and self._chosen_whole(region := self.region(cell)):
                found |= region
        return frozenset(found)

    def chain(self, cell: int) -> frozenset[int]:
        """The chain on that point."""
        if not self.cells[cell]:
            raise Malformed("There is no stone on that point.")
        colour = self.cells[cell]
        return self._flood(cell, lambda other: self.cells[other] == colour)

    def region(self, cell: int) -> frozenset[int]:
        """The region of that point."""
        if not self._open(cell):
            raise Malformed("Only empty points and dead stones can be neutral.")
        return self._flood(cell, self._open)

    def is_on(self, what: str, cell: int) -> bool:
        """Whether the chain on the cell is dead, or the region around it neutral."""
        return cell in self.dead if what == "dead" else self._chosen_whole(self.region(cell))

    def mark(self, what: str, cell: int, on: bool | None) -> tuple[Marking, bool]:
        """The marks after a change, and whether the chain or region is marked now."""
        if not 0 <= cell < len(self.cells):
            raise Malformed("There is no such point.")
        group = self.chain(cell) if what == "dead" else self.region(cell)
        was = self.is_on(what, cell)
        if on is was:
            raise NotNow("That is already marked so.")
        if what == "dead":
            changed = replace(self, dead=self.dead ^ group)
        else:
            empty = self._empty(group)
            changed = replace(self, chosen=self.chosen - empty if was else self.chosen | empty)
        return replace(changed, accepted=(False, False), touched=True), not was

    def suggest(self, dead: Iterable[int], neutral: Iterable[int]) -> Marking:
        """These marks in place of all: any stones of the dead chains, any points of the neutral regions."""
        if self.touched:
            raise NotNow("The players have begun to mark by themselves.")
        dead, neutral = list(dead), list(neutral)
        if not all(type(cell) is int and 0 <= cell < len(self.cells) for cell in (*dead, *neutral)):
            raise Malformed("There is no such point.")
        marked = replace(self, dead=frozenset().union(*map(self.chain, dead)), chosen=frozenset())
        chosen = self._empty(frozenset().union(*map(marked.region, neutral)))
        return replace(marked, chosen=chosen, accepted=(False, False))

    def accept(self, seat: int) -> Marking:
        if self.accepted[seat]:
            raise NotNow("You have already accepted these marks.")
        accepted = (True, self.accepted[1]) if seat == 0 else (self.accepted[0], True)
        return replace(self, accepted=accepted, touched=True)

    def _open(self, cell: int) -> bool:
        return not self.cells[cell] or cell in self.dead

    def _empty(self, group: Iterable[int]) -> frozenset[int]:
        return frozenset(cell for cell in group if not self.cells[cell])

    def _chosen_whole(self, region: frozenset[int]) -> bool:
        return self._empty(region) <= self.chosen

    def _flood(self, start: int, belongs: Callable[[int], bool]) -> frozenset[int]:
        found, frontier = {start}, [start]
        while frontier:
            row, column = divmod(frontier.pop(), self.width)
            for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
                cell = r * self.width + c
                inside = 0 <= c < self.width and 0 <= cell < len(self.cells)
                if inside and cell not in found and belongs(cell):
                    found.add(cell)
                    frontier.append(cell)
        return frozenset(found)
