"""What the house has to think about, as functions of plain values: the same here and in a process apart.

A `Mind` keeps the players of matches, with their trees and programs, and searches under way, by names that
who asks gives them. Everything takes as long as the search does: call it from a thread of one's own. `stop`
ends a player's thinking from another. Start reading at `Mind.move`.
"""

from __future__ import annotations

import random
import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, Protocol

from tengen.analysis import Engine, analyse, describe, new_search, review, standing
from tengen.brains.strongest import strongest_search
from tengen.facets.opponents import Standing
from tengen.game import Game, State
from tengen.kata import KataError, KataSearch, KataState, shared, usable
from tengen.match import Event, Match, Setup
from tengen.players import Player, Stoppable, make_player, manners
from tengen.search.mcts import Searching

KEPT_SEARCHES = 64


class Thinker(Protocol):
    """A `Mind`, here or elsewhere."""

    def move(self, name: str, text: str, game: Game, state: State, seconds: float) -> list[int] | None: ...
    def stop(self, name: str) -> None: ...
    def forget(self, names: Sequence[str]) -> None: ...
    def close(self) -> None: ...
    def draw(self, program: bool, state: State, seat: int) -> bool: ...
    def dead(self, state: State) -> tuple[tuple[int, ...], tuple[int, ...]]: ...
    def plays_on(self, setup: dict[str, Any], events: list[dict[str, Any]], seat: int) -> bool: ...
    def standing(self, state: State) -> Standing: ...
    def analysis(
        self, name: str, state: State, seconds: float, last: bool, engine: Engine
    ) -> dict[str, Any] | None: ...
    def glance(self, name: str, state: State, seconds: float, engine: Engine) -> dict[str, Any]: ...
    def leave(self, name: str, engine: Engine) -> None: ...
    def review(
        self, before: State, actions: Sequence[int], visits: int, engine: Engine
    ) -> dict[str, Any]: ...
    def katago(self) -> tuple[KataState, str]: ...


class Mind:
    def __init__(self, most_players: int = 64) -> None:
        self._most = most_players
        self._players: OrderedDict[str, Player] = OrderedDict()
        self._thinking: dict[str, Player] = {}
        self._searches: OrderedDict[str, Searching] = OrderedDict()
        self._lock = threading.Lock()

    # Seats

    def move(self, name: str, text: str, game: Game, state: State, seconds: float) -> list[int] | None:
        """The actions that the player of that name chooses, None where it resigns; raises PlayerError.

        `text` is what `make_player` is asked for, if there is no such player yet.
        """
        with self._lock:
            player = self._players.pop(name, None)
        if player is None:
            player = make_player(text, game, seed=random.getrandbits(32))
        with self._lock:
            self._thinking[name] = player
        try:
            chosen = manners.move(player, state, seconds)
        except BaseException:
            with self._lock:
                del self._thinking[name]
            player.close()
            raise
        with self._lock:
            del self._thinking[name]
            self._players[name] = player
            late = [self._players.popitem(last=False)[1] for _ in range(len(self._players) - self._most)]
        for one in late:
            one.close()
        return chosen

    def stop(self, name: str) -> None:
        """Ends the thinking of that player, if it does."""
        with self._lock:
            player = self._thinking.get(name)
        if isinstance(player, Stoppable):
            player.stop()

    def forget(self, names: Sequence[str]) -> None:
        """These players are not needed again."""
        with self._lock:
            found = [player for name in names if (player := self._players.pop(name, None)) is not None]
        for player in found:
            player.close()

    def close(self) -> None:
        with self._lock:
            thinking, kept = list(self._thinking.values()), list(self._players.values())
            self._players.clear()
        for player in thinking:
            if isinstance(player, Stoppable):
                player.stop()
        for player in kept:
            player.close()

    def draw(self, program: bool, state: State, seat: int) -> bool:
        """Whether a machine takes a draw; a program never does."""
        return not program and manners.agrees_to_draw(state, seat)

    def dead(self, state: State) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The stones that look dead, and the points that are nobody's."""
        found = state.game.opponents.estimate_dead(state)
        return tuple(found.dead), tuple(found.neutral)

    def plays_on(self, setup: dict[str, Any], events: list[dict[str, Any]], seat: int) -> bool:
        """Whether a machine would rather play on than accept the marks of that match."""
        match = Match.replay(Setup.from_json(setup), [Event.from_json(event) for event in events])
        return manners.plays_on(match, seat)

    def standing(self, state: State) -> Standing:
        """How the game stands, while it is played."""
        return standing(state)

    # Analysis

    def analysis(
        self, name: str, state: State, seconds: float, last: bool, engine: Engine = "own"
    ) -> dict[str, Any] | None:
        """Searches on for so long; what was found if that is proven, or if it was the `last` time."""
        if state.game.opponents.outcomes(state) is not None:
            return analyse(state).to_json()
        search, _ = self._searched(name, state, seconds, engine)
        report = search.report()
        if report.proven is None and not (last and report.visits):
            self._keep(name, search)
            return None
        _close(search)
        return describe(search).to_json()

    def _searched(self, name: str, state: State, seconds: float, engine: Engine) -> tuple[Searching, str]:
        """A search that has gone on for so long, and a sentence where it is not the one asked for.

        While KataGo starts, and where it does not, our own search does its work.
        """
        with self._lock:
            search = self._searches.pop(name, None)
        trouble = ""
        if engine != "own" and not isinstance(search, KataSearch):
            how, trouble = self.katago()
            if how == "ready":
                search = new_search(state, engine)
        search = search or strongest_search(state)
        try:
            search.run(seconds=seconds)
        except KataError as error:
            search, trouble = strongest_search(state), str(error)
            search.run(seconds=seconds)
        return search, trouble

    def katago(self) -> tuple[KataState, str]:
        """How KataGo is, which this starts if need be, and a sentence where it is not ready."""
        program = usable()
        if program is None:
            return "failed", "There is no KataGo here."
        engine = shared(program)
        try:
            engine.start()
        except KataError as error:
            return "failed", str(error)
        return engine.state()

    def _keep(self, name: str, search: Searching) -> None:
        with self._lock:
            self._searches[name] = search
            while len(self._searches) > KEPT_SEARCHES:
                _close(self._searches.popitem(last=False)[1])

    def glance(self, name: str, state: State, seconds: float, engine: Engine = "own") -> dict[str, Any]:
        """Searches on for so long, and says what is known by then, with a message where there is something to
        say; `leave` when that is enough.
        """
        if state.game.opponents.outcomes(state) is not None:
            return analyse(state).to_json()
        search, trouble = self._searched(name, state, seconds, engine)
        self._keep(name, search)
        return {**describe(search).to_json(), "message": trouble}

    def leave(self, name: str, engine: Engine = "own") -> None:
        """Nobody looks at that position any more."""
        with self._lock:
            search = self._searches.pop(name, None)
        if search is not None:
            _close(search)

    def review(
        self, before: State, actions: Sequence[int], visits: int, engine: Engine = "own"
    ) -> dict[str, Any]:
        """What the search thinks of one move."""
        found = review([(before, actions)], visits=visits, engine=engine)[0]
        return {
            "seat": found.seat,
            "move": found.move,
            "win_before": round(found.win_before, 4),
            "win_after": round(found.win_after, 4),
            "lead": None if found.lead is None else round(found.lead, 2),
            "best": found.best,
            "line": list(found.line),
            "mistake": found.mistake,
            "line_actions": [list(actions) for actions in found.line_actions],
            "by": found.by,
            "before": None if found.before is None else found.before.to_json(),
        }


def _close(search: Searching) -> None:
    if isinstance(search, KataSearch):
        search.close()
