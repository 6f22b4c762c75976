"""Boards with fights for life as games seldom show them: groups in corners and on sides with little room,
some of them beside or around others, so that it matters what lives, dies, wins a race or stands in seki.

Nothing is taken from a collection: rooms, stones and borders are drawn by lot, and what comes of it is for
the teacher to say. Start reading at `problem`.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Stones = NDArray[np.int8]  # 1 Black, -1 White, 0 none
LETTERS = {0: ".", 1: "X", -1: "O"}


@dataclass(frozen=True)
class Problem:
    diagram: str  # for `Game.position`; chains without liberties are for that to refuse
    to_move: int
    lead: float  # of Black's, points, if no fight gains anything


def problem(size: int, rng: random.Random) -> Problem:
    """One board with a fight in one or more of its quarters."""
    board, home = np.zeros((size, size), np.int8), np.zeros((size, size), np.int8)
    turns = rng.sample(range(4), rng.choice((1, 1, 2)) if size < 13 else rng.randint(1, 4))
    fought = np.zeros((size, size), bool)
    for turn in turns:
        room = _room(size, rng)
        flip = rng.random() < 0.5
        for whole, part in ((board, room.stones), (home, room.home), (fought, room.fought)):
            laid = np.rot90(part.T if flip else part, turn)
            free = (whole == 0) & ~fought if whole is not fought else ~fought
            whole[free] = laid[free]
    _share_out(home, fought, rng)
    _close_borders(board, home, fought, rng)
    return Problem(_diagram(board), rng.randrange(2), float(home[~fought].sum()))


@dataclass(frozen=True)
class Room:
    stones: Stones
    home: Stones  # whose land it is where nobody fights
    fought: NDArray[np.bool_]


def _room(size: int, rng: random.Random) -> Room:
    """A group in the upper left quarter with little room, and those who shut it in."""
    stones, home = np.zeros((size, size), np.int8), np.zeros((size, size), np.int8)
    inside = rng.choice((1, -1))
    height, width = rng.choice((2, 3, 3, 4)), rng.randint(3, min(7, size - 3))
    left = 0 if rng.random() < 0.75 else rng.randint(1, 2)  # on the side, not in the corner
    width = min(width, size - 2 - left)
    fought = np.zeros((size, size), bool)
    fought[:height, left : left + width] = True
    gaps = rng.choice((0.0, 0.05, 0.15))
    for row, column in zip(*np.nonzero(fought), strict=True):
        walls = row == height - 1 or column == left + width - 1 or (left > 0 and column == left)
        if walls and rng.random() >= gaps:
            stones[row, column] = inside
    for _ in range(rng.randint(1, 4)):
        _grow(stones, fought, rng.choice((inside, -inside, -inside)), rng.randint(1, 5), rng)
    around = _beside(fought) & ~fought
    home[around] = -inside
    stones[around] = np.where(_lots(size, rng) < rng.choice((0.88, 0.95, 1.0)), -inside, 0)[around]
    return Room(stones, home, fought)


def _grow(stones: Stones, where: NDArray[np.bool_], colour: int, count: int, rng: random.Random) -> None:
    """A chain of so many stones at most, on empty points."""
    chain = np.zeros_like(where)
    for _ in range(count):
        free = where & (stones == 0)
        near = free & _beside(chain) if chain.any() else free
        points = np.argwhere(near)
        if not len(points):
            return
        point = tuple(points[rng.randrange(len(points))])
        stones[point], chain[point] = colour, True


def _share_out(home: Stones, fought: NDArray[np.bool_], rng: random.Random) -> None:
    """Gives what nobody owns yet to whom it lies nearest, or to newcomers."""
    size = len(home)
    for _ in range(rng.randint(1, 2 + size // 6)):
        row, column = rng.randrange(size), rng.randrange(size)
        if not fought[row, column] and home[row, column] == 0:
            home[row, column] = rng.choice((1, -1))
    while (free := (home == 0) & ~fought).any():
        grown = home.copy()
        for step in _steps(home):
            grown = np.where((grown == 0) & free & (step != 0), step, grown)
        if (grown == home).all():
            home[free] = 1
            return
        home[:] = grown


def _close_borders(board: Stones, home: Stones, fought: NDArray[np.bool_], rng: random.Random) -> None:
    """Stones where the lands meet, and some within."""
    closed, within = rng.choice((0.75, 0.9, 1.0)), rng.choice((0.05, 0.15, 0.3))
    meets = np.zeros_like(fought)
    for step in _steps(home):
        meets |= (step != 0) & (step != home)
    chance, strays = _lots(len(home), rng), _lots(len(home), rng)
    free = ~fought & (board == 0)
    put = free & (chance < np.where(meets, closed, within))
    board[put] = np.where(strays < 0.03, -home, home)[put]


def _steps(field: Stones) -> list[Stones]:
    """What lies above, below, left and right of each point; nothing beyond the edge."""
    wide = np.pad(field, 1)
    return [wide[:-2, 1:-1], wide[2:, 1:-1], wide[1:-1, :-2], wide[1:-1, 2:]]


def _beside(field: NDArray[np.bool_]) -> NDArray[np.bool_]:
    found = np.zeros_like(field)
    for step in _steps(field.astype(np.int8)):
        found |= step != 0
    return found


def _lots(size: int, rng: random.Random) -> NDArray[np.float64]:
    return np.array([rng.random() for _ in range(size * size)]).reshape(size, size)


def _diagram(board: Stones) -> str:
    rows = ("".join(LETTERS[int(stone)] for stone in row) for row in board)
    return re.sub(r"\.+", lambda empty: str(len(empty[0])), "/".join(rows))
