"""Recipes: a training run in one file, so that others can repeat how a shipped brain was made.

A recipe is TOML: `game`, the game's `options`, the `settings` of the algorithm (among them the seed, a
`mixture` of games and the `stages` of a long run), the `brain` to go on from if any, and `games`, after which
it ends. Those of the shipped brains lie in `recipes/` beside this file, with what came of them as comments. A
brain that a stronger net taught has no run: its recipe has `lesson`, the command that a checkout of the
sources has for it. Start reading at `read_recipe`. No PyTorch here.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tengen.game import OptionValue
from tengen.games import game as make_game
from tengen.learn.mixture import all_games
from tengen.learn.settings import all_stages, settings_for

FOLDER = Path(__file__).parent / "recipes"
SUFFIX = ".toml"
KINDS: dict[str, type] = {"game": str, "options": dict, "settings": dict, "brain": str, "games": int}
LESSON = "lesson"


@dataclass(frozen=True)
class Recipe:
    """What `Run.create` and `Run.start` need."""

    game: str
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    brain: str | None = None
    games: int | None = None


def recipe_names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob(f"*{SUFFIX}"))


def read_recipe(name: str) -> Recipe:
    """The recipe in that file, or one of ours by its name; raises ValueError with a sentence."""
    own = FOLDER / f"{name}{SUFFIX}"
    path = own if name in recipe_names() else Path(name)
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ValueError(
            f"Cannot read the recipe {name}: {error.strerror}; there are {', '.join(recipe_names())}."
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"The recipe {name} is no TOML: {error}.") from None
    if LESSON in content:
        raise ValueError(
            f"The brain of the recipe {name} was taught, which is no training run; "
            f"in a checkout of tengen's sources: {content[LESSON]}"
        )
    for key, value in content.items():
        if key not in KINDS:
            raise ValueError(f"A recipe has no {key!r}; it has {', '.join(KINDS)}.")
        if type(value) is not KINDS[key]:
            raise ValueError(f"The {key} of the recipe {name} is {value!r}, which it cannot be.")
    if "game" not in content:
        raise ValueError(f"The recipe {name} does not say which game.")
    recipe = Recipe(**content)
    stages = all_stages(settings_for(recipe.game, recipe.settings))
    all_games(make_game(recipe.game, **recipe.options), stages)
    return recipe
