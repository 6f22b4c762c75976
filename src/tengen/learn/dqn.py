"""Deep Q-learning: the net, rewards and settings of the program this game's AI comes from.

Kept from there: one number a cell (1.0 own, -1.0 the opponent's, 0.1 neutral, 0.0 empty), two hidden layers
of 256 ReLU, replay memory, a target net, epsilon per game, 0.3 for a castle captured and -0.5 for one lost
with 1 or -1 at the end, and our Monte Carlo tree search as the opponent. What is different, and why:

- The net has one more output, for the pass. Two passes are the only way to an end by territory, so without
  it no game could be won by score.
- A next state is what the opponent sees after the move, own and opponent's castles exchanged, and its worth
  is subtracted: Q(s, a) = reward - gamma * max Q(s', a'). Both seats are then the same player, any move of
  anybody teaches what it is worth against the best reply, and the move need not be one that the net would
  make. The other form, in which the next state is the one at the agent's next turn, learns how to beat one
  opponent: against a search that always wins all moves are worth the same, and the winner's moves teach
  nothing. So the moves of both seats are remembered.
- Only legal actions count, in the choice and in the maximum. Next states are copies.
- The net chooses the reply and the target net values it (double DQN), since the maximum over 82 guesses of
  one net is too high, and here an error changes sides with each move.
- Samples are turned and mirrored at random: each move stands for eight.
- Beside the games against the search there are games against itself. For a long time the search wins every
  game within a dozen moves: after 800 such games and 13,000 steps the net won half of its games against a
  random mover, with self-play as well nine of ten after 1000 games and 3000 steps.
- The loss shown is a running mean that starts at the first loss, not at 0.

The games advance together, a move each: while the searches think, in threads, the net learns. Which move is
made does not depend on how fast a thread is, so a run that was killed goes on to the very same numbers as one
that was not; `Training.contents` is all it needs. Start reading at `train`, then `Learner.learn`.
"""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import nn

from tengen.arena import opening
from tengen.brains.file import write_brain
from tengen.brains.info import BrainInfo
from tengen.brains.store import BrainStore
from tengen.game import Game, State
from tengen.learn import checkpoint
from tengen.learn.dqn_memory import Lessons, Memory, lessons
from tengen.learn.dqn_net import QNet, best_actions, load_model, model_bytes, new_net
from tengen.learn.dqn_settings import DqnSettings, dqn_settings, learners
from tengen.search.mcts import Search
from tengen.settings import load

if TYPE_CHECKING:
    from tengen.learn.runs import Reporter, Run

SMOOTHING = 0.01  # the part that one step has in the loss shown
RECENT = 200  # games that the share won against the search is taken from


def train(run: Run, reporter: Reporter, store: BrainStore | None = None) -> None:
    """Plays and learns until the reporter says stop; raises ValueError with a sentence.

    Brains are saved in the store, which is the user's own unless one is given.
    """
    torch.set_num_threads(1)  # the net is too small to gain by more, and the searches need the rest
    training = Training(run, reporter, store)
    with ThreadPoolExecutor(training.settings.threads) as pool:
        while reporter.proceed(training.save_brain):
            training.advance(pool)
    training.save_brain()
    training.save_checkpoint()


class Learner:
    """The net with all that it learns by."""

    def __init__(self, game: Game, settings: DqnSettings, net: QNet | None = None) -> None:
        self.game, self.settings = game, settings
        self.net = net or new_net(game, settings.hidden, settings.seed)
        self.target = QNet(self.net.cells, self.net.hidden)
        self.target.load_state_dict(self.net.state_dict())
        self.optimiser = torch.optim.Adam(self.net.parameters(), lr=settings.learning_rate, fused=True)
        self.memory = Memory(game, settings.capacity)
        self.rng = np.random.default_rng(settings.seed)
        self.games = 0
        self.steps = 0
        self.loss: float | None = None  # the running mean; None before the first step

    @property
    def epsilon(self) -> float:
        settings = self.settings
        return max(settings.epsilon_min, settings.epsilon_start * settings.epsilon_decay**self.games)

    def choose(self, states: Sequence[State]) -> list[int]:
        """An action for each state: the best, or with the chance epsilon any legal one."""
        if not states:
            return []
        chosen = best_actions(self.net, states)
        explores = self.rng.random(len(states)) < self.epsilon
        for number in np.flatnonzero(explores).tolist():
            chosen[number] = int(self.rng.choice(states[number].legal_actions()))
        return chosen

    def remember(self, actions: Sequence[int]) -> None:
        """Takes in a finished game."""
        settings = self.settings
        self.memory.add(
            lessons(
                self.game,
                actions,
                capture_reward=settings.capture_reward,
                loss_reward=settings.loss_reward,
            )
        )
        self.games += 1

    def learn(self) -> None:
        """One step, on a batch from the memory; nothing until it holds one."""
        settings = self.settings
        if self.memory.size < settings.batch_size:
            return
        batch = self.memory.sample(settings.batch_size, self.rng)
        q = self.net(torch.from_numpy(batch.boards))
        found = q.gather(1, torch.from_numpy(batch.actions)[:, None]).squeeze(1)
        loss = nn.functional.smooth_l1_loss(found, self.goals(batch))
        self.optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        self.optimiser.step()
        self.steps += 1
        if self.steps % settings.target_update_frequency == 0:
            self.target.load_state_dict(self.net.state_dict())
        value = loss.item()
        self.loss = value if self.loss is None else self.loss + SMOOTHING * (value - self.loss)

    @torch.no_grad()
    def goals(self, batch: Lessons) -> torch.Tensor:
        """What each move should be worth: its reward, less what the opponent's best reply is worth to him."""
        legal = torch.from_numpy(batch.next_legal)
        seen = torch.from_numpy(batch.next_boards)
        replies = self.net(seen).masked_fill(~legal, -torch.inf).argmax(1, keepdim=True)
        worth = self.target(seen).gather(1, replies).squeeze(1) * legal.any(1)
        goals: torch.Tensor = torch.from_numpy(batch.rewards) - self.settings.gamma * worth
        return goals

    def contents(self) -> dict[str, Any]:
        """Everything, for `restore`; plain values and tensors."""
        rows, following = self.memory.contents()
        return {
            "net": self.net.state_dict(),
            "target": self.target.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "memory": {name: torch.from_numpy(value) for name, value in rows._asdict().items()},
            "following": following,
            "rng": json.dumps(self.rng.bit_generator.state),
            "games": self.games,
            "steps": self.steps,
            "loss": self.loss,
        }

    def restore(self, contents: dict[str, Any]) -> None:
        self.net.load_state_dict(contents["net"])
        self.target.load_state_dict(contents["target"])
        self.optimiser.load_state_dict(contents["optimiser"])
        rows = {name: value.numpy() for name, value in contents["memory"].items()}
        self.memory.restore(Lessons(**rows), contents["following"])
        self.rng.bit_generator.state = json.loads(contents["rng"])
        self.games, self.steps, self.loss = contents["games"], contents["steps"], contents["loss"]


@dataclass
class Table:
    """A place where one game after the other is played."""

    number: int
    state: State
    against_search: bool
    game: int = 0  # how many were played here before

    @property
    def seat(self) -> int:
        """The net's, against the search."""
        return (self.number + self.game) % 2

    @property
    def search_moves(self) -> bool:
        return self.against_search and self.state.to_move != self.seat


class Tables:
    """The games under way, and the learner that plays and learns in them."""

    def __init__(self, learner: Learner) -> None:
        self.learner = learner
        settings, start = learner.settings, learner.game.start()
        count = settings.parallel_games + settings.self_play_games
        self.all = [Table(number, start, number < settings.parallel_games) for number in range(count)]
        self.recent: deque[bool] = deque(maxlen=RECENT)  # whether the net beat the search
        self.moves = 0

    def advance(self, pool: Executor) -> None:
        """A move in each game; the net learns while the searches think."""
        searched = [table for table in self.all if table.search_moves]
        others = [table for table in self.all if not table.search_moves]
        thinking = [pool.submit(self._search, table) for table in searched]
        chosen = self.learner.choose([table.state for table in others])
        for _ in range(self._steps_due(len(self.all))):
            self.learner.learn()
        for table, action in zip(others, chosen, strict=True):
            table.state = table.state.play(action)
        for table, thought in zip(searched, thinking, strict=True):
            table.state = table.state.play(thought.result())
        for table in self.all:
            if table.state.outcome is not None:
                self._finish(table)

    def _steps_due(self, moves: int) -> int:
        each, before = self.learner.settings.moves_per_step, self.moves
        self.moves += moves
        return self.moves // each - before // each

    def _search(self, table: Table) -> int:
        """A new tree each move, from a seed of its own, so that nothing of it has to be kept."""
        settings = self.learner.settings
        parts = (settings.seed, table.number, table.game, len(table.state.actions))
        seed = int(np.random.SeedSequence(parts).generate_state(1, np.uint64)[0])
        search = Search(table.state, seed=seed)
        search.run(visits=settings.mcts_iterations, stop_when_clear=True)
        return search.report().actions[0].action

    def _finish(self, table: Table) -> None:
        assert table.state.outcome is not None
        self.learner.remember(table.state.actions)
        if table.against_search:
            self.recent.append(table.state.outcome.winner == table.seat)
        table.state = self.learner.game.start()
        table.game += 1

    def contents(self) -> dict[str, Any]:
        return {
            "tables": [(table.game, list(table.state.actions)) for table in self.all],
            "recent": list(self.recent),
            "moves": self.moves,
        }

    def restore(self, contents: dict[str, Any]) -> None:
        for table, (game, actions) in zip(self.all, contents["tables"], strict=True):
            table.game = game
            for action in actions:
                table.state = table.state.play(action)
        self.recent.extend(contents["recent"])
        self.moves = contents["moves"]


class Training:
    """A run: games and learning, with reports, checkpoints and brains."""

    def __init__(self, run: Run, reporter: Reporter, store: BrainStore | None = None) -> None:
        self.game, self.reporter = run.game, reporter
        if "dqn" not in self.game.learning.algorithms:
            only = " and ".join(learners("dqn"))
            raise ValueError(f"The DQN learns {only} only, not {self.game.title}.")
        self.store = store or BrainStore()
        self._folder = run.folder
        earlier = checkpoint.get(run.folder)
        if earlier is not None:  # the settings of the first start hold, whatever config.json says by now
            self.settings = DqnSettings(**earlier["settings"])
        else:
            self.settings = dqn_settings(load(), run.settings)
        self.learner = Learner(self.game, self.settings, self._first_net(run))
        self.tables = Tables(self.learner)
        self.untrained = new_net(self.game, self.settings.hidden, self.settings.seed)
        self.openings = [opening(self.game, seed) for seed in range((self.settings.measured_games + 1) // 2)]
        self._saved_at = -1  # the steps of the last brain saved
        self._next_checkpoint = time.monotonic() + self.settings.checkpoint_s
        if earlier is not None:
            self.learner.restore(earlier["learner"])
            self.tables.restore(earlier["tables"])
            self._saved_at = earlier["saved_at"]
            reporter.resumed(self.learner.games)

    def _first_net(self, run: Run) -> QNet | None:
        """That of the brain which the run goes on from, if it names one."""
        if not run.brains:
            return None
        return load_model(self.store.find(self.game, run.brains[0]))

    def advance(self, pool: Executor) -> None:
        before, settings = self.learner.games, self.settings
        self.tables.advance(pool)
        games = self.learner.games
        shown = self.tables.all[0]
        names = ("DQN", f"mcts:{settings.mcts_iterations}")
        self.reporter.live(shown.state.actions, names if shown.seat == 0 else names[::-1])
        self.reporter.count(games=games, loss=self.learner.loss)
        if before // settings.report_games < games // settings.report_games:
            self.report(measured=before // settings.measure_games < games // settings.measure_games)
        if time.monotonic() > self._next_checkpoint:
            self.save_checkpoint()

    def report(self, *, measured: bool) -> None:
        """A line of progress. The share against the search is that of training, random moves included."""
        learner, recent = self.learner, self.tables.recent
        rates = {}
        if recent:
            rates[f"mcts:{self.settings.mcts_iterations}"] = sum(recent) / len(recent)
        if measured:
            rates["random"] = share_won(learner.net, None, self.openings, learner.games)
            rates["untrained"] = share_won(learner.net, self.untrained, self.openings, learner.games)
        self.reporter.report(
            games=learner.games,
            loss=learner.loss,
            win_rates=rates,
            epsilon=learner.epsilon,
            steps=learner.steps,
        )

    def save_brain(self) -> None:
        """Puts the net among the brains, unless it is there.

        Before the first step there is no loss to name the file by, and a wish for a brain waits until then.
        """
        learner = self.learner
        if learner.loss is None or learner.steps == self._saved_at:
            return
        info = BrainInfo(self.game.name, self.game.options, "dqn", learner.games, learner.loss)
        path = write_brain(self.store.folder(self.game), model_bytes(learner.net), info)
        self._saved_at = learner.steps
        self.reporter.saved(path.stem)

    def save_checkpoint(self) -> None:
        content = {
            "settings": asdict(self.settings),
            "learner": self.learner.contents(),
            "tables": self.tables.contents(),
            "saved_at": self._saved_at,
        }
        checkpoint.put(self._folder, content)
        self._next_checkpoint = time.monotonic() + self.settings.checkpoint_s


def share_won(net: QNet, other: QNet | None, openings: Sequence[State], seed: int) -> float:
    """The part of the games that the net wins from those positions, in both seats, without exploring.

    The other plays random legal moves if it is None.
    """
    rng = np.random.default_rng(seed)
    going = [(state, seat) for state in openings for seat in (0, 1)]
    won = 0
    while going:
        chosen: dict[int, int] = {}
        for player in (net, other):
            at = [n for n, (state, seat) in enumerate(going) if (state.to_move == seat) == (player is net)]
            states = [going[n][0] for n in at]
            if player is None:
                moves = [int(rng.choice(state.legal_actions())) for state in states]
            else:
                moves = best_actions(player, states) if states else []
            chosen.update(zip(at, moves, strict=True))
        going = [(state.play(chosen[n]), seat) for n, (state, seat) in enumerate(going)]
        won += sum(state.outcome is not None and state.outcome.winner == seat for state, seat in going)
        going = [(state, seat) for state, seat in going if state.outcome is None]
    return won / (2 * len(openings))
