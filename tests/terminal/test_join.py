"""`tengen join` against a real server: two terminals, pipes, spectators, a server that dies."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.serving.processes import Serving
from tengen.remote import Link, Server
from tengen.server.protocol import (
    PROTOCOL,
    Absolute,
    ByoYomi,
    NewMatch,
    Now,
    Reading,
    SeatInfo,
    SeatWish,
    ServerInfo,
    Snapshot,
    View,
)
from tengen.terminal import clocks, join, times
from tengen.terminal.full.app import FullScreen
from tengen.terminal.full.remote import RemoteShow
from tengen.terminal.full.stage import Stage
from tengen.terminal.reach import for_others
from tengen.terminal.screen import Screen
from tengen.terminal.telling import called
from tests.terminal import test_full as full
from tests.terminal.helpers import Terminal, run


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    folder = tmp_path_factory.mktemp("server")
    serving = Serving(folder, f"sqlite:///{folder / 'tengen.sqlite3'}")
    serving.start()
    yield serving
    serving.stop()


def make(server: Serving, home: Path, game: str, *answers: str) -> tuple[Terminal, str]:
    """A terminal that has made a match for two in the lobby, and the link for the other."""
    terminal = Terminal(home, "join", f"127.0.0.1:{server.port}", "--name", "Ann")
    terminal.expect("Enter to look again: ")
    terminal.send("n")
    terminal.expect("Number: ")
    terminal.send(game)
    for answer in answers:
        terminal.expect(": " if answer[:1] not in "yn" or not answer else "[y/N] ")
        terminal.send(answer)
    terminal.expect("Waiting for somebody to join. This is the link:\n")
    terminal.expect("That link works on this computer alone.")  # it is to 127.0.0.1
    terminal.expect("tengen serve --host 0.0.0.0\n")
    terminal.expect("> ")
    found = re.search(r"the link:\n(\S+)\n", terminal.text)
    assert found is not None
    return terminal, found[1]


@pytest.mark.parametrize(
    ("url", "addresses", "link", "warned"),
    [
        ("http://127.0.0.1:7777", [], "http://127.0.0.1:7777/join/x#y", True),
        ("http://localhost:7777", ["http://192.168.0.2:7777/"], "http://192.168.0.2:7777/join/x#y", False),
        ("http://192.168.0.9:7777", [], "http://192.168.0.9:7777/join/x#y", False),
    ],
)
def test_a_link_has_an_address_that_others_reach(
    url: str, addresses: list[str], link: str, warned: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Server(url)
    monkeypatch.setattr(server, "info", lambda: ServerInfo("0.1.0", PROTOCOL, [], addresses))
    found, warning = for_others(server, f"{url}/join/x#y")
    assert found == link and bool(warning) is warned


@pytest.mark.parametrize(
    ("seat", "name"),
    [
        (SeatInfo("machine", "", "level:3"), "level 3"),
        (SeatInfo("machine", "", "brain:latest"), "Neural net"),
        (SeatInfo("machine", "", "brain:default@256"), "Neural net, 256 simulations"),
        (SeatInfo("machine", "", "brain:mine@2s"), "Neural net mine, 2 s a move"),
        (SeatInfo("person", "Ann"), "Ann"),
        (SeatInfo("person"), "a guest"),
        (SeatInfo("open"), "nobody yet"),
    ],
)
def test_what_players_are_called(seat: SeatInfo, name: str) -> None:
    assert called(seat) == name


def folders(tmp_path: Path) -> tuple[Path, Path]:
    for name in ("ann", "bob"):
        (tmp_path / name).mkdir()
    return tmp_path / "ann", tmp_path / "bob"


def test_two_terminals_play_with_clocks_offers_and_a_rematch(server: Serving, tmp_path: Path) -> None:
    home_a, home_b = folders(tmp_path)
    ann, link = make(server, home_a, "great-kingdom", "", "n", "n", "10+5")
    with ann, Terminal(home_b, "join", link, "--name", "Bob") as bob:
        bob.expect("Great Kingdom 9x9: Blue is Ann, Orange is you. Type help for the commands.")
        bob.expect("Clocks: Blue 10:00, Orange 10:00.")
        bob.expect("Blue to move.")
        ann.expect("Bob sits down as Orange.")
        ann.expect("Blue> ")
        ann.expect("[ 9:5")  # the clock ticks in the prompt
        ann.expect(" 10:00] Blue> ")
        ann.send("b1")
        ann.expect("Blue plays B1.")
        bob.expect("Blue plays B1.")
        bob.expect("Orange> ")
        bob.send("b1", "draw")
        bob.expect("There is a castle on that cell already.")
        ann.expect("Orange offers a draw: accept or decline.")
        ann.send("no")
        bob.expect("Blue declines the draw.")
        bob.send("hint")
        bob.expect("There are no hints in games against other people.")
        bob.send("a1")
        ann.expect("Orange plays A1.")
        ann.send("e4")
        bob.expect("Blue plays E4.")
        bob.send("undo")
        ann.expect("Orange asks to take a move back: accept or decline.")
        ann.send("accept")
        bob.expect("A move is taken back. Orange moves again.")
        bob.send("a1")
        ann.expect("Orange plays A1.")
        with Terminal(tmp_path, "join", link.partition("#")[0].replace("join", "play")) as watcher:
            watcher.expect("Blue is Ann, Orange is Bob, 2 moves made.")
            watcher.expect("You are watching.")
            watcher.expect("> ")
            watcher.send("d4")
            watcher.expect("You are only watching.")
            ann.send("A 2")
            watcher.expect("Blue wins: Orange has lost a castle.")
            assert watcher.wait() == 0
        for terminal in (ann, bob):
            terminal.expect("Blue wins: Orange has lost a castle.")
            terminal.expect("Type rematch to play again, save FILE to keep the game, or quit.")
        bob.send("why")
        bob.expect("Until move 2 Orange's castles could be saved: ")
        ann.send("save game.json")
        ann.expect("Saved to game.json.")
        ann.send("rematch")
        bob.expect("Blue would like a rematch: accept or decline.")
        bob.send("yes")
        ann.expect("Great Kingdom 9x9: Blue is Bob, Orange is you.")
        bob.expect("Great Kingdom 9x9: Blue is you, Orange is Ann.")
        bob.expect("Blue> ")
        bob.send("resign")
        bob.expect("Give the game up?")
        bob.send("yes")
        ann.expect("Orange wins: Blue resigns.")
        for terminal in (ann, bob):
            terminal.expect("or quit.")
            terminal.send("quit")
            assert terminal.wait() == 0
    assert "B1" in (home_a / "game.json").read_text()


def test_go_with_agreement_over_a_lost_connection(tmp_path: Path) -> None:
    home_a, home_b = folders(tmp_path)
    server = Serving(tmp_path, f"sqlite:///{tmp_path / 'tengen.sqlite3'}")
    server.start()
    try:
        ann, link = make(server, home_a, "go", "5", "", "y", "n", "")
        with ann, Terminal(home_b, "join", link) as bob:
            ann.expect("a guest sits down as White.")
            bob.expect("Black to move.")
            ann.send("c3")
            bob.expect("Black plays C3.")
            bob.expect("White> ")
            bob.send("b3")
            ann.expect("White plays B3.")
            server.kill()
            for terminal in (ann, bob):
                terminal.expect("trying again.")
            ann.send("pass")
            server.start()
            for terminal in (ann, bob):
                terminal.expect("All is well again.")
                terminal.expect("Black passes.")
            bob.expect("White> ")
            bob.send("pass")
            ann.expect("Play has stopped.")
            ann.expect("Black> ")
            ann.send("accept the marks", "dead b3")
            ann.expect("Black: 24 (territory 24, lost 0)")
            bob.expect("White: 5.5 (territory 0, lost 1, komi 6.5)")
            bob.send("resume")
            ann.expect("Play goes on. Black moves.")
            ann.send("pass")
            bob.expect("Black passes.")
            bob.send("pass")
            bob.expect("Play has stopped.")
            ann.expect("Play has stopped.")
            bob.send("accept")
            ann.expect("White agrees.")
            ann.send("dead b3")
            ann.expect("Counted so, Black wins by 18.5.")
            bob.expect("Black marks B3 as dead: both have to agree again.")
            bob.expect("Black: 24")
            ann.send("accept")
            bob.expect("Black agrees.")
            bob.send("accept")
            for terminal in (ann, bob):
                terminal.expect("Black wins by 18.5, 24 to 5.5.")
            bob.key("D")  # at once; it waits for the prompt
            ann.expect("or quit.")
            ann.expect("Black> ")
            ann.key("D")
            for terminal in (ann, bob):
                assert terminal.wait() == 0
    finally:
        server.stop()


def test_kelasu_by_stages_and_leaving_and_coming_back(server: Serving, tmp_path: Path) -> None:
    home_a, home_b = folders(tmp_path)
    ann, link = make(server, home_a, "kelasu", "", "n", "y", "")
    with ann, Terminal(home_b, "join", "--plain", link) as bob:
        bob.expect("Blue> ")
        bob.send("b1-c1; b3")
        bob.expect("Blue plays B1-C1.")
        bob.expect("B3 can go to C3. Where to?")
        bob.send("undo")
        bob.expect("That move is forgotten.")
        bob.send("b3 c3")
        ann.expect("Blue plays B3-C3.")
        ann.send("i1-h1")
        ann.expect("It is the turn of Blue.")
        bob.expect("Blue has energy 2.")
        bob.interrupt()
        assert bob.wait() == 130
        assert f"The match goes on: tengen join {link} comes back to it." in bob.text.replace("\n", " ")
    again = run(home_b, "join", link, "--plain", lines=["score", "resign", "y", "quit"])
    assert "2 moves made" in again.out and "Blue: 4 stones, 20 other pieces" in again.out
    assert again.out.count("Red wins: Blue resigns.") == 1 and again.code == 0, again
    secrets = home_b / "data" / "tengen" / "servers.json"
    assert secrets.stat().st_mode & 0o777 == 0o600


def test_a_pipe_plays_a_machine_from_the_lobby(server: Serving, tmp_path: Path) -> None:
    lines = ["n", "dominion-duel", "1", "n", "", "help", "5", "link", "resign", "y", "hint", "quit"]
    ran = run(tmp_path, "join", server.url, lines=lines)
    assert "Welcome to Dominion Duel!\nPlayer 2 (O) is Level 1, " in ran.out
    assert "You have claimed territory 5." in ran.out
    assert re.search(r"Player 2 has claimed territory \d", ran.out), "lines wait for their turn"
    assert "not against other people" in ran.out and f"{server.url}/play/" in ran.out
    assert "Player 2 wins: Player 1 resigns." in ran.out and ran.code == 0
    ran = run(tmp_path, "join", server.url, lines=["x", "99", "", "q"])
    assert ran.out.count("n  new match") == 4 and ran.code == 0


def test_hot_seat_of_somebody_else_s_making(server: Serving, tmp_path: Path) -> None:
    owner = Server(server.url)
    created = owner.create(NewMatch("dominion-duel", (SeatWish("me"), SeatWish("me")), {"n": 4}))
    data = tmp_path / "data" / "tengen"
    data.mkdir(parents=True)
    (data / "servers.json").write_text(f'{{"{server.url}": {{"secret": "{owner.secret}"}}}}')
    ran = run(tmp_path, "join", f"{server.url}/play/{created.match}", lines=["1", "3", "quit"])
    assert "Draw: both players claimed the same number of territories." in ran.out


def test_wrong_requests(server: Serving, tmp_path: Path) -> None:
    owner = Server(server.url)
    taken = owner.create(NewMatch("go", (SeatWish("me"), SeatWish("machine", "level:1")), {"size": 5}))
    for args, sentence in (
        (("127.0.0.1:1",), "tengen: Cannot reach http://127.0.0.1:1: nothing listens there."),
        (("nowhere at all",), "tengen: 'nowhere at all' is no address of a server"),
        ((f"{server.url}/play/{'a' * 16}",), f"tengen: There is no match {'a' * 16} at {server.url}."),
        ((f"{server.url}/join/{taken.match}#token",), "tengen: "),
        ((f"{server.url}/nowhere",), f"tengen: There is no tengen server at {server.url}/nowhere."),
    ):
        ran = run(tmp_path, "join", *args)
        assert ran.err.startswith(sentence) and ran.err.count("\n") == 1, ran
        assert (ran.out, ran.code) == ("", 2), args


def test_clocks_in_words() -> None:
    view = View("points", 1, 1, ".", 0)
    readings = (Reading(95_000, 5_000, 3, 30_000), Reading(61_000, 0, 3, 1_000))
    now = Now(1, "", "playing", view, [], 0, 1000, 0, readings)
    clock = ByoYomi(600_000, 3, 30_000)
    told = clocks.tell(clock, now, ("Black", "White"), 1000)
    assert told == "Clocks: Black 0:05 and 3 periods, White 0:01 of 3 periods left."
    told = clocks.tell(clock, now, ("Black", "White"), 41_000)
    assert told == "Clocks: Black 0:25 of 2 periods left, White 0:01 of 3 periods left."
    assert [times.time(ms) for ms in (1, 3_600_000, 90_000_000, 86_400_000)] == [
        "0:01",
        "1:00:00",
        "1 day 1 h",
        "1 day",
    ]


def test_time_runs_out(server: Serving, tmp_path: Path) -> None:
    home_a, home_b = folders(tmp_path)
    ann, link = make(server, home_a, "dominion-duel", "", "n", "n", "0.05")
    with ann, Terminal(home_b, "join", link) as bob:
        for terminal in (ann, bob):
            terminal.expect("Player 2 wins: Player 1 has run out of time.")


def test_watching_needs_no_seat(server: Serving, tmp_path: Path) -> None:
    owner = Server(server.url)
    created = owner.create(NewMatch("dominion-duel", (SeatWish("me"), SeatWish("open"))))
    with Terminal(tmp_path, "join", "--watch", f"{server.url}/play/{created.match}") as terminal:
        terminal.expect("You are watching.")
        terminal.expect("> ")
        owner.cancel(created.match)
        terminal.expect("The match was called off.")
        assert terminal.wait() == 0
    with Link(owner) as link:
        link.watch(created.match)
        while not isinstance(message := link.receive(20), Snapshot):
            assert message is not None
    assert message.match.status == "cancelled" and message.match.seats[1].kind == "open"


def test_a_match_full_screen(server: Serving, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("tengen.terminal.advice.why", lambda *_: "It was lost early.")
    there = Server(f"http://127.0.0.1:{server.port}", None)
    seats = (SeatWish("me"), SeatWish("machine", "level:1"))
    made = there.create(NewMatch("dominion-duel", seats, {"n": 5}, Absolute(3_600_000)))
    there = Server(there.url, made.secret)
    stage = Stage(Screen())
    app = FullScreen(RemoteShow(stage, lambda: join._stay(there, stage, join.Place(made.match))))

    async def run() -> None:
        async with app.run_test(size=(100, 30)) as pilot:
            await full.waiting(app, pilot)
            await full.until(pilot, lambda: "you" in full.shown(app, "#players"))
            await full.until(pilot, lambda: "59:5" in full.shown(app, "#players"))
            while app.picture is None or app.picture.phase != "over":
                await full.until(pilot, lambda: app.asked)
                picture = app.picture
                assert picture is not None
                if picture.phase == "playing" and picture.whole.to_move == 0:
                    await full.click(app, pilot, str(picture.whole.legal_actions()[0] + 1))
                await pilot.pause(0.01)
            await full.until(pilot, lambda: bool(full.shown(app, "#words")) and app.asked)
            await pilot.press("w")
            await full.until(pilot, lambda: "It was lost early." in full.said(app))
            app.action_leave()
            await full.until(pilot, lambda: not app.is_running)

    asyncio.run(run())
    assert app.error is None and app.picture is not None and app.picture.ended


def test_an_offer_is_answered_by_its_key_on_the_full_screen(
    server: Serving, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It changes nothing on the board, and yet there is something to answer now."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    there, other = Server(f"http://127.0.0.1:{server.port}"), Server(f"http://127.0.0.1:{server.port}")
    made = there.create(NewMatch("dominion-duel", (SeatWish("me"), SeatWish("open"))))
    joined = other.join(made.match, name="Bob")
    there, other = Server(there.url, made.secret), Server(there.url, joined.secret)
    stage = Stage(Screen())
    app = FullScreen(RemoteShow(stage, lambda: join._stay(there, stage, join.Place(made.match))))

    async def run() -> None:
        with Link(other) as bob:
            bob.watch(made.match)
            while not isinstance(message := bob.receive(20), Snapshot):
                assert message is not None
            async with app.run_test(size=(100, 30)) as pilot:
                await full.waiting(app, pilot)
                await full.until(pilot, lambda: app.picture is not None and app.picture.phase == "playing")
                bob.ask(made.match, "offer", seat=1, what="draw")
                await full.until(pilot, lambda: "x" in app.active_bindings)
                await pilot.press("x")
                await full.until(pilot, lambda: "declines the draw" in full.said(app))
                await full.until(pilot, lambda: "x" not in app.active_bindings)
                app.action_leave()
                await full.until(pilot, lambda: not app.is_running)

    asyncio.run(run())
    assert app.error is None
