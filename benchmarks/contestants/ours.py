"""tengen: playouts and tree search in C++, play from Python, and replay of a recorded game."""

from collections.abc import Callable
from random import Random

import tengen
from benchmarks.contestants import KOMI, python_rng
from benchmarks.measure import Work
from tengen import search

RECORD_MOVES = 300  # a long game between people
RECORD_SEED = 4


def go(size: int) -> tengen.Game:
    """Go by the rules nearest to the others': simple ko, area scoring, the same komi."""
    return tengen.game("go", size=size, ko="simple", scoring="area", komi=KOMI)


def playouts(game: tengen.Game, count: int) -> Callable[[], Work]:
    """Batches of `count` playouts from the start position, each batch with a seed of its own."""
    state = game.start()
    seed = 0

    def batch() -> Work:
        nonlocal seed
        seed += 1
        tally = search.playouts(state, count, seed)
        return Work(count, tally.actions)

    return batch


def simulations(game: tengen.Game, count: int) -> Callable[[], Work]:
    """Batches of tree searches of `count` simulations with light playouts, from the start position."""
    state = game.start()
    seed = 0

    def batch() -> Work:
        nonlocal seed
        seed += 1
        tree = search.Search(state, seed=seed, light_playouts=True)
        tree.run(visits=count)
        return Work(count, count)

    return batch


def random_play(game: tengen.Game) -> Callable[[], Work]:
    """One game a batch, through the Python API."""
    rng = python_rng()

    def batch() -> Work:
        state = game.start()
        moves = 0
        while state.outcome is None:
            actions = state.legal_actions()
            state = state.play(actions[int(rng() * len(actions))])
            moves += 1
        return Work(moves, moves)

    return batch


def record(size: int) -> list[int]:
    """A random legal game of Go without passes: cells, row by row from the top left."""
    rng = Random(RECORD_SEED)
    state = go(size).start()
    cells: list[int] = []
    while len(cells) < RECORD_MOVES:
        actions = state.legal_actions()[:-1]  # the last action is the pass
        if not actions:
            raise RuntimeError(f"the random game ended after {len(cells)} moves: choose another RECORD_SEED")
        cells.append(rng.choice(actions))
        state = state.play(cells[-1])
    return cells


def final_cells(size: int, cells: list[int]) -> bytes:
    """The codes of the board after the recorded game: 0 empty, 1 black, 2 white."""
    state = go(size).start()
    for cell in cells:
        state = state.play(cell)
    return state.cells()


def replay(size: int, cells: list[int]) -> Callable[[], Work]:
    """The whole recorded game a batch."""
    game = go(size)

    def batch() -> Work:
        state = game.start()
        for cell in cells:
            state = state.play(cell)
        return Work(len(cells), len(cells))

    return batch
