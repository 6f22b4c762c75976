"""Dominion Duel solved: the outcome of every position and its best claims, by a table look-up.

Players alternate, so the first player ends with one claim more exactly when the number of claims is odd:
who makes the last claim decides, and a draw is the best that the second player can get. That is the octal
game 0.137 (Dawson's Chess): a claim inside a run of open territories leaves two shorter runs, and a
position is lost for the mover, who then cannot make the last claim against best play, exactly when the
Grundy values of its runs sum (xor) to 0.
"""

from __future__ import annotations

from functools import cache

from tengen.facets.solving import Solution, Work, moves_text
from tengen.game import State

PERIOD = 34  # of the Grundy values, from PERIODIC_FROM on (Guy and Smith, 1956)
PERIODIC_FROM = 52
LONGEST_LINE = 100  # actions
LINE_WORK = 1_000_000  # territories that may be looked at for the line; rows of 100 000 get few actions


def grundy(run: int) -> int:
    """The Grundy value of a run of that many open territories."""
    if run >= PERIODIC_FROM + PERIOD:
        run = PERIODIC_FROM + (run - PERIODIC_FROM) % PERIOD
    return _table()[run]


@cache
def _table() -> tuple[int, ...]:
    values = [0]
    for run in range(1, PERIODIC_FROM + PERIOD):
        reachable = {values[max(0, claim - 1)] ^ values[max(0, run - claim - 2)] for claim in range(run)}
        values.append(next(value for value in range(run + 1) if value not in reachable))
    return tuple(values)


def outcomes(state: State) -> dict[int, int | None]:
    """For each legal action the winner (None for a draw) when both play on without a mistake."""
    runs = open_runs(state)
    total = 0
    for _, length in runs:
        total ^= grundy(length)
    result: dict[int, int | None] = {}
    for start, length in runs:
        rest = total ^ grundy(length)
        for claim in range(length):
            after = rest ^ grundy(max(0, claim - 1)) ^ grundy(max(0, length - claim - 2))
            # After a claim that leaves 0 its maker makes the last claim; the first player wins by making it.
            last = state.to_move if after == 0 else 1 - state.to_move
            result[start + claim] = 0 if last == 0 else None
    return result


def best_actions(state: State) -> list[int]:
    """The actions that keep the best outcome that the mover can have."""
    found = outcomes(state)
    wanted = 0 if state.to_move == 0 else None
    best = [action for action, winner in found.items() if winner == wanted]
    return best or list(found)


def open_runs(state: State) -> list[tuple[int, int]]:
    """The runs of open territories, as (first, length)."""
    runs: list[tuple[int, int]] = []
    for cell, code in enumerate(state.cells()):
        if code != 0:
            continue
        if runs and sum(runs[-1]) == cell:
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        else:
            runs.append((cell, 1))
    return runs


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
