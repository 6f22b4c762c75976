"""Great Kingdom: the first capture wins, or territory does. Rules: docs/rules/great-kingdom.md.

Actions are the cells row by row from the top left, then the pass; a move is written `D4` or `pass`.
"""

from __future__ import annotations

from collections.abc import Mapping

from tengen import _core
from tengen.game import Option, OptionValue, State, text_to_cells
from tengen.games._grid import GridGame, draw
from tengen.games.great_kingdom.learning import GreatKingdomLearning
from tengen.games.great_kingdom.look import GreatKingdomLook
from tengen.games.great_kingdom.opponents import GreatKingdomOpponents
from tengen.games.great_kingdom.records import GreatKingdomRecords
from tengen.games.great_kingdom.table import GreatKingdomTable

# What each preset changes against the defaults below (GK 9).
PRESETS: dict[str, dict[str, OptionValue]] = {
    "rulebook": {},
    "published": {"enter_enemy_territory": False, "castles": 40},
}

_CompiledState = _core.GreatKingdom7 | _core.GreatKingdom9 | _core.GreatKingdom19


class GreatKingdom(GridGame):
    name = "great-kingdom"
    title = "Great Kingdom"
    seats = ("Blue", "Orange")
    reasons = ("capture", "suicide", "territory")
    letters = _core.GreatKingdom9.letters
    table_kind, look_kind, opponents_kind = GreatKingdomTable, GreatKingdomLook, GreatKingdomOpponents
    learning_kind, records_kind = GreatKingdomLearning, GreatKingdomRecords
    option_list = (
        Option(
            "rules", str, "rulebook", "the preset that gives the defaults of the rest", choices=tuple(PRESETS)
        ),
        Option("size", int, 9, "cells a side; even only without a neutral castle", minimum=3, maximum=19),
        Option("neutral", bool, True, "whether a neutral castle stands in the centre"),
        Option("lead", int, 3, "how far Blue must be ahead to win on territory", minimum=-400, maximum=400),
        Option(
            "suicide",
            str,
            "loses",
            "what a castle placed without liberties does",
            choices=("loses", "illegal"),
        ),
        Option(
            "enter_enemy_territory", bool, True, "whether a castle may be placed in the opponent's territory"
        ),
        Option("enter_own_territory", bool, True, "whether a castle may be placed in one's own territory"),
        Option(
            "castles", int, None, "how many castles each side has", minimum=1, maximum=19 * 19, optional=True
        ),
    )

    def __init__(self, **options: OptionValue) -> None:
        super().__init__(**options)
        size, lead = self.options["size"], self.options["lead"]
        assert isinstance(size, int) and isinstance(lead, int)
        self.lead = lead
        self._rules = _core.GreatKingdomRules(self.options)
        self._set_size(size)
        self._states: type[_CompiledState]
        if size <= 7:
            self._states = _core.GreatKingdom7
        else:
            self._states = _core.GreatKingdom9 if size <= 9 else _core.GreatKingdom19

    def _defaults(self, given: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
        preset = given.get("rules")
        return super()._defaults(given) | (PRESETS.get(preset, {}) if isinstance(preset, str) else {})

    def _identity(self) -> tuple[tuple[str, OptionValue], ...]:
        """The same rules are the same game, whichever preset they were asked for by."""
        return tuple((name, value) for name, value in super()._identity() if name != "rules")

    def start(self) -> _CompiledState:
        return self._states.start(self, self._rules)

    def position(self, text: str, to_move: int = 0) -> _CompiledState:
        cells = text_to_cells(text, self.letters, self.width, self.height)
        return self._states.from_cells(self, self._rules, cells, to_move, (text.strip(), to_move))

    def text(self, state: State) -> str:
        """Castles are capitals, territory is the owner's small letter."""
        own = self._compiled(state)
        marks = [
            self.letters[code] if code else ".bo"[owner]
            for code, owner in zip(own.cells(), own.territory(), strict=True)
        ]
        blue, orange = own.score()
        lines = [
            draw(marks, self.size, self._last_cell(own.last_action)),
            f"Territory: Blue {blue:.0f}, Orange {orange:.0f}. {self._condition()}",
        ]
        if own.castles_left is not None:
            lines.append("Castles left: Blue {}, Orange {}.".format(*own.castles_left))
        return "\n".join(lines)

    def _condition(self) -> str:
        if self.lead == 0:
            return "Blue wins ties."
        return f"Blue wins from {abs(self.lead)} {'ahead' if self.lead > 0 else 'behind'}."

    def _compiled(self, state: State) -> _CompiledState:
        self._own(state)
        assert isinstance(state, _CompiledState)
        return state
