"""What a tap on a cell means: the order that a person would have typed. Knows no screen and no game.

Where actions are cells, a tap is the action of that cell, also within a move of several actions; a tap on
another cell that could begin a move begins that one. Elsewhere the cells of a move are tapped one after the
other (`Look.cells_of`), and what several moves share is asked. Start reading at `Hand.tap`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tengen.facets.look import MoveChoice
from tengen.game import Game, State

UNDO = "undo"


@dataclass(frozen=True, slots=True)
class Tapped:
    """Orders to give one after the other, or moves among which a person has to choose, or a refusal."""

    orders: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    refusal: str = ""


@dataclass
class Hand:
    """`chosen` are the cells that were tapped of a move whose actions are no cells."""

    game: Game
    chosen: list[int] = field(default_factory=list)
    _listed: tuple[State, list[MoveChoice]] | None = None

    @property
    def _by_cells(self) -> bool:
        """Whether an action is the cell that it names, so that a tap is one."""
        cells = self.game.width * self.game.height
        return self.game.look.hand == "place" or (self.game.has_stages and cells <= self.game.action_count)

    def tap(self, whole: State, state: State, cell: int) -> Tapped:
        """`state` is `whole` with the move that was begun."""
        if not self._by_cells:
            return self._tap_choice(state, cell)
        if cell in state.legal_actions():
            return Tapped((self.game.format(state, [cell]),))
        begun = state.actions[len(whole.actions) :]
        if begun and cell in begun:
            return Tapped((UNDO,))
        if begun and cell in whole.legal_actions():
            return Tapped((UNDO, self.game.format(whole, [cell])))
        return Tapped((self.game.look.cell_name(cell),))  # whoever reads it says why not

    def _tap_choice(self, state: State, cell: int) -> Tapped:
        tapped = (*self.chosen, cell)
        fitting = [move for move in self._moves(state) if move.cells[: len(tapped)] == tapped]
        if not fitting and self.chosen:
            self.chosen.clear()
            return Tapped() if tapped[-1] == tapped[-2] else self._tap_choice(state, cell)
        if not fitting:
            return Tapped(refusal="No move begins there.")
        whole = [move for move in fitting if len(move.cells) == len(tapped)]
        if len(fitting) > len(whole) and not whole:
            self.chosen.append(cell)
            return Tapped()
        self.chosen.clear()
        if len(fitting) == 1:
            return Tapped((whole[0].text,))
        return Tapped(choices=tuple(move.text for move in fitting))

    def targets(self, whole: State, state: State) -> frozenset[int]:
        """Cells that may be tapped next in a move that was begun; none where nothing was."""
        if self._by_cells:
            cells = self.game.width * self.game.height
            begun = len(state.actions) > len(whole.actions)
            return frozenset(action for action in state.legal_actions() if action < cells and begun)
        at = len(self.chosen)
        if not at:
            return frozenset()
        fitting = [move for move in self._moves(state) if move.cells[:at] == tuple(self.chosen)]
        return frozenset(move.cells[at] for move in fitting if len(move.cells) > at)

    def others(self, state: State) -> list[str]:
        """What may be done that has no cell: to pass, to merge."""
        if state.outcome is not None:
            return []
        if self._by_cells:
            cells = self.game.width * self.game.height
            return [self.game.format(state, [a]) for a in state.legal_actions() if a >= cells]
        return [move.text for move in self._moves(state) if not move.cells]

    def all_moves(self, state: State) -> list[str]:
        """Everything that may be played next, what has no cell first."""
        if self._by_cells:
            cells = self.game.width * self.game.height
            placed = [self.game.format(state, [a]) for a in state.legal_actions() if a < cells]
            return [*self.others(state), *placed]
        return [*self.others(state), *(move.text for move in self._moves(state) if move.cells)]

    def _moves(self, state: State) -> list[MoveChoice]:
        if self._listed is None or self._listed[0] is not state:
            self._listed = state, self.game.look.moves(state)
        return self._listed[1]


def begins_cell(game: Game, text: str) -> bool:
    """Whether the name of a cell begins so, in small letters."""
    return any(game.look.cell_name(cell).lower().startswith(text) for cell in range(game.width * game.height))
