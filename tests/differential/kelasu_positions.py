"""Random Kelasu positions that are worth playing from: sparse, and each kind near something rare.

`draw` gives a style of play that suits the position, and the board as letters. Both sides have a stone and a
piece that is no stone, and nobody holds all victory tiles; the caller has to see whether the mover can act.
"""

import random

from tests.reference.kelasu import VICTORY_TILES


def scatter(rng: random.Random, cells: list[str], pieces: str) -> None:
    """Puts the pieces on empty cells."""
    empty = [cell for cell, letter in enumerate(cells) if letter == "."]
    for cell, piece in zip(rng.sample(empty, len(pieces)), pieces, strict=True):
        cells[cell] = piece


def army(rng: random.Random, seat: int, stones: int, others: int, kinds: str) -> str:
    pieces = "S" * stones + "".join(rng.choice(kinds) for _ in range(others))
    return pieces.lower() if seat else pieces


def blob(rng: random.Random, cells: list[str], piece: str, count: int) -> None:
    """Grows a connected group of that piece from a random cell."""
    group = [rng.randrange(20, 80)]
    while len(group) < count:
        rank, file = divmod(rng.choice(group), 10)
        rank, file = rng.choice(((rank - 1, file), (rank + 1, file), (rank, file - 1), (rank, file + 1)))
        if 0 <= rank < 10 and 0 <= file < 10 and rank * 10 + file not in group:
            group.append(rank * 10 + file)
    for cell in group:
        cells[cell] = piece


def open_fight(rng: random.Random) -> tuple[str, list[str]]:
    cells = ["."] * 100
    for seat in (0, 1):
        scatter(rng, cells, army(rng, seat, rng.randint(1, 3), rng.randint(1, 7), "BBWWRRDDCG"))
    return rng.choice(("hunt", "hunt", "hunt", "gather")), cells


def blank_groups(rng: random.Random) -> tuple[str, list[str]]:
    cells = ["."] * 100
    blob(rng, cells, "b", rng.choice((2, 4, 5, 8, 12)))
    blob(rng, cells, "B", rng.choice((2, 4, 5, 6, 11, 22)))
    if "b" not in cells:
        cells[rng.randrange(100)] = "b"
    for seat in (0, 1):
        scatter(rng, cells, army(rng, seat, rng.randint(1, 4), rng.randint(0, 2), "WRD"))
    return "merge", cells


def quiet(rng: random.Random) -> tuple[str, list[str]]:
    cells = ["."] * 100
    for seat in (0, 1):
        scatter(rng, cells, army(rng, seat, 1, rng.randint(1, 3), "RCGG"))
    return "wait", cells


def shuffle(rng: random.Random) -> tuple[str, list[str]]:
    cells = ["."] * 100
    for seat in (0, 1):
        scatter(rng, cells, army(rng, seat, rng.randint(1, 2), rng.randint(1, 2), "DCGR"))
    return "return", cells


def warriors_at_the_end(rng: random.Random) -> tuple[str, list[str]]:
    """Warriors on their far ranks, about to recall; blanks there that can hardly move."""
    cells = ["."] * 100
    far = [*rng.sample(range(10), 4), *rng.sample(range(90, 100), 4)]
    for cell in far:
        letter = rng.choice("WWB") if cell >= 90 else rng.choice("wwb")
        cells[cell] = letter if rng.random() < 0.8 else letter.swapcase()
    for seat in (0, 1):
        scatter(rng, cells, army(rng, seat, rng.randint(1, 2), 1, "WD"))
    return rng.choice(("hunt", "return")), cells


def hemmed_in(rng: random.Random) -> tuple[str, list[str]]:
    """One side has but a blank in a far corner beside its stone: it is stuck unless something changes."""
    seat = rng.randrange(2)
    cells = ["."] * 100
    rank = 0 if seat else 90
    corner, beside = rng.choice(((0, 1), (9, 8)))
    cells[rank + corner], cells[rank + beside] = ("b", "s") if seat else ("B", "S")
    scatter(rng, cells, army(rng, 1 - seat, rng.randint(1, 2), rng.randint(1, 2), "BWDRG"))
    return "hunt", cells


def diplomats(rng: random.Random) -> tuple[str, list[str]]:
    """Diplomats and stones close together: the last pieces and the last stones change sides."""
    cells = ["."] * 100
    middle = [rank * 10 + file for rank in range(3, 7) for file in range(3, 7)]
    pieces = "".join(army(rng, seat, rng.randint(1, 3), rng.randint(1, 2), "DDB") for seat in (0, 1))
    for cell, piece in zip(rng.sample(middle, len(pieces)), pieces, strict=True):
        cells[cell] = piece
    return "hunt", cells


def centre(rng: random.Random) -> tuple[str, list[str]]:
    """One side holds most of the victory tiles."""
    cells = ["."] * 100
    seat = rng.randrange(2)
    for tile in rng.sample(VICTORY_TILES, rng.randint(2, 3)):
        piece = rng.choice("BWWDCG")
        cells[tile] = piece.lower() if seat else piece
    for side in (0, 1):
        scatter(rng, cells, army(rng, side, rng.randint(1, 3), rng.randint(1, 4), "BWWRDC"))
    return "gather", cells


KINDS = (
    *(open_fight, open_fight, open_fight, blank_groups, blank_groups, quiet, shuffle),
    *(warriors_at_the_end, hemmed_in, diplomats, centre, centre),
)


def sound(cells: list[str]) -> bool:
    sides = ([c for c in cells if c.isupper()], [c.upper() for c in cells if c.islower()])
    tiles = "".join(cells[tile] for tile in VICTORY_TILES)
    held = "." not in tiles and (tiles.isupper() or tiles.islower())
    return not held and all("S" in side and any(piece != "S" for piece in side) for side in sides)


def draw(rng: random.Random) -> tuple[str, str]:
    while True:
        style, cells = rng.choice(KINDS)(rng)
        if sound(cells):
            return style, "".join(cells)
