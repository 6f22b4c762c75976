"""Who plays a duel: two brains of the same game and options, the best there are unless people choose."""

from __future__ import annotations

from collections.abc import Sequence

from tengen.brains.info import BrainError
from tengen.brains.store import BrainStore, StoredBrain
from tengen.game import Game
from tengen.games import game_class


def contenders(
    store: BrainStore, game: str, names: Sequence[str] = (), options: Game | None = None
) -> tuple[StoredBrain, StoredBrain]:
    """The brains of those names, at most two; the best measured ones, then the newest, where names lack.

    `options` is the game that they must have been made for, if that matters. Raises BrainError.
    """
    title = game_class(game).title
    chosen = [store.entry(game, name) for name in names]
    for one in chosen:
        if one.info.algorithm != "gumbel":
            raise BrainError(
                f"The brain {one.name} is a {one.info.algorithm} brain, which cannot learn in a duel."
            )
    fitting = [one for one in store.list(game) if one.info.algorithm == "gumbel"]
    if options is not None:
        fitting = [one for one in fitting if _game(one) == options]
    for one in fitting:
        if len(chosen) < 2 and all(one.digest != other.digest for other in chosen) and _same(one, chosen):
            chosen.append(one)
    if len(chosen) == 2:
        return _checked(chosen[0], chosen[1], options)
    if not chosen:
        raise BrainError(f"There are no brains of {title} to pit: `tengen train {game}` makes one.")
    raise BrainError(
        f"{chosen[0].name} is the only such brain of {title}: `tengen train {game}` makes another."
    )


def _checked(a: StoredBrain, b: StoredBrain, options: Game | None) -> tuple[StoredBrain, StoredBrain]:
    if a.digest == b.digest:
        raise BrainError(f"{a.name} cannot play a duel with itself: choose two brains.")
    if _game(a) != _game(b):
        raise BrainError(
            f"{a.name} and {b.name} were made for different options, so they cannot play a duel."
        )
    if options is not None and _game(a) != options:
        raise BrainError(f"{a.name} and {b.name} were made for other options than those.")
    return a, b


def _same(one: StoredBrain, chosen: list[StoredBrain]) -> bool:
    return all(_game(one) == _game(other) for other in chosen)


def _game(stored: StoredBrain) -> Game:
    try:
        return stored.info.make_game()
    except BrainError as error:
        raise BrainError(f"{stored.path.name} {error}") from None
