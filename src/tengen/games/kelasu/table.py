"""Kelasu at the table: its rules in short and its words, down to what a begun move still needs."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from tengen import _core
from tengen.facets.table import Table
from tengen.facets.words import count
from tengen.games.kelasu.pieces import (
    COSTS,
    END_TURN,
    KINDS,
    NAMES,
    PIECES,
    RANKS,
    SIZE,
    VICTORY_TILES,
    cell_name,
)

if TYPE_CHECKING:
    from tengen.game import State


class KelasuTable(Table):
    about = "Lead an army whose blanks merge into stronger pieces, and take the four tiles in the middle."
    rules = """\
Blue (upper case, top) and Red (lower case, bottom) move armies. Blue begins.
A turn has as much energy as you have stones (S). A move costs 1, a merge as much as its blanks; all
energy must be used, and each piece moves once a turn.
  B blank     one forward or sideways, never captures
  W warrior   one forward or sideways; captures diagonally forward too; returns from the far rank
  R runner    diagonally any distance; captures from two cells on
  D diplomat  one to three straight, never captures; converts a diagonal neighbour and leaves
  C champion  forward and back any distance, sideways up to three; does not capture backward
  G general   any distance in eight directions
Joined blanks beyond your own two home ranks that have not moved this turn can merge:
2 into a warrior, 4 runner, 4 diplomat, 5 champion, 10 general, 21 stone.
You win with a piece on each of the four victory tiles (:), or when your opponent has no stone, or
nothing but stones. The same position for the fourth time, 64 quiet rounds, or no move at all is a draw."""
    credits = (
        "Kelasu is by MaxTheFox; original rules template by KittyTac, first implementation by Redstoneboi, "
        "Discord server by CCCFan."
    )
    wins = {
        "victory-tiles": "all four victory tiles are taken",
        "no-stones": "{loser} has no stone left",
        "no-pieces": "{loser} has nothing but stones left",
    }
    draws = {
        "repetition": "by repetition",
        "quiet": "after 64 quiet rounds",
        "stalemate": "by stalemate: the player to move can do nothing",
    }
    examples = {
        "B1-C1": "move a piece, or take what is there",
        "B1": "choose a piece and see where it can go; then C1",
        "=W D0+D1>D1": "merge D0 and D1 into a warrior on D1; R, D, C, G, S likewise",
        "A; B; C": "several moves of a turn, with ; between them",
    }
    size_words = ""
    turn_is_said = True

    def move_words(self, before: State, after: State, seat: int, text: str) -> str:
        if text == "end":
            return f"{self.game.seats[seat]} ends the turn."
        return super().move_words(before, after, seat, text)

    def status_words(self, state: State) -> list[str]:
        """Energy, and what can act."""
        assert isinstance(state, _core.Kelasu)
        if state.outcome is not None:
            return []
        lines = [f"{self.game.seats[state.to_move]} has energy {state.energy}."]
        if state.stage == "choose":
            if movable := state.movable():
                lines.append(f"Can move: {runs(movable)}")
            merges = [
                f"={kind} ({NAMES[i]}, {COSTS[i]} blanks)"
                for i, kind in enumerate(KINDS)
                if state.merge_targets(i)
            ]
            if merges:
                lines.append(f"Can merge: {', '.join(merges)}")
        return lines

    def standing_words(self, state: State) -> list[str]:
        letters = [self.game.letters[code] for code in state.cells()]
        lines = []
        for seat, name in enumerate(self.game.seats):
            own = [letter for letter in letters if letter != "." and letter.islower() == bool(seat)]
            held = [letters[tile] for tile in VICTORY_TILES if letters[tile] != "."]
            tiles = sum(letter.islower() == bool(seat) for letter in held)
            stones = sum(letter in "Ss" for letter in own)
            others = count(len(own) - stones, "other piece")
            lines.append(f"{name}: {count(stones, 'stone')}, {others}, {tiles} of 4 victory tiles.")
        return lines

    def begun_words(self, state: State) -> str:
        assert isinstance(state, _core.Kelasu)
        cells = state.legal_actions()
        if state.selected_from is not None:
            return f"{cell_name(state.selected_from)} can go to {runs(cells)}. Where to?"
        assert state.merge_kind is not None
        name = NAMES[state.merge_kind]
        if state.merge_target is None:
            return f"Where shall the {name} stand? It can be {runs(cells)}."
        left = COSTS[state.merge_kind] - len(state.selected)
        return f"{count(left, 'more blank')} for the {name}: {runs(cells)}."

    def legal_words(self, state: State) -> list[str]:
        assert isinstance(state, _core.Kelasu)
        if state.stage != "choose":
            return [self.begun_words(state)]
        lines = [f"{cell_name(cell)} to {runs(state.targets(cell))}" for cell in state.movable()]
        for i, kind in enumerate(KINDS):
            if targets := state.merge_targets(i):
                lines.append(f"={kind}: a {NAMES[i]} from {COSTS[i]} blanks, on {runs(targets)}")
        if END_TURN in state.legal_actions():
            lines.append("end: end the turn here")
        return lines

    def piece_name(self, code: int) -> str:
        letter = self.game.letters[code]
        return f"{self.game.seats[letter.islower()]} {PIECES[letter.upper()]}"

    def row_name(self, row: int) -> str:
        return f"Rank {RANKS[row]}"

    def where(self, cells: Collection[int]) -> str:
        return runs(cells)


def runs(cells: Iterable[int]) -> str:
    """Cells, neighbours of a rank together: `B0-9 C3`."""
    found: list[list[int]] = []
    for cell in sorted(cells):
        if found and found[-1][-1] == cell - 1 and cell % SIZE:
            found[-1].append(cell)
        else:
            found.append([cell])
    return " ".join(cell_name(run[0]) + (f"-{run[-1] % SIZE}" if len(run) > 1 else "") for run in found)
