"""Go at the table: passing, agreement on dead stones (GO 16 to GO 22), and its words."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from tengen import _core
from tengen.facets.words import count, number, points
from tengen.games._grid_facets import GridTable

if TYPE_CHECKING:
    from tengen.facets.table import ScoreSheet
    from tengen.game import Outcome, State
    from tengen.games.go.rules import Go


class GoTable(GridTable):
    game: Go
    about = "Surround more of the board than your opponent; stones without liberties are taken."
    rules = """\
Black and White take turns to place a stone on an empty point, or pass.
Stones joined along the lines are a chain; the empty points beside it are its liberties.
A chain without liberties is taken off the board. Your own may not be left without any.
A single stone that has just taken a single stone may not be taken back at once (ko).
When both pass in a row, play stops. Under territory scoring the players agree which stones are dead;
points are surrounded empty points minus stones lost. Under area scoring stones on the board count too,
and what is dead has to be captured first unless the rules have the players agree (dead=agreed).
White gets the komi on top."""
    counted = True
    draws = {"repetition": "by repetition"}

    @property
    def agreement(self) -> bool:
        options = self.game.all_options
        return options["scoring"] == "territory" or options["dead"] == "agreed"

    def can_resume(self, state: State) -> bool:
        return state.outcome is not None and state.outcome.reason == "score"

    def count(self, state: State, dead: Iterable[int], neutral: Iterable[int]) -> _core.GoScore:
        assert isinstance(state, _core.Go9 | _core.Go19)
        return state.count(sorted(dead), sorted(neutral))

    def count_words(
        self, state: State, dead: Collection[int], sheet: ScoreSheet, *, plain: bool
    ) -> list[str]:
        lines, cells = [], state.cells()
        if not plain:
            lines.append("x o dead stones   # Black's territory   ~ White's   ? neutral")
        for seat, name in enumerate(self.game.seats):
            own = [cell for cell in dead if cells[cell] == seat + 1]
            if plain and own:
                lines.append(f"Dead stones of {name}: {self.names_of(own)}.")
        for seat, name in enumerate(self.game.seats):
            komi = f", komi {number(self.game.komi)}" if seat == 1 else ""
            stones = f"lost {sheet.lost[seat] + sheet.dead[seat]}"
            if self.game.options["scoring"] == "area":
                stones = f"stones {sheet.stones[seat]}"
            lines.append(
                f"{name}: {number(sheet.points[seat])} (territory {sheet.territory[seat]}, {stones}{komi})"
            )
        lead = sheet.points[0] - sheet.points[1]
        wins = (
            f"{self.game.seats[0 if lead > 0 else 1]} wins by {number(abs(lead))}" if lead else "nobody wins"
        )
        lines.append(f"Counted so, {wins}.")
        return lines

    def draw_words(self, outcome: Outcome) -> str:
        if outcome.reason != "score":
            return super().draw_words(outcome)
        return "with equal points" + ("" if outcome.score is None else f", {points(outcome.score)}")

    def move_words(self, before: State, after: State, seat: int, text: str) -> str:
        assert isinstance(after, _core.Go9 | _core.Go19)
        words = super().move_words(before, after, seat, text)
        if text == "pass" or not after.captured:
            return words
        return f"{words[:-1]} and captures {count(len(after.captured), 'stone')}."

    def status_words(self, state: State) -> list[str]:
        assert isinstance(state, _core.Go9 | _core.Go19)
        black, white = state.prisoners
        lines = [f"Captured: Black {black}, White {white}. Komi {number(self.game.komi)}."]
        if state.passes == 1 and state.outcome is None:
            lines.append(f"{self.game.seats[1 - state.to_move]} has passed: another pass stops play.")
        return lines

    def standing_words(self, state: State) -> list[str]:
        assert isinstance(state, _core.Go9 | _core.Go19)
        found = self.game.opponents.estimate_dead(state)
        black, white = state.score(found.dead, found.neutral)
        counted = f"Black {number(black)}, White {number(white)}"
        dead = count(len(found.dead), "stone")
        return [
            *self.status_words(state)[:1],
            f"An estimate, if play stopped now: {counted}, {dead} dead.",
        ]
