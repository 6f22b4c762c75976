"""tools/ratings.py: one scale a game, from the matches in docs/results."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tengen.brains.store import BrainStore
from tengen.rating import ZERO, Score, fit
from tools import ratings

SCALES = sorted(ratings.RESULTS.glob("ratings-*.json"))


def match(a: str, b: str, games: int, score: float) -> dict[str, object]:
    return {"a": a, "b": b, "games": games, "score": score}


def test_matches_of_a_pair_count_together_either_way_round() -> None:
    once = ratings.rows_of([match("level:2", ZERO, 100, 0.6)], None)
    twice = ratings.rows_of([match("level:2", ZERO, 40, 0.75), match(ZERO, "level:2", 60, 0.5)], None)
    assert [row.title for row in once] == ["level:2", ZERO]
    assert twice[0].elo == pytest.approx(once[0].elo) and twice[0].half == pytest.approx(once[0].half)
    assert twice[0].games == 100 and once[1].elo == 0


def test_a_brain_is_named_while_it_is_shipped() -> None:
    shipped = BrainStore().shipped("kelasu")
    assert shipped is not None
    digest = shipped.digest[:12]
    assert ratings.title_of(f"brain {digest}@64", shipped) == "brain:default@64"
    assert ratings.title_of(f"level:9 with brain {digest}", shipped) == "level:9"
    assert ratings.title_of("brain 0123456789ab@64", shipped) == "brain 0123456789ab@64, not shipped"
    gone = ratings.title_of("level:9 with brain 0123456789ab", shipped)
    assert gone == "level:9 with brain 0123456789ab, not shipped"


def test_a_match_is_played_and_added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratings, "RESULTS", tmp_path)
    ratings.add_match("great-kingdom", "random", "mcts:20", 2, ["size=5"])
    ratings.add_match("great-kingdom", "mcts:20", "mcts:40", 2, [])
    kept = json.loads((tmp_path / "ratings-great-kingdom.json").read_text())
    assert kept["options"]["size"] == 5
    assert [(one["a"], one["b"], one["games"]) for one in kept["matches"]] == [
        ("random", "mcts:20", 2),
        ("mcts:20", "mcts:40", 2),
    ]
    with pytest.raises(SystemExit, match="other options"):
        ratings.add_match("great-kingdom", "random", "mcts:20", 2, ["size=7"])


@pytest.mark.parametrize("path", SCALES, ids=lambda path: path.stem)
def test_a_scale_hangs_together(path: Path) -> None:
    """Each player is tied to the zero by matches, so that no rating is the prior's alone."""
    kept = json.loads(path.read_text())
    tied, before = {ZERO}, 0
    while len(tied) > before:
        before = len(tied)
        for one in kept["matches"]:
            if tied & {one["a"], one["b"]}:
                tied |= {one["a"], one["b"]}
    assert {name for one in kept["matches"] for name in (one["a"], one["b"])} == tied


def test_the_page_is_what_the_matches_say() -> None:
    page = ratings.PAGE.read_text()
    assert SCALES
    for path in SCALES:
        kept = json.loads(path.read_text())
        rows = ratings.rows_of(kept["matches"], BrainStore().shipped(kept["game"]))
        assert ratings.table(rows) in page
        drawn = ratings.chart("A game", rows)
        assert len(ElementTree.fromstring(drawn).findall(".//{*}circle")) == len(rows) + len(ratings.KINDS)


def test_a_score_alone_is_enough_to_fit() -> None:
    assert fit({("a", "b"): Score(1000, 0.64)}, "b")["a"][0] == pytest.approx(100, abs=3)
