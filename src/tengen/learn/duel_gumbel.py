"""A duel of two brains of Gumbel AlphaZero: games with search, and both learn from all that either searched.

The games are those of `two_nets.py`, the learning that of `learner.py` and `replay.py`. The samples lie in
files of their own in the run's folder; the checkpoint only says how many there were.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from tengen.brains.info import BrainError
from tengen.brains.net import Brain
from tengen.brains.store import BrainStore
from tengen.learn import replay as samples_of
from tengen.learn.duel_base import LETTERS, Duel
from tengen.learn.export import Floats, export_net, load_net
from tengen.learn.learner import Learner
from tengen.learn.net import shape_for
from tengen.learn.replay import Replay
from tengen.learn.settings import GumbelSettings, settings_for
from tengen.learn.two_nets import Live, Played, TwoNets
from tengen.learn.versus import NetSide

if TYPE_CHECKING:
    from tengen.learn.runs import Reporter, Run

CALIBRATION = 512  # positions that the ranges of int8 are taken from
PLAYING = ("policy", "value")  # the outputs that a search needs

# Where a duel differs from training: the nets know much already, so they learn with small steps from the
# first one on, and rounds are short enough to watch.
DEFAULTS: dict[str, Any] = {
    "games_per_iteration": 100,
    "learning_rate": 3e-4,
    "final_rate": 3e-4,
    "warm_up": 5_000,
    "average_samples": 20_000,
    "window_ready": 500,
}


@dataclass
class GumbelContender:
    letter: str
    brain: Brain
    learner: Learner
    loss: float

    @property
    def changed(self) -> bool:
        return self.learner.trained > 0


class GumbelDuel(Duel[GumbelContender]):
    def __init__(self, run: Run, reporter: Reporter, store: BrainStore, brains: tuple[Brain, Brain]) -> None:
        self.settings = settings = settings_for(run.game_name, DEFAULTS | dict(run.settings))
        torch.set_num_threads(max(1, settings.threads))
        torch.manual_seed(settings.seed)
        contenders = [_contender(*each, settings) for each in zip(LETTERS, brains, strict=True)]
        super().__init__(run, reporter, store, contenders, settings.seed)
        self.match_games, self.match_threads = settings.gate_games, settings.threads
        self.max_actions = settings.max_actions
        counted = any(one.learner.net.shape.counted for one in contenders)
        shape = replace(shape_for(self.game, settings.blocks, settings.channels), counted=counted)
        self.replay = Replay(shape, settings.window_most)
        self.owed = 0.0  # samples that either net may still draw
        if not self.restore():
            samples_of.read_samples(self._samples, self.replay, 0)
        self.tables = TwoNets(self.game, settings, settings.seed * 1_000_003 + self.games)

    def round(self) -> None:
        self._keep(self._gather())
        self._train()

    # Playing

    def _gather(self) -> list[Played]:
        nets = (self.playing_net(self.contenders[0]), self.playing_net(self.contenders[1]))
        names = self.names
        most = self.reporter.games_left(self.games)
        wanted = min(self.settings.games_per_iteration, most)
        played: list[Played] = []

        def tick(live: Live, count: int) -> bool:
            self.reporter.live(live.actions, names if live.first == 0 else names[::-1])
            self.reporter.count(games=self.games + min(most, len(played) + count))
            return self.reporter.wish() == "run" and not self.reporter.save_wanted()

        while len(played) < wanted and self.reporter.proceed(self.save):
            played += self.tables.play(nets, games=wanted - len(played), tick=tick)
        return played[:most]

    def _keep(self, played: Sequence[Played]) -> None:
        self.games += len(played)
        self.recent.extend(one.points(0) for one in played)
        records = [one.record for one in played]
        if not any(len(record.value) for record in records):
            return
        fresh = samples_of.stack(records)
        samples_of.write_samples(self._samples, fresh, self.replay.total)
        self.replay.add(fresh)
        self.owed += len(fresh["value"]) * self.settings.ratio

    def playing_net(self, one: GumbelContender) -> bytes:
        return (
            export_net(one.learner.average, calibration=self._calibration(), outputs=PLAYING)
            if one.changed
            else one.brain.data
        )

    def brain_net(self, one: GumbelContender) -> bytes:
        return export_net(one.learner.average, calibration=self._calibration())

    def side(self, net: bytes) -> NetSide:
        return NetSide(net, self.settings.gate_simulations)

    def _calibration(self) -> list[Floats] | None:
        return [self.replay.newest(CALIBRATION)] if len(self.replay) >= CALIBRATION // 4 else None

    # Learning

    def _train(self) -> None:
        s = self.settings
        if len(self.replay) < max(s.window_ready, s.batch):
            return
        for one in self.contenders:
            if not one.changed:
                one.learner.settle_norms([self.replay.newest(CALIBRATION)])
        window = samples_of.window_size(
            self.replay.total, s.window_first, s.window_power, s.window_growth, s.window_most
        )
        losses: list[list[float]] = [[], []]
        while self.owed >= s.batch and (self.reporter.proceed(self.save) or self.reporter.may_learn()):
            for one, found in zip(self.contenders, losses, strict=True):
                found.append(one.learner.step([self.replay.draw(self.rng, s.batch, window)])["loss"])
            self.owed -= s.batch
        for one, found in zip(self.contenders, losses, strict=True):
            if found:
                one.loss = sum(found) / len(found)

    def news(self) -> dict[str, float | int]:
        return {"samples": self.replay.total}

    # Keeping

    @property
    def _samples(self) -> Path:
        return self.folder / "samples"

    def contents(self) -> dict[str, Any]:
        return {
            "learners": [one.learner.state() for one in self.contenders],
            "losses": [one.loss for one in self.contenders],
            "samples": self.replay.total,
            "owed": self.owed,
        }

    def take_up(self, contents: Mapping[str, Any]) -> None:
        for one, state, loss in zip(self.contenders, contents["learners"], contents["losses"], strict=True):
            one.learner.restore(state)
            one.loss = loss
        self.owed = contents["owed"]
        samples_of.read_samples(self._samples, self.replay, contents["samples"])

    def checkpoint(self) -> None:
        super().checkpoint()
        samples_of.remove_old(self._samples, self.replay.total - self.replay.capacity)


def _contender(letter: str, brain: Brain, settings: GumbelSettings) -> GumbelContender:
    try:
        net = load_net(brain.data)
    except (KeyError, ValueError) as error:
        raise BrainError(f"The brain {brain.name} was not made by tengen, so it cannot learn.") from error
    return GumbelContender(letter, brain, Learner([brain.game], settings, net), brain.info.loss)
