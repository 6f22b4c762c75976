"""One way to play whole moves, turns and resumptions."""

from __future__ import annotations

import itertools

import pytest

import tengen
from tengen import IllegalAction, NotationError
from tengen.game import Resumed
from tengen.line import Line, turns_to, whole_moves

GO = tengen.game("go", size=5)
PASS = 25


def test_moves_and_resumptions_are_told_and_read_again() -> None:
    line = Line(GO.start())
    for actions in ([12], [PASS], [PASS]):
        line.move(actions)
    step = line.resume(1)
    assert (step.text, step.resumed, step.actions, step.seat) == ("resume White", 1, (), 1)
    line.move([0])
    texts = [step.text for step in turns_to(line.state)]
    assert texts == ["C3", "pass", "pass", "resume White", "A5"]
    again = Line(GO.start())
    for text in texts:
        again.read(text)
    assert again.state == line.state and again.state.resumptions == line.state.resumptions


def test_what_is_refused_changes_nothing() -> None:
    line = Line(GO.start())
    for actions in ([], [12, 13], [99]):
        with pytest.raises(IllegalAction):
            line.move(actions)
    for seat in (0, 7):
        with pytest.raises(IllegalAction):
            line.resume(seat)
    with pytest.raises(NotationError, match="nobody here is called 'Red'"):
        line.read("resume Red")
    assert line.state == GO.start()


def test_a_turn_of_several_moves_is_cut_where_it_changes() -> None:
    game = tengen.game("kelasu")
    state = game.start()
    while len(state.actions) < 40:
        state = state.play(state.legal_actions()[0])
    moves = list(whole_moves(game.start(), state.actions))
    turns = list(turns_to(state))
    assert all(len(step.actions) >= 2 for step in moves) and len(moves) > len(turns) > 1
    assert [a for step in turns for a in step.actions] == list(state.actions)
    assert all(one.seat != other.seat for one, other in itertools.pairwise(turns))
    with pytest.raises(IllegalAction, match="not complete"):
        Line(game.start()).move(state.actions[:1])


def test_turns_of_a_stream() -> None:
    found = list(Line(GO.start()).turns([PASS, PASS, Resumed(0), 3]))
    assert [step.actions for step in found] == [(PASS,), (PASS,), (), (3,)]
