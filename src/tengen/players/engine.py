"""Our search behind the GTP engine of `tengen.records`: what `tengen gtp` runs."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TextIO

import tengen
from tengen.analysis import whole_move
from tengen.brains.strongest import strongest_search
from tengen.game import Game, State
from tengen.players.levels import level_player
from tengen.players.machine import SearchPlayer
from tengen.players.manners import gives_up
from tengen.players.player import Player
from tengen.records.gtp_engine import Analysis, Estimate, GtpEngine, MoveInfo
from tengen.search.levels import Level, level_of
from tengen.search.mcts import Searching


def engine(
    game: Game,
    *,
    level: int | None = None,
    visits: int | None = None,
    threads: int = 1,
    resigns: bool = True,
    stdout: TextIO | None = None,
) -> GtpEngine:
    """A GTP engine that plays at that level, the strongest unless one is given, or with that many visits of
    our strongest search."""

    def strength(game: Game) -> Level:
        return game.opponents.levels[-1] if level is None else level_of(game, level)

    if visits is None:
        strength(game)
    players: dict[Game, Player] = {}  # the game that is played now

    def player(game: Game) -> Player:
        if game not in players:
            players.clear()
            if visits is not None:
                players[game] = SearchPlayer(
                    visits=visits,
                    threads=threads,
                    new_search=lambda state, seed: strongest_search(state, seed=seed),
                )
            else:
                players[game] = level_player(strength(game), game, threads=threads)
        return players[game]

    def choose(state: State, seconds: float | None) -> list[int] | None:
        return player(state.game).choose(state, seconds)

    def analyse(
        state: State, interval_s: float, report: Callable[[Analysis], None], stop: threading.Event
    ) -> None:
        search, seen = strongest_search(state), -1
        while not stop.is_set():
            search.run(seconds=max(0.05, interval_s), threads=threads)
            report(_analysis(search))
            found = search.report()
            if found.proven is not None or found.visits == seen:  # there is nothing more to find
                stop.wait()
            seen = found.visits

    return GtpEngine(
        choose,
        analyse=analyse,
        estimate=_estimate,
        gives_up=lambda state: resigns and gives_up(player(state.game), state),
        game=game,
        version=tengen.__version__,
        stdout=stdout,
    )


def _analysis(search: Searching) -> Analysis:
    """With win rates and leads as `tengen.analysis` judges them, so that the two never contradict."""
    state, found = search.state, search.report()
    sign = 1 if state.to_move == 0 else -1
    points = state.game.table.counted
    moves = []
    for a in found.actions:
        actions = whole_move(state, a.line)
        if a.visits == 0 or not actions:
            continue
        win, lead = state.game.opponents.judged(state, a.win, a.lead, by_net=search.by == "brain")
        moves.append(
            MoveInfo(
                actions=actions,
                visits=a.visits,
                win_rate=a.win if a.proven else win,
                prior=a.prior,
                score_lead=lead if points else None,
                pv=a.line,
            )
        )
    return Analysis(
        moves=moves,
        ownership=None if found.ownership is None else [sign * value for value in found.ownership],
    )


def _estimate(state: State) -> Estimate:
    found = state.game.opponents.estimate_dead(state)
    return Estimate(dead=found.dead, seki=found.seki, neutral=found.neutral)
