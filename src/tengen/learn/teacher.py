"""Games of a search without a net, for a net to learn from before its own games are worth anything.

A net that knows nothing plays like dice, and its first thousands of games teach it little more than how a
game ends. The search of the levels plays well from the first game on, so a run may begin with some games of
it: every position becomes a sample, with the search's visits as the policy. After them the net plays itself
and leaves its teacher behind. Start reading at `Teacher.play`.
"""

from __future__ import annotations

import random
from functools import partial

import numpy as np
from numpy.typing import NDArray

from tengen import _core
from tengen.game import Game, State
from tengen.learn.self_play import GameRecord, Tick, Work, starts
from tengen.learn.settings import GumbelSettings
from tengen.search.compiled import CompiledState
from tengen.search.mcts import Report, Search

CARELESS = 0.02  # of all actions are any legal one, so that mistakes and their punishment are seen
# Alpha-beta's visits say how hard an action was to refute, not how good it is: its choice alone counts.
ALPHA_BETA = {"kelasu"}


class Teacher:
    """Where a run's first games come from; in place of `SelfPlay`, and in the same form."""

    def __init__(self, game: Game, settings: GumbelSettings, seed: int) -> None:
        self._settings = settings
        self._starts = starts(game, settings)
        self._seeds = random.Random(seed)

    def play(self, net: bytes, *, games: int, tick: Tick | None = None) -> list[GameRecord]:
        """At least so many games, or what there is when `tick` says False. The net is not asked."""
        work = Work(games)
        dice = [random.Random(self._seeds.getrandbits(64)) for _ in range(self._settings.threads)]
        return work.gather([partial(self._work, work, rng) for rng in dice], tick)

    def _work(self, work: Work, rng: random.Random) -> None:
        while not work.ended.is_set():
            record = self._game(work, rng)
            if record is not None:
                work.add([record])

    def _game(self, work: Work, rng: random.Random) -> GameRecord | None:
        """One game, or None when somebody wants the end before it comes."""
        s = self._settings
        search = Search(rng.choice(self._starts), seed=rng.getrandbits(64))
        opening = rng.randint(0, s.opening_actions)
        lesson = _Lesson()
        while search.state.outcome is None and len(search.state.actions) < s.max_actions:
            if work.stopped.is_set():
                return None
            state, done = search.state, len(search.state.actions)
            if done < opening or rng.random() < CARELESS:
                search.play(rng.choice(state.legal_actions()))
                continue
            search.run(visits=s.teacher_visits)
            report = search.report()
            policy = _policy(state, report)
            lesson.add(state, policy, report.win)
            weights = [found.visits if done < s.noise_actions else 0 for found in report.actions]
            weights[0] += 1
            search.play(rng.choices(report.actions, weights)[0].action)
            work.live = list(search.state.actions)
        return lesson.record(search.state)


def _policy(state: State, report: Report) -> NDArray[np.float16]:
    """What the search would play: its visits, or its choice where they mean nothing."""
    best = report.actions[0]
    policy: NDArray[np.float32] = np.zeros(state.game.action_count, np.float32)
    if best.proven == "win" or state.game.name in ALPHA_BETA:
        policy[best.action] = 1
    else:
        for found in report.actions:
            policy[found.action] = found.visits if found.proven != "loss" else 0
        policy[best.action] += 1
    policy /= policy.sum()
    return policy.astype(np.float16)


class _Lesson:
    """The positions of a game, until it is known how it ends."""

    def __init__(self) -> None:
        self._planes: list[NDArray[np.float16]] = []
        self._policy: list[NDArray[np.float16]] = []
        self._root_value: list[float] = []
        self._movers: list[int] = []

    def add(self, state: State, policy: NDArray[np.float16], win: float) -> None:
        self._planes.append(state.encode().astype(np.float16))
        self._policy.append(policy)
        self._root_value.append(2 * win - 1)
        self._movers.append(state.to_move)

    def record(self, end: State) -> GameRecord | None:
        """The game with its samples; None without any."""
        if not self._movers:
            return None
        assert isinstance(end, CompiledState)
        outcome, cells = end.outcome, len(end.cells())
        score = None if outcome is None else outcome.score
        winner = -1 if outcome is None or outcome.winner is None else outcome.winner
        sides = np.array([1.0 if mover == 0 else -1.0 for mover in self._movers], np.float32)
        if score is None:
            lead, owner = np.nan, np.full(cells, np.nan, np.float32)
        else:
            lead, owner = (score[0] - score[1]) / cells, np.array(_core.final_owner(end), np.float32)
        return GameRecord(
            actions=list(end.actions),
            winner=winner,
            reason="long" if outcome is None else outcome.reason,
            score=score,
            planes=np.stack(self._planes),
            policy=np.stack(self._policy),
            value=sides * (0 if winner < 0 else 1 if winner == 0 else -1),
            root_value=np.array(self._root_value, np.float32),
            lead=(sides * lead).astype(np.float32),
            ownership=np.outer(sides, owner).astype(np.float16),
        )
