"""The brains of this machine as the protocol tells them, and what the operator may do to them.

Names come from clients, so none of them is ever taken for a path. What a brain says of itself is read from
its file, which takes a while where there are many: a list is kept until its folder changes. Raises Refusal.
Start reading at `listed`.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tengen.brains.info import BrainError
from tengen.brains.net import Brain
from tengen.brains.store import LATEST, SHIPPED, BrainStore, StoredBrain
from tengen.game import Game, InvalidOption, OptionValue
from tengen.games import games
from tengen.learn.contenders import contenders
from tengen.server import protocol as p
from tengen.server.errors import Refusal

NO_SUCH = "There is no such brain on this server."
_PLAIN = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}")

_Signature = tuple[tuple[str, int, int], ...]
_kept: dict[tuple[Path, str], tuple[_Signature, list[p.BrainInfo]]] = {}
_keeping = threading.Lock()


def listed(everything: bool) -> list[p.BrainInfo]:
    """By game, the best measured first; without `everything` only what `latest` means in each game."""
    store = BrainStore()
    found = [brain for game in games() for brain in _of(store, game)]
    return [brain for brain in found if everything or brain.champion]


def _of(store: BrainStore, game: str) -> list[p.BrainInfo]:
    """The brains of a game that can be named in a request; none where their folder cannot be read."""
    signature, key = _signature(store, game), (store.root, game)
    with _keeping:
        if key in _kept and _kept[key][0] == signature:
            return _kept[key][1]
    try:
        champion = store.latest(game)
        found = [brain_info(one, champion) for one in store.list(game) if _PLAIN.fullmatch(one.name)]
    except BrainError:
        return []
    with _keeping:
        _kept[key] = (signature, found)
    return found


def _signature(store: BrainStore, game: str) -> _Signature:
    """What changes whenever a brain, a rating or the champion does."""
    found = []
    for folder in (store.folder(game), SHIPPED):
        try:
            for path in sorted(folder.iterdir()):
                seen = path.stat()
                found.append((path.name, seen.st_mtime_ns, seen.st_size))
        except OSError:
            continue
    return tuple(found)


def brain_info(stored: StoredBrain, champion: str) -> p.BrainInfo:
    return p.BrainInfo(
        game=stored.info.game,
        name=stored.name,
        options=dict(stored.info.options),
        algorithm=stored.info.algorithm,
        games=stored.info.games,
        loss=stored.info.loss,
        rating=None if stored.rating is None else stored.rating.rating,
        created=stored.info.created,
        title=stored.info.title,
        champion=stored.name == champion,
        shipped=stored.shipped,
        any_board=bool(stored.info.mixture),
    )


# What the operator does


def use(game: str, name: str) -> None:
    """Makes it the champion."""
    stored = _entry(game, name)
    with _refusing("not-now"):
        BrainStore().set_latest(game, stored.name)


def remove(game: str, name: str) -> None:
    stored = _entry(game, name)
    with _refusing("not-now"):
        BrainStore().remove(game, stored.name)


def file(game: str, name: str) -> tuple[str, bytes]:
    """A name for the file and what is in it, with the measured rating."""
    stored = _entry(game, name)
    with _refusing("not-now"), TemporaryDirectory() as folder:
        path = BrainStore().export(game, stored.name, Path(folder))
        return path.name, path.read_bytes()


def add(data: bytes) -> p.BrainInfo:
    """Keeps a brain that somebody brings, if it is sound."""
    with _refusing("malformed"):
        store = BrainStore()
        stored = store.import_(data)
        return brain_info(stored, store.latest(stored.info.game))


def teachable(game: str, name: str) -> Mapping[str, OptionValue]:
    """The options that a brain was made for which training can go on from."""
    stored = _entry(game, name)
    if stored.info.algorithm != "gumbel":
        raise Refusal("not-now", f"The brain {stored.name} cannot be trained further this way.")
    return stored.info.options


def algorithm(game: str, name: str) -> str:
    """How that brain learns."""
    return _entry(game, name).info.algorithm


def rivals(game: str, names: Sequence[str]) -> Mapping[str, OptionValue]:
    """The options that the two of a duel were made for."""
    if len(names) != 2:
        raise Refusal("malformed", "A duel has two brains.")
    stored = [_entry(game, name) for name in names]
    with _refusing("not-now"):
        first, _ = contenders(BrainStore(), game, [one.name for one in stored])
    return first.info.options


def _entry(game: str, name: str) -> StoredBrain:
    if not _PLAIN.fullmatch(name):
        raise Refusal("unknown", NO_SUCH)
    try:
        return BrainStore().entry(game, name, paths=False)
    except (BrainError, InvalidOption):
        raise Refusal("unknown", NO_SUCH) from None


@contextmanager
def _refusing(code: p.Code) -> Iterator[None]:
    try:
        yield
    except BrainError as error:
        raise Refusal(code, str(error)) from None


# Seats


def champion(game: Game) -> str:
    """The name that `latest` stands for now. Whether there is such a brain is not checked."""
    return BrainStore().latest(game)


def seated(game: Game, name: str) -> Brain:
    """The brain of that name, if it can play that very game; raises InvalidOption with a sentence."""
    if not _PLAIN.fullmatch(name):
        raise InvalidOption("A brain is asked for by its name, such as brain:latest.")
    store = BrainStore()
    try:
        store.entry(game, name, paths=False)
    except BrainError:
        nobody = f"This server has no neural net for {game.title}."
        raise InvalidOption(nobody if name == LATEST else NO_SUCH) from None
    try:
        return store.find(game, name, paths=False)
    except BrainError as error:
        raise InvalidOption(str(error)) from None
