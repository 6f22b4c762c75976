"""A game played out under a symmetry is the same game."""

from __future__ import annotations

import random

import pytest

from tests.contract.cases import Case, each_case, samples, spread


@each_case
def test_action_maps_are_permutations_that_keep_cells_apart(case: Case) -> None:
    game = case.make()
    cells = game.width * game.height
    assert game.action_map(0) == tuple(range(game.action_count))
    maps = {game.action_map(symmetry) for symmetry in range(game.symmetries)}
    assert len(maps) == game.symmetries or cells == 1
    for to in maps:
        assert sorted(to) == list(range(game.action_count))
        assert sorted(to[:cells]) == list(range(cells))
    for wrong in (-1, game.symmetries):
        with pytest.raises(ValueError):
            game.action_map(wrong)
        with pytest.raises(ValueError):
            game.transform(game.start(), wrong)


@each_case
def test_transformed_states_are_the_same_but_for_the_map(case: Case) -> None:
    rng = random.Random(6)
    for state in samples(case, 6):
        game = state.game
        for symmetry in range(game.symmetries):
            to = game.action_map(symmetry)
            turned = game.transform(state, symmetry)
            assert turned.game == game and turned.to_move == state.to_move and turned.outcome == state.outcome
            assert turned.legal_actions() == sorted(to[action] for action in state.legal_actions())
            where = list(to[: len(state.cells())])
            assert bytes(turned.cells()[cell] for cell in where) == state.cells()
            planes = turned.encode().reshape(-1, len(where))[:, where]
            assert (planes == state.encode().reshape(-1, len(where))).all()
            if state.outcome is None:
                action = rng.choice(state.legal_actions())
                assert game.transform(state.play(action), symmetry) == turned.play(to[action])


@each_case
def test_the_identity_changes_nothing(case: Case) -> None:
    for state in samples(case, 6):
        same = state.game.transform(state, 0)
        assert same == state and same.actions == state.actions and same.origin == state.origin


@each_case
def test_positions_are_transformed_too(case: Case) -> None:
    for state in samples(case, 6):
        if state.outcome is not None:
            continue
        game = state.game
        position = game.position(game.diagram(state), state.to_move)
        for symmetry in spread(range(game.symmetries), 3):
            to = game.action_map(symmetry)
            turned = game.transform(position, symmetry)
            assert turned.legal_actions() == sorted(to[action] for action in position.legal_actions())
            for action in spread(position.legal_actions(), 3):
                assert game.transform(position.play(action), symmetry) == turned.play(to[action])
