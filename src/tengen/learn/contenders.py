"""Who plays a duel: two brains of the same game, options and algorithm, the best there are unless people
choose.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from tengen.brains.info import BrainError
from tengen.brains.net import Brain
from tengen.brains.store import BrainStore, StoredBrain
from tengen.game import Game
from tengen.games import game_class


def contenders(
    store: BrainStore, game: str, names: Sequence[str] = (), options: Game | None = None
) -> tuple[StoredBrain, StoredBrain]:
    """The brains of those names, at most two; the best ones where names lack, but no two unmeasured Q-nets.

    `options` is the game that they must have been made for, if that matters. Raises BrainError.
    """
    chosen = [store.entry(game, name) for name in names]
    if len(chosen) == 2:
        return _checked(chosen[0], chosen[1], options)
    there = store.list(game)
    if options is not None:
        there = [one for one in there if _game(one) == options]
    pairs = ((chosen[0], one) for one in there) if chosen else itertools.combinations(there, 2)
    fitting = [pair for pair in pairs if _match(*pair)]
    for a, b in fitting:
        if chosen or _promising(a):  # the list has the better one first
            return _checked(a, b, options)
    title = game_class(game).title
    if fitting:
        raise BrainError(
            f"Nobody knows which brains of {title} are best: `tengen brains rate {game} NAME` measures one, "
            "or name the two that shall play."
        )
    if not chosen and not there:
        raise BrainError(f"There are no brains of {title} to pit: `tengen train {game}` makes one.")
    alone = (chosen or there)[0]
    way = f" --algorithm {alone.info.algorithm}" if alone.info.algorithm != "gumbel" else ""
    raise BrainError(
        f"{alone.name} is the only such brain of {title}: `tengen train {game}{way}` makes another."
    )


def check_algorithms(a: Brain | StoredBrain, b: Brain | StoredBrain) -> None:
    """Raises BrainError for two that learn in different ways."""
    if a.info.algorithm != b.info.algorithm:
        raise BrainError(
            f"{a.name} is a {a.info.algorithm} brain and {b.name} is a {b.info.algorithm} brain: "
            "they learn from different samples, so they cannot play a duel."
        )


def _checked(a: StoredBrain, b: StoredBrain, options: Game | None) -> tuple[StoredBrain, StoredBrain]:
    if a.digest == b.digest:
        raise BrainError(f"{a.name} cannot play a duel with itself: choose two brains.")
    check_algorithms(a, b)
    if _game(a) != _game(b):
        raise BrainError(
            f"{a.name} and {b.name} were made for different options, so they cannot play a duel."
        )
    if options is not None and _game(a) != options:
        raise BrainError(f"{a.name} and {b.name} were made for other options than those.")
    return a, b


def _promising(one: StoredBrain) -> bool:
    """Measured, or a champion that its own training has measured against earlier ones."""
    return one.rating is not None or one.info.algorithm != "dqn"


def _match(a: StoredBrain, b: StoredBrain) -> bool:
    return a.digest != b.digest and a.info.algorithm == b.info.algorithm and _game(a) == _game(b)


def _game(stored: StoredBrain) -> Game:
    try:
        return stored.info.make_game()
    except BrainError as error:
        raise BrainError(f"{stored.path.name} {error}") from None
