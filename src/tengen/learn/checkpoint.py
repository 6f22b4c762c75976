"""What a training run needs to go on, in one file that is replaced whole: `checkpoint.pt` in its folder.

The samples are not in it: they lie in files of their own beside it (`replay.py`), and the checkpoint only
says how many there were. Nets of rivals are ONNX. The file is read without running code that may be in it.
"""

from __future__ import annotations

import os
import pickle
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch

from tengen.learn.net import Shape

FILE = "checkpoint.pt"
VERSION = 1


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
    samples: int
    owed: float  # samples that training may still draw
    gated: int  # the iteration of the last match with rivals
    evaluated: int  # and of the last ones with fixed opponents
    rivals: list[Rival]  # the champion last
    loss: float | None = None
    rng: dict[str, Any] = field(default_factory=dict)


def write_checkpoint(folder: Path, checkpoint: Checkpoint) -> None:
    content = asdict(checkpoint) | {"version": VERSION}
    for rival in content["rivals"]:
        rival["net"] = torch.from_numpy(np.frombuffer(rival["net"], np.uint8).copy())
    content["learner"] = checkpoint.learner
    beside = folder / f".{FILE}.tmp"
    with beside.open("wb") as file:
        torch.save(content, file)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(folder / FILE)


def read_checkpoint(folder: Path) -> Checkpoint | None:
    """The last one, None if there is none; raises ValueError with a sentence when it cannot be read."""
    path = folder / FILE
    if not path.exists():
        return None
    try:
        content: dict[str, Any] = torch.load(path, weights_only=True)
    except (RuntimeError, EOFError, OSError, ValueError, pickle.UnpicklingError) as error:
        raise ValueError(f"The checkpoint {path} cannot be read.") from error
    if content.pop("version", None) != VERSION:
        raise ValueError(f"The checkpoint {path} was written by another version of tengen.")
    rivals = [Rival(**(rival | {"net": rival["net"].numpy().tobytes()})) for rival in content["rivals"]]
    return Checkpoint(**(content | {"shape": Shape(**content["shape"]), "rivals": rivals}))
