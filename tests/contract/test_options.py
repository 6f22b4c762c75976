"""Games are values made of a name and options; what is wrong with an option is said by name."""

from __future__ import annotations

import pickle
from collections.abc import Iterator

import pytest

import tengen
from tengen import InvalidOption, Option
from tests.contract.cases import CASES, Case, each_case


@each_case
def test_options_are_echoed(case: Case) -> None:
    game = case.make()
    for name, value in case.given:
        assert game.all_options[name] == value
    assert list(game.all_options) == [option.name for option in game.option_list]
    assert game.options.items() <= game.all_options.items()
    assert type(game)(**game.options) == type(game)(**game.all_options) == game


@each_case
def test_games_are_values(case: Case) -> None:
    game, same = case.make(), case.make()
    assert game == same and hash(game) == hash(same) and len({game, same}) == 1
    assert game != case.name
    copy = pickle.loads(pickle.dumps(game))
    assert copy == game and copy.options == game.options and copy.start() == game.start()


def test_games_with_other_options_are_different() -> None:
    assert len({case.make() for case in CASES}) == len(CASES)


@each_case
def test_unknown_options_are_named(case: Case) -> None:
    with pytest.raises(InvalidOption, match="no_such_option"):
        type(case.make())(**case.options, no_such_option=1)


def wrong_values(option: Option) -> Iterator[object]:
    yield from (object(), [], b"9", 1j, float("nan"), float("inf"))
    if not option.optional:
        yield None
    if option.type is not str:
        yield from ("", "9")
    if option.type is str:
        yield from ("", "no-such-choice", 1, True)
    if option.type is bool:
        yield from (0, 1, 2)
    if option.type in (int, float):
        yield from (True, False)
        yield from () if option.minimum is None else (option.minimum - 1, -(10**30), -(10**400))
        yield from () if option.maximum is None else (option.maximum + 1, 10**30, 10**400)
    if option.type is int:
        yield from (1.0, 2.5)


ALL_OPTIONS = [(name, option) for name in tengen.games() for option in type(tengen.game(name)).option_list]


@pytest.mark.parametrize(("name", "option"), ALL_OPTIONS, ids=[f"{name} {o.name}" for name, o in ALL_OPTIONS])
def test_wrong_values_are_refused_by_the_option_s_name(name: str, option: Option) -> None:
    for value in wrong_values(option):
        with pytest.raises(InvalidOption, match=rf"\b{option.name}\b") as refusal:
            tengen.game(name, **{option.name: value})  # type: ignore[call-overload]
        assert str(refusal.value).endswith(".")


@pytest.mark.parametrize(("name", "option"), ALL_OPTIONS, ids=[f"{name} {o.name}" for name, o in ALL_OPTIONS])
def test_options_describe_themselves(name: str, option: Option) -> None:
    assert option.help and option.check(option.default) == option.default
    assert tengen.game(name, **{option.name: option.default}) == tengen.game(name)


@pytest.mark.parametrize("name", ["", "chess", "GO", "go ", "great_kingdom"])
def test_unknown_games_are_refused_with_a_list(name: str) -> None:
    with pytest.raises(InvalidOption, match="great-kingdom, go, kelasu, dominion-duel"):
        tengen.game(name)


@pytest.mark.parametrize(
    ("name", "options", "named"),
    [
        ("great-kingdom", {"size": 8}, "size"),
        ("great-kingdom", {"size": 18, "rules": "published"}, "size"),
        ("go", {"handicap": 1}, "handicap"),
        ("go", {"handicap": 2, "size": 6}, "handicap"),
        ("go", {"handicap": 5, "size": 8}, "handicap"),
        ("go", {"handicap": 5, "size": 7}, "handicap"),
    ],
)
def test_options_that_do_not_go_together_are_refused(name: str, options: dict[str, int], named: str) -> None:
    with pytest.raises(InvalidOption, match=rf"\b{named}\b"):
        tengen.game(name, **options)
