"""The contract in Python: what a game and a state are, however they are made.

A `State` is a value: `play` returns the next one and leaves the old alone. The four games of this package
have compiled states (`tengen._core`); anyone can write a game in plain Python against the same two classes
and register it under the entry point group `tengen.games` (`tests/contract/tic_tac_toe.py` is one).
Start reading at `Game`.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Literal,
    NamedTuple,
    Protocol,
    SupportsIndex,
    runtime_checkable,
)

from tengen._core import IllegalAction, InvalidOption, InvalidPosition

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "Game",
    "IllegalAction",
    "InvalidOption",
    "InvalidPosition",
    "NotationError",
    "Option",
    "OptionValue",
    "Outcome",
    "State",
    "View",
]

OptionValue = int | float | bool | str | None


class NotationError(ValueError):
    """The text cannot be read as a move or a position, whatever the rules say."""


class Outcome(NamedTuple):
    """How a game ended: the winning seat (None is a draw), a word from `Game.reasons`, and both scores."""

    winner: int | None
    reason: str
    score: tuple[float, float] | None = None


@runtime_checkable
class State(Protocol):
    """One position with the game it belongs to.

    Equal states have the same game, board, mover and phase. How the position was reached is not compared,
    although earlier positions can matter (repetition): `actions` tells.
    """

    @property
    def game(self) -> Game: ...
    @property
    def to_move(self) -> int:
        """The seat that acts next, 0 or 1; it may act several times in a row."""
        ...

    @property
    def outcome(self) -> Outcome | None: ...
    @property
    def actions(self) -> tuple[int, ...]:
        """All actions since `origin`."""
        ...

    @property
    def origin(self) -> tuple[str, int] | None:
        """The arguments of `Game.position` that this state came from, None for `Game.start`."""
        ...

    def legal_actions(self) -> list[int]:
        """Ascending, and empty exactly when the game is over."""
        ...

    def play(self, action: SupportsIndex, /) -> State:
        """The next state; raises IllegalAction with a sentence for the player."""
        ...

    def encode(self) -> NDArray[np.float32]:
        """The position for a net: [channels, height, width], seen from the mover's side."""
        ...

    def __hash__(self) -> int: ...

    def cells(self) -> bytes:
        """A code a cell, row by row from the top left; `Game.letters` names them, 0 is empty."""
        ...


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a game, described well enough to validate it and to build a form for it."""

    name: str
    type: type[int] | type[float] | type[bool] | type[str]
    default: OptionValue
    help: str
    choices: tuple[str, ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    optional: bool = False  # None is allowed and means "no limit" or "not set"

    def check(self, value: object) -> OptionValue:
        """The value as it is kept; raises InvalidOption naming the option, what it was and what it may be."""
        if value is None and self.optional:
            return None
        if self.type is float and type(value) is int and self._in_range(value):
            value = float(value)
        right_type = isinstance(value, self.type) and (self.type is bool or not isinstance(value, bool))
        if right_type and (not self.choices or value in self.choices) and self._in_range(value):
            return value  # type: ignore[return-value]
        shown = "a number of thousands of digits" if _is_endless(value) else repr(value)
        raise InvalidOption(f"{self.name} must be {self.expected()}, not {shown}.")

    def _in_range(self, value: Any) -> bool:
        if self.type in (bool, str):
            return True
        low = self.minimum is None or value >= self.minimum
        high = self.maximum is None or value <= self.maximum
        return bool(low and high and value == value and abs(value) != float("inf"))

    def expected(self) -> str:
        if self.choices:
            words = " or ".join(repr(choice) for choice in self.choices)
        elif self.type is bool:
            words = "True or False"
        else:
            words = "a whole number" if self.type is int else "a number"
            if self.minimum is not None and self.maximum is not None:
                words += f" from {self.minimum} to {self.maximum}"
            elif self.minimum is not None:
                words += f" of at least {self.minimum}"
        return words + (" or None" if self.optional else "")


def _is_endless(value: object) -> bool:
    """An int too long for Python to print."""
    return isinstance(value, int) and value.bit_length() > 10_000


@dataclass(frozen=True, slots=True)
class View:
    """What a client needs to draw a position and to explain it: plain data, ready for JSON."""

    board: Literal["points", "squares", "row"]
    width: int
    height: int
    cells: tuple[str, ...]  # a letter a cell, "." where it is empty
    to_move: int
    last: tuple[int, ...] = ()  # the cells that the last move touched
    captured: tuple[int, ...] = ()  # the cells whose pieces the last move took
    score: tuple[float, float] | None = None  # as if the game were counted now
    details: Mapping[str, Any] = field(default_factory=dict)  # what this game alone has; see its file


class Game(ABC):
    """A game with its options fixed. Instances are values: equal when name and options are."""

    name: ClassVar[str]
    title: ClassVar[str]
    seats: ClassVar[tuple[str, str]]  # what the two players are called
    reasons: ClassVar[tuple[str, ...]]  # the words that Outcome.reason may be
    letters: ClassVar[str]  # the letter of each cell code; index 0 is the empty cell
    option_list: ClassVar[tuple[Option, ...]] = ()

    action_count: int
    width: int
    height: int
    symmetries: int = 1  # how many there are, the identity (number 0) included

    def __init__(self, **options: OptionValue) -> None:
        known = {option.name: option for option in self.option_list}
        for given in options:
            if given not in known:
                has = f"it has {', '.join(known)}" if known else "it has none"
                raise InvalidOption(f"{self.name} has no option {given!r}; {has}.")
        resolved = self._defaults(options) | options
        self.options: dict[str, OptionValue] = {
            name: option.check(resolved[name]) for name, option in known.items()
        }

    def _defaults(self, given: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
        """The value of each option that is not given; a preset may change some."""
        return {option.name: option.default for option in self.option_list}

    @abstractmethod
    def start(self) -> State: ...

    @abstractmethod
    def position(self, text: str, to_move: int = 0) -> State:
        """The state with that board: rows top to bottom joined by `/`, numbers for runs of empty cells.

        Raises NotationError when the text cannot be read, InvalidPosition when no game can come to it.
        That play could really have led there is not checked beyond that.
        """

    @abstractmethod
    def parse(self, state: State, text: str) -> list[int]:
        """The actions of the move (or moves) that a person wrote."""

    @abstractmethod
    def format(self, state: State, actions: Sequence[int]) -> str:
        """The move as people write it; `parse` reads it back."""

    @abstractmethod
    def text(self, state: State) -> str:
        """The board for a terminal, without colours."""

    @abstractmethod
    def view(self, state: State) -> View: ...

    def mid_move(self, state: State) -> bool:
        """Whether the last action has begun a move that the next one goes on with (Kelasu's stages)."""
        return False

    def diagram(self, state: State) -> str:
        """The board as `position` reads it."""
        return cells_to_text(state.cells(), self.letters, self.width)

    def action_map(self, symmetry: int) -> tuple[int, ...]:
        """Where each action goes under that symmetry: action `a` becomes `action_map(k)[a]`."""
        self._check_symmetry(symmetry)
        return tuple(range(self.action_count))

    def transform(self, state: State, symmetry: int) -> State:
        """The mirrored or turned state: the same game, played out under that symmetry."""
        to = self.action_map(symmetry)
        start = self.start()
        text, to_move = state.origin or (self.diagram(start), start.to_move)
        cells = text_to_cells(text, self.letters, self.width, self.height)
        turned = bytearray(len(cells))
        for cell, code in enumerate(cells):
            turned[to[cell]] = code
        moved = cells_to_text(turned, self.letters, self.width)
        same_start = state.origin is None and moved == text
        return restore(
            self,
            None if same_start else (moved, to_move),
            tuple(to[a] if a >= 0 else a for a in state.actions),
        )

    def _check_symmetry(self, symmetry: int) -> None:
        if not 0 <= symmetry < self.symmetries:
            raise ValueError(f"{self.name} has symmetries 0 to {self.symmetries - 1}, not {symmetry}.")

    def _own(self, state: State) -> None:
        """Refuses a state of another game, whose actions would mean something else."""
        if state.game is not self and state.game != self:
            raise ValueError(f"That state belongs to {state.game!r}, not to {self!r}.")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return type(self) is type(other) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash((self.name, self._identity()))

    def _identity(self) -> tuple[tuple[str, OptionValue], ...]:
        """The options that tell two games apart."""
        return tuple(self.options.items())

    def __repr__(self) -> str:
        defaults = self._defaults(self.options)
        changed = {name: value for name, value in self.options.items() if value != defaults[name]}
        return f"tengen.game({', '.join([repr(self.name), *(f'{k}={v!r}' for k, v in changed.items())])})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuild, (type(self), dict(self.options)))


def _rebuild(kind: type[Game], options: dict[str, OptionValue]) -> Game:
    return kind(**options)


def restore(game: Game, origin: tuple[str, int] | None, actions: Iterable[int]) -> State:
    """The state that those actions lead to: how states are unpickled and transformed.

    A negative number -1 - seat stands for play resumed by that seat after two passes (Go).
    """
    state = game.start() if origin is None else game.position(*origin)
    for action in actions:
        state = state.play(action) if action >= 0 else state.resume(-1 - action)  # type: ignore[attr-defined]
    return state


def describe(state: State) -> str:
    """The repr of a compiled state: the expression that makes one with the same board."""
    if state.outcome:
        status = f"over by {state.outcome.reason}"
    else:
        status = f"{state.game.seats[state.to_move]} to move after {len(state.actions)} actions"
    text = state.game.diagram(state)
    return f"<{state.game!r}.position({text!r}, to_move={state.to_move}): {status}>"


def cells_to_text(cells: Sequence[int], letters: str, width: int) -> str:
    rows = []
    for start in range(0, len(cells), width):
        row, run = "", 0
        for code in cells[start : start + width]:
            if code == 0:
                run += 1
                continue
            row += (str(run) if run else "") + letters[code]
            run = 0
        rows.append(row + (str(run) if run else ""))
    return "/".join(rows)


_LONGEST_NUMBER = 7  # digits of a run; no board is wider


def text_to_cells(text: str, letters: str, width: int, height: int) -> bytes:
    rows = text.strip().split("/")
    if len(rows) != height:
        raise NotationError(f"The position has {len(rows)} rows and the board {height}.")
    cells = bytearray()
    for number, row in enumerate(rows, start=1):
        before = len(cells)
        for token in re.findall(r"[0-9]+|.", row, re.DOTALL):
            if token in letters[1:]:
                cells.append(letters.index(token, 1))
            elif token.isascii() and token.isdigit():
                run = int(token) if len(token) <= _LONGEST_NUMBER else width + 1
                cells.extend(bytes(min(run, width + 1)))  # too long is too long, however much
            else:
                pieces = " ".join(letters[1:])
                raise NotationError(f"{token!r} is no piece: use {pieces} and numbers for empty cells.")
        if len(cells) - before != width:
            raise NotationError(f"Row {number} of the position is not {width} cells wide.")
    return bytes(cells)
