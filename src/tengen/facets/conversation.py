"""What is said when in a terminal. A game may have a conversation of its own (`Table.conversation`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from tengen.facets.look import Marks
    from tengen.game import Game, Outcome, State


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
    def marking(self) -> Marks | None: ...
    @property
    def outcome(self) -> Outcome | None: ...


class Paper(Protocol):
    """Where a conversation is written."""

    unicode: bool

    @property
    def width(self) -> int: ...
    def say(self, line: str = "") -> None: ...


class Conversation(Protocol):
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
