"""Makes the sample games that the boards of the browser's home page play by themselves.

    python tools/samples.py

Writes sample.json into the game's folder of web/src/games/: its options, the shape of its board, how it
ended, and a frame a position. A frame holds what changes from one position to the next, in the words of
`View`; `territory` is a digit a cell. Levels play each other from fixed seeds, so a run gives the same games
as the last one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tengen
from tengen.game import OptionValue, State
from tengen.players import make_player

GAMES = Path(__file__).parent.parent / "web" / "src" / "games"

# The game, its options, the levels of both seats, the seed, and after how many moves the sample stops.
SAMPLES: tuple[tuple[str, Mapping[str, OptionValue], tuple[int, int], int, int], ...] = (
    ("great-kingdom", {}, (6, 5), 0, 60),
    ("go", {"size": 9}, (8, 8), 3, 56),
    ("kelasu", {}, (6, 5), 4, 120),
    ("dominion-duel", {"n": 9}, (3, 3), 0, 9),
)
DETAILS = ("energy", "moved")


def main() -> None:
    for name, options, levels, seed, most in SAMPLES:
        sample = play(name, options, levels, seed, most)
        print(f"{name}: {len(sample['frames']) - 1} moves, {sample['outcome'] or 'not over'}")
        (GAMES / name / "sample.json").write_text(json.dumps(sample, separators=(",", ":")) + "\n")


def play(
    name: str, options: Mapping[str, OptionValue], levels: tuple[int, int], seed: int, most: int
) -> dict[str, Any]:
    """One game between two levels, cut off after that many moves."""
    game = tengen.game(name, **options)
    players = [make_player(f"level:{number}", game, seed=seed + seat) for seat, number in enumerate(levels)]
    state = game.start()
    frames = [frame(state)]
    while state.outcome is None and len(frames) <= most:
        actions = players[state.to_move].choose(state)
        if actions is None:
            break
        for action in actions:
            state = state.play(action)
        frames.append(frame(state))
    for player in players:
        player.close()
    outcome, view = state.outcome, game.view(state)
    return {
        "options": dict(options),
        "board": view.board,
        "width": view.width,
        "height": view.height,
        "outcome": None if outcome is None else outcome._asdict(),
        "frames": frames,
    }


def frame(state: State) -> dict[str, Any]:
    view = state.game.view(state)
    found: dict[str, Any] = {
        "cells": "".join(view.cells),
        "to_move": view.to_move,
        "last": list(view.last),
        "captured": list(view.captured),
    }
    if "territory" in view.details:
        found["territory"] = "".join(str(owner) for owner in view.details["territory"])
    return found | {name: view.details[name] for name in DETAILS if name in view.details}


if __name__ == "__main__":
    main()
