"""`tengen train` and `tengen duel` as a person meets them: on a terminal, through a pipe, and when wrong."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

import tengen
from tengen.learn.run_files import Status, put, read_status
from tengen.learn.runs import Run, runs
from tengen.terminal.screen import Screen
from tengen.terminal.training import curve, duration, farewell, live_board, players, sentence, status_rows
from tests.terminal.helpers import Terminal, run
from tests.waiting import until

DQN = ("train", "great-kingdom", "--algorithm", "dqn", "--size", "5", "--name", "mine")
TINY = tuple(
    word
    for setting in (
        "mcts_iterations=2",
        "hidden=8",
        "batch_size=8",
        "capacity=200",
        "parallel_games=2",
        "self_play_games=0",
        "threads=1",
        "report_games=2",
        "measure_games=100000",
    )
    for word in ("--set", setting)
)

ONE_THREAD = {"OMP_NUM_THREADS": "1"}
PATIENCE_S = 60.0


def folder(home: Path) -> Path:
    return home / "data" / "tengen" / "training"


@pytest.fixture(autouse=True)
def _nothing_goes_on(tmp_path: Path) -> Iterator[None]:
    yield
    for one in runs(folder(tmp_path)):
        if one.running:
            os.kill(read_status(one.folder).pid or 0, signal.SIGKILL)
            one.wait(PATIENCE_S)


# On a terminal


def test_the_live_screen_and_its_keys(tmp_path: Path) -> None:
    with Terminal(tmp_path, *DQN, *TINY, **ONE_THREAD) as terminal:
        terminal.expect("Great Kingdom: dqn mine")
        terminal.expect("A B C D E")
        for row in ("Games played", "Current loss", "Games a second", "Time"):
            assert row in terminal.text
        terminal.send("s")
        terminal.expect("Saved brain_L")
        terminal.send("p")
        terminal.expect("paused")
        terminal.send("p")
        mine = Run.open("mine", folder(tmp_path))
        until(lambda: mine.status().state == "running")
        terminal.send("\x1b[A", "p")  # an arrow is not Esc, and keys that come together are all heard
        terminal.expect("paused")
        terminal.key("[")  # Esc
        terminal.expect("Stopped: games played")
        terminal.expect("To go on: tengen train --resume mine")
        assert terminal.wait() == 0
        assert terminal.settings == terminal.given, "keys are echoed again"
        assert "\x1b[?1049h" in terminal.raw and "\x1b[?1049l" in terminal.raw, "the other screen is left"
    brains = list((tmp_path / "data" / "tengen" / "brains" / "great-kingdom").glob("brain_L*.onnx"))
    assert brains


def test_it_goes_on_alone_and_is_watched_and_stopped_later(tmp_path: Path) -> None:
    with Terminal(tmp_path, *DQN, *TINY, **ONE_THREAD) as terminal:
        terminal.expect("A B C D E")
        terminal.send("d")
        terminal.expect("mine is still running; tengen train --resume mine shows it again.")
        assert terminal.wait() == 0
    mine = Run.open("mine", folder(tmp_path))
    assert mine.running
    listed = run(tmp_path, "train", "--list")
    assert listed.code == 0 and listed.out.split()[:2] == ["mine", "running"]
    with Terminal(tmp_path, "train", "--resume", "mine") as terminal:
        terminal.expect("A B C D E")  # and then the terminal is closed
    assert mine.running
    ran = run(tmp_path, "train", "--resume", "mine", "--minutes", "3")
    assert (ran.code, ran.err) == (2, "tengen: mine is running: stop it first to give it another limit.\n")
    with Terminal(tmp_path, "train", "--resume", "mine", "--plain") as terminal:
        terminal.expect("Training Great Kingdom in the run mine.")
        terminal.expect("Running: games played")
        terminal.interrupt()
        terminal.expect("Stopped: games played")
        assert terminal.wait() == 0
        assert "\x1b" not in terminal.raw, "a screen reader gets lines alone"
    assert not mine.running
    assert run(tmp_path, "train", "--remove", "mine").code == 0
    assert not mine.folder.exists()


# Through a pipe


def test_a_run_that_has_made_no_brain_says_so(tmp_path: Path) -> None:
    told = Status(state="finished", games=409)
    mine = SimpleNamespace(name="mine")
    lines = list(farewell(cast(Run, mine), told, Screen()))
    assert lines[0].startswith("There is no brain of it yet") and lines[1].startswith("To go on")
    made = replace(told, brain="mine-1")
    assert list(farewell(cast(Run, mine), made, Screen())) == lines[1:]


def test_lines_through_a_pipe_until_the_limit(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps({"AI": {"Hyperparameters": {"Gamma": 0.5}}}))
    ran = run(tmp_path, *DQN, *TINY, "--games", "3", env=ONE_THREAD)
    assert ran.code == 0, ran.err
    first, *_, last, how = ran.out.splitlines()
    assert first == "Training Great Kingdom in the run mine."
    assert last.startswith("Finished: games played") and last.endswith("Training has reached its limit.")
    assert how == "To go on: tengen train --resume mine"
    assert "\x1b" not in ran.out and ran.err == ""
    mine = Run.open("mine", folder(tmp_path))
    assert mine.settings["gamma"] == 0.5, "from config.json where it was started"
    assert mine.settings["hidden"] == 8
    for path in mine.folder.glob("checkpoint*"):
        path.write_bytes(b"damaged")
    ran = run(tmp_path, "train", "--resume", "mine", env=ONE_THREAD)
    assert ran.code == 1
    assert "checkpoint.pt is damaged, so the run cannot go on." in ran.out


def test_a_duel_through_a_pipe_ends_with_a_champion_that_plays(tmp_path: Path) -> None:
    from tengen.brains.file import write_brain
    from tengen.brains.info import BrainInfo
    from tengen.learn.export import export_net
    from tengen.learn.net import Net, shape_for

    assert run(tmp_path, "duel", "great-kingdom", "--size", "5").err == (
        "tengen: There are no brains of Great Kingdom to pit: `tengen train great-kingdom` makes one.\n"
    )
    game = tengen.game("great-kingdom", size=5)
    place = tmp_path / "data" / "tengen" / "brains" / "great-kingdom"
    for games in (1, 2):
        info = BrainInfo(game.name, game.options, "gumbel", games, 0.5)
        write_brain(place, export_net(Net(shape_for(game, 1, 8)).eval()), info)
    small = ("full_simulations=4", "fast_simulations=2", "pool_games=4", "threads=1", "gate_games=2")
    words = [word for setting in small for word in ("--set", setting)]
    ran = run(tmp_path, "duel", "great-kingdom", "--size", "5", "--games", "4", *words, env=ONE_THREAD)
    assert ran.code == 0, ran.err
    assert "won the last match with" in ran.out and "is now latest: brain_L" in ran.out
    champion = (place / "latest").read_text().strip()
    assert f"is now latest: {champion}." in ran.out
    ran = run(tmp_path, "play", "great-kingdom", "--size", "5", "--first", "brain:latest@2", lines=["quit"])
    assert "Blue plays" in ran.out


# Wrong


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (("train",), "Which game? Such as: tengen train great-kingdom."),
        (("train", "chess"), "There is no game 'chess'; there are"),
        (("train", "go", "--algorithm", "magic"), "There is no algorithm 'magic'; there are gumbel and dqn."),
        (("train", "go", "--algorithm", "dqn"), "The DQN learns Great Kingdom only"),
        (("train", "go", "-o", "colour=3"), "go has no option 'colour'"),
        (("train", "go", "--set", "blocks"), "'blocks' should be NAME=VALUE"),
        (("train", "go", "--set", "blocks=many"), "The setting blocks must be a whole number"),
        (("train", "go", "--set", "bricks=3"), "Training has no setting 'bricks'"),
        (("train", "go", "--name", "../x"), "'../x' is no name for a run"),
        (("train", "go", "--from", "nobody"), "There is no brain 'nobody' for go"),
        (("train", "--resume", "nobody"), "There is no training run 'nobody'"),
        (("train", "go", "--resume", "nobody"), "--resume goes on with a run as it was made"),
        (("train", "--remove", "nobody"), "There is no training run 'nobody'"),
        (("duel",), "Which game? Such as: tengen duel great-kingdom."),
        (("duel", "kelasu", "nobody"), "There is no brain 'nobody' for kelasu"),
    ],
)
def test_what_is_wrong_is_one_sentence_and_nothing_is_made(
    args: tuple[str, ...], why: str, tmp_path: Path
) -> None:
    ran = run(tmp_path, *args)
    assert ran.code == 2 and ran.out == ""
    assert ran.err.startswith(f"tengen: {why}") and ran.err.count("\n") == 1
    assert not folder(tmp_path).exists() or not list(folder(tmp_path).iterdir())


def test_the_list_names_what_cannot_be_read(tmp_path: Path) -> None:
    assert "There are no training runs in" in run(tmp_path, "train", "--list").err
    good = Run.create("gumbel", "go", {"size": 9}, folder=folder(tmp_path), name="good")
    bad = Run.create("gumbel", "go", {"size": 9}, folder=folder(tmp_path), name="bad")
    (bad.folder / "run.json").write_text("{")
    put(good.folder / "status.json", Status("finished", games=7, loss=0.25).to_json())
    ran = run(tmp_path, "train", "--list")
    assert ran.out.split() == ["good", "finished", "7", "games", "loss", "0.250000", "0:00"]
    assert ran.err == f"bad: {bad.folder / 'run.json'} is damaged: it is not JSON.\n"


# What is shown


def test_times_and_curves() -> None:
    assert [duration(s) for s in (0.2, 59.7, 61, 3661)] == ["0:00", "1:00", "1:01", "1:01:01"]
    assert curve([1, 2, 3, 4, 5, 6, 7, 8], 24) == "▁▂▃▄▅▆▇█"
    assert curve([8, 8, 1, 1], 2) == "█▁"
    assert curve([3, 3], 10) == "▁▁"


def test_what_is_not_known_is_not_said() -> None:
    assert [name for name, _ in status_rows(Status())] == ["State", "Games played", "Time"]
    whole = Status(
        "running", 1, 1234, 0.5, {"random": 0.98}, 12.4, 3.25, 60, 30, brain="brain_1", message="So it is."
    )
    assert sentence(whole) == (
        "Running: games played 1,234, current loss 0.500000, wins against random 98%, rating in Elo +12, "
        "games a second 3.25, time 1:00, time left 0:30, last brain brain_1. So it is."
    )


@pytest.mark.parametrize("name", tengen.games())
def test_every_game_is_drawn_as_it_goes(name: str) -> None:
    game = tengen.game(name)
    state = game.start()
    for _ in range(3):
        state = state.play(state.legal_actions()[0])
    live = {"actions": list(state.actions), "names": ["one", "other"]}
    status = Status(live=live)
    lines = [line.plain for line in live_board(game, status, Screen(plain=True))]
    assert lines[-1] == "3 actions" and len(lines) >= game.height + 2
    assert players(game, status) == [f"{game.seats[0]}: one", f"{game.seats[1]}: other"]
    for actions in ([10**6], [0, 0], ["x"]):
        assert live_board(game, Status(live={"actions": actions, "names": ["", ""]}), Screen()) == []
