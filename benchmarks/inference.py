"""How many positions a second a net judges, by its size, and what share that is of what the processor can do.

    python -m benchmarks.inference

Nets with random weights, as int8 and as float32, asked about 1 to 64 positions at once, in one thread.
The limit is a large product of 8-bit matrices by the same ONNX Runtime, measured between the nets: a net that
were nothing but such products would run at it. Time is this process's processor time, the best of several
rounds. Writes benchmarks/results/inference.json.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from onnx import TensorProto, helper

import tengen
from benchmarks.machine import machine_facts
from tengen.brains.runtime import Session, open_session
from tengen.learn.export import export_net
from tengen.learn.net import Net, shape_for

RESULT = Path(__file__).parent / "results" / "inference.json"
SIZES = ((4, 32), (6, 64), (6, 96))  # blocks and channels: Great Kingdom's, Go's, and the next larger
BOARDS = (9, 19)
BATCHES = (1, 4, 16, 64)
ROUNDS = 5
ROUND_S = 0.2
SIDE = 768  # of the matrices


def rate(work: Callable[[], object]) -> float:
    """Calls a second of processor time, in the best round."""
    work()
    best = 0.0
    for _ in range(ROUNDS):
        begun, calls = time.process_time(), 0
        while (spent := time.process_time() - begun) < ROUND_S:
            work()
            calls += 1
        best = max(best, calls / spent)
    return best


def limit() -> float:
    """Multiplications and additions a second, two to a step, of a product of unsigned and signed bytes."""
    square = [SIDE, SIDE]
    rng = np.random.default_rng(1)
    weights = helper.make_tensor(
        "b", TensorProto.INT8, square, rng.integers(-63, 64, SIDE * SIDE).astype(np.int8).tobytes(), raw=True
    )
    graph = helper.make_graph(
        [helper.make_node("MatMulInteger", ["a", "b"], ["c"])],
        "limit",
        [helper.make_tensor_value_info("a", TensorProto.UINT8, square)],
        [helper.make_tensor_value_info("c", TensorProto.INT32, square)],
        [weights],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    session, shown = open_session(model.SerializeToString()), rng.integers(0, 255, square).astype(np.uint8)
    return rate(lambda: session.run(None, {"a": shown})) * 2 * SIDE**3


def operations(net: Net, board: int) -> int:
    """Multiplications and additions for one position; what comes after pooling is left out, being tiny."""
    convolutions = (m for m in net.modules() if isinstance(m, torch.nn.Conv2d))
    return 2 * board * board * sum(conv.weight.numel() for conv in convolutions)


def judged(session: Session, planes: np.ndarray[Any, Any], batch: int) -> float:
    """Positions a second."""
    shown = planes[:batch]
    return batch * rate(lambda: session.run(["policy", "value"], {"planes": shown}))


def main() -> None:
    torch.manual_seed(1)
    rows = []
    for board in BOARDS:
        game = tengen.game("go", size=board)
        planes = np.random.default_rng(1).random((max(BATCHES), *game.start().encode().shape), np.float32)
        for blocks, channels in SIZES:
            net = Net(shape_for(game, blocks, channels)).eval()
            whole, rounded = export_net(net), export_net(net, calibration=[planes])
            cost, most = operations(net, board), limit()
            row: dict[str, Any] = {"board": board, "net": f"{blocks}x{channels}", "bytes": len(rounded)}
            row["int8"] = {n: round(judged(open_session(rounded), planes, n)) for n in BATCHES}
            row["float32"] = {n: round(judged(open_session(whole), planes, n)) for n in BATCHES}
            row["share_of_limit"] = round(row["int8"][16] * cost / most, 3)
            row["limit_gops"] = round(most / 1e9)
            print(json.dumps(row), flush=True)
            rows.append(row)
    found = {"command": "python -m benchmarks.inference", "machine": machine_facts(), "nets": rows}
    RESULT.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
