"""The usual conversation around a board."""

from __future__ import annotations

from tengen.facets.conversation import Contest, Conversation
from tengen.game import Game, State
from tengen.terminal import draw
from tengen.terminal.screen import Screen


def make_face(
    screen: Screen, game: Game, machines: tuple[str, str], called: tuple[str, str], *, asked: bool = True
) -> Conversation:
    """The game's own conversation, or the usual one. `machines` has the names of seats that nobody here has,
    `called` what everybody is called.
    """
    own = screen.face() or game.table.conversation(screen, machines)
    return own or BoardFace(screen, game.seats, called, asked=asked)


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
        size = f" {words}" if (words := game.table.size_words) else ""
        sides = [
            f"{seat} is {who}" if who else seat for seat, who in zip(game.seats, self._players, strict=True)
        ]
        made = f", {game.table.made_words(len(match.line))}" if going_on else ""
        self._screen.say(
            f"{game.title}{size}: {sides[0]}, {sides[1]}{made}."
            + (" Type help for the commands." if self._asked else "")
        )
        if self._screen.plain:
            self.board(match.state)

    def turn(self, state: State) -> None:
        if not self._screen.plain:
            self.board(state)
        for line in state.game.table.status_words(state):
            self._screen.say(line)
        if self._screen.plain and not state.game.table.turn_is_said:
            self._screen.say(f"{state.game.seats[state.to_move]} to move.")

    def board(self, state: State) -> None:
        if self._screen.plain:
            for line in state.game.table.board_words(state):
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
        self._screen.say(before.game.table.move_words(before, after, seat, text))

    def watched(self, state: State) -> None:
        if not self._screen.plain:
            self.board(state)
            for line in state.game.table.status_words(state):
                self._screen.say(line)

    def over(self, match: Contest) -> None:
        if not self._screen.plain:
            self._screen.say()
            for text in draw.board(match.state, self._screen, match.marking):
                self._screen.say(text)
        assert match.outcome is not None
        self._screen.say(match.game.table.outcome_words(match.outcome))
