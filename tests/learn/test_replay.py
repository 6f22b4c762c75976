"""The window of samples: what it holds, what it draws, and that files bring it back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tengen.learn.net import Shape
from tengen.learn.replay import FIELDS, Arrays, Replay, read_samples, remove_old, window_size, write_samples

SHAPE = Shape(planes=2, height=3, width=3, actions=10, blocks=1, channels=4, counted=True)


def numbered(first: int, count: int) -> Arrays:
    """Samples that carry their number in every array."""
    numbers = np.arange(first, first + count, dtype=np.float32)
    return {
        "planes": np.broadcast_to(numbers[:, None, None, None], (count, 2, 3, 3)).copy(),
        "policy": np.broadcast_to(numbers[:, None], (count, 10)).copy(),
        "value": numbers,
        "root_value": numbers,
        "reply": numbers,
        "soon": numbers,
        "lead": numbers,
        "ownership": np.broadcast_to(numbers[:, None], (count, 9)).copy(),
    }


def drawn(replay: Replay, window: int) -> set[int]:
    batch = replay.draw(np.random.default_rng(1), 2000, window)
    assert {len(array) for array in batch.values()} == {2000}
    for array in batch.values():
        np.testing.assert_array_equal(array.reshape(2000, -1)[:, 0], batch["value"])
    return {int(value) for value in batch["value"]}


def test_draws_from_the_newest() -> None:
    replay = Replay(SHAPE, 50)
    replay.add(numbered(0, 30))
    assert drawn(replay, 100) == set(range(30))
    assert drawn(replay, 10) == set(range(20, 30))
    replay.add(numbered(30, 45))
    assert len(replay) == 50
    assert drawn(replay, 100) == set(range(25, 75))
    assert replay.newest(3)[:, 0, 0, 0].tolist() == [72, 73, 74]


def test_games_without_count_have_no_boards() -> None:
    replay = Replay(Shape(2, 3, 3, 10, 1, 4, counted=False), 50)
    replay.add(numbered(0, 5))
    assert set(replay.draw(np.random.default_rng(1), 4, 5)) == set(FIELDS) - {"lead", "ownership"}


def test_the_window_grows_slower_than_the_run() -> None:
    sizes = [window_size(total, 100, 0.75, 0.4, 2000) for total in (0, 50, 100, 1000, 10_000, 10**6)]
    assert sizes[:3] == [0, 50, 100]
    assert 100 < sizes[3] < 1000
    assert sizes[3] < sizes[4] < 2000
    assert sizes[5] == 2000


def filled(folder: Path) -> None:
    for first in range(0, 60, 20):
        write_samples(folder, numbered(first, 20), first)


def test_files_bring_it_back(tmp_path: Path) -> None:
    filled(tmp_path)
    replay = Replay(SHAPE, 100)
    read_samples(tmp_path, replay, 60)
    assert (replay.total, len(replay)) == (60, 60)
    assert drawn(replay, 100) == set(range(60))


def test_files_after_the_checkpoint_are_forgotten(tmp_path: Path) -> None:
    filled(tmp_path)
    replay = Replay(SHAPE, 100)
    read_samples(tmp_path, replay, 40)
    assert drawn(replay, 100) == set(range(40))
    assert len(list(tmp_path.iterdir())) == 2


def test_old_files_go_and_are_not_missed(tmp_path: Path) -> None:
    filled(tmp_path)
    remove_old(tmp_path, 39)
    assert len(list(tmp_path.iterdir())) == 2
    replay = Replay(SHAPE, 100)
    read_samples(tmp_path, replay, 60)
    assert len(replay) == 40
    assert drawn(replay, 100) == set(range(20, 60))


def test_a_gap_is_told(tmp_path: Path) -> None:
    filled(tmp_path)
    next(tmp_path.glob("samples-0000000020-*")).unlink()
    with pytest.raises(ValueError, match="20 to 40 are missing"):
        read_samples(tmp_path, Replay(SHAPE, 100), 60)
    with pytest.raises(ValueError, match="60 to 80 are missing"):
        read_samples(tmp_path, Replay(SHAPE, 30), 80)
    with pytest.raises(ValueError, match="missing"):
        read_samples(tmp_path / "nowhere", Replay(SHAPE, 15), 80)


def test_a_file_that_was_cut_off_is_no_file(tmp_path: Path) -> None:
    filled(tmp_path)
    (tmp_path / "samples-0000000060-0000000080.tmp").write_bytes(b"half")
    replay = Replay(SHAPE, 100)
    read_samples(tmp_path, replay, 60)
    assert len(replay) == 60
