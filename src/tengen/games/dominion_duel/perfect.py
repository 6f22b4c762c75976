"""Dominion Duel solved: the outcome of every position and its best claims, by a table look-up.

Why stands in cpp/games/dominion_duel/description.cpp.
"""

from __future__ import annotations

from tengen import _core
from tengen.facets.solving import Solution, Work, moves_text
from tengen.game import State

LONGEST_LINE = 100  # actions
LINE_WORK = 1_000_000  # territories that may be looked at for the line; rows of 100 000 get few actions


def grundy(run: int) -> int:
    """The Grundy value of a run of that many open territories."""
    return _core.dominion_duel_grundy(run)


def outcomes(state: State) -> dict[int, int | None]:
    """For each legal action the winner (None for a draw) when both play on without a mistake."""
    assert isinstance(state, _core.ShortDominionDuel | _core.LongDominionDuel)
    return state.outcomes()


def best_actions(state: State) -> list[int]:
    """The actions that keep the best outcome that the mover can have."""
    found = outcomes(state)
    wanted = 0 if state.to_move == 0 else None
    best = [action for action, winner in found.items() if winner == wanted]
    return best or list(found)


def solve(state: State, work: Work) -> Solution:
    line: list[int] = []
    winner = outcomes(state)[best_actions(state)[0]]
    current = state
    while current.outcome is None and len(line) < min(LONGEST_LINE, LINE_WORK // state.game.width + 1):
        line.append(best_actions(current)[0])
        current = current.play(line[-1])
    text = (
        "Player 1 can force a win, 1 claim ahead."
        if winner == 0
        else "Player 2 can force a draw, and no more."
    )
    value = 1.0 if winner == 0 else 0.0
    return Solution(
        text, value, winner, True, value, value, tuple(line), moves_text(state, line), 0, work.seconds()
    )
