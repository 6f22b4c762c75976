"""Brain vs. Brain of DQN brains: the games, what both learn, kills, and the champion's way to `latest`."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest

import tengen
from tengen.brains.file import write_brain
from tengen.brains.info import BrainError, BrainInfo
from tengen.brains.store import BrainStore
from tengen.game import Game
from tengen.learn.run_files import read_status
from tengen.learn.runs import Reporter, Run, runs
from tests.brains.make import tiny_q_brain
from tests.learn.waiting import PATIENCE_S, until
from tests.terminal.helpers import Terminal

torch = pytest.importorskip("torch", reason="NOT TESTED: PyTorch is not installed")

from tengen.learn.dqn_net import QNet, best_actions, model_bytes, new_net  # noqa: E402
from tengen.learn.duel import open_duel  # noqa: E402
from tengen.learn.duel_dqn import DqnDuel, Table  # noqa: E402
from tengen.learn.versus import QSide, versus  # noqa: E402

GAME = tengen.game("great-kingdom", size=5)
TINY: dict[str, Any] = {
    "batch_size": 16,
    "capacity": 400,
    "target_update_frequency": 20,
    "moves_per_step": 4,
    "report_games": 8,
    "final_games": 8,
    "threads": 1,
    "checkpoint_s": 0.0,
}


def save(store: BrainStore, net: QNet, game: Game = GAME, **changes: Any) -> str:
    values: dict[str, Any] = {"games": 10, "loss": 0.5} | changes
    info = BrainInfo(game.name, game.options, "dqn", **values)
    return write_brain(store.folder(game), model_bytes(net), info).stem


@pytest.fixture
def pair() -> tuple[BrainStore, list[str]]:
    """Of different sizes, which is no hindrance."""
    store = BrainStore()
    return store, [save(store, new_net(GAME, hidden, hidden), loss=hidden / 100) for hidden in (12, 16)]


def new_run(names: list[str], folder: Path, name: str = "mine", **more: Any) -> Run:
    settings = TINY | more.pop("settings", {})
    return Run.create("duel", GAME.name, GAME.options, settings, folder, name=name, brains=names, **more)


def opened(run: Run) -> tuple[DqnDuel, Reporter]:
    reporter = Reporter(run)
    duel = open_duel(run, reporter)
    assert isinstance(duel, DqnDuel)
    return duel, reporter


def liking(action: int) -> QNet:
    """A net that always wants to play there, else as late a cell as it can, and never to pass."""
    net = new_net(GAME, 4, 0)
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.zero_()
        net.output.bias[:] = torch.arange(26) / 100
        net.output.bias[action], net.output.bias[25] = 9.0, -9.0
    return net


# The games


def test_each_plays_its_own_moves_in_both_seats_from_varied_openings(tmp_path: Path) -> None:
    store = BrainStore()
    names = [save(store, liking(action), games=action) for action in (6, 18)]
    duel, reporter = opened(new_run(names, tmp_path, settings={"epsilon_min": 0.0, "report_games": 20}))
    tables = duel._open_tables()
    assert len(tables) == 20
    starts = [tuple(table.state.actions) for table in tables]
    assert starts[::2] == starts[1::2] and len(set(starts)) >= 8, "pairs, each from its own opening"
    assert [table.first for table in tables] == [0, 1] * 10
    free = [table for table in tables if not {6, 18} & set(table.state.actions)]
    for _ in range(2):
        duel._move(free)
    assert free
    for table in free:
        assert table.state.actions[-2:] == ((6, 18) if table.first == 0 else (18, 6))
    reporter.close("stopped", "")


def test_the_points_are_those_of_a(pair: tuple[BrainStore, list[str]], tmp_path: Path) -> None:
    duel, reporter = opened(new_run(pair[1], tmp_path))
    start = GAME.start()
    won_by_first = start
    for move in ("B5", "A5", "A4"):
        won_by_first = won_by_first.play(GAME.parse(won_by_first, move)[0])
    for table in (Table(0, won_by_first), Table(1, won_by_first), Table(0, start)):
        duel._keep(table)
    assert list(duel.recent) == [1.0, 0.0] and duel.games == 2
    assert [one.learner.memory.size for one in duel.contenders] == [6, 6], "both learn from both seats"
    reporter.close("stopped", "")


def test_q_nets_meet_in_a_match() -> None:
    a, b = new_net(GAME, 8, 1), new_net(GAME, 8, 2)
    sides = [QSide(model_bytes(net)) for net in (a, b)]
    states = [GAME.start(), GAME.start().play(3)]
    assert sides[0].open(GAME, 0).choose([0, 1], states) == [[action] for action in best_actions(a, states)]
    tally = versus(GAME, sides[0], sides[1], 8, seed=3)
    swapped = versus(GAME, sides[1], sides[0], 8, seed=3)
    assert tally.games == swapped.games == 8
    assert tally.points + swapped.points == 8, "the same games seen from the other side"


# The whole


def weights(duel: DqnDuel) -> list[Any]:
    return [value for one in duel.contenders for value in one.learner.net.state_dict().values()]


def test_it_learns_goes_on_to_the_same_numbers_and_crowns(
    pair: tuple[BrainStore, list[str]], tmp_path: Path
) -> None:
    store, names = pair
    whole, reporter = opened(new_run(names, tmp_path, "whole", games=28))
    before = [value.clone() for value in weights(whole)]
    whole.run()
    reporter.close("finished", "")
    assert whole.games >= 28 and all(one.changed for one in whole.contenders)
    assert not any(torch.equal(a, b) for a, b in zip(before, weights(whole), strict=True))
    assert whole.contenders[0].learner.epsilon == whole.settings.epsilon_min

    run = new_run(names, tmp_path, "broken", games=28)
    first, reporter = opened(run)
    first.round()
    first.checkpoint()
    first._report()
    first.round()  # which is lost
    first._report()
    reporter.close("stopped", "")
    for name in names:
        store.remove(GAME, name)  # the run has its own copies
    again, reporter = opened(run)
    assert again.games == 8 and [row["games"] for row in run.progress()] == [8]
    again.run()
    assert again.games == whole.games and list(again.recent) == list(whole.recent)
    assert all(torch.equal(a, b) for a, b in zip(weights(whole), weights(again), strict=True))
    rows = run.progress()
    assert [row["games"] for row in rows] == [row["games"] for row in Run.open("whole", tmp_path).progress()]
    assert all("B (by A)" in row["win_rates"] and row["loss"] > 0 for row in rows[1:])

    again.decide()
    champion = store.find(GAME, "latest")
    assert champion.name == reporter._status.brain
    assert reporter.conclusion.endswith(f"is now latest: {champion.name}.")
    assert champion.info.algorithm == "dqn"
    if champion.name not in names:
        assert champion.info.games == 10 + again.games
    reporter.close("finished", "")


def test_a_wish_for_a_brain_saves_both(pair: tuple[BrainStore, list[str]], tmp_path: Path) -> None:
    store, names = pair
    duel, reporter = opened(new_run(names, tmp_path))
    duel.save()
    assert reporter._status.brain in names, "nothing was learnt yet"
    duel.round()
    duel.save()
    own = [one for one in store.list(GAME) if not one.shipped]
    assert len(own) == 4
    saved = [one for one in own if one.name not in names]
    assert {one.info.games for one in saved} == {10 + duel.games}
    assert {one.info.loss for one in saved} == {one.loss for one in duel.contenders}
    assert reporter._status.brain in [one.name for one in saved]
    live = reporter._status.live
    assert live is not None and sorted(name[0] for name in live["names"]) == ["A", "B"]
    reporter.close("stopped", "")


def test_the_better_one_wins_as_it_came_if_it_learnt_nothing(tmp_path: Path) -> None:
    store = BrainStore()
    names = [save(store, new_net(GAME, 8, seed), games=seed) for seed in (1, 2)]
    duel, reporter = opened(new_run(names, tmp_path))
    duel.decide()
    assert store.latest(GAME) in names
    assert len([one for one in store.list(GAME) if not one.shipped]) == 2
    reporter.close("stopped", "")


def test_a_net_of_another_make_cannot_learn(tmp_path: Path) -> None:
    store = BrainStore()
    names = [store.import_(tiny_q_brain(GAME, seed, games=seed)).name for seed in (1, 2)]
    run = new_run(names, tmp_path)
    reporter = Reporter(run)
    with pytest.raises(BrainError, match=r"is no DQN of ours, so it cannot be trained on\.$"):
        open_duel(run, reporter)
    reporter.close("failed", "")


def test_killed_and_started_again(pair: tuple[BrainStore, list[str]], tmp_path: Path) -> None:
    store, names = pair
    run = new_run(names, tmp_path / "runs").start()
    try:
        until(lambda: len(run.progress()) >= 2)
        os.kill(run.status().pid or 0, signal.SIGKILL)
        until(lambda: not run.running)
        assert "killed" in run.status().message
        run = run.start(games=8)
        status = run.wait(PATIENCE_S)
        assert status.state == "finished", status.message
        assert "is now latest" in status.message
        games = [row["games"] for row in run.progress()]
        assert games == sorted(games) and games[-1] >= 16
        assert store.latest(GAME) == status.brain
    finally:
        if run.running:
            os.kill(read_status(run.folder).pid or 0, signal.SIGKILL)
            run.wait(PATIENCE_S)


def test_on_a_terminal_two_dqn_brains_are_named_watched_and_stopped(
    pair: tuple[BrainStore, list[str]], tmp_path: Path
) -> None:
    words = [word for name, value in TINY.items() for word in ("--set", f"{name}={value}")]
    place = tmp_path / "data" / "tengen" / "training"
    try:
        with Terminal(
            tmp_path, "duel", "great-kingdom", *pair[1], "--size", "5", "--name", "mine", *words
        ) as terminal:
            terminal.expect("Great Kingdom: duel mine")
            until(lambda: bool(Run.open("mine", place).progress()))
            terminal.expect("A B C D E")
            terminal.expect("Wins against B (by A)")
            terminal.send("s")
            terminal.expect("Saved brain_L")
            terminal.send("q")
            terminal.expect("is now latest:")
            terminal.expect("To go on: tengen train --resume mine")
            assert terminal.wait() == 0
        run = Run.open("mine", place)
        assert sorted(Path(name).stem for name in run.brains) == sorted(pair[1])
        assert run.settings["gamma"] == 0.95, "the settings in force are the run's"
        assert pair[0].latest(GAME) == run.status().brain
    finally:
        for one in runs(place):
            if one.running:
                os.kill(read_status(one.folder).pid or 0, signal.SIGKILL)
                one.wait(PATIENCE_S)
