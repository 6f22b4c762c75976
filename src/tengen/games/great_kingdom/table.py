"""Great Kingdom at the table: passing, territory, the move that loses at once (GK 3), and its words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tengen import _core
from tengen.facets.words import points
from tengen.games._grid_facets import GridTable

if TYPE_CHECKING:
    from tengen.game import Outcome, State
    from tengen.games.great_kingdom.rules import GreatKingdom

Compiled = _core.GreatKingdom7 | _core.GreatKingdom9 | _core.GreatKingdom19


class GreatKingdomTable(GridTable):
    game: GreatKingdom
    about = "Place castles to fence in territory; the first capture wins at once."
    rules = """\
Blue and Orange take turns to place a castle on an empty cell, or pass. Blue begins.
Castles joined along the lines are a group; the empty cells beside it are its liberties.
Whoever takes the last liberty of an opposing group wins at once.
Whoever places a castle without liberties that captures nothing loses at once.
Empty cells that only one side's castles, the edges and the neutral castle (N) enclose are that side's
territory, unless they touch all four edges.
When both pass in a row, territory decides."""
    counted = True
    credits = (
        "Great Kingdom is part of the Wiz Stone series, designed by the professional Go player Lee Sedol "
        "and published by KBG Publishing."
    )
    wins = {
        "capture": "{loser} has lost a castle",
        "suicide": "{loser}'s castle has no liberties",
    }

    saved = {"capture": "{loser}'s castles could be saved"}

    def loses_at_once(self, state: State, actions: Sequence[int]) -> str:
        assert isinstance(state, Compiled)
        loses = bool(actions) and state.would_lose(actions[0])
        return "A castle there has no liberties: you would lose at once." if loses else ""

    def score_words(self, outcome: Outcome) -> str:
        assert outcome.winner is not None and outcome.score is not None
        winner = self.game.seats[outcome.winner]
        return f"{winner} wins on territory, {points(outcome.score)}. {self.condition()}"

    def condition(self) -> str:
        """What Blue needs (GK 6)."""
        lead = self.game.lead
        if lead == 0:
            return "Blue wins ties."
        return f"Blue needs {lead} more than Orange." if lead > 0 else f"Blue may be {-lead} behind."

    def status_words(self, state: State) -> list[str]:
        assert isinstance(state, Compiled)
        blue, orange = state.score()
        lines = [f"Territory: Blue {blue:.0f}, Orange {orange:.0f}. {self.condition()}"]
        if state.castles_left is not None:
            lines.append("Castles left: Blue {}, Orange {}.".format(*state.castles_left))
        if state.passes == 1 and state.outcome is None:
            lines.append(f"{self.game.seats[1 - state.to_move]} has passed: another pass ends the game.")
        return lines

    def warning_words(self, state: State) -> list[str]:
        assert isinstance(state, Compiled)
        losing = [action for action in state.legal_actions() if state.would_lose(action)]
        return [f"Without liberties, so you would lose: {self.names_of(losing)}"] if losing else []

    def board_words(self, state: State) -> list[str]:
        assert isinstance(state, Compiled)
        lines, territory = super().board_words(state), state.territory()
        if not any(state.cells()):
            return lines
        for owner, name in enumerate(self.game.seats, start=1):
            if own := [cell for cell, who in enumerate(territory) if who == owner]:
                lines.append(f"{name}'s territory: {self.names_of(own)}.")
        return lines
