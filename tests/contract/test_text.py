"""What people and clients see: moves, diagrams, drawings, views, reprs."""

from __future__ import annotations

import json
import random
from dataclasses import asdict

import pytest

import tengen
from tengen import IllegalAction, InvalidPosition, NotationError, View
from tests.contract.cases import Case, each_case, samples, unfinished


@each_case
def test_every_legal_action_is_written_and_read_back(case: Case) -> None:
    rng = random.Random(5)
    for state in unfinished(case):
        game, legal = state.game, state.legal_actions()
        for action in rng.sample(legal, min(len(legal), 60)):
            text = game.format(state, [action])
            assert text and text == text.strip()
            assert game.parse(state, text) == [action]
            assert game.parse(state, f" {text.lower()}\n") == [action]


@each_case
def test_moves_that_are_not_legal_are_not_read_or_written(case: Case) -> None:
    for state in unfinished(case):
        game, legal = state.game, set(state.legal_actions())
        words = {action: game.format(game.start(), [action]) for action in game.start().legal_actions()}
        for action, word in words.items():
            if action not in legal:
                with pytest.raises(IllegalAction):
                    game.format(state, [action])
                # The same words can be another move here: the second stage of one, say.
                try:
                    assert game.parse(state, word) != [action]
                except IllegalAction as refusal:
                    assert str(refusal).endswith(".")
        with pytest.raises(ValueError):
            game.format(state, [])


@each_case
def test_nonsense_is_a_notation_error(case: Case) -> None:
    state = case.make().start()
    for text in (
        "",
        " ",
        "?",
        "\0",
        "castle",
        "D4D4D4",
        "½",
        "٣",
        "Ⅷ",
        "é4",
        "\ud800",
        "-1",
        "1.5",
        "x" * 10_000,
    ):
        with pytest.raises(NotationError) as refusal:
            state.game.parse(state, text)
        assert str(refusal.value).endswith(".")


@each_case
def test_nothing_is_read_after_the_end(case: Case) -> None:
    for state in samples(case):
        if state.outcome is not None:
            for action in state.game.start().legal_actions()[:20]:
                with pytest.raises(IllegalAction):
                    state.game.parse(state, state.game.format(state.game.start(), [action]))


@each_case
def test_diagrams_are_read_back(case: Case) -> None:
    for state in unfinished(case):
        game, diagram = state.game, state.game.diagram(state)
        position = game.position(diagram, state.to_move)
        assert position.cells() == state.cells()
        assert position.to_move == state.to_move
        assert position.origin == (diagram, state.to_move) and position.actions == ()
        assert game.diagram(position) == diagram
        assert game.position(f" {diagram}\n", state.to_move) == position


@each_case
def test_bad_diagrams_are_refused(case: Case) -> None:
    game = case.make()
    start = game.start()
    diagram = game.diagram(start)
    bad = (
        "",
        "/",
        diagram + "/",
        "/" + diagram,
        diagram + "1",
        "?" + diagram,
        diagram[:-1] + " 0",
        diagram + "\0",
    )
    for text in (*bad, diagram.replace("1", "²"), "9" * 5000, "9" * 20):
        if text.strip() == diagram:
            continue
        with pytest.raises(NotationError) as refusal:
            game.position(text, start.to_move)
        assert str(refusal.value).endswith(".")
    for seat in (-1, 2, 255, 1000):
        with pytest.raises(InvalidPosition):
            game.position(diagram, seat)


@each_case
def test_a_space_inside_a_diagram_is_refused(case: Case) -> None:
    for state in unfinished(case, 4):
        diagram = state.game.diagram(state)
        for at in range(1, len(diagram)):
            with pytest.raises(NotationError):
                state.game.position(f"{diagram[:at]} {diagram[at:]}", state.to_move)


@each_case
def test_views_are_plain_data_of_the_position(case: Case) -> None:
    for state in samples(case):
        game = state.game
        view = game.view(state)
        assert isinstance(view, View)
        assert (view.width, view.height) == (game.width, game.height)
        assert view.cells == tuple(game.letters[code] for code in state.cells())
        assert view.to_move == state.to_move
        cells = range(game.width * game.height)
        assert set(view.last) <= set(cells) and set(view.captured) <= set(cells)
        data = json.loads(json.dumps(asdict(view), allow_nan=False))
        assert data["board"] in ("points", "squares", "row")
        assert len(data["cells"]) == len(cells)
        assert game.view(state) == view


@each_case
def test_boards_are_drawn(case: Case) -> None:
    for state in samples(case):
        text = state.game.text(state)
        assert isinstance(text, str) and text.strip()
        assert "\x1b" not in text and "\t" not in text
        assert state.game.text(state) == text


@each_case
def test_reprs_are_readable(case: Case) -> None:
    game = case.make()
    assert game.name in repr(game)
    if game.name in tengen.games():
        assert eval(repr(game), {"tengen": tengen}) == game
    for state in samples(case, 5):
        assert repr(game) in repr(state) and repr(game.diagram(state)) in repr(state)
        assert "0x" not in repr(state)
        if state.outcome:
            assert state.outcome.reason in repr(state)
        else:
            assert game.seats[state.to_move] in repr(state)


def test_states_of_another_game_are_refused() -> None:
    small, large = tengen.game("go", size=5), tengen.game("go", size=7)
    for call in (
        large.text,
        large.view,
        lambda state: large.parse(state, "A1"),
        lambda state: large.format(state, [0]),
    ):
        with pytest.raises(ValueError, match="belongs to"):
            call(small.start())
