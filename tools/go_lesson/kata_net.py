"""A net file of KataGo as ONNX: read as its format says, written node by node, rounded to int8.

    python -m tools.go_lesson.kata_net NET.bin.gz OUT.onnx

Of the format (version 8, residual blocks with and without global pooling) only what nets of that kind hold is
read. The answer is the net's bare word: `policy` logits by cell and pass, `value` logits of a win, a loss and
no result, `score` (mean, deviation, lead, time, over 20 points), `ownership`; all from the mover's side.
On two cores the int8 file judges three to four times as many positions as the float one, and has the same
first move in nine of ten. Start reading at `read_net` and `Writer.model`.
"""

from __future__ import annotations

import argparse
import gzip
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from tengen.brains.runtime import open_session
from tools.go_lesson.judge import Teacher, first_questions

Floats = NDArray[np.float32]
Range = tuple[float, float]
MARK = b"@BIN@"
SPATIAL, GLOBAL = 22, 19  # inputs of version 8
OUTPUTS = ("policy", "value", "score", "ownership")
TAIL = 2e-5  # of what calibration sees may lie outside the range at either end
MOST = 127


class NetFileError(ValueError):
    """A file that is no net of the kind that is read here."""


@dataclass
class Norm:
    """A batch normalisation as one multiplication and one addition."""

    scale: Floats
    shift: Floats


@dataclass
class Block:
    before: Norm
    first: Floats
    middle: Norm
    second: Floats
    pooled: Floats | None = None  # the convolution whose channels are pooled...
    pooled_norm: Norm | None = None
    pooled_to_bias: Floats | None = None  # ...and what becomes of them


@dataclass
class KataNet:
    name: str
    parts: dict[str, Any] = field(default_factory=dict)  # convolutions, matrices and norms outside the tower
    blocks: list[Block] = field(default_factory=list)


class Reader:
    """Words between spaces, and floats behind a mark."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def word(self) -> str:
        start = self.at
        while self.data[start : start + 1].isspace():
            start += 1
        self.at = start
        while self.at < len(self.data) and not self.data[self.at : self.at + 1].isspace():
            self.at += 1
        if start == self.at:
            raise NetFileError("The file ends too early.")
        return self.data[start : self.at].decode("ascii")

    def number(self) -> int:
        return int(self.word())

    def floats(self, count: int) -> Floats:
        start = self.data.index(MARK, self.at) + len(MARK)
        self.at = start + 4 * count
        return np.frombuffer(self.data, "<f4", count, start).astype(np.float32)

    def conv(self) -> Floats:
        """[outputs, inputs, height, width]"""
        self.word()
        height, width, inputs, outputs, *_ = (self.number() for _ in range(6))
        found = self.floats(height * width * inputs * outputs).reshape(height, width, inputs, outputs)
        return np.ascontiguousarray(found.transpose(3, 2, 0, 1))

    def norm(self) -> Norm:
        self.word()
        channels, epsilon, has_scale, has_shift = (
            self.number(),
            float(self.word()),
            self.number(),
            self.number(),
        )
        mean, variance = self.floats(channels), self.floats(channels)
        scale = self.floats(channels) if has_scale else np.ones(channels, np.float32)
        shift = self.floats(channels) if has_shift else np.zeros(channels, np.float32)
        scale = scale / np.sqrt(variance + np.float32(epsilon))
        self.word()  # the name of the activation, which is always a rectifier here
        return Norm(scale, shift - mean * scale)

    def matrix(self) -> Floats:
        self.word()
        inputs, outputs = self.number(), self.number()
        return self.floats(inputs * outputs).reshape(inputs, outputs)

    def bias(self) -> Floats:
        self.word()
        return self.floats(self.number())


def read_net(data: bytes) -> KataNet:
    """Raises NetFileError for other kinds of nets."""
    r = Reader(data)
    net = KataNet(r.word())
    if (version := r.number()) != 8 or (r.number(), r.number()) != (SPATIAL, GLOBAL):
        raise NetFileError(f"{net.name} has version {version}; only nets of version 8 are read.")
    r.word()
    count = r.number()
    for _ in range(5):
        r.number()  # channels, which the convolutions say too
    net.parts |= {"stem": r.conv(), "stem.global": r.matrix()}
    net.blocks = [_block(r) for _ in range(count)]
    net.parts["tip"] = r.norm()
    r.word()
    net.parts |= {"policy.cells": r.conv(), "policy.pooled": r.conv(), "policy.pooled.norm": r.norm()}
    net.parts |= {"policy.bias": r.matrix(), "policy.norm": r.norm()}
    net.parts |= {"policy.last": r.conv(), "policy.pass": r.matrix()}
    r.word()
    net.parts |= {"value.conv": r.conv(), "value.norm": r.norm()}
    net.parts |= {"hidden": r.matrix(), "hidden.bias": r.bias()}
    r.word()  # its activation
    net.parts |= {"value": r.matrix(), "value.bias": r.bias(), "score": r.matrix(), "score.bias": r.bias()}
    net.parts["ownership"] = r.conv()
    return net


def _block(r: Reader) -> Block:
    kind, _ = r.word(), r.word()
    if kind == "ordinary_block":
        return Block(r.norm(), r.conv(), r.norm(), r.conv())
    if kind != "gpool_block":
        raise NetFileError(f"Blocks of the kind {kind} are not read.")
    before, first, pooled, pooled_norm, to_bias = r.norm(), r.conv(), r.conv(), r.norm(), r.matrix()
    return Block(before, first, r.norm(), r.conv(), pooled, pooled_norm, to_bias)


class Writer:
    """The graph; with ranges, what goes into and comes out of the tower's convolutions is rounded."""

    def __init__(self, net: KataNet, ranges: Mapping[str, Range] | None = None) -> None:
        self.net, self.ranges = net, ranges
        self.nodes: list[onnx.NodeProto] = []
        self.tensors: dict[str, NDArray[Any]] = {}
        self.scales: dict[str, Floats] = {}

    def model(self) -> onnx.ModelProto:
        p = self.net.parts
        self.tensors["board"] = np.array([2, 3], np.int64)
        x = self.conv("spatial", p["stem"], "stem", rounded=False)
        x = self.shifted(x, self.multiplied("globals", p["stem.global"], "stem.global"))
        for number, block in enumerate(self.net.blocks):
            x = self.node("Add", [x, self.block(x, block, f"block{number}")])
        tip = self.normed(x, p["tip"], "tip", rounded=False)
        self.policy(tip)
        self.judgement(tip)
        shapes: dict[str, list[str | int]] = {
            "spatial": ["N", SPATIAL, "H", "W"],
            "globals": ["N", GLOBAL],
            "side": [1],
            "side_squared": [1],
        }
        graph = helper.make_graph(
            self.nodes,
            self.net.name,
            [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()],
            [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in OUTPUTS],
            [numpy_helper.from_array(array, name) for name, array in self.tensors.items()],
        )
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)

    def block(self, x: str, block: Block, name: str) -> str:
        x = self.normed(x, block.before, f"{name}.before")
        if block.pooled is None or block.pooled_to_bias is None:
            y = self.conv(x, block.first, f"{name}.first", block.middle)
            y = self.rounded(self.node("Relu", [y], f"{name}.middle.in"))
        else:
            pooled = self.node("Relu", [self.conv(x, block.pooled, f"{name}.pooled", block.pooled_norm)])
            bias = self.multiplied(self.pool(pooled), block.pooled_to_bias, f"{name}.bias")
            y = self.shifted(self.conv(x, block.first, f"{name}.first"), bias)
            y = self.normed(y, block.middle, f"{name}.middle")
        return self.conv(y, block.second, f"{name}.second")

    def policy(self, x: str) -> None:
        p = self.net.parts
        pooled = self.conv(x, p["policy.pooled"], "policy.pooled", p["policy.pooled.norm"], rounded=False)
        pool = self.pool(self.node("Relu", [pooled]))
        cells = self.conv(x, p["policy.cells"], "policy.cells", rounded=False)
        cells = self.shifted(cells, self.multiplied(pool, p["policy.bias"], "policy.bias"))
        cells = self.normed(cells, p["policy.norm"], "policy.norm", rounded=False)
        cells = self.conv(cells, p["policy.last"], "policy.last", rounded=False)
        flat = self.node("Flatten", [cells], axis=1)
        self.node("Concat", [flat, self.multiplied(pool, p["policy.pass"], "policy.pass")], "policy", axis=1)

    def judgement(self, x: str) -> None:
        p = self.net.parts
        v = self.node("Relu", [self.conv(x, p["value.conv"], "value.conv", p["value.norm"], rounded=False)])
        hidden = self.multiplied(self.pool(v, squared=True), p["hidden"], "hidden", p["hidden.bias"])
        hidden = self.node("Relu", [hidden])
        for name in ("value", "score"):
            found = self.multiplied(hidden, p[name], f"{name}.matrix", p[f"{name}.bias"])
            self.node("Identity", [found], name)
        flat = self.node("Flatten", [self.conv(v, p["ownership"], "ownership.conv", rounded=False)], axis=1)
        self.node("Tanh", [flat], "ownership")

    def node(self, kind: str, inputs: list[str], out: str = "", **attributes: Any) -> str:
        out = out or f"node{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [out], name=out, **attributes))
        return out

    def tensor(self, name: str, array: NDArray[Any]) -> str:
        self.tensors[name] = array
        return name

    def multiplied(self, x: str, matrix: Floats, name: str, bias: Floats | None = None) -> str:
        inputs = [x, self.tensor(f"{name}.weight", matrix)]
        return self.node("Gemm", inputs if bias is None else [*inputs, self.tensor(f"{name}.shift", bias)])

    def shifted(self, x: str, by: str) -> str:
        return self.node("Add", [x, self.node("Unsqueeze", [by, "board"])])

    def pool(self, x: str, *, squared: bool = False) -> str:
        """Mean over the board, the same times the board's side, and the maximum or times its square."""
        mean = self.node("ReduceMean", [x], axes=[2, 3], keepdims=0)
        third = (
            self.node("Mul", [mean, "side_squared"])
            if squared
            else self.node("ReduceMax", [x], axes=[2, 3], keepdims=0)
        )
        return self.node("Concat", [mean, self.node("Mul", [mean, "side"]), third], axis=1)

    def normed(self, x: str, norm: Norm, name: str, *, rounded: bool = True) -> str:
        scale = self.tensor(f"{name}.scale4", norm.scale.reshape(1, -1, 1, 1))
        shift = self.tensor(f"{name}.shift4", norm.shift.reshape(1, -1, 1, 1))
        found = self.node("Add", [self.node("Mul", [x, scale]), shift])
        found = self.node("Relu", [found], f"{name}.in")
        return self.rounded(found) if rounded else found

    def conv(
        self, x: str, weight: Floats, name: str, norm: Norm | None = None, *, rounded: bool = True
    ) -> str:
        bias = np.zeros(len(weight), np.float32)
        if norm is not None:
            weight, bias = weight * norm.scale[:, None, None, None], norm.shift
        attributes = {"kernel_shape": [weight.shape[2]] * 2, "pads": [weight.shape[2] // 2] * 4}
        if self.ranges is None or not rounded:
            inputs = [self.tensor(f"{name}.weight", weight), self.tensor(f"{name}.shift", bias)]
            return self.node("Conv", [x, *inputs], f"{name}.out", **attributes)
        scale = np.maximum(np.abs(weight).max((1, 2, 3)), 1e-8).astype(np.float32) / np.float32(MOST)
        whole = np.rint(weight / scale[:, None, None, None]).astype(np.int8)
        bias_scale = (scale * self.scales[x]).astype(np.float32)
        whole_bias = np.rint(bias / bias_scale).astype(np.int32)
        inputs = [
            self.node(
                "DequantizeLinear",
                [
                    self.tensor(f"{name}.{part}.whole", array),
                    self.tensor(f"{name}.{part}.scale", scales),
                    self.tensor(f"{name}.{part}.zero", np.zeros(len(scales), array.dtype)),
                ],
                axis=0,
            )
            for part, array, scales in (("weight", whole, scale), ("shift", whole_bias, bias_scale))
        ]
        return self.rounded(self.node("Conv", [x, *inputs], f"{name}.out", **attributes))

    def rounded(self, x: str) -> str:
        """To uint8 and back, over the range that calibration saw."""
        if self.ranges is None:
            return x
        low, high = self.ranges[x]
        scale = np.float32(max(high - low, 1e-6) / 255)
        zero = np.uint8(np.clip(round(-low / float(scale)), 0, 255))
        steps = [self.tensor(f"{x}.scale", np.array(scale)), self.tensor(f"{x}.zero", np.array(zero))]
        whole = self.node("QuantizeLinear", [x, *steps])
        back = self.node("DequantizeLinear", [whole, *steps])
        self.scales[back] = np.array(scale)
        return back


def ranges_of(model: onnx.ModelProto, questions: list[dict[str, Floats]]) -> dict[str, Range]:
    """What the tensors that are to be rounded hold when the float net is asked those questions."""
    names = [name for node in model.graph.node for name in node.output if name.endswith((".in", ".out"))]
    probe = onnx.ModelProto()
    probe.CopyFrom(model)
    del probe.graph.output[:]
    probe.graph.output.extend(helper.make_tensor_value_info(n, TensorProto.FLOAT, None) for n in names)
    session = open_session(probe.SerializeToString())
    ranges: dict[str, Range] = {}
    for question in questions:
        for name, array in zip(names, session.run(names, question), strict=True):
            low, high = np.quantile(array, [TAIL, 1 - TAIL])
            least, most = ranges.get(name, (0.0, 0.0))
            ranges[name] = min(least, float(low)), max(most, float(high))
    return ranges


def convert(source: Path, out: Path) -> None:
    """Writes a net's file as ONNX; raises NetFileError."""
    data = source.read_bytes()
    net = read_net(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
    model = Writer(net).model()
    teacher = Teacher(model.SerializeToString())
    questions = first_questions(teacher, random.Random(1))
    out.parent.mkdir(parents=True, exist_ok=True)
    onnx.save(Writer(net, ranges_of(model, questions)).model(), str(out))
    print(f"{out}: {net.name}")


def main() -> None:
    parser = argparse.ArgumentParser(description="A net of KataGo as an int8 ONNX file.")
    parser.add_argument("net", type=Path)
    parser.add_argument("out", type=Path)
    given = parser.parse_args()
    convert(given.net, given.out)


if __name__ == "__main__":
    main()
