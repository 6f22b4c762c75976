"""A duel of two DQN brains: each plays what it values most, and both learn as `dqn.py` has it.

A round is some games at once, half of them begun by either brain: each pair starts from an opening of its
own, and now and then a random move comes in (the smallest epsilon of training), or two nets without search
would repeat one game for ever. Each brain has its own memory, target net and optimiser, which begin anew; it
remembers the moves of both, since a move of anybody teaches what it is worth (`dqn.py` says why). A duel that
was killed goes on to the very same numbers as one that was not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import torch

from tengen.arena import opening
from tengen.brains.net import Brain
from tengen.brains.store import BrainStore
from tengen.game import State
from tengen.learn.dqn import Learner
from tengen.learn.dqn_net import load_model, model_bytes
from tengen.learn.dqn_settings import dqn_settings
from tengen.learn.duel_base import LETTERS, Duel
from tengen.learn.versus import QSide
from tengen.settings import load

if TYPE_CHECKING:
    from tengen.learn.runs import Reporter, Run


@dataclass
class DqnContender:
    letter: str
    brain: Brain
    learner: Learner

    @property
    def loss(self) -> float:
        return self.brain.info.loss if self.learner.loss is None else self.learner.loss

    @property
    def changed(self) -> bool:
        return self.learner.steps > 0


@dataclass
class Table:
    """A game under way."""

    first: int  # the contender that has the first seat
    state: State

    @property
    def mover(self) -> int:
        """The contender whose move it is."""
        return self.first ^ self.state.to_move


class DqnDuel(Duel[DqnContender]):
    max_actions = 1000  # more than a board has room for

    def __init__(self, run: Run, reporter: Reporter, store: BrainStore, brains: tuple[Brain, Brain]) -> None:
        torch.set_num_threads(1)  # the nets are too small to gain by more
        settings = dqn_settings(load(), run.settings)
        self.settings = replace(settings, epsilon_start=settings.epsilon_min)
        contenders = []
        for number, (letter, brain) in enumerate(zip(LETTERS, brains, strict=True)):
            own = replace(self.settings, seed=2 * settings.seed + number)  # or both would draw the same
            contenders.append(DqnContender(letter, brain, Learner(run.game, own, load_model(brain))))
        super().__init__(run, reporter, store, contenders, settings.seed)
        self.checkpoint_s = settings.checkpoint_s
        self.match_games, self.match_threads = settings.final_games, settings.threads
        self.owed = 0  # moves for which no step of learning was made yet
        self.restore()

    def round(self) -> None:
        """Games from the opening to the end; those under way when somebody says stop count for nothing."""
        tables, names = self._open_tables(), self.names
        while tables and self.reporter.proceed(self.save):
            shown = tables[0]
            self._move(tables)
            self._learn()
            for table in tables:
                self._keep(table)
            tables = [table for table in tables if table.state.outcome is None]
            self.reporter.live(shown.state.actions, names if shown.first == 0 else names[::-1])
            self.reporter.count(games=self.games)

    def _open_tables(self) -> list[Table]:
        tables = []
        for _ in range((self.settings.report_games + 1) // 2):
            state = opening(self.game, int(self.rng.integers(2**40)))
            tables += [Table(first, state) for first in (0, 1)]
        return tables

    def _move(self, tables: list[Table]) -> None:
        """A move in each game, all of a contender's chosen together."""
        due = [[table for table in tables if table.mover == number] for number in (0, 1)]
        for one, mine in zip(self.contenders, due, strict=True):
            chosen = one.learner.choose([table.state for table in mine])
            for table, action in zip(mine, chosen, strict=True):
                table.state = table.state.play(action)
        self.owed += len(tables)

    def _learn(self) -> None:
        while self.owed >= self.settings.moves_per_step and self.reporter.proceed(self.save):
            for one in self.contenders:
                one.learner.learn()
            self.owed -= self.settings.moves_per_step

    def _keep(self, table: Table) -> None:
        """Both remember the game, if it has ended."""
        outcome = table.state.outcome
        if outcome is None:
            return
        for one in self.contenders:
            one.learner.remember(table.state.actions)
        self.games += 1
        self.recent.append(0.5 if outcome.winner is None else float(outcome.winner == table.first))

    def playing_net(self, one: DqnContender) -> bytes:
        return model_bytes(one.learner.net) if one.changed else one.brain.data

    def brain_net(self, one: DqnContender) -> bytes:
        return model_bytes(one.learner.net)

    def side(self, net: bytes) -> QSide:
        return QSide(net)

    def news(self) -> dict[str, float | int]:
        return {"epsilon": self.settings.epsilon_min, "steps": self.contenders[0].learner.steps}

    # Keeping

    def contents(self) -> dict[str, Any]:
        return {"learners": [one.learner.contents() for one in self.contenders], "owed": self.owed}

    def take_up(self, contents: Mapping[str, Any]) -> None:
        for one, learnt in zip(self.contenders, contents["learners"], strict=True):
            one.learner.restore(learnt)
        self.owed = contents["owed"]
