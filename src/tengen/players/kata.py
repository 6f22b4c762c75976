"""KataGo in a seat, through its analysis engine. It gives up as our own machines do, by its own judgement."""

from __future__ import annotations

from pathlib import Path

from tengen.analysis import why_no_katago
from tengen.game import Game, State
from tengen.kata import KataError, KataSearch, shared, usable
from tengen.players.manners import RESIGN_FROM, is_lost, may_resign
from tengen.players.player import PlayerError, Stopped
from tengen.search.mcts import Report
from tengen.settings import load

HOPELESS_TURNS = 3  # in a row, before it gives up


class KataPlayer:
    """Searches each move with so many visits, those of the settings unless a budget is given."""

    def __init__(self, game: Game, *, visits: int | None = None, seconds: float | None = None) -> None:
        program = usable() if game.records.kata else None
        if program is None:
            raise KataError(why_no_katago(game))
        self.name = "KataGo" + (f", {visits} visits" if visits else f", {seconds:g} s" if seconds else "")
        self._visits = visits if visits or seconds else load().katago_visits
        self._seconds = seconds
        self._engine = shared(program)
        self._search: KataSearch | None = None
        self._hopeless = 0
        self._stopped = False

    def identity(self) -> str:
        """Which KataGo, with which net."""
        self._engine.wait_ready()
        return f"KataGo {self._engine.version} with {Path(self._engine.program.model).name}"

    def choose(self, state: State, seconds: float | None = None) -> list[int] | None:
        limits = [each for each in (self._seconds, seconds) if each is not None]
        search = self._search = KataSearch(state, self._engine)
        try:
            if self._stopped:
                raise Stopped("The search was stopped.")
            search.run(visits=self._visits, seconds=min(limits) if limits else None)
        except KataError as error:
            raise PlayerError(str(error)) from None
        finally:
            search.close()
        if self._stopped:
            raise Stopped("The search was stopped.")
        return self._chosen(state, search.report())

    def _chosen(self, state: State, report: Report) -> list[int] | None:
        if not report.actions:
            raise PlayerError("KataGo has found no move.")
        lost = is_lost(report.win, report.lead, state.game.width)
        late = len(state.actions) >= RESIGN_FROM * len(state.cells())
        self._hopeless = self._hopeless + 1 if lost and late else 0
        if self._hopeless >= HOPELESS_TURNS and may_resign():
            return None
        return [report.actions[0].action]

    def stop(self) -> None:
        """From another thread: `choose` ends soon with `Stopped`."""
        self._stopped = True
        if self._search is not None:
            self._search.stop()

    def close(self) -> None:
        """The program goes on for whoever asks next."""
        self._search = None
