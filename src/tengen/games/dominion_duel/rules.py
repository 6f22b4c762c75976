"""Dominion Duel: n territories in a row. Rules: docs/rules/dominion-duel.md.

Actions are territory numbers minus one; a move is written as the number. `View.details` is empty: the
letters say all (`X` and `O` claims, `#` locked).
"""

from __future__ import annotations

from tengen import _core
from tengen.game import Option, OptionValue, State, text_to_cells
from tengen.games.compiled import CompiledGame
from tengen.games.dominion_duel.learning import DominionDuelLearning
from tengen.games.dominion_duel.look import DominionDuelLook
from tengen.games.dominion_duel.opponents import DominionDuelOpponents
from tengen.games.dominion_duel.table import DominionDuelTable

_CompiledState = _core.ShortDominionDuel | _core.LongDominionDuel


class DominionDuel(CompiledGame):
    name = "dominion-duel"
    title = "Dominion Duel"
    seats = ("Player 1", "Player 2")
    reasons = ("claims",)
    letters = _core.ShortDominionDuel.letters
    table_kind, look_kind = DominionDuelTable, DominionDuelLook
    opponents_kind, learning_kind = DominionDuelOpponents, DominionDuelLearning
    option_list = (
        Option(
            "n",
            int,
            9,
            "how many territories the row has",
            minimum=1,
            maximum=_core.DominionDuelRules.largest,
        ),
    )
    symmetries = 2

    def __init__(self, **options: OptionValue) -> None:
        super().__init__(**options)
        n = self.options["n"]
        assert isinstance(n, int)
        self.width, self.height, self.action_count = n, 1, n
        self._rules = _core.DominionDuelRules(self.options)
        self._states = _core.ShortDominionDuel if n <= 64 else _core.LongDominionDuel

    def start(self) -> _CompiledState:
        return self._states.start(self, self._rules)

    def position(self, text: str, to_move: int = 0) -> _CompiledState:
        cells = text_to_cells(text, self.letters, self.width, self.height)
        return self._states.from_cells(self, self._rules, cells, to_move, (text.strip(), to_move))

    def text(self, state: State) -> str:
        self._own(state)
        marks = {1: "X", 2: "O", 3: "#"}
        return " ".join(f"[{marks.get(code, number)}]" for number, code in enumerate(state.cells(), start=1))

    def action_map(self, symmetry: int) -> tuple[int, ...]:
        self._check_symmetry(symmetry)
        return tuple(range(self.width)) if symmetry == 0 else tuple(range(self.width - 1, -1, -1))
