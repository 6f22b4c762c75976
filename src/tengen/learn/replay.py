"""The window of samples that a net is trained on: arrays in memory, and a file a batch of new ones on disk.

A sample is a position with what the search and the end of the game said about it, all from the mover's side;
`FIELDS` lists the arrays. Samples are numbered from the first one of the run on; sample `i` lies at
`i % capacity`. Files are only added and removed, never changed, so that a checkpoint needs to remember no
more than how many samples there were. Start reading at `Replay`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.learn.game_record import GameRecord
from tengen.learn.net import Shape

Arrays = dict[str, NDArray[Any]]
FIELDS = ("planes", "policy", "value", "root_value", "reply", "soon", "lead", "ownership")
_NAME = re.compile(r"samples-(\d{10})-(\d{10})\.npz")  # the first one, and the one after the last


class Replay:
    """The newest samples, at most `capacity`."""

    def __init__(self, shape: Shape, capacity: int) -> None:
        self.capacity, self.first, self.total = capacity, 0, 0
        board = (shape.planes, shape.height, shape.width)
        # Half precision holds planes exactly and policies well enough. Unused rows cost no memory.
        self.arrays: Arrays = {
            "planes": np.zeros((capacity, *board), np.float16),
            "policy": np.zeros((capacity, shape.actions), np.float16),
            "value": np.zeros(capacity, np.float32),
            "root_value": np.zeros(capacity, np.float32),
            "reply": np.zeros(capacity, np.float32),
            "soon": np.zeros(capacity, np.float32),
            "lead": np.zeros(capacity if shape.counted else 0, np.float32),
            "ownership": np.zeros((capacity if shape.counted else 0, shape.cells), np.float16),
        }

    def __len__(self) -> int:
        return min(self.total - self.first, self.capacity)

    def add(self, samples: Arrays) -> None:
        count = len(samples["value"])
        rows = np.arange(self.total, self.total + count) % self.capacity
        for name, array in self.arrays.items():
            if len(array):
                array[rows] = samples[name]
        self.total += count

    def draw(self, rng: np.random.Generator, count: int, window: int) -> Arrays:
        """Random ones of the last `window`, with repetition; what the game does not have is left out."""
        window = min(window, len(self))
        rows = rng.integers(self.total - window, self.total, count) % self.capacity
        return {name: array[rows] for name, array in self.arrays.items() if len(array)}

    def newest(self, count: int) -> NDArray[np.float32]:
        """The planes of the last ones, for calibration."""
        rows = np.arange(self.total - min(count, len(self)), self.total) % self.capacity
        return self.arrays["planes"][rows].astype(np.float32)


def stack(games: Iterable[GameRecord]) -> Arrays:
    """The samples of those games as one set of arrays; raises ValueError when there are none."""
    games = [game for game in games if len(game.value)]
    return {name: np.concatenate([getattr(game, name) for game in games]) for name in FIELDS}


def window_size(total: int, first: int, power: float, growth: float, most: int) -> int:
    """How many of the newest samples to train on when there were `total` in all."""
    if total <= first:
        return total
    grown = first * (1 + growth * ((total / first) ** power - 1) / power)
    return int(min(grown, most))


def write_samples(folder: Path, samples: Arrays, first: int) -> None:
    """One file with the samples from number `first` on."""
    folder.mkdir(parents=True, exist_ok=True)
    small = {name: _packed(array) for name, array in samples.items()}
    path = folder / f"samples-{first:010d}-{first + len(samples['value']):010d}.npz"
    beside = path.with_suffix(".tmp")
    with beside.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **small)
    beside.replace(path)


def _packed(array: NDArray[Any]) -> NDArray[Any]:
    return array.astype(np.float16) if array.ndim > 1 else array.astype(np.float32)


def read_samples(folder: Path, replay: Replay, total: int) -> None:
    """Fills an empty replay with what the folder has up to sample `total`; files beyond it are removed.

    What is missing at the old end leaves the window smaller; a gap raises ValueError.
    """
    wanted: list[tuple[int, int, Path]] = []
    for first, end, path in _files(folder):
        if first >= total:
            path.unlink()
        elif end > total - replay.capacity:
            wanted.append((first, end, path))
    if not wanted and total:
        raise ValueError(f"The samples of the training run are missing from {folder}.")
    replay.first = replay.total = wanted[0][0] if wanted else 0
    for first, _, path in wanted:
        if first != replay.total:
            raise ValueError(f"Samples {replay.total} to {first} are missing from {folder}.")
        with np.load(path) as file:
            replay.add({name: file[name] for name in FIELDS})
    if replay.total != total:
        raise ValueError(f"Samples {replay.total} to {total} are missing from {folder}.")


def remove_old(folder: Path, before: int) -> None:
    """Removes the files whose samples all have numbers below `before`."""
    for _, end, path in _files(folder):
        if end <= before:
            path.unlink(missing_ok=True)


def _files(folder: Path) -> list[tuple[int, int, Path]]:
    found = []
    for path in folder.glob("samples-*.npz"):
        match = _NAME.fullmatch(path.name)
        if match:
            found.append((int(match[1]), int(match[2]), path))
    return sorted(found)
