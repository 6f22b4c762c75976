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

from tengen.game import Game, State
from tengen.learn.game_record import Floats, GameRecord, Sample, game_record
from tengen.learn.mixture import variants
from tengen.learn.self_play import Tick, starts
from tengen.learn.settings import GumbelSettings
from tengen.learn.workers import Work
from tengen.search.mcts import Report, Search

CARELESS = 0.02  # of all actions are any legal one, so that mistakes and their punishment are seen


class Teacher:
    """Where a run's first games come from; in place of `SelfPlay`, and in the same form."""

    def __init__(self, game: Game, settings: GumbelSettings, seed: int) -> None:
        self._settings = settings
        self._variants = variants(game, settings)
        self._seeds = random.Random(seed)
        self._live: list[int] = []

    def play(self, net: bytes, *, games: int, tick: Tick | None = None) -> list[GameRecord]:
        """At least so many games, or what there is when `tick` says False. The net is not asked."""
        work: Work[GameRecord] = Work(lambda found: len(found) >= games)
        dice = [random.Random(self._seeds.getrandbits(64)) for _ in range(self._settings.threads)]
        return work.gather(
            [partial(self._work, work, rng) for rng in dice],
            None if tick is None else lambda count: tick(self._live, count),
        )

    def _work(self, work: Work[GameRecord], rng: random.Random) -> None:
        while not work.ended.is_set():
            record = self._game(work, rng)
            if record is not None:
                work.add([record])

    def _game(self, work: Work[GameRecord], rng: random.Random) -> GameRecord | None:
        """One game, or None when somebody wants the end before it comes."""
        s = self._settings
        (variant,) = rng.choices(self._variants, [one.share for one in self._variants])
        search = Search(rng.choice(starts(variant.game, s)), seed=rng.getrandbits(64))
        opening = rng.randint(0, s.opening_actions)
        samples: list[Sample] = []
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
            samples.append(Sample(state.encode(), policy, state.to_move, 2 * report.win - 1, done))
            weights = [found.visits if done < s.noise_actions else 0 for found in report.actions]
            weights[0] += 1
            search.play(rng.choices(report.actions, weights)[0].action)
            if variant is self._variants[0]:
                self._live = list(search.state.actions)
        return game_record(search.state, samples)


def _policy(state: State, report: Report) -> Floats:
    """What the search would play: its visits, or its choice where they mean nothing."""
    best = report.actions[0]
    policy: Floats = np.zeros(state.game.action_count, np.float32)
    # Alpha-beta's visits say how hard an action was to refute, not how good it is: its choice alone counts.
    if best.proven == "win" or state.game.learning.teacher == "alpha-beta":
        policy[best.action] = 1
    else:
        for found in report.actions:
            policy[found.action] = found.visits if found.proven != "loss" else 0
        policy[best.action] += 1
    policy /= policy.sum()
    return policy
