"""A brain that has been read and found sound: its net, run by ONNX Runtime.

A `gumbel` net maps `planes` [N, channels, height, width] (`State.encode` stacked) to `policy` [N, actions]
(logits) and `value` [N] (-1 to 1), and in games that are counted maybe to `lead` [N] (points that the mover
ends ahead by, divided by the number of cells) and `ownership` [N, cells] (1 is the mover's). A `dqn` net maps
`board` [N, cells] (`board_of` stacked) to `q` [N, cells + 1], the last one for the pass. All from the mover's
side. A net that learned a mixture of games takes a board of any size. Start reading at `Brain`.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tengen.brains.graph import MOST_SIDE
from tengen.brains.info import BrainError, BrainInfo, brain_name
from tengen.brains.runtime import Session, open_session
from tengen.game import Game, State

if TYPE_CHECKING:  # a server that has yet to run a brain does without
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
NEUTRAL = 0.1  # what a neutral cell is to a dqn net


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What a net says of N positions, from the mover's side of each."""

    policy: Floats  # [N, actions], logits; illegal actions are not masked
    value: Floats  # [N], -1 to 1
    lead: Floats | None = None  # [N], points divided by the number of cells
    ownership: Floats | None = None  # [N, cells], -1 to 1


class Brain:
    """One brain. It may be shared by threads; sessions are made when they are first needed.

    Made by `read_brain`, which checks the file. Nothing is checked here.
    """

    def __init__(self, data: bytes, info: BrainInfo, game: Game, path: Path | None = None) -> None:
        self.data, self.info, self.game, self.path = data, info, game, path
        self._sessions: dict[int, Session] = {}
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        return self.path.stem if self.path is not None else brain_name(self.info)

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the file: by it ratings are kept."""
        return hashlib.sha256(self.data).hexdigest()

    @cached_property
    def learned(self) -> list[Game]:
        """All games that it was trained on."""
        return self.info.learned()

    def check_fits(self, game: Game) -> None:
        """Raises BrainError unless the net takes the game's board; other rules may differ."""
        if self.game.name != game.name:
            raise BrainError(f"The brain {self.name} plays {self.game.name}, not {game.name}.")
        if not fits_board(self.info, self.game, game):
            own, other = board_text(self.game), board_text(game)
            if own == other:
                raise BrainError(f"The brain {self.name} was made for other options than {game!r} has.")
            raise BrainError(f"The brain {self.name} plays {game.name} on {own}, not on {other}.")

    def session(self, threads: int = 1) -> Session:
        """The net itself, for callers that run it without `evaluate`; raises BrainError."""
        with self._lock:
            if threads not in self._sessions:
                self._sessions[threads] = self._open(threads)
            return self._sessions[threads]

    def evaluate(self, planes: Floats, threads: int = 1) -> Evaluation:
        """A gumbel brain's view of those positions. That the planes fit is left to ONNX Runtime."""
        import numpy as np

        found = self._run("planes", planes, threads)
        value = np.clip(found["value"], -1, 1)
        return Evaluation(found["policy"], value, found.get("lead"), found.get("ownership"))

    def q(self, boards: Floats, threads: int = 1) -> Floats:
        """A dqn brain's value of each action, the pass last; illegal actions are not masked."""
        return self._run("board", boards, threads)["q"]

    def _run(self, name: str, batch: Floats, threads: int) -> Mapping[str, Floats]:
        import numpy as np

        session = self.session(threads)
        names = [output.name for output in session.get_outputs()]
        found: list[Any] = session.run(names, {name: batch})
        for output, values in zip(names, found, strict=True):
            if not np.isfinite(values).all():
                raise BrainError(f"The brain {self.name} gave a {output} that is not a number.")
        return dict(zip(names, found, strict=True))

    def _open(self, threads: int) -> Session:
        try:
            return open_session(self.data, threads)
        except BrainError:  # there is no ONNX Runtime
            raise
        except Exception as error:  # ONNX Runtime has an exception class a kind of fault
            raise BrainError(f"The brain {self.name} cannot be run by ONNX Runtime.") from error

    def __repr__(self) -> str:
        return f"<Brain {self.name} for {self.game!r}>"


def board_of(state: State) -> Floats:
    """The position for a dqn net, [cells]: 1 the mover's, -1 the opponent's, 0.1 neutral, 0 empty.

    For games whose cell codes are 1 and 2 for the two seats and 3 for neutral.
    """
    import numpy as np

    own = 1.0 if state.to_move == 0 else -1.0
    return np.array([0, own, -own, NEUTRAL], np.float32)[np.frombuffer(state.cells(), np.uint8)]


def fits_board(info: BrainInfo, own: Game, game: Game) -> bool:
    """Whether a brain for the game `own` takes positions of `game`; their rules may differ."""
    if not info.mixture:
        return same_board(own, game)
    extras = [one.action_count - one.width * one.height for one in (own, game)]
    return own.name == game.name and extras[0] == extras[1] and max(game.width, game.height) <= MOST_SIDE


def same_board(one: Game, other: Game) -> bool:
    """Whether positions and actions of the two games have the same shape."""
    return (one.name, one.width, one.height, one.action_count) == (
        other.name,
        other.width,
        other.height,
        other.action_count,
    )


def board_text(game: Game) -> str:
    return f"{game.width}×{game.height}"
