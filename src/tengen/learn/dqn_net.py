"""The DQN's net in PyTorch, and as the ONNX model of a brain file.

Two hidden layers with ReLU; input `board` [N, cells], output `q` [N, cells + 1], the last one for the pass.
The weights have the same names in both, so that `load_model` reads back what `model_bytes` wrote.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn

from tengen.brains.info import BrainError
from tengen.brains.net import Brain, board_of
from tengen.game import Game, State
from tengen.learn.dqn_memory import legal_mask

_LAYERS = ("hidden1", "hidden2", "output")
_OPSET, _IR_VERSION = 17, 9  # old enough for every reader of today


class QNet(nn.Module):
    """A Q-value for each cell and one for the pass, from the mover's side."""

    def __init__(self, cells: int, hidden: int) -> None:
        super().__init__()
        self.cells, self.hidden = cells, hidden
        self.hidden1 = nn.Linear(cells, hidden)
        self.hidden2 = nn.Linear(hidden, hidden)
        self.output = nn.Linear(hidden, cells + 1)

    def forward(self, board: Tensor) -> Tensor:
        out: Tensor = self.output(torch.relu(self.hidden2(torch.relu(self.hidden1(board)))))
        return out


def new_net(game: Game, hidden: int, seed: int) -> QNet:
    """An untrained net, the same for the same seed; the global random numbers stay as they are."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return QNet(game.width * game.height, hidden)


@torch.no_grad()
def best_actions(net: QNet, states: Sequence[State]) -> list[int]:
    """The legal action with the highest value in each state; none of them may be over."""
    boards = torch.from_numpy(np.stack([board_of(state) for state in states]))
    legal = torch.from_numpy(np.stack([legal_mask(state) for state in states]))
    best: list[int] = net(boards).masked_fill(~legal, -torch.inf).argmax(1).tolist()
    return best


def model_bytes(net: QNet) -> bytes:
    """The net as an ONNX model, without our metadata."""
    from onnx import TensorProto, helper, numpy_helper

    nodes = []
    flow = "board"
    for layer in _LAYERS:
        out = "q" if layer == _LAYERS[-1] else f"{layer}.sum"
        inputs = [flow, f"{layer}.weight", f"{layer}.bias"]
        nodes.append(helper.make_node("Gemm", inputs, [out], name=layer, transB=1))
        if out != "q":
            flow = f"{layer}.relu"
            nodes.append(helper.make_node("Relu", [out], [flow], name=flow))
    graph = helper.make_graph(
        nodes,
        "dqn",
        [helper.make_tensor_value_info("board", TensorProto.FLOAT, ["N", net.cells])],
        [helper.make_tensor_value_info("q", TensorProto.FLOAT, ["N", net.cells + 1])],
        [numpy_helper.from_array(value.numpy(), name) for name, value in net.state_dict().items()],
    )
    model = helper.make_model(graph, producer_name="tengen", opset_imports=[helper.make_opsetid("", _OPSET)])
    model.ir_version = _IR_VERSION
    data: bytes = model.SerializeToString()
    return data


def load_model(brain: Brain) -> QNet:
    """The net of a brain that `model_bytes` made; BrainError when it is another kind of net."""
    import onnx
    from onnx import numpy_helper

    weights = {
        entry.name: torch.from_numpy(numpy_helper.to_array(entry).copy())
        for entry in onnx.load_model_from_string(brain.data).graph.initializer
    }
    try:
        hidden, cells = weights["hidden1.weight"].shape
        net = QNet(cells, hidden)
        net.load_state_dict(weights)
    except (KeyError, ValueError, RuntimeError):
        raise BrainError(f"The brain {brain.name} is no DQN of ours, so it cannot be trained on.") from None
    return net
