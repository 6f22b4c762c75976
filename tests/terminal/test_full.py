"""The full screen: whole games of every kind by keyboard and by mouse, and what stands around the board."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from textual.events import Key, Paste
from textual.pilot import Pilot
from textual.screen import Screen as TextualScreen
from textual.widgets import Input, RichLog, Static

import tengen
from tengen import PythonState
from tengen.game import Game, Outcome
from tengen.match import Absolute, Clock, Match, NoClock, Occupant, Setup
from tengen.players.machine import RandomPlayer
from tengen.players.player import Player
from tengen.records import load_tree
from tengen.terminal import saving, start
from tengen.terminal.face import make_face
from tengen.terminal.full.app import FullScreen
from tengen.terminal.full.board import Board, Field
from tengen.terminal.full.layout import Layout
from tengen.terminal.full.local import LocalShow
from tengen.terminal.full.panels import Moves
from tengen.terminal.full.questions import OneOf, Page, YesOrNo
from tengen.terminal.full.stage import Shown
from tengen.terminal.hand import Hand
from tengen.terminal.screen import Screen, now_ms
from tengen.terminal.session import Session
from tests.search.connect_four import ConnectFour

PATIENCE_S = 60.0
SIZE = (100, 34)
Playing = Callable[[FullScreen, Pilot[None]], Awaitable[None]]


def make_session(
    game: Game,
    path: Path,
    players: tuple[Player | None, Player | None] = (None, None),
    clock: Clock | None = None,
    origin: str | None = None,
) -> Session:
    seats = [Occupant(id="here") if one is None else Occupant(one.name, "machine") for one in players]
    agreement = True if game.table.agreement else None
    setup = Setup(
        game,
        (seats[0], seats[1]),
        clock or NoClock(),
        now_ms(),
        None if origin is None else (origin, 0),
        agreement,
    )
    match = Match(setup)
    screen = Screen()
    face = make_face(screen, game, ("", ""), ("", ""))
    words = tuple("person" if one is None else one.name for one in players)
    return Session(match, players, (words[0], words[1]), screen, face, path)


def perform(
    session: Session,
    playing: Playing,
    size: tuple[int, int] = SIZE,
    opened: Callable[[Path], Session] | None = None,
) -> FullScreen:
    """Shows the session to those hands, and takes it away when they are done."""

    def opened_file(path: Path) -> Session:
        house = start.House(screen, 10, 1, session.match.setup.clock)
        return start._opened(path, ("person", "person"), house)

    screen = session.screen
    app = FullScreen(LocalShow.of(session, opened or opened_file, going_on=False))

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await waiting(app, pilot)
            await playing(app, pilot)
            app.action_leave()
            await until(pilot, lambda: not app.is_running)

    asyncio.run(run())
    assert app.error is None
    return app


def app_error(pilot: Pilot[None]) -> BaseException | None:
    assert isinstance(pilot.app, FullScreen)
    return pilot.app.error


async def until(pilot: Pilot[None], true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < deadline and not app_error(pilot), "what was waited for did not happen"
        await pilot.pause(0.005)


async def waiting(app: FullScreen, pilot: Pilot[None]) -> None:
    """Until a person is asked, or the game is over."""
    await until(pilot, lambda: app.asked or (app.picture is not None and app.picture.phase == "over"))


async def click(app: FullScreen, pilot: Pilot[None], name: str) -> None:
    board = app.query_one(Board)
    await until(pilot, lambda: board.size.area > 0)
    assert app.picture is not None
    cell = app.picture.game.table.read_cell(name)
    column, line = board.spot(cell)
    await until(pilot, lambda: board.size.width > column and board.size.height > line)
    assert await pilot.click(Board, offset=(column, line))
    await waiting(app, pilot)


async def press(app: FullScreen, pilot: Pilot[None], name: str) -> None:
    """Brings the cursor there with the arrow keys and presses Enter."""
    board = app.query_one(Board)
    assert app.picture is not None
    game, cell = app.picture.game, app.picture.game.table.read_cell(name)
    down, right = (
        cell // game.width - board.cursor // game.width,
        cell % game.width - board.cursor % game.width,
    )
    keys = ["down" if down > 0 else "up"] * abs(down) + ["right" if right > 0 else "left"] * abs(right)
    await pilot.press(*keys, "enter")
    await waiting(app, pilot)


def said(app: FullScreen) -> str:
    """All sentences, however they were broken."""
    return " ".join(line.text.strip() for line in app.query_one("#said", RichLog).lines)


def shown(app: FullScreen, where: str) -> str:
    return str(app.query_one(where, Static).content)


async def follow(app: FullScreen, pilot: Pilot[None], where: str, done: Callable[[], bool]) -> None:
    """Clicks the first link there, again if what stands above it has moved it from under the pointer."""
    deadline = time.monotonic() + PATIENCE_S
    while not done():
        assert time.monotonic() < deadline, "the link does nothing"
        await pilot.click(where, offset=(2, 0))
        await waiting(app, pilot)


HANDS = pytest.mark.parametrize("hand", [click, press], ids=["mouse", "keyboard"])
Tapping = Callable[[FullScreen, Pilot[None], str], Awaitable[None]]

# Blue's pieces stand before the last two victory tiles.
NEAR = "BBBB2BBBB/BBBB2BBBB/S1S4S1S/4BB4/4BB4/10/1b1b2b1b1/s1s4s1s/bbbbbbbbbb/b1b1bb1b1b"
WHOLE: list[tuple[str, dict[str, int], str | None, str, str]] = [
    ("great-kingdom", {"size": 5}, None, "B1 A1 E4 D5 A2", "Orange has lost a castle"),
    ("dominion-duel", {"n": 9}, None, "2 4 6 8", "draw"),
    ("kelasu", {}, NEAR, "E4 E5 F5 E4 F4 D4 E4 D5 E5", "all four victory tiles"),
]


@HANDS
@pytest.mark.parametrize(("name", "options", "origin", "cells", "end"), WHOLE, ids=[row[0] for row in WHOLE])
def test_a_whole_game(
    hand: Tapping,
    name: str,
    options: dict[str, int],
    origin: str | None,
    cells: str,
    end: str,
    tmp_path: Path,
) -> None:
    session = make_session(tengen.game(name, **options), tmp_path / "kept.json", origin=origin)

    async def play(app: FullScreen, pilot: Pilot[None]) -> None:
        for cell in cells.split():
            await hand(app, pilot, cell)
        assert session.match.phase == "over"
        assert end in shown(app, "#words")

    perform(session, play)
    assert not (tmp_path / "kept.json").exists()


WALLS = "B1 C1 B2 C2 B3 C3 B4 C4 B5 C5"


async def keys(app: FullScreen, pilot: Pilot[None], *names: str) -> None:
    for name in names:
        await pilot.press(name)
        await waiting(app, pilot)


async def sure(app: FullScreen, pilot: Pilot[None], *names: str, answer: str = "enter") -> None:
    """Keys whose orders stand in the line until they are confirmed."""
    for name in names:
        await pilot.press(name)
        assert isinstance(app.focused, Input)
        await pilot.press(answer)
        assert isinstance(app.focused, Board)
        await waiting(app, pilot)


async def order(app: FullScreen, pilot: Pilot[None], line: str) -> None:
    app.action_type(line)
    await pilot.press("enter")
    await waiting(app, pilot)


def test_a_move_is_typed_on_the_board(tmp_path: Path) -> None:
    """After a first cell a whole other move is taken, as in the line interface."""
    session = make_session(tengen.game("kelasu"), tmp_path / "kept.json")

    async def play(app: FullScreen, pilot: Pilot[None]) -> None:
        assert "Press /" in app.query_one("#order", Input).placeholder
        for line in ("b1", "B8-C8"):
            await pilot.press(*({"-": "minus"}.get(letter, letter) for letter in line), "enter")
            await waiting(app, pilot)
        assert [event.data["text"] for event in session.match.line] == ["B8-C8"]
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(app.screen, Page))  # keys stay keys

    perform(session, play)


def test_a_move_that_comes_at_once_is_read_whole(tmp_path: Path) -> None:
    """Typed fast, over a slow line or pasted: no letter is lost, and Enter belongs to the line."""
    session = make_session(tengen.game("go", size=9), tmp_path / "kept.json")

    def played(count: int) -> bool:
        return len(session.match.line) == count

    async def play(app: FullScreen, pilot: Pilot[None]) -> None:
        app.query_one(Board).cursor = 40
        for count, line in enumerate(("C3", "/d4", ":e5"), start=1):
            for letter in line:
                app.post_message(Key({"/": "slash", ":": "colon"}.get(letter, letter), letter))
            app.post_message(Key("enter", "\r"))
            await until(pilot, partial(played, count))
            await waiting(app, pilot)
        app.post_message(Paste("F6"))
        app.post_message(Key("enter", "\r"))
        await until(pilot, partial(played, 4))
        await waiting(app, pilot)
        assert [event.data["text"] for event in session.match.line] == ["C3", "D4", "E5", "F6"]
        assert isinstance(app.focused, Board)

    perform(session, play)


def test_a_digit_behind_a_key_makes_a_move_of_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The columns G, H and J are typed as the others are, though g, h and j are keys."""
    monkeypatch.setattr("tengen.terminal.advice.hint", lambda *_: "Try C3.")
    session = make_session(tengen.game("go", size=9), tmp_path / "kept.json")

    def played(count: int) -> bool:
        return len(session.match.line) == count

    async def play(app: FullScreen, pilot: Pilot[None]) -> None:
        for count, line in enumerate(("g7", "h5", "j3"), start=1):
            await pilot.press(*line, "enter")
            await until(pilot, partial(played, count))
            await waiting(app, pilot)
        assert [event.data["text"] for event in session.match.line] == ["G7", "H5", "J3"]
        assert shown(app, "#graph") == "g  win graph"

    perform(session, play)
    duel = make_session(tengen.game("dominion-duel"), tmp_path / "duel.json")

    async def claim(app: FullScreen, pilot: Pilot[None]) -> None:
        await pilot.press("g", "5", "enter")
        await until(pilot, lambda: [event.data["text"] for event in duel.match.line] == ["5"])

    perform(duel, claim)


def test_a_name_that_comes_close_behind_s_is_read_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    session = make_session(tengen.game("go", size=9), tmp_path / "kept.json")

    async def play(app: FullScreen, pilot: Pilot[None]) -> None:
        for letter in "sgo.sgf":
            app.post_message(Key({".": "full_stop"}.get(letter, letter), letter))
        app.post_message(Key("enter", "\r"))
        await until(pilot, lambda: "Saved to go.sgf." in said(app))

    perform(session, play)
    assert (tmp_path / "go.sgf").exists()


def test_the_agreement_of_go(tmp_path: Path) -> None:
    session = make_session(tengen.game("go", size=5), tmp_path / "kept.json")

    async def play(app: FullScreen, pilot: Pilot[None]) -> None:
        for cell in WALLS.split():
            await order(app, pilot, cell)
        await sure(app, pilot, "p")
        await click(app, pilot, "A3")
        await sure(app, pilot, "p", "p")
        assert session.match.phase == "agreement"
        await until(pilot, lambda: "White: 15.5" in shown(app, "#words"))
        await press(app, pilot, "A3")
        assert session.match.marking is not None and not session.match.marking.dead
        await keys(app, pilot, "x")
        assert session.match.events[-1].kind == "resume", "x plays on"
        await sure(app, pilot, "p", "p")
        assert session.match.marking is not None
        if not session.match.marking.dead:
            await click(app, pilot, "A3")
        await sure(app, pilot, "a", "a")
        await until(pilot, lambda: "White wins by 10.5" in shown(app, "#words"))

    perform(session, play)


def test_variations_are_kept_looked_at_played_on_and_saved(tmp_path: Path) -> None:
    session = make_session(tengen.game("go", size=5), tmp_path / "kept.json")
    saved = tmp_path / "game.sgf"

    async def play(app: FullScreen, pilot: Pilot[None]) -> None:
        for cell in ("C3", "B2"):
            await click(app, pilot, cell)
        await sure(app, pilot, "u")
        await click(app, pilot, "D4")
        moves = app.query_one(Moves)
        await until(pilot, lambda: [node.move for node in moves.nodes] == ["C3", "D4", "B2"])
        app._view(moves.nodes[2])
        assert app.viewed.move == "B2" and session.match.line[-1].data["text"] == "D4"
        await click(app, pilot, "E5")
        assert "t plays on from here" in said(app) and len(session.match.line) == 2
        await keys(app, pilot, "t")
        assert [event.data["text"] for event in session.match.line] == ["C3", "B2"]
        await click(app, pilot, "E5")
        await keys(app, pilot, "comma", "comma", "home")
        assert app.viewed.move is None
        await keys(app, pilot, "end")
        assert app.viewed.move == "E5"
        await order(app, pilot, f"save {saved}")

    perform(session, play)
    tree = load_tree(saved)
    assert [node.move for node in tree.main_line()[1:]] == ["C3", "B2", "E5"]
    assert [node.move for node in tree.main_line()[1].children] == ["B2", "D4"]
    kept = saving.load(tmp_path / "kept.json")
    assert sorted(line[-1][1] for line in kept.tried.lines()) == ["D4", "E5"]


def test_a_file_is_opened_replayed_and_played_on_from_an_earlier_position(tmp_path: Path) -> None:
    (tmp_path / "old.sgf").write_text("(;GM[1]FF[4]SZ[5];B[cc](;W[bb];B[dd])(;W[dd]))")
    session = make_session(tengen.game("dominion-duel", n=3), tmp_path / "kept.json")

    async def play(app: FullScreen, pilot: Pilot[None]) -> None:
        for cell in ("1", "3"):
            await click(app, pilot, cell)
        assert session.match.phase == "over"
        await keys(app, pilot, "comma", "t")
        await until(pilot, lambda: session.match.phase == "playing")
        await until(pilot, lambda: app.asked)
        await order(app, pilot, f"open {tmp_path / 'nothing.sgf'}")
        await until(pilot, lambda: "Cannot read" in said(app))
        await order(app, pilot, "open ~nobody-of-that-name/old.sgf")
        await until(pilot, lambda: "there is no user of that name" in said(app))
        app.action_type(f"open {tmp_path / 'old.sgf'}")
        await pilot.press("enter")
        await until(pilot, lambda: app.picture is not None and app.picture.game.name == "go" and app.asked)
        moves = app.query_one(Moves)
        await until(pilot, lambda: [node.move for node in moves.nodes] == ["C3", "B4", "D2", "D2"])
        await keys(app, pilot, "comma", "comma", "t")
        await click(app, pilot, "E5")
        assert app.picture is not None and app.picture.tried.here.move == "E5"

    perform(session, play)


def test_a_smaller_board_is_opened(tmp_path: Path) -> None:
    """The cursor stood on a cell that it does not have."""
    (tmp_path / "small.sgf").write_text("(;GM[1]FF[4]SZ[5];B[cc])")
    session = make_session(tengen.game("kelasu"), tmp_path / "kept.json")

    async def play(app: FullScreen, pilot: Pilot[None]) -> None:
        app.action_type(f"open {tmp_path / 'small.sgf'}")
        await pilot.press("enter")
        await until(pilot, lambda: app.picture is not None and app.picture.game.name == "go" and app.asked)
        await click(app, pilot, "E5")
        assert app.picture is not None and app.picture.tried.here.move == "E5"

    assert perform(session, play).return_code == 0


def test_what_can_be_opened_is_listed_and_a_game_that_cannot_go_on_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two games that were left in the same minute are two, and one had a program that is gone."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    other = make_session(tengen.game("go", size=5), tmp_path)
    for name in ("one", "two"):
        path = saving.folder() / f"{name}.json"
        saving.keep(path, other.match, ("person", "gtp:no-such-program"), other.all_tried)
        os.utime(path, (0, 0))
    session = make_session(tengen.game("dominion-duel"), tmp_path / "kept.json")

    def no_folder(self: Path) -> list[Path]:
        raise PermissionError(13, "Permission denied")

    async def play(app: FullScreen, pilot: Pilot[None]) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(Path, "iterdir", no_folder)
            offers = app.current.offers()
        assert sorted(offers.values()) == sorted(
            str(saving.folder() / f"{name}.json") for name in ("one", "two")
        )
        app._open(str(saving.folder() / "one.json"))
        await until(pilot, lambda: "no-such-program" in said(app))
        await click(app, pilot, "1")
        assert len(session.match.line) == 1

    def opened(path: Path) -> Session:
        return start._kept(saving.load(path), start.House(screen, 10, 1, NoClock()))

    screen = session.screen
    perform(session, play, opened=opened)


def test_hint_graph_help_moves_and_resignation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tengen.terminal.advice.HINT_SECONDS", 0.01)
    monkeypatch.setattr("tengen.terminal.full.app.GRAPH_SECONDS", 0.01)
    session = make_session(tengen.game("great-kingdom", size=5), tmp_path / "kept.json")

    async def play(app: FullScreen, pilot: Pilot[None]) -> None:
        await click(app, pilot, "B2")
        await keys(app, pilot, "h")
        await until(pilot, lambda: "Try " in said(app))
        await keys(app, pilot, "g")
        await until(pilot, lambda: "Blue " in shown(app, "#graph") and "%" in shown(app, "#graph"))
        log = app.query_one("#said", RichLog)
        await until(pilot, lambda: log.max_scroll_y == log.scroll_offset.y)
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(app.screen, Page))
        await pilot.press("escape")
        await pilot.press("m")
        await until(pilot, lambda: isinstance(app.screen, OneOf))
        await pilot.press("enter")
        await until(pilot, lambda: len(session.match.line) == 2)
        assert session.match.line[-1].data["text"] == "pass", "what has no cell stands first"
        await until(pilot, lambda: len(shown(app, "#graph").splitlines()[-1]) == 3)  # it follows the game
        await keys(app, pilot, "g")
        await until(pilot, lambda: shown(app, "#graph") == "g  win graph")
        await waiting(app, pilot)
        for answer in ("n", "y"):
            await pilot.press("r")
            await until(pilot, lambda: isinstance(app.screen, YesOrNo))
            await pilot.press(answer)
            await until(pilot, lambda: not isinstance(app.screen, YesOrNo))
            await waiting(app, pilot)
            assert session.match.phase == ("over" if answer == "y" else "playing")
        await until(pilot, lambda: "resigns" in shown(app, "#words"))

    perform(session, play)


def test_a_single_key_with_consequences_asks(tmp_path: Path) -> None:
    """`d`, `p`, `a` and `u` are as easily typed by mistake, and `d4` is a move and no offer of a draw."""
    session = make_session(tengen.game("great-kingdom", size=5), tmp_path / "kept.json")

    async def play(app: FullScreen, pilot: Pilot[None]) -> None:
        await sure(app, pilot, "d", "p", "u", answer="escape")
        assert not session.match.events, "nothing of that was wanted"
        for letter in ("d", "4", "enter"):  # at once, as a fast hand or a paste by keys has them
            app.post_message(Key(letter, letter if len(letter) == 1 else None))
        await until(pilot, lambda: len(session.match.line) == 1)
        await waiting(app, pilot)
        assert session.match.line[0].data["text"] == "D4" and session.match.offer is None
        await sure(app, pilot, "p")
        assert session.match.line[-1].data["text"] == "pass"
        await sure(app, pilot, "u")
        assert len(session.match.line) == 1

    perform(session, play)


LOST = "Until move 2 Orange's castles could be saved: "


def test_where_it_was_lost_is_said_after_the_end(tmp_path: Path) -> None:
    session = make_session(tengen.game("great-kingdom", size=5), tmp_path / "kept.json")

    async def play(app: FullScreen, pilot: Pilot[None]) -> None:
        await keys(app, pilot, "w")
        assert not session.match.events, "there is nothing to say yet"
        for cell in ("B1", "A1", "E4", "D5", "A2"):
            await click(app, pilot, cell)
        await until(pilot, lambda: app._thread is None)
        await pilot.press("w")
        await until(pilot, lambda: said(app).count(LOST) == 1 and app._thread is None)
        await order(app, pilot, "why")
        await until(pilot, lambda: said(app).count(LOST) == 2 and app._thread is None)
        await keys(app, pilot, "comma", "t")
        await until(pilot, lambda: session.match.phase == "playing" and len(session.match.line) == 4)

    perform(session, play)


def test_a_merge_by_its_link_and_by_taps(tmp_path: Path) -> None:
    session = make_session(tengen.game("kelasu"), tmp_path / "kept.json", origin=MERGE)

    async def play(app: FullScreen, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: "=W" in shown(app, "#others"))
        await follow(app, pilot, "#others", lambda: bool(session.pending))
        await click(app, pilot, "C4")
        await click(app, pilot, "C3")
        await until(pilot, lambda: bool(session.match.line))
        assert session.match.line[-1].data["text"] == "=W C3+C4>C4"

    perform(session, play)


MERGE = "BBBB2BBBB/BBBB2BBBB/S1SBB2S1S/10/10/10/1b1b2b1b1/s1s4s1s/bbbbbbbbbb/b1b1bb1b1b"


def test_against_a_machine_on_a_clock(tmp_path: Path) -> None:
    players = (None, RandomPlayer(seed=1))
    session = make_session(tengen.game("go", size=5), tmp_path / "kept.json", players, Absolute(3_600_000))

    async def play(app: FullScreen, pilot: Pilot[None]) -> None:
        await click(app, pilot, "C3")
        await until(pilot, lambda: len(session.match.line) == 2)
        await until(pilot, lambda: "Black  59:5" in shown(app, "#players"))

    perform(session, play)
    assert (tmp_path / "kept.json").exists(), "a game that was left is kept"


def test_the_flag_falls_while_a_person_thinks(tmp_path: Path) -> None:
    session = make_session(tengen.game("go", size=5), tmp_path / "kept.json", clock=Absolute(1500))

    async def play(app: FullScreen, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: "has run out of time" in shown(app, "#words"))

    perform(session, play)


def test_a_strangers_game_by_taps(tmp_path: Path) -> None:
    """Drops are tapped where they land; what one cell means in several ways is asked."""
    session = make_session(ConnectFour(), tmp_path / "kept.json")

    async def play(app: FullScreen, pilot: Pilot[None]) -> None:
        for cell in ["A1", "B1", "A2", "B2", "A3", "B3"]:
            await click(app, pilot, cell)
        await click(app, pilot, "E6")
        assert "No move begins there." in said(app)
        await press(app, pilot, "A4")
        await until(pilot, lambda: "(four)" in shown(app, "#words"))

    perform(session, play)


class Heaps(PythonState):
    """Take any number of stones from one heap: an action is the heap times 3 plus how many, less one."""

    @property
    def outcome(self) -> Outcome | None:
        return None if any(self.board) else Outcome(1 - self.to_move, "last-stone")

    def legal_actions(self) -> list[int]:
        return [heap * 3 + take for heap, stones in enumerate(self.board) for take in range(stones)]

    def after(self, action: int) -> Heaps:
        heap, take = divmod(action, 3)
        left = [stones - take - 1 if at == heap else stones for at, stones in enumerate(self.board)]
        return self.moved(bytes(left))


class Nim(Game):
    name, title, seats, reasons, letters = "nim", "Nim", ("First", "Second"), ("last-stone",), ".abc"
    width, height, action_count = 3, 1, 9

    def start(self) -> Heaps:
        return Heaps(self, bytes([3, 2, 1]))

    def action_name(self, action: int) -> str:
        return f"{'ABC'[action // 3]}{action % 3 + 1}"


def test_a_tap_that_means_several_moves_asks() -> None:
    start = Nim().start()
    taps = Hand(start.game)
    assert taps.tap(start, start, 0).choices == ("A1", "A2", "A3")
    assert taps.tap(start, start, 2).orders == ("C1",)


def test_resizing_folds_and_hides(tmp_path: Path) -> None:
    session = make_session(tengen.game("dominion-duel", n=21), tmp_path / "kept.json")

    async def play(app: FullScreen, pilot: Pilot[None]) -> None:
        await pilot.resize_terminal(60, 20)
        board = app.query_one(Board)
        await until(pilot, lambda: board.spot(20)[1] >= 6)
        await click(app, pilot, "20")
        assert session.match.line[-1].data["text"] == "20"
        await pilot.resize_terminal(30, 12)
        await until(pilot, lambda: not app.query_one("#side").display)
        await pilot.resize_terminal(*SIZE)
        await until(pilot, lambda: bool(app.query_one("#side").display))

    perform(session, play)


def test_a_board_without_room_follows_the_cursor(tmp_path: Path) -> None:
    session = make_session(tengen.game("go"), tmp_path / "kept.json")

    async def play(app: FullScreen, pilot: Pilot[None]) -> None:
        board, field = app.query_one(Board), app.query_one(Field)

        def in_sight() -> bool:
            column, line = board.spot(board.cursor)
            return field.content_region.contains(board.region.x + column, board.region.y + line)

        await pilot.resize_terminal(30, 12)
        await until(pilot, lambda: field.size.height < 12 and in_sight())
        for key in ("up", "right", "down", "left"):
            for _ in range(9):
                await pilot.press(key)
            await until(pilot, in_sight)

    perform(session, play)


@pytest.mark.parametrize("name", tengen.games())
def test_a_pointer_finds_every_cell(name: str) -> None:
    game = tengen.game(name)
    layout = Layout.of(game, game.start(), Screen(), None, 60)
    for cell, (line, column) in enumerate(layout.spots):
        assert layout.cell_at(line, column) == cell
        assert layout.lines[line].plain[column] != " "
    assert layout.cell_at(99, 0) is None


@pytest.mark.parametrize(("key", "question"), [("m", OneOf), ("r", YesOrNo), ("question_mark", Page)])
def test_a_question_that_is_answered_twice_at_once_is_answered_once(
    tmp_path: Path, key: str, question: type[TextualScreen[object]]
) -> None:
    session = make_session(tengen.game("kelasu"), tmp_path / "kept.json")

    async def play(app: FullScreen, pilot: Pilot[None]) -> None:
        await pilot.press(key)
        await until(pilot, lambda: isinstance(app.screen, question))
        asked = app.screen
        for _ in range(3):
            asked.dismiss(False if question is YesOrNo else None)
        await until(pilot, lambda: not isinstance(app.screen, question))
        await waiting(app, pilot)
        await click(app, pilot, "B1")
        await click(app, pilot, "C1")
        assert [event.data["text"] for event in session.match.line] == ["B1-C1"]

    assert perform(session, play).return_code == 0


def test_what_is_said_stays_in_sight(tmp_path: Path) -> None:
    """In the smallest usual window, where a count of Go has the most to say."""
    session = make_session(tengen.game("go", size=5), tmp_path / "kept.json")

    async def play(app: FullScreen, pilot: Pilot[None]) -> None:
        await click(app, pilot, "C3")
        await sure(app, pilot, "p", "p")
        words, side = app.query_one("#words", Static), app.query_one("#side")
        await until(pilot, lambda: "Counted so" in shown(app, "#words"))
        await until(pilot, lambda: words.size.height >= 7)
        assert words.virtual_size.height == words.size.height, "nothing of it is cut off"
        for part in side.children:
            assert part.region.bottom <= side.region.bottom, part.id

    perform(session, play, size=(80, 24))


def test_a_sentence_that_was_said_before_there_was_a_scrollbar_is_not_cut(tmp_path: Path) -> None:
    session = make_session(tengen.game("dominion-duel"), tmp_path / "kept.json")

    async def play(app: FullScreen, pilot: Pilot[None]) -> None:
        log = app.query_one("#said", RichLog)
        app._say("x" * 600)  # fills its lines to the last column
        await until(pilot, lambda: log.show_vertical_scrollbar)
        longest = max(line.cell_length for line in log.lines)
        assert longest <= log.scrollable_content_region.width

    perform(session, play)


def test_keys_of_a_game_that_is_over(tmp_path: Path) -> None:
    session = make_session(tengen.game("dominion-duel", n=1), tmp_path / "kept.json")

    async def play(app: FullScreen, pilot: Pilot[None]) -> None:
        assert {"m", "r", "h", "u"} <= app.active_bindings.keys()
        await click(app, pilot, "1")
        assert session.match.phase == "over"
        await until(pilot, lambda: "w" in app.active_bindings)
        assert not {"m", "r", "h", "u", "p", "a", "x"} & app.active_bindings.keys()
        for key in ("u", "R", "5"):
            app.query_one("#said", RichLog).clear()
            await pilot.press(key)
            await until(pilot, lambda: "The game is over: w says why" in said(app))
            assert isinstance(app.focused, Board), "no line is begun, which would swallow the next key"

    perform(session, play)


def test_no_help_is_offered_where_there_is_none(tmp_path: Path) -> None:
    """Against other people, on a server."""
    session = make_session(tengen.game("dominion-duel"), tmp_path / "kept.json")

    async def play(app: FullScreen, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: {"h", "g"} <= app.active_bindings.keys())
        assert app.picture is not None
        app.on_shown(Shown(replace(app.picture, helps=False)))
        await until(pilot, lambda: not {"h", "g"} & app.active_bindings.keys())
        await until(pilot, lambda: not shown(app, "#graph"))

    perform(session, play)
