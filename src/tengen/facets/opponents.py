"""`Opponents`: how machines play a game, from levels to perfect play.

A level is a budget and a blur: win rates are seen through noise of that size, so a weak level makes plausible
moves that are a little worse, not random ones. A game that has not been measured gets levels by time.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from tengen.facets.solving import Solution, Work
    from tengen.game import Game, OptionValue, Outcome, State

# What a player feels across the board, weakest first.
NAMES = (
    "First steps",
    "Gentle",
    "Easy-going",
    "Casual",
    "Steady",
    "Careful",
    "Sharp",
    "Strong",
    "Fierce",
    "Relentless",
)
MOVE_SECONDS = 3.0  # no level thinks longer about one move


@dataclass(frozen=True, slots=True)
class Level:
    number: int
    name: str
    visits: int  # simulations a move
    blur: float  # standard deviation of the noise on win rates; the chance of carelessness where all is known
    simulations: int = 0  # a move, where the shipped brain plays instead; 0 where it does not
    brain_blur: float = 0.0  # likewise
    seconds: float = MOVE_SECONDS  # a move, at most


@dataclass(frozen=True, slots=True)
class DeadEstimate:
    """What a machine thinks of a stopped game that ends in an agreement on dead stones."""

    dead: tuple[int, ...]  # every stone of the dead chains
    seki: tuple[int, ...]  # every stone in seki
    neutral: tuple[int, ...]  # empty points that a seki makes nobody's
    ownership: tuple[float, ...]  # by cell, 1 all the first seat's to -1 all the second's


@dataclass(frozen=True, slots=True)
class Standing:
    """How a game stands while it is played, as far as a machine can tell."""

    points: tuple[float, float]  # that the seats may expect
    dead: tuple[int, ...]
    ownership: tuple[float, ...]  # by cell, 1 all the first seat's to -1 all the second's


# Seconds and blur of a game that nobody has measured: time grows by half again and again.
_BY_TIME = (
    (0.02, 0.25),
    (0.04, 0.15),
    (0.08, 0.08),
    (0.15, 0.03),
    (0.3, 0.0),
    (0.6, 0.0),
    (1.2, 0.0),
    (2.4, 0.0),
)
_PLENTY = 10_000_000  # visits: the time ends the search long before


class Opponents:
    table: ClassVar[tuple[tuple[int, float], ...]] = ()  # visits and blur of each level, weakest first
    brains: ClassVar[Mapping[int, int]] = {}  # simulations of the shipped brain by level, where it plays
    brain_blurs: ClassVar[Mapping[int, float]] = {}  # and its blur, where it has one
    seconds: ClassVar[Mapping[int, float]] = {}  # a move at most, for levels that end before MOVE_SECONDS
    brain_is_stronger: ClassVar[bool] = False  # than the search without one, as matches have shown
    opening_moves: ClassVar[int] = 2  # that an arena makes at random, so that games differ
    estimates: ClassVar[bool] = False  # whether a machine can say how a game stands in points
    resigns: ClassVar[bool] = False  # whether a machine gives up what has long been hopeless
    timed: ClassVar[tuple[tuple[str, Mapping[str, OptionValue]], ...]] = ()  # boards that `doctor` measures

    def __init__(self, game: Game) -> None:
        self.game = game

    @property
    def levels(self) -> tuple[Level, ...]:
        """Weakest first."""
        if not self.table:
            return tuple(
                Level(number, NAMES[number - 1], _PLENTY, blur, seconds=seconds)
                for number, (seconds, blur) in enumerate(_BY_TIME, start=1)
            )
        return tuple(
            Level(
                number,
                NAMES[number - 1],
                visits,
                blur,
                self.brains.get(number, 0),
                self.brain_blurs.get(number, 0.0),
                self.seconds.get(number, MOVE_SECONDS),
            )
            for number, (visits, blur) in enumerate(self.table, start=1)
        )

    def trained_for(self, trained: Game) -> bool:
        """Whether a brain that learned that game plays this one as well."""
        return self.game == trained

    def outcomes(self, state: State) -> dict[int, int | None] | None:
        """For each legal action the winner when both play on without a mistake; None if unknown."""
        return None

    def perfect_actions(self, state: State) -> list[int] | None:
        """The actions that keep the best outcome that the mover can have; None where that is unknown."""
        found = self.outcomes(state)
        if found is None:
            return None
        for wanted in (state.to_move, None):
            if best := [action for action, winner in found.items() if winner == wanted]:
                return best
        return list(found)

    def estimate_dead(self, state: State) -> DeadEstimate:
        """Asked only of games that end in an agreement."""
        raise TypeError(f"Nothing on a board of {self.game.title} can be dead.")

    def standing(self, state: State) -> Standing:
        """Asked only of games with `estimates`."""
        raise TypeError(f"Nobody can tell how a game of {self.game.title} stands in points.")

    def judged(self, state: State, win: float, lead: float, *, by_net: bool) -> tuple[float, float]:
        """What a search's win rate and lead of that state mean, where experience says something else."""
        return win, lead

    def value_of(self, outcome: Outcome) -> float:
        """The lead of the first seat that exact play is told by, for a game that is over."""
        if outcome.score is not None:
            return outcome.score[0] - outcome.score[1]
        return 0.0 if outcome.winner is None else math.inf if outcome.winner == 0 else -math.inf

    def solve(self, state: State, memory_mb: int, work: Work) -> Solution:
        """Exact play from a state that is not over; raises NotSolvableError.

        A game without a solver of its own is solved by its rules alone, if it is small.
        """
        from tengen.facets.plain_solver import PlainTask

        return work.run(PlainTask(state, memory_mb, work))
