"""Why a game was lost: the last blunder of the loser, as the review of the game judges moves.

Where there is none it is the stretch of moves over which the game slipped away, and the largest step of that.

A review says of each move what it gave away. `decided` is the rule, over the reviewed moves of the loser, so
that the answer never contradicts a review; the page has it too (`web/src/review/decided.ts`). `seeking` asks
only for the moves that the rule needs, from the end backwards, first one by one, then in growing steps: a
game that is lost seldom comes back. Whoever has the time decides how a move is judged.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from tengen.analysis import MISTAKES, ReviewedMove, analyse, review_move
from tengen.game import State
from tengen.line import Step, turns_to, whole_moves

LEAST = MISTAKES[0][0]  # of the win rate: whoever has less has no blunder left to make
EVEN = 0.5  # from which on what had happened before is forgotten
FAIR = 0.25  # with which a game that was given up was not lost yet
STEP = 0.01  # of the win rate: less is no step that could be named
NEAR = 6  # moves that are looked at one by one
VISITS = 1000  # as `tengen analyse` has them


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """Where it was lost.

    `move`: that one lost it. `slowly`: it slipped away between two moves, most of it by that one. `open`:
    nothing was lost when it ended. `never`: there was no chance to lose.
    """

    kind: Literal["move", "slowly", "open", "never"]
    seat: int  # of the loser
    number: int = 0  # of the move, from 1
    move: str = ""
    better: str = ""  # empty where it slipped away and the search knows no better move
    proven: bool = False  # whether the better move wins for certain
    chance: float = 0.0  # of the loser with the better move, or as it stood at the end
    line: tuple[str, ...] = ()  # the better move first
    line_actions: tuple[tuple[int, ...], ...] = ()
    since: int = 0  # between these two moves it slipped away
    until: int = 0
    had: float = 0.0  # of the loser at those moves
    left: float = 0.0


class Judged(Protocol):
    """A reviewed move, as far as it matters here."""

    @property
    def win_before(self) -> float: ...
    @property
    def win_after(self) -> float: ...
    @property
    def mistake(self) -> str | None: ...


@dataclass(frozen=True, slots=True)
class Lost:
    """Which of the loser's moves lost the game, alone or as the largest step of a stretch."""

    kind: Literal["move", "slowly"]
    at: int
    since: int
    until: int
    had: float  # chances at the ends of the stretch
    left: float


def decided(moves: Sequence[Judged]) -> Lost | None:
    """Of the loser's reviewed moves, in their order; None where there was never a chance to lose.

    The last blunder since the chances were last even, and where there is none the last mistake. Where there
    is neither, the stretch from then on until the chances were gone.
    """
    mistake, since, last = None, 0, None
    for index in range(len(moves) - 1, -1, -1):
        judged = moves[index]
        if judged.mistake == "blunder":
            mistake = index
            break
        if last is None and judged.win_before >= LEAST:
            last = index
        if mistake is None and judged.mistake == "mistake" and judged.win_before >= LEAST:
            mistake = index
        if judged.win_before >= EVEN:
            since = index
            break
    if mistake is not None:
        one = moves[mistake]
        return Lost("move", mistake, mistake, mistake, one.win_before, one.win_after)
    if last is None:
        return None
    at = max(range(since, last + 1), key=lambda index: moves[index].win_before - moves[index].win_after)
    until = min(last + 1, len(moves) - 1)
    left = moves[until].win_before if until > last else moves[until].win_after
    return Lost("slowly", at, since, until, moves[since].win_before, left)


Seeking = Generator[int, Judged, Lost | None]


def seeking(own: Sequence[int]) -> Seeking:
    """Of the loser's moves, which it names as they are given, it asks what a review says, and returns some.

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
    found = decided([known[index] for index in range(first, min(at + 2, len(own)))])
    if found is None:
        return None
    at, since, until = (own[first + index] for index in (found.at, found.since, found.until))
    return replace(found, at=at, since=since, until=until)


class Reviewed(Judged, Protocol):
    """A reviewed move with what was better."""

    @property
    def move(self) -> str: ...
    @property
    def best(self) -> str: ...
    @property
    def line(self) -> Sequence[str]: ...
    @property
    def line_actions(self) -> Sequence[Sequence[int]]: ...


def told(
    lost: Lost | None, seat: int, reviews: Mapping[int, Reviewed], proven: Callable[[int], bool]
) -> TurningPoint:
    """What was found, with the words of the review of that move."""
    if lost is None:
        return TurningPoint("never", seat)
    review = reviews[lost.at]
    found = TurningPoint(
        kind=lost.kind,
        seat=seat,
        number=lost.at,
        move=review.move,
        better=review.best,
        proven=proven(lost.at),
        chance=review.win_before,
        line=tuple(review.line),
        line_actions=tuple(tuple(actions) for actions in review.line_actions),
        since=lost.since,
        until=lost.until,
        had=lost.had,
        left=lost.left,
    )
    if lost.kind == "slowly" and (review.best == review.move or review.win_before - review.win_after < STEP):
        start = reviews[lost.since]
        return replace(
            found,
            number=lost.since,
            move=start.move,
            better="",
            proven=False,
            chance=lost.had,
            line=(),
            line_actions=(),
        )
    return found


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
    seek = seeking(own)
    try:
        number = next(seek)
        while True:
            reviewed[number] = look(number, moves[number - 1])
            number = seek.send(reviewed[number])
    except StopIteration as end:
        return told(end.value, loser, reviewed, lambda number: _proven(reviewed[number]))


def _proven(review: ReviewedMove) -> bool:
    return review.before is not None and review.before.proven == "win"


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
