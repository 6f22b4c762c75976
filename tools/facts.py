"""Writes what the page must know from Python, or with --check says if it is current.

web/src/engine/core/facts.json has what the core must know of games beyond their rules: GameInfo as the server
tells it, levels, what options change, a machine's manners, the brains that come with tengen.
web/src/engine/records/encodings.json is a copy of what Python tells the encodings of files by: the client is
built from the folder web/ alone.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from tengen.analysis import MISTAKES, POINTS
from tengen.brains.search import PLANNED
from tengen.brains.store import DEFAULT, SHIPPED, BrainStore, StoredBrain
from tengen.game import Game, Option, OptionValue
from tengen.games import BUILT_IN, game_class
from tengen.line import RESUME
from tengen.players import manners
from tengen.players.brain import SIMULATIONS
from tengen.server.games import MOST_CELLS, game_info
from tengen.server.lab.brains import brain_info
from tengen.server.protocol import GameInfo

ROOT = Path(__file__).parent.parent
ENGINE = ROOT / "web" / "src" / "engine"
FACTS = ENGINE / "core" / "facts.json"
ENCODINGS = ENGINE / "records" / "encodings.json"
SHIPPED_ALONE = BrainStore(SHIPPED)  # without what this computer has trained or measured
MOST_VALUES = 20  # an option with more of them is not asked what it changes


def values_of(option: Option) -> Iterable[OptionValue]:
    if option.type is bool:
        return (False, True)
    if option.choices:
        return option.choices
    low, high = option.minimum, option.maximum
    countable = option.type is int and low is not None and high is not None and high - low < MOST_VALUES
    return range(low, high + 1) if countable and low is not None and high is not None else ()


def defaults_of(kind: type[Game]) -> dict[str, dict[str, dict[str, OptionValue]]]:
    """By option and value: the defaults of other options that it changes."""
    game = kind()
    usual = game._defaults({})
    found: dict[str, dict[str, dict[str, OptionValue]]] = {}
    for option in kind.option_list:
        for value in values_of(option):
            given = game._defaults({option.name: value})
            changed = {name: new for name, new in given.items() if new != usual[name]}
            if changed:
                found.setdefault(option.name, {})[json.dumps(value)] = changed
    return found


def machine(kind: type[Game]) -> dict[str, Any]:
    opponents, shipped = kind().opponents, SHIPPED_ALONE.shipped(kind.name)
    return {
        "levels": [
            {
                "number": level.number,
                "name": level.name,
                "visits": level.visits,
                "blur": level.blur,
                "simulations": level.simulations,
                "brain_blur": level.brain_blur,
                "seconds": level.seconds,
            }
            for level in opponents.levels
        ],
        "defaults": defaults_of(kind),
        "resigns": opponents.resigns,
        "brain_is_stronger": opponents.brain_is_stronger,
        "brain": None if shipped is None else brain(shipped),
    }


def brain(stored: StoredBrain) -> dict[str, Any]:
    info = stored.info
    return {
        "name": stored.path.stem,
        "digest": stored.digest,
        "options": dict(info.make_game().options),
        "learned": [dict(game.options) for game in info.learned()],
        "any": bool(info.mixture),
    }


def info_of(name: str) -> GameInfo:
    """Without the programs that this computer happens to have."""
    return msgspec.structs.replace(game_info(name), engines=[])


def generate() -> str:
    facts = {
        "games": [json.loads(msgspec.json.encode(info_of(name))) for name in BUILT_IN],
        "machines": {name: machine(game_class(name)) for name in BUILT_IN},
        "champions": [
            json.loads(msgspec.json.encode(brain_info(stored, DEFAULT)))
            for name in BUILT_IN
            if (stored := SHIPPED_ALONE.shipped(name)) is not None
        ],
        "manners": {
            "most_resumes": manners.MOST_RESUMES,
            "judge_visits": manners.JUDGE_VISITS,
            "draw_below": manners.DRAW_BELOW,
            "resign_below": manners.RESIGN_BELOW,
            "resign_widths": manners.RESIGN_WIDTHS,
            "resign_from": manners.RESIGN_FROM,
        },
        "brains": {"planned": PLANNED, "simulations": SIMULATIONS},
        "mistakes": [{"word": word, "win": size, "points": POINTS[word]} for size, word in MISTAKES],
        "resume": RESUME,
        "most_cells": MOST_CELLS,
    }
    return json.dumps(facts, ensure_ascii=False, indent=1) + "\n"


def main() -> int:
    encodings = (ROOT / "src" / "tengen" / "records" / "encodings.json").read_text(encoding="utf-8")
    stale = 0
    for target, text in ((FACTS, generate()), (ENCODINGS, encodings)):
        if "--check" not in sys.argv:
            target.write_text(text, encoding="utf-8")
        elif not target.exists() or target.read_text(encoding="utf-8") != text:
            print(f"{target.name} is not what Python says; run tools/facts.py.", file=sys.stderr)
            stale = 1
    return stale


if __name__ == "__main__":
    sys.exit(main())
