"""Kelasu with staged actions (`notation` says which): options, drawing, view. Rules: docs/rules/kelasu.md."""

from __future__ import annotations

from tengen import _core
from tengen.game import Option, OptionValue, State, text_to_cells
from tengen.games.compiled import CompiledGame
from tengen.games.kelasu.learning import KelasuLearning
from tengen.games.kelasu.look import KelasuLook
from tengen.games.kelasu.notation import stages_text
from tengen.games.kelasu.opponents import KelasuOpponents
from tengen.games.kelasu.pieces import CELLS, END_TURN, LETTERS, RANKS, SIZE, VICTORY_TILES
from tengen.games.kelasu.table import KelasuTable


class Kelasu(CompiledGame):
    name = "kelasu"
    title = "Kelasu"
    seats = ("Blue", "Red")
    reasons = ("victory-tiles", "no-stones", "no-pieces", "stalemate", "repetition", "quiet")
    letters = LETTERS
    table_kind, look_kind = KelasuTable, KelasuLook
    opponents_kind, learning_kind = KelasuOpponents, KelasuLearning
    option_list = (
        Option("may_end_turn_early", bool, False, "a turn may be ended while there is energy left"),
    )
    width = height = SIZE
    symmetries = 2

    def __init__(self, **options: OptionValue) -> None:
        super().__init__(**options)
        self.action_count = END_TURN + bool(self.options["may_end_turn_early"])
        self._rules = _core.KelasuRules(self.options)

    def start(self) -> _core.Kelasu:
        return _core.Kelasu.start(self, self._rules)

    def position(self, text: str, to_move: int = 0) -> _core.Kelasu:
        cells = text_to_cells(text, self.letters, self.width, self.height)
        return _core.Kelasu.from_cells(self, self._rules, cells, to_move, (text.strip(), to_move))

    def text(self, state: State) -> str:
        self._own(state)
        assert isinstance(state, _core.Kelasu)
        moved = set(state.moved)
        header = "    " + "  ".join(str(file) for file in range(SIZE))
        lines = [header]
        for rank, letter in enumerate(RANKS):
            row = ""
            for cell in range(rank * SIZE, (rank + 1) * SIZE):
                tile, mark = ":" if cell in VICTORY_TILES else " ", "'" if cell in moved else " "
                row += tile + self.letters[state.cells()[cell]] + mark
            lines.append(f" {letter} {row} {letter}")
        lines.append(header)
        if state.outcome is None:
            lines.append(f"{self.seats[state.to_move]} to move, energy {state.energy}{' #' * state.energy}")
            if stages := state.stages:
                lines.append(f"begun: {stages_text(stages)}")
        lines.append(": victory tile" + ("   ' has moved this turn" if moved else ""))
        return "\n".join(lines)

    def mid_move(self, state: State) -> bool:
        assert isinstance(state, _core.Kelasu)
        return state.mid_move

    def action_map(self, symmetry: int) -> tuple[int, ...]:
        self._check_symmetry(symmetry)
        if symmetry == 0:
            return tuple(range(self.action_count))
        mirrored = (cell // SIZE * SIZE + SIZE - 1 - cell % SIZE for cell in range(CELLS))
        return (*mirrored, *range(CELLS, self.action_count))
