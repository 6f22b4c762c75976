"""A real KataGo, where there is one: in TENGEN_KATAGO or PATH, with its net in TENGEN_KATAGO_MODEL or found.

Slow without a graphics card, so few visits on small boards. Without one the test is skipped, and says so.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

import tengen
from tengen.analysis import analyse, review
from tengen.kata import usable
from tengen.kata.engine import close_all
from tengen.players import make_player
from tests.conftest import REAL_KATAGO


@pytest.fixture
def real(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TENGEN_KATAGO", os.environ[REAL_KATAGO])
    if usable() is None:
        pytest.skip("NOT TESTED WITH A REAL KATAGO: none in PATH or TENGEN_KATAGO, or it has no net.")
    yield
    close_all()


def test_a_real_one(real: None) -> None:
    empty = tengen.game("go", size=9, komi=7.5, scoring="area", ko="superko").start()
    found = analyse(empty, visits=8, engine="katago")
    assert found.by == "katago" and found.visits >= 8 and found.lead is not None
    assert abs(found.lead) < 3 and 0.05 < found.win < 0.95, "it is an even game"
    assert found.ownership is not None and len(found.ownership) == 81

    state, moves = tengen.game("go", size=7, komi=9.5).start(), []
    for text in ("D4", "A1"):
        actions = state.game.parse(state, text)
        moves.append((state, actions))
        state = state.play(actions[0])
    reviewed = review(moves, visits=6, engine="katago")
    assert reviewed[1].mistake == "blunder", "a stone in the corner"
    resumed = tengen.game("go", size=5).start().play(12).play(25).play(25).resume(1)
    assert analyse(resumed, visits=4, engine="katago").to_move == 1
    player = make_player("katago:4", state.game)
    chosen = player.choose(state)
    assert chosen is not None and state.why_illegal(chosen[0]) is None
