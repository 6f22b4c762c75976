"""Writes web/src/board/fixtures.json: positions of every game for the gallery and the tests of the board.

`.venv/bin/python tools/board_fixtures.py` plays them out in half a minute. Each has a `name`, the `game`,
a `title`, the `view` and `legal` as a server sends them, the `outcome` where the game is over, the view
`before` the last move, and what else the board shows there: `owners`, `heat`, `dead`, `neutral`. Every search
has a fixed number of visits and a fixed seed, so the file comes out the same each time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import tengen
from tengen.analysis import analyse
from tengen.game import Game, State, View
from tengen.games.go.estimate import estimate_dead

FILE = Path(__file__).parent.parent / "web" / "src" / "board" / "fixtures.json"
Fixture = dict[str, Any]


def view_json(view: View) -> dict[str, Any]:
    return {
        "board": view.board,
        "width": view.width,
        "height": view.height,
        "cells": "".join(view.cells),
        "to_move": view.to_move,
        "last": list(view.last),
        "captured": list(view.captured),
        "score": None if view.score is None else list(view.score),
        "details": {key: list(v) if isinstance(v, tuple | bytes) else v for key, v in view.details.items()},
    }


def fixture(
    name: str, title: str, state: State, before: State | None = None, **shown: object
) -> dict[str, Any]:
    outcome = state.outcome
    return {
        "name": name,
        "game": state.game.name,
        "title": title,
        "view": view_json(state.game.view(state)),
        "legal": state.legal_actions(),
        "outcome": None
        if outcome is None
        else {"winner": outcome.winner, "reason": outcome.reason, "score": outcome.score},
        "before": None if before is None else view_json(before.game.view(before)),
        **shown,
    }


def after(game: Game, state: State, moves: Iterable[str]) -> State:
    for move in moves:
        for action in game.parse(state, move):
            state = state.play(action)
    return state


def played(name: str, title: str, game: Game, state: State, *moves: str) -> Fixture:
    """The position after those moves, with the one before the last."""
    before = after(game, state, moves[:-1])
    return fixture(name, title, after(game, before, moves[-1:]), before)


def self_play(game: Game, turns: int, visits: int, stop: Callable[[State], bool] = lambda _: False) -> State:
    state = game.start()
    for turn in range(turns):
        if state.outcome is not None or stop(state):
            break
        best = analyse(state, visits=visits, seed=turn).moves[0]
        for action in best.actions:
            state = state.play(action)
    return state


def advised(name: str, title: str, state: State, visits: int, count: int = 6) -> Fixture:
    """With the ownership and the best moves that a search finds."""
    found = analyse(state, visits=visits, seed=1)
    cells = state.game.width * state.game.height
    moves = [move for move in found.moves if move.actions[-1] < cells][:count]
    heat = [
        {
            "cell": move.actions[-1],
            **({"from": move.actions[0]} if len(move.actions) == 2 else {}),
            "win": round(move.win, 3),
            "visits": move.visits,
            "text": f"{100 * move.win:.0f}",
            "best": number == 0,
        }
        for number, move in enumerate(moves)
    ]
    owners = None if found.ownership is None else [round(value, 2) for value in found.ownership]
    return fixture(name, title, state, heat=heat, owners=owners)


def great_kingdom() -> list[Fixture]:
    game = tengen.game("great-kingdom")
    published = tengen.game("great-kingdom", rules="published")
    middle = self_play(game, 32, 8000)
    territory = game.position("4BO3/3B1BO2/2B2BOO1/BB3B1O1/1B2NB1OO/2BBBO3/3BOO3/4O4/4O4", to_move=1)
    danger = game.position("1B2O4/B1BOBO3/2BO1B3/3BB4/4N4/5OB2/4OB1BB/6BOO/6O2", to_move=1)
    return [
        fixture("gk-start", "Start", game.start()),
        fixture("gk-middle", "Middle game", middle),
        advised("gk-heat", "Best moves and ownership", middle, 4000),
        fixture("gk-danger", "Groups in danger, suicide cells", danger),
        played("gk-capture", "Over by capture", game, danger, "E7"),
        played(
            "gk-double", "Double KO in the corner", game, game.position("6BO1/6BOB/7BO/9/4N4/9/9/9/9"), "J9"
        ),
        played("gk-suicide", "Over by suicide", game, game.position("3O5/2O1O4/3O5/9/4N4/9/9/9/2B6"), "D8"),
        played("gk-territory", "Over by territory", game, territory, "pass", "pass"),
        fixture(
            "gk-published",
            "Territory may not be entered",
            published.position("3B5/BBB6/9/9/4N4/6O2/5O1O1/5OOO1/9"),
        ),
        fixture("gk-19", "19×19", self_play(tengen.game("great-kingdom", size=19), 40, 60)),
    ]


def go() -> list[Fixture]:
    nine, thirteen, nineteen = (tengen.game("go", size=size) for size in (9, 13, 19))
    ko = nine.position("9/9/9/4XO3/3XO1O2/4XO3/9/2X3O2/9")
    seki = nine.position("1X1O1OX2/XXXOOOX2/OOOXXXX2/2OX5/2OX3O1/2OX5/X1OX5/2OX5/2OX5")
    dead = [43, 54]  # a stone in each side's area
    neutral = list(estimate_dead(seki).neutral)
    score_owner = owners_of(seki, dead, neutral)
    middle = self_play(nineteen, 110, 120)
    return [
        fixture("go-9-start", "9×9, start", nine.start()),
        played("go-ko", "Ko", nine, ko, "F5"),
        played("go-capture", "Capture", nine, nine.position("9/2XXXX3/1XOOOO3/2XXXX3/6X2/9/9/3O1O3/9"), "G7"),
        fixture(
            "go-agreement",
            "Agreement: dead stones, a seki",
            seki.play(81).play(81),
            dead=dead,
            neutral=neutral,
            owners=score_owner,
        ),
        fixture("go-13", "13×13 with handicap", self_play(tengen.game("go", size=13, handicap=5), 40, 150)),
        advised("go-13-heat", "13×13, best moves", self_play(thirteen, 60, 150), 2000),
        fixture("go-19", "19×19, middle game", middle),
        advised("go-19-heat", "19×19, best moves and ownership", middle, 3000, count=12),
        fixture("go-19-start", "19×19, start", nineteen.start()),
    ]


def owners_of(state: State, dead: list[int], neutral: list[int]) -> list[int]:
    """Whose each empty point is with those stones taken off, as a score sheet tells it."""
    size = state.game.width
    cells = [0 if cell in dead else code for cell, code in enumerate(state.cells())]
    owner = [0] * len(cells)
    seen: set[int] = set()
    for start, code in enumerate(cells):
        if code or start in seen:
            continue
        region, around, todo = [], set(), [start]
        seen.add(start)
        while todo:
            cell = todo.pop()
            region.append(cell)
            row, column = divmod(cell, size)
            for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
                if not (0 <= r < size and 0 <= c < size):
                    continue
                beside = r * size + c
                if cells[beside]:
                    around.add(cells[beside])
                elif beside not in seen:
                    seen.add(beside)
                    todo.append(beside)
        if len(around) == 1:
            for cell in region:
                owner[cell] = 0 if cell in neutral else next(iter(around))
    return owner


def kelasu() -> list[Fixture]:
    game = tengen.game("kelasu")
    merges = game.position("BBBBBBBB2/BBB2B4/S1S4S1S/1B8/BB1B6/1B2BB4/5b4/s1sbb2s1s/bbb5bb/bbbbbbbbbb")
    pieces = game.position("3B3BB1/2G3D3/S1S1C2S1S/4R5/1W2bW2b1/3dw1r3/2c2g4/s1s4s1s/3b2D3/W4bbb2")
    tiles = game.position("10/9B/S1S7/10/4WW4/4W1W3/10/9s/b9/10")
    return [
        fixture("ke-start", "Start", game.start()),
        fixture("ke-merges", "Blanks that can merge", merges),
        fixture("ke-pieces", "Every piece", pieces),
        played("ke-moved", "Pieces that have moved", game, pieces, "E5xF4", "D4-C5"),
        played("ke-merge", "After a merge", game, merges, "=R D1+E1+E0+F1>E1"),
        played("ke-capture", "After a capture", game, pieces, "E5xE4"),
        played("ke-convert", "After a conversion", game, pieces, "I6%J5"),
        played("ke-recall", "After a recall", game, pieces, "J0@A0"),
        played("ke-tiles", "Over: all four victory tiles", game, tiles, "F6-F5"),
        advised("ke-heat", "Best moves", pieces, 600, count=4),
    ]


def dominion_duel() -> list[Fixture]:
    nine, long = tengen.game("dominion-duel"), tengen.game("dominion-duel", n=40)
    return [
        fixture("dd-start", "Start", nine.start()),
        played("dd-middle", "After two claims", nine, nine.start(), "5", "2"),
        played("dd-won", "Over, 2–1", nine, nine.start(), "5", "2", "8"),
        played("dd-draw", "Over, a draw", nine, nine.start(), "2", "4", "6", "8"),
        played("dd-long", "Forty territories", long, long.start(), "20", "4", "31", "9", "38"),
    ]


def main() -> None:
    rows = [json.dumps(f, ensure_ascii=False, separators=(",", ":")) for f in every()]
    FILE.write_text("[\n" + ",\n".join(rows) + "\n]\n", encoding="utf-8")


def every() -> list[Fixture]:
    return [*great_kingdom(), *go(), *kelasu(), *dominion_duel()]


if __name__ == "__main__":
    main()
