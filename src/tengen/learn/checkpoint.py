"""What a training run needs to go on, in one file that is replaced whole: `checkpoint.pt` in its folder.

`put` and `get` write and read it for every way to train; it is read without running code that may be in it.
`Checkpoint` is what Gumbel AlphaZero keeps there. Its samples are not in it: they lie in files of their own
beside it (`replay.py`), and the checkpoint only says how many there were. Nets of rivals are ONNX.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch

from tengen.brains.file import store_file
from tengen.learn.net import Shape

FILE = "checkpoint.pt"
VERSION = 2


@dataclass(frozen=True, slots=True)
class Rival:
    """An earlier net that new ones have to beat."""

    net: bytes  # float32 ONNX with all outputs
    games: int  # of self-play before it
    elo: float  # above the untrained net's, by the matches of this run


@dataclass
class Checkpoint:
    shape: Shape
    learner: dict[str, Any]  # Learner.state()
    iteration: int
    games: int
    samples: dict[str, int]  # by board, as `Window.counts`
    owed: float  # samples that training may still draw
    gated: int  # the iteration of the last match with rivals
    evaluated: int  # and of the last ones with fixed opponents
    rivals: list[Rival]  # the champion last
    loss: float | None = None
    rng: dict[str, Any] = field(default_factory=dict)
    taught_by: str = ""  # the net of KataGo that judged games, if one did


def write_checkpoint(folder: Path, checkpoint: Checkpoint) -> None:
    content = asdict(checkpoint)
    for rival in content["rivals"]:
        rival["net"] = torch.from_numpy(np.frombuffer(rival["net"], np.uint8).copy())
    put(folder, content | {"learner": checkpoint.learner})


def read_checkpoint(folder: Path) -> Checkpoint | None:
    """The last one, None if there is none; raises ValueError with a sentence when it cannot be read."""
    content = get(folder)
    if content is None:
        return None
    rivals = [Rival(**(rival | {"net": rival["net"].numpy().tobytes()})) for rival in content["rivals"]]
    return Checkpoint(**(content | {"shape": Shape(**content["shape"]), "rivals": rivals}))


def put(folder: Path, content: Mapping[str, Any]) -> None:
    """Replaces the checkpoint; values are tensors and plain ones."""
    buffer = io.BytesIO()
    torch.save({"version": VERSION, **content}, buffer)
    store_file(folder / FILE, buffer.getvalue())


def get(folder: Path) -> dict[str, Any] | None:
    """What `put` wrote, None if there is nothing; raises ValueError with a sentence when it is damaged."""
    path = folder / FILE
    if not path.exists():
        return None
    try:
        content: dict[str, Any] = torch.load(path, weights_only=True, map_location="cpu")
        version = content.pop("version")
    except Exception as error:  # torch raises many kinds
        raise ValueError(f"The checkpoint {path} is damaged, so the run cannot go on.") from error
    if version != VERSION:
        raise ValueError(f"The checkpoint {path} was written by another version of tengen.")
    return content
