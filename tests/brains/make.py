"""Tiny nets as brain files, for every test that needs a brain and does not care how well it plays.

`tiny_brain` and `tiny_q_brain` are whole files; `tiny_model` and `tiny_q_model` are the same nets before
`stamp` puts the metadata in, for tests that break them first.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

import tengen
from tengen.brains.file import Algorithm, BrainInfo, stamp

CHANNELS = 4
HIDDEN = 8
OPSET = 17
IR_VERSION = 9
COUNTED = ("go", "great-kingdom")  # the games whose nets also tell the lead and who owns what


def info_for(game: tengen.Game, algorithm: Algorithm = "gumbel", **changes: Any) -> BrainInfo:
    values: dict[str, Any] = {
        "game": game.name,
        "options": dict(game.options),
        "algorithm": algorithm,
        "games": 120,
        "loss": 0.0123,
        "created": "2026-03-01T12:00:00Z",
    }
    return BrainInfo(**values | changes)


def tiny_brain(game: tengen.Game | str, seed: int = 0, **changes: Any) -> bytes:
    """A brain with all outputs that the game's nets have; `changes` go to its BrainInfo."""
    game = tengen.game(game) if isinstance(game, str) else game
    return stamp(tiny_model(game, seed).SerializeToString(), info_for(game, **changes))


def tiny_q_brain(game: tengen.Game | str, seed: int = 0, **changes: Any) -> bytes:
    game = tengen.game(game) if isinstance(game, str) else game
    return stamp(tiny_q_model(game, seed).SerializeToString(), info_for(game, "dqn", **changes))


def tiny_model(game: tengen.Game, seed: int = 0) -> onnx.ModelProto:
    """One convolution and a head for each output."""
    rng = np.random.default_rng(seed)
    planes, height, width = game.start().encode().shape
    cells = height * width
    build = Builder(rng)
    trunk = build.node("Relu", build.conv("planes", planes, CHANNELS, 3))
    pooled = build.node("Flatten", build.node("GlobalAveragePool", trunk))
    flat = build.node("Flatten", build.conv(trunk, CHANNELS, 1, 1))
    build.gemm(flat, cells, game.action_count, "policy")
    build.number(build.node("Tanh", build.gemm(pooled, CHANNELS, 1)), "value")
    outputs: dict[str, list[Any]] = {"policy": ["N", game.action_count], "value": ["N"]}
    if game.name in COUNTED:
        build.number(build.gemm(pooled, CHANNELS, 1), "lead")
        owners = build.node("Flatten", build.conv(trunk, CHANNELS, 1, 1))
        build.node("Tanh", owners, output="ownership")
        outputs |= {"lead": ["N"], "ownership": ["N", cells]}
    return build.model({"planes": ["N", planes, height, width]}, outputs)


def tiny_q_model(game: tengen.Game, seed: int = 0) -> onnx.ModelProto:
    cells = game.width * game.height
    build = Builder(np.random.default_rng(seed))
    hidden = build.node("Relu", build.gemm("board", cells, HIDDEN))
    build.gemm(hidden, HIDDEN, cells + 1, "q")
    return build.model({"board": ["N", cells]}, {"q": ["N", cells + 1]})


class Builder:
    """Collects nodes and weights; a node's output is called after it unless it has a name."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []

    def node(self, kind: str, *inputs: str, output: str = "", **attributes: Any) -> str:
        output = output or f"{kind.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def weight(self, values: NDArray[Any]) -> str:
        name = f"weight_{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(values, name))
        return name

    def random(self, *shape: int) -> str:
        return self.weight(self.rng.normal(0, 0.3, shape).astype(np.float32))

    def conv(self, source: str, inputs: int, outputs: int, size: int) -> str:
        kernel, bias = self.random(outputs, inputs, size, size), self.random(outputs)
        return self.node("Conv", source, kernel, bias, pads=[size // 2] * 4, kernel_shape=[size, size])

    def gemm(self, source: str, inputs: int, outputs: int, output: str = "") -> str:
        return self.node("Gemm", source, self.random(inputs, outputs), self.random(outputs), output=output)

    def number(self, source: str, output: str) -> str:
        """[N, 1] to [N]."""
        return self.node("Reshape", source, self.weight(np.array([-1], np.int64)), output=output)

    def model(self, inputs: dict[str, list[Any]], outputs: dict[str, list[Any]]) -> onnx.ModelProto:
        ends = [
            [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in side.items()]
            for side in (inputs, outputs)
        ]
        graph = helper.make_graph(self.nodes, "tiny", ends[0], ends[1], self.weights)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
