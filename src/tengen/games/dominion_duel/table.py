"""Dominion Duel at the table: its rules in short and its words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen import _core
from tengen.facets.table import Table

if TYPE_CHECKING:
    from tengen.facets.conversation import Conversation, Paper
    from tengen.game import State


class DominionDuelTable(Table):
    about = "Claim territories in a row; each claim locks its neighbours, and more claims win."
    rules = """\
The players claim open territories in turn. A claim locks the open territories beside it for good.
The game ends when nothing is open. More claims win.
(The rulebook says that a tie is impossible. It is not: after 2, 4, 6 and 8 both have two.)"""
    examples = {"5": "claim territory 5"}

    def conversation(self, paper: Paper, machines: tuple[str, str]) -> Conversation:
        from tengen.games.dominion_duel.conversation import DominionDuelConversation

        return DominionDuelConversation(paper, machines)

    def standing_words(self, state: State) -> list[str]:
        assert isinstance(state, _core.ShortDominionDuel | _core.LongDominionDuel)
        seats, (first, second) = self.game.seats, state.score()
        return [f"Claims: {seats[0]} {first:.0f}, {seats[1]} {second:.0f}."]

    def legal_words(self, state: State) -> list[str]:
        return [" ".join(str(action + 1) for action in state.legal_actions())]

    def piece_name(self, code: int) -> str:
        return self.game.letters[code]

    def row_name(self, row: int) -> str:
        return f"Row {row + 1}"

    def read(self, text: str) -> str:
        return text.strip("[]# ")
