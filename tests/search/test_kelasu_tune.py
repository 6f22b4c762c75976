"""tools/kelasu_tune.py: games to learn from, what is taken from them, and the header in the core."""

from __future__ import annotations

import json

import tengen
from tengen import _core
from tools import kelasu_tune

GAME = tengen.game("kelasu")
START = "BBBBBBBBBB/BBBBBBBBBB/S1S4S1S/10/10/10/10/s1s4s1s/bbbbbbbbbb/bbbbbbbbbb"


def test_a_seed_is_a_game() -> None:
    game = kelasu_tune.play(3, visits=30)
    assert game == kelasu_tune.play(3, visits=30) != kelasu_tune.play(4, visits=30)
    state, whole_moves = GAME.start(), 0
    for action in game["actions"]:
        whole_moves += not GAME.mid_move(state)
        state = state.play(action)
    assert state.outcome is not None and state.outcome.winner == game["winner"]
    assert len(game["wins"]) == whole_moves
    searched = sum(win is not None and win < 1 for win in game["wins"])
    found = kelasu_tune.examples(json.dumps(game))
    assert len(found) == searched > 20
    assert {example[2] for example in found} <= {0.0, 0.5, 1.0}


def test_both_seats_see_the_same() -> None:
    blue, red = (GAME.position(START, to_move=seat) for seat in (0, 1))
    assert kelasu_tune.mover_view(blue) == kelasu_tune.mover_view(red) == blue.cells()
    assert _core.kelasu_features(blue) == _core.kelasu_features(red)


def test_the_header_is_the_tools_own() -> None:
    """Written anew from its own numbers, it is the same text: nobody has changed it by hand."""
    text = kelasu_tune.HEADER.read_text()
    shift, fine, table = kelasu_tune.read_header(text)
    assert len(fine) == len(_core.kelasu_features(GAME.start()))
    origin = text.partition("position. From\n// ")[2].partition(".\n#pragma")[0]
    assert kelasu_tune.header(origin, shift, fine, table) == text
