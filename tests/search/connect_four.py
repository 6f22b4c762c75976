"""Connect Four in plain Python by the bare contract: what the search of Python games is tried on.

An action is a column. Stones are bits, `column * 7 + row` from the bottom; the seventh row stays empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import TYPE_CHECKING, ClassVar, SupportsIndex

from tengen import Game, IllegalAction, InvalidPosition, NotationError, Outcome, State, View

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WIDTH, HEIGHT = 7, 6
_FULL = WIDTH * HEIGHT


def _has_four(stones: int) -> bool:
    for step in (1, 6, 7, 8):
        pairs = stones & (stones >> step)
        if pairs & (pairs >> 2 * step):
            return True
    return False


class Position:
    __slots__ = ("_heights", "_stones", "actions", "game", "outcome", "to_move")
    origin: ClassVar[None] = None
    resumptions: ClassVar[tuple[tuple[int, int], ...]] = ()
    outcome: Outcome | None

    def __init__(self, game: ConnectFour, stones: tuple[int, int], actions: tuple[int, ...]) -> None:
        self.game, self._stones, self.actions = game, stones, actions
        self.to_move = len(actions) % 2
        if _has_four(stones[1 - self.to_move]):
            self.outcome = Outcome(1 - self.to_move, "four")
        else:
            self.outcome = Outcome(None, "full") if len(actions) == _FULL else None

    def legal_actions(self) -> list[int]:
        if self.outcome is not None:
            return []
        taken = self._stones[0] | self._stones[1]
        return [column for column in range(WIDTH) if not taken >> (column * 7 + HEIGHT - 1) & 1]

    def play(self, action: SupportsIndex, /) -> Position:
        column = index(action)
        if self.outcome is not None or not 0 <= column < WIDTH:
            raise IllegalAction("There is no such column, or the game is over.")
        taken = self._stones[0] | self._stones[1]
        stone = ((taken >> column * 7 & 0x7F) + 1) << column * 7
        if stone >> (column * 7 + HEIGHT) & 1:
            raise IllegalAction("That column is full.")
        first, second = self._stones
        stones = (first | stone, second) if self.to_move == 0 else (first, second | stone)
        return type(self)(self.game, stones, (*self.actions, column))

    def resume(self, seat: int, /) -> Position:
        raise IllegalAction("A game that is over stays over.")

    def cells(self) -> bytes:
        return bytes(
            next((seat + 1 for seat in (0, 1) if self._stones[seat] >> (column * 7 + row) & 1), 0)
            for row in reversed(range(HEIGHT))
            for column in range(WIDTH)
        )

    def encode(self) -> NDArray[np.float32]:
        import numpy as np

        board = np.frombuffer(self.cells(), np.uint8).reshape(HEIGHT, WIDTH)
        return np.stack([board == self.to_move + 1, board == 2 - self.to_move]).astype(np.float32)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._stones == other._stones

    def __hash__(self) -> int:
        return hash(self._stones)


class ConnectFour(Game):
    name = "connect-four"
    title = "Connect Four"
    seats = ("Red", "Yellow")
    reasons = ("four", "full")
    letters = ".RY"
    action_count = width = WIDTH
    height = HEIGHT
    states: type[Position] = Position  # a test may put its own here

    def start(self) -> Position:
        return self.states(self, (0, 0), ())

    def position(self, text: str, to_move: int = 0) -> State:
        raise InvalidPosition("Connect Four begins at its start only.")

    def parse(self, state: State, text: str) -> list[int]:
        if text not in set("1234567"):
            raise NotationError(f"{text!r} is not a column.")
        return [int(text) - 1]

    def format(self, state: State, actions: Sequence[int]) -> str:
        return "".join(str(action + 1) for action in actions)

    def text(self, state: State) -> str:
        return self.diagram(state)

    def view(self, state: State) -> View:
        cells = tuple(self.letters[code] for code in state.cells())
        return View("squares", WIDTH, HEIGHT, cells, state.to_move)


def after(columns: str, states: type[Position] = Position) -> Position:
    """The state after stones in those columns, 1 to 7."""
    game = ConnectFour()
    game.states = states
    state = game.start()
    for column in columns:
        state = state.play(int(column) - 1)
    return state
