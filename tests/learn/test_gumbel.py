"""Gumbel AlphaZero end to end: a net that gets better, matches, and a run that is killed and goes on."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import tengen
from tengen.brains.store import BrainStore
from tengen.games.dominion_duel import perfect as dominion
from tengen.learn.checkpoint import read_checkpoint
from tengen.learn.export import export_net
from tengen.learn.gumbel import Trainer
from tengen.learn.learner import Learner
from tengen.learn.net import Net, shape_for
from tengen.learn.runs import Run
from tengen.learn.settings import settings_for
from tengen.learn.versus import NetSide, PlayerSide, Tally, fit_elo, versus
from tests.learn.waiting import until

TINY = {
    "blocks": 1,
    "channels": 8,
    "full_simulations": 12,
    "fast_simulations": 4,
    "full_share": 0.8,
    "opening_actions": 1,
    "pool_games": 16,
    "threads": 1,
    "games_per_iteration": 30,
    "batch": 32,
    "warm_up": 200,
    "average_samples": 500,
    "window_ready": 32,
    "window_most": 2000,
    "gate_iterations": 2,
    "gate_games": 4,
    "gate_simulations": 4,
    "eval_iterations": 3,
    "eval_games": 4,
    "eval_simulations": 4,
    "opponents": ["random"],
}


class Listener:
    """A reporter that keeps what it is told, and wants to stop after some reports."""

    def __init__(self, reports: int = 10**9) -> None:
        self.rows: list[dict[str, Any]] = []
        self.names: list[str] = []
        self.most = reports
        self.saves = 0
        self.time_used = 0.0
        self.limit_games = 10**9
        self.counted = 0
        self.resumed_at: int | None = None

    def state(self, state: str, message: str | None = None) -> None:
        pass

    def proceed(self, save: Callable[[], object] | None = None) -> bool:
        if self.saves > len(self.names) and save is not None:
            save()
        return self.wish() == "run"

    def wish(self) -> str:
        return "run" if len(self.rows) < self.most and self.counted < self.limit_games else "stop"

    def games_left(self, done: int) -> int:
        return self.limit_games - done

    def may_learn(self) -> bool:
        return len(self.rows) < self.most

    def save_wanted(self) -> bool:
        return self.saves > len(self.names)

    def count(self, *, games: int, loss: float | None = None) -> None:
        self.counted = games

    def live(self, actions: Sequence[int], names: Sequence[str]) -> None:
        assert len(names) == 2

    def report(self, *, win_rates: Mapping[str, float] | None = None, **row: Any) -> None:
        self.counted = row["games"]
        self.rows.append(row | ({"win_rates": win_rates} if win_rates else {}))

    def saved(self, brain: str) -> None:
        self.names.append(brain)

    def resumed(self, games: int) -> None:
        self.resumed_at = games


def net_words(net: Net, state: tengen.State) -> tuple[np.ndarray, float]:
    with torch.no_grad():
        found = net.eval()(torch.from_numpy(state.encode()[None]))
    return found.policy[0].softmax(0).numpy(), float(torch.tanh(found.value[0]))


def test_the_policy_improves_on_a_known_position(tmp_path: Path) -> None:
    """After the first claim of Dominion Duel in the middle, six of the eight claims left are right."""
    game = tengen.game("dominion-duel")
    state = game.start().play(4)
    best = dominion.best_actions(state)
    assert best == [0, 1, 2, 6, 7, 8]
    changes = {
        "games_per_iteration": 80,
        "full_simulations": 24,
        "full_share": 1.0,
        "blocks": 2,
        "channels": 16,
    }
    changes |= {"learning_rate": 5e-3, "gate_iterations": 99, "eval_iterations": 99}
    settings = settings_for("dominion-duel", TINY | changes)
    listener = Listener(reports=8)
    trainer = Trainer(tmp_path, game, settings, listener, store=BrainStore(tmp_path / "brains"))
    before, _ = net_words(trainer.learner.average, state)
    trainer.run()
    after, value = net_words(trainer.learner.average, state)
    assert before[best].sum() == pytest.approx(0.67, abs=0.03)
    assert after[best].sum() > 0.85
    assert value < 0  # the second player can get a draw at best
    assert listener.rows[-1]["loss"] < listener.rows[1]["loss"]


def test_a_run_from_start_to_crown(tmp_path: Path) -> None:
    game = tengen.game("great-kingdom", size=5)
    store = BrainStore(tmp_path / "brains", shipped=tmp_path / "nothing")
    listener = Listener(reports=4)
    listener.time_used = 0.4
    settings = settings_for("great-kingdom", TINY | {"gate_score": 0.0})
    trainer = Trainer(tmp_path, game, settings, listener, store=store)
    trainer.run()
    assert trainer.learner.limit_used == 0.4, "so that the learning rate ends with the run"
    assert [row["iteration"] for row in listener.rows] == [1, 2, 3, 4]
    assert listener.rows[2]["win_rates"].keys() == {"random"}
    gates = [row for row in listener.rows if "gate_passed" in row]
    assert len(gates) == 2
    assert all(row["gate_passed"] == (row["gate_champion"] >= 0.5) for row in gates)
    assert trainer.learner.trained == pytest.approx(trainer.replay.total * settings.ratio, rel=0.4)

    listener.saves = 1
    assert not listener.proceed(trainer.save)
    assert [stored.name for stored in store.list(game)] == listener.names

    trainer.at.rivals[-1:] = [trainer.at.rivals[-1].__class__(export_net(trainer.learner.average), 99, 10.0)]
    trainer.crown()
    assert store.latest(game) == listener.names[-1]
    brain = store.find(game, "latest")
    assert (brain.info.games, brain.info.algorithm) == (99, "gumbel")


@pytest.mark.parametrize("games", [7, 45])
def test_a_run_plays_as_many_games_as_it_was_given_and_learns_from_the_last(
    tmp_path: Path, games: int
) -> None:
    """Small games end by the dozen between two looks at how many there are."""
    listener = Listener()
    listener.limit_games = games
    settings = settings_for("dominion-duel", TINY | {"batch": 8, "window_ready": 8, "gate_iterations": 99})
    store = BrainStore(tmp_path / "brains", shipped=tmp_path / "nothing")
    trainer = Trainer(tmp_path, tengen.game("dominion-duel"), settings, listener, store=store)
    trainer.run()
    assert trainer.at.games == listener.counted == games
    assert trainer.at.owed < settings.batch and 0.5 < trainer.learner.limit_used <= 1
    trainer.crown()
    assert [stored.info.games for stored in store.list("dominion-duel")] == [games]


@pytest.mark.parametrize("score", [0.0, 1.0])
def test_nothing_is_crowned_unmeasured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, score: float) -> None:
    """Where there is no champion yet, random moves are what a brain is measured by."""
    game = tengen.game("great-kingdom", size=5)
    store = BrainStore(tmp_path / "brains", shipped=tmp_path / "nothing")
    trainer = Trainer(tmp_path, game, settings_for("great-kingdom", TINY), Listener(), store=store)
    trainer.at.loss = 1.0
    met: list[object] = []

    def match(self: Trainer, mine: object, other: object, games: int) -> Tally:
        met.append(other)
        return Tally(wins=int(score * games), losses=games - int(score * games))

    monkeypatch.setattr(Trainer, "_match", match)
    trainer.crown()
    (left,) = store.list(game)
    assert met == [PlayerSide("random")]
    assert store.latest(game) == (left.name if score else "default"), "the brain is left in any case"

    trainer.at.games += 1
    trainer.crown()
    assert len(store.list(game)) == 2, "however many there are already"


def test_a_stopped_run_goes_on_as_it_was(tmp_path: Path) -> None:
    game = tengen.game("great-kingdom", size=5)
    settings = settings_for("great-kingdom", TINY)
    store = BrainStore(tmp_path / "brains")
    first = Trainer(tmp_path, game, settings, Listener(reports=2), store=store)
    first.run()
    listener = Listener()
    again = Trainer(tmp_path, game, settings, listener, store=store)
    assert listener.resumed_at == first.at.games > 0
    assert (again.at.iteration, again.at.samples, again.at.owed) == (2, first.at.samples, first.at.owed)
    assert again.at.rivals == first.at.rivals
    assert again.replay.total == first.replay.total
    for name, array in first.replay.replays[5, 5].arrays.items():
        np.testing.assert_array_equal(array, again.replay.replays[5, 5].arrays[name])
    batches = []
    for trainer in (first, again):
        torch.manual_seed(3)
        trainer.learner.step(trainer.replay.draw(trainer.rng, 32, trainer.window))
        batches.append(trainer.learner)
    for name, tensor in batches[0].net.state_dict().items():
        torch.testing.assert_close(tensor, batches[1].net.state_dict()[name], rtol=1e-5, atol=1e-6, msg=name)


def rows(folder: Path) -> list[dict[str, Any]]:
    path = folder / "progress.jsonl"
    lines = path.read_text().splitlines() if path.exists() else []
    return [json.loads(line) for line in lines if line.endswith("}")]


def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    """Killed for real, twice, at moments of chance; nothing that was reported is lost but the last bit."""
    run = Run.create("gumbel", "great-kingdom", {"size": 5}, TINY, tmp_path, name="run")
    folder, games = run.folder, 0
    for reports in (2, 4):
        pid = run.start().status().pid
        assert pid is not None
        try:
            until(lambda count=reports: len(rows(folder)) >= count or not run.running)  # type: ignore[misc]
            assert run.running, "the run ended by itself"
        finally:
            os.kill(pid, signal.SIGKILL)
        run.wait()
        reported = rows(folder)[-1]
        saved = read_checkpoint(folder)
        assert saved is not None
        assert saved.games >= reported["games"] - TINY["games_per_iteration"] - 16
        assert saved.games > games
        games = saved.games
    iterations = [row["iteration"] for row in rows(folder)]
    assert iterations == sorted(set(iterations))

    trainer = Trainer(
        folder,
        tengen.game("great-kingdom", size=5),
        settings_for("great-kingdom", TINY),
        listener := Listener(reports=1),
        store=BrainStore(tmp_path / "brains"),
    )
    trainer.run()
    assert listener.resumed_at == games
    assert trainer.at.games > games
    assert trainer.learner.trained > 0


def test_a_brain_to_go_on_from(tmp_path: Path) -> None:
    game = tengen.game("dominion-duel")
    start = export_net(Net(shape_for(game, 2, 12)).eval())
    settings = settings_for("dominion-duel", TINY)
    trainer = Trainer(tmp_path, game, settings, Listener(), start=start, store=BrainStore(tmp_path))
    assert (trainer.learner.net.shape.blocks, trainer.learner.net.shape.channels) == (2, 12)
    trainer.checkpoint()
    again = Trainer(tmp_path, game, settings, Listener(), store=BrainStore(tmp_path))
    assert again.learner.net.shape == trainer.learner.net.shape


def test_a_broken_checkpoint_is_told(tmp_path: Path) -> None:
    (tmp_path / "checkpoint.pt").write_bytes(b"nonsense")
    with pytest.raises(ValueError, match="damaged"):
        read_checkpoint(tmp_path)


@pytest.mark.parametrize(("name", "options"), [("great-kingdom", {"size": 5}), ("kelasu", {})])
def test_matches_are_played_in_both_seats(name: str, options: dict[str, Any]) -> None:
    game = tengen.game(name, **options)
    torch.manual_seed(1)
    learner = Learner([game], settings_for(name, TINY))
    net, games = NetSide(export_net(learner.average), 8), 12 if name == "great-kingdom" else 4
    tally = versus(game, net, PlayerSide("random"), games, seed=1, threads=2, max_actions=150)
    assert tally.games == games
    assert tally.score > 0.5 or name == "kelasu"
    assert sum(tally.reasons.values()) == games
    assert tally.won_by.total() == tally.wins
    reverse = versus(game, PlayerSide("random"), net, games, seed=1, max_actions=150)
    assert reverse.games == games
    if name == "great-kingdom":
        assert reverse.score < 0.5


def test_a_match_ends_when_it_is_told_to() -> None:
    game = tengen.game("great-kingdom", size=9)
    net = NetSide(export_net(Net(shape_for(game, 1, 8)).eval()), 50)
    tally = versus(game, net, net, 100, seed=1, proceed=lambda: False)
    assert tally.games < 100


def test_elo_fits_the_points() -> None:
    assert fit_elo([(100.0, 20.0, 40)]) == pytest.approx(100)
    assert fit_elo([(0.0, 75.0, 100), (0.0, 75.0, 100)]) == pytest.approx(190, abs=5)
    assert fit_elo([(0.0, 40.0, 40)]) > 500
    assert fit_elo([]) == 0


def test_points_are_those_of_the_first_side() -> None:
    """The highest level of Dominion Duel plays nearly perfectly, and so wins from the first seat."""
    game = tengen.game("dominion-duel")
    net = NetSide(export_net(Net(shape_for(game, 1, 8)).eval()), 2)
    tally = versus(game, PlayerSide("level:4"), net, 20, seed=1)
    assert tally.wins >= 8
    assert tally.losses <= 3
