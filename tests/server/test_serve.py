"""`tengen`, `tengen serve` and `tengen backup` as a person runs them: real processes, signals, exit codes."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from benchmarks.serving.processes import free_port
from tengen.server.serve import bind
from tengen.server.store.schema import VERSION_TABLE
from tests.server.process import TIMEOUT_S, get, post, running
from tests.terminal.helpers import run
from tests.waiting import until

DUEL = {"game": "dominion-duel", "options": {"n": 9}, "seats": [{"kind": "me"}, {"kind": "me"}]}


STOPPING = [getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def not_ignored(number: int) -> Iterator[None]:
    """A process ignores what the one that started it ignores: under nohup the end of its terminal."""
    before = signal.getsignal(number)
    if before is signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)
    try:
        yield
    finally:
        if before is signal.SIG_IGN:
            signal.signal(number, before)


@pytest.mark.parametrize("number", STOPPING)
def test_a_server_stops_gracefully_and_goes_on_later(tmp_path: Path, number: int) -> None:
    with not_ignored(number), running(tmp_path, "serve", "--port", "0") as server:
        url = server.url()
        made = post(f"{url}api/matches", DUEL).json()
        with connect(f"{url.replace('http', 'ws')}api/socket", proxy=None) as opened:
            opened.send(json.dumps({"type": "hello", "protocol": 1, "secret": made["secret"]}))
            opened.send(json.dumps({"type": "watch", "match": made["match"]}))
            ask = {"type": "ask", "match": made["match"], "id": "a", "kind": "move", "text": "5", "seat": 0}
            opened.send(json.dumps(ask))
            while json.loads(opened.recv(TIMEOUT_S))["type"] != "accepted":
                pass
            begun = time.monotonic()
            code = server.stop(number)
            heard = []
            with pytest.raises(ConnectionClosed):
                while True:
                    heard.append(json.loads(opened.recv(TIMEOUT_S)))
        assert code == 0 and time.monotonic() - begun < 10
        assert heard[-1]["type"] == "closing" and not heard[-1]["final"]
        assert "Traceback" not in server.err and made["secret"] not in server.err + server.out
    with running(tmp_path, "serve", "--port", "0") as again:
        found = get(f"{again.url()}api/matches/{made['match']}").json()
        assert found["now"]["number"] == 1 and found["match"]["status"] == "playing"
        assert again.stop() == 0


def test_a_second_interrupt_does_not_wait(tmp_path: Path) -> None:
    with running(tmp_path, "serve", "--port", "0") as server:
        url = server.url()
        place = {"game": "go", "options": {"size": 9}, "moves": [[cell] for cell in range(0, 80, 2)]}
        with httpx.stream(
            "POST",
            f"{url}api/review",
            json={"place": place, "visits": 2000},
            trust_env=False,
            verify=False,
            timeout=TIMEOUT_S,
        ) as answer:
            next(answer.iter_lines())
            server.process.send_signal(signal.SIGINT)
            server.expect("Stopping")
            server.process.send_signal(signal.SIGINT)
            begun = time.monotonic()
            assert server.process.wait(TIMEOUT_S) == 130
            assert time.monotonic() - begun < 10, "the review takes minutes"
        assert "Traceback" not in server.err


def test_hosting_prints_addresses(tmp_path: Path) -> None:
    with running(tmp_path, "serve", "--host", "0.0.0.0", "--port", "0", "--log", "json") as server:
        url = server.url()
        assert url.startswith("http://127.0.0.1:")
        shared = get(f"{url}api/server").json()["addresses"]
        for address in shared:
            assert f"\n  {address}\n" in server.out and "127.0.0.1" not in address
        assert server.stop() == 0
        lines = [json.loads(line) for line in server.err.splitlines()]
        assert [line["message"] for line in lines] == ["GET /api/server", "Stopping"]
        assert lines[0]["status"] == 200 and lines[0]["request"]


def test_a_terminal_gets_a_code_for_phones(tmp_path: Path) -> None:
    pytest.importorskip("pty")
    from tengen.server import addresses
    from tests.terminal.helpers import Terminal

    if not addresses.to_share("0.0.0.0", 80):
        pytest.skip("this machine has no address to share")
    with Terminal(tmp_path, "serve", "--host", "0.0.0.0", "--port", "0") as terminal:
        terminal.expect("Stop it with Ctrl-C.")
        assert "phone's camera" in terminal.text and "▀" in terminal.text + "▄"
        assert terminal.text.count("█") > 50


# What keeps it from starting


def refused(home: Path, *words: str) -> str:
    """The sentence with which it does not start."""
    ran = run(home, *words)
    assert ran.code == 2, ran
    assert ran.out == "" and "Traceback" not in ran.err
    lines = ran.err.strip().splitlines()
    assert len(lines) == 1 and lines[0].startswith("tengen: ") and lines[0][-1] in ".?", ran.err
    return lines[0]


def test_a_port_in_use(tmp_path: Path) -> None:
    with bind("127.0.0.1", 0) as taken:
        port = str(taken.getsockname()[1])
        assert f"Port {port} is in use" in refused(tmp_path, "serve", "--port", port)


def test_an_address_of_somebody_else(tmp_path: Path) -> None:
    assert "no address of this machine" in refused(tmp_path, "serve", "--host", "203.0.113.9", "--port", "0")


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    refused(tmp_path, "serve", "--port", "0", "--database-url", f"sqlite:///{tmp_path}/file/x.sqlite3")
    (tmp_path / "data").write_text("")
    refused(tmp_path, "serve", "--port", "0")


def test_postgresql_that_is_not_there(tmp_path: Path) -> None:
    said = refused(tmp_path, "serve", "--port", "0", "--database-url", "postgresql://u:pass@127.0.0.1:1/none")
    assert "cannot be reached" in said and "pass" not in said


def test_a_database_of_a_newer_version(tmp_path: Path) -> None:
    file = tmp_path / "x.sqlite3"
    words = ("serve", "--port", "0", "--database-url", f"sqlite:///{file}")
    with running(tmp_path, *words) as server:
        server.url()
        assert server.stop() == 0
    with closing(sqlite3.connect(file)) as database, database:
        database.execute(f"UPDATE {VERSION_TABLE} SET version_num = 'from-the-future'")
    assert "newer" in refused(tmp_path, *words)


def test_an_option_that_makes_no_sense(tmp_path: Path) -> None:
    assert "--program" in refused(tmp_path, "serve", "--port", "0", "--program", "gnugo")


# Bare tengen


@pytest.fixture
def browser(tmp_path: Path) -> dict[str, str]:
    """A browser that writes down what it was asked to open."""
    script = tmp_path / "browser"
    script.write_text(f'#!/bin/sh\necho "$1" >> {tmp_path}/opened\n')
    script.chmod(0o755)
    return {"BROWSER": str(script)}


def opened(home: Path, count: int) -> list[str]:
    """The addresses that the browser was opened with, as soon as there are that many."""
    file = home / "opened"

    def lines() -> list[str]:
        return file.read_text().splitlines() if file.exists() else []

    until(lambda: len(lines()) >= count)
    return lines()


def test_bare_tengen_opens_the_browser_once_it_listens(tmp_path: Path, browser: dict[str, str]) -> None:
    port = str(free_port())
    with running(tmp_path, files=0, **{"TENGEN_GAME_PORT": port, **browser}) as first:
        url = first.url()
        assert url == f"http://127.0.0.1:{port}/"
        assert opened(tmp_path, 1)[0].startswith(f"{url}enter/")
        page = get(url)
        assert page.status_code == 200 and "text/html" in page.headers["content-type"]
        assert (tmp_path / "data" / "tengen" / "tengen.sqlite3").exists()
        second = run(tmp_path, env={"TENGEN_GAME_PORT": port, **browser})
        assert second.code == 0 and "runs already" in second.out and url in second.out
        key = tmp_path / "data" / "tengen" / f"lab-{port}.key"
        assert key.stat().st_mode & 0o077 == 0
        assert not get(f"{url}api/server").json()["lab"], "others on this machine"
        for address in opened(tmp_path, 2):
            with httpx.Client(trust_env=False, follow_redirects=True) as mine:
                assert mine.get(address).status_code == 200
                assert mine.get(f"{url}api/server").json()["lab"]
        assert len(set(opened(tmp_path, 2))) == 2
        assert first.stop(signal.SIGINT) == 0
        assert first.err == "" and not key.exists()


def test_bare_tengen_without_a_browser_says_where_it_is(tmp_path: Path) -> None:
    with running(tmp_path, TENGEN_GAME_PORT=str(free_port())) as server:
        url = server.url()
        assert "Open that address in a browser." in server.out
        assert get(f"{url}healthz").text == "alive\n"
        assert server.stop() == 0


def test_bare_tengen_does_not_take_another_program_for_itself(tmp_path: Path) -> None:
    with bind("127.0.0.1", 0) as taken:
        ran = run(tmp_path, env={"TENGEN_GAME_PORT": str(taken.getsockname()[1])})
    assert ran.code == 2 and "in use by another program" in ran.err and ran.out == ""


def test_help_is_light(tmp_path: Path) -> None:
    program = (
        "import sys\nfrom tengen.cli import app\n"
        "try:\n    app(['--help'], prog_name='tengen')\nexcept SystemExit:\n    pass\n"
        "print(*sorted(sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=TIMEOUT_S)
    helped, _, loaded = ran.stdout.rpartition("\n_")
    assert "serve" in helped and "Without a command" in helped
    heavy = {"starlette", "uvicorn", "sqlalchemy", "msgspec", "numpy", "tengen.server"}
    assert not heavy & set(loaded.split())


# Back-up


def test_a_backup_while_the_server_runs(tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite3"
    with running(tmp_path, "serve", "--port", "0") as server:
        url = server.url()
        made = post(f"{url}api/matches", DUEL).json()
        ran = run(tmp_path, "backup", str(copy))
        assert ran.code == 0, ran.err
        assert refused(tmp_path, "backup", str(copy)).endswith("give another name.")
        assert post(f"{url}api/matches", DUEL, made["secret"]).status_code == 201
        assert server.stop() == 0
    words = ("serve", "--port", "0", "--database-url", f"sqlite:///{copy}")
    with running(tmp_path, *words) as restored:
        assert get(f"{restored.url()}api/matches/{made['match']}").status_code == 200
        assert restored.stop() == 0


def test_a_backup_of_nothing(tmp_path: Path) -> None:
    assert "no database" in refused(tmp_path, "backup", str(tmp_path / "copy"))
    refused(tmp_path, "backup", "x", "--database-url", "postgresql://127.0.0.1/x")
    assert not list((tmp_path / "data" / "tengen").iterdir())
