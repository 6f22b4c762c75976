"""What every duel is, however its brains learn: rounds, the last matches, files and the champion.

A round is some games between the two and what both learn from them. When the duel is stopped each contender
is what it has become or what it was, whichever wins a match between the two; the winner of the last match is
put among the brains and becomes `latest`. Everything that a duel needs to go on is in one checkpoint in the
run's folder, beside the two brains as they came. Start reading at `Duel.run`, then `Duel.decide`; the methods
without a body are what `duel_gumbel.py` and `duel_dqn.py` fill in.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

import numpy as np

from tengen.brains.file import write_brain
from tengen.brains.info import BrainInfo, now
from tengen.brains.net import Brain
from tengen.brains.store import BrainStore
from tengen.learn import checkpoint
from tengen.learn.versus import Side, versus

if TYPE_CHECKING:
    from tengen.learn.runs import Reporter, Run

LETTERS = ("A", "B")
RECENT = 200  # games that the share of points is taken from


class Contender(Protocol):
    """One of the two; what it learns by is its own affair."""

    @property
    def letter(self) -> str: ...
    @property
    def brain(self) -> Brain:
        """As it came."""
        ...

    @property
    def loss(self) -> float: ...
    @property
    def changed(self) -> bool:
        """Whether it has learnt anything yet."""
        ...


C = TypeVar("C", bound=Contender)


class Duel(ABC, Generic[C]):
    """A duel makes its contenders, calls this `__init__`, makes the rest and calls `restore`."""

    checkpoint_s = 0.0  # rounds that end sooner after a checkpoint do without one
    match_games: int
    match_threads: int
    max_actions: int

    def __init__(
        self, run: Run, reporter: Reporter, store: BrainStore, contenders: Sequence[C], seed: int
    ) -> None:
        self.folder, self.game, self.reporter, self.store = run.folder, run.game, reporter, store
        self.contenders = tuple(contenders)
        self.rng = np.random.default_rng(seed)
        self.games = 0
        self.recent: deque[float] = deque(maxlen=RECENT)  # A's points
        self._next_checkpoint = 0.0

    def run(self) -> None:
        while self.reporter.proceed(self.save):
            self.round()
            if time.monotonic() >= self._next_checkpoint:
                self.checkpoint()
            self._report()
        self.checkpoint()

    @abstractmethod
    def round(self) -> None:
        """Some games between the two, and what both learn from them; less when somebody says stop.

        `games` and `recent` count those that ended.
        """

    @abstractmethod
    def playing_net(self, one: C) -> bytes:
        """What plays for a contender now: ONNX, the brain's own data until it has learnt."""

    @abstractmethod
    def brain_net(self, one: C) -> bytes:
        """What goes into a brain file of a contender that has learnt, without our metadata."""

    @abstractmethod
    def side(self, net: bytes) -> Side:
        """That net as a side of a match."""

    @abstractmethod
    def contents(self) -> dict[str, Any]:
        """What the checkpoint holds beside what is common to all duels; plain values and tensors."""

    @abstractmethod
    def take_up(self, contents: Mapping[str, Any]) -> None:
        """Goes on from what `contents` said."""

    @abstractmethod
    def news(self) -> dict[str, float | int]:
        """More numbers for a line of progress."""

    @property
    def names(self) -> tuple[str, str]:
        """Who plays, for people who watch."""
        a, b = (f"{one.letter}, {one.brain.name}" for one in self.contenders)
        return a, b

    def _report(self) -> None:
        changed = all(one.changed for one in self.contenders)
        loss = sum(one.loss for one in self.contenders) / 2 if changed else None
        share = {"B (by A)": round(sum(self.recent) / len(self.recent), 4)} if self.recent else None
        self.reporter.report(games=self.games, loss=loss, win_rates=share, **self.news())

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

    def _finalist(self, one: C) -> bytes:
        """The contender as it is now, or as it came if that plays better."""
        if not one.changed:
            return one.brain.data
        new = self.playing_net(one)
        score = self._match(new, one.brain.data, f"{one.letter} against what it was.")
        self.reporter.report(games=self.games, win_rates={f"the old {one.letter} (by {one.letter})": score})
        return new if score >= 0.5 else one.brain.data

    def _match(self, a: bytes, b: bytes, message: str) -> float:
        self.reporter.state("stopping", message)
        tally = versus(
            self.game,
            self.side(a),
            self.side(b),
            self.match_games,
            seed=int(self.rng.integers(2**40)),
            threads=self.match_threads,
            max_actions=self.max_actions,
        )
        return tally.score

    # Keeping

    def save(self) -> None:
        """Brains of how both play now; the one that has won more lately is named."""
        names = [self._save(one) if one.changed else self._saved_as_it_came(one) for one in self.contenders]
        ahead = sum(self.recent) >= len(self.recent) / 2
        self.reporter.saved(names[0 if ahead else 1])

    def _save(self, one: C) -> str:
        came = one.brain.info
        games = came.games + self.games
        info = BrainInfo(self.game.name, self.game.options, came.algorithm, games, one.loss, created=now())
        return write_brain(self.store.folder(self.game), self.brain_net(one), info).stem

    def _saved_as_it_came(self, one: C) -> str:
        """Its name among the brains, where it is put again if it has gone."""
        there = [stored for stored in self.store.list(self.game) if stored.digest == one.brain.digest]
        return (there[0] if there else self.store.import_(copy_path(self.folder, one.letter))).name

    def checkpoint(self) -> None:
        content = {
            "games": self.games,
            "recent": list(self.recent),
            "rng": dict(self.rng.bit_generator.state),
            **self.contents(),
        }
        checkpoint.put(self.folder, content)
        self._next_checkpoint = time.monotonic() + self.checkpoint_s

    def restore(self) -> bool:
        """Goes on from the last checkpoint; False if there is none. Raises ValueError with a sentence."""
        content = checkpoint.get(self.folder)
        if content is None:
            return False
        self.games = content["games"]
        self.recent.extend(content["recent"])
        self.rng.bit_generator.state = content["rng"]
        self.take_up(content)
        self.reporter.resumed(self.games)
        return True


def copy_path(folder: Path, letter: str) -> Path:
    """Where a run keeps a contender as it came."""
    return folder / f"contender-{letter.lower()}.onnx"
