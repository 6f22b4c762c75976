"""Trains a small net to play Great Kingdom on 5×5 in less than a minute, with NumPy and tengen.batch alone.

    python examples/train_small.py [--updates N] [--seed N]

The method is an actor-critic policy gradient. One net with a hidden layer looks at the planes of a
position and gives a logit for each action and the result that the mover can expect. An update plays a batch
of whole games, half of them against itself and half against random moves, and makes the net's actions of a
game more likely as far as its result beat that expectation. Before, between and after, the net is tried
against uniformly random moves, with each seat in half of the games. Start reading at `train`.
"""

import argparse
from dataclasses import dataclass
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import tengen
from tengen.batch import RUNNING, Batch

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Settings:
    updates: int = 300
    games: int = 128  # of an update: enough that luck averages out, few enough for many updates
    mixed: float = 0.5  # of the games have random moves on one side: positions that good play never shows
    hidden: int = 128
    learning_rate: float = 2e-3  # at first; it falls to 0 evenly
    entropy: float = 0.03  # keeps the policy from settling before it has seen what else there is
    value_weight: float = 0.5
    longest: int = 200  # actions; a longer game counts as a draw
    trials: int = 1000  # games against random moves
    sharpness: float = 3.0  # of the policy in those games, where nothing need be tried any more
    seed: int = 0


class Moves(NamedTuple):
    """Every move of a batch of games."""

    planes: Floats  # [moves, inputs]
    legal: NDArray[np.bool_]  # [moves, actions]
    actions: NDArray[np.int64]
    results: Floats  # how the game ended for the one who moved: 1, 0 or -1


class Net:
    """inputs -> hidden (ReLU) -> a logit for each action, and a value between -1 and 1."""

    def __init__(self, inputs: int, hidden: int, actions: int, rng: np.random.Generator) -> None:
        def matrix(rows: int, columns: int, scale: float) -> Floats:
            return (rng.standard_normal((rows, columns)) * scale).astype(np.float32)

        self.weights = [
            matrix(inputs, hidden, (2 / inputs) ** 0.5),
            np.zeros(hidden, np.float32),
            matrix(hidden, actions + 1, 0.01),  # near uniform at first; the last column is the value
            np.zeros(actions + 1, np.float32),
        ]
        self._means = [np.zeros_like(weight) for weight in self.weights]
        self._squares = [np.zeros_like(weight) for weight in self.weights]
        self._steps = 0

    def forward(self, planes: Floats) -> tuple[Floats, Floats, Floats]:
        """The hidden layer, the logits and the values."""
        first, first_bias, second, second_bias = self.weights
        hidden = np.maximum(planes @ first + first_bias, 0)
        out = hidden @ second + second_bias
        return hidden, out[:, :-1], np.tanh(out[:, -1])

    def descend(self, gradients: list[Floats], rate: float) -> None:
        """A step of Adam (Kingma and Ba, 2015) with its usual constants."""
        self._steps += 1
        for weight, gradient, mean, square in zip(
            self.weights, gradients, self._means, self._squares, strict=True
        ):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            unbiased = mean / (1 - 0.9**self._steps)
            weight -= rate * unbiased / (np.sqrt(square / (1 - 0.999**self._steps)) + 1e-8)


def look(batch: Batch) -> Floats:
    return batch.encode().reshape(len(batch), -1)


def play(net: Net, batch: Batch, settings: Settings) -> Moves:
    """Plays all games of the batch from the start to the end; the moves are the net's own."""
    batch.reset()
    random_seat = np.where(np.arange(len(batch)) < settings.mixed * len(batch), np.arange(len(batch)) % 2, -1)
    results = np.zeros((len(batch), 2), np.float32)
    seen = []
    for _ in range(settings.longest):
        running = batch.winner == RUNNING
        if not running.any():
            break
        planes, legal, movers = look(batch), batch.legal(), batch.to_move
        own = movers != random_seat
        actions = np.where(own, batch.sample(net.forward(planes)[1]), batch.sample())
        results += batch.step(actions).rewards
        at = np.flatnonzero(running & own)
        seen.append((at, planes[at], legal[at], actions[at], movers[at]))
    games, planes, legal, actions, movers = (np.concatenate(column) for column in zip(*seen, strict=True))
    return Moves(planes, legal, actions, results[games, movers])


def learn(net: Net, moves: Moves, rate: float, settings: Settings) -> None:
    """One step along the policy gradient, with the value as the baseline."""
    hidden, logits, values = net.forward(moves.planes)
    logits = np.where(moves.legal, logits, -np.inf)
    policy = np.exp(logits - logits.max(axis=1, keepdims=True))
    policy /= policy.sum(axis=1, keepdims=True)
    surprise = moves.results - values

    # The gradient of the loss by the logits and by the number under the tanh.
    chosen = np.zeros_like(policy)
    chosen[np.arange(len(chosen)), moves.actions] = 1
    logs = np.log(np.where(policy > 0, policy, 1))
    disorder = -(policy * logs).sum(axis=1, keepdims=True)
    by_logits = (policy - chosen) * surprise[:, None] + settings.entropy * policy * (logs + disorder)
    by_value = -2 * settings.value_weight * surprise * (1 - values**2)
    by_out = np.column_stack([by_logits, by_value]).astype(np.float32) / len(policy)
    by_hidden = (by_out @ net.weights[2].T) * (hidden > 0)
    gradients = [moves.planes.T @ by_hidden, by_hidden.sum(0), hidden.T @ by_out, by_out.sum(0)]
    net.descend(gradients, rate)


def against_random(net: Net, game: tengen.Game, settings: Settings) -> float:
    """The share of points (a draw is half a one) of the net against random moves, one side in each half."""
    batch = Batch(game, settings.trials, seed=settings.seed + 1)
    seats = np.arange(settings.trials) % 2
    points = np.full((settings.trials, 2), 0.5, np.float32)
    for _ in range(settings.longest):
        if not (batch.winner == RUNNING).any():
            break
        own, other = batch.sample(settings.sharpness * net.forward(look(batch))[1]), batch.sample()
        actions = np.where(batch.to_move == seats, own, other)
        points += batch.step(actions).rewards / 2
    return float(points[np.arange(settings.trials), seats].mean())


def train(game: tengen.Game, settings: Settings) -> tuple[float, float]:
    """Prints how it goes; returns the share of points against random moves before and after."""
    rng = np.random.default_rng(settings.seed)
    batch = Batch(game, settings.games, seed=settings.seed)
    net = Net(look(batch).shape[1], settings.hidden, game.action_count, rng)
    first = share = against_random(net, game, settings)
    print(f"{game.title}, {game.width}×{game.height}: a net of {sum(w.size for w in net.weights):,} numbers")
    print(f"{'games':>8}{'moves':>10}{'seconds':>9}   points against random moves")
    print(f"{0:8,}{0:10,}{0:9.1f}{share:8.1%}", flush=True)
    start, made = perf_counter(), 0
    for update in range(1, settings.updates + 1):
        moves = play(net, batch, settings)
        learn(net, moves, settings.learning_rate * (1 - update / (settings.updates + 1)), settings)
        made += len(moves.actions)
        if update % max(1, settings.updates // 10) == 0:
            share = against_random(net, game, settings)
            games, seconds = update * settings.games, perf_counter() - start
            print(f"{games:8,}{made:10,}{seconds:9.1f}{share:8.1%}", flush=True)
    return first, share


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--updates", type=int, default=Settings.updates, help="batches of games to learn from"
    )
    parser.add_argument("--seed", type=int, default=Settings.seed)
    arguments = parser.parse_args()
    game = tengen.game("great-kingdom", size=5)
    before, after = train(game, Settings(updates=arguments.updates, seed=arguments.seed))
    print(f"Against random moves the net made {before:.1%} of the points before and {after:.1%} after.")


if __name__ == "__main__":
    main()
