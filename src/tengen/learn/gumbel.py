"""Gumbel AlphaZero: self-play, training and judging in turn, until somebody says stop.

An iteration lets the averaged net play some hundred games against itself, and trains meanwhile on the window
of samples, as many as `ratio` allows for the games of the iteration before. Every few iterations the net
meets the champion and earlier ones in both colours and takes the champion's place if it scores enough; now
and then it also meets fixed opponents, for the curve. After each iteration everything is in the run's folder
(`checkpoint.py`): a run that is killed goes on and has lost at most an iteration. Start reading at
`Trainer.run`; the learning itself is in `learner.py`.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np
import torch

from tengen.brains.file import stamp, store_file, write_brain
from tengen.brains.info import BrainError, BrainInfo
from tengen.brains.store import BrainStore
from tengen.game import Game
from tengen.learn.checkpoint import Checkpoint, Rival, read_checkpoint, write_checkpoint
from tengen.learn.cluster import cluster_play
from tengen.learn.export import Floats, export_net, load_net
from tengen.learn.game_record import GameRecord
from tengen.learn.kata_teacher import KataTeacher
from tengen.learn.learner import Learner
from tengen.learn.mixture import all_games, split, variants
from tengen.learn.net import Net, shape_for
from tengen.learn.replay import window_size
from tengen.learn.self_play import SelfPlay
from tengen.learn.settings import GumbelSettings, all_stages, settings_for, stage_at
from tengen.learn.teacher import Teacher
from tengen.learn.versus import NetSide, PlayerSide, Tally, fit_elo, versus
from tengen.learn.window import Window

if TYPE_CHECKING:
    from tengen.learn.runs import Run

CALIBRATION = 512  # positions that the ranges of int8 are taken from
PLAYING = ("policy", "value")  # the outputs that a search needs


class Reports(Protocol):
    """What the trainer needs of `tengen.learn.runs.Reporter`."""

    @property
    def time_used(self) -> float: ...

    def proceed(self, save: Callable[[], object] | None = None) -> bool: ...
    def wish(self) -> str: ...
    def games_left(self, done: int) -> int: ...
    def may_learn(self) -> bool: ...
    def save_wanted(self) -> bool: ...
    def count(self, *, games: int, loss: float | None = None) -> None: ...
    def live(self, actions: Sequence[int], names: Sequence[str]) -> None: ...
    def report(
        self,
        *,
        games: int,
        loss: float | None = None,
        win_rates: Mapping[str, float] | None = None,
        elo: float | None = None,
        games_per_s: float | None = None,
        **more: float | int | str,
    ) -> None: ...
    def state(self, state: Literal["running"], message: str | None = None) -> None: ...
    def saved(self, brain: str) -> None: ...
    def resumed(self, games: int) -> None: ...


class Games(Protocol):
    """Where games come from: `SelfPlay` here, or workers elsewhere."""

    def play(self, net: bytes, *, games: int, tick: Callable[[list[int], int], bool]) -> list[GameRecord]: ...


def train(run: Run, reporter: Reports) -> None:
    """Trains until the reporter says stop. Raises ValueError with a sentence for what people can mend."""
    settings = settings_for(run.game_name, run.settings)
    if run.cluster is not None and settings.stages:
        raise ValueError("A run in stages plays on this machine only: leave the cluster out.")
    store = BrainStore()
    start = store.find(run.game_name, run.brains[0]) if run.brains else None

    def say(sentence: str) -> None:
        reporter.state("running", sentence)

    with cluster_play(run.cluster, run.game, settings, say) as games:
        trainer = Trainer(
            run.folder,
            run.game,
            settings,
            reporter,
            store=store,
            start=None if start is None else start.data,
            learned=() if start is None else start.learned,
            games=games,
        )
        trainer.run()
    trainer.crown()


class Trainer:
    """One run. What it has learned is in `learner`, `replay` and `at`, the rest can be made again."""

    def __init__(
        self,
        folder: Path,
        game: Game,
        settings: GumbelSettings,
        reporter: Reports,
        *,
        store: BrainStore | None = None,
        start: bytes | None = None,
        learned: Sequence[Game] = (),
        games: Games | None = None,
    ) -> None:
        """`start` is a brain to go on from and `learned` what it was trained on.

        `games` is where games come from if not from threads in here.
        """
        self.folder, self.game, self.reporter = folder, game, reporter
        self.store = store or BrainStore()
        torch.set_num_threads(1)
        stages = all_stages(settings)
        self.base = settings
        self.any_board = any(stage.mixture for stage in stages)
        everything = all_games(game, stages)
        saved = read_checkpoint(folder)
        if saved is None:
            torch.manual_seed(settings.seed)
            net = None if start is None else self._taken_up(start)
        else:
            net = Net(saved.shape)
        self.settings = stage_at(settings, saved.games if saved is not None else 0)
        self.variants = variants(game, self.settings)
        self.learner = Learner([one.game for one in everything], self.settings, net, any_board=self.any_board)
        self._from_file = start is not None
        shape = self.learner.net.shape
        self.replay = Window(folder / "samples", everything, settings)
        self.rng = np.random.default_rng(settings.seed)
        if saved is None:
            if learned:
                self.learner.quiet_inputs(learned, [one.game for one in self.variants])
            untrained = Rival(export_net(self.learner.average), 0, 0.0)
            self.at = Checkpoint(shape, {}, 0, 0, {}, 0.0, 0, 0, [untrained])
        else:
            self.at = saved
            self.learner.restore(saved.learner)
            self.rng.bit_generator.state = saved.rng
            self.replay.read(saved.samples)
            reporter.resumed(saved.games)
        self._elsewhere = games
        self._open_tables()

    def _open_tables(self) -> None:
        # A run that goes on must not repeat its games.
        self._seed = self.settings.seed * 1_000_003 + self.at.games
        self.games: Games = self._elsewhere or SelfPlay(self.game, self.settings, self._seed)
        self.teacher = Teacher(self.game, self.settings, self._seed)
        self.kata: KataTeacher | None = None  # asked for only where it teaches

    def _taken_up(self, start: bytes) -> Net:
        """The net of a brain, for the board or boards of this run: its weights fit them all."""
        net = load_net(start)
        size = net.shape.blocks, net.shape.channels
        net.shape = shape_for(self.game, *size, any_board=self.any_board)
        return net

    def _next_stage(self) -> None:
        """Takes up the settings of the stage that the run has come to. Games under way are given up."""
        settings = stage_at(self.base, self.at.games)
        if settings == self.settings:
            return
        known, self.variants = self.variants, variants(self.game, settings)
        self.settings = self.learner.settings = settings
        new = [one.game for one in self.variants]
        if new != [one.game for one in known]:
            self.learner.quiet_inputs([one.game for one in known], new)
        self._open_tables()

    def run(self) -> None:
        while self.reporter.proceed(self.save):
            self.iterate()
        self._learn_the_rest()
        self.checkpoint()

    def iterate(self) -> None:
        """Games, training meanwhile on those of the last iteration, and matches when they are due."""
        begun = time.monotonic()
        self._next_stage()
        wanted = min(self.settings.games_per_iteration, self.reporter.games_left(self.at.games))
        games, means = self._play_and_train(wanted)
        self._keep(games)
        whole = len(games) >= wanted
        self.at.iteration += whole
        self.checkpoint()
        if not whole:
            return
        news: dict[str, float] = {f"loss_{name}": round(mean, 5) for name, mean in means.items()}
        news |= self._games_in_words(games) | {"iteration": self.at.iteration, "rate": self.learner.rate()}
        news |= {"samples": self.replay.total, "trained": self.learner.trained, "window": self.window}
        news["iteration_s"] = round(time.monotonic() - begun, 2)
        if self.at.iteration - self.at.gated >= self.settings.gate_iterations:
            news |= self._gate()
        rates = None
        if self.at.iteration - self.at.evaluated >= self.settings.eval_iterations:
            rates = self._evaluate()
        self.checkpoint()  # before the report: nothing may be reported twice
        self.reporter.report(
            games=self.at.games, loss=self.at.loss, win_rates=rates, elo=self.at.rivals[-1].elo, **news
        )

    # Self-play

    def _play_and_train(self, wanted: int) -> tuple[list[GameRecord], dict[str, float]]:
        """The games of one iteration and the mean losses; less when somebody says stop.

        Of games that end together there may be some more than wanted, but not more than the run may play.
        """
        net = self.playing_net()
        games: list[GameRecord] = []
        sums: Counter[str] = Counter()
        source, name = self._source()
        names = [name] * 2
        most = self.reporter.games_left(self.at.games)

        def tick(live: list[int], count: int) -> bool:
            self.reporter.live(live, names)
            self.reporter.count(games=self.at.games + min(most, len(games) + count))
            return self._undisturbed()

        with ThreadPoolExecutor(1) as pool:
            while (len(games) < wanted or self._may_train()) and self.reporter.proceed(self.save):
                missing = wanted - len(games)
                playing = pool.submit(source.play, net, games=missing, tick=tick) if missing > 0 else None
                try:
                    self._train(sums, self._undisturbed)
                finally:
                    games += playing.result() if playing is not None else []
        return games[:most], self._means(sums)

    def _source(self) -> tuple[Games, str]:
        """Who plays the next games: a teacher at first, where the run has one."""
        if self.at.games < self.settings.kata_games:
            self.kata = self.kata or KataTeacher(self.game, self.settings, self._seed)
            self.at.taught_by = self.kata.net_name
            return self.kata, "KataGo"
        if self.at.games < self.settings.teacher_games and not self._from_file:
            return self.teacher, "the teacher"
        return self.games, f"after {self.at.games} games"

    def _undisturbed(self) -> bool:
        return self.reporter.wish() == "run" and not self.reporter.save_wanted()

    def _keep(self, games: list[GameRecord]) -> None:
        self.at.games += len(games)
        self.at.owed += self.replay.add(games) * self.settings.ratio
        self.at.samples = self.replay.counts

    @staticmethod
    def _games_in_words(games: list[GameRecord]) -> dict[str, float]:
        """Shares of the ways in which games ended, how long they were, and how often seat 0 won."""
        count = max(1, len(games))
        reasons = Counter(game.reason for game in games)
        words = {f"ended_{reason}": round(n / count, 4) for reason, n in sorted(reasons.items())}
        words["actions"] = round(sum(len(game.actions) for game in games) / count, 1)
        words["first_wins"] = round(
            sum((game.winner == 0) + (game.winner < 0) / 2 for game in games) / count, 4
        )
        return words

    # Training

    @property
    def window(self) -> int:
        s = self.settings
        size = window_size(self.replay.total, s.window_first, s.window_power, s.window_growth, s.window_most)
        return min(size, len(self.replay))

    def _may_train(self) -> bool:
        return self.at.owed >= self.settings.batch and len(self.replay) >= self.settings.window_ready

    def _train(self, sums: Counter[str], undisturbed: Callable[[], bool]) -> None:
        """Trains what is owed, or until somebody wants something; adds up the losses and the steps."""
        if self._from_file and self.learner.trained == 0 and self._may_train():
            self.learner.settle_norms(self.replay.newest(CALIBRATION))
        window, batch = self.window, self.settings.batch
        while self._may_train() and undisturbed():
            self.learner.limit_used = max(self.reporter.time_used, self._games_used())
            sums.update(self.learner.step(self.replay.draw(self.rng, batch, window)))
            sums["steps"] += 1
            self.at.owed -= batch

    def _games_used(self) -> float:
        """The part of all the run's games that has been learned from; next to nothing where it has no end."""
        learned = 1 - self.at.owed / max(1.0, self.replay.total * self.settings.ratio)
        return max(0.0, learned) * self.at.games / (self.at.games + self.reporter.games_left(self.at.games))

    def _learn_the_rest(self) -> None:
        """Learns from the last games where they end the run, and not somebody's wish or the time."""
        if not self._may_train() or not self.reporter.may_learn():
            return
        self.reporter.state("running", "It learns from the last games.")
        sums: Counter[str] = Counter()
        self._train(sums, self.reporter.may_learn)
        self._means(sums)
        self.reporter.report(games=self.at.games, loss=self.at.loss, trained=self.learner.trained)

    def _means(self, sums: Counter[str]) -> dict[str, float]:
        """The mean losses of the parts; that of the whole is kept."""
        steps = sums.pop("steps", 0)
        means = {name: total / steps for name, total in sums.items()} if steps else {}
        self.at.loss = means.pop("loss", self.at.loss)
        return means

    def playing_net(self, net: Net | None = None) -> bytes:
        """The net for a search, the averaged one by default; int8 as soon as there are positions."""
        return export_net(net or self.learner.average, calibration=self._calibration(), outputs=PLAYING)

    def _calibration(self) -> list[Floats] | None:
        return self.replay.newest(CALIBRATION) if len(self.replay) >= CALIBRATION // 4 else None

    # Matches

    def _gate(self) -> dict[str, float]:
        """Judges the averaged net by its rivals; it becomes the champion when it scores enough."""
        s = self.settings
        *earlier, champion = self.at.rivals
        judges = [(champion, s.gate_games)]
        judges += [(rival, s.gate_games // 2) for rival in earlier[-s.gate_earlier :]]
        mine = NetSide(self.playing_net(), s.gate_simulations)
        results: list[tuple[float, float, int]] = []
        for rival, count in judges:
            other = NetSide(self.playing_net(load_net(rival.net)), s.gate_simulations)
            tally = self._whole_match(mine, other, count)
            if tally is None:
                return {}
            results.append((rival.elo, tally.points, tally.games))
        self.at.gated = self.at.iteration
        against_champion = results[0][1] / results[0][2]
        overall = sum(points for _, points, _ in results) / sum(games for _, _, games in results)
        elo = fit_elo(results)
        passed = against_champion >= 0.5 and overall >= s.gate_score
        if passed:
            self._promote(Rival(export_net(self.learner.average), self.at.games, elo))
        return {
            "gate_champion": round(against_champion, 4),
            "gate_all": round(overall, 4),
            "gate_elo": round(elo, 1),
            "gate_passed": int(passed),
        }

    def _promote(self, rival: Rival) -> None:
        self.at.rivals.append(rival)
        while len(self.at.rivals) > max(2, self.settings.champions):
            # The one whose neighbours are closest together tells the least.
            gaps = [b.games - a.games for a, b in zip(self.at.rivals, self.at.rivals[2:], strict=False)]
            del self.at.rivals[1 + gaps.index(min(gaps))]
        store_file(self.folder / "champion.onnx", stamp(self._brain_net(), self._info()))

    def _evaluate(self) -> dict[str, float] | None:
        """The share of points against each fixed opponent."""
        s = self.settings
        mine = NetSide(self.playing_net(), s.eval_simulations)
        rates: dict[str, float] = {}
        for text in s.opponents:
            tally = self._whole_match(mine, PlayerSide(text), s.eval_games)
            if tally is None:
                return None
            rates[text] = round(tally.score, 4)
        self.at.evaluated = self.at.iteration
        return rates

    def _whole_match(self, a: NetSide, b: NetSide | PlayerSide, games: int) -> Tally | None:
        """A match, or None when somebody wants something else; it is played again later."""
        tally = self._match(a, b, games, self._undisturbed)
        return tally if tally.games >= games else None

    def _match(
        self,
        a: NetSide,
        b: NetSide | PlayerSide,
        games: int,
        proceed: Callable[[], bool] = lambda: True,
    ) -> Tally:
        """Over all variants, each with its share of the games."""
        total = Tally()
        shares = split(max(games, 2 * len(self.variants)), [one.share for one in self.variants])
        for variant, count in zip(self.variants, shares, strict=True):
            total += versus(
                variant.game,
                a,
                b,
                count,
                seed=int(self.rng.integers(2**40)),
                threads=self.settings.threads,
                max_actions=self.settings.max_actions,
                proceed=proceed,
            )
        return total

    # Keeping

    def checkpoint(self) -> None:
        self.at.learner = self.learner.state()
        self.at.rng = dict(self.rng.bit_generator.state)
        write_checkpoint(self.folder, self.at)
        self.replay.remove_old()

    def _info(self) -> BrainInfo:
        learned = tuple(one.game.options for one in self.variants) if self.any_board else ()
        return BrainInfo(
            self.game.name,
            self.game.options,
            "gumbel",
            self.at.games,
            self.at.loss or 0.0,
            title=f"taught by KataGo's {self.at.taught_by}" if self.at.taught_by else "",
            mixture=learned,
        )

    def _brain_net(self) -> bytes:
        return export_net(self.learner.average, calibration=self._calibration())

    def save(self) -> str:
        """Writes a brain of how it plays now, and says what it is called."""
        path = write_brain(self.store.folder(self.game), self._brain_net(), self._info())
        self.reporter.saved(path.stem)
        return path.stem

    def crown(self) -> None:
        """Puts the champion among the brains, or what a run too short for one has learned, and makes it
        `latest` if it holds its own.
        """
        champion = self.at.rivals[-1]
        if champion.games == 0:
            if self.at.loss is not None:
                self._crown_measured(self.save(), self.learner.average)
            return
        net = load_net(champion.net)
        info = replace(self._info(), games=champion.games)
        path = write_brain(
            self.store.folder(self.game), export_net(net, calibration=self._calibration()), info
        )
        self.reporter.saved(path.stem)
        self._crown_measured(path.stem, net)

    def _crown_measured(self, name: str, net: Net) -> None:
        """Makes that brain `latest` unless a match says that the one there now is stronger; where there is
        none, random moves must not be.
        """
        s = self.settings
        mine = NetSide(self.playing_net(net), s.gate_simulations)
        if self._match(mine, self._latest_side(), s.gate_games).score >= 0.5:
            self.store.set_latest(self.game, name)

    def _latest_side(self) -> NetSide | PlayerSide:
        try:
            latest = self.store.find(self.game, "latest")
        except BrainError:  # there is none, or it is for another board
            return PlayerSide("random")
        if latest.info.algorithm == "gumbel":
            return NetSide(latest.data, self.settings.gate_simulations)
        return PlayerSide(f"brain:{latest.path}")
