"""Many games between two players: colours swapped in pairs, varied openings, Elo with its error bar.

Each pair of games starts from the same opening, a few moves by a weak and blurred search, and each player
has both seats once. In a folder, if there is one, finished games are appended to `games.jsonl`, one record a
line, so that a run that was stopped goes on where it was. Each carries the identity of who played it, and
games of different players, engines or options are never counted together. Start reading at `Arena.run`.
"""

from __future__ import annotations

import json
import math
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tengen.files import write_whole
from tengen.game import Game, State
from tengen.players import Player, PlayerError, make_player
from tengen.players.identity import identity
from tengen.players.machine import SearchPlayer
from tengen.players.program import ProgramPlayer
from tengen.records import Player as Name
from tengen.records import Record, Result

GAMES_FILE = "games.jsonl"
MAX_ACTIONS = 5000  # a game that is still going then is a draw
Z95 = 1.959964  # standard deviations of a 95 % interval


@dataclass(frozen=True, slots=True)
class GameResult:
    """One game from A's side."""

    number: int
    a_seat: int
    score: float  # of A: 1, 0.5 or 0
    reason: str
    moves: int


@dataclass
class Standings:
    """What the games so far say of A against B."""

    results: list[GameResult] = field(default_factory=list)

    @property
    def games(self) -> int:
        return len(self.results)

    @property
    def score(self) -> float:
        """A's share of the points."""
        return sum(r.score for r in self.results) / self.games if self.games else 0.5

    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the score."""
        n = self.games
        if n == 0:
            return 0.0, 1.0
        centre = (self.score + Z95**2 / (2 * n)) / (1 + Z95**2 / n)
        half = Z95 / (1 + Z95**2 / n) * math.sqrt(self.score * (1 - self.score) / n + Z95**2 / (4 * n * n))
        return (0.0 if self.score == 0 else centre - half), (1.0 if self.score == 1 else centre + half)

    def elo(self) -> tuple[float, float, float]:
        """A's Elo above B's with its 95 % interval; infinite where one side won everything."""
        low, high = self.interval()
        return _elo(self.score), _elo(low), _elo(high)

    def by_seat(self, seat: int) -> tuple[float, int]:
        """A's points in that seat, and its games there."""
        there = [r.score for r in self.results if r.a_seat == seat]
        return sum(there), len(there)

    def reasons(self) -> dict[str, int]:
        counts: dict[str, int] = {}
        for result in self.results:
            counts[result.reason] = counts.get(result.reason, 0) + 1
        return dict(sorted(counts.items(), key=lambda item: -item[1]))

    def by_reason(self) -> dict[str, float]:
        """A's share of the points among the games that ended so."""
        return {
            reason: sum(r.score for r in self.results if r.reason == reason) / count
            for reason, count in self.reasons().items()
        }

    def to_json(self) -> dict[str, Any]:
        elo, low, high = (round(value, 1) if math.isfinite(value) else None for value in self.elo())
        wins, draws = (sum(r.score == s for r in self.results) for s in (1.0, 0.5))
        return {
            "games": self.games,
            "wins": wins,
            "draws": draws,
            "losses": self.games - wins - draws,
            "score": round(self.score, 4),
            "score_95": [round(value, 4) for value in self.interval()],
            "elo": elo,
            "elo_95": [low, high],
            "reasons": self.reasons(),
            "score_by_reason": {reason: round(score, 4) for reason, score in self.by_reason().items()},
        }


def _elo(score: float) -> float:
    if score <= 0 or score >= 1:
        return math.inf if score >= 1 else -math.inf
    return -400 * math.log10(1 / score - 1)


class Arena:
    """A match of many games between two players, each asked for by a text that `make_player` reads.

    Without a folder nothing is kept.
    """

    def __init__(
        self,
        game: Game,
        a: str,
        b: str,
        *,
        folder: Path | None = None,
        seed: int = 1,
        workers: int | None = None,
    ) -> None:
        self.game, self.a, self.b, self.folder, self.seed = game, a, b, folder, seed
        self.workers = workers or os.cpu_count() or 1
        self.standings = Standings()
        self._stop = threading.Event()
        self.identities = (self._identity(a), self._identity(b))

    def _identity(self, text: str) -> str:
        """What plays; a wrong name or a missing program says so before anything is written."""
        with closing(make_player(text, self.game)) as player:
            return identity(text, self.game, player)

    def run(self, games: int, progress: Callable[[Standings], None] | None = None) -> Standings:
        """Plays until that many games are there, the first ones of earlier runs in the folder included."""
        if self.folder is not None:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._check_folder(self.folder)
            self.standings.results = [found for found in self._earlier(self.folder) if found.number < games]
        done = {result.number for result in self.standings.results}
        missing = [number for number in range(games) if number not in done]
        path = Path(os.devnull) if self.folder is None else self.folder / GAMES_FILE
        with ThreadPoolExecutor(self.workers) as pool, path.open("a") as out:
            futures: list[Future[tuple[GameResult, Record] | None]] = [
                pool.submit(self._play, n) for n in missing
            ]
            try:
                for future in as_completed(futures):
                    finished = future.result()
                    if finished is None:
                        continue
                    result, record = finished
                    line = asdict(result) | {
                        "players": self.identities,
                        "record": json.loads(record.to_json()),
                    }
                    out.write(json.dumps(line, separators=(",", ":")) + "\n")
                    out.flush()
                    self.standings.results.append(result)
                    if progress is not None:
                        progress(self.standings)
            except BaseException:
                self._stop.set()
                for future in futures:
                    future.cancel()
                raise
        return self.standings

    def _check_folder(self, folder: Path) -> None:
        """A folder belongs to one match: going on with others would mix results."""
        match = {
            "game": self.game.name,
            "options": self.game.options,
            "a": self.identities[0],
            "b": self.identities[1],
            "seed": self.seed,
        }
        path = folder / "match.json"
        try:
            earlier = json.loads(path.read_text())
        except FileNotFoundError:
            write_whole(path, f"{json.dumps(match, indent=2)}\n".encode())
            return
        except ValueError:
            raise ValueError(f"{path} cannot be read: choose another folder.") from None
        known = earlier if isinstance(earlier, dict) else {}
        for key, value in match.items():
            if known.get(key) != value:
                was = f"{key} {known[key]}" if key in known else f"no {key}"
                raise ValueError(
                    f"The folder {folder} has games of another match, with {was} and not {value}: "
                    "choose another one."
                )

    def _earlier(self, folder: Path) -> Iterator[GameResult]:
        path = folder / GAMES_FILE
        if not path.exists():
            return
        for line in path.read_text().splitlines():
            try:
                row = json.loads(line)
            except json.JSONDecodeError:
                continue  # cut off when the earlier run was killed
            try:
                players, _ = row.pop("players", None), row.pop("record")
                result = GameResult(**row)
            except (AttributeError, KeyError, TypeError):
                raise ValueError(f"{path} is not a list of games: choose another folder.") from None
            if players != list(self.identities):
                raise ValueError(f"{path} has games of other players than its match: choose another folder.")
            yield result

    def _play(self, number: int) -> tuple[GameResult, Record] | None:
        if self._stop.is_set():
            return None
        self._check_unchanged()
        a_seat = number % 2
        seed = self.seed * 1_000_003 + number
        with (
            closing(make_player(self.a, self.game, seed=seed * 2)) as a,
            closing(make_player(self.b, self.game, seed=seed * 2 + 1)) as b,
        ):
            seats: tuple[Player, Player] = (a, b) if a_seat == 0 else (b, a)
            state = opening(self.game, self.seed * 1_000_003 + number // 2)
            end, result = self._play_out(state, seats)
            score = 0.5 if result.winner is None else float(result.winner == a_seat)
            names = (Name(seats[0].name), Name(seats[1].name))
            record = Record.from_state(end, players=names, result=result)
            return GameResult(number, a_seat, score, result.reason, len(end.actions)), record

    def _check_unchanged(self) -> None:
        """A brain that is trained or replaced while others play it would mix results."""
        for text, known in zip((self.a, self.b), self.identities, strict=True):
            if text.startswith("brain:") and self._identity(text) != known:
                raise ValueError(f"{text} has become another brain while it played: start again.")

    def _play_out(self, state: State, seats: tuple[Player, Player]) -> tuple[State, Result]:
        while state.outcome is None:
            if self._stop.is_set() or len(state.actions) > MAX_ACTIONS:
                return state, Result(None, "void")
            seat = state.to_move
            try:
                actions = seats[seat].choose(state)
            except PlayerError:
                return state, Result(1 - seat, "forfeit")
            if actions is None:
                return state, Result(1 - seat, "resign")
            for action in actions:
                state = state.play(action)
        return state, self._judge(state, seats)

    def _judge(self, state: State, seats: tuple[Player, Player]) -> Result:
        """The outcome; where stones can be dead a program that takes part counts, since it knows them."""
        assert state.outcome is not None
        for player in seats:
            if isinstance(player, ProgramPlayer) and self.game.table.can_resume(state):
                lead = player.final_lead(state)
                if lead is not None:
                    return Result(None if lead == 0 else int(lead < 0), "score", margin=abs(lead))
        return Result.of(state.outcome)


def opening(game: Game, seed: int) -> State:
    """A few plausible moves, the same for the same seed."""
    state = game.start()
    weak = SearchPlayer(visits=60, blur=0.15, seed=seed)
    for _ in range(game.opponents.opening_moves):
        for action in weak.choose(state) or []:
            state = state.play(action)
    return state
