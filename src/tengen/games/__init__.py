"""The registry: the only place where a game is made known by its name.

The games of this package are listed here; others come through the entry point group `tengen.games`, whose
names are game names and whose values are subclasses of `Game`. A built-in name cannot be taken over.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Literal, overload

from tengen.game import Game, InvalidOption, OptionValue

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from tengen.games.dominion_duel import DominionDuel
    from tengen.games.go import Go
    from tengen.games.great_kingdom import GreatKingdom
    from tengen.games.kelasu import Kelasu

_BUILT_IN = {
    "great-kingdom": "tengen.games.great_kingdom:GreatKingdom",
    "go": "tengen.games.go:Go",
    "kelasu": "tengen.games.kelasu:Kelasu",
    "dominion-duel": "tengen.games.dominion_duel:DominionDuel",
}
BUILT_IN = tuple(_BUILT_IN)  # the names of the games of this package
ENTRY_POINT_GROUP = "tengen.games"


def games() -> list[str]:
    """The names that `game` takes, the built-in games first."""
    return [*_BUILT_IN, *sorted(name for name in _plugins() if name not in _BUILT_IN)]


@overload
def game(name: Literal["great-kingdom"], **options: OptionValue) -> GreatKingdom: ...
@overload
def game(name: Literal["go"], **options: OptionValue) -> Go: ...
@overload
def game(name: Literal["kelasu"], **options: OptionValue) -> Kelasu: ...
@overload
def game(name: Literal["dominion-duel"], **options: OptionValue) -> DominionDuel: ...
@overload
def game(name: str, **options: OptionValue) -> Game: ...
def game(name: str, **options: OptionValue) -> Game:
    """The game of that name with those options; raises InvalidOption for an unknown name or option."""
    return game_class(name)(**options)


def is_built_in(name: str) -> bool:
    return name in _BUILT_IN


def game_class(name: str) -> type[Game]:
    if name in _BUILT_IN:
        module, _, attribute = _BUILT_IN[name].partition(":")
        return getattr(import_module(module), attribute)  # type: ignore[no-any-return]
    plugin = _plugins().get(name)
    if plugin is None:
        raise InvalidOption(f"There is no game {name!r}; there are {', '.join(games())}.")
    try:
        found = plugin.load()
    except Exception as error:  # whatever a stranger's module does when it is imported
        raise InvalidOption(f"The game {name!r} cannot be loaded from {plugin.value!r}: {error}.") from error
    if not (isinstance(found, type) and issubclass(found, Game)):
        raise InvalidOption(
            f"The entry point {plugin.value!r} of the game {name!r} is not a subclass of tengen.Game."
        )
    return found


def game_classes() -> dict[str, type[Game]]:
    """The games that can be loaded, by name: a broken plug-in is left out."""
    found = {}
    for name in games():
        with suppress(InvalidOption):
            found[name] = game_class(name)
    return found


def _plugins() -> dict[str, EntryPoint]:
    return _plugins_in(tuple((path, _changed_at(path)) for path in sys.path))


@lru_cache(maxsize=1)
def _plugins_in(places: tuple[tuple[str, int], ...]) -> dict[str, EntryPoint]:
    """Reads what is installed there, which takes milliseconds: too long for who asks for games that are not.

    What is installed or taken away changes the time of its folder.
    """
    from importlib.metadata import entry_points  # here, since it would double the time of `import tengen`

    return {point.name: point for point in entry_points(group=ENTRY_POINT_GROUP)}


def _changed_at(path: str) -> int:
    try:
        return Path(path).stat().st_mtime_ns
    except OSError:
        return 0
