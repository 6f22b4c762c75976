"""What the DQN learns from a game, and the memory that it replays.

Boards are as `tengen.brains.net.board_of` makes them: 1.0 own, -1.0 the opponent's, 0.1 neutral, 0.0 empty,
from the side of whoever is to move. `Lessons` holds one row a move, of either seat. Start reading at
`lessons`, which says what a move is worth.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tengen.brains.net import board_of
from tengen.game import Game, State

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]


class Lessons(NamedTuple):
    """A row a move: the board before it, the move, what it earned, and the board that the opponent then saw.

    A row without a legal next action is the end: nothing comes after its reward.
    """

    boards: Floats  # [n, cells], from the mover's side
    actions: NDArray[np.int64]  # [n]
    rewards: Floats  # [n], the mover's
    next_boards: Floats  # [n, cells], from the opponent's side
    next_legal: Mask  # [n, actions]


def columns(rows: Lessons) -> tuple[NDArray[Any], ...]:
    """The arrays one by one, for what is done to all of them."""
    return tuple(rows)


def legal_mask(state: State) -> Mask:
    mask = np.zeros(state.game.action_count, np.bool_)
    mask[state.legal_actions()] = True
    return mask


def lessons(game: Game, actions: Sequence[int], *, capture_reward: float, loss_reward: float) -> Lessons:
    """What a finished game from the start teaches, of the moves of both seats.

    The move that ends the game earns 1 and `capture_reward` a castle if it wins, else -1 and `loss_reward` a
    castle (suicide). A move whose reply won the game is worth what it cost, -1 and `loss_reward` a castle,
    and is an end too: no reply is better than one that wins, so nothing has to be guessed. A move whose reply
    threw the game away earns nothing, since a good opponent would have answered otherwise. Castles of the
    winner without liberties (double KO) count for nobody.
    """
    states = [game.start()]
    for action in actions:
        states.append(states[-1].play(action))
    end = states.pop()
    if end.outcome is None:
        raise ValueError("Only a finished game teaches.")
    boards = np.stack([board_of(state) for state in states])
    legal = np.stack([legal_mask(state) for state in states])
    next_boards, next_legal = np.zeros_like(boards), np.zeros_like(legal)
    next_boards[:-1], next_legal[:-1] = boards[1:], legal[1:]
    rewards = np.zeros(len(actions), np.float32)
    castles = _castles_lost(end, end.outcome.winner)
    defeat = loss_reward * castles - 1
    if end.outcome.winner != states[-1].to_move:
        rewards[-1] = defeat
    else:
        rewards[-1] = capture_reward * castles + 1
        rewards[-2:-1] = defeat
        next_boards[-2:-1], next_legal[-2:-1] = 0, False
    return Lessons(boards, np.array(actions, np.int64), rewards, next_boards, next_legal)


def _castles_lost(end: State, winner: int | None) -> int:
    loser = 2 if winner == 0 else 1  # as `State.cells` has it
    cells = end.cells()
    return sum(cells[cell] == loser for cell in end.game.view(end).captured)


class Memory:
    """The last `capacity` moves; each sample is turned or mirrored at random.

    A square board looks the same in eight ways, so each move remembered stands for eight.
    """

    def __init__(self, game: Game, capacity: int) -> None:
        cells, actions = game.width * game.height, game.action_count
        self.capacity, self.size, self._next = capacity, 0, 0
        self._rows = Lessons(
            np.zeros((capacity, cells), np.float32),
            np.zeros(capacity, np.int64),
            np.zeros(capacity, np.float32),
            np.zeros((capacity, cells), np.float32),
            np.zeros((capacity, actions), np.bool_),
        )
        self._to = np.array([game.action_map(k) for k in range(game.symmetries)])
        self._from = np.argsort(self._to, axis=1)

    def add(self, new: Lessons) -> None:
        """Remembers copies; the oldest make room. A game longer than the memory leaves its last moves."""
        for kept, added in zip(columns(self._rows), columns(new), strict=True):
            recent = added[-self.capacity :]
            kept[(self._next + np.arange(len(recent))) % self.capacity] = recent
        count = min(self.capacity, len(new.actions))
        self._next = (self._next + count) % self.capacity
        self.size = min(self.capacity, self.size + count)

    def sample(self, count: int, rng: np.random.Generator) -> Lessons:
        rows = rng.integers(self.size, size=count)
        symmetry = rng.integers(len(self._to), size=count)
        kept = self._rows
        sources = self._from[symmetry]
        cells = sources[:, : kept.boards.shape[1]]
        return Lessons(
            np.take_along_axis(kept.boards[rows], cells, 1),
            self._to[symmetry, kept.actions[rows]],
            kept.rewards[rows],
            np.take_along_axis(kept.next_boards[rows], cells, 1),
            np.take_along_axis(kept.next_legal[rows], sources, 1),
        )

    def contents(self) -> tuple[Lessons, int]:
        """All rows, and where the next one goes: what `restore` takes. Not a copy."""
        return Lessons(*(kept[: self.size] for kept in columns(self._rows))), self._next

    def restore(self, rows: Lessons, following: int) -> None:
        self.size, self._next = len(rows.actions), following
        for kept, saved in zip(columns(self._rows), columns(rows), strict=True):
            kept[: self.size] = saved
