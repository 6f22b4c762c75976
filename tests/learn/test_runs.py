"""Training runs from the outside and the inside, and as processes that are paused, stopped and killed."""

from __future__ import annotations

import json
import math
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tengen.game import InvalidOption
from tengen.learn.run_files import put, read_status, take_lock
from tengen.learn.runs import NO_TORCH, Reporter, Run, RunError, run_names, runs
from tests.learn.waiting import PATIENCE_S, until
from tests.waiting import let_pass

TINY = {
    "mcts_iterations": 2,
    "hidden": 8,
    "batch_size": 8,
    "capacity": 200,
    "parallel_games": 2,
    "threads": 1,
    "report_games": 1,
    "measure_games": 1000,
    "checkpoint_s": 0.1,
}


# On disk


def test_a_run_is_found_again_as_it_was_made(tmp_path: Path) -> None:
    run = Run.create(
        "gumbel", "go", {"size": 5}, {"blocks": 1}, tmp_path, cluster="local", minutes=2, games=9
    )
    assert run.name == "go-gumbel-1"
    assert run.options["komi"] == run.game.options["komi"], "options are whole"
    assert (run.limit_s, run.limit_games, run.cluster) == (120, 9, "local")
    assert Run.open("go-gumbel-1", tmp_path) == run
    second = Run.create("gumbel", "go", {"size": 5}, folder=tmp_path)
    assert second.name == "go-gumbel-2"
    assert {one.name for one in runs(tmp_path)} == {run.name, second.name}
    assert (run.status().state, run.progress()) == ("stopped", [])


def test_names_stay_in_the_folder_and_are_taken_once(tmp_path: Path) -> None:
    Run.create("dqn", "great-kingdom", folder=tmp_path, name="mine")
    with pytest.raises(RunError, match="There is a training run 'mine' already"):
        Run.create("dqn", "great-kingdom", folder=tmp_path, name="mine")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "run.json").write_text("{}")
    for name in ("../outside", "..", "", "a/b", "/etc", "x" * 65, "-x", "a\n"):
        with pytest.raises(RunError, match="is no name for a run"):
            Run.open(name, tmp_path / "inside")
        with pytest.raises(RunError, match="is no name for a run"):
            Run.create("dqn", "great-kingdom", folder=tmp_path, name=name)
    with pytest.raises(RunError, match="There is no training run 'other'"):
        Run.open("other", tmp_path)


def test_nothing_is_left_of_a_run_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(InvalidOption, match="no option 'colour'"):
        Run.create("gumbel", "go", {"colour": 1}, folder=tmp_path / "runs")
    with pytest.raises(RunError, match="no way to train called 'magic'"):
        Run.create("magic", "go", folder=tmp_path / "runs")  # type: ignore[arg-type]
    assert not (tmp_path / "runs").exists()
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match="Cannot keep training runs in"):
        Run.create("gumbel", "go", folder=tmp_path / "file")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda text: text[:40], "it is not JSON."),
        (lambda text: "[" * 100_000, "it is not JSON."),
        (lambda text: "[]", "list indices must be integers or slices, not str."),
        (lambda text: text.replace('"kind"', '"sort"'), "it has no 'kind'."),
        (lambda text: text.replace('"dqn"', '"magic"'), "there is no way to train called 'magic'."),
        (lambda text: text.replace('"version": 1', '"version": 7'), "version 7 is not known here."),
        (lambda text: text.replace("great-kingdom", "chess"), "There is no game 'chess'"),
        (lambda text: text.replace('"lead"', '"led"'), "great-kingdom has no option 'led'"),
    ],
)
def test_a_damaged_run_is_one_sentence(change: Callable[[str], str], why: str, tmp_path: Path) -> None:
    run = Run.create("dqn", "great-kingdom", folder=tmp_path, name="hurt")
    path = run.folder / "run.json"
    path.write_text(change(path.read_text()))
    with pytest.raises(RunError) as caught:
        Run.open("hurt", tmp_path)
    assert str(caught.value).startswith(f"{path} is damaged: {why}")
    assert "\n" not in str(caught.value)
    assert runs(tmp_path) == [] and run_names(tmp_path) == ["hurt"]


def test_other_damage_reads_as_nothing(tmp_path: Path) -> None:
    run = Run.create("dqn", "great-kingdom", folder=tmp_path)
    for name in ("status.json", "control.json"):
        (run.folder / name).write_text('{"state": "runn')
    (run.folder / "progress.jsonl").write_text('{"games": 1}\n{"games": 2}\n{"gam')
    assert run.status().state == "stopped"
    assert run.progress() == [{"games": 1}, {"games": 2}]
    assert run.progress(after=1) == [{"games": 2}]


# The inside


@pytest.fixture
def inside(tmp_path: Path) -> Iterator[tuple[Run, Reporter]]:
    """A run whose process is this one."""
    run = Run.create("dqn", "great-kingdom", folder=tmp_path)
    lock = take_lock(run.folder)
    assert lock is not None
    with lock:
        reporter = Reporter(run)
        yield run, reporter
        reporter.close("stopped", "")


class Passing:
    """The reporter's clock, which can be put forward."""

    def __init__(self) -> None:
        self._ahead_s = 0.0

    def monotonic(self) -> float:
        return time.monotonic() + self._ahead_s

    def sleep(self, seconds: float) -> None:
        let_pass(seconds)

    def __call__(self, seconds: float) -> None:
        self._ahead_s += seconds


passing = Passing()


@pytest.fixture(autouse=True)
def _clock_of_the_reporter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tengen.learn.reporter.time", passing)


def heard(reporter: Reporter) -> str:
    """The wish, after the moment for which the last look holds."""
    passing(0.25)
    return reporter.wish()


def test_wishes_are_heard(inside: tuple[Run, Reporter]) -> None:
    run, reporter = inside
    assert reporter.wish() == "run" and reporter.proceed()
    assert run.status().state == "running"
    run.pause()
    assert heard(reporter) == "pause"
    run.resume()
    assert heard(reporter) == "run"
    run.stop()
    assert heard(reporter) == "stop" and not reporter.proceed()
    assert run.status().state == "stopping"


def test_a_brain_is_wanted_until_it_is_saved_and_in_a_pause_too(inside: tuple[Run, Reporter]) -> None:
    run, reporter = inside
    assert not reporter.save_wanted()
    run.save_brain()
    run.pause()
    heard(reporter)
    saved = []

    def save() -> None:
        saved.append(run.status().state)
        reporter.saved("brain_1")
        run.resume()

    assert reporter.proceed(save)
    assert saved == ["starting"] and run.status().brain == "brain_1"
    assert not reporter.save_wanted()


def test_pauses_do_not_count_as_training(inside: tuple[Run, Reporter]) -> None:
    run, reporter = inside
    reporter.proceed()
    run.pause()

    def rest() -> None:
        until(lambda: run.status().state == "paused")
        passing(600)
        run.resume()

    resting = threading.Thread(target=rest)
    resting.start()
    heard(reporter)
    assert reporter.proceed()
    resting.join()
    reporter.state("stopping")
    assert 0.2 < run.status().elapsed_s < 300


def test_reports_are_lines_and_numbers(inside: tuple[Run, Reporter]) -> None:
    run, reporter = inside
    reporter.proceed()
    reporter.report(games=3, loss=0.5, win_rates={"random": 0.75}, elo=12.0, positions=90)
    reporter.report(games=4, loss=math.nan, win_rates={"mcts": 0.25})
    first, second = run.progress()
    assert (first["games"], first["loss"], first["win_rates"]) == (3, 0.5, {"random": 0.75})
    assert first["elo"] == 12.0 and first["positions"] == 90 and first["t_s"] >= 0
    assert "loss" not in second and second["games_per_s"] > 0
    until(lambda: run.status().games == 4)
    status = run.status()
    assert (status.loss, status.elo) == (0.5, 12.0)
    assert status.win_rates == {"random": 0.75, "mcts": 0.25}
    reporter.live([1, 2], ["one", "other"])
    until(lambda: run.status().live == {"actions": [1, 2], "names": ["one", "other"]})
    json.loads((run.folder / "status.json").read_text())


def test_what_was_reported_beyond_a_checkpoint_is_forgotten(inside: tuple[Run, Reporter]) -> None:
    run, reporter = inside
    for games in (1, 2, 3):
        reporter.report(games=games)
    reporter.resumed(2)
    reporter.report(games=3)
    assert [row["games"] for row in run.progress()] == [1, 2, 3]


def test_a_limit_is_a_wish_to_stop(tmp_path: Path) -> None:
    for limits in ({"games": 5}, {"minutes": 0.2}):
        run = Run.create("dqn", "great-kingdom", folder=tmp_path, **limits)
        reporter = Reporter(run)
        assert reporter.proceed()
        passing(6.0)
        reporter.report(games=4)
        left = reporter._now().left_s
        assert left is not None and 0 < left < 12
        assert reporter.time_used == pytest.approx(0.5 if "minutes" in limits else 0, abs=0.1)
        assert reporter.games_left(4) == (1 if "games" in limits else sys.maxsize)
        passing(9.0)
        reporter.report(games=5)
        assert reporter.limit_reached and reporter.wish() == "stop"
        assert reporter.may_learn() == ("games" in limits), "from the last games, but not after the time"
        reporter._write()
        assert run._limited(None, None) == run, (
            "one killed now has not kept all it reached, so the limit holds"
        )
        reporter.ask_stop()
        assert not reporter.may_learn()
        reporter.close("finished", "")
        run = run._limited(None, None)
        assert (run.limit_s, run.limit_games) == (None, None), "goes on without a limit that was reached"
        assert run._limited(None, 7).limit_games == 12, "counted from here"


# Real processes


@pytest.fixture
def tiny(tmp_path: Path) -> Iterator[Run]:
    run = Run.create("dqn", "great-kingdom", {"size": 5}, TINY, tmp_path)
    yield run
    if run.running:
        os.kill(read_status(run.folder).pid or 0, signal.SIGKILL)


def pid_of(run: Run) -> int:
    pid = run.status().pid
    assert pid is not None
    return pid


def test_a_life(tiny: Run, tmp_path: Path) -> None:
    run = tiny.start()
    with pytest.raises(RunError, match="is running already"):
        run.start()
    with pytest.raises(RunError, match="is running: stop it first"):
        run.remove()
    until(lambda: run.status().games >= 2)
    assert run.status().state == "running"
    assert run.status().live is not None

    run.pause()
    until(lambda: run.status().state == "paused")
    paused = run.status().games
    run.save_brain()
    until(lambda: run.status().brain is not None)
    brains = list((tmp_path / "data" / "tengen" / "brains" / "great-kingdom").glob("*.onnx"))
    assert [path.stem for path in brains] == [run.status().brain]
    assert run.status().games == paused
    run.resume()
    until(lambda: run.status().games > paused)

    os.kill(pid_of(run), signal.SIGKILL)
    until(lambda: not run.running)
    status = run.status()
    assert (status.state, status.pid) == ("stopped", None)
    assert "its process was killed" in status.message
    with pytest.raises(RunError, match="is not running"):
        run.pause()

    run = run.start(games=4)
    killed_at = status.games
    status = run.wait(PATIENCE_S)
    assert status.state == "finished" and status.games >= killed_at + 4 > 4
    games = [row["games"] for row in run.progress()]
    assert games == sorted(games), "curves do not go back"
    run.remove()
    assert not run.folder.exists()


def test_signals_and_wishes_stop_it(tiny: Run) -> None:
    run = tiny.start()
    until(lambda: run.status().state == "running")
    run.stop()
    assert run.wait(PATIENCE_S).state == "stopped"
    run = run.start()
    until(lambda: run.status().state == "running")
    os.kill(pid_of(run), signal.SIGTERM)
    status = run.wait(PATIENCE_S)
    assert status.state == "stopped" and status.message.startswith("Training was stopped")


def test_of_two_starts_at_once_one_is_refused(tiny: Run) -> None:
    refused: list[str] = []

    def start() -> None:
        try:
            tiny.start()
        except RunError as error:
            refused.append(str(error))

    threads = [threading.Thread(target=start) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert refused == [f"The training run {tiny.name} is running already."]
    assert tiny.running


def test_what_goes_wrong_is_a_sentence_in_the_status(tmp_path: Path) -> None:
    wrong: dict[str, Any] = TINY | {"nonsense": 1}
    run = Run.create("dqn", "great-kingdom", {"size": 5}, wrong, tmp_path).start()
    status = run.wait(PATIENCE_S)
    assert status.state == "failed"
    assert "nonsense" in status.message and status.message.count(".") == 1
    assert "Traceback" in (run.folder / "log.txt").read_text()


def test_without_pytorch_there_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run.create("dqn", "great-kingdom", {"size": 5}, TINY, tmp_path)
    missing = tmp_path / "missing" / "torch"
    missing.mkdir(parents=True)
    (missing / "__init__.py").write_text("raise ModuleNotFoundError('No module', name='torch')\n")
    monkeypatch.setenv("PYTHONPATH", str(missing.parent))
    status = run.start().wait(PATIENCE_S)
    assert (status.state, status.message) == ("failed", NO_TORCH)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(RunError, match="Training needs PyTorch: pip install"):
        run.start()


def test_a_status_that_is_being_replaced_can_always_be_read(tmp_path: Path) -> None:
    run = Run.create("dqn", "great-kingdom", folder=tmp_path)
    done = threading.Event()

    def write() -> None:
        for number in range(500):
            put(run.folder / "status.json", {"games": number, "message": "x" * 5000})
        done.set()

    thread = threading.Thread(target=write)
    thread.start()
    put(run.folder / "status.json", {"games": 1})
    while not done.is_set():
        assert run.status().games >= 1 or run.status().message
    thread.join()
