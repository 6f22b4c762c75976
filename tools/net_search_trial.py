"""Two ways to search with the same brain, against each other: what the constants of net_search.hpp are worth.

    python tools/net_search_trial.py great-kingdom rules=published --visits 600 --games 120 \\
        --a exploration=0.8 --b exploration=1.4

Colours are swapped in pairs that start from the same opening. Prints the score of A as it grows.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence

from tengen import _core
from tengen.arena import opening
from tengen.brains.net import Brain
from tengen.brains.search import BrainSearch
from tengen.brains.store import DEFAULT, BrainStore
from tengen.game import Game, State
from tengen.records.record import game_from_words

Constants = Mapping[str, float]
MOST_ACTIONS = 600  # a game that is longer is a draw


def play(game: Game, brain: Brain, sides: Sequence[Constants], visits: int, seed: int) -> int | None:
    """The winner of a game between those two, the first of them in seat 0."""
    state: State = opening(game, seed // 2)
    trees = []
    for constants in sides:
        settings = _core.NetSearchSettings()
        settings.gumbel = False
        for name, value in constants.items():
            setattr(settings, name, value)
        trees.append(BrainSearch(state, brain, seed=seed, settings=settings))
    for _ in range(MOST_ACTIONS):
        if state.outcome is not None:
            return state.outcome.winner
        tree = trees[state.to_move]
        tree.run(visits=visits, stop_when_clear=True)
        action = tree.report().actions[0].action
        state = state.play(action)
        for one in trees:
            one.play(action)
    return None


def main() -> None:
    parser = argparse.ArgumentParser(description="Two ways to search with the same brain.")
    parser.add_argument("game")
    parser.add_argument("option", nargs="*", help="of the game, NAME=VALUE")
    parser.add_argument("--brain", default=DEFAULT)
    parser.add_argument("--visits", type=int, default=600)
    parser.add_argument("--games", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    for side in "ab":
        parser.add_argument(f"--{side}", nargs="*", default=[], help="constants of the search, NAME=VALUE")
    given = parser.parse_args()
    game = game_from_words(given.game, given.option)
    brain = BrainStore().find(game, given.brain)
    a, b = (
        {name: json.loads(value) for name, value in (word.split("=") for word in words)}
        for words in (given.a, given.b)
    )
    score = 0.0
    for number in range(given.games):
        seat = number % 2  # of A
        winner = play(game, brain, (b, a) if seat else (a, b), given.visits, given.seed * 1_000_003 + number)
        score += 0.5 if winner is None else float(winner == seat)
        if number % 10 == 9 or number == given.games - 1:
            print(json.dumps({"games": number + 1, "score": round(score / (number + 1), 4)}), flush=True)


if __name__ == "__main__":
    main()
