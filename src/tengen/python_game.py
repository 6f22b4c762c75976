"""`PythonState`: a state written in Python, with everything but the rules.

A subclass keeps the board in `self.board` (a code a cell, row by row from the top left) and the mover in
`self.to_move`, and has three things to say: `outcome`, `legal_actions` and `after`, the state that an action
leads to. What else decides about the future (a ko, a count of moves) goes into `key`. Start reading there;
examples/connect-four is a whole game.
"""

from __future__ import annotations

from functools import cached_property
from operator import index
from typing import TYPE_CHECKING, Any, ClassVar, Self, SupportsIndex

from tengen.game import Game, IllegalAction, InvalidPosition, Outcome, describe, restore

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class PythonState:
    board: Any  # bytes, tuple or list of cell codes; it is never changed in place
    to_move: int
    actions: tuple[int, ...] = ()
    origin: tuple[str, int] | None = None
    resumptions: tuple[tuple[int, int], ...] = ()
    _before: Any = None  # the board before the last action

    _derived: ClassVar[frozenset[str]] = frozenset(
        {"_legal"}
    )  # cached properties, which hold for one state only

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        names = [name for name in dir(cls) if isinstance(getattr(cls, name, None), cached_property)]
        cls._derived = frozenset(names)

    def __init__(self, game: Game, board: Any, to_move: int = 0) -> None:
        self.game, self.board, self.to_move = game, board, to_move

    # What a game says

    @property
    def outcome(self) -> Outcome | None:
        """None as long as the game goes on."""
        raise NotImplementedError

    def legal_actions(self) -> list[int]:
        """Ascending, and empty exactly when the game is over."""
        raise NotImplementedError

    def after(self, action: int) -> Self:
        """The state after a legal action; this one is left alone. `moved` makes it."""
        raise NotImplementedError

    def key(self) -> object:
        """What belongs to the position beside board and mover; two states with another key differ."""
        return ()

    @property
    def score(self) -> tuple[float, float] | None:
        """The points of the seats as it stands, which are shown beside the players; None keeps no score."""
        return None

    def why_illegal(self, action: int) -> str | None:
        """A sentence for the player who tries that action; None where it is legal."""
        if self.outcome is not None:
            return "The game is over."
        if not 0 <= action < self.game.action_count:
            return "There is no such move."
        return None if action in self.legal_actions() else "That move is not allowed here."

    # What follows from it

    def moved(self, board: Any, to_move: int | None = None, **changes: Any) -> Self:
        """This state with another board, the other seat to move unless one is given, and other attributes."""
        kind = type(self)
        new = kind.__new__(kind)
        kept = {name: value for name, value in self.__dict__.items() if name not in self._derived}
        new.__dict__.update(kept)
        new.board, new.to_move = board, 1 - self.to_move if to_move is None else to_move
        new.__dict__.update(changes)
        return new

    def play(self, action: SupportsIndex, /) -> Self:
        number = index(action)
        if number not in self._legal:
            raise IllegalAction(self.why_illegal(number) or "That move is not allowed here.")
        return self.play_legal(number)

    def play_legal(self, number: int, /) -> Self:
        """As `play`, without asking again whether the action is one of `legal_actions`: the search's way."""
        new = self.after(number)
        new.actions, new.origin = (*self.actions, number), self.origin
        new._before = self.board if type(self).cells is PythonState.cells else self.cells()
        return new

    @cached_property
    def _legal(self) -> frozenset[int]:
        return frozenset(self.legal_actions())

    @property
    def last_cells(self) -> tuple[int, ...]:
        """The cell of the last action where actions are cells, else the cells that it changed."""
        if self._before is None:
            return ()
        if self.game.look.hand == "place" and self.actions[-1] < len(self._before):
            return (self.actions[-1],)
        before = bytes(self._before)
        return tuple(cell for cell, code in enumerate(self.cells()) if code != before[cell])

    def resume(self, seat: int) -> Self:
        raise IllegalAction(f"A game of {self.game.title} that is over cannot go on.")

    def placed(self, cells: bytes, to_move: int) -> Self:
        """The start of the game with another board: what `Game.position` gives."""
        if to_move not in (0, 1):
            raise InvalidPosition("The seat to move is 0 or 1.")
        return self.moved(cells if isinstance(self.board, bytes) else type(self.board)(cells), to_move)

    def cells(self) -> bytes:
        return bytes(self.board)

    def encode(self) -> NDArray[np.float32]:
        """A plane for each kind of piece, the mover's first, and one that is 1 for the second seat."""
        import numpy as np

        game = self.game
        cells = np.frombuffer(self.cells(), np.uint8).reshape(game.height, game.width)
        planes = [cells == code for code in _codes(game, self.to_move)]
        return np.stack([*planes, np.full_like(cells, self.to_move, bool)]).astype(np.float32)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PythonState):
            return NotImplemented
        return type(self) is type(other) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def _identity(self) -> tuple[object, ...]:
        return self.game, self.cells(), self.to_move, self.key()

    def __repr__(self) -> str:
        return describe(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return restore, (self.game, self.origin, self.actions, self.resumptions)


def _codes(game: Game, mover: int) -> list[int]:
    """The cell codes in the order that the mover sees them: own, the opponent's, nobody's.

    A side with fewer kinds of pieces than the other has planes without any.
    """
    seats = [piece.seat for piece in game.look.pieces]
    own, other, nobody = (
        [code for code, seat in enumerate(seats, start=1) if seat == wanted]
        for wanted in (mover, 1 - mover, None)
    )
    most, none = max(len(own), len(other)), len(game.letters)
    return [*own, *[none] * (most - len(own)), *other, *[none] * (most - len(other)), *nobody]
