"""The games that one net learns: several boards and rules at once, each with its share.

The setting `mixture` lists options as people give them, such as `{"size": 7, "rules": "published"}`, each
with an optional whole `share` (1 unless given). Without it a run learns its own game alone. A net that learns
several takes a board of any size, since nothing in it depends on the size. Start reading at `variants`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tengen.game import Game
from tengen.games import game as make_game
from tengen.learn.settings import GumbelSettings

SHARE = "share"
Board = tuple[int, int]  # height and width


@dataclass(frozen=True)
class Variant:
    """One game of a mixture."""

    game: Game
    share: int = 1

    @property
    def board(self) -> Board:
        return self.game.height, self.game.width


def all_games(game: Game, stages: Sequence[GumbelSettings]) -> list[Variant]:
    """What a run learns in all those stages, each game once, with its shares added up."""
    shares: dict[Game, int] = {}
    for settings in stages:
        for one in variants(game, settings):
            shares[one.game] = shares.get(one.game, 0) + one.share
    return [Variant(*each) for each in shares.items()]


def variants(game: Game, settings: GumbelSettings) -> list[Variant]:
    """What a run on that game learns; raises ValueError or InvalidOption with a sentence."""
    if not settings.mixture:
        return [Variant(game)]
    found = [_variant(game.name, entry) for entry in settings.mixture]
    planes = {one.game.start().encode().shape[0] for one in found}
    extras = {one.game.action_count - one.game.width * one.game.height for one in found}
    if len(planes) > 1 or len(extras) > 1:
        raise ValueError(f"One net cannot learn all of that mixture of {game.name}: the positions differ.")
    return found


def _variant(name: str, entry: Mapping[str, Any]) -> Variant:
    share = entry.get(SHARE, 1)
    if type(share) is not int or share < 1:
        raise ValueError(f"The share of a mixture must be a whole number from 1 on, not {share!r}.")
    return Variant(make_game(name, **{key: value for key, value in entry.items() if key != SHARE}), share)


def split(count: int, shares: Sequence[int]) -> list[int]:
    """So many things divided by those shares, at least one each where there are enough."""
    total = sum(shares)
    parts = [max(1, count * share // total) for share in shares]
    parts[0] = max(1, count - sum(parts[1:]))
    return parts
