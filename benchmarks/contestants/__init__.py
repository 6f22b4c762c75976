"""One file a library: the fastest documented way to make it do the work of a row.

Every `batch` function does a little of the work and says how much. Where moves are chosen in Python, each
library's loop chooses in the same words: `actions[int(rng() * len(actions))]`, with `rng` the bound
method of a seeded `random.Random`. Libraries without type information are imported by name, as Any.
"""

from collections.abc import Callable
from random import Random

KOMI = 7.5  # what OpenSpiel and PettingZoo start from
PYTHON_SEED = 20


def python_rng() -> Callable[[], float]:
    """The same stream of numbers for every library."""
    return Random(PYTHON_SEED).random
