"""How strong a brain is: arena games against a ladder of fixed opponents, and one Elo number from them.

Elo 0 is `mcts:1000`, our search with 1000 visits a move and no net; in a game without compiled search it is
the random mover. Each opponent on the ladder also plays the next one, once for each game and options, so
that all ratings come out of games and none out of a table. Ratings are fitted together (Bradley and Terry, a
draw is half a win) and held, very loosely, near 0, so that a clean sweep has a finite rating. Finished games
stay on disk, and a measurement that was stopped goes on. Start reading at `Examiner.rate`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tengen.arena import Z95, Arena, Standings
from tengen.brains.net import Brain
from tengen.brains.store import BrainStore, Rating
from tengen.game import Game
from tengen.players.identity import engine

SIMULATIONS = 64  # a move, when ratings are to be compared
GAMES = 40  # against each opponent
ZERO = "mcts:1000"
ELO = 400 / np.log(10)  # points a unit of log odds
PRIOR_ELO = 1000.0  # standard deviation of ratings before any game; a few games outweigh it
_STEPS = 100  # of Newton's method; it needs about ten

Progress = Callable[[str, int, int], None]  # what is being played, games done, games to do


@dataclass(frozen=True, slots=True)
class Measured:
    """A rating, and the games against each opponent that it was made from."""

    rating: Rating
    against: Mapping[str, Standings]
    zero: str  # whose rating is 0


class Score(NamedTuple):
    """What is known of a match whose games are not at hand."""

    games: int
    score: float  # A's share of the points


@dataclass(frozen=True, slots=True)
class _Pairing:
    a: str
    b: str
    title: str


@dataclass(frozen=True, slots=True)
class Examiner:
    """Plays the games that a question needs, those of earlier runs included. Ratings are not stored.

    A brain must come from a file, since players are asked for by text.
    """

    store: BrainStore
    games: int = GAMES  # a pairing
    simulations: int = SIMULATIONS
    workers: int | None = None
    progress: Progress | None = None

    def rate(self, brain: Brain) -> Measured:
        opponents = ladder(brain.game)
        own = self.player_text(brain)
        against = [_Pairing(own, other, f"{brain.name} against {other}") for other in opponents]
        among = [_Pairing(upper, lower, f"{upper} against {lower}") for lower, upper in pairwise(opponents)]
        found = self._play(brain.game, [*against, *among])
        zero = ZERO if ZERO in opponents else opponents[0]
        elo, half = fit({(pairing.a, pairing.b): result for pairing, result in found.items()}, zero)[own]
        results = {pairing.b: found[pairing] for pairing in against}
        played = sum(standings.games for standings in results.values())
        rating = Rating(round(elo, 1), played, round(elo - half, 1), round(elo + half, 1), engine())
        return Measured(rating, results, zero)

    def compare(self, a: Brain, b: Brain) -> Standings:
        """A match by the options of A's game; raises BrainError if B's board is another."""
        b.check_fits(a.game)
        texts = self.player_text(a), self.player_text(b)
        pairing = _Pairing(*texts, f"{a.name} against {b.name}")
        return self._play(a.game, [pairing])[pairing]

    def player_text(self, brain: Brain) -> str:
        assert brain.path is not None
        return f"brain:{brain.path.resolve()}@{self.simulations}"

    def _play(self, game: Game, pairings: Sequence[_Pairing]) -> dict[_Pairing, Standings]:
        found: dict[_Pairing, Standings] = {}
        for number, pairing in enumerate(pairings):

            def show(standings: Standings, number: int = number, title: str = pairing.title) -> None:
                if self.progress is not None:
                    done = number * self.games + min(standings.games, self.games)
                    self.progress(title, done, len(pairings) * self.games)

            match = Arena(game, pairing.a, pairing.b, workers=self.workers)
            match.folder = self._folder(game, match)
            show(match.standings)
            found[pairing] = match.run(self.games, show)
            show(found[pairing])
        return found

    def _folder(self, game: Game, match: Arena) -> Path:
        """Where those games are: another brain under the same name, or another engine, is another match."""
        key = "\n".join([repr(game), *match.identities])
        return self.store.folder(game) / "arena" / hashlib.sha256(key.encode()).hexdigest()[:16]


def ladder(game: Game) -> tuple[str, ...]:
    """The fixed opponents of that game, from weak to strong, neighbours not too far apart."""
    if len(game.opponents.levels) < 10:
        return ("random", "level:2", "level:3", ZERO)
    return ("random", "level:1", "level:3", "level:5", ZERO, "level:8")


def fit(results: Mapping[tuple[str, str], Standings | Score], zero: str) -> dict[str, tuple[float, float]]:
    """The Elo of each player and half of its 95 % interval, as likely as games and prior make it."""
    names = [zero, *sorted({name for pair in results for name in pair} - {zero})]
    index = {name: i for i, name in enumerate(names)}
    log_odds = np.zeros(len(names))
    precision = (ELO / PRIOR_ELO) ** 2
    for _ in range(_STEPS):
        slope, curve = -log_odds * precision, np.eye(len(names)) * precision
        for (a, b), standings in results.items():
            i, j = index[a], index[b]
            expected = 1 / (1 + np.exp(log_odds[j] - log_odds[i]))
            surplus = standings.games * (standings.score - expected)
            weight = standings.games * expected * (1 - expected)
            slope[[i, j]] += surplus, -surplus
            curve[[i, j], [i, j]] += weight
            curve[[i, j], [j, i]] -= weight
        step = np.linalg.solve(curve[1:, 1:], slope[1:])
        log_odds[1:] += np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-9:
            break
    spread = np.sqrt(np.diag(np.linalg.inv(curve[1:, 1:])))
    half = np.concatenate([[0.0], spread]) * Z95
    return {name: (float(log_odds[i] * ELO), float(half[i] * ELO)) for name, i in index.items()}
