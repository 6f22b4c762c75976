"""What the strongest search that we have thinks of a position (`analyse`) and of a whole game (`review`).

Wins and leads are from the side of the player to move; `ownership` is not: 1 is all the first seat's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from tengen.brains.strongest import strongest_search
from tengen.facets.opponents import Standing
from tengen.game import Game, Outcome, State
from tengen.kata import KataError, KataSearch, find, kata_search
from tengen.line import whole_moves
from tengen.search.mcts import Judge, Proven, Report, Searching

# How much of the win rate a move must give away to be called that, largest first, and how many points where
# a game is all about points (`estimates`).
MISTAKES = ((0.20, "blunder"), (0.10, "mistake"), (0.05, "inaccuracy"))
POINTS = {"blunder": 3.0, "mistake": 2.0, "inaccuracy": 1.0}
AHEAD = 4  # positions of a review that KataGo may search at once


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
    line_actions: tuple[tuple[int, ...], ...] = ()  # the same as actions


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
    by: Judge = "search"

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
                    "line_actions": [list(actions) for actions in m.line_actions],
                }
                for m in self.moves
            ],
            "ownership": None if self.ownership is None else [round(value, 3) for value in self.ownership],
            "by": self.by,
        }


# Who is asked: the strongest that there is, our own search, or KataGo.
Engine = Literal["auto", "own", "katago"]


def new_search(state: State, engine: Engine = "own", *, seed: int = 0) -> Searching:
    """A new tree for the position; raises KataError where KataGo is asked for and not there."""
    if engine != "own":
        if (search := kata_search(state)) is not None:
            return search
        if engine == "katago":
            raise KataError(why_no_katago(state.game))
    return strongest_search(state, seed=seed)


def why_no_katago(game: Game) -> str:
    """The sentence for whoever asks for it where it cannot be had."""
    if not game.records.kata:
        return f"KataGo does not know {game.title}."
    found = find()
    return "There is no KataGo here: tengen doctor says how to get it." if found is None else found.problem


def analyse(
    state: State,
    seconds: float | None = None,
    *,
    visits: int | None = None,
    threads: int = 1,
    seed: int = 0,
    engine: Engine = "own",
) -> Analysis:
    """Searches the position for a second, or as long as the budgets say."""
    if state.outcome is not None:
        raise ValueError("The game is over: there is nothing to analyse.")
    if (known := state.game.opponents.outcomes(state)) is not None:
        return _exact(state, known)
    if seconds is None and visits is None:
        seconds = 1.0
    search = new_search(state, engine, seed=seed)
    search.run(seconds=seconds, visits=visits, threads=threads)
    if isinstance(search, KataSearch):
        search.close()
    return describe(search)


def describe(search: Searching) -> Analysis:
    """The analysis that a search has come to so far."""
    state, report = search.state, search.report()
    points = state.game.table.counted
    judged: Callable[[State, float, float], tuple[float, float]] = _as_said
    if search.by != "katago":
        judged = partial(state.game.opponents.judged, by_net=search.by == "brain")
    moves = []
    for found in report.actions:
        if found.visits == 0 and found.proven is None:
            continue
        whole, line = _moves_of(state, found.line)
        if whole:
            moves.append(
                Candidate(
                    move=line[0],
                    actions=whole[0],
                    visits=found.visits,
                    win=found.win if found.proven else judged(state, found.win, found.lead)[0],
                    lead=judged(state, found.win, found.lead)[1] if points else None,
                    proven=found.proven,
                    line=line,
                    line_actions=whole,
                )
            )
    best_win, best_lead = _best(report)
    return Analysis(
        to_move=state.to_move,
        visits=report.visits,
        win=report.win if report.proven else judged(state, best_win, best_lead)[0],
        lead=judged(state, best_win, best_lead)[1] if points else None,
        proven=report.proven,
        moves=tuple(moves),
        ownership=report.ownership,
        by=search.by,
    )


def _as_said(state: State, win: float, lead: float) -> tuple[float, float]:
    return win, _agreeing(win, lead)


def _agreeing(win: float, lead: float) -> float:
    """A lead that names the other side than the win rate says no more than that the game is about even."""
    return lead if lead * (win - 0.5) > 0 else 0.0


def _best(report: Report) -> tuple[float, float]:
    """The win rate and lead of the best move, or of the root where none has been tried."""
    best = report.actions[0] if report.actions and report.actions[0].visits else report
    return best.win, best.lead


def standing(state: State) -> Standing:
    """How a game stands in points while it is played, by whoever can tell.

    Counted where nearly all is settled. Before that playouts know little of what will become of the rest, and
    a search with a net is believed: the score says what a hint and a review say. The page has the same rule.
    """
    counted = state.game.opponents.standing(state)
    unsure = sum(abs(owner) < 1 for owner in counted.ownership)
    if state.outcome is not None or unsure <= _OPEN * len(counted.ownership):
        return counted
    found = analyse(state, seconds=_LOOK_S)
    if found.by == "search" or found.lead is None or found.ownership is None:
        return counted
    together = sum(counted.points)
    first = (together + (found.lead if found.to_move == 0 else -found.lead)) / 2
    dead = (
        cell
        for cell, (code, owner) in enumerate(zip(state.cells(), found.ownership, strict=True))
        if code and owner * (-1 if code == 1 else 1) > _LOST
    )
    return Standing((first, together - first), tuple(dead), found.ownership)


_LOOK_S = 0.5
_OPEN = 1 / 8  # of the cells are not yet anybody's, from which on nothing is counted
_LOST = 0.6  # of an ownership, from which on a piece of the other side is taken for dead


def whole_move(state: State, line: Sequence[int]) -> tuple[int, ...]:
    """The actions of the first move of a line, empty when the line breaks off within it."""
    moves, _ = _moves_of(state, line)
    return moves[0] if moves else ()


def _moves_of(state: State, actions: Sequence[int]) -> tuple[tuple[tuple[int, ...], ...], tuple[str, ...]]:
    """The whole moves of a line, as actions and as people write them."""
    found = list(whole_moves(state, actions))
    return tuple(step.actions for step in found), tuple(step.text for step in found)


def _exact(state: State, known: Mapping[int, int | None]) -> Analysis:
    """A solved game needs no search: the outcome of every action is known."""
    mover = state.to_move
    moves = []
    for action, winner in known.items():
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
                line_actions=((action,),),
            )
        )
    moves.sort(key=lambda m: -m.win)
    best = moves[0]
    return Analysis(mover, len(moves), best.win, None, best.proven, tuple(moves), None, "exact")


_WORTH: dict[Proven, float] = {"win": 1.0, "draw": 0.5, "loss": 0.0}


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """One move of a game beside what the search would have played."""

    number: int
    seat: int
    move: str
    win_before: float  # of the mover, had the best move been played
    win_after: float  # of the mover, after the move that was played
    lead: float | None  # likewise, beside `win_before`
    best: str
    line: tuple[str, ...]
    mistake: str | None  # blunder, mistake, inaccuracy or nothing
    line_actions: tuple[tuple[int, ...], ...] = ()  # of `line`, the best move first
    by: Judge = "search"
    before: Analysis | None = None  # what was thought of the position that it was made in
    lead_after: float | None = None  # beside `win_after`

    @property
    def loss(self) -> float:
        return max(0.0, self.win_before - self.win_after)


def review(
    moves: Sequence[tuple[State, Sequence[int]]],
    *,
    visits: int = 1000,
    threads: int = 1,
    progress: Callable[[int, int], None] | None = None,
    engine: Engine = "own",
) -> list[ReviewedMove]:
    """Judges each move (the state before it and its actions) beside the best one that a search finds.

    Both are judged by searches after them, where the same side is to move. What looks like a mistake is
    searched again, and only as much of the loss counts as the two agree on. KataGo is believed at once.
    """
    reviewed = []
    for number, (state, actions) in enumerate(moves, start=1):
        _look_ahead([before for before, _ in moves[number - 1 : number + AHEAD]], visits, engine)
        judged = review_move(state, actions, number=number, visits=visits, threads=threads, engine=engine)
        reviewed.append(judged)
        if progress is not None:
            progress(number, len(moves))
    return reviewed


def _look_ahead(states: Sequence[State], visits: int, engine: Engine) -> None:
    """Lets KataGo, which searches several positions at once, begin with the next ones."""
    if engine == "own":
        return
    for state in states:
        if state.outcome is None and (search := kata_search(state)) is not None:
            search.begin(visits)


def review_move(
    state: State,
    actions: Sequence[int],
    *,
    number: int = 1,
    visits: int = 1000,
    threads: int = 1,
    engine: Engine = "own",
) -> ReviewedMove:
    """As `review` does it, of the move with that number."""
    actions = tuple(actions)

    def look(after: Sequence[int], seed: int) -> tuple[float, float | None]:
        return _after(state, after, visits, threads, seed, engine)

    before = analyse(state, visits=visits, threads=threads, seed=number, engine=engine)
    if not before.moves:
        raise ValueError(f"Nothing was found about the position before move {number}.")
    best = before.moves[0]
    win_after, lead_after = look(actions, number)
    win_before, lead_before, loss, points = win_after, lead_after, 0.0, math.inf
    if before.by == "katago":
        if actions != best.actions:
            win_before, lead_before = max(before.win, win_after), before.lead
            loss, points = win_before - win_after, _less(lead_before, lead_after)
    elif actions != best.actions:
        win_before, lead_before = look(best.actions, number)
        loss, points = win_before - win_after, _less(lead_before, lead_after)
        if loss >= MISTAKES[-1][0]:
            better, worse = look(best.actions, -number), look(actions, -number)
            loss = _sure(loss, better[0] - worse[0])
            points = _sure(points, _less(better[1], worse[1]))
        loss = max(loss, 0.0)
        win_before = win_after + loss
    if not state.game.opponents.estimates:
        points = math.inf  # a capture may end the game, whatever is counted
    lead = before.lead
    if lead is not None and lead_before is not None and before.by != "katago":
        lead = (lead + lead_before) / 2  # each side sees itself ahead when it is to move
    if lead is not None:
        lead = _agreeing(win_before, lead)
    return ReviewedMove(
        number=number,
        seat=state.to_move,
        move=state.game.format(state, actions),
        win_before=win_before,
        win_after=win_after,
        lead=lead,
        best=best.move,
        line=best.line,
        mistake=next((word for size, word in MISTAKES if loss >= size and points >= POINTS[word]), None),
        line_actions=best.line_actions,
        by=before.by,
        before=before,
        lead_after=lead_after,
    )


def _less(best: float | None, played: float | None) -> float:
    """The points given away; without end where none are counted, so that the win rate alone decides."""
    return math.inf if best is None or played is None else best - played


def _sure(first: float, second: float) -> float:
    """As much of a loss as two searches agree on: their mean, less what they are apart."""
    return first if first == second else (first + second) / 2 - abs(first - second)


def _after(
    state: State, actions: Sequence[int], visits: int, threads: int, seed: int, engine: Engine
) -> tuple[float, float | None]:
    """What a move is worth to who makes it: the win rate and the lead after it."""
    seat = state.to_move
    for action in actions:
        state = state.play(action)
    if state.outcome is not None:
        counts = state.game.table.agreement and state.game.table.can_resume(state)
        return _worth_of_stopped(state, seat) if counts else (_worth_of(state.outcome, seat), None)
    found = analyse(state, visits=visits, threads=threads, seed=seed, engine=engine)
    sign = 1 if found.to_move == seat else -1
    win = found.win if sign == 1 else 1.0 - found.win
    return win, None if found.lead is None or found.proven else sign * found.lead


def _worth_of_stopped(state: State, seat: int) -> tuple[float, float | None]:
    """Of a game that ends in an agreement: as a machine would count it."""
    found = state.game.opponents.estimate_dead(state)
    first, second = state.game.table.count(state, found.dead, found.neutral).points
    lead = first - second if seat == 0 else second - first
    return (0.5 if lead == 0 else float(lead > 0)), lead


def _worth_of(outcome: Outcome, seat: int) -> float:
    return 0.5 if outcome.winner is None else float(outcome.winner == seat)
