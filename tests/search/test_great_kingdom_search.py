"""What Monte Carlo search must never miss in Great Kingdom (docs/rules/great-kingdom.md, cited as "GK 5").

Answers are checked here without the search: long captures by `forces_capture`, which tries every defence, and
small boards by `winner`, which tries every line to its end.
"""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

import tengen
from tengen.search.mcts import Report, Search

BLUE, ORANGE = 0, 1
PRESETS = ("rulebook", "published")


def at(text: str, to_move: int = BLUE, **options: Any) -> Any:
    return tengen.game("great-kingdom", **options).position(text, to_move)


def searched(state: Any, visits: int = 400, seed: int = 1) -> Report:
    search = Search(state, seed=seed)
    search.run(visits=visits)
    return search.report()


def best(state: Any, visits: int = 400, seed: int = 1) -> int:
    return searched(state, visits, seed).actions[0].action


def name(state: Any, action: int) -> str:
    return str(state.game.format(state, [action]))


def captures_now(state: Any) -> bool:
    outcomes = (state.play(action).outcome for action in state.legal_actions())
    return any(outcome is not None and outcome.winner == state.to_move for outcome in outcomes)


def forces_capture(state: Any, action: int, castles: int) -> bool:
    """Whether the action captures by force with at most that many castles of its player."""
    attacker, after = state.to_move, state.play(action)
    if after.outcome is not None:
        return bool(after.outcome.winner == attacker)
    if castles == 1 or captures_now(after):
        return False
    pass_action = after.game.action_count - 1
    if not captures_now(after.play(pass_action)):  # no threat: only runs of threats are followed
        return False
    for position in (after.play(reply) for reply in after.legal_actions() if reply != pass_action):
        if position.outcome is not None:
            if position.outcome.winner != attacker:
                return False
        elif not captures_now(position) and not any(
            forces_capture(position, follow_up, castles - 1) for follow_up in position.legal_actions()
        ):
            return False
    return True


# Positions from games, where the player to move captures by force with so many castles.
CAPTURES: list[tuple[int, str, str, int]] = [
    (1, "rulebook", "OB7/9/9/9/4N4/9/9/9/8O", BLUE),
    (1, "rulebook", "6BO1/6BOB/7BO/9/4N4/9/9/9/9", BLUE),
    (1, "published", "9/9/9/3B5/2BON4/9/9/9/9", BLUE),
    (2, "rulebook", "1B7/1BB1BO3/4B2B1/5O3/1BB1N2O1/2B3BO1/1O1OB1BO1/1OO3OB1/1O4O2", ORANGE),
    (2, "rulebook", "7B1/3B2OO1/5O3/2O6/4N4/1B4BB1/2O1B4/1B4O1O/2B6", ORANGE),
    (2, "rulebook", "BBBOO4/2OO3O1/1O1OB1O2/1B7/2O1N1B2/1BO5B/2OB5/B1B6/1B7", ORANGE),
    (2, "rulebook", "9/2BB1B3/3B2B2/9/1O1ON1B2/1B3OB2/1B4O2/1O1OOBO2/4OB1O1", ORANGE),
    (2, "published", "OO7/9/2O6/1O7/4N4/7B1/6B2/1BB2OBO1/7B1", BLUE),
    (3, "published", "4BO3/2BB1O3/OO5O1/6O2/4N2O1/1BB3B2/3B2O2/3BOB3/9", BLUE),
    (3, "published", "B8/B1B1O2B1/5O3/9/OB2N4/2O5O/1B2O4/3B5/4O4", BLUE),
    (3, "rulebook", "4BO3/2BB1O3/OO5O1/6O2/4N2O1/1BB3B2/3B2O2/3BOB3/9", BLUE),
    (3, "rulebook", "B8/B1B1O2B1/5O3/9/OB2N4/2O5O/1B2O4/3B5/4O4", BLUE),
]


@pytest.mark.parametrize(("castles", "rules", "text", "to_move"), CAPTURES)
def test_forced_captures_are_found(castles: int, rules: str, text: str, to_move: int) -> None:
    state = at(text, to_move, rules=rules)
    report = searched(state, visits=50)
    assert report.proven == "win"
    assert forces_capture(state, report.actions[0].action, castles)


# Positions from games in which the player to move has a group with one liberty; only that cell saves it.
SAVES: list[tuple[str, str, int, str]] = [
    ("rulebook", "3BB1O2/2O2B1O1/OO5BO/2O2BBOO/O3N1B2/2O6/1B1O5/OB1B1B1B1/6B2", BLUE, "G7"),
    (
        "rulebook",
        "3BB1O2/2O2B1O1/OO4BBO/2OB1BBOO/O3N1BO1/1OO3B2/OBOOB4/OBOB1B1B1/2B3B2",
        BLUE,
        "B1",
    ),
    ("published", "B1B6/B1B1O2B1/5O1OB/2B4B1/OB2N4/1OO5O/1B2O2B1/2OBO4/4O4", ORANGE, "G7"),
    ("published", "B1B6/B1B1O1OB1/3O1OOOB/2B4B1/OBO1N4/1OO5O/1BBBO2B1/2OBO4/1B2O4", BLUE, "B6"),
]


@pytest.mark.parametrize(("rules", "text", "to_move", "answer"), SAVES)
def test_a_group_in_danger_is_saved(rules: str, text: str, to_move: int, answer: str) -> None:
    state = at(text, to_move, rules=rules)
    assert name(state, best(state, visits=100)) == answer


def test_two_threats_at_once_are_a_proven_loss() -> None:
    state = at("OB5BO/9/9/9/4N4/9/9/9/9", ORANGE)
    assert searched(state).proven == "loss"


@pytest.mark.parametrize(
    "text", ["1O7/O8/9/9/4N4/9/9/9/9", "OBO6/O1O6/1O7/9/4N4/9/9/9/9", "9/9/4O4/3O1O3/4N4/9/9/9/9"]
)
def test_suicide_is_not_even_tried(text: str) -> None:
    state = at(text)
    tried = {move.action for move in searched(state).actions}
    for action in state.legal_actions():
        outcome = state.play(action).outcome
        if outcome is not None and outcome.reason == "suicide":
            assert action not in tried


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("seed", range(3))
def test_no_move_allows_an_immediate_capture_unless_all_do(rules: str, seed: int) -> None:
    rng = random.Random(seed)
    state = tengen.game("great-kingdom", rules=rules).start()
    while state.outcome is None:
        action = best(state, visits=60, seed=rng.randrange(100))
        after = state.play(action)
        if after.outcome is None and captures_now(after):
            others = (state.play(other) for other in state.legal_actions())
            assert all(
                other.outcome.winner != state.to_move if other.outcome else captures_now(other)
                for other in others
            )
        # Now and then another move, so that the games differ.
        state = after if rng.random() < 0.8 else state.play(rng.choice(state.legal_actions()))


@pytest.mark.parametrize("rules", PRESETS)
def test_a_pass_that_wins_is_made(rules: str) -> None:
    game = tengen.game("great-kingdom", rules=rules)
    pass_action = game.action_count - 1
    three = game.position("3B5/BBB6/9/9/4N4/9/9/9/8O", ORANGE).play(pass_action)
    report = searched(three)
    assert (report.proven, report.actions[0].action) == ("win", pass_action)
    two = game.position("2B6/BB7/9/9/4N4/9/9/9/8O", ORANGE).play(pass_action)
    assert best(two) != pass_action


def test_the_last_gap_of_a_large_territory_is_closed() -> None:
    """GK 7: nobody may enter it afterwards, so the wall lives and the points are safe."""
    rows = ["5BO2"] * 4 + ["4N4"] + ["5BO2"] * 4
    state = at("/".join(rows), rules="published")
    report = searched(state, visits=1500)
    assert name(state, report.actions[0].action) in {"F5", "G5"}
    while state.outcome is None:
        state = state.play(best(state, visits=300))
    assert (state.outcome.winner, state.outcome.reason) == (BLUE, "territory")


@cache
def winner(state: Any) -> int:
    if state.outcome is not None:
        return int(state.outcome.winner)
    wins = any(winner(state.play(action)) == state.to_move for action in state.legal_actions())
    return int(state.to_move if wins else 1 - state.to_move)


SMALL: list[dict[str, Any]] = [
    {"size": 4, "neutral": False, "lead": 1},
    {"size": 4, "neutral": False, "lead": 1, "rules": "published"},
    {"size": 4, "neutral": False, "lead": 0, "suicide": "illegal", "enter_own_territory": False},
    {"size": 4, "neutral": False, "lead": 1, "castles": 5},
    {"size": 3, "lead": 1},
    {"size": 3, "lead": 1, "rules": "published", "castles": 3},
]


@pytest.mark.parametrize("options", SMALL, ids=str)
def test_proofs_agree_with_every_line_played_out(options: dict[str, Any]) -> None:
    """A win is kept by the action chosen, nothing proven is wrong, and small positions are solved."""
    rng = random.Random(7)
    game = tengen.game("great-kingdom", **options)
    quiet = 0
    for _ in range(25):
        state = game.start()
        for _ in range(0 if options["size"] == 3 else 8):
            if state.outcome is None:
                state = state.play(rng.choice(state.legal_actions()))
        while state.outcome is None:
            report = searched(state, visits=2000)
            assert report.proven == ("win" if winner(state) == state.to_move else "loss")
            chosen = state.play(report.actions[0].action)
            assert winner(chosen) == winner(state)
            quiet += chosen.outcome is not None and chosen.outcome.reason == "territory"
            state = state.play(rng.choice(state.legal_actions()))
    winner.cache_clear()
    assert quiet > 0


@pytest.mark.parametrize(
    "options",
    [{}, {"rules": "published"}, {"size": 5}, {"size": 7}, {"size": 13}, {"size": 8, "neutral": False}],
    ids=str,
)
def test_the_same_seed_gives_the_same_game(options: dict[str, Any]) -> None:
    def actions() -> list[int]:
        state: Any = tengen.game("great-kingdom", **options).start()
        for _ in range(12):
            if state.outcome is None:
                state = state.play(best(state, visits=50, seed=3))
        return list(state.actions)

    first = actions()
    assert first == actions()
    assert len(first) > 4


def test_ownership_knows_whose_castles_and_corners_are_whose() -> None:
    rows = ["3BO4"] * 4 + ["3BN4"] + ["3BO4"] * 4
    report = searched(at("/".join(rows), rules="published"), visits=500)
    assert report.ownership is not None
    assert report.ownership[0] > 0.5  # A9, behind Blue's wall
    assert report.ownership[3] == 1  # D9, a castle of Blue
    assert report.ownership[8] < -0.5  # J9, behind Orange's
