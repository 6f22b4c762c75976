"""Reading and writing brain files: what is refused gets one sentence, and nothing is written."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import tengen
from tengen.brains.file import (
    MAX_BYTES,
    BrainError,
    BrainInfo,
    brain_name,
    place,
    read_brain,
    read_info,
    stamp,
    write_brain,
)
from tengen.brains.net import board_of
from tests.brains.make import COUNTED, info_for, tiny_brain, tiny_model, tiny_q_brain, tiny_q_model

KINGDOM = tengen.game("great-kingdom", size=5)
GO = tengen.game("go", size=5)
Change = Callable[[onnx.ModelProto], object]


def refusal(data: bytes) -> str:
    """The sentence that a file gets."""
    with pytest.raises(BrainError) as caught:
        read_brain(data)
    sentence = str(caught.value)
    assert re.fullmatch(r"The file [^\n]+\.", sentence), sentence
    return sentence


def changed(change: Change, game: tengen.Game = KINGDOM) -> bytes:
    model = tiny_model(game)
    change(model)
    return stamp(model.SerializeToString(), info_for(game))


def described(**values: Any) -> bytes:
    """A sound net whose description says other things; `stamp` would refuse most of them."""
    model = tiny_model(KINGDOM)
    content = json.loads(info_for(KINGDOM).to_json()) | values
    model.metadata_props.add(key="tengen.brain", value=json.dumps(content))
    return bytes(model.SerializeToString())


@pytest.mark.parametrize("name", tengen.games())
def test_a_brain_for_each_game(name: str) -> None:
    game = tengen.game(name)
    brain = read_brain(tiny_brain(game))
    assert brain.game == game and brain.path is None and brain.name == "brain_L012300_G120_20260301_120000"
    start = game.start()
    states = [start, *(start.play(action) for action in start.legal_actions()[:2])]
    found = brain.evaluate(np.stack([state.encode() for state in states]))
    assert found.policy.shape == (3, game.action_count) and found.value.shape == (3,)
    assert np.abs(found.value).max() <= 1
    counted = name in COUNTED
    assert (found.lead is not None) == counted and (found.ownership is not None) == counted
    if found.lead is not None and found.ownership is not None:
        assert found.lead.shape == (3,) and found.ownership.shape == (3, game.width * game.height)
    alone = brain.evaluate(states[1].encode()[None])
    assert np.allclose(alone.policy[0], found.policy[1], atol=1e-5)
    assert np.allclose(brain.evaluate(states[1].encode()[None], threads=2).value, alone.value, atol=1e-5)


def test_a_dqn_brain_reads_boards_from_the_mover() -> None:
    brain = read_brain(tiny_q_brain(KINGDOM))
    state = KINGDOM.position("B4/5/2N2/5/4O", to_move=1)
    board = board_of(state)
    assert board.dtype == np.float32
    assert [float(board[cell]) for cell in (0, 1, 24)] == [-1, 0, 1] and board[12] == np.float32(0.1)
    assert (board_of(KINGDOM.position("B4/5/2N2/5/4O", to_move=0))[[0, 24]] == [1, -1]).all()
    assert brain.q(board[None]).shape == (1, 26)


def test_plain_onnx_that_other_programs_open() -> None:
    model = onnx.ModelProto()
    model.ParseFromString(tiny_brain(KINGDOM))
    onnx.checker.check_model(model, full_check=True)
    assert [entry.key for entry in model.metadata_props] == ["tengen.brain"]
    assert [known.domain for known in model.opset_import] == [""]


def test_int8_with_quantize_and_dequantize() -> None:
    model = tiny_model(KINGDOM)
    graph = model.graph
    kernel = next(tensor for tensor in graph.initializer if len(tensor.dims) == 4)
    scale = np.array(0.01, np.float32)
    rounded = np.clip(np.round(numpy_helper.to_array(kernel) / scale), -127, 127).astype(np.int8)
    graph.node[0].input[1] = "kernel"
    kernel.CopyFrom(numpy_helper.from_array(rounded, kernel.name))
    graph.initializer.append(numpy_helper.from_array(scale, "scale"))
    graph.initializer.append(numpy_helper.from_array(np.array(0, np.int8), "zero"))
    graph.node.insert(0, helper.make_node("DequantizeLinear", [kernel.name, "scale", "zero"], ["kernel"]))
    model.opset_import.add(domain="com.microsoft", version=1)  # as the quantiser leaves behind
    brain = read_brain(stamp(model.SerializeToString(), info_for(KINGDOM)))
    exact = read_brain(tiny_brain(KINGDOM))
    planes = KINGDOM.start().encode()[None]
    assert np.allclose(brain.evaluate(planes).value, exact.evaluate(planes).value, atol=0.05)


def test_stamp_replaces_the_description_and_nothing_else() -> None:
    first = tiny_brain(KINGDOM)
    second = stamp(first, info_for(KINGDOM, games=7, rating=31.5, title="Second, ×2"))
    info = read_info(second)
    assert (info.games, info.rating, info.title) == (7, 31.5, "Second, ×2")
    one, other = onnx.ModelProto(), onnx.ModelProto()
    one.ParseFromString(first)
    other.ParseFromString(second)
    assert one.graph == other.graph and len(other.metadata_props) == 1


@pytest.mark.parametrize(
    ("loss", "games", "expected"),
    [
        (0.0123, 120, "brain_L012300_G120_20260301_120000"),
        (0.0, 0, "brain_L000000_G0_20260301_120000"),
        (0.9999999, 5, "brain_L1000000_G5_20260301_120000"),
        (2.5, 1_000_000, "brain_L2500000_G1000000_20260301_120000"),
    ],
)
def test_names(loss: float, games: int, expected: str) -> None:
    info = info_for(KINGDOM, loss=loss, games=games, created="2026-03-01T14:00:00+02:00")
    assert brain_name(info) == expected


def test_write_and_read_back(tmp_path: Path) -> None:
    model = tiny_model(KINGDOM).SerializeToString()
    path = write_brain(tmp_path / "new", model, info_for(KINGDOM))
    assert path == tmp_path / "new" / "brain_L012300_G120_20260301_120000.onnx"
    assert write_brain(path.parent, model, info_for(KINGDOM)) == path
    other = write_brain(path.parent, tiny_model(KINGDOM, 1).SerializeToString(), info_for(KINGDOM))
    assert other.name == "brain_L012300_G120_20260301_120000_2.onnx"
    assert sorted(path.parent.iterdir()) == [path, other]
    brain = read_brain(path)
    assert brain.path == path and brain.name == path.stem and brain.data == path.read_bytes()


def test_many_writers_of_one_name_lose_nothing(tmp_path: Path) -> None:
    contents = [bytes([number]) * 1000 for number in range(12)]
    threads = [threading.Thread(target=place, args=(tmp_path, "brain", data)) for data in contents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(path.read_bytes() for path in tmp_path.iterdir()) == contents


@pytest.mark.parametrize(
    ("info", "part"),
    [
        (info_for(KINGDOM, loss=float("nan")), "not a plain number"),
        (info_for(KINGDOM, loss=-1.0), "loss is -1.0"),
        (info_for(KINGDOM, created="yesterday"), "created is 'yesterday'"),
        (info_for(KINGDOM, options={"size": object()}), "not a plain number"),
        (info_for(KINGDOM, version=2), "format version 2"),
        (info_for(KINGDOM, options={"size": 7}), "input is N×19×5×5 and should be N×19×7×7"),
    ],
)
def test_what_could_not_be_read_is_not_written(info: BrainInfo, part: str, tmp_path: Path) -> None:
    with pytest.raises(BrainError, match=re.escape(part)):
        write_brain(tmp_path, tiny_model(KINGDOM).SerializeToString(), info)
    assert list(tmp_path.iterdir()) == []


def test_broken_and_truncated() -> None:
    whole = tiny_brain(KINGDOM)
    for data in (b"", b"\0" * 100, b"PK\x03\x04 no net", whole[: len(whole) // 2], whole[:-3], whole[3:]):
        assert refusal(data) == "The file is not an ONNX file, or was cut off."


def test_foreign_models() -> None:
    assert "not a brain of tengen" in refusal(tiny_model(KINGDOM).SerializeToString())
    model = tiny_model(KINGDOM)
    for _ in range(2):
        model.metadata_props.add(key="tengen.brain", value=info_for(KINGDOM).to_json())
    assert "more than one" in refusal(model.SerializeToString())


def test_oversized(tmp_path: Path) -> None:
    assert "larger than 64 MB" in refusal(bytes(MAX_BYTES + 1))
    path = tmp_path / "large.onnx"
    with path.open("wb") as file:
        file.truncate(2**40)  # sparse: only a reader with a limit can finish
    with pytest.raises(BrainError, match=r"large\.onnx is larger than 64 MB"):
        read_brain(path)


def test_what_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(BrainError, match=r"Cannot read .*: No such file"):
        read_brain(tmp_path / "none.onnx")
    with pytest.raises(BrainError, match="is not a file"):
        read_brain(tmp_path)
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        with pytest.raises(BrainError, match="is not a file"):
            read_brain(tmp_path / "pipe")
    with pytest.raises(BrainError, match="Cannot read"):
        read_brain("a\0b")


@pytest.mark.parametrize(
    ("values", "part"),
    [
        ({"version": 2}, "has format version 2, and this tengen reads version 1."),
        ({"version": None}, "has format version None"),
        ({"version": True}, "has format version True"),
        ({"version": "9" * 5000}, "has format version '9999"),
        ({"game": "chess"}, "There is no game 'chess'"),
        ({"game": 3}, "game is 3"),
        ({"game": "kelasu", "options": {}}, "does not take positions of kelasu"),
        ({"game": "go"}, "go has no option 'neutral'"),
        ({"options": {"size": 400}}, "size must be"),
        ({"options": {"size": "x" * 9000}}, "its options are wrong"),
        ({"options": {"size": 7}}, "its input is N×19×5×5 and should be N×19×7×7."),
        ({"options": {"size": [7]}}, "options is"),
        ({"options": []}, "options is []"),
        ({"algorithm": "magic"}, "which should be dqn or gumbel."),
        ({"algorithm": ["dqn"]}, "which should be dqn or gumbel."),
        ({"algorithm": "dqn"}, "should have one input, called 'board'."),
        ({"games": -1}, "games is -1"),
        ({"games": True}, "games is True"),
        ({"games": 1.5}, "games is 1.5"),
        ({"loss": float("nan")}, "loss is nan"),
        ({"loss": float("inf")}, "loss is inf"),
        ({"loss": 10**400}, "loss is 1000"),
        ({"rating": float("inf")}, "rating is inf"),
        ({"created": "2026-03-01T12:00:00"}, "a time with its zone"),
        ({"created": 5}, "created is 5"),
        ({"title": "\x1b[31mred"}, "title is"),
        ({"title": "x" * 201}, "title is"),
    ],
)
def test_wrong_descriptions(values: dict[str, Any], part: str) -> None:
    assert part in refusal(described(**values))


@pytest.mark.parametrize(
    "text", [b"", b"{", b"[]", b"3", b'"x"', b"[" * 9000, b" " * 20000 + b"{}", b'{"version": "\xff\xfe"}']
)
def test_unreadable_descriptions(text: bytes) -> None:
    entry = _field(1, b"tengen.brain") + _field(2, text)  # by hand: protobuf would not take a wrong text
    data = tiny_model(KINGDOM).SerializeToString() + _field(14, entry)
    assert "description that cannot be read" in refusal(data)


def _field(number: int, content: bytes) -> bytes:
    """A field of bytes as protobuf writes it."""
    length, found = len(content), bytearray([number * 8 + 2])
    while length > 127:
        found.append(length % 128 + 128)
        length //= 128
    return bytes([*found, length]) + content


def test_missing_fields_are_told_and_optional_ones_are_not() -> None:
    content = json.loads(info_for(KINGDOM).to_json())
    for name in content:
        model = tiny_model(KINGDOM)
        rest = {key: value for key, value in content.items() if key != name}
        model.metadata_props.add(key="tengen.brain", value=json.dumps(rest))
        data = model.SerializeToString()
        if name in ("rating", "title", "mixture"):
            assert read_brain(data).info == info_for(KINGDOM)
        else:
            assert name in refusal(data)


def rename_output(model: onnx.ModelProto, name: str, new: str) -> None:
    for node in model.graph.node:
        for number, output in enumerate(node.output):
            if output == name:
                node.output[number] = new
    for end in model.graph.output:
        if end.name == name:
            end.name = new


def rename_input(model: onnx.ModelProto) -> None:
    model.graph.input[0].name = model.graph.node[0].input[0] = "image"


def drop_output(model: onnx.ModelProto, name: str) -> None:
    kept = [end for end in model.graph.output if end.name != name]
    del model.graph.output[:]
    model.graph.output.extend(kept)


def set_batch(model: onnx.ModelProto, size: int) -> None:
    model.graph.input[0].type.tensor_type.shape.dim[0].dim_value = size


def add_input(model: onnx.ModelProto) -> None:
    model.graph.input.append(helper.make_tensor_value_info("more", TensorProto.FLOAT, ["N"]))


def as_double(model: onnx.ModelProto) -> None:
    model.graph.input[0].type.tensor_type.elem_type = TensorProto.DOUBLE


def shape_of_output(model: onnx.ModelProto, name: str, shape: list[int]) -> None:
    """Puts a reshape before that output, which no longer says what its shape is."""
    rename_output(model, name, "before")
    model.graph.initializer.append(numpy_helper.from_array(np.array(shape, np.int64), "shape"))
    model.graph.node.append(helper.make_node("Reshape", ["before", "shape"], [name]))
    end = next(end for end in model.graph.output if end.name == "before")
    end.CopyFrom(helper.make_tensor_value_info(name, TensorProto.FLOAT, [None] * len(shape)))


def no_number(model: onnx.ModelProto, name: str) -> None:
    rename_output(model, name, "before")
    model.graph.initializer.append(numpy_helper.from_array(np.array(np.nan, np.float32), "nan"))
    model.graph.node.append(helper.make_node("Add", ["before", "nan"], [name]))
    next(end for end in model.graph.output if end.name == "before").name = name


@pytest.mark.parametrize(
    ("change", "part"),
    [
        (rename_input, "should have one input, called 'planes'."),
        (add_input, "should have one input, called 'planes'."),
        (as_double, "does not take positions of great-kingdom"),
        (lambda model: set_batch(model, 1), "its input is 1×19×5×5 and should be N×19×5×5."),
        (lambda model: drop_output(model, "policy"), "has no output 'policy'."),
        (lambda model: drop_output(model, "value"), "has no output 'value'."),
        (lambda model: rename_output(model, "lead", "extra"), "has an output 'extra'"),
        (lambda model: shape_of_output(model, "value", [-1, 1]), "gives 'value' as 1×1 and should give 1."),
        (lambda model: shape_of_output(model, "policy", [-1, 13]), "gives 'policy' as 2×13"),
        (lambda model: shape_of_output(model, "ownership", [-1, 5, 5]), "gives 'ownership' as 1×5×5"),
        (lambda model: shape_of_output(model, "value", [1]), "has a net that fails when it is run."),
        (lambda model: no_number(model, "policy"), "gives a policy that is not a number."),
        (lambda model: no_number(model, "value"), "gives a value that is not a number."),
        (lambda model: no_number(model, "lead"), "gives a lead that is not a number."),
    ],
)
def test_nets_that_do_not_fit_the_game(change: Change, part: str) -> None:
    assert part in refusal(changed(change))


def test_dqn_nets_that_do_not_fit() -> None:
    kelasu = tengen.game("kelasu")
    model = tiny_q_model(kelasu).SerializeToString()
    assert "is a dqn brain, which cannot play kelasu." in refusal(stamp(model, info_for(kelasu, "dqn")))
    model = tiny_q_model(GO).SerializeToString()
    assert "called 'planes'" in refusal(stamp(model, info_for(GO)))
    larger = tengen.game("go", size=6)
    assert "its input is N×25 and should be N×36." in refusal(stamp(model, info_for(larger, "dqn")))


def test_numbers_that_go_wrong_later_are_told_when_they_do() -> None:
    brain = read_brain(tiny_brain(KINGDOM))
    planes = np.full_like(KINGDOM.start().encode()[None], np.inf)
    with pytest.raises(BrainError, match=r"The brain brain_\w+ gave a \w+ that is not a number\."):
        brain.evaluate(planes)


def test_other_boards_are_refused_and_other_rules_are_not() -> None:
    brain = read_brain(tiny_brain(KINGDOM))
    brain.check_fits(tengen.game("great-kingdom", size=5, lead=1, rules="published"))
    with pytest.raises(BrainError, match="plays great-kingdom on 5×5, not on 9×9"):
        brain.check_fits(tengen.game("great-kingdom"))
    with pytest.raises(BrainError, match="plays great-kingdom, not go"):
        brain.check_fits(GO)
    kelasu = read_brain(tiny_brain("kelasu"))
    with pytest.raises(BrainError, match="other options"):
        kelasu.check_fits(tengen.game("kelasu", may_end_turn_early=True))


def test_nobody_pays_for_nets_before_using_them() -> None:
    code = (
        "import sys, tengen, tengen.brains.store, tengen.cli\n"
        "print([name for name in ('onnx', 'onnxruntime', 'torch') if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert ran.stdout == "[]\n", ran.stderr
