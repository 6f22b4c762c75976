"""The brains on this machine: a folder a game in the user's data folder, and those that ship with tengen.

    brains/GAME/brain_L012300_G5000_20260301_120000.onnx
    brains/GAME/latest          the name of the champion
    brains/GAME/ratings.json    what the arena has measured, by the SHA-256 of the file

The shipped ones are `shipped/GAME.onnx` beside this file, with a `ratings.json` for all of them.

A name is that of a file, with or without `.onnx`, a path, or one of three words: `latest` is the champion
(the shipped brain until there is one, and on boards that it does not play), `best` the brain with the highest
measured rating, and `default` the shipped one. Several processes may use a folder at once. Start reading at
`BrainStore`.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
import re
import sys
import threading
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from tengen.brains.file import SUFFIX, place, read_brain, read_info, stamp, store_file
from tengen.brains.info import BrainError, BrainInfo, brain_name
from tengen.brains.net import Brain, fits_board
from tengen.brains.runtime import require
from tengen.game import Game
from tengen.games import game_class

LATEST, BEST, DEFAULT = WORDS = ("latest", "best", "default")
RATINGS_FILE = "ratings.json"
SHIPPED = Path(__file__).parent / "shipped"
_MOST_LOADED = 8  # brains kept in memory for the next `find`
_LARGEST_RATINGS = 16 * 2**20  # bytes

GameLike = str | Game


@dataclass(frozen=True, slots=True)
class Rating:
    """Elo as the arena has measured it, with its 95 % interval, the games played and the engine."""

    rating: float
    games: int
    low: float
    high: float
    engine: str = ""  # the build of tengen, unknown where the measurement is older than this field


@dataclass(frozen=True, slots=True)
class StoredBrain:
    """A brain file as it lies there. Only its description has been read."""

    path: Path
    info: BrainInfo
    digest: str  # SHA-256 of the file
    rating: Rating | None
    shipped: bool = False

    @property
    def name(self) -> str:
        return DEFAULT if self.shipped else self.path.stem


def data_folder() -> Path:
    """Where brains are kept; it may not exist yet."""
    from platformdirs import user_data_path

    return user_data_path("tengen", appauthor=False) / "brains"


StoredBrains = list[StoredBrain]  # `list` is a method below
Faults = list[BrainError]
Paths = list[Path]


class BrainStore:
    """The brains in a folder, by game. It holds nothing itself: two stores of a folder are the same.

    Where a game is asked for by a `Game` and not by its name, `best` looks only among brains that fit its
    board, `latest` is the champion only if it does, and `find` refuses one that does not.
    """

    def __init__(self, folder: Path | None = None, *, shipped: Path | None = None) -> None:
        self.root = data_folder() if folder is None else folder
        self._shipped = SHIPPED if shipped is None else shipped

    def folder(self, game: GameLike) -> Path:
        """The folder of that game, which may not exist; raises InvalidOption for an unknown game."""
        name = game if isinstance(game, str) else game.name
        game_class(name)
        if not re.fullmatch(r"[\w-][\w.-]*", name):
            raise BrainError(f"A game called {name!r} cannot have brains.")
        return self.root / name

    def list(self, game: GameLike) -> StoredBrains:
        """The readable brains, best rating first, the shipped one among them.

        What nobody has measured comes after all that was: first the shipped one, then by its training.
        """
        return self.scan(game)[0]

    def scan(self, game: GameLike) -> tuple[StoredBrains, Faults]:
        """The brains as `list` has them, and what is wrong with the other files there."""
        paths = [path for path in self._paths(game) if path.is_file()]
        try:
            require()
        except BrainError as error:
            return [], [error]
        ratings = self._ratings(game)
        found: StoredBrains = []
        faults: Faults = []
        try:
            _read_ratings(self.folder(game) / RATINGS_FILE)
        except BrainError as error:
            faults.append(error)
        for path in paths:
            try:
                stored = _describe(path, ratings, shipped=path.parent == self._shipped)
            except BrainError as error:
                faults.append(error)
                continue
            if isinstance(game, str) or _fits(stored.info, game):
                found.append(stored)
        found.sort(key=_rank, reverse=True)
        return found, faults

    def shipped(self, game: GameLike) -> StoredBrain | None:
        """The one of the game that came with tengen, if any; raises BrainError."""
        path = self._shipped_path(game)
        return _describe(path, self._ratings(game), shipped=True) if path.is_file() else None

    def entry(self, game: GameLike, name: str | os.PathLike[str], *, paths: bool = True) -> StoredBrain:
        """The file of that name, its net unread; raises BrainError.

        With `paths` False only names in this folder are taken, for names that a stranger chose.
        """
        if name == BEST:
            return self._best(game)
        shipped = self._shipped_path(game)
        path = self._locate(game, os.fspath(name), paths)
        if path == shipped and not path.is_file():
            if name == LATEST and len(self._paths(game)) > 1:
                raise BrainError(
                    f"None of the brains for {_name(game)} is the latest: `tengen brains use` makes one so."
                )
            raise BrainError(f"No brain for {_name(game)} comes with tengen yet: train or import one.")
        stored = _describe(path, self._ratings(game), shipped=path.parent == self._shipped)
        if stored.info.game != _name(game):
            raise BrainError(f"The brain {stored.name} plays {stored.info.game}, not {_name(game)}.")
        return stored

    def find(self, game: GameLike, name: str | os.PathLike[str], *, paths: bool = True) -> Brain:
        """The brain of that name, checked and ready to play; raises BrainError. `paths` as in `entry`."""
        brain = load(self.entry(game, name, paths=paths).path)
        if not isinstance(game, str):
            brain.check_fits(game)
        return brain

    def latest(self, game: GameLike) -> str:
        """The name that `latest` stands for; `default` if none was chosen, or the chosen one is gone or
        plays on other boards and the shipped one on this.
        """
        with contextlib.suppress(OSError, UnicodeDecodeError):
            name = (self.folder(game) / LATEST).read_text("utf-8").strip()
            path = self.folder(game) / f"{name}{SUFFIX}"
            if _is_name(name) and path.is_file() and not self._only_shipped_plays(game, path):
                return name
        return DEFAULT

    def _only_shipped_plays(self, game: GameLike, path: Path) -> bool:
        """Whether that brain does not fit the board and the shipped one does."""
        if isinstance(game, str):
            return False
        try:
            return not _fits(read_info(path), game) and _fits(read_info(self._shipped_path(game)), game)
        except BrainError:  # whoever asks for the one that cannot be read hears why
            return False

    def set_latest(self, game: GameLike, name: str | os.PathLike[str]) -> StoredBrain:
        """Makes that brain the champion; a file from elsewhere is imported first."""
        stored = self.entry(game, name)
        read_brain(stored.path)
        if not stored.shipped and stored.path.parent.resolve() != self.folder(game).resolve():
            stored = self.import_(stored.path)
        store_file(self.folder(game) / LATEST, f"{stored.name}\n".encode())
        return stored

    def set_rating(self, game: GameLike, name: str | os.PathLike[str], rating: Rating) -> None:
        """Keeps what the arena has measured, in place of an earlier measurement."""
        if not all(math.isfinite(value) for value in (rating.rating, rating.low, rating.high)):
            raise BrainError("A rating must be a number.")
        digest = self.entry(game, name).digest
        with self._locked(game):
            path = self.folder(game) / RATINGS_FILE
            text = json.dumps(_read_ratings(path) | {digest: asdict(rating)}, indent=1, sort_keys=True)
            store_file(path, f"{text}\n".encode())

    def import_(self, source: str | os.PathLike[str] | bytes) -> StoredBrain:
        """Copies a brain in under the name that its description gives; an unsound one is not written."""
        brain = read_brain(source)
        game = brain.game.name
        for stored in self.list(game):
            if stored.digest == brain.digest and not stored.shipped:
                return stored
        path = place(self.folder(game), brain_name(brain.info), brain.data)
        return _describe(path, self._ratings(game))

    def export(self, game: GameLike, name: str | os.PathLike[str], target: Path) -> Path:
        """Writes a copy with the measured rating in its description; a folder gets the brain's own name.

        A file that is there already is not replaced.
        """
        stored = self.entry(game, name)
        data = read_brain(stored.path).data
        if stored.rating is not None:
            data = stamp(data, replace(stored.info, rating=round(stored.rating.rating, 1)))
        if target.is_dir():
            target /= f"{brain_name(stored.info)}{SUFFIX}"
        if not store_file(target, data, replace=False):
            raise BrainError(f"{target} is there already.")
        return target

    def remove(self, game: GameLike, name: str | os.PathLike[str]) -> StoredBrain:
        """Deletes the file. If it was the champion, the shipped brain is `latest` again."""
        stored = self.entry(game, name, paths=False)
        if stored.shipped:
            raise BrainError("The brain that comes with tengen cannot be removed.")
        try:
            stored.path.unlink()
        except OSError as error:
            raise BrainError(f"Cannot remove {stored.path}: {error.strerror}.") from None
        return stored

    def _shipped_path(self, game: GameLike) -> Path:
        return self._shipped / f"{_name(game)}{SUFFIX}"

    def _paths(self, game: GameLike) -> Paths:
        own = [path for path in self.folder(game).glob(f"*{SUFFIX}") if _is_name(path.stem)]
        return [*sorted(own), self._shipped_path(game)]

    def _best(self, game: GameLike) -> StoredBrain:
        rated = [one for one in self.list(game) if one.rating is not None]
        if not rated:
            raise BrainError(
                f"No brain for {_name(game)} has been measured yet: `tengen brains rate` measures one."
            )
        return rated[0]

    def _locate(self, game: GameLike, name: str, paths: bool) -> Path:
        if name == LATEST:
            name = self.latest(game)
        if name == DEFAULT:
            return self._shipped_path(game)
        stem = name.removesuffix(SUFFIX)
        inside = self.folder(game) / f"{stem}{SUFFIX}"
        if _is_name(stem) and inside.is_file():
            return inside
        if paths and (Path(name).is_file() or not _is_name(name)):
            return Path(name)
        raise BrainError(f"There is no brain {name!r} for {_name(game)}: `tengen brains list` has them.")

    def _ratings(self, game: GameLike) -> dict[str, Rating]:
        """By digest; what has been measured here counts before what came with tengen.

        A damaged file is passed over, since a brain without its rating can still play; `scan` tells of it.
        """
        rows: dict[str, dict[str, Any]] = {}
        for path in (self._shipped / RATINGS_FILE, self.folder(game) / RATINGS_FILE):
            with contextlib.suppress(BrainError):
                rows |= _read_ratings(path)
        return {digest: Rating(**row) for digest, row in rows.items()}

    @contextlib.contextmanager
    def _locked(self, game: GameLike) -> Iterator[None]:
        """One writer of ratings at a time, of all processes."""
        path = self.folder(game) / f".{RATINGS_FILE}.lock"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            file = path.open("ab")
        except OSError as error:
            raise BrainError(f"Cannot write {path}: {error.strerror}.") from None
        with file:
            if sys.platform == "win32":
                import msvcrt

                msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
            else:
                import fcntl

                fcntl.flock(file, fcntl.LOCK_EX)
            yield


_loaded: dict[tuple[Path, int, int], Brain] = {}
_loaded_lock = threading.Lock()


def load(path: Path) -> Brain:
    """The brain in that file; read and checked again only when the file has changed. Raises BrainError."""
    try:
        found = path.stat()
        key = (path.resolve(), found.st_mtime_ns, found.st_size)
    except OSError as error:
        raise BrainError(f"Cannot read {path}: {error.strerror}.") from None
    with _loaded_lock:
        brain = _loaded.pop(key, None) or read_brain(path)
        _loaded[key] = brain  # at the end: the first in the dict is the one unused for longest
        while len(_loaded) > _MOST_LOADED:
            del _loaded[next(iter(_loaded))]
    return brain


def _describe(path: Path, ratings: dict[str, Rating], *, shipped: bool = False) -> StoredBrain:
    info = read_info(path)
    try:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise BrainError(f"Cannot read {path}: {error.strerror}.") from None
    return StoredBrain(path, info, digest, ratings.get(digest), shipped)


def _rank(one: StoredBrain) -> tuple[bool, float, bool, bool, datetime]:
    """What sorts brains from weak to strong, as far as anybody knows; a Q-net plays without search."""
    created = datetime.fromisoformat(one.info.created)
    measured = one.rating is not None
    elo = one.rating.rating if one.rating is not None else 0.0
    return measured, elo, one.shipped, one.info.algorithm != "dqn" and one.info.games > 0, created


def _read_ratings(path: Path) -> dict[str, dict[str, Any]]:
    """A file that is damaged is an error: what it holds is not to be written over."""
    try:
        with path.open("rb") as file:
            content = json.loads(file.read(_LARGEST_RATINGS))
        for row in content.values():
            Rating(**row)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, AttributeError):
        raise BrainError(f"Cannot read {path}: mend it, or move it away.") from None
    return content  # type: ignore[no-any-return]


def _fits(info: BrainInfo, game: Game) -> bool:
    try:
        return fits_board(info, info.make_game(), game)
    except BrainError:
        return False


def _is_name(name: str) -> bool:
    """A name that stays in its folder and is not hidden."""
    return re.fullmatch(r"[\w-][\w.-]*", name) is not None


def _name(game: GameLike) -> str:
    return game if isinstance(game, str) else game.name
