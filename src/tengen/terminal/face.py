"""The conversation of the board games. `Face` is what a session needs of any conversation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from tengen.game import Game, Outcome, State
from tengen.match import Marking
from tengen.terminal import draw, words
from tengen.terminal.screen import Screen


class Contest(Protocol):
    """What can be told of a match, played here (`tengen.match.Match`) or on a server."""

    @property
    def game(self) -> Game: ...
    @property
    def state(self) -> State: ...
    @property
    def line(self) -> Sequence[object]:
        """The moves that stand."""
        ...

    @property
    def marking(self) -> Marking | None: ...
    @property
    def outcome(self) -> Outcome | None: ...


class Face(Protocol):
    """What is said when. A game may have a conversation of its own (`tengen.terminal.dominion`)."""

    def opening(self, match: Contest, *, going_on: bool) -> None: ...

    def turn(self, state: State) -> None:
        """Before the first prompt at a new position."""
        ...

    def prompt(self, seat: int) -> str: ...

    def again(self) -> None:
        """Before another prompt at the same position."""
        ...

    def board(self, state: State) -> None: ...

    def answer(self, lines: list[str]) -> None:
        """What a command has to say, or why something is refused."""
        ...

    def moved(self, before: State, after: State, seat: int, text: str) -> None: ...

    def watched(self, state: State) -> None:
        """After a move where nobody is asked for the next."""
        ...

    def over(self, match: Contest) -> None: ...


class BoardFace:
    def __init__(
        self, screen: Screen, seats: tuple[str, str], players: tuple[str, str], *, asked: bool = True
    ) -> None:
        self._screen = screen
        self._seats = seats
        self._asked = asked  # whether anybody here types
        self._players = players  # as they are called beside the seat, empty for nobody in particular

    def opening(self, match: Contest, *, going_on: bool) -> None:
        game = match.game
        size = f" {game.width}x{game.height}" if game.height > 1 and game.name != "kelasu" else ""
        sides = [
            f"{seat} is {who}" if who else seat for seat, who in zip(game.seats, self._players, strict=True)
        ]
        made = f", {words.count(len(match.line), 'move')} made" if going_on else ""
        self._screen.say(
            f"{game.title}{size}: {sides[0]}, {sides[1]}{made}."
            + (" Type help for the commands." if self._asked else "")
        )
        if self._screen.plain:
            self.board(match.state)

    def turn(self, state: State) -> None:
        if not self._screen.plain:
            self.board(state)
        for line in words.status(state):
            self._screen.say(line)
        if self._screen.plain and state.game.name != "kelasu":
            self._screen.say(f"{state.game.seats[state.to_move]} to move.")

    def board(self, state: State) -> None:
        if self._screen.plain:
            for line in words.board(state):
                self._screen.say(line)
            return
        self._screen.say()
        for text in draw.board(state, self._screen):
            self._screen.say(text)

    def prompt(self, seat: int) -> str:
        return f"{self._seats[seat]}> "

    def again(self) -> None:
        pass

    def answer(self, lines: list[str]) -> None:
        for line in lines:
            self._screen.say(line)

    def moved(self, before: State, after: State, seat: int, text: str) -> None:
        self._screen.say(words.played(before, after, seat, text))

    def watched(self, state: State) -> None:
        if not self._screen.plain:
            self.board(state)
            for line in words.status(state):
                self._screen.say(line)

    def over(self, match: Contest) -> None:
        if not self._screen.plain:
            self._screen.say()
            for text in draw.board(match.state, self._screen, match.marking):
                self._screen.say(text)
        assert match.outcome is not None
        self._screen.say(words.ending(match.game, match.outcome))
