"""A finished game with the positions to learn from, whoever played it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from tengen import _core
from tengen.game import Outcome, State

Floats = NDArray[np.float32]
NOTHING = -1  # in place of an action that was not made


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A finished game and its samples: k positions that got a full search, from the mover's side of each."""

    actions: list[int]
    winner: int  # -1 is a draw
    reason: str
    score: tuple[float, float] | None
    planes: NDArray[np.float16]  # [k, channels, height, width]
    policy: NDArray[np.float16]  # [k, actions], what the search would play
    value: Floats  # [k], how the game ended, -1 to 1
    root_value: Floats  # [k], what the search expected
    reply: Floats  # [k], the action after the one that was made; -1 where there was none
    soon: Floats  # [k], what the next searches expected, the nearer ones the more; NaN if not known
    lead: Floats  # [k], points over cells; NaN where the game was not counted
    ownership: NDArray[np.float16]  # [k, cells], NaN likewise


class Sample(NamedTuple):
    """A position with what a search made of it; how the game ends is not known yet."""

    planes: Floats
    policy: Floats
    mover: int
    root_value: float
    at: int  # how many actions were made before it


def game_record(end: State, samples: Sequence[Sample]) -> GameRecord:
    """The game that led to that state; one that is not over went on too long and is a draw."""
    game, outcome, count = end.game, end.outcome or Outcome(None, "long"), len(samples)
    cells = game.width * game.height
    signs = np.array([1.0 if sample.mover == 0 else -1.0 for sample in samples], np.float32)
    won = 0.0 if outcome.winner is None else 1.0 if outcome.winner == 0 else -1.0
    replies = (*end.actions[1:], NOTHING)
    lead, owner = np.nan, np.full(cells, np.nan, np.float32)
    if outcome.score is not None:
        lead = (outcome.score[0] - outcome.score[1]) / cells
        owner = final_owner(end)
    return GameRecord(
        actions=list(end.actions),
        winner=-1 if outcome.winner is None else outcome.winner,
        reason=outcome.reason,
        score=outcome.score,
        planes=np.array([s.planes for s in samples], np.float16).reshape(count, *end.encode().shape),
        policy=np.array([s.policy for s in samples], np.float16).reshape(count, game.action_count),
        value=signs * np.float32(won),
        root_value=np.array([s.root_value for s in samples], np.float32),
        reply=np.array([replies[s.at] for s in samples], np.float32),
        soon=np.full(count, np.nan, np.float32),
        lead=signs * np.float32(lead),
        ownership=(signs[:, None] * owner).astype(np.float16),
    )


def final_owner(state: State) -> Floats:
    """Whose each cell of a counted game is, pieces included: 1 the first seat's, -1 the second's, 0 nobody's.

    All NaN in games where that means nothing.
    """
    found = _core.final_owner(cast(Any, state))
    if not found:
        return np.full(state.game.width * state.game.height, np.nan, np.float32)
    return np.array(found, np.float32)
