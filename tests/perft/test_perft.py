"""The counts in the data files: the engine to every depth, the reference as far as it gets in seconds."""

from itertools import takewhile
from typing import Any

import pytest

import tengen
from tests.reference import REFERENCES, Reference
from tests.reference.text import unpack

from .perft import MOVE_LENGTHS, Line, Rules, perft, read

LINES = [line for game in REFERENCES for line in read(game)]
REFERENCE_LIMIT = 6_000  # moves counted a line


def play_on_a_copy(state: Reference, action: int) -> Reference:
    after = state.copy()
    after.play(action)
    return after


ENGINE = Rules(play=lambda state, action: state.play(action), key=lambda state: state)
REFERENCE = Rules(play=play_on_a_copy, key=lambda state: state.key())


def counts(state: Any, line: Line, rules: Rules, depths: int) -> tuple[int, ...]:
    return tuple(perft(state, depth, rules, MOVE_LENGTHS[line.game]) for depth in range(1, depths + 1))


@pytest.mark.parametrize("line", LINES, ids=str)
def test_engine(line: Line) -> None:
    game = tengen.game(line.game, **line.options)
    state = game.position(line.position, line.to_move) if line.position else game.start()
    assert counts(state, line, ENGINE, len(line.counts)) == line.counts


@pytest.mark.parametrize("line", LINES, ids=str)
def test_reference(line: Line) -> None:
    kind = REFERENCES[line.game]
    state = (
        kind(**line.options, cells=unpack(line.position), to_move=line.to_move)
        if line.position
        else kind(**line.options)
    )
    within = tuple(takewhile(lambda count: count <= REFERENCE_LIMIT, line.counts))
    assert counts(state, line, REFERENCE, len(within)) == within
