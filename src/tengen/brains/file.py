"""Brain files: ONNX with one metadata property, `tengen.brain`, that says what the brain is (`BrainInfo`).

Anyone's file may be read. A file is a brain if it is small enough, its net is harmless (`graph.py`), its
inputs and outputs are those of the game that it names, and a trial run gives finite numbers of the right
shapes. Start reading at `read_brain`.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tengen.brains.graph import STANDARD_DOMAINS, check_graph
from tengen.brains.info import KEY, Algorithm, BrainError, BrainInfo, brain_name
from tengen.brains.net import Brain, board_of, fits_board
from tengen.brains.runtime import require
from tengen.files import write_whole
from tengen.game import Game, State

if TYPE_CHECKING:
    import numpy as np
    import onnx

__all__ = [
    "MAX_BYTES",
    "SUFFIX",
    "Algorithm",
    "BrainError",
    "BrainInfo",
    "brain_name",
    "read_brain",
    "read_info",
    "stamp",
    "store_file",
    "write_brain",
]

SUFFIX = ".onnx"
MAX_BYTES = 64 * 2**20

Source = str | os.PathLike[str] | bytes


def read_brain(source: Source) -> Brain:
    """The brain in that file, or in those bytes; raises BrainError with one sentence."""
    require()
    data, path, called = _load(source)
    try:
        model = _parse(data)
        info = _info(model)
        game = info.make_game()
        _check_ends(model.graph, info, game)
        check_graph(model)
        brain = Brain(data, info, game, path)
        _try_out(brain)
    except BrainError as error:
        raise BrainError(f"{called} {error}") from error.__cause__
    return brain


def read_info(source: Source) -> BrainInfo:
    """What the file says of itself. Neither the net nor the options are checked: not enough to run it."""
    require()
    data, _, called = _load(source)
    try:
        return _info(_parse(data))
    except BrainError as error:
        raise BrainError(f"{called} {error}") from None


def stamp(model: bytes, info: BrainInfo) -> bytes:
    """The ONNX model with that description in it, in place of an older one; raises BrainError.

    Imports of operator sets that no node uses are dropped. The net is not checked.
    """
    require()
    text = _checked_text(info)
    try:
        parsed = _parse(model)
    except BrainError as error:
        raise BrainError(f"The model {error}") from None
    kept = [entry for entry in parsed.metadata_props if entry.key != KEY]
    used = {node.domain for node in parsed.graph.node}
    opsets = [known for known in parsed.opset_import if known.domain in (*STANDARD_DOMAINS, *used)]
    del parsed.metadata_props[:], parsed.opset_import[:]
    parsed.metadata_props.extend(kept)
    parsed.metadata_props.add(key=KEY, value=text)
    parsed.opset_import.extend(opsets)
    stamped: bytes = parsed.SerializeToString()
    return stamped


def _checked_text(info: BrainInfo) -> str:
    """The description as it stands in the file; what could not be read back is refused."""
    try:
        text = info.to_json()
        BrainInfo.from_json(text)
    except BrainError as error:
        raise BrainError(f"The description {error}") from None
    except (TypeError, ValueError):
        raise BrainError("The description has a value that is not a plain number or word.") from None
    return text


def write_brain(folder: Path, model: bytes, info: BrainInfo) -> Path:
    """Writes the model with its description under its name; nothing is written if it could not be read back.

    A brain of the same name but other content is kept: the new one gets `_2` and so on. Raises BrainError.
    """
    data = stamp(model, info)
    read_brain(data)
    return place(folder, brain_name(info), data)


def place(folder: Path, name: str, data: bytes) -> Path:
    """Writes the file under the first free name; one with the same content is left as it is."""
    number = 1
    while True:
        target = folder / f"{name}{'' if number == 1 else f'_{number}'}{SUFFIX}"
        if store_file(target, data, replace=False):
            return target
        with contextlib.suppress(OSError):  # removed meanwhile, or not ours to read
            if target.read_bytes() == data:
                return target
        number += 1


def store_file(target: Path, data: bytes, *, replace: bool = True) -> bool:
    """As `write_whole`, with the folder made where it is missing; raises BrainError."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        return write_whole(target, data, replace=replace)
    except OSError as error:
        raise BrainError(f"Cannot write {target}: {error.strerror or error}.") from None


def _load(source: Source) -> tuple[bytes, Path | None, str]:
    """The bytes, where they are from, and what to call them in a sentence."""
    if isinstance(source, bytes):
        path, called, data = None, "The file", source
    else:
        path = Path(source)
        called = path.name
        try:
            if path.exists() and not path.is_file():
                raise BrainError(f"{path} is not a file.")  # a pipe or a device could be read for ever
            with path.open("rb") as file:
                data = file.read(MAX_BYTES + 1)
        except (OSError, ValueError) as error:
            if isinstance(error, BrainError):
                raise
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise BrainError(f"Cannot read {path}: {reason}.") from None
    if len(data) > MAX_BYTES:
        raise BrainError(f"{called} is larger than {MAX_BYTES // 2**20} MB, which no brain may be.")
    return data, path, called


def _parse(data: bytes) -> onnx.ModelProto:
    import onnx
    from google.protobuf.message import DecodeError

    model = onnx.ModelProto()
    try:
        model.ParseFromString(data)
    except DecodeError:
        raise BrainError("is not an ONNX file, or was cut off.") from None
    if not model.graph.node:
        raise BrainError("is not an ONNX file, or was cut off.")
    return model


def _info(model: onnx.ModelProto) -> BrainInfo:
    texts = [entry.value for entry in model.metadata_props if entry.key == KEY]
    if len(texts) != 1:
        count = "no" if not texts else "more than one"
        raise BrainError(f"is an ONNX model but not a brain of tengen: it has {count} {KEY!r} entry.")
    return BrainInfo.from_json(texts[0])


def _check_ends(graph: onnx.GraphProto, info: BrainInfo, game: Game) -> None:
    """The names, types and numbers of inputs and outputs; the outputs' shapes are seen in the trial run."""
    from onnx import TensorProto

    expected = _input_shape(info, game)
    needed, optional = _outputs(info, game)
    names = [output.name for output in graph.output]
    wanted = "board" if info.algorithm == "dqn" else "planes"
    if [entry.name for entry in graph.input] != [wanted]:
        raise BrainError(f"should have one input, called {wanted!r}.")
    tensor = graph.input[0].type.tensor_type
    dims = [dim.dim_value if dim.HasField("dim_value") else None for dim in tensor.shape.dim]
    wanted_dims = [None, expected[0], None, None] if info.mixture else [None, *expected]
    if tensor.elem_type != TensorProto.FLOAT or dims != wanted_dims:
        raise BrainError(
            f"does not take positions of {game.name} with its options: "
            f"its input is {_shape_text(dims)} and should be {_shape_text(wanted_dims)}."
        )
    missing = [name for name in needed if name not in names]
    if missing:
        raise BrainError(f"has no output {missing[0]!r}.")
    strange = [name for name in names if name not in needed and name not in optional]
    if strange:
        raise BrainError(f"has an output {strange[0][:40]!r}, which {game.name} has no use for.")


def _input_shape(info: BrainInfo, game: Game) -> tuple[int, ...]:
    if info.algorithm == "dqn":
        if info.mixture:
            raise BrainError("is a dqn brain, which learns one game only.")
        if game.action_count != game.width * game.height + 1:
            raise BrainError(f"is a dqn brain, which cannot play {game.name}.")
        return (game.width * game.height,)
    return tuple(game.start().encode().shape)


def _outputs(info: BrainInfo, game: Game) -> tuple[dict[str, tuple[int, ...]], dict[str, tuple[int, ...]]]:
    """The outputs that must be there and those that may be, with their shapes after N."""
    if info.algorithm == "dqn":
        return {"q": (game.action_count,)}, {}
    needed: dict[str, tuple[int, ...]] = {"policy": (game.action_count,), "value": ()}
    return needed, {"lead": (), "ownership": (game.width * game.height,)}


def _shape_text(dims: list[int | None]) -> str:
    return "×".join("N" if dim is None else str(dim) for dim in dims)


def _try_out(brain: Brain) -> None:
    """One position, then two, since a net may have a batch size built in; on each board that it learned."""
    try:
        session = brain.session()
    except BrainError as error:
        raise BrainError("has a net that ONNX Runtime cannot run.") from error.__cause__
    for game in {(game.height, game.width): game for game in brain.info.learned()}.values():
        if not fits_board(brain.info, brain.game, game):
            raise BrainError(f"says that it learned {game!r}, which its net does not fit.")
        start = game.start()
        states = [start, start.play(start.legal_actions()[0])]
        for count in (1, 2):
            _try_run(session, brain.info, game, states[:count])


def _try_run(session: Any, info: BrainInfo, game: Game, states: list[State]) -> None:
    import numpy as np

    needed, optional = _outputs(info, game)
    shapes = needed | optional
    names = [output.name for output in session.get_outputs()]
    try:
        found = session.run(names, {session.get_inputs()[0].name: _batch(info, states)})
    except Exception as error:  # ONNX Runtime has an exception class a kind of fault
        raise BrainError("has a net that fails when it is run.") from error
    for output, values in zip(names, found, strict=True):
        if values.shape != (len(states), *shapes[output]) or values.dtype != np.float32:
            raise BrainError(
                f"gives {output!r} as {_shape_text([*values.shape])} and should give "
                f"{_shape_text([len(states), *shapes[output]])}."
            )
        if not np.isfinite(values).all():
            raise BrainError(f"gives a {output} that is not a number.")


def _batch(info: BrainInfo, states: list[State]) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    import numpy as np

    encode = board_of if info.algorithm == "dqn" else lambda state: state.encode()
    return np.stack([encode(state) for state in states])
