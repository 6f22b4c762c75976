"""What the strongest search that we have thinks of a position (`analyse`) and of a whole game (`review`).

Wins and leads are from the side of the player to move; `ownership` is not: 1 is all the first seat's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tengen.brains.strongest import strongest_search
from tengen.game import Outcome, State
from tengen.search import dominion
from tengen.search.mcts import Proven, Report, Searching

# How much of the win rate a move must give away to be called that, largest first.
MISTAKES = ((0.20, "blunder"), (0.10, "mistake"), (0.05, "inaccuracy"))
POINT_GAMES = ("go", "great-kingdom")  # where a lead in points has a meaning


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move that was looked at."""

    move: str
    actions: tuple[int, ...]
    visits: int
    win: float
    lead: float | None
    proven: Proven
    line: tuple[str, ...]  # the principal variation, this move first


@dataclass(frozen=True, slots=True)
class Analysis:
    """A position's worth to the player to move, and the moves worth knowing, best first."""

    to_move: int
    visits: int
    win: float
    lead: float | None
    proven: Proven
    moves: tuple[Candidate, ...]
    ownership: tuple[float, ...] | None

    def to_json(self) -> dict[str, Any]:
        return {
            "to_move": self.to_move,
            "visits": self.visits,
            "win": round(self.win, 4),
            "lead": None if self.lead is None else round(self.lead, 2),
            "proven": self.proven,
            "moves": [
                {
                    "move": m.move,
                    "actions": list(m.actions),
                    "visits": m.visits,
                    "win": round(m.win, 4),
                    "lead": None if m.lead is None else round(m.lead, 2),
                    "proven": m.proven,
                    "line": list(m.line),
                }
                for m in self.moves
            ],
            "ownership": None if self.ownership is None else [round(value, 3) for value in self.ownership],
        }


def analyse(
    state: State,
    seconds: float | None = None,
    *,
    visits: int | None = None,
    threads: int = 1,
    seed: int = 0,
) -> Analysis:
    """Searches the position for a second, or as long as the budgets say."""
    if state.outcome is not None:
        raise ValueError("The game is over: there is nothing to analyse.")
    if state.game.name == "dominion-duel":
        return _exact(state)
    if seconds is None and visits is None:
        seconds = 1.0
    search = strongest_search(state, seed=seed)
    search.run(seconds=seconds, visits=visits, threads=threads)
    return describe(search)


def describe(search: Searching) -> Analysis:
    """The analysis that a search has come to so far."""
    state, report = search.state, search.report()
    points = state.game.name in POINT_GAMES
    moves = []
    for found in report.actions:
        if found.visits == 0 and found.proven is None:
            continue
        whole, line = _moves_of(state, found.line)
        if whole:
            moves.append(
                Candidate(
                    move=line[0],
                    actions=whole,
                    visits=found.visits,
                    win=found.win,
                    lead=found.lead if points else None,
                    proven=found.proven,
                    line=line,
                )
            )
    return Analysis(
        to_move=state.to_move,
        visits=report.visits,
        win=report.win,
        lead=_lead(report) if points else None,
        proven=report.proven,
        moves=tuple(moves),
        ownership=report.ownership,
    )


def _lead(report: Report) -> float:
    return report.actions[0].lead if report.actions else report.lead


def whole_move(state: State, line: Sequence[int]) -> tuple[int, ...]:
    """The actions of the first move of a line, empty when the line breaks off within it."""
    return _moves_of(state, line)[0]


def _moves_of(state: State, actions: Sequence[int]) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """The first whole move of a line, and all its whole moves as people write them."""
    first: tuple[int, ...] = ()
    texts: list[str] = []
    before, move = state, list[int]()
    for action in actions:
        move.append(action)
        state = state.play(action)
        if not state.game.mid_move(state):
            first = first or tuple(move)
            texts.append(state.game.format(before, move))
            before, move = state, []
    return first, tuple(texts)


def _exact(state: State) -> Analysis:
    """Dominion Duel needs no search: every claim's outcome is known."""
    mover = state.to_move
    moves = []
    for action, winner in dominion.outcomes(state).items():
        proven: Proven = "draw" if winner is None else "win" if winner == mover else "loss"
        moves.append(
            Candidate(
                move=state.game.format(state, [action]),
                actions=(action,),
                visits=1,
                win=_WORTH[proven],
                lead=None,
                proven=proven,
                line=(state.game.format(state, [action]),),
            )
        )
    moves.sort(key=lambda m: -m.win)
    best = moves[0]
    return Analysis(mover, len(moves), best.win, None, best.proven, tuple(moves), None)


_WORTH: dict[Proven, float] = {"win": 1.0, "draw": 0.5, "loss": 0.0}


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """One move of a game beside what the search would have played."""

    number: int
    seat: int
    move: str
    win_before: float  # of the mover, had the best move been played
    win_after: float  # of the mover, after the move that was played
    lead: float | None
    best: str
    line: tuple[str, ...]
    mistake: str | None  # blunder, mistake, inaccuracy or nothing

    @property
    def loss(self) -> float:
        return max(0.0, self.win_before - self.win_after)


def review(
    moves: Sequence[tuple[State, Sequence[int]]],
    *,
    visits: int = 1000,
    threads: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> list[ReviewedMove]:
    """Judges each move (the state before it and its actions) by searching before and after it."""
    reviewed = []
    for number, (state, actions) in enumerate(moves, start=1):
        before = analyse(state, visits=visits, threads=threads, seed=number)
        after = state
        for action in actions:
            after = after.play(action)
        win_after = _win_for(state.to_move, after, visits, threads, number)
        best = before.moves[0]
        win_before = max(best.win, win_after) if tuple(actions) != best.actions else win_after
        loss = win_before - win_after
        reviewed.append(
            ReviewedMove(
                number=number,
                seat=state.to_move,
                move=state.game.format(state, actions),
                win_before=win_before,
                win_after=win_after,
                lead=before.lead,
                best=best.move,
                line=best.line,
                mistake=next((word for size, word in MISTAKES if loss >= size), None),
            )
        )
        if progress is not None:
            progress(number, len(moves))
    return reviewed


def _win_for(seat: int, state: State, visits: int, threads: int, seed: int) -> float:
    if state.outcome is not None:
        return _worth_of(state.outcome, seat)
    found = analyse(state, visits=visits, threads=threads, seed=seed)
    return found.win if found.to_move == seat else 1.0 - found.win


def _worth_of(outcome: Outcome, seat: int) -> float:
    return 0.5 if outcome.winner is None else float(outcome.winner == seat)
