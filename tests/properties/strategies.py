"""What the properties are drawn from: states of random games, and text that is almost right."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from tengen import Game, State
from tests.contract.cases import CASES, Case, played

SEEDS = 4  # random games a case; each is played once in a run
SYMBOLS = "0123456789ABCDEFGHIJTXONbwrdcgs /;=+>-x%@#.,p\n\0"  # what notation is made of, and a little more


@st.composite
def states(draw: st.DrawFn, over: bool = True) -> State:
    """Any state of a random game of any case; without finished ones unless `over`."""
    case: Case = draw(st.sampled_from(CASES))
    game = played(case, draw(st.integers(0, SEEDS - 1)))
    return game[draw(st.integers(0, len(game) - (1 if over else 2)))]


def a_turn(state: State, seed: int, most: int) -> list[int]:
    """Random actions until the mover changes, the game ends or there are that many."""
    rng, mover, actions = random.Random(seed), state.to_move, list[int]()
    while state.outcome is None and state.to_move == mover and len(actions) < most:
        actions.append(rng.choice(state.legal_actions()))
        state = state.play(actions[-1])
    return actions


@st.composite
def damaged(draw: st.DrawFn, text: str) -> str:
    """The text after one to four small changes."""
    letters = list(text)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(letters)))
        change = draw(st.sampled_from(["insert", "replace", "delete", "double", "swap"]))
        if change == "insert":
            letters.insert(at, draw(st.sampled_from(SYMBOLS) | st.characters()))
        elif change == "replace":
            letters[at : at + 1] = [draw(st.sampled_from(SYMBOLS))]
        elif change == "delete":
            del letters[at : at + draw(st.integers(1, 3))]
        elif change == "double":
            letters[at:at] = letters[at : at + draw(st.integers(1, 8))]
        else:
            letters[at : at + 2] = letters[at : at + 2][::-1]
    return "".join(letters)


@st.composite
def boards(draw: st.DrawFn, game: Game) -> bytes:
    """Cell codes: pieces anywhere, from an empty board to a crowded one."""
    cells = bytearray(game.width * game.height)
    pieces = st.dictionaries(st.integers(0, len(cells) - 1), st.integers(1, len(game.letters) - 1))
    for cell, code in draw(pieces).items():
        cells[cell] = code
    return bytes(cells)


# Every text that a keyboard or a broken program can send, lone surrogates included.
any_text = st.text(st.characters(exclude_categories=())) | st.text(SYMBOLS, max_size=40)
