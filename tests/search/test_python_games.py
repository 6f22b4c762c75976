"""Search, nets, self-play, batches and the solver on games written in Python."""

from __future__ import annotations

import gc
import math
import signal
import threading
import time
import weakref
from typing import Any, ClassVar

import numpy as np
import pytest

from tengen import Outcome, PythonState, _core
from tengen.arena import Arena
from tengen.batch import NO_ACTION, Batch
from tengen.facets.solving import NotSolvableError
from tengen.game import State
from tengen.players.machine import FlatPlayer, SearchPlayer
from tengen.search import Search, playouts, solve
from tests.contract.tic_tac_toe import TicTacToe
from tests.search.connect_four import ConnectFour, Position, after

TTT = TicTacToe()


def best(state: State, visits: int = 400, **settings: float) -> int:
    search = Search(state, seed=1, **settings)
    search.run(visits=visits)
    return search.report().actions[0].action


@pytest.mark.parametrize(
    ("columns", "wanted"),
    [
        pytest.param("121212", {1}, id="four in a column"),
        pytest.param("445566", {3, 7}, id="four in a row"),
        pytest.param("12131", {1}, id="against four in a column"),
        pytest.param("4455", {3, 6}, id="three in a row, open on both sides"),
    ],
)
def test_wins_are_taken_and_threats_met(columns: str, wanted: set[int]) -> None:
    assert best(after(columns)) + 1 in wanted


def test_wins_and_losses_are_proven() -> None:
    search = Search(TTT.position("XX1/OO1/3"))
    search.run(visits=500)
    report = search.report()
    assert (report.actions[0].action, report.proven) == (2, "win")
    lost = Search(TTT.position("X1X/1O1/X1O", to_move=1))  # two ways to a line
    lost.run(visits=2000)
    assert lost.report().proven == "loss"


def test_a_draw_is_proven_by_the_tree_and_by_the_solver() -> None:
    search = Search(TTT.position("X2/1O1/3"))
    search.run(visits=200_000, seconds=60)
    assert search.report().proven == "draw"
    solution = solve(TTT.start())
    assert (solution.winner, solution.exact, solution.value) == (None, True, 0.0) and len(solution.line) == 9
    state: State = TTT.start()
    for action in solution.line:
        state = state.play(action)
    assert state.outcome == Outcome(None, "full")


@pytest.mark.parametrize("text", ["XX1/OO1/3", "X1O/3/XO1", "3/1X1/3"])
def test_the_solver_agrees_with_plain_minimax(text: str) -> None:
    cells = text.replace("/", "")
    to_move = cells.count("X") - cells.count("O")
    state = TTT.position(text, to_move=to_move)

    def value(at: State) -> int:
        if at.outcome is not None:
            return 0 if at.outcome.winner is None else 1 if at.outcome.winner == 0 else -1
        values = [value(at.play(action)) for action in at.legal_actions()]
        return max(values) if at.to_move == 0 else min(values)

    solution = solve(state)
    expected = value(state)
    assert solution.winner == (None if expected == 0 else 0 if expected == 1 else 1)
    assert solution.value == (0 if expected == 0 else math.inf * expected)


def test_what_the_solver_does_not_solve() -> None:
    with pytest.raises(NotSolvableError, match="too large"):
        solve(ConnectFour().start(), memory_mb=1)

    class Pacing(Position):
        def play(self, action: Any, /) -> Position:
            return super().play(action) if action == 0 else self

    with pytest.raises(NotSolvableError, match="come up again"):
        solve(after("", Pacing))


def test_asking_for_two_threads_is_fine_and_the_seed_decides() -> None:
    reports = []
    for threads in (1, 2):
        search = Search(after("4"), seed=3)
        search.run(visits=300, threads=threads)
        reports.append(search.report())
    assert reports[0] == reports[1] and reports[0].visits == 300
    assert playouts(after("4"), 50, seed=2) == playouts(after("4"), 50, seed=2)


def test_the_tree_follows_the_game() -> None:
    search = Search(after("44"))
    search.run(visits=500)
    kept = search.report().actions[0]
    search.play(kept.action)
    assert search.state == after("44").play(kept.action)
    assert search.report().visits == pytest.approx(kept.visits, abs=2)
    search.run(visits=100)
    with pytest.raises(ValueError, match="column"):
        search.play(99)


def test_two_players_play_to_the_end() -> None:
    """A search against flat Monte Carlo, both of which ask the state alone."""
    players = (SearchPlayer(visits=200, seed=1), FlatPlayer(playouts=70, seed=1))
    state: State = ConnectFour().start()
    while state.outcome is None:
        for action in players[state.to_move].choose(state) or []:
            state = state.play(action)
    assert state.outcome.winner == 0


def test_an_arena_with_two_workers() -> None:
    standings = Arena(ConnectFour(), "mcts:60", "random", workers=2).run(4)
    assert standings.games == 4 and standings.score == 1.0


class Turns(Position):
    """The mover stays until it has placed two stones."""

    __slots__ = ()

    def __init__(self, game: ConnectFour, stones: tuple[int, int], actions: tuple[int, ...]) -> None:
        super().__init__(game, stones, actions)
        self.to_move = len(actions) // 2 % 2
        mover = (len(actions) - 1) // 2 % 2
        from tests.search.connect_four import _has_four

        self.outcome = Outcome(mover, "four") if _has_four(stones[mover]) else None
        if self.outcome is None and len(actions) == 42:
            self.outcome = Outcome(None, "full")


def test_a_mover_who_stays() -> None:
    """Nobody infers the mover from parity: Red has two in a row and wins with two more stones."""
    state = after("1122", Turns)  # Red 1 1, Yellow 2 2
    assert state.to_move == 0
    search = Search(state, seed=1)
    search.run(visits=3000)
    report = search.report()
    assert (report.proven, report.actions[0].action) == ("win", 0)
    batch = Batch(state.game, 3, start=state)
    batch.step([0, 3, 4])
    assert batch.to_move.tolist() == [0, 0, 0]


class Judged(Position):
    __slots__ = ()
    asked: ClassVar[list[int]] = []

    def evaluate(self) -> float:
        self.asked.append(1)
        return 0.9 if self.to_move == 0 else 0.1


def test_an_evaluation_takes_the_place_of_playouts() -> None:
    Judged.asked.clear()
    search = Search(after("", Judged))
    search.run(visits=50)
    assert 0 < len(Judged.asked) <= 50 and search.report().win == pytest.approx(0.9, abs=0.05)
    Judged.asked.clear()
    search = Search(after("", Judged), light_playouts=True)
    search.run(visits=20)
    assert not Judged.asked


class Counting(PythonState):
    """Whoever says three wins; the board is a single cell."""

    said: ClassVar[list[str]] = []

    @property
    def outcome(self) -> Outcome | None:
        return Outcome(1 - self.to_move, "three") if len(self.actions) == 3 else None

    def legal_actions(self) -> list[int]:
        self.said.append("legal")
        return [] if self.outcome else [0, 1]

    def after(self, action: int) -> Counting:
        self.said.append("after")
        return self.moved(self.board)


class Overriding(Counting):
    def play(self, action: Any, /) -> Overriding:
        self.said.append("play")
        return super().play(action)


def test_each_thing_is_asked_once() -> None:
    """Of a `PythonState` the search does not check legality again, unless a game has its own `play`."""
    start = Counting(TTT, bytes(9))
    Counting.said.clear()
    assert playouts(start, 1).actions == 3
    assert Counting.said == ["legal", "after"] * 3 + ["legal"]
    Counting.said.clear()
    playouts(Overriding(TTT, bytes(9)), 1)
    assert Counting.said.count("play") == 3
    search = Search(start)
    Counting.said.clear()
    search.run(visits=50)
    assert Counting.said.count("after") < 50 * 3  # what a simulation comes back to is remembered


# What a game does wrong.


def broken(**methods: Any) -> Position:
    """A state whose methods are replaced from the third stone on."""

    def late(name: str, replaced: Any) -> Any:
        plain = getattr(Position, name)

        def method(self: Position, *given: Any) -> Any:
            return replaced(self, *given) if len(self.actions) >= 2 else plain(self, *given)

        return method

    members = {name: value if name == "evaluate" else late(name, value) for name, value in methods.items()}
    return after("", type("Broken", (Position,), members))


def fail(self: Position, *given: Any) -> Any:
    raise ZeroDivisionError("a mistake in the game")


@pytest.mark.parametrize("name", ["play", "legal_actions", "encode", "evaluate"])
def test_an_exception_in_the_game_comes_out(name: str) -> None:
    state = broken(**{name: fail})
    if name != "encode":
        search = Search(state)
        for _ in range(2):  # and once more: the tree is still whole
            with pytest.raises(ZeroDivisionError, match="a mistake"):
                search.run(visits=1000)
        assert len(search.report().actions) == 7
    if name in ("play", "legal_actions"):
        with pytest.raises(ZeroDivisionError):
            playouts(state, 1)
        with pytest.raises(ZeroDivisionError):
            FlatPlayer(playouts=10).choose(state)
    if name != "evaluate":
        with pytest.raises(ZeroDivisionError):
            drive_net(state, 100)


@pytest.mark.parametrize(
    ("methods", "says"),
    [
        ({"legal_actions": lambda self: [0, 7]}, "gave 7, and actions go from 0 to 6"),
        ({"legal_actions": lambda self: [-1]}, "gave -1"),
        ({"legal_actions": lambda self: [10**30]}, "and actions go from 0 to 6"),
        ({"legal_actions": lambda self: ["a"]}, "gave 'a', which is no action"),
        ({"legal_actions": lambda self: 5}, "gave 5, not a list"),
        ({"legal_actions": lambda self: [1, 1]}, "an action twice"),
        ({"legal_actions": lambda self: []}, "empty, and the game is not over"),
        ({"play": lambda self, action: None}, "gave None"),
        ({"evaluate": lambda self: 2.0}, "gave 2.0, not a chance"),
        ({"evaluate": lambda self: math.nan}, "not a chance"),
    ],
)
def test_bad_answers_are_named(methods: dict[str, Any], says: str) -> None:
    even = {"evaluate": lambda self: 0.5}
    with pytest.raises(ValueError, match=f"connect-four: .*{says}"):
        Search(broken(**(even | methods))).run(visits=1000)
    if "evaluate" not in methods and "twice" not in says:  # playouts look only at what they choose
        with pytest.raises(ValueError, match=f"connect-four: .*{says}"):
            playouts(broken(**methods), 100)


@pytest.mark.parametrize(
    ("outcome", "says"),
    [
        (Outcome(2, "four"), "the winner is 2"),
        (Outcome("Red", "four"), "the winner is 'Red'"),  # type: ignore[arg-type]
        (Outcome(0, "four", (1.0,)), "not a pair"),  # type: ignore[arg-type]
    ],
)
def test_bad_outcomes_are_named(outcome: Outcome, says: str) -> None:
    class Wrong(Position):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            self.outcome = outcome if len(self.actions) == 2 else None

    state = after("", Wrong)
    for work in (
        lambda: Search(state).run(visits=100),
        lambda: drive_net(state, 100),
        lambda: playouts(state, 1),
        lambda: solve(state),
        lambda: Batch(state.game, 1, start=state.play(0)).step([0]),
    ):
        with pytest.raises(ValueError, match=f"connect-four: .*{says}"):
            work()


def test_a_finished_game_with_actions_is_named() -> None:
    class Endless(Position):
        def legal_actions(self) -> list[int]:
            return [0, 1]

    for work in (
        lambda: playouts(after("", Endless), 1),
        lambda: Search(after("", Endless)).run(visits=1000),
    ):
        with pytest.raises(ValueError, match=r"not empty, and the game is over|column is full"):
            work()
    with pytest.raises(ValueError, match="not empty, and the game is over"):
        _core.new_batch(after("1212121", Endless), 1, 0, False, 1).legal(np.empty((1, 7), bool))


def test_what_is_no_state_is_refused() -> None:
    settings = _core.search_settings(after(""))
    for nothing in (object(), 5, "go"):
        with pytest.raises(TypeError, match="A state of a game is needed"):
            _core.new_search(nothing, settings, 0)


# Threads, time and memory.


def test_stop_from_another_thread() -> None:
    search = Search(after(""))
    began = time.monotonic()
    timer = threading.Timer(0.05, search.stop)
    timer.start()
    search.run(seconds=60)
    timer.join()
    assert time.monotonic() - began < 30 and search.report().visits > 0
    search.run(visits=10)  # and it goes on after that


def test_a_budget_of_time_is_kept() -> None:
    search = Search(after(""))
    began = time.monotonic()
    search.run(seconds=0.1)
    assert 0.1 <= time.monotonic() - began < 5


def test_ctrl_c_is_heard() -> None:
    search = Search(after(""))
    timer = threading.Timer(0.05, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        search.run(seconds=60)
    timer.join()
    search.run(visits=10)


def test_searches_in_several_threads_take_turns() -> None:
    """Both end although each could run on for a minute: the lock goes from one to the other."""
    searches = [Search(after("4"), seed=seed) for seed in (1, 2)]
    threads = [threading.Thread(target=search.run, kwargs={"seconds": 60}) for search in searches]
    for thread in threads:
        thread.start()
    while any(search.report().visits < 20 for search in searches):
        pass
    for search in searches:
        search.stop()
    for thread in threads:
        thread.join()
    assert all(search.report().visits >= 20 for search in searches)


def test_nothing_is_left_behind() -> None:
    """Thousands of searches, some that fail: all states are freed, and with them all memory."""
    alive: weakref.WeakSet[Any] = weakref.WeakSet()

    class Counted(Position):
        __slots__ = ("__weakref__", "extra")

        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            alive.add(self)
            if len(self.actions) == 3 and self.actions[-1] == 6:
                raise ZeroDivisionError

    start = after("", Counted)
    for seed in range(2000):
        search = Search(start, seed=seed)
        try:
            search.run(visits=3)
        except ZeroDivisionError:
            continue
    del search
    gc.collect()
    assert set(alive) == {start}


# Nets, self-play, batches.


def drive_net(state: State, simulations: int, gumbel: bool = True) -> Any:
    """A search with a net that finds everything equal."""
    settings = _core.NetSearchSettings()
    settings.gumbel = gumbel
    search = _core.new_net_search(state, settings, 1)
    planes = np.empty((8, *state.encode().shape), np.float32)
    search.begin(simulations, 0.0)
    while not search.finished:
        count = search.collect(8, planes)
        if count:
            policy = np.zeros((count, state.game.action_count), np.float32)
            search.supply(policy, np.zeros(count, np.float32), None)
    return search.report()


@pytest.mark.parametrize("gumbel", [True, False])
def test_a_net_sees_wins(gumbel: bool) -> None:
    report = drive_net(after("121212"), 60, gumbel)
    assert report.moves[0].action == 0 and report.moves[0].winner == 0


def test_a_failed_search_with_a_net_says_so() -> None:
    settings = _core.NetSearchSettings()
    state = broken(play=fail)
    search = _core.new_net_search(state, settings, 1)
    planes = np.empty((1, *state.encode().shape), np.float32)
    search.begin(1000, 0.0)
    with pytest.raises(ZeroDivisionError):
        while True:
            count = search.collect(1, planes)
            search.supply(np.zeros((count, 7), np.float32), np.zeros(count, np.float32), None)
    with pytest.raises(ValueError, match="has failed"):
        search.collect(1, planes)


@pytest.mark.parametrize("state", [TTT.start(), after("")])
def test_self_play(state: State) -> None:
    settings = _core.SelfPlaySettings()
    settings.games, settings.full_simulations, settings.fast_simulations = 4, 8, 4
    pool = _core.new_self_play([state], settings, 5)
    planes = np.empty((pool.capacity, *state.encode().shape), np.float32)
    games: list[Any] = []
    while len(games) < 4:
        count = pool.collect(planes)
        assert planes[:count].min() >= 0 and planes[:count].max() <= 1
        pool.supply(np.zeros((count, state.game.action_count), np.float32), np.zeros(count, np.float32))
        games += pool.take()
    for game in games:
        end: State = state
        for action in game.actions:
            end = end.play(action)
        assert end.outcome is not None and end.outcome.reason == game.reason
        assert game.winner == (-1 if end.outcome.winner is None else end.outcome.winner)
        assert game.planes.shape[1:] == state.encode().shape


def test_batches() -> None:
    batch = Batch(TTT, 50, seed=1, threads=2)
    assert batch.encode().shape == (50, 2, 3, 3) and batch.legal().all()
    with pytest.raises(_core.IllegalAction, match="Game 0 of the batch: That action is not legal here"):
        batch.step(np.full(50, 9))
    while True:
        actions = batch.sample()
        if (actions == NO_ACTION).all():
            break
        batch.step(actions)
    for number, winner in enumerate(batch.winner):
        outcome = batch.state(number).outcome
        assert outcome is not None and winner == (-1 if outcome.winner is None else outcome.winner)
        assert batch.lengths[number] == len(batch.state(number).actions)


def test_threads_share_a_batch_of_a_python_game() -> None:
    batch = Batch(ConnectFour(), 20, seed=1, auto_reset=True)
    made: list[int] = []

    def work() -> None:
        for _ in range(20):
            batch.sample()
            made.append(int(batch.lengths.sum()))
            batch.state(3)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 60
