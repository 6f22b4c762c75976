"""Analysis, review, levels and the estimate of dead stones."""

from __future__ import annotations

import json
from collections.abc import Iterable

import pytest

import tengen
from tengen.analysis import analyse, review, standing
from tengen.game import cells_to_text
from tengen.games.go.estimate import estimate_dead
from tengen.search import level, levels


@pytest.mark.parametrize("name", tengen.games()[:4])
def test_analysis_is_data_about_legal_moves(name: str) -> None:
    game = tengen.game(name, **({"size": 9} if name == "go" else {}))
    state = game.start()
    found = analyse(state, visits=150)
    assert json.loads(json.dumps(found.to_json()))["to_move"] == 0
    for move in found.moves[:5]:
        assert game.parse(state, move.move) == list(move.actions)
        assert move.line[0] == move.move
        after = state
        for action in move.actions:
            after = after.play(action)
        assert not game.mid_move(after)
    assert (found.lead is not None) == (name in ("go", "great-kingdom"))


def test_a_capture_at_hand_is_proven() -> None:
    game = tengen.game("great-kingdom")
    found = analyse(game.position("OB7/9/9/9/4N4/9/9/9/8O"), visits=50)
    assert found.proven == "win" and found.moves[0].move == "A8"


def test_nothing_to_analyse_after_the_end() -> None:
    game = tengen.game("great-kingdom")
    state = game.start().play(game.action_count - 1).play(game.action_count - 1)
    with pytest.raises(ValueError, match="over"):
        analyse(state)


def test_review_finds_the_blunder() -> None:
    """A castle in the corner is lost by force, however long Orange takes about it."""
    game = tengen.game("great-kingdom")
    state = game.start()
    moves = []
    for text in ("A9", "A8", "E7", "E3", "C3", "B9"):
        actions = game.parse(state, text)
        moves.append((state, actions))
        state = state.play(actions[0])
    assert state.outcome is not None and state.outcome.winner == 1
    seen: list[int] = []
    found = review(moves, visits=1000, progress=lambda done, total: seen.append(done))
    assert seen == [1, 2, 3, 4, 5, 6]
    assert found[-1].win_after == 1.0 and found[-1].mistake is None
    assert found[0].mistake == "blunder" and found[0].win_after == 0.0
    assert found[3].best == "B9" and [one.mistake for one in found[1:]] == [None] * 5


def test_levels() -> None:
    for name in tengen.games()[:4]:
        ladder = levels(name)
        assert [one.number for one in ladder] == list(range(1, len(ladder) + 1))
        assert len(ladder) == (4 if name == "dominion-duel" else 10)
        assert len({one.name for one in ladder}) == len(ladder)
    with pytest.raises(tengen.InvalidOption, match="levels 1 to 10, not 11"):
        level("go", 11)
    with pytest.raises(tengen.InvalidOption, match="no game"):
        level("tic-tac-toe", 1)


def _stopped(diagram: str) -> tengen.State:
    rows = diagram.split()
    game = tengen.game("go", size=len(rows))
    text = cells_to_text([".XO".index(mark) for mark in "".join(rows)], game.letters, game.width)
    return game.position(text, 0).play(game.action_count - 1).play(game.action_count - 1)


def _names(state: tengen.State, cells: Iterable[int]) -> str:
    return " ".join(state.game.format(state.game.start(), [cell]) for cell in cells)


def test_dead_stones_are_suggested() -> None:
    state = _stopped("..XO..... " * 4 + "O.XO..... " + "..XO..... " * 4)
    assert _names(state, estimate_dead(state).dead) == "A5"


def test_what_lives_by_two_eyes_is_never_dead() -> None:
    state = _stopped(".X.XO XXXXO OOOOO O.O.O .OOO.")
    assert estimate_dead(state).dead == ()


def test_points_of_a_seki_are_suggested_neutral() -> None:
    """GO 22: each side has an eye, A9 and E9, and neither can play the shared C9."""
    state = _stopped(".X.O.OX.. XXXOOOX.. OOOXXXX.." + " ..OX....." * 6)
    found = estimate_dead(state)
    assert found.dead == ()
    assert _names(state, found.neutral) == "A9 C9 E9"
    assert _names(state, found.seki) == "B9 D9 F9 A8 B8 C8 D8 E8 F8"


def test_a_seki_without_eyes_is_left_alone() -> None:
    state = _stopped(
        ".XXX.OX.. OOOOOOX.. XXXXXXX.. ......... XXXXXXXXX OOOOOOOOO ......... ......... ........."
    )
    assert estimate_dead(state).dead == ()


@pytest.mark.parametrize(
    ("scoring", "rows", "points"),
    [
        ("territory", ["3XO4"] * 9, (27, 42.5)),
        ("territory", ["3XO4"] * 8 + ["O2XO4"], (28, 42.5)),  # a dead stone counts twice
        ("area", ["3XO4"] * 9, (36, 51.5)),
    ],
)
def test_how_a_game_stands(scoring: str, rows: list[str], points: tuple[float, float]) -> None:
    game = tengen.game("go", size=9, scoring=scoring)
    found = game.opponents.standing(game.position("/".join(rows)))
    assert found.points == pytest.approx(points, abs=1.5) and len(found.ownership) == 81


def test_a_score_says_what_a_hint_says_while_much_is_open_and_counts_what_is_settled() -> None:
    """Playouts gave W+18.7 for a board with two lost stones where Black leads by some two points."""
    game = tengen.game("go", size=9)
    opened = game.position("9/9/2X6/6O2/9/9/2X3O2/9/9")
    found, hint = standing(opened), analyse(opened, visits=400)
    assert hint.by == "brain" and hint.lead is not None
    assert found.points[0] - found.points[1] == pytest.approx(hint.lead, abs=3)
    assert sum(found.points) == pytest.approx(sum(game.opponents.standing(opened).points))
    settled = game.position("/".join(["3XO4"] * 9))
    assert standing(settled) == game.opponents.standing(settled)


def test_an_empty_board_stands_at_the_komi() -> None:
    game = tengen.game("go", size=19)
    first, second = game.opponents.standing(game.start()).points
    assert second - first == pytest.approx(6.5, abs=1.5)
