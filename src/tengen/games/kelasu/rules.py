"""Kelasu with staged actions (`notation` says which): options, drawing, view. Rules: docs/rules/kelasu.md."""

from __future__ import annotations

from collections.abc import Sequence

from tengen import _core
from tengen.game import Game, Option, OptionValue, State, View, text_to_cells
from tengen.games.kelasu import notation
from tengen.games.kelasu.details import KelasuDetails
from tengen.games.kelasu.learning import KelasuLearning
from tengen.games.kelasu.look import KelasuLook
from tengen.games.kelasu.notation import move_kind, stages_text, under_way
from tengen.games.kelasu.opponents import KelasuOpponents
from tengen.games.kelasu.pieces import CELLS, COSTS, END_TURN, KINDS, LETTERS, RANKS, SIZE, VICTORY_TILES
from tengen.games.kelasu.table import KelasuTable


class Kelasu(Game):
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
        may_end_turn_early = bool(self.options["may_end_turn_early"])
        self.action_count = END_TURN + may_end_turn_early
        self._rules = _core.KelasuRules(may_end_turn_early)

    def start(self) -> _core.Kelasu:
        return _core.Kelasu.start(self, self._rules)

    def position(self, text: str, to_move: int = 0) -> _core.Kelasu:
        cells = text_to_cells(text, self.letters, self.width, self.height)
        return _core.Kelasu.from_cells(self, self._rules, cells, to_move, (text.strip(), to_move))

    def parse(self, state: State, text: str) -> list[int]:
        """The actions of a turn or part of one."""
        self._own(state)
        return notation.parse(state, text)

    def format(self, state: State, actions: Sequence[int]) -> str:
        self._own(state)
        return notation.format_moves(state, actions)

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
            if stages := under_way(state):
                lines.append(f"begun: {stages_text(stages)}")
        lines.append(": victory tile" + ("   ' has moved this turn" if moved else ""))
        return "\n".join(lines)

    def mid_move(self, state: State) -> bool:
        assert isinstance(state, _core.Kelasu)
        return state.stage != "choose"

    def view(self, state: State) -> View:
        self._own(state)
        assert isinstance(state, _core.Kelasu)
        cells = state.cells()
        stages = under_way(state)
        return View(
            board="squares",
            width=self.width,
            height=self.height,
            cells=tuple(self.letters[code] for code in cells),
            to_move=state.to_move,
            last=state.last_move,
            captured=state.captured,
            details=KelasuDetails(
                energy=state.energy,
                quiet_rounds=state.quiet_rounds,
                moved=list(state.moved),
                victory_tiles=list(VICTORY_TILES),
                stages=list(stages),
                moves=[
                    {
                        "from": start,
                        "targets": [
                            {"cell": to, "kind": move_kind(cells, start, to)} for to in state.targets(start)
                        ],
                    }
                    for start in state.movable()
                ],
                merges=[
                    {"kind": kind, "cost": COSTS[number], "targets": list(targets)}
                    for number, kind in enumerate(KINDS)
                    if (targets := state.merge_targets(number))
                ],
                may_end_turn=not stages and END_TURN in state.legal_actions(),
            ),
        )

    def action_map(self, symmetry: int) -> tuple[int, ...]:
        self._check_symmetry(symmetry)
        if symmetry == 0:
            return tuple(range(self.action_count))
        mirrored = (cell // SIZE * SIZE + SIZE - 1 - cell % SIZE for cell in range(CELLS))
        return (*mirrored, *range(CELLS, self.action_count))
