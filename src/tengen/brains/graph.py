"""Whether a stranger's net is safe to run: only plain arithmetic, all inside the file, of bounded cost.

A net passes if it is a flat graph of operators from `OPERATORS`, without subgraphs, functions, custom
domains or data in other files, and if the shape of every tensor can be worked out beforehand and is small.
So neither loading nor running it can reach outside, loop, or fill the memory. A net for boards of any size is
looked at on the smallest and on the largest that it is ever given: no operator here makes more of a smaller
board, so what lies between costs no more than the larger of the two. Faults are raised as
BrainError with the end of a sentence. Start reading at `check_graph`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tengen.brains.info import BrainError

if TYPE_CHECKING:
    import onnx

# fmt: off
OPERATORS = frozenset([
    "Add", "BatchNormalization", "Cast", "Clip", "Concat", "Constant", "Conv", "DequantizeLinear", "Div",
    "Elu", "Flatten", "Gelu", "Gemm", "GlobalAveragePool", "GlobalMaxPool", "HardSigmoid", "HardSwish",
    "Identity", "LayerNormalization", "LeakyRelu", "MatMul", "Max", "Min", "Mish", "Mul", "PRelu",
    "QuantizeLinear", "ReduceMax", "ReduceMean", "ReduceSum", "Relu", "Reshape", "Sigmoid", "Slice",
    "Softmax", "Softplus", "Split", "Sqrt", "Squeeze", "Sub", "Tanh", "Transpose", "Unsqueeze",
])
# fmt: on
STANDARD_DOMAINS = ("", "ai.onnx")
MOST_NODES = 5_000
MOST_ELEMENTS = 2**18  # of a tensor for one position: 700 channels on 19×19
MOST_TOGETHER = 2**24  # of all tensors for one position, if none could be let go of
MOST_COLUMNS = 2**24  # of a convolution laid out as a matrix, which some kernels do
MOST_MULTIPLICATIONS = 10**10  # for one position: 64 MB of weights used at every point of 19×19 need 6e9
SMALLEST_SIDE, MOST_SIDE = 3, 19  # of a board that a net for any size is given
BATCH = 16  # enough to tell a cost that grows with the batch from one that grows with its square

Shape = tuple[int, ...]
_TOO_LARGE = "has a net that needs too much memory."
_INPUTS = "has a net with another number of inputs than one."
_UNFIT = "has a net whose shapes do not fit together."


def check_graph(model: onnx.ModelProto) -> None:
    """Raises BrainError unless the net is safe to run. Shapes that the model claims are taken out of it.

    Inputs and outputs are only counted; that they fit a game is not checked.
    """
    import onnx

    _check_structure(model)
    try:
        onnx.checker.check_model(model)
    except (onnx.checker.ValidationError, ValueError):
        raise BrainError("has a net that breaks the rules of ONNX.") from None
    for side in _sides(model):
        _check_cost(model, side)


def _sides(model: onnx.ModelProto) -> list[int | None]:
    """The boards to look at: None is the one that the net is made for."""
    if len(model.graph.input) != 1:
        raise BrainError(_INPUTS)
    dims = model.graph.input[0].type.tensor_type.shape.dim
    return [None] if all(dim.HasField("dim_value") for dim in dims[1:]) else [SMALLEST_SIDE, MOST_SIDE]


def _check_structure(model: onnx.ModelProto) -> None:
    if model.functions or model.training_info:
        raise BrainError("has functions inside, which a brain may not.")
    for known in model.opset_import:
        if known.domain not in STANDARD_DOMAINS:
            raise BrainError(f"needs operators of {known.domain[:40]!r}, which are not part of ONNX.")
    if len(model.graph.node) > MOST_NODES:
        raise BrainError(f"has {len(model.graph.node):,} nodes, and {MOST_NODES:,} are allowed.")
    if model.graph.sparse_initializer:
        raise BrainError("has sparse weights, which a brain may not.")
    for node in model.graph.node:
        if node.domain not in STANDARD_DOMAINS:
            raise BrainError(f"needs operators of {node.domain[:40]!r}, which are not part of ONNX.")
        if node.op_type not in OPERATORS:
            raise BrainError(f"uses the operator {node.op_type[:40]!r}, which a brain may not.")
        _check_attributes(node)
    for tensor in _tensors(model.graph):
        if tensor.external_data or tensor.data_location == tensor.EXTERNAL:
            raise BrainError("keeps weights in another file, which a brain may not.")


def _check_attributes(node: onnx.NodeProto) -> None:
    for attribute in node.attribute:
        if attribute.HasField("g") or attribute.graphs or attribute.ref_attr_name:
            raise BrainError(f"has a graph inside the operator {node.op_type!r}, which a brain may not.")
        if attribute.HasField("sparse_tensor") or attribute.sparse_tensors:
            raise BrainError("has sparse weights, which a brain may not.")


def _tensors(graph: onnx.GraphProto) -> Iterator[onnx.TensorProto]:
    yield from graph.initializer
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("t"):
                yield attribute.t
            yield from attribute.tensors


def _check_cost(model: onnx.ModelProto, side: int | None) -> None:
    shapes, batch_shapes = _shapes(model, 1, side), _shapes(model, BATCH, side)
    weights = {tensor.name for tensor in model.graph.initializer}
    elements = multiplications = 0
    for node in model.graph.node:
        unpacked = node.op_type == "DequantizeLinear" and node.input[0] in weights  # as large as in the file
        for output in filter(None, node.output):
            if output not in shapes or output not in batch_shapes:
                raise BrainError("has a net whose shapes are not known beforehand.")
            size = math.prod(shapes[output])
            if math.prod(batch_shapes[output]) > BATCH * size or (size > MOST_ELEMENTS and not unpacked):
                raise BrainError(_TOO_LARGE)
            elements += 0 if unpacked else size
        multiplications += _multiplications(node, shapes)
    if elements > MOST_TOGETHER:
        raise BrainError(_TOO_LARGE)
    if multiplications > MOST_MULTIPLICATIONS:
        raise BrainError("has a net that takes too long to run.")


def _shapes(model: onnx.ModelProto, batch: int, side: int | None) -> dict[str, Shape]:
    """The shape of each tensor whose shape can be told, for that many positions and that board."""
    import onnx

    graph = model.graph
    dims = graph.input[0].type.tensor_type.shape.dim
    if not dims:
        raise BrainError(_INPUTS)
    dims[0].dim_value = batch
    if side is not None:
        for dim in dims[2:]:
            dim.dim_value = side
    del graph.value_info[:]  # what the file claims is worked out afresh
    for output in graph.output:
        output.type.tensor_type.ClearField("shape")
    try:
        inferred = onnx.shape_inference.infer_shapes(model, strict_mode=True).graph
    except (onnx.shape_inference.InferenceError, ValueError):
        raise BrainError(_UNFIT) from None
    shapes = {tensor.name: tuple(tensor.dims) for tensor in graph.initializer}
    for value in (*inferred.input, *inferred.value_info, *inferred.output):
        tensor_type = value.type.tensor_type
        if tensor_type.HasField("shape") and all(d.HasField("dim_value") for d in tensor_type.shape.dim):
            shapes[value.name] = tuple(d.dim_value for d in tensor_type.shape.dim)
    if any(side <= 0 for shape in shapes.values() for side in shape):
        raise BrainError(_UNFIT)
    return shapes


def _multiplications(node: onnx.NodeProto, shapes: dict[str, Shape]) -> int:
    """How many the operator needs for one position; raises BrainError for a convolution that is too wide."""
    size = math.prod(shapes[node.output[0]])
    inputs = [shapes.get(name, ()) for name in node.input]
    if node.op_type == "Conv":
        kernel = math.prod(inputs[1][1:])
        if kernel * math.prod(shapes[node.output[0]][2:]) > MOST_COLUMNS:
            raise BrainError(_TOO_LARGE)
        return size * kernel
    if node.op_type in ("Gemm", "MatMul"):
        turned = any(attribute.name == "transA" and attribute.i for attribute in node.attribute)
        if not inputs[0]:
            raise BrainError(_UNFIT)
        return size * inputs[0][0 if turned else -1]
    return max([size, *(math.prod(shape) for shape in inputs)])
