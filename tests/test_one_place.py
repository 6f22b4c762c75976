"""A game is one place: nothing outside the folders of the games names one, and the check can tell."""

from __future__ import annotations

from tools import one_place


def test_nothing_above_the_games_names_one() -> None:
    for folder, left_out, endings, most in one_place.PLACES:
        assert len(one_place.naming(folder, left_out, endings)) <= most


def test_names_and_types_are_seen() -> None:
    lines = [
        'if game == "go":',
        "x = _core.Go9",
        "from tengen.games.go import Go",
        "# Great Kingdom",
        "kelasu()",
    ]
    fine = ["def go(self): ...", "we go: there", "Go on with it", "duel(two)"]
    assert all(one_place.NAMES.search(line) for line in lines)
    assert not any(one_place.NAMES.search(line) for line in fine)
