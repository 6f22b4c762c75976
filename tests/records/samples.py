"""Random games to put on paper, from the contract suite's spread of options."""

from __future__ import annotations

import random

from tengen import State
from tests.contract.cases import CASES, Case

BUILT_IN = tuple(case for case in CASES if case.name != "tic-tac-toe")
ON_GRIDS = tuple(case for case in BUILT_IN if case.name in ("go", "great-kingdom"))


def random_state(case: Case, seed: int, most: int = 400) -> State:
    """A state after at most so many random actions; Kelasu's last turn may be under way."""
    rng, state = random.Random(seed), case.make().start()
    for _ in range(rng.choice((0, 7, most, most))):
        if state.outcome is not None:
            break
        state = state.play(rng.choice(state.legal_actions()))
    return state
