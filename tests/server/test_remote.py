"""The Python client: addresses, secrets, and a link that heals, against a server that errs on command."""

from __future__ import annotations

import queue
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection
from websockets.sync.server import serve as serve_sockets

import tengen
from benchmarks.serving.processes import Serving
from tengen.match import Match, Occupant, Request, Setup
from tengen.remote import (
    Healed,
    Link,
    Received,
    RemoteError,
    Server,
    Table,
    Trouble,
    keep_secret,
    load_secret,
    read_address,
)
from tengen.remote import address as address_module
from tengen.server import protocol as p

BOT = Path(__file__).parents[2] / "examples" / "bot.py"
TIMEOUT_S = 20.0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("host", ("http://host:7777", None, None)),
        ("host:99", ("http://host:99", None, None)),
        (" 10.0.0.1 ", ("http://10.0.0.1:7777", None, None)),
        ("[::1]:7", ("http://[::1]:7", None, None)),
        ("http://host", ("http://host", None, None)),
        ("HTTPS://go.example/", ("https://go.example", None, None)),
        ("https://go.example/play/a-_9", ("https://go.example", "a-_9", None)),
        ("host:1/join/a#t-_", ("http://host:1", "a", "t-_")),
        ("https://example.org/games/play/a/", ("https://example.org/games", "a", None)),
    ],
)
def test_addresses(text: str, expected: tuple[str, str | None, str | None]) -> None:
    assert tuple(read_address(text)) == expected


@pytest.mark.parametrize("text", ["", "a b", "ftp://host", "http://", "host:99999", "http://[::1"])
def test_what_is_no_address(text: str) -> None:
    with pytest.raises(RemoteError, match="is no address of a server"):
        read_address(text)


def test_secrets_are_kept_for_the_user_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "data" / "servers.json"
    monkeypatch.setattr(address_module, "secrets_path", lambda: path)
    assert load_secret("http://a") is None
    keep_secret("http://a", "one")
    keep_secret("http://b", "two")
    keep_secret("http://a", "three")
    assert (load_secret("http://a"), load_secret("http://b")) == ("three", "two")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["servers.json"]
    path.write_text("[damaged")
    assert load_secret("http://a") is None
    monkeypatch.setattr(address_module, "secrets_path", lambda: Path("/dev/null/nowhere/servers.json"))
    with pytest.raises(RemoteError, match="Cannot keep your seat"):
        keep_secret("http://a", "one")


class Page(BaseHTTPRequestHandler):
    """A web server that has nothing to do with us."""

    def do_GET(self) -> None:
        status, body = (200, b"<html>") if self.path == "/api/server" else (404, b'{"error":"no"}')
        if self.path.startswith("/new/"):
            status, body = 200, b'{"version":"9","protocol":99,"programs":[]}'
        self.send_response(status)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


def test_what_is_no_server_of_ours() -> None:
    with HTTPServer(("127.0.0.1", 0), Page) as other:
        thread = threading.Thread(target=other.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        url = f"http://127.0.0.1:{other.server_port}"
        with pytest.raises(RemoteError, match=f"There is no tengen server at {url}"):
            Server(url).info()
        with pytest.raises(RemoteError, match=f"There is no tengen server at {url}"):
            Server(url).lobby()
        with pytest.raises(RemoteError, match="speaks protocol 99, this tengen 1: update the older one"):
            Server(f"{url}/new").info()
        other.shutdown()
        thread.join()
    with pytest.raises(RemoteError, match=f"Cannot reach {url}: nothing listens there"):
        Server(url).info()


# A server on command


MATCH = "match-on-command"
SETUP = Setup(tengen.game("dominion-duel"), (Occupant(id="a"), Occupant(id="b")))


class Odd:
    """Speaks the protocol by hand: what clients said comes out of `heard`, what to do goes into `told`."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.heard: queue.Queue[p.FromClient] = queue.Queue()
        self.sockets: queue.Queue[ServerConnection] = queue.Queue()
        self.match = Match(SETUP)
        for number, move in enumerate(("5", "2", "8")):
            self.match.apply(Request.move(number % 2, move, 1000 + number))

    def hear(self, kind: type[Any]) -> Any:
        message = self.heard.get(timeout=TIMEOUT_S)
        assert isinstance(message, kind), message
        return message

    def socket(self) -> ServerConnection:
        """The next connection, after its greeting."""
        return self.sockets.get(timeout=TIMEOUT_S)

    def _now(self, number: int) -> p.Now:
        match = Match.replay(SETUP, self.match.events[:number])
        view = p.View("row", 9, 1, _cells(match), match.state.to_move)
        return p.Now(number, match.position, match.phase, view, [], len(match.line), 0, None, None)

    def snapshot(self, number: int) -> bytes:
        seats = (p.SeatInfo("person"), p.SeatInfo("person"))
        info = p.MatchInfo(MATCH, "dominion-duel", {}, p.NoClock(), None, "playing", True, seats, 0)
        line = [
            p.LineMove(e.number, e.seat, e.data["text"], list(e.data["actions"]), e.at_ms)
            for e in self.match.events[:number]
        ]
        return msgspec.json.encode(p.Snapshot(info, [0], line, self._now(number)))

    def update(self, first: int, last: int) -> bytes:
        events = [p.Event(**e.to_json()) for e in self.match.events[first - 1 : last]]
        return msgspec.json.encode(p.Update(MATCH, events, self._now(last)))

    def position(self, number: int) -> str:
        return self.match.events[number - 1].position

    def serve(self, socket: ServerConnection) -> None:
        try:
            for data in socket:
                message: p.FromClient = msgspec.json.decode(data, type=p.FromClient)
                if isinstance(message, p.Hello):
                    socket.send(msgspec.json.encode(p.Welcome(p.PROTOCOL, "0", 0, None)).decode())
                    self.sockets.put(socket)
                else:
                    self.heard.put(message)
        except ConnectionClosed:
            pass


def _cells(match: Match) -> str:
    return "".join(match.game.letters[code] for code in match.state.cells())


def say(socket: ServerConnection, message: bytes | p.Message) -> None:
    data = message if isinstance(message, bytes) else msgspec.json.encode(message)
    socket.send(data.decode())


@contextmanager
def odd_server() -> Iterator[Odd]:
    odd = Odd("")
    with serve_sockets(lambda socket: odd.serve(socket), "127.0.0.1", 0) as server:
        odd.url = f"http://127.0.0.1:{server.socket.getsockname()[1]}"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield odd
        server.shutdown()
        thread.join()


def receive(link: Link, kind: type[Any]) -> Any:
    while isinstance(message := link.receive(TIMEOUT_S), p.Welcome):
        pass
    assert isinstance(message, kind), message
    return message


class Background:
    """Receives in a thread, as the terminal does."""

    def __init__(self, link: Link) -> None:
        self.inbox: queue.Queue[Received | RemoteError] = queue.Queue()
        self._link = link
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        try:
            while (message := self._link.receive()) is not None:
                self.inbox.put(message)
        except RemoteError as error:
            self.inbox.put(error)

    def get(self, kind: type[Any]) -> Any:
        while isinstance(message := self.inbox.get(timeout=TIMEOUT_S), p.Welcome):
            pass
        assert isinstance(message, kind), message
        return message

    def join(self) -> None:
        self._link.close()
        self._thread.join(TIMEOUT_S)
        assert not self._thread.is_alive()


@contextmanager
def linked(odd: Odd) -> Iterator[tuple[Link, Background]]:
    with Link(Server(odd.url, "me")) as link:
        background = Background(link)
        yield link, background
        background.join()


def test_updates_come_once_in_order_and_without_gaps() -> None:
    with odd_server() as odd, linked(odd) as (link, heard):
        link.watch(MATCH)
        socket = odd.socket()
        assert odd.hear(p.Watch) == p.Watch(MATCH)
        say(socket, odd.snapshot(1))
        table = Table(heard.get(p.Snapshot))
        assert table.agrees() and table.state.to_move == 1
        say(socket, odd.update(1, 2))  # event 1 is known
        news = heard.get(p.Update)
        assert [event.number for event in news.events] == [2]
        table.update(news)
        say(socket, odd.update(1, 2))  # all known: told, but nothing new
        assert heard.get(p.Update).events == []
        say(socket, odd.update(1, 1))  # older than what is known
        say(socket, p.Pong(1, 2))
        heard.get(p.Pong)


def test_a_gap_is_asked_for_again() -> None:
    with odd_server() as odd, linked(odd) as (link, heard):
        link.watch(MATCH)
        socket = odd.socket()
        odd.hear(p.Watch)
        say(socket, odd.snapshot(1))
        heard.get(p.Snapshot)
        say(socket, odd.update(3, 3))
        assert odd.hear(p.Watch) == p.Watch(MATCH, 1, odd.position(1))
        say(socket, odd.update(2, 3))
        assert [event.number for event in heard.get(p.Update).events] == [2, 3]


def test_a_lost_connection_heals_and_the_same_request_goes_out_again() -> None:
    with odd_server() as odd, linked(odd) as (link, heard):
        link.watch(MATCH)
        socket = odd.socket()
        odd.hear(p.Watch)
        say(socket, odd.snapshot(2))
        heard.get(p.Snapshot)
        link.ask(MATCH, "move", text="8")
        asked = odd.hear(p.Ask)
        socket.close()
        heard.get(Trouble)
        socket = odd.socket()
        assert odd.hear(p.Watch) == p.Watch(MATCH, 2, odd.position(2))
        assert odd.hear(p.Ask) == asked
        heard.get(Healed)
        say(socket, odd.update(3, 3))
        say(socket, p.Accepted(MATCH, asked.id, 3))
        assert heard.get(p.Update).now.number == 3
        assert heard.get(p.Accepted).id == asked.id
        socket.close()
        heard.get(Trouble)
        odd.socket()
        assert odd.hear(p.Watch).after == 3
        heard.get(Healed)
        assert odd.heard.empty(), "what was answered is not sent again"


def test_what_cannot_be_stored_now_is_sent_again() -> None:
    with odd_server() as odd, linked(odd) as (link, heard):
        link.watch(MATCH)
        socket = odd.socket()
        odd.hear(p.Watch)
        say(socket, odd.snapshot(2))
        heard.get(p.Snapshot)
        link.ask(MATCH, "move", text="8")
        asked = odd.hear(p.Ask)
        for _ in range(2):
            say(socket, p.Refused(MATCH, asked.id, "unavailable", "The disk is full."))
            assert odd.hear(p.Ask) == asked
        assert heard.get(Trouble).message == "The disk is full."
        say(socket, p.Accepted(MATCH, asked.id, 3))
        heard.get(Healed)
        heard.get(p.Accepted)
        link.ask(MATCH, "move", text="1")
        refused = p.Refused(MATCH, odd.hear(p.Ask).id, "illegal", "No.")
        say(socket, refused)
        assert heard.get(p.Refused) == refused


def test_a_server_that_does_not_want_us_back() -> None:
    with odd_server() as odd, linked(odd) as (_, heard):
        say(odd.socket(), p.Closing("You are too old.\x1b[2J", final=True))
        assert str(heard.get(RemoteError)) == "You are too old.?[2J"


def test_closing_ends_a_link_that_cannot_connect() -> None:
    link = Link(Server("http://127.0.0.1:1"))
    assert isinstance(link.receive(1.0), Trouble)
    assert link.receive(0.3) is None, "said once"
    waiting = Background(link)
    waiting.join()


def test_table_follows_takebacks_and_resumption() -> None:
    seats = (p.SeatInfo("person"), p.SeatInfo("person"))
    game = tengen.game("go", size=5)
    info = p.MatchInfo("m", "go", dict(game.options), p.NoClock(), None, "playing", True, seats, 0)
    view = p.View("points", 5, 5, "." * 25, 0)
    now = p.Now(0, "", "playing", view, [], 0, 0, None, None)
    table = Table(p.Snapshot(info, [0], [], now))
    match = Match(Setup(game, agreement=True))
    asked: list[Callable[[], Request]] = [
        lambda: Request.move(0, "C3", 1),
        lambda: Request.move(1, "D4", 2),
        lambda: Request.offer(1, "takeback", 3),
        lambda: Request.answer(0, "takeback", True, 4),
        lambda: Request.move(1, "pass", 5),
        lambda: Request.move(0, "pass", 6),
        lambda: Request.resume(0, 7),
        lambda: Request.move(1, "B2", 8),
    ]
    for make in asked:
        table.follow(p.Event(**match.apply(make()).to_json()))
        assert table.state == match.state
        assert [move.event for move in table.line] == [event.number for event in match.line]
    letters = "".join(game.letters[code] for code in match.state.cells())
    table.now = msgspec.structs.replace(now, view=msgspec.structs.replace(view, cells=letters))
    assert table.agrees()
    table.now = now
    assert not table.agrees()


# The real one


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    folder = tmp_path_factory.mktemp("server")
    serving = Serving(folder, f"sqlite:///{folder / 'tengen.sqlite3'}")
    serving.start()
    yield serving
    serving.stop()


def test_two_links_play_a_game(server: Serving) -> None:
    one, other = Server(server.url), Server(server.url)
    wish = p.NewMatch("dominion-duel", (p.SeatWish("me"), p.SeatWish("open")), {"n": 3}, name="Ann")
    created = one.create(wish)
    assert one.secret is not None and created.you == [0]
    assert created.match in [row.info.id for row in other.lobby().open]
    assert other.join(created.match, name="Bob").you == [1]
    with pytest.raises(RemoteError) as refused:
        Server(server.url).join(created.match)
    assert refused.value.code is not None
    with Link(one) as first, Link(other) as second:
        for link in (first, second):
            link.watch(created.match)
        table = Table(receive(first, p.Snapshot))
        assert receive(second, p.Snapshot).you == [1]
        assert [seat.name for seat in table.info.seats] == ["Ann", "Bob"]
        asked = first.ask(created.match, "move", text="1", position=table.now.position)
        seen: list[object] = []
        while not any(isinstance(message, p.Accepted) for message in seen):
            seen.append(first.receive(TIMEOUT_S))
        assert p.Accepted(created.match, asked, 1) in seen
        while not isinstance(message := second.receive(TIMEOUT_S), p.Update):
            assert message is not None
        second.ask(created.match, "move", text="2")
        while not isinstance(message := second.receive(TIMEOUT_S), p.Refused):
            assert message is not None
        assert message.code == "illegal"
    assert [row.info.id for row in one.my_matches().matches] == [created.match]


def test_cancelling(server: Serving) -> None:
    one = Server(server.url)
    created = one.create(p.NewMatch("go", (p.SeatWish("me"), p.SeatWish("invited")), {"size": 5}))
    assert created.invitation is not None
    with pytest.raises(RemoteError):
        Server(server.url).join(created.match, "no such token")
    one.cancel(created.match)
    with pytest.raises(RemoteError):
        Server(server.url).join(created.match, created.invitation)


@pytest.mark.parametrize("game", [["dominion-duel"], ["go", "--option", "size=5"]])
def test_bots_play_each_other(server: Serving, game: list[str]) -> None:
    command = [sys.executable, str(BOT)]
    first = subprocess.Popen(
        [*command, server.url, "--player", "random", "--second", "--game", *game],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert first.stdout is not None
        link = first.stdout.readline().strip()
        assert link.startswith(f"{server.url}/play/")
        second = subprocess.run(
            [*command, link, "--player", "mcts:20"], capture_output=True, text=True, timeout=60
        )
        out, _ = first.communicate(timeout=30)
    finally:
        first.kill()
        first.wait()
    assert (second.returncode, second.stderr) == (0, "")
    assert out == second.stdout and out.endswith(("(claims)\n", "(score)\n"))
    failed = subprocess.run([*command, link], capture_output=True, text=True, timeout=60)
    assert failed.returncode == 1 and failed.stderr.startswith("bot: ") and failed.stderr.count("\n") == 1
