"""The three steps in which Go's brain was taught, with a teacher of eight channels that knows nothing."""

from __future__ import annotations

import gzip
import hashlib
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import tengen

pytest.importorskip("torch", reason="NOT TESTED: PyTorch is not installed")

import torch
from torch import Tensor

from tengen.brains.file import read_brain
from tengen.learn.export import load_net
from tengen.learn.net import Net, shape_for
from tools.go_lesson import judge, kata_net, learn
from tools.go_lesson.__main__ import main as whole_lesson

Floats = NDArray[np.float32]
C, POOLED, HIDDEN = 8, 4, 6  # channels


class NetFile:
    """Writes the format of KataGo's nets, version 8, with weights at random."""

    def __init__(self, seed: int) -> None:
        self._rng, self._parts = np.random.default_rng(seed), list[bytes]()

    def words(self, *words: object) -> None:
        self._parts += [f"{word}\n".encode() for word in words]

    def floats(self, count: int, low: float = -0.5, high: float = 0.5) -> None:
        values = self._rng.uniform(low, high, count).astype("<f4")
        self._parts.append(b"@BIN@" + values.tobytes() + b"\n")

    def conv(self, side: int, inputs: int, outputs: int) -> None:
        self.words("conv", side, side, inputs, outputs, 1, 1)
        self.floats(side * side * inputs * outputs)

    def norm(self, channels: int) -> None:
        self.words("norm", channels, 0.001, 1, 1)
        self.floats(channels)  # mean
        self.floats(channels, 0.5, 1.5)  # variance
        self.floats(channels, 0.5, 1.5)
        self.floats(channels)
        self.words("relu")

    def matrix(self, inputs: int, outputs: int) -> None:
        self.words("matrix", inputs, outputs)
        self.floats(inputs * outputs)

    def bias(self, channels: int) -> None:
        self.words("bias", channels)
        self.floats(channels)

    def whole(self) -> bytes:
        self.words("tiny", 8, kata_net.SPATIAL, kata_net.GLOBAL, "trunk", 2, C, C, C, POOLED, POOLED)
        self.conv(5, kata_net.SPATIAL, C)
        self.matrix(kata_net.GLOBAL, C)
        self.words("ordinary_block", "one")
        for _ in range(2):
            self.norm(C)
            self.conv(3, C, C)
        self.words("gpool_block", "two")
        self.norm(C)
        self.conv(3, C, C)
        self.conv(3, C, POOLED)
        self.norm(POOLED)
        self.matrix(3 * POOLED, C)
        self.norm(C)
        self.conv(3, C, C)
        self.norm(C)
        self.words("policy")
        self.conv(1, C, POOLED)
        self.conv(1, C, POOLED)
        self.norm(POOLED)
        self.matrix(3 * POOLED, POOLED)
        self.norm(POOLED)
        self.conv(1, POOLED, 1)
        self.matrix(3 * POOLED, 1)
        self.words("value")
        self.conv(1, C, POOLED)
        self.norm(POOLED)
        self.matrix(3 * POOLED, HIDDEN)
        self.bias(HIDDEN)
        self.words("relu")
        self.matrix(HIDDEN, 3)
        self.bias(3)
        self.matrix(HIDDEN, 4)
        self.bias(4)
        self.conv(1, POOLED, 1)
        return b"".join(self._parts)


def said_by_torch(net: kata_net.KataNet, question: dict[str, Floats]) -> list[Tensor]:
    """The same net once more, written as its authors describe it."""
    p: dict[str, Any] = {
        name: part if isinstance(part, kata_net.Norm) else torch.from_numpy(part)
        for name, part in net.parts.items()
    }
    planes, numbers = (torch.from_numpy(question[name]) for name in ("spatial", "globals"))
    side, square = (float(question[name][0]) for name in ("side", "side_squared"))

    def normed(x: Tensor, norm: kata_net.Norm) -> Tensor:
        scale, shift = (torch.from_numpy(part).reshape(1, -1, 1, 1) for part in (norm.scale, norm.shift))
        return torch.relu(x * scale + shift)

    def conv(x: Tensor, weight: Floats | Tensor) -> Tensor:
        return torch.nn.functional.conv2d(x, torch.as_tensor(weight), padding="same")

    def pool(x: Tensor, third: Callable[[Tensor, Tensor], Tensor]) -> Tensor:
        mean = x.mean((2, 3))
        return torch.cat([mean, mean * side, third(x, mean)], 1)

    def most(x: Tensor, mean: Tensor) -> Tensor:
        return x.amax((2, 3))

    x = conv(planes, p["stem"]) + (numbers @ p["stem.global"])[:, :, None, None]
    for block in net.blocks:
        before = normed(x, block.before)
        y = conv(before, block.first)
        if block.pooled is not None and block.pooled_norm is not None:
            pooled = pool(normed(conv(before, block.pooled), block.pooled_norm), most)
            y = y + (pooled @ torch.as_tensor(block.pooled_to_bias))[:, :, None, None]
        x = x + conv(normed(y, block.middle), block.second)
    tip = normed(x, p["tip"])
    pooled = pool(normed(conv(tip, p["policy.pooled"]), p["policy.pooled.norm"]), most)
    cells = conv(tip, p["policy.cells"]) + (pooled @ p["policy.bias"])[:, :, None, None]
    cells = conv(normed(cells, p["policy.norm"]), p["policy.last"]).flatten(1)
    v = normed(conv(tip, p["value.conv"]), p["value.norm"])
    hidden = torch.relu(pool(v, lambda x, mean: mean * square) @ p["hidden"] + p["hidden.bias"])
    return [
        torch.cat([cells, pooled @ p["policy.pass"]], 1),
        hidden @ p["value"] + p["value.bias"],
        hidden @ p["score"] + p["score.bias"],
        torch.tanh(conv(v, p["ownership"]).flatten(1)),
    ]


def new_tables(size: int, count: int, seed: int = 1) -> list[judge.Table]:
    rng = random.Random(seed)
    return [judge.Table(size, rng) for _ in range(count)]


@pytest.mark.parametrize("size", [7, 9, 13])
def test_a_teachers_file_says_what_its_net_says(size: int) -> None:
    net = kata_net.read_net(NetFile(1).whole())
    question = judge.question_of(new_tables(size, 5))
    teacher = judge.Teacher(kata_net.Writer(net).model().SerializeToString())
    found = teacher._session.run(list(kata_net.OUTPUTS), question)
    for ours, theirs in zip(found, said_by_torch(net, question), strict=True):
        np.testing.assert_allclose(ours, theirs.numpy(), rtol=1e-3, atol=1e-3)


def test_files_that_are_no_such_net_are_refused() -> None:
    whole = NetFile(1).whole()
    for wrong, part in (
        (whole.replace(b"tiny\n8\n", b"tiny\n14\n"), "version 14"),
        (whole.replace(b"gpool_block", b"nested_block"), "nested_block"),
        (b"tiny\n", "too early"),
    ):
        with pytest.raises(kata_net.NetFileError, match=part):
            kata_net.read_net(wrong)


def test_samples_are_what_the_teacher_said_of_legal_games() -> None:
    net = kata_net.read_net(NetFile(2).whole())
    teacher, tables = (
        judge.Teacher(kata_net.Writer(net).model().SerializeToString()),
        new_tables(7, 4, seed=3),
    )
    ended: list[judge.Sample] = []
    while len(ended) < 100:
        said = teacher.judge(judge.question_of(tables))
        for row, table in enumerate(tables):
            state, legal = table.state, set(table.state.legal_actions())
            samples = table.answer(said, row)
            ended += samples
            newest = (samples or table.samples)[-1]
            assert set(np.flatnonzero(newest["policy"])) <= legal
            assert newest["policy"].sum() == pytest.approx(1, abs=0.01)
            assert newest["lead"] == pytest.approx(said.lead[row] / 49, abs=0.05)
            np.testing.assert_array_equal(newest["planes"], state.encode().astype(np.float16))
    assert sum(float(sample["first"]) for sample in ended) >= 1


def test_wild_games_are_spoilt_by_both_for_a_while_or_by_one() -> None:
    rng, kinds = random.Random(1), set[str]()
    for _ in range(40):
        table = judge.Table(7, rng, wild=1.0)
        policy = np.zeros(50)
        policy[24] = 1.0  # what the teacher would do
        careless = []
        for to_move in (0, 1):
            while table.state.to_move != to_move:
                table.state = table.state.play(table.cells)
            careless.append({table.drawn(policy, 0) for _ in range(60)} != {24})
        sober = table.drawn(policy, table.sobers) == 24
        kinds.add("both" if all(careless) else "one" if any(careless) else "none")
        assert sober or not all(careless)
    assert kinds == {"both", "one"}


@pytest.mark.parametrize("size", [7, 9, 19])
def test_fights_are_boards_with_a_group_shut_in_and_end_soon(size: int) -> None:
    rng, teacher = (
        random.Random(4),
        judge.Teacher(kata_net.Writer(kata_net.read_net(NetFile(2).whole())).model().SerializeToString()),
    )
    tables = [judge.Table(size, rng, fights=1.0) for _ in range(6)]
    boards, ended, komis = set[str](), 0, set[float]()
    while ended < 12:
        said = teacher.judge(judge.question_of(tables))
        for row, table in enumerate(tables):
            if not table.state.actions:
                boards.add(table.state.game.diagram(table.state))
                black, white = (table.state.cells().count(code) for code in (1, 2))
                assert black and white and black + white < size * size
                komi = table.state.game.options["komi"]
                assert isinstance(komi, float) and abs(komi) < 4 * size
                komis.add(komi)
            most = table.most
            assert most <= 30
            samples = table.answer(said, row)
            assert len(samples) <= most
            ended += bool(samples)
    assert len(boards) >= ended
    assert len(komis) > len(boards) / 3


def test_a_brain_may_keep_a_share_of_what_it_was() -> None:
    game = tengen.game("go", size=7)
    nets = []
    for seed in (1, 2, 1):
        torch.manual_seed(seed)
        nets.append(Net(shape_for(game, 1, 8, any_board=True)))
    (first, second, mine), weight = nets, "blocks.0.first.conv.weight"
    mixed = learn.mixed(mine, second, 0.25).state_dict()[weight]
    wanted = 0.75 * first.state_dict()[weight] + 0.25 * second.state_dict()[weight]
    torch.testing.assert_close(mixed, wanted)
    assert not torch.equal(first.state_dict()[weight], second.state_dict()[weight])


def test_a_lesson_from_the_teachers_file_to_the_brain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(judge, "FILE_SAMPLES", 40)
    monkeypatch.setattr(learn, "BATCH", {7: 8, 9: 8})
    monkeypatch.setattr(learn, "A_STEP", 1)
    monkeypatch.setattr(learn, "HELD_EVERY", 8)
    net, recipe = tmp_path / "net.gz", tmp_path / "recipe.toml"
    net.write_bytes(gzip.compress(NetFile(4).whole()))
    monkeypatch.setattr(sys, "argv", ["lesson", f"{net}", "--folder", f"{tmp_path}", "--recipe", f"{recipe}"])
    stage = "[[stages]]\nfiles = 12\nsamples = 40\nrate = 0.001\nshares = {7 = 1, 9 = 1}\n"
    recipe.write_text(
        f"teacher = '{hashlib.sha256(net.read_bytes()).hexdigest()}'\nblocks = 1\nchannels = 8\n{stage * 2}"
        "blocks = 2\nafresh = true\n"
    )
    whole_lesson()
    first, second = (tmp_path / f"go-{number}.onnx" for number in (1, 2))
    made = [read_brain(path) for path in (first, second)]
    assert min(brain.info.games for brain in made) >= 1
    assert [load_net(brain.data).shape.blocks for brain in made] == [1, 2]
    for size in (9, 13, 19):
        game = tengen.game("go", size=size)
        made[1].check_fits(game)
        assert made[1].evaluate(game.start().encode()[None]).policy.shape == (1, size * size + 1)

    assert len(list((tmp_path / "samples").iterdir())) == 12
    samples = sorted((tmp_path / "samples-2").iterdir())
    assert len(samples) == 12
    second.with_suffix(".json").unlink()
    samples[-1].unlink()
    whole_lesson()
    assert second.with_suffix(".json").exists(), "what was cut off is made up for"
    assert read_brain(first).digest == made[0].digest

    # Cut off in training: it goes on from the last report to the same end.
    start, steps = tengen.game("go", size=9).start().encode()[None], list[int]()
    whole = read_brain(second).evaluate(start).policy
    second.with_suffix(".json").unlink()
    step = learn.LessonLearner.step

    def interrupted(learner: learn.LessonLearner, batches: Any) -> dict[str, float]:
        if learner.trained >= 32:
            raise KeyboardInterrupt
        return step(learner, batches)

    monkeypatch.setattr(learn, "REPORT_SECONDS", 0)
    monkeypatch.setattr(learn.LessonLearner, "step", interrupted)
    with pytest.raises(KeyboardInterrupt):
        whole_lesson()

    def counted(learner: learn.LessonLearner, batches: Any) -> dict[str, float]:
        steps.append(learner.trained)
        return step(learner, batches)

    monkeypatch.setattr(learn.LessonLearner, "step", counted)
    whole_lesson()
    assert steps == [32], "what was trained is not trained again"
    np.testing.assert_allclose(read_brain(second).evaluate(start).policy, whole, atol=1e-5)
    assert not second.with_suffix(".training").exists()
    net.write_bytes(b"another")
    with pytest.raises(SystemExit):
        whole_lesson()
    assert "is not the teacher of the recipe" in capsys.readouterr().err
