"""The symmetries of a game form a group, and every state can be sent through it and back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tengen import State
from tests.contract.cases import Case, each_case
from tests.properties.strategies import states


def composed(first: tuple[int, ...], then: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(then[target] for target in first)


@each_case
def test_symmetries_form_a_group(case: Case) -> None:
    game = case.make()
    maps = [game.action_map(symmetry) for symmetry in range(game.symmetries)]
    for one in maps:
        assert any(composed(one, other) == maps[0] for other in maps), "no inverse"
        for other in maps:
            assert composed(one, other) in maps, "not closed"


@given(states(), st.data())
def test_one_symmetry_after_another_is_a_third(state: State, data: st.DataObject) -> None:
    game = state.game
    first, then = (data.draw(st.integers(0, game.symmetries - 1)) for _ in range(2))
    maps = [game.action_map(symmetry) for symmetry in range(game.symmetries)]
    both = maps.index(composed(maps[first], maps[then]))
    assert game.transform(game.transform(state, first), then) == game.transform(state, both)


@given(states(), st.data())
def test_every_symmetry_can_be_undone(state: State, data: st.DataObject) -> None:
    game = state.game
    symmetry = data.draw(st.integers(0, game.symmetries - 1))
    maps = [game.action_map(number) for number in range(game.symmetries)]
    inverse = next(k for k, to in enumerate(maps) if composed(maps[symmetry], to) == maps[0])
    back = game.transform(game.transform(state, symmetry), inverse)
    assert back == state and hash(back) == hash(state) and back.actions == state.actions
    assert back.legal_actions() == state.legal_actions()
