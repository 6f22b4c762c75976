"""Why a game was lost: the last blunder of the loser, as the review of the game judges moves.

A review says of each move what it gave away. `decided` is the rule, over the reviewed moves of the loser, so
that the answer never contradicts a review; the page has it too (`web/src/review/decided.ts`). `seeking` asks
only for the moves that the rule needs, from the end backwards, first one by one, then in growing steps: a
game that is lost seldom comes back. Whoever has the time decides how a move is judged.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from tengen.analysis import MISTAKES, ReviewedMove, analyse, review_move
from tengen.game import State
from tengen.line import Step, turns_to, whole_moves

LEAST = MISTAKES[0][0]  # of the win rate: whoever has less has no blunder left to make
EVEN = 0.5  # from which on what had happened before is forgotten
FAIR = 0.25  # with which a game that was given up was not lost yet
NEAR = 6  # moves that are looked at one by one
VISITS = 1000  # as `tengen analyse` has them


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


class Judged(Protocol):
    """A reviewed move, as far as it matters here."""

    @property
    def win_before(self) -> float: ...
    @property
    def mistake(self) -> str | None: ...


def decided(moves: Sequence[Judged]) -> int | None:
    """Which of the loser's reviewed moves, in their order, has lost the game; None where no single one has.

    The last blunder since the chances were last even, and where there is none the last mistake.
    """
    mistake = None
    for index in range(len(moves) - 1, -1, -1):
        judged = moves[index]
        if judged.mistake == "blunder":
            return index
        if mistake is None and judged.mistake == "mistake" and judged.win_before >= LEAST:
            mistake = index
        if judged.win_before >= EVEN:
            break
    return mistake


Seeking = Generator[int, Judged, int | None]


def seeking(own: Sequence[int]) -> Seeking:
    """Of the loser's moves, which it names as they are given, it asks what a review says, and returns one.

    Each is asked for once.
    """
    known: dict[int, Judged] = {}

    def judged(at: int) -> Generator[int, Judged, Judged]:
        if at not in known:
            known[at] = yield own[at]
        return known[at]

    lost, stride = len(own), 1  # from own[lost] on there was nothing to lose
    while lost > 0:
        at = max(0, lost - stride)
        if (yield from judged(at)).win_before >= LEAST:
            break
        lost = at
        if len(own) - lost >= NEAR:
            stride *= 2
    else:
        return None
    while lost - at > 1:
        middle = (lost + at) // 2
        if (yield from judged(middle)).win_before >= LEAST:
            at = middle
        else:
            lost = middle
    first = at
    while first > 0 and known[first].mistake != "blunder" and known[first].win_before < EVEN:
        first -= 1
        yield from judged(first)
    found = decided([known[index] for index in range(first, at + 1)])
    return None if found is None else own[first + found]


def turning_point(
    state: State,
    loser: int,
    look: Callable[[int, Step], ReviewedMove] = lambda number, step: review_move(
        step.before, step.actions, number=number, visits=VISITS
    ),
) -> TurningPoint:
    """Of the game that led to the state, perhaps before its rules said that it was over."""
    if state.outcome is None and (chance := chance_of(state, loser)) >= FAIR:
        return TurningPoint("open", loser, chance=chance)
    moves, reviewed = moves_to(state), dict[int, ReviewedMove]()
    own = [number for number, step in enumerate(moves, start=1) if step.actions and step.seat == loser]
    seek, number = seeking(own), None
    try:
        number = next(seek)
        while True:
            reviewed[number] = look(number, moves[number - 1])
            number = seek.send(reviewed[number])
    except StopIteration as end:
        number = end.value
    if number is None:
        return TurningPoint("never", loser)
    found = reviewed[number]
    return TurningPoint(
        kind="move",
        seat=loser,
        number=number,
        move=found.move,
        better=found.best,
        proven=found.before is not None and found.before.proven == "win",
        chance=found.win_before,
        line=found.line,
        line_actions=found.line_actions,
    )


def chance_of(state: State, seat: int) -> float:
    """As a search of the position sees it."""
    found = analyse(state, visits=VISITS)
    return found.win if found.to_move == seat else 1.0 - found.win


def moves_to(state: State) -> list[Step]:
    """The whole moves that led to a state, and the resumptions between them."""
    moves = list[Step]()
    for turn in turns_to(state):
        moves.extend(whole_moves(turn.before, turn.actions) if turn.actions else (turn,))
    return moves
