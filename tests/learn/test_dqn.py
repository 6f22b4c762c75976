"""The DQN: what a move is worth, what it learns from that, and runs that are killed and go on."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tengen
from tengen.brains.file import read_brain, stamp
from tengen.brains.info import BrainError, BrainInfo
from tengen.brains.net import Brain, board_of
from tengen.brains.store import BrainStore, StoredBrain
from tengen.game import Game, State, restore
from tengen.learn.dqn_memory import Lessons, Memory, legal_mask, lessons
from tengen.learn.dqn_settings import DqnSettings, dqn_settings
from tengen.learn.runs import Reporter, Run
from tengen.settings import Settings
from tests.learn.waiting import PATIENCE_S

torch = pytest.importorskip("torch", reason="NOT TESTED: PyTorch is not installed")

from tengen.learn import checkpoint, dqn  # noqa: E402
from tengen.learn.dqn_net import QNet, best_actions, load_model, model_bytes, new_net  # noqa: E402

TINY: dict[str, Any] = {
    "mcts_iterations": 8,
    "hidden": 16,
    "batch_size": 16,
    "capacity": 300,
    "target_update_frequency": 20,
    "epsilon_decay": 0.98,
    "parallel_games": 2,
    "self_play_games": 3,
    "moves_per_step": 2,
    "threads": 1,
    "report_games": 10,
    "measure_games": 40,
    "measured_games": 4,
    "checkpoint_s": 0.1,
}
SMALL = tengen.game("great-kingdom", size=5)
BOARD = tengen.game("great-kingdom")


def play(game: Game, moves: str) -> State:
    state = game.start()
    for move in moves.split():
        state = state.play(game.parse(state, move)[0])
    return state


def taught(moves: str) -> Lessons:
    state = play(BOARD, moves)
    return lessons(BOARD, state.actions, capture_reward=0.3, loss_reward=-0.5)


# What a move is worth


@pytest.mark.parametrize(
    ("moves", "last", "before", "before_ends"),
    [
        ("B9 A9 A8", 1.3, -1.5, True),  # one castle captured
        ("C9 A9 C8 B9 B8 B7 A8", 1.6, -2.0, True),  # two
        ("E9 B9 E8 A8 A9", -1.5, 0.0, False),  # suicide: the move before it owes nothing to that
        ("G9 H9 G8 H8 J8 J7 H7 A1 J9", 1.6, -2.0, True),  # double KO: only the loser's castles count
        ("pass pass", 1.0, -1.0, True),  # Blue is not three ahead
        ("A9 pass pass", -1.0, 0.0, False),  # Blue's pass throws it away
    ],
)
def test_rewards(moves: str, last: float, before: float, before_ends: bool) -> None:
    found = taught(moves)
    assert found.rewards[-2:].tolist() == pytest.approx([before, last])
    assert not found.rewards[:-2].any()
    ends = np.logical_not(found.next_legal.any(axis=1))
    assert ends[-2:].tolist() == [before_ends, True] and not ends[:-2].any()
    assert not found.next_boards[ends].any()


def test_boards_are_seen_by_who_moves_and_next_ones_by_the_opponent() -> None:
    found = taught("B9 A9 A8")
    blue, orange = found.boards[2], found.boards[1]
    assert (blue[1], blue[0], blue[40], blue[2]) == pytest.approx((1.0, -1.0, 0.1, 0.0))
    assert (orange[1], orange[40]) == pytest.approx((-1.0, 0.1))
    assert (found.next_boards[0] == orange).all()
    assert found.next_legal[0].sum() == 80, "all but the neutral castle and B9, and the pass"
    assert not found.next_legal[0, 1] and found.next_legal[0, 81]


def test_a_game_that_goes_on_teaches_nothing() -> None:
    with pytest.raises(ValueError, match="Only a finished game"):
        taught("B9 A9")


def test_memory_keeps_copies_and_forgets_the_oldest() -> None:
    memory = Memory(BOARD, 4)
    first, second = taught("B9 A9 A8"), taught("pass pass")
    memory.add(first)
    first.next_boards[:] = 7
    memory.add(second)
    rows, following = memory.contents()
    assert (memory.size, following) == (4, 1)
    assert rows.actions.tolist() == [81, 0, 9, 81]
    assert rows.next_boards.max() < 7, "what was remembered must not change with the array it came from"
    memory.add(taught("G9 H9 G8 H8 J8 J7 H7 A1 J9"))
    assert memory.size == 4, "a game longer than the memory leaves its end"
    assert memory.contents()[0].rewards.max() == pytest.approx(1.6)


def test_samples_are_the_game_turned_and_mirrored() -> None:
    state = play(BOARD, "B9 A9 A8")
    memory = Memory(BOARD, 10)
    memory.add(lessons(BOARD, state.actions, capture_reward=0.3, loss_reward=-0.5))
    turned = set()
    for symmetry in range(8):
        actions = BOARD.transform(state, symmetry).actions
        one = lessons(BOARD, actions, capture_reward=0.3, loss_reward=-0.5)
        turned |= {_row(one, n) for n in range(3)}
    batch = memory.sample(500, np.random.default_rng(1))
    assert {_row(batch, n) for n in range(500)} == turned


def _row(found: Lessons, n: int) -> tuple[object, ...]:
    return tuple(part[n].tobytes() for part in found)


# Learning


def learner(**changes: Any) -> dqn.Learner:
    return dqn.Learner(SMALL, DqnSettings(**(TINY | changes)))


def answering(learner: dqn.Learner, online: Sequence[float], target: Sequence[float]) -> None:
    """Makes the two nets say the same values of every board."""
    for net, values in ((learner.net, online), (learner.target, target)):
        for parameter in net.parameters():
            torch.nn.init.zeros_(parameter)
        net.output.bias.data[: len(values)] = torch.tensor(values)


def test_goals_take_the_best_legal_reply_as_the_target_net_values_it() -> None:
    one = learner(gamma=0.5)
    answering(one, online=[9.0, 0.3, 0.2], target=[9.0, 0.4, 0.8])
    legal = np.zeros((3, 26), np.bool_)
    legal[0, 1:], legal[1, 2:] = True, True
    boards = np.zeros((3, 25), np.float32)
    rewards = np.array([0.0, 0.25, 1.3], np.float32)
    batch = Lessons(boards, np.zeros(3, np.int64), rewards, boards, legal)
    assert one.goals(batch).tolist() == pytest.approx([-0.2, 0.25 - 0.4, 1.3])


def test_only_legal_actions_are_chosen() -> None:
    one = learner(epsilon_start=0.0, epsilon_min=0.0)
    state = play(SMALL, "A5 B5")
    answering(one, online=[9.0, 8.0, 0.1, 0.5], target=[])
    assert one.choose([state]) == [3]
    exploring = learner(epsilon_start=1.0)
    seen = {exploring.choose([state])[0] for _ in range(400)}
    assert seen == set(state.legal_actions())


def test_epsilon_falls_with_each_game() -> None:
    one = learner(epsilon_start=0.8, epsilon_min=0.1, epsilon_decay=0.5)
    found = []
    for games in range(5):
        one.games = games
        found.append(one.epsilon)
    assert found == pytest.approx([0.8, 0.4, 0.2, 0.1, 0.1])


def test_the_loss_shown_starts_at_the_first_one(monkeypatch: pytest.MonkeyPatch) -> None:
    one = learner(batch_size=4)
    assert one.loss is None
    for _ in range(3):
        one.remember(play(SMALL, "B5 A5 A4").actions)
    losses = iter([0.5, 1.5])
    weight = one.net.output.bias.sum() * 0
    monkeypatch.setattr(torch.nn.functional, "smooth_l1_loss", lambda *_: weight + next(losses))
    one.learn()
    assert one.loss == pytest.approx(0.5)
    one.net.zero_grad()
    weight = one.net.output.bias.sum() * 0
    one.learn()
    assert one.loss == pytest.approx(0.51)


def test_the_target_net_is_copied_now_and_then() -> None:
    one = learner(target_update_frequency=3, batch_size=4)
    for _ in range(3):
        one.remember(play(SMALL, "B5 A5 A4").actions)
    same = []
    for _ in range(3):
        one.learn()
        same.append(torch.equal(one.net.output.bias, one.target.output.bias))
    assert same == [False, False, True]


def test_it_overfits_one_batch() -> None:
    one = learner(hidden=64, learning_rate=0.003)
    one.remember(play(SMALL, "B5 A5 A4").actions)
    one.remember(play(SMALL, "pass pass").actions)
    one.remember(play(SMALL, "E1 B5 E2 A4 A5").actions)
    for _ in range(5):
        one.remember(play(SMALL, "B5 A5 A4").actions)
    one.learn()
    first = one.loss
    for _ in range(300):
        one.learn()
    before = play(SMALL, "B5 A5")
    q = one.net(torch.from_numpy(board_of(before))[None])[0]
    assert q[5].item() == pytest.approx(1.3, abs=0.1), "the capture on A4 is worth what it earns"
    assert first is not None and one.loss is not None and one.loss < first / 3


def test_self_play_learns_to_beat_a_random_mover() -> None:
    settings = DqnSettings(
        hidden=64, self_play_games=16, parallel_games=2, mcts_iterations=10, epsilon_decay=0.995, seed=1
    )
    tables = dqn.Tables(dqn.Learner(SMALL, settings))
    openings = [SMALL.start().play(action) for action in range(10)]
    with ThreadPoolExecutor(1) as pool:
        while tables.learner.games < 400:
            tables.advance(pool)
    untrained = new_net(SMALL, 64, 1)
    before = dqn.share_won(untrained, None, openings, 5)
    after = dqn.share_won(tables.learner.net, None, openings, 5)
    assert after >= 0.75 > before


# The net as a brain


def brain_of(net: QNet, game: Game) -> Brain:
    return read_brain(stamp(model_bytes(net), BrainInfo(game.name, game.options, "dqn", 12, 0.005843)))


@pytest.mark.parametrize("game", [BOARD, SMALL, tengen.game("great-kingdom", size=6, neutral=False)])
def test_a_brain_says_what_the_net_says(game: Game) -> None:
    net = new_net(game, 32, 4)
    state = game.start().play(0).play(game.width)
    boards = np.stack([board_of(state), board_of(game.start())])
    brain = brain_of(net, game)
    expected = net(torch.from_numpy(boards)).detach().numpy()
    assert brain.q(boards) == pytest.approx(expected, abs=1e-5)
    again = load_model(brain)
    assert all(torch.equal(a, b) for a, b in zip(net.parameters(), again.parameters(), strict=True))
    legal = legal_mask(state)
    assert best_actions(net, [state]) == [int(np.where(legal, expected[0], -np.inf).argmax())]


def test_another_kind_of_net_cannot_be_trained_on() -> None:
    import onnx

    data = brain_of(new_net(SMALL, 8, 0), SMALL).data
    model = onnx.load_model_from_string(data)
    for node in model.graph.node:
        node.input[:] = [name.replace(".weight", ".matrix") for name in node.input]
    for entry in model.graph.initializer:
        entry.name = entry.name.replace(".weight", ".matrix")
    with pytest.raises(BrainError, match=r"is no DQN of ours, so it cannot be trained on\.$"):
        load_model(read_brain(model.SerializeToString()))


# Settings


def test_settings_come_from_the_configuration() -> None:
    inside = Settings(gamma=0.9, capacity=500, mcts_iterations=7)
    found = dqn_settings(inside, {"batch_size": 32})
    assert (found.gamma, found.capacity, found.mcts_iterations, found.batch_size) == (0.9, 500, 7, 32)
    assert dqn_settings(Settings()) == DqnSettings(), "the defaults are the same in both places"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"speed": 1}, "The DQN has no setting 'speed'"),
        ({"threads": 0}, "threads must be a whole number of at least 1, not 0."),
        ({"hidden": 2.5}, "hidden must be a whole number"),
        ({"self_play_games": -1}, "self_play_games cannot be negative."),
        ({"capacity": 64}, "A batch of 128 does not fit a memory of 64 moves."),
    ],
)
def test_settings_that_cannot_be(given: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        dqn_settings(Settings(), given)


# Runs


def same(a: Any, b: Any) -> bool:
    if isinstance(a, torch.Tensor):
        return bool(torch.equal(a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    return bool(a == b)


def contents(run: Run) -> dict[str, Any]:
    data = torch.load(run.folder / checkpoint.FILE, weights_only=True)
    return {name: data[name] for name in ("learner", "tables", "settings")}


def games_kept(run: Run) -> int:
    path = run.folder / checkpoint.FILE
    return int(torch.load(path, weights_only=True)["learner"]["games"]) if path.exists() else 0


def curve(run: Run) -> list[dict[str, Any]]:
    timed = ("t_s", "games_per_s")
    return [{k: v for k, v in row.items() if k not in timed} for row in run.progress()]


def new_run(folder: Path, name: str, **changes: Any) -> Run:
    settings = TINY | changes.pop("settings", {})
    return Run.create("dqn", "great-kingdom", {"size": 5}, settings, folder, name=name, **changes)


def own_brains() -> list[StoredBrain]:
    return [brain for brain in BrainStore().list("great-kingdom") if not brain.shipped]


# Trains until 20 games are to be kept, and is killed instead: what came after the last checkpoint is lost.
KILLED = """
import os, signal, sys
from pathlib import Path
from tengen.learn import checkpoint
from tengen.learn.__main__ import main
put = checkpoint.put
def killed(folder, content):
    if content["learner"]["games"] >= 20:
        os.kill(os.getpid(), signal.SIGKILL)
    put(folder, content)
checkpoint.put = killed
main(Path(sys.argv[1]))
"""


def test_a_killed_run_comes_to_the_same_numbers(tmp_path: Path) -> None:
    whole = new_run(tmp_path, "whole", games=50, settings={"checkpoint_s": 0.0})
    reporter = Reporter(whole)
    dqn.train(whole, reporter)
    reporter.close("finished", "")
    killed = new_run(tmp_path, "killed", games=50, settings={"checkpoint_s": 0.0, "threads": 3})
    ended = subprocess.run([sys.executable, "-c", KILLED, str(killed.folder)], timeout=PATIENCE_S)
    assert ended.returncode == -signal.SIGKILL and not killed.running
    assert 0 < games_kept(killed) < 20
    assert killed.start().wait(PATIENCE_S).state == "finished"
    a, b = contents(whole), contents(killed)
    assert b["settings"].pop("threads") == 3 and a["settings"].pop("threads") == 1
    assert same(a, b)
    assert curve(whole) == curve(killed)
    measured = [row["win_rates"] for row in curve(whole) if "random" in row["win_rates"]]
    assert measured and set(measured[0]) == {"mcts:8", "random", "untrained"}
    stored = own_brains()
    assert len(stored) == 2, "each run leaves a brain"
    assert re.fullmatch(r"brain_L\d{6,}_G\d+_\d{8}_\d{6}(_2)?", stored[0].name)
    assert {one.info.algorithm for one in stored} == {"dqn"}


def test_a_brain_can_be_trained_on(tmp_path: Path) -> None:
    net = new_net(SMALL, 24, 3)
    path = tmp_path / "mine.onnx"
    path.write_bytes(brain_of(net, SMALL).data)
    run = new_run(tmp_path, "further", brains=[str(path)])
    training = dqn.Training(run, Reporter(run))
    assert same(dict(training.learner.net.state_dict()), dict(net.state_dict()))
    training.reporter.close("stopped", "")


def test_a_wish_for_a_brain_waits_for_the_first_loss(tmp_path: Path) -> None:
    run = new_run(tmp_path, "early")
    training = dqn.Training(run, Reporter(run))
    training.save_brain()
    assert own_brains() == [], "a loss of 0 would look unbeatable for ever"
    with ThreadPoolExecutor(1) as pool:
        while training.learner.loss is None:
            training.advance(pool)
    training.save_brain()
    training.save_brain()
    (stored,) = own_brains()
    assert stored.info.loss == training.learner.loss
    training.reporter.close("stopped", "")
    assert run.status().brain == stored.name
    live = run.status().live
    assert live is not None and sorted(live["names"]) == ["DQN", "mcts:8"]


def test_settings_of_the_first_start_hold(tmp_path: Path) -> None:
    run = new_run(tmp_path, "first")
    training = dqn.Training(run, Reporter(run))
    training.save_checkpoint()
    training.reporter.close("stopped", "")
    changed = replace(run, settings=TINY | {"gamma": 0.5})
    again = dqn.Training(changed, Reporter(changed))
    assert asdict(again.settings) == asdict(training.settings)
    again.reporter.close("stopped", "")


def test_what_cannot_be_trained(tmp_path: Path) -> None:
    other = Run.create("dqn", "go", {"size": 5}, TINY, tmp_path, name="go")
    reporter = Reporter(other)
    with pytest.raises(ValueError, match=r"The DQN learns Great Kingdom only, not Go\."):
        dqn.Training(other, reporter)
    reporter.close("failed", "")
    damaged = new_run(tmp_path, "damaged")
    (damaged.folder / checkpoint.FILE).write_bytes(b"PK\x03\x04nonsense")
    reporter = Reporter(damaged)
    with pytest.raises(ValueError, match=r"checkpoint\.pt is damaged, so the run cannot go on\."):
        dqn.Training(damaged, reporter)
    reporter.close("failed", "")


def test_games_are_restored_as_they_stood(tmp_path: Path) -> None:
    tables = dqn.Tables(learner())
    with ThreadPoolExecutor(1) as pool:
        for _ in range(30):
            tables.advance(pool)
        again = dqn.Tables(learner())
        again.learner.restore(tables.learner.contents())
        again.restore(tables.contents())
        for table, copy in zip(tables.all, again.all, strict=True):
            assert (table.seat, table.game, table.state.actions) == (copy.seat, copy.game, copy.state.actions)
            assert restore(SMALL, None, table.state.actions) == copy.state
