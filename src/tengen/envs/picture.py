"""A position as a picture, made of NumPy alone: what the render mode `rgb_array` gives, to record videos.

Every cell is a tile of TILE by TILE pixels. A piece is a disc in the colour of its seat, with its letter
where a game has several kinds; the last move has a ring.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tengen.game import Game, State, View

Colour = tuple[int, int, int]
Pixels = NDArray[np.uint8]

TILE = 33  # pixels, odd so that a tile has a middle
BOARD: Colour = (222, 196, 148)
DARK_SQUARE: Colour = (204, 176, 128)
LINE: Colour = (110, 88, 56)
NOBODY: Colour = (128, 128, 128)
MARK: Colour = (226, 60, 140)
SEATS: dict[str, Colour] = {
    "Black": (24, 24, 24),
    "White": (246, 246, 246),
    "Blue": (36, 98, 204),
    "Orange": (236, 128, 20),
    "Red": (202, 44, 44),
}
SEAT_BY_NUMBER: tuple[Colour, Colour] = (SEATS["Blue"], SEATS["Orange"])

# The letters of pieces that have no picture, five pixels wide and seven high.
GLYPHS = {
    "B": ("####.", "#...#", "#...#", "####.", "#...#", "#...#", "####."),
    "C": (".####", "#....", "#....", "#....", "#....", "#....", ".####"),
    "D": ("####.", "#...#", "#...#", "#...#", "#...#", "#...#", "####."),
    "G": (".####", "#....", "#....", "#..##", "#...#", "#...#", ".####"),
    "R": ("####.", "#...#", "#...#", "####.", "#.#..", "#..#.", "#...#"),
    "S": (".####", "#....", "#....", ".###.", "....#", "....#", "####."),
    "W": ("#...#", "#...#", "#...#", "#.#.#", "#.#.#", "##.##", "#...#"),
}
GLYPH_SCALE = 2

_AXIS = np.arange(TILE) - TILE // 2
_DISTANCE = np.hypot(_AXIS[:, None], _AXIS[None, :])
_RADIUS = 0.42 * TILE


def picture(game: Game, state: State) -> Pixels:
    """[height, width, 3] of the whole board."""
    view = game.view(state)
    image = np.empty((view.height * TILE, view.width * TILE, 3), np.uint8)
    owner = view.details.get("territory")
    special = set(view.details.get("victory_tiles", ()))
    for cell, letter in enumerate(view.cells):
        row, column = divmod(cell, view.width)
        tile = image[row * TILE : (row + 1) * TILE, column * TILE : (column + 1) * TILE]
        _draw_ground(tile, view, row, column)
        if owner is not None and letter == "." and owner[cell]:
            _draw_square(tile, _seat_colour(game, owner[cell] - 1))
        if cell in special:
            _draw_frame(tile)
        if letter != ".":
            _draw_piece(tile, game, letter)
        if cell in view.last:
            tile[np.abs(_DISTANCE - _RADIUS) < 1.5] = MARK
    return image


def _draw_ground(tile: Pixels, view: View, row: int, column: int) -> None:
    """Lines that cross in the middle, or a square of a chequered board or a row."""
    tile[:] = BOARD
    middle = TILE // 2
    if view.board == "points":
        tile[middle if row == 0 else 0 : middle + 1 if row == view.height - 1 else TILE, middle] = LINE
        tile[middle, middle if column == 0 else 0 : middle + 1 if column == view.width - 1 else TILE] = LINE
    elif (row + column) % 2:
        tile[:] = DARK_SQUARE


def _draw_square(tile: Pixels, colour: Colour) -> None:
    third = TILE // 3
    tile[third : TILE - third, third : TILE - third] = colour


def _draw_frame(tile: Pixels) -> None:
    tile[:2] = tile[-2:] = tile[:, :2] = tile[:, -2:] = LINE


def _draw_piece(tile: Pixels, game: Game, letter: str) -> None:
    several_kinds = len(game.letters) > 5
    colour = _piece_colour(game, letter)
    tile[_DISTANCE < _RADIUS] = LINE
    tile[_DISTANCE < _RADIUS - 1] = colour
    glyph = GLYPHS.get(letter.upper())
    if not several_kinds or glyph is None:
        return
    bits = np.array([[mark == "#" for mark in line] for line in glyph])
    large = bits.repeat(GLYPH_SCALE, axis=0).repeat(GLYPH_SCALE, axis=1)
    top, left = (TILE - large.shape[0]) // 2, (TILE - large.shape[1]) // 2
    tile[top : top + large.shape[0], left : left + large.shape[1]][large] = (255, 255, 255)


def _piece_colour(game: Game, letter: str) -> Colour:
    """Small letters, where a game has them, are the second seat's; else the first two letters are seats."""
    if game.letters != game.letters.upper():
        return _seat_colour(game, int(letter.islower()))
    code = game.letters.index(letter)
    return _seat_colour(game, code - 1) if code <= 2 else NOBODY


def _seat_colour(game: Game, seat: int) -> Colour:
    return SEATS.get(game.seats[seat], SEAT_BY_NUMBER[seat])
