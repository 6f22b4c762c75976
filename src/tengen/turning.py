"""Why a game was lost: the last move of the loser in whose place another one still had a fair chance.

The loser's moves are looked at from the end backwards, first one by one, then in growing steps: a game that
is lost seldom comes back. `seeking` asks for the analysis of positions and is told it, so that whoever has
the time decides how long each may take: `turning_point` searches at once, a server bit by bit.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Literal

from tengen.analysis import Analysis, Candidate, analyse
from tengen.game import State
from tengen.line import Step, turns_to, whole_moves

FAIR = 0.25  # of the win rate, from which on a game was not lost yet
NEAR = 6  # moves that are looked at one by one
TRIED = 4  # moves of a position that may have been better
VISITS = 600


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """`move`: that one lost it. `open`: nothing was lost when it ended. `never`: no single move decided."""

    kind: Literal["move", "open", "never"]
    seat: int  # of the loser
    number: int = 0  # of the move, from 1
    move: str = ""
    better: str = ""
    proven: bool = False  # whether the better move wins for certain
    chance: float = 0.0  # of the loser with the better move, or as it stood at the end
    line: tuple[str, ...] = ()  # the better move first
    line_actions: tuple[tuple[int, ...], ...] = ()


Seeking = Generator[State, Analysis, TurningPoint]


def turning_point(
    state: State, loser: int, look: Callable[[State], Analysis] = lambda state: analyse(state, visits=VISITS)
) -> TurningPoint:
    """Of the game that led to the state."""
    seek = seeking(moves_to(state), state, loser)
    try:
        asked = next(seek)
        while True:
            asked = seek.send(look(asked))
    except StopIteration as end:
        found: TurningPoint = end.value
        return found


def moves_to(state: State) -> list[Step]:
    """The whole moves that led to a state, and the resumptions between them."""
    moves = list[Step]()
    for turn in turns_to(state):
        moves.extend(whole_moves(turn.before, turn.actions) if turn.actions else (turn,))
    return moves


def seeking(moves: Sequence[Step], last: State, loser: int) -> Seeking:
    """Yields positions and is sent what a search thinks of them; returns the turning point.

    `last` is where the game ended, perhaps before its rules said so.
    """
    if last.outcome is None and (chance := _chance((yield last), loser)) >= FAIR:
        return TurningPoint("open", loser, chance=chance)
    own = [number for number, step in enumerate(moves, start=1) if step.actions and step.seat == loser]
    lost, stride = len(own), 1  # from own[lost] on nothing would have helped
    while lost > 0:
        at = max(0, lost - stride)
        found = yield from _better(moves[own[at] - 1], own[at])
        if found is None:
            lost = at
            if len(own) - lost >= NEAR:
                stride *= 2
        elif at == lost - 1:
            return found
        else:
            stride = (lost - at) // 2
            while (middle := lost - stride) > at:
                later = yield from _better(moves[own[middle] - 1], own[middle])
                if later is None:
                    lost = middle
                else:
                    at, found = middle, later
                stride = max(1, (lost - at) // 2)
            return found
    return TurningPoint("never", loser)


def _better(step: Step, number: int) -> Generator[State, Analysis, TurningPoint | None]:
    """The best of the other moves there, if a search after it too says that it had a fair chance."""
    analysis = yield step.before
    for candidate in [one for one in analysis.moves if tuple(one.actions) != step.actions][:TRIED]:
        if candidate.win < FAIR:
            continue
        chance, proven = yield from _after(step.before, candidate)
        if chance >= FAIR:
            return TurningPoint(
                kind="move",
                seat=step.seat,
                number=number,
                move=step.text,
                better=candidate.move,
                proven=proven,
                chance=chance,
                line=candidate.line,
                line_actions=candidate.line_actions,
            )
    return None


def _after(state: State, candidate: Candidate) -> Generator[State, Analysis, tuple[float, bool]]:
    """What is left to who makes the move, and whether it wins for certain."""
    seat = state.to_move
    for action in candidate.actions:
        state = state.play(action)
    if candidate.proven is not None:
        return candidate.win, candidate.proven == "win"
    if state.outcome is not None:
        winner = state.outcome.winner
        return (0.5 if winner is None else float(winner == seat)), winner == seat
    analysis = yield state
    return _chance(analysis, seat), analysis.proven == ("win" if analysis.to_move == seat else "loss")


def _chance(analysis: Analysis, seat: int) -> float:
    return analysis.win if analysis.to_move == seat else 1.0 - analysis.win
