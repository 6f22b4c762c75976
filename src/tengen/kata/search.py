"""A tree that KataGo grows: `KataSearch` has the methods of `tengen.search.mcts.Search`.

A run without a number of visits goes on over there when it has ended here, so that the next one finds more;
the engine ends what nobody asks about for a while. Wins and leads come from Black's side and are turned.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from tengen.game import State
from tengen.kata.engine import IDLE_S, KataEngine, Query, shared
from tengen.kata.finding import KataError, usable
from tengen.search.mcts import Judge, Report, SearchedAction

MOST_VISITS = 1_000_000  # of a search that only time ends
LEAST_VISITS = 2  # it counts the root as one, and one alone tells of no move


def kata_search(state: State) -> KataSearch | None:
    """A search by KataGo, where there is one and it knows the game."""
    program = usable() if state.game.records.kata else None
    return None if program is None else KataSearch(state, shared(program))


class KataSearch:
    by: Judge = "katago"

    def __init__(self, state: State, engine: KataEngine) -> None:
        if not state.game.records.kata:
            raise KataError(f"KataGo does not know {state.game.title}.")
        self.state = state
        self.engine = engine
        self._query: Query | None = None
        self._best: dict[str, Any] | None = None  # the answer with the most visits
        self._less = 0.0
        self._whole = True
        self._stopped = False

    def begin(self, visits: int) -> None:
        """Asks, and waits for nothing."""
        self._query = self._ask(max(visits, LEAST_VISITS))

    def run(
        self,
        *,
        visits: int | None = None,
        seconds: float | None = None,
        threads: int = 1,
        stop_when_clear: bool = False,
    ) -> None:
        """Searches until a budget is used up or `stop` is called; raises KataError.

        Seconds count from when the program is ready. `threads` and `stop_when_clear` are its own affair.
        """
        if not visits and not seconds:
            raise ValueError("A search needs a budget of visits or seconds.")
        self.engine.wait_ready(lambda: self._stopped)
        deadline = None if seconds is None else time.monotonic() + seconds
        wanted = max(visits or MOST_VISITS, LEAST_VISITS)
        query = self._under_way(wanted)
        query.wanted_until = float("inf") if deadline is None else deadline + IDLE_S
        while not self._stopped:
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            self.engine.wait(query, lambda: self._stopped, left)
            if query.error and query.refused and self._whole:
                self._whole = False  # a history that it does not take: the stones alone
                query = self._query = self._ask(wanted)
                continue
            break
        self._learn(query)
        if query.error:
            raise KataError(query.error)
        if self._stopped:
            self.engine.end(query)
        self._stopped = False

    def _under_way(self, wanted: int) -> Query:
        query = self._query
        if query is None or (query.over and self._visits() < wanted) or query.question["maxVisits"] != wanted:
            if query is not None and not query.over:
                self.engine.end(query)
            query = self._query = self._ask(wanted)
        return query

    def _ask(self, visits: int) -> Query:
        told = self.state.game.records.kata_question(self.state, whole=self._whole)
        self._less = told.less
        return self.engine.ask({**told.asked, "maxVisits": visits, "includeOwnership": True})

    def _learn(self, query: Query) -> None:
        if query.latest is not None and (self._best is None or query.visits >= self._visits()):
            self._best = query.latest

    def _visits(self) -> int:
        return 0 if self._best is None else int(self._best["rootInfo"]["visits"])

    def stop(self) -> None:
        """From another thread."""
        self._stopped = True
        self.engine.wake()

    def close(self) -> None:
        """Nobody looks any more."""
        if self._query is not None:
            self.engine.end(self._query)

    def play(self, action: int) -> None:
        """Follows the game; the next run asks anew, which its cache makes quick."""
        self.close()
        self.state = self.state.play(action)
        self._query, self._best, self._whole = None, None, True

    def report(self) -> Report:
        """What it said last; nothing with no visits if it has not said anything."""
        if self._best is None:
            return Report(0, 0.5, 0.0, None, (), None)
        root, mover = self._best["rootInfo"], self.state.to_move
        owned = self._best.get("ownership")
        moves = sorted(self._best["moveInfos"], key=lambda move: move.get("order", 0))
        return Report(
            visits=int(root["visits"]),
            win=_win(root, mover),
            lead=self._lead(root, mover),
            proven=None,
            actions=tuple(found for move in moves if (found := self._action(move, mover)) is not None),
            ownership=None if owned is None else tuple(float(value) for value in owned),
        )

    def _action(self, move: Mapping[str, Any], mover: int) -> SearchedAction | None:
        """A move of the answer; None for one that our rules do not allow."""
        line: list[int] = []
        at = self.state
        for word in [move["move"], *move.get("pv", [])[1:]]:
            try:
                action = self.state.game.records.kata_action(str(word))
                at = at.play(action)
            except ValueError:
                break
            line.append(action)
        if not line:
            return None
        return SearchedAction(
            action=line[0],
            visits=int(move["visits"]),
            win=_win(move, mover),
            lead=self._lead(move, mover),
            proven=None,
            line=tuple(line),
            prior=float(move.get("prior", 0.0)),
        )

    def _lead(self, values: Mapping[str, Any], mover: int) -> float:
        first = float(values["scoreLead"]) - self._less
        return first if mover == 0 else -first


def _win(values: Mapping[str, Any], mover: int) -> float:
    first = min(1.0, max(0.0, float(values["winrate"])))
    return first if mover == 0 else 1.0 - first
