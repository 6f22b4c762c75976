"""The samples of a run, by board: a net that learns several sizes keeps a `Replay` for each.

The files of a board lie in a folder of their own, `samples/9x9`; a checkpoint remembers how many samples each
board had. A batch takes from each board as many as its share of the window. Start reading at `Window.draw`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tengen.learn.game_record import GameRecord
from tengen.learn.mixture import Board, Variant
from tengen.learn.net import shape_for
from tengen.learn.replay import Arrays, Replay, read_samples, remove_old, stack, write_samples
from tengen.learn.settings import GumbelSettings

Counts = dict[str, int]  # samples by board, such as {"9x9": 1000}


class Window:
    """The newest samples of each board, in memory and in files."""

    def __init__(self, folder: Path, variants: Sequence[Variant], settings: GumbelSettings) -> None:
        self.folder = folder
        shares: dict[Board, int] = {}
        for one in variants:
            shares[one.board] = shares.get(one.board, 0) + one.share
        games = {one.board: one.game for one in variants}
        self.replays = {
            board: Replay(
                shape_for(games[board], settings.blocks, settings.channels),
                max(1, settings.window_most * share // sum(shares.values())),
            )
            for board, share in shares.items()
        }

    def __len__(self) -> int:
        return sum(len(replay) for replay in self.replays.values())

    @property
    def total(self) -> int:
        """How many there have ever been."""
        return sum(replay.total for replay in self.replays.values())

    @property
    def counts(self) -> Counts:
        return {_name(board): replay.total for board, replay in self.replays.items()}

    def add(self, games: Iterable[GameRecord]) -> int:
        """Keeps the samples of those games, in files too; returns how many there were."""
        sorted_games: dict[Board, list[GameRecord]] = {}
        for game in games:
            if len(game.value):
                height, width = game.planes.shape[2:]
                sorted_games.setdefault((height, width), []).append(game)
        added = 0
        for board, records in sorted_games.items():
            replay, fresh = self.replays[board], stack(records)
            write_samples(self.folder / _name(board), fresh, replay.total)
            replay.add(fresh)
            added += len(fresh["value"])
        return added

    def draw(self, rng: np.random.Generator, count: int, window: int) -> list[Arrays]:
        """Random ones of the last `window` of all boards; what no board has is left out."""
        share = min(1.0, window / max(1, self.total))
        held = {
            board: min(len(replay), round(replay.total * share)) for board, replay in self.replays.items()
        }
        sizes = np.array([*held.values()], float)
        counts = rng.multinomial(count, sizes / sizes.sum())
        return [
            self.replays[board].draw(rng, int(wanted), most)
            for (board, most), wanted in zip(held.items(), counts, strict=True)
            if wanted
        ]

    def newest(self, count: int) -> list[NDArray[np.float32]]:
        """The planes of about so many of the last ones, board by board, for calibration."""
        all_of_them = max(1, len(self))
        return [
            replay.newest(max(1, count * len(replay) // all_of_them))
            for replay in self.replays.values()
            if len(replay)
        ]

    def read(self, counts: Mapping[str, int]) -> None:
        """Fills an empty window from the files; raises ValueError when some are missing."""
        for board, replay in self.replays.items():
            read_samples(self.folder / _name(board), replay, counts.get(_name(board), 0))

    def remove_old(self) -> None:
        for board, replay in self.replays.items():
            remove_old(self.folder / _name(board), replay.total - replay.capacity)


def _name(board: Board) -> str:
    height, width = board
    return f"{width}x{height}"
