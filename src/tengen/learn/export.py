"""A net as an ONNX file, written node by node, and read back.

Batch normalisation is folded into the convolutions. Tensors keep the names of the modules they come from
(`stem.weight`, `block0.first.bias`, …), so `load_net` can rebuild the PyTorch net from any file written here.
With positions to calibrate on, the file is int8: weights and the inputs of convolutions get a
QuantizeLinear/DequantizeLinear pair each (static quantisation, uint8 activations, int8 weights a channel),
which ONNX Runtime fuses into integer convolutions; what comes after pooling stays float32, being tiny.
Start reading at `export_net`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from tengen.brains.runtime import Session, open_session
from tengen.learn.net import Block, Conv, Net, Shape

ALL_OUTPUTS = ("policy", "value", "lead", "ownership")
OPSET = 17
IR_VERSION = 9
CALIBRATION_BATCH = 256
BALANCED = 64  # positions of each board by which biases are set right
MOST_WEIGHT = 63  # of 127: processors without VNNI add two products of a weight and 255 in 16 bits
Floats = NDArray[np.float32]


def export_net(
    net: Net, *, calibration: Sequence[Floats] | None = None, outputs: Sequence[str] = ALL_OUTPUTS
) -> bytes:
    """The net as it is in evaluation mode; int8 when there are positions to calibrate on.

    Those come as [N, C, H, W] for each board. Outputs that the net does not have are left out silently.
    """
    weights = net_weights(net)
    model = _Writer(net.shape, weights, outputs, None).model()
    if calibration is not None:
        ranges = _ranges(model, calibration)
        weights = _balanced(net.shape, weights, ranges, [planes[:BALANCED] for planes in calibration])
        model = _Writer(net.shape, weights, outputs, ranges).model()
    data: bytes = model.SerializeToString()
    return data


def net_weights(net: Net) -> dict[str, Floats]:
    """Name and value of each tensor of the file, normalisation folded in."""
    tensors: dict[str, torch.Tensor] = {}
    for name, module in _parts(net):
        if isinstance(module, Conv):
            weight, bias = module.folded()
        else:
            weight, bias = module.weight, module.bias
        tensors[f"{name}.weight"], tensors[f"{name}.bias"] = weight, bias
    return {name: tensor.detach().float().cpu().numpy().copy() for name, tensor in tensors.items()}


def load_net(data: bytes) -> Net:
    """A PyTorch net with the shape and weights of a file that `export_net` wrote with all outputs.

    An int8 file gives its rounded weights. That the file is safe is not checked: `read_brain` does that.
    """
    model = onnx.load_from_string(data)
    weights = read_weights(data)
    dims = {
        value.name: [d.dim_value for d in value.type.tensor_type.shape.dim]
        for value in [*model.graph.input, *model.graph.output]
    }
    _, planes, height, width = dims["planes"]  # 0 where the file takes any
    extras, spread = len(weights.get("extras.bias", ())), "spread.bias" in weights
    shape = Shape(
        planes=planes,
        height=height,
        width=width,
        actions=len(weights["spread.bias"]) if spread else height * width + extras,
        blocks=len({name.split(".")[0] for name in weights if name.startswith("block")}),
        channels=weights["stem.bias"].shape[0],
        counted="lead" in dims,
        spread=spread,
    )
    net = Net(shape)
    load_weights(data, net)
    return net


def load_weights(data: bytes, net: Net) -> None:
    """Fills the net; raises ValueError when a tensor is missing or has another shape."""
    weights = read_weights(data)
    for name, module in _parts(net):
        try:
            weight = torch.from_numpy(weights[f"{name}.weight"])
            bias = torch.from_numpy(weights[f"{name}.bias"])
        except KeyError as missing:
            raise ValueError(f"The file has no tensor {missing}.") from None
        own = module.conv.weight if isinstance(module, Conv) else module.weight
        if own.shape != weight.shape:
            raise ValueError(f"{name}.weight is {tuple(weight.shape)} in the file, not {tuple(own.shape)}.")
        if isinstance(module, Conv):
            module.unfold(weight, bias)
        else:
            with torch.no_grad():
                module.weight.copy_(weight)
                module.bias.copy_(bias)


def read_weights(data: bytes) -> dict[str, Floats]:
    """The tensors of a file by name, int8 ones multiplied out."""
    found = {t.name: numpy_helper.to_array(t).copy() for t in onnx.load_from_string(data).graph.initializer}
    weights: dict[str, Floats] = {}
    for name, array in found.items():
        if name.endswith(".rounded"):
            plain = name.removesuffix(".rounded")
            scale = found[f"{plain}.scale"]
            weights[plain] = (array * scale.reshape([-1] + [1] * (array.ndim - 1))).astype(np.float32)
        elif name.endswith((".weight", ".bias")):
            weights[name] = array.astype(np.float32)
    return weights


def _parts(net: Net) -> list[tuple[str, Any]]:
    parts: list[tuple[str, Any]] = [("stem", net.stem)]
    for number, block in enumerate(net.blocks):
        assert isinstance(block, Block)
        parts += [(f"block{number}.first", block.first), (f"block{number}.second", block.second)]
        parts += [(f"block{number}.pool", block.pool)] if block.pool is not None else []
    named = ("head", "cells", "hidden", "extras", "spread", "value", "lead", "ownership")
    return parts + [(name, getattr(net, name)) for name in named if getattr(net, name) is not None]


def _ranges(model: onnx.ModelProto, boards: Sequence[Floats]) -> dict[str, tuple[float, float]]:
    """The least and greatest number that each tensor on the board takes on those positions."""
    names = [name for node in model.graph.node for name in node.output if name.endswith(".out")]
    session = _probing(model, names)
    ranges: dict[str, tuple[float, float]] = {}
    for planes in boards:
        for start in range(0, len(planes), CALIBRATION_BATCH):
            part = planes[start : start + CALIBRATION_BATCH]
            found = session.run(names, {"planes": part})
            for name, array in zip(["planes", *names], [part, *found], strict=True):
                low, high = ranges.get(name, (0.0, 0.0))
                ranges[name] = min(low, float(array.min())), max(high, float(array.max()))
    return ranges


def _balanced(
    shape: Shape,
    weights: dict[str, Floats],
    ranges: dict[str, tuple[float, float]],
    boards: Sequence[Floats],
) -> dict[str, Floats]:
    """The weights with biases that give each channel of the rounded net the mean that it had before.

    Rounding shifts means, and the shifts of all layers add up: a value of the whole board would be off by as
    much as a tenth. Layers are set right one after the other, each with those before it.
    """
    names = [f"{name.removesuffix('.weight')}" for name, array in weights.items() if array.ndim == 4]
    names = [name for name in names if f"{name}.out" in ranges]
    wanted = _means(_Writer(shape, weights, ALL_OUTPUTS, None).model(), names, boards)
    weights = dict(weights)
    for name in names:
        found = _means(_Writer(shape, weights, ALL_OUTPUTS, ranges).model(), [name], boards)
        weights[f"{name}.bias"] = weights[f"{name}.bias"] + (wanted[name] - found[name])
    return weights


def _means(model: onnx.ModelProto, names: Sequence[str], boards: Sequence[Floats]) -> dict[str, Floats]:
    """The mean of each channel of those convolutions, every board counting as much as another."""
    session = _probing(model, [f"{name}.out" for name in names])
    found = [session.run([f"{name}.out" for name in names], {"planes": planes}) for planes in boards]
    return {
        name: np.mean([arrays[i].mean((0, 2, 3)) for arrays in found], axis=0).astype(np.float32)
        for i, name in enumerate(names)
    }


def _probing(model: onnx.ModelProto, names: Sequence[str]) -> Session:
    """A session of the model that answers with those tensors."""
    probe = onnx.ModelProto()
    probe.CopyFrom(model)
    del probe.graph.output[:]
    probe.graph.output.extend(helper.make_tensor_value_info(n, TensorProto.FLOAT, None) for n in names)
    return open_session(probe.SerializeToString())


class _Writer:
    """Collects nodes and initializers. With ranges, tensors on the board are quantised between the nodes."""

    def __init__(
        self,
        shape: Shape,
        weights: dict[str, Floats],
        outputs: Sequence[str],
        ranges: dict[str, tuple[float, float]] | None,
    ) -> None:
        self.shape, self.weights, self.ranges = shape, weights, ranges
        self.outputs = [name for name in ALL_OUTPUTS if name in outputs]
        if not shape.counted:
            self.outputs = [name for name in self.outputs if name in ("policy", "value")]
        self.nodes: list[onnx.NodeProto] = []
        self.tensors: dict[str, NDArray[Any]] = {}
        self.steps: dict[str, list[str]] = {}  # the names of scale and zero point of each quantised tensor
        self.whole: dict[str, str] = {}  # the name of its whole numbers

    def model(self) -> onnx.ModelProto:
        s = self.shape
        x = self.relu(self.conv(self.quantise("planes"), "stem"), "stem")
        for number in range(s.blocks):
            x = self.block(x, f"block{number}")
        h = self.relu(self.conv(x, "head"), "head")
        g = self.node("Relu", [self.linear(self.pool(h, "head"), "hidden")], "hidden.relu")
        for output in self.outputs:
            getattr(self, output)(h, g)
        shapes: dict[str, list[str | int | None]] = {
            "policy": ["N", s.actions if s.cells else "actions"],
            "value": ["N"],
            "lead": ["N"],
            "ownership": ["N", s.cells or "cells"],
        }
        taken: list[str | int | None] = ["N", s.planes, s.height or "height", s.width or "width"]
        graph = helper.make_graph(
            self.nodes,
            "tengen",
            [helper.make_tensor_value_info("planes", TensorProto.FLOAT, taken)],
            [helper.make_tensor_value_info(o, TensorProto.FLOAT, shapes[o]) for o in self.outputs],
            [numpy_helper.from_array(array, name) for name, array in self.tensors.items()],
        )
        return helper.make_model(
            graph,
            opset_imports=[helper.make_opsetid("", OPSET)],
            ir_version=IR_VERSION,
            producer_name="tengen",
        )

    def block(self, x: str, name: str) -> str:
        y = self.relu(self.conv(x, f"{name}.first"), f"{name}.first")
        z = self.quantise(self.conv(y, f"{name}.second"))
        z = self.node("Add", [x, z], f"{name}.sum", out=f"{name}.sum.out")
        if f"{name}.pool.weight" in self.weights:
            bias = self.linear(self.block_pool(y, f"{name}.pool"), f"{name}.pool")
            axes = self.tensor("board_axes", np.array([2, 3], np.int64))
            shift = self.node("Unsqueeze", [bias, axes], f"{name}.shift", out=f"{name}.shift.out")
            z = self.node("Add", [self.quantise(z), self.quantise(shift)], f"{name}.shifted")
        return self.relu(z, name)

    def policy(self, h: str, g: str) -> None:
        if self.shape.spread:
            flat = self.node("Flatten", [h], "spread.flat", axis=1)
            self.node("Identity", [self.linear(flat, "spread")], "policy", out="policy")
            return
        cells = self.node("Flatten", [self.plain_conv(h, "cells")], "cells.flat", axis=1)
        if self.shape.extras:
            self.node("Concat", [cells, self.linear(g, "extras")], "policy", out="policy", axis=1)
        else:
            self.node("Identity", [cells], "policy", out="policy")

    def value(self, h: str, g: str) -> None:
        self.node("Tanh", [self.column(self.linear(g, "value"), "value.raw")], "value", out="value")

    def lead(self, h: str, g: str) -> None:
        self.column(self.linear(g, "lead"), "lead", out="lead")

    def ownership(self, h: str, g: str) -> None:
        flat = self.node("Flatten", [self.plain_conv(h, "ownership")], "ownership.flat", axis=1)
        self.node("Tanh", [flat], "ownership", out="ownership")

    def node(self, kind: str, inputs: list[str], name: str, *, out: str = "", **attributes: Any) -> str:
        out = out or f"{name}.to"
        self.nodes.append(helper.make_node(kind, inputs, [out], name=name, **attributes))
        return out

    def tensor(self, name: str, array: NDArray[Any]) -> str:
        self.tensors[name] = array
        return name

    def column(self, x: str, name: str, *, out: str = "") -> str:
        return self.node("Squeeze", [x, self.tensor("column", np.array([1], np.int64))], name, out=out)

    def linear(self, x: str, name: str) -> str:
        weight = self.tensor(f"{name}.weight", self.weights[f"{name}.weight"])
        bias = self.tensor(f"{name}.bias", self.weights[f"{name}.bias"])
        return self.node("Gemm", [x, weight, bias], f"{name}.linear", transB=1)

    def pool(self, x: str, name: str) -> str:
        """Mean and maximum of each channel over the board, from float32 for the heads."""
        mean = self.node("ReduceMean", [x], f"{name}.mean", axes=[2, 3], keepdims=0)
        peak = self.node("ReduceMax", [x], f"{name}.max", axes=[2, 3], keepdims=0)
        return self.node("Concat", [mean, peak], f"{name}.pooled", axis=1)

    def block_pool(self, x: str, name: str) -> str:
        """The same within the tower, by operators that ONNX Runtime has for whole numbers too."""
        mean = self.node("GlobalAveragePool", [x], f"{name}.mean", out=f"{name}.mean.out")
        mean = self.node("Flatten", [self.quantise(mean)], f"{name}.mean.flat", axis=1)
        if x in self.whole:
            peak = self.node("ReduceMax", [self.whole[x]], f"{name}.max", axes=[2, 3], keepdims=0)
            peak = self.node("DequantizeLinear", [peak, *self.steps[x]], f"{name}.max.float")
        else:
            peak = self.node("ReduceMax", [x], f"{name}.max", axes=[2, 3], keepdims=0)
        return self.node("Concat", [mean, peak], f"{name}.pooled", axis=1)

    def relu(self, x: str, name: str) -> str:
        return self.quantise(self.node("Relu", [x], f"{name}.relu", out=f"{name}.relu.out"))

    def plain_conv(self, x: str, name: str) -> str:
        """A convolution to one channel, which stays float32."""
        weight = self.tensor(f"{name}.weight", self.weights[f"{name}.weight"])
        bias = self.tensor(f"{name}.bias", self.weights[f"{name}.bias"])
        return self.node("Conv", [x, weight, bias], f"{name}.conv", kernel_shape=[1, 1])

    def conv(self, x: str, name: str) -> str:
        weight, bias = self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]
        width = weight.shape[2]
        if self.ranges is None:
            inputs = [self.tensor(f"{name}.weight", weight), self.tensor(f"{name}.bias", bias)]
        else:
            inputs = self.rounded(name, weight, bias, self.tensors[self.steps[x][0]])
        return self.node(
            "Conv", [x, *inputs], name, out=f"{name}.out", kernel_shape=[width] * 2, pads=[width // 2] * 4
        )

    def rounded(self, name: str, weight: Floats, bias: Floats, input_scale: Floats) -> list[str]:
        """int8 weights with a scale for each output channel, and the int32 bias that goes with them."""
        scale = np.maximum(np.abs(weight).max((1, 2, 3)), 1e-8).astype(np.float32) / np.float32(MOST_WEIGHT)
        whole = np.clip(np.rint(weight / scale[:, None, None, None]), -MOST_WEIGHT, MOST_WEIGHT).astype(
            np.int8
        )
        bias_scale = scale * input_scale
        whole_bias = np.clip(np.rint(bias / bias_scale), -(2**30), 2**30).astype(np.int32)
        named = {"weight": (whole, scale), "bias": (whole_bias, bias_scale)}
        return [
            self.node(
                "DequantizeLinear",
                [
                    self.tensor(f"{name}.{part}.rounded", array),
                    self.tensor(f"{name}.{part}.scale", scales),
                    self.tensor(f"{name}.{part}.zero", np.zeros(len(scales), array.dtype)),
                ],
                f"{name}.{part}.float",
                axis=0,
            )
            for part, (array, scales) in named.items()
        ]

    def quantise(self, x: str) -> str:
        """Rounds a tensor to uint8 over the range that calibration saw."""
        if self.ranges is None:
            return x
        low, high = self.ranges[x]
        scale = np.float32(max(high - low, 1e-6) / 255)
        zero = np.array(np.clip(round(-low / float(scale)), 0, 255), np.uint8)
        steps = [self.tensor(f"{x}.scale", np.array(scale)), self.tensor(f"{x}.zero", zero)]
        whole = self.node("QuantizeLinear", [x, *steps], f"{x}.quantise")
        back = self.node("DequantizeLinear", [whole, *steps], f"{x}.float")
        self.steps[back], self.whole[back] = steps, whole
        return back
