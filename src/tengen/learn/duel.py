"""Brain vs. Brain: two brains play each other, both learn from all games, and in the end a match decides.

A round is some games (`two_nets.py`), then training of both nets on the positions that either searched
(`learner.py`, `replay.py`). When the duel is stopped each contender is what it has become or what it was,
whichever wins a match between the two; the winner of the last match is put among the brains and becomes
`latest`. After each round everything is in the run's folder: the two brains as they came (`contender-a.onnx`,
`contender-b.onnx`), the samples and one checkpoint. Start reading at `Duel.run`.
"""

from __future__ import annotations

import os
import pickle
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from tengen.brains.file import read_brain, write_atomic, write_brain
from tengen.brains.info import BrainError, BrainInfo, now
from tengen.brains.net import Brain
from tengen.brains.store import BrainStore
from tengen.learn import replay as samples_of
from tengen.learn.export import Floats, export_net, load_net
from tengen.learn.learner import Learner
from tengen.learn.replay import Replay
from tengen.learn.settings import GumbelSettings, settings_for
from tengen.learn.two_nets import Live, Played, TwoNets
from tengen.learn.versus import NetSide, versus

if TYPE_CHECKING:
    from tengen.learn.runs import Reporter, Run

LETTERS = ("A", "B")
CHECKPOINT = "checkpoint.pt"
VERSION = 1
CALIBRATION = 512  # positions that the ranges of int8 are taken from
RECENT = 200  # games that the share of points is taken from
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


def train(run: Run, reporter: Reporter) -> None:
    """Plays and learns until the reporter says stop; raises ValueError with a sentence."""
    duel = Duel(run, reporter)
    duel.run()
    duel.decide()


@dataclass
class Contender:
    letter: str
    brain: Brain  # as it came
    learner: Learner
    loss: float

    @property
    def changed(self) -> bool:
        return self.learner.trained > 0


class Duel:
    def __init__(self, run: Run, reporter: Reporter, store: BrainStore | None = None) -> None:
        self.folder, self.game, self.reporter = run.folder, run.game, reporter
        self.store = store or BrainStore()
        self.settings = settings = settings_for(run.game_name, DEFAULTS | dict(run.settings))
        torch.set_num_threads(max(1, settings.threads))
        torch.manual_seed(settings.seed)
        self.contenders = [
            _contender(letter, self._own_copy(letter, name), settings)
            for letter, name in zip(LETTERS, _two(run.brains), strict=True)
        ]
        shapes = [one.learner.net.shape for one in self.contenders]
        self.replay = Replay(max(shapes, key=lambda shape: shape.counted), settings.window_most)
        self.rng = np.random.default_rng(settings.seed)
        self.games = 0
        self.owed = 0.0  # samples that either net may still draw
        self.recent: deque[float] = deque(maxlen=RECENT)  # A's points
        self._restore()
        self.tables = TwoNets(self.game, settings, settings.seed * 1_000_003 + self.games)

    def run(self) -> None:
        while self.reporter.proceed(self.save):
            self.round()
        self.checkpoint()

    def round(self) -> None:
        """Games between the two as they are now, and what both learn from them."""
        played = self._gather()
        self._keep(played)
        self._train()
        self.checkpoint()
        self._report()

    # Playing

    def _gather(self) -> list[Played]:
        nets = (self._playing_net(self.contenders[0]), self._playing_net(self.contenders[1]))
        names = [f"{one.letter}, {one.brain.name}" for one in self.contenders]
        wanted = self.settings.games_per_iteration
        played: list[Played] = []

        def tick(live: Live, count: int) -> bool:
            self.reporter.live(live.actions, names if live.first == 0 else names[::-1])
            self.reporter.count(games=self.games + len(played) + count)
            return self.reporter.wish() == "run" and not self.reporter.save_wanted()

        while len(played) < wanted and self.reporter.proceed(self.save):
            played += self.tables.play(nets, games=wanted - len(played), tick=tick)
        return played

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

    def _playing_net(self, one: Contender) -> bytes:
        return (
            export_net(one.learner.average, calibration=self._calibration(), outputs=PLAYING)
            if one.changed
            else one.brain.data
        )

    def _calibration(self) -> Floats | None:
        return self.replay.newest(CALIBRATION) if len(self.replay) >= CALIBRATION // 4 else None

    # Learning

    def _train(self) -> None:
        s = self.settings
        if len(self.replay) < max(s.window_ready, s.batch):
            return
        for one in self.contenders:
            if not one.changed:
                one.learner.settle_norms(self.replay.newest(CALIBRATION))
        window = samples_of.window_size(
            self.replay.total, s.window_first, s.window_power, s.window_growth, s.window_most
        )
        losses: list[list[float]] = [[], []]
        while self.owed >= s.batch and self.reporter.proceed(self.save):
            for one, found in zip(self.contenders, losses, strict=True):
                found.append(one.learner.step(self.replay.draw(self.rng, s.batch, window))["loss"])
            self.owed -= s.batch
        for one, found in zip(self.contenders, losses, strict=True):
            if found:
                one.loss = sum(found) / len(found)

    def _report(self) -> None:
        loss = sum(one.loss for one in self.contenders) / 2 if self.contenders[0].changed else None
        share = {"B (by A)": round(sum(self.recent) / len(self.recent), 4)} if self.recent else None
        self.reporter.report(games=self.games, loss=loss, win_rates=share, samples=self.replay.total)

    # The end

    def decide(self) -> None:
        """The last matches, and the champion's way to `latest`."""
        finalists = [self._finalist(one) for one in self.contenders]
        score = self._match(finalists[0], finalists[1], "The last match: A against B.")
        at = 0 if score >= 0.5 else 1
        champion = self.contenders[at]
        learnt = finalists[at] is not champion.brain.data
        name = self._save(champion) if learnt else self._saved_as_it_came(champion)
        self.store.set_latest(self.game, name)
        self.reporter.saved(name)
        share = score if at == 0 else 1 - score
        self.reporter.conclude(
            f"{champion.letter} won the last match with {share:.0%} of the points and is now latest: {name}."
        )

    def _finalist(self, one: Contender) -> bytes:
        """The contender as it is now, or as it came if that plays better."""
        if not one.changed:
            return one.brain.data
        new = self._playing_net(one)
        score = self._match(new, one.brain.data, f"{one.letter} against what it was.")
        self.reporter.report(games=self.games, win_rates={f"the old {one.letter} (by {one.letter})": score})
        return new if score >= 0.5 else one.brain.data

    def _match(self, a: bytes, b: bytes, message: str) -> float:
        self.reporter.state("stopping", message)
        s = self.settings
        tally = versus(
            self.game,
            NetSide(a, s.gate_simulations),
            NetSide(b, s.gate_simulations),
            s.gate_games,
            seed=int(self.rng.integers(2**40)),
            threads=s.threads,
            max_actions=s.max_actions,
        )
        return tally.score

    def _saved_as_it_came(self, one: Contender) -> str:
        """Its name among the brains, where it is put again if it has gone."""
        there = [stored for stored in self.store.list(self.game) if stored.digest == one.brain.digest]
        return (there[0] if there else self.store.import_(self._copy_path(one.letter))).name

    # Keeping

    def save(self) -> None:
        """Brains of how both play now; the one that has won more lately is named."""
        names = [self._save(one) if one.changed else self._saved_as_it_came(one) for one in self.contenders]
        ahead = sum(self.recent) >= len(self.recent) / 2
        self.reporter.saved(names[0 if ahead else 1])

    def _save(self, one: Contender) -> str:
        games = one.brain.info.games + self.games
        info = BrainInfo(self.game.name, self.game.options, "gumbel", games, one.loss, created=now())
        net = export_net(one.learner.average, calibration=self._calibration())
        return write_brain(self.store.folder(self.game), net, info).stem

    def _copy_path(self, letter: str) -> Path:
        return self.folder / f"contender-{letter.lower()}.onnx"

    def _own_copy(self, letter: str, name: str) -> Brain:
        """The brain of that name, kept in the run so that it may go or change where it came from."""
        path = self._copy_path(letter)
        if not path.exists():
            write_atomic(path, self.store.find(self.game, name).data)
        brain = read_brain(path)
        brain.check_fits(self.game)
        return Brain(brain.data, brain.info, brain.game)

    @property
    def _samples(self) -> Path:
        return self.folder / "samples"

    def checkpoint(self) -> None:
        content = {
            "version": VERSION,
            "learners": [one.learner.state() for one in self.contenders],
            "losses": [one.loss for one in self.contenders],
            "games": self.games,
            "samples": self.replay.total,
            "owed": self.owed,
            "recent": list(self.recent),
            "rng": dict(self.rng.bit_generator.state),
        }
        beside = self.folder / f".{CHECKPOINT}.tmp"
        with beside.open("wb") as file:
            torch.save(content, file)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(self.folder / CHECKPOINT)
        samples_of.remove_old(self._samples, self.replay.total - self.replay.capacity)

    def _restore(self) -> None:
        path = self.folder / CHECKPOINT
        if not path.exists():
            samples_of.read_samples(self._samples, self.replay, 0)
            return
        try:
            content: dict[str, Any] = torch.load(path, weights_only=True)
        except (RuntimeError, EOFError, OSError, ValueError, pickle.UnpicklingError) as error:
            raise ValueError(f"The checkpoint {path} cannot be read.") from error
        if content["version"] != VERSION:
            raise ValueError(f"The checkpoint {path} was written by another version of tengen.")
        for one, state, loss in zip(self.contenders, content["learners"], content["losses"], strict=True):
            one.learner.restore(state)
            one.loss = loss
        self.games, self.owed = content["games"], content["owed"]
        self.recent.extend(content["recent"])
        self.rng.bit_generator.state = content["rng"]
        samples_of.read_samples(self._samples, self.replay, content["samples"])
        self.reporter.resumed(self.games)


def _two(names: Sequence[str]) -> Sequence[str]:
    if len(names) != 2:
        raise ValueError(f"A duel is between two brains, and this run names {len(names)}.")
    return names


def _contender(letter: str, brain: Brain, settings: GumbelSettings) -> Contender:
    if brain.info.algorithm != "gumbel":
        raise BrainError(f"The brain {brain.name} is a {brain.info.algorithm} brain: it cannot play a duel.")
    try:
        net = load_net(brain.data)
    except (KeyError, ValueError) as error:
        raise BrainError(f"The brain {brain.name} was not made by tengen, so it cannot learn.") from error
    return Contender(letter, brain, Learner(brain.game, settings, net), brain.info.loss)
