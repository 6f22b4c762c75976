"""Thousands of games of one kind, stepped in one call: NumPy arrays in and out.

Every array has an entry a game, always in the same order. Actions are those of the `Game`, seats are 0 and 1.
A seat may act several times in a row, so ask `to_move` whose turn it is.

>>> import tengen
>>> from tengen.batch import Batch
>>> batch = Batch(tengen.game("go", size=9), 1000, seed=1, auto_reset=True)
>>> planes = batch.encode()  # float32 [1000, 13, 9, 9], each from its mover's side
>>> step = batch.step(batch.sample())
>>> step.rewards.shape, step.terminated.shape
((1000, 2), (1000,))

The games themselves are cpp/batch.hpp. All methods release the GIL, and wait for one another when threads
share a batch. Games written in Python are stepped one by one, with the GIL.
"""

from __future__ import annotations

import operator
from typing import NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tengen import _core
from tengen.game import Game, State

__all__ = ["DRAW", "NO_ACTION", "RUNNING", "Batch", "Step"]

DRAW, RUNNING = -1, -2  # what `Batch.winner` has besides the seats
NO_ACTION = -1  # the action that leaves a game as it is


_T = TypeVar("_T", bound=np.generic)


class Step(NamedTuple):
    """What a step came to."""

    rewards: NDArray[np.float32]  # [count, 2] by seat: 1 and -1 where this step decided a game, else 0
    terminated: NDArray[np.bool_]  # [count]: the games that this step ended


class Batch:
    """`count` games that begin at `start`, the start of the game unless another state is given.

    With `auto_reset` a game that ends begins again in the same step, and arrays asked for after that step
    show the new game. Without it the game stays as it ended until `reset`, and takes no action but NO_ACTION.
    With the same seed `sample` draws the same actions, however many `threads` share the work. They are
    started anew for each call: a second one is for a thousand games or more, and a core that is free.
    """

    def __init__(
        self,
        game: Game,
        count: int,
        seed: int = 0,
        *,
        start: State | None = None,
        auto_reset: bool = False,
        threads: int = 1,
    ) -> None:
        first = game.start() if start is None else start
        if first.game != game:
            raise ValueError(f"That state belongs to {first.game!r}, not to {game!r}.")
        if first.outcome is not None:
            raise ValueError("The game is over: there is nothing to step.")
        self.count = operator.index(count)
        if self.count < 1:
            raise ValueError("A batch has at least one game.")
        if operator.index(threads) < 1:
            raise ValueError("A batch needs at least one thread.")
        self.game = game
        self._games = _core.new_batch(first, self.count, seed & (2**64 - 1), bool(auto_reset), threads)
        self._rows = (self.count, game.action_count)
        self._planes = (self.count, *self._games.planes)

    def __len__(self) -> int:
        return self.count

    def step(self, actions: ArrayLike) -> Step:
        """Plays an action in each game; NO_ACTION leaves a game as it is.

        Raises IllegalAction, which names the first game with an illegal one; no game has changed then. What
        other threads write into `actions` meanwhile does not matter.
        """
        chosen = self._array(actions, np.dtype(np.int64), (self.count,), "actions").copy()
        rewards = np.empty((self.count, 2), np.float32)
        terminated = np.empty(self.count, np.bool_)
        self._games.step(chosen, rewards, terminated)
        return Step(rewards, terminated)

    def sample(self, logits: ArrayLike | None = None) -> NDArray[np.int64]:
        """A random legal action for each game, NO_ACTION where it is over.

        All legal actions are equally likely, or as likely as the softmax of their `logits` [count,
        action_count] says. Those of illegal actions do not matter; of the legal ones some may be minus
        infinity.
        """
        drawn = np.empty(self.count, np.int64)
        if logits is None:
            self._games.sample(drawn)
        else:
            rows = self._array(logits, np.dtype(np.float32), self._rows, "logits")
            self._games.sample_by_logits(rows, drawn)
        return drawn

    def reset(self, mask: ArrayLike | None = None) -> None:
        """Begins the games anew where `mask` is true, all of them without one. Random numbers go on."""
        everywhere = np.ones(self.count, np.bool_) if mask is None else mask
        self._games.reset(self._array(everywhere, np.dtype(np.bool_), (self.count,), "mask"))

    def legal(self, out: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
        """[count, action_count]: which actions are legal; none where a game is over."""
        rows = self._out(out, np.dtype(np.bool_), self._rows)
        self._games.legal(rows)
        return rows

    def encode(self, out: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
        """[count, channels, height, width]: `State.encode` of each game, from its mover's side."""
        planes = self._out(out, np.dtype(np.float32), self._planes)
        self._games.encode(planes)
        return planes

    def state(self, index: int) -> State:
        """That game as a state with all its actions; the batch goes on without it."""
        at = operator.index(index)
        if not -self.count <= at < self.count:
            raise IndexError(f"The batch has games 0 to {self.count - 1}, not {at}.")
        return cast(State, self._games.state(at % self.count))

    @property
    def to_move(self) -> NDArray[np.int8]:
        """The seat that acts next in each game."""
        seats = np.empty(self.count, np.int8)
        self._games.to_move(seats)
        return seats

    @property
    def winner(self) -> NDArray[np.int8]:
        """The winning seat of each game, DRAW, or RUNNING while it is not over."""
        seats = np.empty(self.count, np.int8)
        self._games.winner(seats)
        return seats

    @property
    def lengths(self) -> NDArray[np.int32]:
        """How many actions each game has had since its start."""
        lengths = np.empty(self.count, np.int32)
        self._games.lengths(lengths)
        return lengths

    def _array(
        self, values: ArrayLike, dtype: np.dtype[_T], shape: tuple[int, ...], name: str
    ) -> NDArray[_T]:
        array = np.asarray(values)
        if array.shape != shape:
            raise ValueError(f"The {name} of this batch must have the shape {shape}, not {array.shape}.")
        same_kind = array.dtype.kind == dtype.kind
        if not (same_kind or (array.dtype.kind == "u" and np.can_cast(array.dtype, dtype))):
            raise TypeError(f"The {name} of a batch must be {dtype}, not {array.dtype}.")
        return np.ascontiguousarray(array, dtype)

    def _out(self, out: NDArray[_T] | None, dtype: np.dtype[_T], shape: tuple[int, ...]) -> NDArray[_T]:
        if out is None:
            return np.empty(shape, dtype)
        fits = out.shape == shape and out.dtype == dtype
        if not (fits and out.flags.c_contiguous and out.flags.writeable):
            raise ValueError(f"`out` must be a writeable C-contiguous {dtype} array of the shape {shape}.")
        return out
