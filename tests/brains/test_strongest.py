"""Where levels, hints and analysis search with the shipped brain."""

from __future__ import annotations

from typing import Any

import pytest

import tengen
from tengen.brains.search import BrainSearch
from tengen.brains.strongest import stronger_brain, strongest_search
from tengen.search import Search


@pytest.mark.parametrize(
    ("name", "options", "helps"),
    [
        ("great-kingdom", {}, True),
        ("great-kingdom", {"suicide": "illegal", "castles": 40}, True),
        ("great-kingdom", {"castles": 20}, False),
        ("great-kingdom", {"lead": 5}, False),
        ("great-kingdom", {"rules": "published"}, True),
        ("great-kingdom", {"size": 7}, True),
        ("great-kingdom", {"size": 13}, True),
        ("great-kingdom", {"size": 15}, False),
        ("great-kingdom", {"size": 5}, False),
        ("great-kingdom", {"size": 8, "neutral": False}, True),
        ("go", {"size": 9, "scoring": "area", "komi": 7.5}, True),
        ("go", {"size": 9}, True),  # territory, 6.5
        ("go", {"size": 9, "komi": 0.5}, True),
        ("go", {"size": 9, "komi": 40.5}, False),
        ("go", {"size": 9, "handicap": 2}, True),
        ("go", {"size": 7}, True),
        ("go", {"size": 5}, False),
        ("go", {"size": 13}, True),
        ("go", {"size": 19, "handicap": 9, "komi": 0.5}, True),
        ("kelasu", {}, False),
        ("dominion-duel", {}, False),
    ],
)
def test_the_shipped_brain_helps_where_it_is_stronger(
    name: str, options: dict[str, Any], helps: bool
) -> None:
    game = tengen.game(name, **options)
    assert (stronger_brain(game) is not None) == helps
    assert isinstance(strongest_search(game.start()), BrainSearch if helps else Search)
