"""Trains a net for all boards of Go on what a teacher said, and writes it as a brain.

    python -m tools.go_lesson.learn FOLDER OUT.onnx [--samples N] [--blocks 6] [--channels 64]
    python -m tools.go_lesson.learn FOLDER OUT.onnx --from BRAIN.onnx --rate 0.001 --blocks 8
    python -m tools.go_lesson.learn FOLDER OUT.onnx --from BRAIN.onnx --rate 0.001 --keeps 0.5

The second goes on from a brain, with more blocks than it has where more are asked for. The third takes the
mean of what it was and what it became, so that it learns of something new and forgets little.

Takes up new files of the folder as they come. Every sixteenth is held back; what the net makes of those is
printed on the way and stands beside the brain as OUT.json. A training that was cut off goes on from the last
such report, which lies in OUT.training meanwhile. Start reading at `learn`.
"""

from __future__ import annotations

import argparse
import json
import shutil
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

import tengen
from tengen.brains.file import stamp
from tengen.brains.info import BrainInfo
from tengen.learn import checkpoint
from tengen.learn.export import export_net, load_net
from tengen.learn.learner import Learner
from tengen.learn.net import Net, Output
from tengen.learn.settings import GumbelSettings

Arrays = dict[str, NDArray[Any]]
BATCH = {7: 8, 9: 96, 11: 16, 13: 36, 15: 4, 17: 4, 19: 28}  # positions of each board in a step, at most
A_STEP = 400  # positions for each that a step may take: a board that has few would be learned by heart
HELD_EVERY = 16  # files
REPORT_SECONDS = 120
TESTED = 1500  # positions of a board that were held back
CALIBRATION = 400  # positions of a board
TEACHER = "g170-b15c192-s1672170752-d466197061"
# The games that the brain is for: komi of each counts for those near it (cpp/games/go/description.cpp).
SIZES = (9, 13, 19)
LEARNED: list[dict[str, int | float | str]] = [
    {"size": size, "scoring": "area", "komi": komi} for size in SIZES for komi in (7.5, 1.5, 13.5, -4.5, 19.5)
]
LEARNED += [{"size": size, "scoring": "area", "komi": 0.5, "handicap": 2} for size in SIZES]


class LessonLearner(Learner):
    """Runs the tower in half precision where the processor has it: two thirds of the time, else thrice."""

    def found(self, planes: list[torch.Tensor]) -> list[Output]:
        net = self.net
        with torch.autocast(self.device, torch.bfloat16, enabled=knows_halves(self.device)):
            xs = [torch.relu(x) for x in net.stem(planes)]
            for block in net.blocks:
                xs = block(xs)
            heads = [torch.relu(h) for h in net.head(xs)]
        return [net.heads(h.float()) for h in heads]


def knows_halves(device: str) -> bool:
    """Whether it multiplies bfloat16 by itself."""
    return device != "cpu" or torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported()


class Samples:
    """What the teacher has said so far, by board."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._known = folder, set[Path]()
        self.learned: dict[int, list[Arrays]] = {size: [] for size in BATCH}
        self.held: dict[int, list[Arrays]] = {size: [] for size in BATCH}
        self.games = 0

    def read(self) -> None:
        """Takes up the files that are new."""
        for path in sorted(set(self._folder.glob("*.npz")) - self._known):
            self._known.add(path)
            size, number = int(path.stem[:2]), int(path.stem[-5:])
            with np.load(path) as found:
                arrays = {name: found[name] for name in found.files}
            self.games += int(arrays.pop("first").sum())
            (self.held if number % HELD_EVERY == 7 else self.learned)[size].append(arrays)

    def counts(self) -> dict[int, int]:
        return {size: sum(len(one["value"]) for one in files) for size, files in self.learned.items()}

    def shown(self) -> list[NDArray[np.float32]]:
        """Some positions of each board that were held back, to calibrate on."""
        return [
            _joined(files)["planes"][:CALIBRATION].astype(np.float32) for files in self.held.values() if files
        ]

    def draw(self, rng: np.random.Generator) -> list[Arrays]:
        counts = self.counts()
        taken = {size: min(BATCH[size], -(-counts[size] // A_STEP)) for size in BATCH}
        return [_drawn(rng, files, taken[size]) for size, files in self.learned.items() if files]


def _drawn(rng: np.random.Generator, files: list[Arrays], count: int) -> Arrays:
    sizes = np.array([len(one["value"]) for one in files], float)
    parts = []
    for one, wanted in zip(files, rng.multinomial(count, sizes / sizes.sum()), strict=True):
        rows = rng.integers(0, len(one["value"]), wanted)
        parts.append({name: array[rows] for name, array in one.items()})
    drawn = _joined(parts)
    return drawn | {"root_value": drawn["value"]}


def _joined(parts: Iterable[Arrays]) -> Arrays:
    parts = list(parts)
    return {name: np.concatenate([one[name] for one in parts]) for name in parts[0]}


@torch.no_grad()
def tested(net: Net, held: dict[int, list[Arrays]]) -> dict[str, dict[str, float]]:
    """How far the net is from its teacher on positions of games that it has not learned from, by board."""
    found = {}
    for size, files in held.items():
        if not files:
            continue
        where = net.value.weight.device
        part = {
            name: torch.from_numpy(array[:TESTED]).float().to(where) for name, array in _joined(files).items()
        }
        said, policy = net(part["planes"]), part["policy"]
        distance = policy * (torch.log(policy + 1e-9) - torch.log_softmax(said.policy, 1))
        found[f"{size}x{size}"] = {
            "positions": len(policy),
            "same_move": (said.policy.argmax(1) == policy.argmax(1)).float().mean().item(),
            "distance": distance.sum(1).mean().item(),
            "win_rate_error": (torch.tanh(said.value) - part["value"]).abs().mean().item() / 2,
            "points_error": (said.lead - part["lead"]).abs().mean().item() * size * size,
            "calibration": _calibration(said.value, part["value"]),
        }
    return found


def _calibration(said: torch.Tensor, true: torch.Tensor) -> float:
    """What the net's log odds must be multiplied with to be the teacher's: 1 is right, less is too sure."""
    odds, share, factor = (2 * said).clamp(-6, 6), (true + 1) / 2, 1.0  # tanh(x) is the log odds 2x
    for _ in range(20):  # Newton's steps of a logistic regression
        told = torch.sigmoid(factor * odds)
        factor += ((share - told) * odds).sum().item() / (told * (1 - told) * odds**2).sum().item()
    return factor


def learn(
    folder: Path,
    out: Path,
    *,
    samples: int,
    blocks: int,
    channels: int,
    rate: float,
    start: Path | None,
    threads: int = 1,
    keeps: float = 0.0,
) -> None:
    """Trains on so many samples, each drawn anew, and writes the brain; `start` is one to go on from.

    `keeps` is the share of each weight that is taken from `start` again in the end.
    """
    torch.manual_seed(1)
    torch.set_num_threads(threads)
    games = [tengen.game("go", size=size, scoring="area", komi=7.5) for size in BATCH]
    net = load_net(start.read_bytes()) if start else None
    if net is not None and net.shape.channels < channels:
        net = net.widened(channels)
    if net is not None and net.shape.blocks < blocks:
        net = net.deepened(blocks)
    learner, said = LessonLearner(games, lesson(blocks, channels, rate), net, any_board=True), Samples(folder)
    rng, curve, spent = np.random.default_rng(1), list[dict[str, Any]](), 0.0
    cut_off = out.with_suffix(".training")
    if (kept := checkpoint.get(cut_off)) is not None:
        learner.restore(kept["learner"])
        rng.bit_generator.state = kept["rng"]
        curve, spent = kept["curve"], kept["curve"][-1]["processor_s"]
    said.read()
    if start and kept is None:
        learner.settle_norms(said.shown())
    reported = time.monotonic()
    while learner.trained < samples:
        learner.limit_used = min(1.0, learner.trained / samples)
        learner.step(said.draw(rng))
        if time.monotonic() - reported > REPORT_SECONDS or learner.trained >= samples:
            reported = time.monotonic()
            said.read()
            curve.append(
                {"processor_s": round(spent + time.process_time()), "trained": learner.trained}
                | {"samples": said.counts(), "held_back": tested(learner.average, said.held)}
            )
            print(json.dumps(curve[-1]), flush=True)
            now = {"learner": learner.state(), "rng": dict(rng.bit_generator.state), "curve": curve}
            checkpoint.put(cut_off, now)
    write(learner.average, said, out)
    if start and keeps:
        write(mixed(load_net(out.read_bytes()), load_net(start.read_bytes()), keeps), said, out)
    out.with_suffix(".json").write_text(json.dumps({"teacher": TEACHER, "curve": curve}, indent=1))
    shutil.rmtree(cut_off, ignore_errors=True)


@torch.no_grad()
def mixed(net: Net, other: Net, share: float) -> Net:
    """The net with that share of each weight from the other, from which it has not gone far.

    Both are as a file has them, without normalisations of their own.
    """
    theirs = other.state_dict()
    for name, weight in net.state_dict().items():
        if weight.is_floating_point():
            weight.lerp_(theirs[name], share)
    return net.eval()


def lesson(blocks: int, channels: int, rate: float) -> GumbelSettings:
    return GumbelSettings(
        blocks=blocks,
        channels=channels,
        learning_rate=rate,
        value_mix=0,
        lead_weight=2.0,
        weight_decay=1e-3,
        final_rate=2e-5,
        warm_up=28_000,
        rate_samples=10**9,  # the lesson's own number of samples ends it
        average_samples=94_000,
    )


def write(net: Net, said: Samples, path: Path) -> None:
    """The brain, int8."""
    info = BrainInfo(
        game="go",
        options=LEARNED[0],
        algorithm="gumbel",
        games=said.games,
        loss=0.0,
        title=f"All boards, taught by KataGo's net {TEACHER}",
        mixture=tuple(LEARNED),
    )
    data = export_net(net, calibration=said.shown())
    path.write_bytes(stamp(data, info))


def main() -> None:
    parser = argparse.ArgumentParser(description="A brain for Go from what a teacher said.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--samples", type=int, default=1_500_000, help="to train on, counted each time")
    parser.add_argument("--blocks", type=int, default=6)
    parser.add_argument("--channels", type=int, default=64)
    parser.add_argument("--from", dest="start", type=Path, help="a brain to go on from")
    parser.add_argument("--rate", type=float, default=2e-3, help="of learning, at first")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--keeps", type=float, default=0.0, help="the share of weights that --from keeps")
    learn(**vars(parser.parse_args()))


if __name__ == "__main__":
    main()
