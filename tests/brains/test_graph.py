"""Nets that are valid ONNX and that nobody should run: each is refused before ONNX Runtime sees it."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import tengen
from tengen.brains import net
from tengen.brains.file import BrainError, read_brain, stamp
from tests.brains.make import info_for, tiny_brain, tiny_model

GAME = tengen.game("great-kingdom", size=5)


def weight(model: onnx.ModelProto, name: str, values: Any) -> str:
    model.graph.initializer.append(numpy_helper.from_array(np.asarray(values), name))
    return name


def node(model: onnx.ModelProto, kind: str, *inputs: str, **attributes: Any) -> str:
    """Adds a node whose output nobody uses; ONNX Runtime would still have to think about it."""
    output = f"{kind}_{len(model.graph.node)}"
    model.graph.node.append(helper.make_node(kind, inputs, [output], **attributes))
    return output


def branch() -> onnx.GraphProto:
    result = helper.make_tensor_value_info("result", TensorProto.FLOAT, [1])
    constant = helper.make_node("Constant", [], ["result"], value_floats=[1.0])
    return helper.make_graph([constant], "branch", [], [result])


def has_if(model: onnx.ModelProto) -> None:
    node(model, "If", weight(model, "yes", np.bool_(True)), then_branch=branch(), else_branch=branch())


def has_loop(model: onnx.ModelProto) -> None:
    ends = [
        helper.make_tensor_value_info("round", TensorProto.INT64, []),
        helper.make_tensor_value_info("go_on", TensorProto.BOOL, []),
    ]
    body = helper.make_graph(
        [helper.make_node("Identity", ["go_on"], ["again"])],
        "body",
        ends,
        [helper.make_tensor_value_info("again", TensorProto.BOOL, [])],
    )
    times, yes = weight(model, "times", np.int64(2**62)), weight(model, "yes", np.bool_(True))
    model.graph.node.append(helper.make_node("Loop", [times, yes], [], body=body))


def has_subgraph_in_a_plain_operator(model: onnx.ModelProto) -> None:
    model.graph.node[0].attribute.append(helper.make_attribute("body", branch()))


def has_custom_domain(model: onnx.ModelProto) -> None:
    model.opset_import.add(domain="evil.example", version=1)
    model.graph.node.append(helper.make_node("Relu", ["planes"], ["x"], domain="evil.example"))


def has_function(model: onnx.ModelProto) -> None:
    opsets = [helper.make_opsetid("", 17)]
    body = [helper.make_node("Relu", ["x"], ["y"])]
    model.functions.append(helper.make_function("", "Mine", ["x"], ["y"], body, opsets))


def has_external_weights(model: onnx.ModelProto) -> None:
    tensor = model.graph.initializer[0]
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value="/etc/passwd")
    tensor.ClearField("raw_data")


def has_external_constant(model: onnx.ModelProto) -> None:
    tensor = numpy_helper.from_array(np.zeros(4, np.float32), "c")
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value="../../secret")
    node(model, "Constant", value=tensor)


def has_sparse_weights(model: onnx.ModelProto) -> None:
    values = numpy_helper.from_array(np.ones(1, np.float32), "sparse")
    indices = numpy_helper.from_array(np.zeros(1, np.int64), "indices")
    model.graph.sparse_initializer.append(helper.make_sparse_tensor(values, indices, [2**40]))


def doubles_until_memory_is_full(model: onnx.ModelProto) -> None:
    name = "planes"
    for _ in range(40):
        name = node(model, "Concat", name, name, axis=1)


def multiplies_out(model: onnx.ModelProto) -> None:
    row = weight(model, "row", np.ones((1, 100_000), np.float32))
    column = weight(model, "column", np.ones((100_000, 1), np.float32))
    node(model, "Add", row, column)


def grows_with_the_square_of_the_batch(model: onnx.ModelProto) -> None:
    row = node(model, "Reshape", "planes", weight(model, "r", np.array([1, -1, 475], np.int64)))
    column = node(model, "Reshape", "planes", weight(model, "c", np.array([-1, 1, 475], np.int64)))
    node(model, "Mul", row, column)


def pads_far_out(model: onnx.ModelProto) -> None:
    kernel = weight(model, "kernel", np.ones((1, 19, 1, 1), np.float32))
    node(model, "Conv", "planes", kernel, pads=[30_000] * 4)


def convolves_widely(model: onnx.ModelProto) -> None:
    kernel = weight(model, "kernel", np.ones((1, 19, 60, 60), np.float32))
    node(model, "Conv", "planes", kernel, pads=[150] * 4)


def multiplies_for_ever(model: onnx.ModelProto) -> None:
    square = weight(model, "square", np.ones((2000, 2000), np.float32))
    name = node(model, "Reshape", "planes", weight(model, "s", np.array([-1, 1], np.int64)))
    name = node(model, "MatMul", name, weight(model, "wide", np.ones((1, 400), np.float32)))
    name = node(model, "Reshape", name, weight(model, "t", np.array([-1, 2000], np.int64)))
    for _ in range(40):
        name = node(model, "MatMul", name, square)


def has_many_nodes(model: onnx.ModelProto) -> None:
    for _ in range(5001):
        node(model, "Relu", "planes")


def has_shapes_that_depend_on_numbers(model: onnx.ModelProto) -> None:
    shape = node(model, "Cast", node(model, "ReduceSum", "planes", keepdims=0), to=TensorProto.INT64)
    shape = node(model, "Unsqueeze", shape, weight(model, "axes", np.array([0], np.int64)))
    node(model, "Reshape", weight(model, "w", np.ones(4, np.float32)), shape)


def breaks_the_rules(model: onnx.ModelProto) -> None:
    node(model, "Relu", "nowhere")


def has_shapes_that_clash(model: onnx.ModelProto) -> None:
    node(model, "Add", "planes", weight(model, "w", np.ones(7, np.float32)))


def has_an_empty_tensor(model: onnx.ModelProto) -> None:
    node(model, "ReduceMean", weight(model, "none", np.ones((2, 0), np.int64)), axes=[1])


UNSAFE: list[tuple[Callable[[onnx.ModelProto], None], str]] = [
    (has_if, "uses the operator 'If'"),
    (has_loop, "uses the operator 'Loop'"),
    (has_subgraph_in_a_plain_operator, "has a graph inside the operator 'Conv'"),
    (has_custom_domain, "needs operators of 'evil.example'"),
    (has_function, "has functions inside"),
    (has_external_weights, "keeps weights in another file"),
    (has_external_constant, "keeps weights in another file"),
    (has_sparse_weights, "has sparse weights"),
    (doubles_until_memory_is_full, "needs too much memory"),
    (multiplies_out, "needs too much memory"),
    (grows_with_the_square_of_the_batch, "needs too much memory"),
    (pads_far_out, "needs too much memory"),
    (convolves_widely, "needs too much memory"),
    (multiplies_for_ever, "takes too long to run"),
    (has_many_nodes, "nodes, and 5,000 are allowed"),
    (has_shapes_that_depend_on_numbers, "shapes are not known beforehand"),
    (breaks_the_rules, "breaks the rules of ONNX"),
    (has_shapes_that_clash, "shapes do not fit together"),
    (has_an_empty_tensor, "shapes do not fit together"),
]


@pytest.mark.parametrize(("change", "part"), UNSAFE, ids=[change.__name__ for change, _ in UNSAFE])
def test_unsafe_nets_are_never_run(
    change: Callable[[onnx.ModelProto], None], part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = tiny_model(GAME)
    change(model)
    path = tmp_path / "strange.onnx"
    path.write_bytes(stamp(model.SerializeToString(), info_for(GAME)))

    def open_(*_: object) -> None:
        raise AssertionError("ONNX Runtime saw it")

    monkeypatch.setattr(net.Brain, "session", open_)
    with pytest.raises(BrainError) as caught:
        read_brain(path)
    assert re.fullmatch(r"strange\.onnx [^\n]+\.", str(caught.value)) and part in str(caught.value)


def test_a_large_honest_net_is_let_through() -> None:
    """The limits are for attacks: 20 blocks of 64 channels are far inside."""
    model = tiny_model(GAME)
    name = node(
        model, "Conv", "planes", weight(model, "in", np.zeros((64, 19, 3, 3), np.float32)), pads=[1] * 4
    )
    for number in range(40):
        kernel = weight(model, f"k{number}", np.zeros((64, 64, 3, 3), np.float32))
        name = node(model, "Relu", node(model, "Conv", name, kernel, pads=[1] * 4))
    assert read_brain(stamp(model.SerializeToString(), info_for(GAME))).game == GAME


def test_random_damage_never_gets_further_than_a_sentence() -> None:
    rng = random.Random(7)
    whole = tiny_brain(tengen.game("dominion-duel"))
    refused = 0
    for _ in range(400):
        data = bytearray(whole)
        for _ in range(rng.randint(1, 3)):
            place = rng.randrange(len(data))
            if rng.random() < 0.7:
                data[place] = rng.randrange(256)
            else:
                del data[place : place + rng.randint(1, 8)]
        try:
            read_brain(bytes(data))
        except BrainError as error:
            refused += 1
            assert re.fullmatch(r"The file [^\n]+\.", str(error))
    assert refused > 200


def test_a_net_for_any_board_is_judged_by_the_largest() -> None:
    """800 channels are little on 5×5 and too much on 19×19, which such a net is given too."""
    from tengen.learn.export import export_net
    from tengen.learn.net import Net, shape_for

    data = export_net(Net(shape_for(GAME, 1, 8, any_board=True)).eval())
    model = onnx.load_from_string(data)
    info = info_for(GAME, mixture=({"size": 5},))
    assert read_brain(stamp(model.SerializeToString(), info)).game == GAME
    node(model, "Conv", "planes", weight(model, "wide", np.zeros((800, 19, 1, 1), np.float32)))
    with pytest.raises(BrainError, match="needs too much memory"):
        read_brain(stamp(model.SerializeToString(), info))
