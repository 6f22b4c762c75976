"""The levels that people play against: ten for each game, four for Dominion Duel, which is solved and tiny.

A level is a budget of visits and a blur: win rates are seen through noise of that size, so a weak level
makes plausible moves that are a little worse, not random ones. docs/levels.md says what has been measured;
`tools/ladder.py` measures.
"""

from __future__ import annotations

from dataclasses import dataclass

from tengen.game import InvalidOption

# What a player feels across the board, weakest first.
NAMES = (
    "First steps",
    "Gentle",
    "Easy-going",
    "Casual",
    "Steady",
    "Careful",
    "Sharp",
    "Strong",
    "Fierce",
    "Relentless",
)
MOVE_SECONDS = 3.0  # no level thinks longer about one move


@dataclass(frozen=True, slots=True)
class Level:
    number: int
    name: str
    visits: int  # simulations a move
    blur: float  # standard deviation of the noise on win rates; in Dominion Duel the chance of carelessness
    simulations: int = 0  # a move, where the shipped brain plays instead; 0 where it does not


# Visits and blur, weakest first.
_TABLES: dict[str, tuple[tuple[int, float], ...]] = {
    "go": (  # good moves differ by little in Go, so a small blur costs much
        (25, 0.16),
        (60, 0.085),
        (110, 0.04),
        (170, 0.02),
        (200, 0.0),
        (350, 0.0),
        (650, 0.0),
        (1500, 0.0),
        (3200, 0.0),
        (16_000, 0.0),
    ),
    "great-kingdom": (
        (20, 0.20),
        (40, 0.12),
        (80, 0.065),
        (170, 0.03),
        (320, 0.0),
        (750, 0.0),
        (1600, 0.0),
        (3500, 0.0),
        (7500, 0.0),
        (16_000, 0.0),
    ),
    "kelasu": (  # alpha-beta: a visit is a position, a million of them a second
        (40, 0.20),
        (65, 0.155),
        (110, 0.125),
        (440, 0.043),
        (1000, 0.014),
        (2000, 0.0),
        (10_000, 0.0),
        (40_000, 0.0),
        (160_000, 0.0),
        (640_000, 0.0),
    ),
    "dominion-duel": ((0, 1.0), (0, 0.5), (0, 0.2), (0, 0.0)),
}


# What the highest levels do where the shipped brain fits the game exactly: simulations by level.
_BRAINS: dict[str, dict[int, int]] = {"go": {9: 660, 10: 1500}, "great-kingdom": {9: 24, 10: 52}}


def levels(game: str) -> tuple[Level, ...]:
    """The levels of that game, weakest first; a game written in Python has none."""
    names = NAMES if game != "dominion-duel" else (NAMES[0], NAMES[3], NAMES[6], "Perfect")
    table = _TABLES.get(game, ())
    brains = _BRAINS.get(game, {})
    return tuple(
        Level(i, names[i - 1], visits, blur, brains.get(i, 0))
        for i, (visits, blur) in enumerate(table, start=1)
    )


def level(game: str, number: int) -> Level:
    known = levels(game)
    if not 1 <= number <= len(known):
        has = f"levels 1 to {len(known)}" if known else "no levels"
        raise InvalidOption(f"{game} has {has}, not {number}.")
    return known[number - 1]
