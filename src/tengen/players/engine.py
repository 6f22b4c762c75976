"""Our search behind the GTP engine of `tengen.records`: what `tengen gtp` runs."""

from __future__ import annotations

import threading
from collections.abc import Callable

import tengen
from tengen.analysis import POINT_GAMES, whole_move
from tengen.brains.strongest import strongest_search
from tengen.game import Game, State
from tengen.players.levels import level_player
from tengen.players.machine import SearchPlayer
from tengen.players.player import Player
from tengen.records.gtp_engine import Analysis, Estimate, GtpEngine, MoveInfo
from tengen.search.estimate import estimate_dead
from tengen.search.levels import level as find_level
from tengen.search.mcts import Searching


def engine(game: Game, *, level: int, visits: int | None = None, threads: int = 1) -> GtpEngine:
    """A GTP engine that plays at that level, or with that many visits a move."""
    if visits is None:
        find_level(game.name, level)
    players: dict[str, Player] = {}

    def choose(state: State, seconds: float | None) -> list[int] | None:
        name = state.game.name
        if name not in players:
            if visits is not None:
                players[name] = SearchPlayer(visits=visits, threads=threads)
            else:
                players[name] = level_player(find_level(name, level), state.game, threads=threads)
        return players[name].choose(state, seconds)

    def analyse(
        state: State, interval_s: float, report: Callable[[Analysis], None], stop: threading.Event
    ) -> None:
        search = strongest_search(state)
        while not stop.is_set():
            search.run(seconds=max(0.05, interval_s), threads=threads)
            report(_analysis(search))
            if search.report().proven is not None:
                stop.wait()

    return GtpEngine(
        choose,
        analyse=analyse,
        estimate=_estimate,
        game=game,
        version=tengen.__version__,
    )


def _analysis(search: Searching) -> Analysis:
    state, found = search.state, search.report()
    sign = 1 if state.to_move == 0 else -1
    points = state.game.name in POINT_GAMES
    return Analysis(
        moves=[
            MoveInfo(
                actions=whole_move(state, a.line),
                visits=a.visits,
                win_rate=a.win,
                score_lead=a.lead if points else None,
                pv=a.line,
            )
            for a in found.actions
            if a.visits > 0 and whole_move(state, a.line)
        ],
        ownership=None if found.ownership is None else [sign * value for value in found.ownership],
    )


def _estimate(state: State) -> Estimate:
    found = estimate_dead(state)
    return Estimate(dead=found.dead, seki=found.seki, neutral=found.neutral)
