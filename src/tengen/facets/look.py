"""`Look`: what is seen of a game and how a hand makes a move, for terminal, browser and notebooks.

A game without a drawing of its own is shown with tokens in the colours of the seats and the letters of its
pieces. `Look.rows` is the board for a terminal: rows of (text, style) with styles as Rich writes them, or
empty ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol

from tengen.facets.points import COLUMNS

if TYPE_CHECKING:
    from tengen.game import Game, OptionValue, State

MOST_MOVES = 2000  # whole moves of a position that are listed

Span = tuple[str, str]  # a text and its style
Row = list[Span]
Hand = Literal["place", "choices", "own"]


@dataclass(frozen=True, slots=True)
class Piece:
    """What a letter of the board stands for; `svg` is a picture in a box from -50 to 50 both ways."""

    letter: str
    name: str
    seat: int | None = None
    svg: str | None = None


@dataclass(frozen=True, slots=True)
class MoveChoice:
    """A whole move that may be made: its actions, its text, and the cells that a hand taps to make it."""

    actions: tuple[int, ...]
    text: str
    cells: tuple[int, ...]


class Marks(Protocol):
    """The marks of an agreement, as a board shows them."""

    @property
    def dead(self) -> frozenset[int]: ...
    @property
    def neutral(self) -> frozenset[int]: ...


class Surface(Protocol):
    """What a terminal can show."""

    @property
    def colour(self) -> bool: ...
    @property
    def unicode(self) -> bool: ...


class Look:
    bottom: ClassVar[int | None] = None  # the seat that sits below when nobody is at the table
    colours: ClassVar[tuple[str, str]] = ("#2f6fd0", "#d2691e")  # CSS colours of the two seats
    frame_ms: ClassVar[int] = 180  # how long a move is shown to happen
    sizes: ClassVar[Mapping[str, tuple[OptionValue, ...]]] = {}  # values of options worth offering as such

    config_size: ClassVar[bool] = False  # whether the setting Game.GridSize is about it
    asks_size: ClassVar[bool] = False  # whether a terminal asks how large the board is to be

    def __init__(self, game: Game) -> None:
        self.game = game

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Of each letter but the empty cell's, in the order of `Game.letters`.

        Unless a game says otherwise the first two belong to the seats; where letters are there as capitals
        and small, capitals are the first seat's and small ones the second's.
        """
        letters, seats = self.game.letters[1:], self.game.seats
        if any(letter.isupper() and letter.lower() in letters for letter in letters):
            return tuple(
                Piece(letter, f"{seats[letter.islower()]} {letter.upper()}", int(letter.islower()))
                if letter.isalpha()
                else Piece(letter, letter)
                for letter in letters
            )
        return tuple(
            Piece(letter, seats[at], at) if at < 2 else Piece(letter, letter)
            for at, letter in enumerate(letters)
        )

    @property
    def hand(self) -> Hand:
        """How a move is made. `place`: an action below width × height is the cell of that number, and the one
        after them the pass. `choices`: moves are those that `moves` lists. `own`: the game's own client
        finds them in `View.details`.
        """
        game = self.game
        cells = game.width * game.height
        placed = game.action_count == cells + game.table.passes and not game.has_stages
        return "place" if placed else "choices"

    @property
    def column_names(self) -> Sequence[str]:
        width = self.game.width
        if width <= len(COLUMNS) and self.game.height > 1:
            return COLUMNS[:width]
        return [str(number) for number in range(1, width + 1)]

    def cell_name(self, cell: int) -> str:
        """A cell as people say it: D4, columns from the left, rows from the bottom."""
        game = self.game
        column = self.column_names[cell % game.width]
        return column if game.height == 1 else f"{column}{game.height - cell // game.width}"

    def cells_of(self, state: State, actions: Sequence[int]) -> tuple[int, ...]:
        """What may be tapped to make the move: the cells that it names one after the other, or where its
        actions are no cells those that it changes, first those that it leaves empty: from, then to.
        """
        before, cells = state.cells(), self.game.width * self.game.height
        if self.hand == "place" or (self.game.has_stages and cells <= self.game.action_count):
            return tuple(action for action in actions if action < cells)
        for action in actions:
            state = state.play(action)
        after = state.cells()
        changed = [cell for cell in range(cells) if before[cell] != after[cell]]
        return tuple(sorted(changed, key=lambda cell: after[cell] != 0))

    def moves(self, state: State, most: int = MOST_MOVES) -> list[MoveChoice]:
        """The whole moves of a position, at most that many."""
        found: list[MoveChoice] = []
        waiting: list[tuple[State, tuple[int, ...]]] = [(state, ())]
        while waiting and len(found) < most:
            at, done = waiting.pop()
            if done and not self.game.mid_move(at):
                found.append(MoveChoice(done, self.game.format(state, done), self.cells_of(state, done)))
                continue
            waiting.extend((at.play(action), (*done, action)) for action in reversed(at.legal_actions()))
        return found

    def rows(self, state: State, surface: Surface, marks: Marks | None = None) -> list[Row]:
        """The board for a terminal."""
        return [[(line, "")] for line in self.game.text(state).split("\n")]

    def spot(self, cell: int) -> tuple[int, int]:
        """The line and the column of `rows` where that cell stands.

        A game that has `rows` of its own, or a `text`, says it anew if a pointer is to find its cells there.
        """
        from tengen.facets import plain

        return plain.spot(self.game, cell)
