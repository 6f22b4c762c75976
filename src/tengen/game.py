"""The contract in Python: what a game and a state are, however they are made.

A `State` is a value: `play` returns the next one and leaves the old alone. The four games of this package
have compiled states (`tengen._core`); anyone can write a game in plain Python and register it under the entry
point group `tengen.games`: a `Game` with a `start`, and a state for which `tengen.PythonState` does all but
the rules (examples/connect-four). Anything that has the members of `State` will do, too.
Start reading at `Game`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
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

from tengen._core import IllegalAction, InvalidOption, InvalidPosition, diagram, read_diagram
from tengen.facets import Learning, Look, Opponents, Records, Table, plain
from tengen.facets.errors import NotationError
from tengen.facets.table import score_of

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
    def resumptions(self) -> tuple[tuple[int, int], ...]:
        """Where play went on after an end that was taken back: after how many actions, and who moved then."""
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

    def resume(self, seat: int, /) -> State:
        """Play goes on after an end that the rules let be taken back, with that seat to move.

        Raises IllegalAction everywhere else: in most games always.
        """
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
    late: bool = False  # games were stored before there was such an option

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

    # What the game is to everything above its rules; `tengen.facets` has the defaults.
    table_kind: ClassVar[type[Table]] = Table
    look_kind: ClassVar[type[Look]] = Look
    opponents_kind: ClassVar[type[Opponents]] = Opponents
    learning_kind: ClassVar[type[Learning]] = Learning
    records_kind: ClassVar[type[Records]] = Records

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
        values = {name: option.check(resolved[name]) for name, option in known.items()}
        self.options: dict[str, OptionValue] = self._written(values)

    def _written(self, values: dict[str, OptionValue]) -> dict[str, OptionValue]:
        """Without late options where all have their defaults: a game that was stored before there were any is
        still the same game, with the same fingerprints.
        """
        late = {option.name: option.default for option in self.option_list if option.late}
        if any(values[name] != default for name, default in late.items()):
            return values
        return {name: value for name, value in values.items() if name not in late}

    @property
    def all_options(self) -> dict[str, OptionValue]:
        """With the late ones that `options` leaves out."""
        return {option.name: self.options.get(option.name, option.default) for option in self.option_list}

    def _defaults(self, given: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
        """The value of each option that is not given; a preset may change some."""
        return {option.name: option.default for option in self.option_list}

    @cached_property
    def table(self) -> Table:
        return self.table_kind(self)

    @cached_property
    def look(self) -> Look:
        return self.look_kind(self)

    @cached_property
    def opponents(self) -> Opponents:
        return self.opponents_kind(self)

    @cached_property
    def learning(self) -> Learning:
        return self.learning_kind(self)

    @cached_property
    def records(self) -> Records:
        return self.records_kind(self)

    @abstractmethod
    def start(self) -> State: ...

    def position(self, text: str, to_move: int = 0) -> State:
        """The state with that board: rows top to bottom joined by `/`, numbers for runs of empty cells.

        Raises NotationError when the text cannot be read, InvalidPosition when no game can come to it.
        That play could really have led there is not checked beyond that.
        """
        cells = text_to_cells(text, self.letters, self.width, self.height)
        placed = getattr(self.start(), "placed", None)
        if placed is None:
            raise InvalidPosition(f"{self.title} begins at its start only.")
        state: Any = placed(cells, to_move)
        state.origin = (text.strip(), to_move)
        return state  # type: ignore[no-any-return]

    def action_name(self, action: int) -> str:
        """One action as people write it, the same in every state; without blanks and commas."""
        return plain.action_name(self, action)

    def parse(self, state: State, text: str) -> list[int]:
        """The actions of the move (or moves) that a person wrote."""
        self._own(state)
        return plain.parse(self, state, text)

    def format(self, state: State, actions: Sequence[int]) -> str:
        """The move as people write it; `parse` reads it back."""
        self._own(state)
        return plain.format_actions(self, state, actions)

    def text(self, state: State) -> str:
        """The board for a terminal, without colours."""
        self._own(state)
        return plain.draw(self, state)

    def view(self, state: State) -> View:
        self._own(state)
        return View(
            board="row" if self.height == 1 else "squares",
            width=self.width,
            height=self.height,
            cells=tuple(self.letters[code] for code in state.cells()),
            to_move=state.to_move,
            last=plain.last_cells(self, state),
            score=score_of(state),
        )

    def mid_move(self, state: State) -> bool:
        """Whether the last action has begun a move that the next one goes on with (a staged move)."""
        return False

    @property
    def has_stages(self) -> bool:
        """Whether a move may be several actions: a game that says when one is under way."""
        return type(self).mid_move is not Game.mid_move

    def diagram(self, state: State) -> str:
        """The board as `position` reads it."""
        return cells_to_text(state.cells(), self.letters, self.width)

    def action_map(self, symmetry: int) -> tuple[int, ...]:
        """Where each action goes under that symmetry: action `a` becomes `action_map(k)[a]`."""
        self._check_symmetry(symmetry)
        return tuple(range(self.action_count))

    def cell_map(self, symmetry: int) -> tuple[int, ...]:
        """Where each cell goes: as its action does, unless a game says otherwise."""
        cells = self.width * self.height
        return tuple(range(cells)) if symmetry == 0 else self.action_map(symmetry)[:cells]

    def transform(self, state: State, symmetry: int) -> State:
        """The mirrored or turned state: the same game, played out under that symmetry."""
        to, where = self.action_map(symmetry), self.cell_map(symmetry)
        start = self.start()
        text, to_move = state.origin or (self.diagram(start), start.to_move)
        cells = text_to_cells(text, self.letters, self.width, self.height)
        turned = bytearray(len(cells))
        for cell, code in enumerate(cells):
            turned[where[cell]] = code
        moved = cells_to_text(turned, self.letters, self.width)
        same_start = state.origin is None and moved == text
        return restore(
            self,
            None if same_start else (moved, to_move),
            [to[action] for action in state.actions],
            resumptions_of(state),
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


def restore(
    game: Game,
    origin: tuple[str, int] | None,
    actions: Iterable[int],
    resumptions: Iterable[tuple[int, int]] = (),
) -> State:
    """The state that those actions lead to: how states are unpickled and transformed.

    Resumptions after more actions than these are left out, so a state goes back by fewer actions.
    """
    state = game.start() if origin is None else game.position(*origin)
    for step in steps(actions, resumptions):
        state = state.resume(step.seat) if isinstance(step, Resumed) else state.play(step)
    return state


class Resumed(NamedTuple):
    """Beside actions: play went on, with that seat to move."""

    seat: int


def steps(actions: Iterable[int], resumptions: Iterable[tuple[int, int]]) -> Iterator[int | Resumed]:
    """What happened, in order."""
    waiting = deque(resumptions)
    for done, action in enumerate(chain(actions, (None,))):
        while waiting and waiting[0][0] <= done:
            yield Resumed(waiting.popleft()[1])
        if action is not None:
            yield action


def resumptions_of(state: State) -> tuple[tuple[int, int], ...]:
    """Those of any state; one written before they were part of the contract has none."""
    return getattr(state, "resumptions", ())


def describe(state: State) -> str:
    """The repr of a compiled state: the expression that makes one with the same board."""
    if state.outcome:
        status = f"over by {state.outcome.reason}"
    else:
        status = f"{state.game.seats[state.to_move]} to move after {len(state.actions)} actions"
    text = state.game.diagram(state)
    return f"<{state.game!r}.position({text!r}, to_move={state.to_move}): {status}>"


def cells_to_text(cells: Sequence[int], letters: str, width: int) -> str:
    """The rows from the top, joined by `/`, with numbers for runs of empty cells."""
    return diagram(cells, letters, width)


def text_to_cells(text: str, letters: str, width: int, height: int) -> bytes:
    """The code of each cell of a board in text; raises NotationError."""
    return read_diagram(text, letters, width, height)
