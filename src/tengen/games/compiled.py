"""What games with a compiled state share: the core describes their positions, here and in the browser.

The descriptions are cpp/games/<game>/description.hpp.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, SupportsIndex, cast

from tengen.game import Game, State, View


class _Described(Protocol):
    """What the states of `tengen._core` have beyond `State`."""

    @property
    def mid_move(self) -> bool: ...
    def parse(self, text: str) -> list[int]: ...
    def format(self, actions: Iterable[SupportsIndex]) -> str: ...
    def view(self) -> View: ...
    def view_json(self) -> bytes: ...


class CompiledGame(Game):
    """A game whose views and notation are the core's."""

    def parse(self, state: State, text: str) -> list[int]:
        return self._described(state).parse(text)

    def format(self, state: State, actions: Sequence[int]) -> str:
        return self._described(state).format(actions)

    def view(self, state: State) -> View:
        return self._described(state).view()

    def view_json(self, state: State) -> bytes:
        """The view as JSON, made at once: a server tells it with every move."""
        return self._described(state).view_json()

    def _described(self, state: State) -> _Described:
        self._own(state)
        return cast(_Described, state)
