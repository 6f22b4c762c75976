"""Dominion Duel's conversation: the rulebook's "Command-Line Interaction Example", line for line.

What the rulebook forgot is said in the same tone: the draw, and claims of a machine or of no consequence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen.facets.conversation import Contest, Paper
from tengen.facets.words import listed

if TYPE_CHECKING:
    from tengen.game import State

LOCK = "\N{LOCK}"
SYMBOLS = ("X", "O")
_OPEN, _LOCKED = 0, 3  # codes of cells
_ENTER = "Enter the number of the territory you wish to claim:"


class DominionDuelConversation:
    def __init__(self, screen: Paper, machines: tuple[str, str]) -> None:
        self._screen = screen
        self._machines = machines  # a machine's name by seat, empty for a person who sits here

    def opening(self, match: Contest, *, going_on: bool) -> None:
        self._screen.say("Welcome back to Dominion Duel!" if going_on else "Welcome to Dominion Duel!")
        for seat, name in enumerate(self._machines):
            if name:
                self._screen.say(f"{_player(seat)} is {name}.")

    def board(self, state: State) -> None:
        self._screen.say()
        self._screen.say("Current Board:")
        lock = LOCK if self._screen.unicode else "#"
        marks = {1: "X", 2: "O", _LOCKED: lock}
        cells = [f"[{marks.get(code, number)}]" for number, code in enumerate(state.cells(), start=1)]
        each = max(len(cell) for cell in cells) + 1 + (lock == LOCK)  # the lock is two columns wide
        most = max(1, (self._screen.width + 1) // each) if len(cells) > 9 else len(cells)
        for start in range(0, len(cells), most):
            self._screen.say(" ".join(cells[start : start + most]))

    def turn(self, state: State) -> None:
        self.board(state)
        self._screen.say()
        self._screen.say(f"{_player(state.to_move)}, it's your turn.")
        self._screen.say(_ENTER)

    def prompt(self, seat: int) -> str:
        return "> "

    def again(self) -> None:
        self._screen.say(_ENTER)

    def answer(self, lines: list[str]) -> None:
        self._screen.say()
        for line in lines:
            self._screen.say(line)

    def moved(self, before: State, after: State, seat: int, text: str) -> None:
        machine = self._machines[seat]
        who = f"Player {seat + 1} has" if machine else "You have"
        self._screen.say()
        self._screen.say(f"{who} claimed territory {text}.")
        names = [
            str(number)
            for number, (was, is_) in enumerate(zip(before.cells(), after.cells(), strict=True), start=1)
            if was == _OPEN and is_ == _LOCKED
        ]
        if len(names) == 1:
            self._screen.say(f"Territory {names[0]} is now locked.")
        elif names:
            self._screen.say(f"Territories {listed(names)} are now locked.")

    def watched(self, state: State) -> None:
        self.board(state)

    def over(self, match: Contest) -> None:
        outcome, state = match.outcome, match.state
        assert outcome is not None
        if outcome.reason != "claims":
            self._screen.say()
            self._screen.say("Game Over!")
            self._screen.say(match.game.table.outcome_words(outcome))
            return
        self.board(state)
        self._screen.say()
        self._screen.say("No more moves available.")
        self._screen.say()
        self._screen.say("Game Over!")
        cells = state.cells()
        for seat in (0, 1):
            own = [str(number) for number, code in enumerate(cells, start=1) if code == seat + 1]
            self._screen.say(f"Player {seat + 1} claimed territories: {', '.join(own) or 'none'}")
        if outcome.winner is None:
            self._screen.say("Draw: both players claimed the same number of territories.")
        else:
            self._screen.say(f"Winner: Player {outcome.winner + 1}")


def _player(seat: int) -> str:
    return f"Player {seat + 1} ({SYMBOLS[seat]})"
