"""Whatever the options are, a game comes of it or an InvalidOption."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import tengen
from tengen import InvalidOption
from tengen.game import OptionValue

LARGEST_BOARD = 1000  # cells; longer rows are made and not looked at
NAMES = tengen.games()

anything: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 25),
    st.integers(),
    st.integers(310, 400).map(lambda digits: 10**digits),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(["rulebook", "published", "loses", "illegal", "simple", "superko", "territory", "area"]),
    st.binary(max_size=3),
    st.lists(st.integers(), max_size=2),
)


@st.composite
def games_with_options(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    name = draw(st.sampled_from(NAMES))
    known = [option.name for option in type(tengen.game(name)).option_list]
    names = (
        st.sampled_from(known) if draw(st.integers(0, 9)) else st.text(max_size=8) | st.sampled_from(known)
    )
    return name, draw(st.dictionaries(names, anything, max_size=4))


@settings(max_examples=1000)
@given(games_with_options())
def test_options_make_a_game_or_are_refused(chosen: tuple[str, dict[str, OptionValue]]) -> None:
    name, options = chosen
    try:
        game = tengen.game(name, **options)
    except InvalidOption as refusal:
        assert str(refusal).endswith(".")
        return
    assert all(game.all_options[given_name] == value for given_name, value in options.items())
    assert type(game)(**game.options) == game and eval(repr(game), {"tengen": tengen}) == game
    if game.width * game.height <= LARGEST_BOARD:
        assert game.start().legal_actions()


@given(st.text(max_size=20))
def test_any_other_name_is_refused(name: str) -> None:
    if name not in NAMES:
        try:
            tengen.game(name)
        except InvalidOption as refusal:
            assert str(refusal).endswith(".")
        else:
            raise AssertionError(f"{name!r} is a game")
