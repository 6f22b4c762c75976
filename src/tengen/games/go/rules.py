"""Go on 2×2 to 19×19: options and drawing. Rules: docs/rules/go.md."""

from __future__ import annotations

from collections.abc import Mapping

from tengen import _core
from tengen.game import Option, OptionValue, State, text_to_cells
from tengen.games._grid import GridGame, draw
from tengen.games.go.learning import GoLearning
from tengen.games.go.look import GoLook, star_points
from tengen.games.go.opponents import GoOpponents
from tengen.games.go.records import GoRecords
from tengen.games.go.table import GoTable

# What each preset changes against the defaults below (GO 24).
PRESETS: dict[str, dict[str, OptionValue]] = {
    "japanese": {},
    "chinese": {"ko": "superko", "scoring": "area", "komi": 7.5, "dead": "agreed"},
    "aga": {"ko": "situational", "scoring": "area", "komi": 7.5, "bonus": "less_one", "dead": "agreed"},
    "new_zealand": {
        "ko": "situational",
        "scoring": "area",
        "komi": 7.0,
        "suicide": True,
        "dead": "agreed",
    },
}
HANDICAP_KOMI = 0.5
STAR_POINT, EMPTY_POINT = "+", "."


class Go(GridGame):
    name = "go"
    title = "Go"
    seats = ("Black", "White")
    reasons = ("score", "repetition")
    letters = _core.Go9.letters
    table_kind, look_kind, opponents_kind = GoTable, GoLook, GoOpponents
    learning_kind, records_kind = GoLearning, GoRecords
    option_list = (
        Option(
            "rules",
            str,
            "japanese",
            "the preset that gives the defaults of the rest",
            choices=tuple(PRESETS),
            late=True,
        ),
        Option("size", int, 19, "points on a side", minimum=2, maximum=19),
        Option(
            "ko",
            str,
            "simple",
            "simple: not retaken at once; superko: no board ever comes back;"
            " situational: not with the same player to move",
            choices=("simple", "superko", "situational"),
        ),
        Option(
            "scoring",
            str,
            "territory",
            "territory: Japanese, stones lost count against; area: Chinese, stones count",
            choices=("territory", "area"),
        ),
        Option("komi", float, 6.5, "points for White; 0.5 with a handicap", minimum=-400, maximum=400),
        Option("handicap", int, 0, "0, or 2 to 9 black stones on the star points", minimum=0, maximum=9),
        Option(
            "bonus",
            str,
            "zero",
            "points for White for handicap stones; less_one: one fewer than they are; full: one each",
            choices=("zero", "less_one", "full"),
            late=True,
        ),
        Option(
            "suicide",
            bool,
            False,
            "whether one's own chain may be left without liberties and comes off",
            late=True,
        ),
        Option(
            "dead",
            str,
            "by_scoring",
            "agreed: when both have passed, players agree what is dead; by_scoring: under territory scoring"
            " they do, under area scoring it has to be captured",
            choices=("by_scoring", "agreed"),
            late=True,
        ),
    )

    def __init__(self, **options: OptionValue) -> None:
        super().__init__(**options)
        size = self.options["size"]
        assert isinstance(size, int)
        self._set_size(size)
        self._rules = _core.GoRules(self.options)
        self._states = _core.Go9 if size <= 9 else _core.Go19

    def _defaults(self, given: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
        preset = given.get("rules")
        defaults = super()._defaults(given) | (PRESETS.get(preset, {}) if isinstance(preset, str) else {})
        return defaults | {"komi": HANDICAP_KOMI} if given.get("handicap") else defaults

    def _identity(self) -> tuple[tuple[str, OptionValue], ...]:
        """The same rules are the same game, whichever preset they were asked for by and however a match of it
        comes to its count.
        """
        return tuple(one for one in self.all_options.items() if one[0] not in ("rules", "dead"))

    @property
    def komi(self) -> float:
        """What White gets on top, for moving second and for handicap stones."""
        komi, handicap, bonus = (self.all_options[name] for name in ("komi", "handicap", "bonus"))
        assert isinstance(komi, float) and isinstance(handicap, int)
        if not handicap or bonus == "zero":
            return komi
        return komi + handicap - (bonus == "less_one")

    def start(self) -> _core.Go9 | _core.Go19:
        return self._states.start(self, self._rules)

    def position(self, text: str, to_move: int = 0) -> _core.Go9 | _core.Go19:
        cells = text_to_cells(text, self.letters, self.width, self.height)
        return self._states.from_cells(self, self._rules, cells, to_move, (text.strip(), to_move))

    def text(self, state: State) -> str:
        state = self._go(state)
        stars = set(star_points(self.size))
        marks = [
            self.letters[code] if code else STAR_POINT if cell in stars else EMPTY_POINT
            for cell, code in enumerate(state.cells())
        ]
        black, white = state.prisoners
        board = draw(marks, self.size, self._last_cell(state.last_action))
        return f"{board}\nBlack (X) has captured {black}, White (O) {white}."

    def _go(self, state: State) -> _core.Go9 | _core.Go19:
        self._own(state)
        assert isinstance(state, _core.Go9 | _core.Go19)
        return state
