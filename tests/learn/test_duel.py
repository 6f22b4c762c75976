"""Brain vs. Brain: who plays, the games of two nets, what they learn, and the champion's way to `latest`.

`test_duel_dqn.py` has the duels of DQN brains.
"""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

import tengen
from tengen.brains.file import write_brain
from tengen.brains.info import BrainError, BrainInfo
from tengen.brains.store import BrainStore, Rating
from tengen.game import Game, restore
from tengen.learn.contenders import contenders
from tengen.learn.duel import open_duel, train
from tengen.learn.duel_gumbel import GumbelDuel
from tengen.learn.export import export_net
from tengen.learn.game_record import final_owner
from tengen.learn.learner import Learner
from tengen.learn.net import Net, shape_for
from tengen.learn.run_files import read_status, take_lock
from tengen.learn.runs import Reporter, Run
from tengen.learn.self_play import play
from tengen.learn.settings import settings_for
from tengen.learn.two_nets import TwoNets
from tests.brains.make import tiny_q_brain
from tests.learn.waiting import PATIENCE_S, until

GAME = tengen.game("great-kingdom", size=5)
TINY: dict[str, Any] = {
    "full_simulations": 8,
    "fast_simulations": 2,
    "full_share": 0.8,
    "pool_games": 4,
    "threads": 1,
    "games_per_iteration": 8,
    "batch": 16,
    "window_ready": 16,
    "gate_games": 4,
    "gate_simulations": 2,
}


def new_net(seed: int, game: Game = GAME) -> Net:
    torch.manual_seed(seed)
    return Net(shape_for(game, 1, 8)).eval()


def info(game: Game = GAME, **changes: Any) -> BrainInfo:
    return replace(BrainInfo(game.name, game.options, "gumbel", 10, 0.5), **changes)


def save(store: BrainStore, seed: int, game: Game = GAME, **changes: Any) -> str:
    return write_brain(store.folder(game), export_net(new_net(seed, game)), info(game, **changes)).stem


# Who plays


def test_the_two_best_measured_play_unless_others_are_named(tmp_path: Path) -> None:
    store = BrainStore(tmp_path, shipped=tmp_path / "none")
    with pytest.raises(
        BrainError, match="There are no brains of Great Kingdom to pit: `tengen train great-k"
    ):
        contenders(store, "great-kingdom")
    names = [save(store, 0, created="2026-01-01T00:00:00Z")]
    with pytest.raises(BrainError, match=f"{names[0]} is the only such brain"):
        contenders(store, "great-kingdom")
    names += [save(store, seed, created=f"2026-01-0{seed + 1}T00:00:00Z") for seed in (1, 2, 3)]
    newest = [one.name for one in contenders(store, "great-kingdom")]
    assert newest == [names[3], names[2]], "the newest while nothing is measured"
    store.set_rating("great-kingdom", names[0], Rating(100, 10, 50, 150))
    store.set_rating("great-kingdom", names[1], Rating(300, 10, 250, 350))
    best = [one.name for one in contenders(store, "great-kingdom")]
    assert best == [names[1], names[0]]
    named = [one.name for one in contenders(store, "great-kingdom", [names[2]])]
    assert named == [names[2], names[1]]
    named = [one.name for one in contenders(store, "great-kingdom", [names[2], names[0]])]
    assert named == [names[2], names[0]]
    with pytest.raises(BrainError, match="cannot play a duel with itself"):
        contenders(store, "great-kingdom", [names[2], names[2]])


def test_the_shipped_brain_makes_two_of_one(tmp_path: Path) -> None:
    path = write_brain(tmp_path / "shipped", export_net(new_net(1)), info())
    path.rename(tmp_path / "shipped" / "great-kingdom.onnx")
    store = BrainStore(tmp_path / "brains", shipped=tmp_path / "shipped")
    mine = save(store, 2)
    assert {one.name for one in contenders(store, "great-kingdom")} == {mine, "default"}


def test_only_brains_of_the_same_options_and_kind_meet(tmp_path: Path) -> None:
    store = BrainStore(tmp_path, shipped=tmp_path / "none")
    other = tengen.game("great-kingdom", size=5, lead=1)
    mine, strange = save(store, 1), save(store, 2, other)
    with pytest.raises(BrainError, match="is the only such brain"):
        contenders(store, "great-kingdom", [mine])
    with pytest.raises(BrainError, match="were made for different options"):
        contenders(store, "great-kingdom", [mine, strange])
    second = save(store, 3)
    with pytest.raises(BrainError, match="were made for other options than those"):
        contenders(store, "great-kingdom", [mine, second], other)
    assert {one.name for one in contenders(store, "great-kingdom", (), GAME)} == {mine, second}


def test_the_two_best_are_two_that_learn_the_same_way(tmp_path: Path) -> None:
    store = BrainStore(tmp_path, shipped=tmp_path / "none")
    best = save(store, 1)
    store.set_rating("great-kingdom", best, Rating(900, 10, 850, 950))
    q = [
        store.import_(tiny_q_brain(GAME, seed, created=f"2026-01-0{seed}T00:00:00Z")).name
        for seed in (1, 2, 3)
    ]
    with pytest.raises(BrainError, match="Nobody knows which brains of Great Kingdom are best"):
        contenders(store, "great-kingdom")  # the best is alone, and the others are two unmeasured Q-nets
    store.set_rating("great-kingdom", q[0], Rating(100, 10, 50, 150))
    assert [one.name for one in contenders(store, "great-kingdom", (), GAME)] == [q[0], q[2]]
    assert [one.name for one in contenders(store, "great-kingdom", [q[1]])] == [q[1], q[0]]
    with pytest.raises(
        BrainError, match=f"{best} is the only such brain .*`tengen train great-kingdom` makes"
    ):
        contenders(store, "great-kingdom", [best])
    second = save(store, 2)
    assert [one.name for one in contenders(store, "great-kingdom")] == [best, second]
    for name in q[1:]:
        store.remove("great-kingdom", name)
    with pytest.raises(BrainError, match="`tengen train great-kingdom --algorithm dqn` makes another"):
        contenders(store, "great-kingdom", [q[0]])


def test_a_brain_that_learns_otherwise_is_refused(tmp_path: Path) -> None:
    store = BrainStore()
    one, q = save(store, 1), store.import_(tiny_q_brain(GAME)).name
    why = f"{one} is a gumbel brain and {q} is a dqn brain: they learn from different samples, so they cannot"
    with pytest.raises(BrainError, match=why):
        contenders(store, "great-kingdom", [one, q])
    run = Run.create("duel", GAME.name, GAME.options, TINY, tmp_path / "runs", brains=[one, q])
    reporter = Reporter(run)
    with pytest.raises(BrainError, match="they learn from different samples"):
        open_duel(run, reporter)
    reporter.close("failed", "")


# The games


def leaning(net: Net, towards: int) -> bytes:
    """The net with a policy that likes late cells (1) or early ones (-1), wherever they are."""
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.zero_()
        shape = net.shape
    data = export_net(net)
    import onnx
    from onnx import helper, numpy_helper

    model = onnx.load_from_string(data)
    slope = (towards * np.arange(shape.actions) * 3).astype(np.float32)
    slope[-1] = -100  # no passing
    node = next(node for node in model.graph.node if "policy" in node.output)
    node.output[list(node.output).index("policy")] = "level"
    model.graph.initializer.append(numpy_helper.from_array(slope, "slope"))
    model.graph.node.append(helper.make_node("Add", ["level", "slope"], ["policy"], name="lean"))
    leaned: bytes = model.SerializeToString()
    return leaned


def test_each_net_moves_for_itself_in_either_seat() -> None:
    game = tengen.game("go", size=5)
    settings = settings_for("go", TINY | {"noise_actions": 0, "late_noise": 0, "fast_simulations": 1})
    nets = (leaning(new_net(1, game), -1), leaning(new_net(2, game), 1))
    played = TwoNets(game, replace(settings, full_share=0.0), 1).play(nets, games=6)
    assert {one.first for one in played} == {0, 1}
    for one in played:
        first_moves = one.record.actions[:2]
        assert first_moves == ([0, 24] if one.first == 0 else [24, 0])
        state = restore(game, None, one.record.actions)
        winner = None if state.outcome is None else state.outcome.winner
        points = 0.5 if winner is None else float(winner == (0 if one.first == 0 else 1))
        assert (one.points(0), one.points(1)) == (points, 1 - points)


def test_samples_are_what_the_game_was() -> None:
    settings = settings_for("great-kingdom", TINY)
    nets = (export_net(new_net(1)), export_net(new_net(2)))
    played = TwoNets(GAME, settings, 1).play(nets, games=12)
    seen = 0
    for record, _ in played:
        states = [GAME.start()]
        for action in record.actions:
            states.append(states[-1].play(action))
        outcome = states[-1].outcome
        assert outcome is not None
        assert record.winner == (-1 if outcome.winner is None else outcome.winner)
        for k in range(len(record.value)):
            state = next(one for one in states[:-1] if (one.encode() == record.planes[k]).all())
            assert record.value[k] == (1 if outcome.winner == state.to_move else -1)
            policy = record.policy[k].astype(float)
            assert policy.sum() == pytest.approx(1, abs=0.01)
            assert set(np.flatnonzero(policy)) <= set(state.legal_actions())
            assert -1 <= record.root_value[k] <= 1
            seen += 1
    assert seen > 20


@pytest.mark.parametrize("game", [GAME, tengen.game("go", size=5)], ids=lambda game: game.name)
def test_owners_and_leads_are_those_of_compiled_self_play(game: Game) -> None:
    settings = settings_for(game.name, TINY)
    compiled = play(export_net(new_net(1, game)), game, settings, 1, games=20)
    nets = (export_net(new_net(1, game)), export_net(new_net(2, game)))
    ours = [one.record for one in TwoNets(game, settings, 1).play(nets, games=20)]
    counted = 0
    for record in compiled + ours:
        state = restore(game, None, record.actions)
        for k in range(len(record.value)):
            if record.score is None:
                assert np.isnan(record.ownership[k]).all() and np.isnan(record.lead[k])
                continue
            won = 1 if record.winner == 0 else -1
            sign = won * record.value[k]  # of the mover
            assert (record.ownership[k] == sign * final_owner(state)).all()
            lead = (record.score[0] - record.score[1]) / (game.width * game.height)
            assert record.lead[k] == pytest.approx(sign * lead)
            counted += 1
    assert counted > 5


def test_a_wish_ends_the_games_early() -> None:
    settings = settings_for("great-kingdom", TINY)
    nets = (export_net(new_net(1)), export_net(new_net(2)))
    shown: list[int] = []

    def tick(live: Any, count: int) -> bool:
        shown.append(len(live.actions))
        return False

    assert len(TwoNets(GAME, settings, 1).play(nets, games=10**6, tick=tick)) < 10**6
    assert len(shown) == 1


# Learning


def outputs(net: Net, planes: NDArray[np.float32]) -> NDArray[np.float32]:
    with torch.no_grad():
        found = net(torch.from_numpy(planes))
    return np.concatenate([found.policy.numpy(), found.value.numpy()[:, None]], 1)


def test_a_net_from_a_file_gets_its_normalisation_back_without_playing_otherwise() -> None:
    source = new_net(1)
    with torch.no_grad():
        for parameter in source.parameters():
            parameter.mul_(3)  # far from what normalisation would make of it
    from tengen.learn.export import load_net

    net = load_net(export_net(source))
    nets = (export_net(source), export_net(source))
    played = TwoNets(GAME, settings_for("great-kingdom", TINY), 1).play(nets, games=20)
    planes = np.concatenate([one.record.planes for one in played]).astype(np.float32)
    before = outputs(net.eval(), planes)
    shaken = outputs(load_net(export_net(source)).train(), planes)
    learner = Learner([GAME], settings_for("great-kingdom", TINY), net)
    learner.settle_norms([planes])
    assert outputs(net.eval(), planes) == pytest.approx(before, abs=1e-3)
    assert outputs(learner.average, planes) == pytest.approx(before, abs=1e-3)
    assert outputs(net.train(), planes) == pytest.approx(before, abs=1e-2)
    assert np.abs(shaken - before).max() > 0.1, "or there was nothing to mend"


@pytest.fixture
def pair(tmp_path: Path) -> tuple[BrainStore, list[str]]:
    store = BrainStore()
    return store, [save(store, seed, loss=seed / 10) for seed in (1, 2)]


def opened(run: Run, reporter: Reporter) -> GumbelDuel:
    duel = open_duel(run, reporter)
    assert isinstance(duel, GumbelDuel)
    return duel


def test_a_duel_learns_goes_on_and_crowns(pair: tuple[BrainStore, list[str]], tmp_path: Path) -> None:
    store, names = pair
    run = Run.create("duel", GAME.name, GAME.options, TINY, tmp_path / "runs", brains=names, games=24)
    reporter = Reporter(run)
    duel = opened(run, reporter)
    duel.run()
    assert duel.games == 24 and duel.owed < TINY["batch"] and all(one.changed for one in duel.contenders)
    trained = outputs(duel.contenders[1].learner.net.eval(), duel.replay.newest(5))

    for name in names:
        store.remove(GAME, name)
    again = opened(run, reporter)  # as after a kill, the brains gone from where they were
    assert (again.games, again.replay.total, again.owed) == (duel.games, duel.replay.total, duel.owed)
    assert outputs(again.contenders[1].learner.net.eval(), again.replay.newest(5)) == pytest.approx(trained)
    assert list(again.recent) == list(duel.recent)

    again.decide()
    champion = store.find(GAME, "latest")
    assert champion.name == reporter._status.brain
    assert reporter.conclusion.endswith(f"is now latest: {champion.name}.")
    if champion.name not in names:
        assert champion.info.games == 10 + duel.games
    assert tengen_plays(champion.name)
    rows = run.progress()
    assert [row["games"] for row in rows] == sorted(row["games"] for row in rows)
    assert any("B (by A)" in row.get("win_rates", {}) for row in rows)
    reporter.close("finished", "")


def tengen_plays(name: str) -> bool:
    """Whether `brain:latest`, which is what VS Neural Net plays, is that brain and moves."""
    from tengen.players import make_player

    player = make_player("brain:latest@4", GAME)
    actions = player.choose(GAME.start())
    player.close()
    return actions is not None and BrainStore().latest(GAME) == name


def test_a_duel_without_learning_crowns_the_better_one_as_it_is(
    pair: tuple[BrainStore, list[str]], tmp_path: Path
) -> None:
    store, names = pair
    run = Run.create("duel", GAME.name, GAME.options, TINY, tmp_path / "runs", brains=names)
    reporter = Reporter(run)
    duel = open_duel(run, reporter)
    duel.decide()
    assert store.latest(GAME) in names
    duel.save()
    assert reporter._status.brain in names
    assert sorted(one.name for one in store.list(GAME) if not one.shipped) == sorted(names)
    reporter.close("stopped", "")


@pytest.mark.parametrize(
    ("brains", "why"),
    [
        ((), "A duel is between two brains, and this run names 0."),
        (("nobody", "nobody"), "There is no brain 'nobody' for great-kingdom"),
    ],
)
def test_what_cannot_be_is_a_sentence(brains: tuple[str, ...], why: str, tmp_path: Path) -> None:
    run = Run.create("duel", GAME.name, GAME.options, TINY, tmp_path / "runs", brains=brains)
    reporter = Reporter(run)
    with pytest.raises(ValueError, match=why):
        train(run, reporter)
    reporter.close("failed", "")


def test_a_damaged_checkpoint_is_a_sentence(pair: tuple[BrainStore, list[str]], tmp_path: Path) -> None:
    run = Run.create("duel", GAME.name, GAME.options, TINY, tmp_path / "runs", brains=pair[1])
    (run.folder / "checkpoint.pt").write_bytes(b"PK not a checkpoint")
    reporter = Reporter(run)
    with pytest.raises(ValueError, match=r"checkpoint\.pt is damaged"):
        open_duel(run, reporter)
    reporter.close("failed", "")


def test_killed_and_started_again(pair: tuple[BrainStore, list[str]], tmp_path: Path) -> None:
    store, names = pair
    run = Run.create("duel", GAME.name, GAME.options, TINY, tmp_path / "runs", brains=names).start()
    try:
        until(lambda: (run.folder / "checkpoint.pt").exists() and len(run.progress()) >= 2)
        pid = run.status().pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        until(lambda: not run.running)
        before = run.status()
        assert "killed" in before.message
        run = run.start(games=8)
        status = run.wait(PATIENCE_S)
        assert status.state == "finished", status.message
        assert status.games >= 8 and "is now latest" in status.message
        assert store.latest(GAME) == status.brain
    finally:
        if run.running:
            os.kill(read_status(run.folder).pid or 0, signal.SIGKILL)
        lock = take_lock(run.folder)
        assert lock is not None
        lock.close()
