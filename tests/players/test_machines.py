"""One list of machines: what it names is made, explained and documented."""

from __future__ import annotations

from pathlib import Path

import pytest

import tengen
from tengen.facets.machines import MACHINES, forms
from tengen.players import _MAKERS, make_player

DOCS = Path(__file__).parent.parent.parent / "docs" / "terminal.md"


def test_every_kind_is_made_and_documented() -> None:
    here = [one for one in MACHINES if one.word != "program"]
    assert {one.word for one in here} == set(_MAKERS)
    page = DOCS.read_text()
    for form in (form for one in here for form in one.forms):
        assert f"`{form}`" in page and form in forms(here=True)
    assert all(one.help for one in MACHINES)


def test_a_server_lists_what_its_clients_may_ask_for() -> None:
    assert forms(here=False) == "level:N, mcts:VISITS, random, brain:NAME, katago or program:NAME"


@pytest.mark.parametrize("text", ["level", "level:", "mcts:", "random:1", "flat:0", "fish", "program:x", ""])
def test_what_is_no_machine_is_told_all_forms(text: str) -> None:
    with pytest.raises(tengen.InvalidOption, match="is no player: use level:N, mcts:VISITS"):
        make_player(text, tengen.game("go", size=5))
