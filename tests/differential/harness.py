"""Plays random games with the engine and the reference side by side and compares them at every position.

A game is fixed by its name and seed: `make_plan` draws the options, the position to begin from and the style
of play (`plans.py`), `play_one` plays it to the end. It raises `MismatchError`, whose text says all that is
needed to see the difference again. Who is to move, energy and the like mean nothing once a game is over, and
are not compared then.
"""

import random
from collections import Counter
from typing import Any

import tengen
from tests.reference import Go, GreatKingdom, Kelasu, Reference
from tests.reference.text import pack

from .plans import Plan, make_plan

GAMES = ("great-kingdom", "go", "kelasu", "dominion-duel")


class MismatchError(AssertionError):
    """Engine and reference disagree."""


def begin(plan: Plan) -> tuple[Any, Reference]:
    """The first state of both."""
    game = tengen.game(plan.game, **plan.options)
    if plan.cells is None:
        return game.start(), plan.reference()
    return game.position(pack(plan.cells, game.width), plan.to_move), plan.reference()


def facts(state: Any, reference: Reference) -> list[tuple[str, Any, Any]]:
    """What is compared, as (name, the engine's value, the reference's)."""
    board = "".join(map(state.game.letters.__getitem__, state.cells()))
    outcome = state.outcome
    found: list[tuple[str, Any, Any]] = [
        ("board", board, reference.board),
        ("outcome", outcome and tuple(outcome), reference.outcome),
        ("legal_actions", state.legal_actions(), reference.legal_actions()),
    ]
    if not reference.over:
        found.append(("to_move", state.to_move, reference.to_move))
    if isinstance(reference, Kelasu):
        if not reference.over:
            found.append(("energy", state.energy, reference.energy))
            found.append(("moved", set(state.moved), reference.moved))
            found.append(("quiet_rounds", state.quiet_rounds, reference.quiet))
        return found
    found.append(("score", state.score()[:2], reference.score()))
    if isinstance(reference, Go):
        found.append(("prisoners", list(state.prisoners), reference.prisoners))
        if reference.ko_rule == "simple" and not reference.over:
            found.append(("ko", state.ko, reference.ko))
    if isinstance(reference, GreatKingdom):
        found.append(("territory", list(state.territory()), reference.territory()))
    if isinstance(reference, Go | GreatKingdom):
        found.append(("liberties", state.liberties(), reference.liberties()))
    return found


def play_one(game: str, seed: int) -> tuple[str, int]:
    """Plays one game to its end; returns how it ended and after how many actions. Raises MismatchError."""
    plan = make_plan(game, seed)
    rng = random.Random(f"{game} {seed} play")
    actions: list[int] = []
    try:
        state, reference = begin(plan)
        while True:
            for name, engine, naive in facts(state, reference):
                if engine != naive:
                    raise MismatchError(f"{name}: the engine has {engine!r}, the reference {naive!r}")
            if reference.outcome:
                return reference.outcome[1], len(actions)
            action = plan.choose(rng, reference, len(actions))
            actions.append(action)
            state = state.play(action)
            reference.play(action)
    except Exception as error:
        raise MismatchError(
            f"{error!r}\n{plan}\nseed {seed}, after actions {actions}\n"
            f"again: python -m tests.differential.soak --game {game} --seed {seed} --count 1"
        ) from error


def play_many(game: str, seeds: range) -> Counter[str]:
    """How those games ended."""
    return Counter(play_one(game, seed)[0] for seed in seeds)
