"""Nets as ONNX: the same numbers as PyTorch, int8 close to them, weights that come back."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch

import tengen
from tengen.brains.file import read_brain, stamp
from tengen.brains.info import BrainInfo
from tengen.brains.runtime import open_session, runtime
from tengen.learn.export import export_net, load_net, load_weights, read_weights
from tengen.learn.net import Net, shape_for
from tests.learn.positions import random_planes

GAMES = {
    "great-kingdom": {"size": 5},
    "go": {"size": 5},
    "kelasu": {},
    "dominion-duel": {},
}


def used_net(game: tengen.Game, blocks: int = 3, channels: int = 16) -> Net:
    """A net whose normalisation has seen positions and whose heads say something."""
    torch.manual_seed(2)
    net = Net(shape_for(game, blocks, channels))
    with torch.no_grad():
        for name, parameter in net.named_parameters():
            if name.startswith(("cells", "extras", "spread", "value", "lead", "ownership")):
                parameter.normal_(0, 0.3)
            elif "norm" in name:
                parameter.add_(torch.rand_like(parameter) * 0.3)
        for _ in range(20):
            net(torch.from_numpy(random_planes(game, 32)))
    return net.eval()


def run(data: bytes, planes: np.ndarray) -> dict[str, np.ndarray]:
    session = open_session(data)
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(names, {"planes": planes}), strict=True))


def words(net: Net, planes: np.ndarray) -> dict[str, np.ndarray]:
    with torch.no_grad():
        found = net(torch.from_numpy(planes))
    result = {"policy": found.policy, "value": torch.tanh(found.value)}
    if found.lead is not None:
        result |= {"lead": found.lead, "ownership": torch.tanh(found.ownership)}
    return {name: tensor.numpy() for name, tensor in result.items()}


@pytest.mark.parametrize("name", GAMES)
def test_onnx_says_what_torch_says(name: str) -> None:
    game = tengen.game(name, **GAMES[name])
    net = used_net(game)
    planes = random_planes(game, 20, seed=5)
    found, expected = run(export_net(net), planes), words(net, planes)
    assert found.keys() == expected.keys()
    for output, array in expected.items():
        assert array.std() > 1e-3
        np.testing.assert_allclose(found[output], array, atol=2e-5, err_msg=output)


@pytest.mark.parametrize("name", GAMES)
def test_int8_is_close(name: str) -> None:
    game = tengen.game(name, **GAMES[name])
    net = used_net(game)
    planes = random_planes(game, 64, seed=5)
    data = export_net(net, calibration=[random_planes(game, 256, seed=6)])
    assert len(data) < len(export_net(net))
    found, expected = run(data, planes), words(net, planes)
    for output, array in expected.items():
        error = np.abs(found[output] - array)
        assert error.mean() < 0.12 * array.std(), output
        assert error.max() > 0  # it is rounded, or this is no int8
        agreement = np.corrcoef(found[output].ravel(), array.ravel())[0, 1]
        assert agreement > 0.98, output


def test_int8_convolutions_are_whole_numbers(tmp_path: object) -> None:
    """ONNX Runtime fuses the pairs: no convolution of the tower is left in float32."""
    onnxruntime = runtime()
    game = tengen.game("great-kingdom", size=5)
    options = onnxruntime.SessionOptions()
    options.optimized_model_filepath = f"{tmp_path}/fused.onnx"
    options.log_severity_level = 4
    data = export_net(used_net(game), calibration=[random_planes(game, 64)])
    onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    kinds = [node.op_type for node in onnx.load(options.optimized_model_filepath).graph.node]
    assert kinds.count("QLinearConv") == 2 * 3 + 2
    assert sum(kind in ("Conv", "FusedConv") for kind in kinds) == 2  # policy and ownership, one channel each


def test_only_the_outputs_that_are_asked_for() -> None:
    game = tengen.game("great-kingdom", size=5)
    net = used_net(game)
    planes = random_planes(game, 4)
    found = run(export_net(net, outputs=("policy", "value")), planes)
    assert list(found) == ["policy", "value"]
    np.testing.assert_allclose(found["value"], words(net, planes)["value"], atol=2e-5)


@pytest.mark.parametrize("rounded", [False, True])
def test_weights_come_back(rounded: bool) -> None:
    game = tengen.game("go", size=5)
    net = used_net(game)
    planes = random_planes(game, 16, seed=8)
    data = export_net(net, calibration=[random_planes(game, 64)] if rounded else None)
    again = load_net(data).eval()
    assert again.shape == net.shape
    atol = 0.2 if rounded else 2e-5
    for output, array in words(net, planes).items():
        np.testing.assert_allclose(words(again, planes)[output], array, atol=atol, err_msg=output)
    first, second = read_weights(data), read_weights(export_net(again))
    assert first.keys() == second.keys()
    for name, array in first.items():
        np.testing.assert_allclose(second[name], array, atol=1e-6, err_msg=name)


def test_weights_of_another_net_are_refused() -> None:
    game = tengen.game("dominion-duel")
    data = export_net(used_net(game, 2, 8))
    with pytest.raises(ValueError, match=r"stem\.weight"):
        load_weights(data, Net(shape_for(game, 2, 16)))
    with pytest.raises(ValueError, match="block2"):
        load_weights(data, Net(shape_for(game, 3, 8)))


@pytest.mark.parametrize("rounded", [False, True])
@pytest.mark.parametrize("name", GAMES)
def test_it_is_a_brain(name: str, rounded: bool) -> None:
    game = tengen.game(name, **GAMES[name])
    data = export_net(used_net(game), calibration=[random_planes(game, 64)] if rounded else None)
    brain = read_brain(stamp(data, BrainInfo(game.name, game.options, "gumbel", games=10, loss=1.5)))
    assert brain.evaluate(random_planes(game, 3)).policy.shape == (3, game.action_count)
    onnx.checker.check_model(onnx.load_from_string(data), full_check=True)


def test_actions_that_are_no_cells_see_the_whole_board() -> None:
    """A column of Connect Four is none of its 42 cells."""
    game = connect_four()
    net = used_net(game)
    assert net.shape.spread and net.cells is None and net.extras is None
    planes = random_planes(game, 20, seed=5)
    for rounded in (False, True):
        data = export_net(net, calibration=[planes] if rounded else None)
        found, wanted = run(data, planes), words(net, planes)
        assert found["policy"].shape == (20, 7)
        assert np.abs(found["policy"] - wanted["policy"]).max() < (1.0 if rounded else 1e-4)
        assert load_net(data).shape == net.shape
    back = load_net(export_net(net)).eval()
    assert np.abs(words(back, planes)["policy"] - words(net, planes)["policy"]).max() < 1e-4


def connect_four() -> tengen.Game:
    path = Path(__file__).parents[2] / "examples" / "connect-four" / "connect_four.py"
    spec = importlib.util.spec_from_file_location("connect_four", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    game: tengen.Game = module.ConnectFour()
    return game
