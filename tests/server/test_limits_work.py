"""What is asked for is bounded before it is done, and paid for by who asks."""

from __future__ import annotations

import asyncio
import gc
import gzip
import logging
import stat
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tengen.records import Node, Record
from tengen.server import protocol as p
from tengen.server import serve
from tengen.server.errors import LONGEST, Refusal
from tengen.server.http import replies, studies
from tengen.server.http.api_study import MAX_ACTIONS, MAX_ORIGIN
from tengen.server.http.heavy import MOST_ASKED, SLOTS, Heavy
from tengen.server.limits import Limits, Rate, TooMany
from tengen.server.logs import JsonForm, TextForm
from tengen.server.matches.engines import SHORTEST_S
from tengen.server.protocol import Study, StudyNode
from tengen.server.pulse import memory_bytes
from tengen.server.store.backup import back_up
from tengen.server.store.store import Store
from tests.server.live import live
from tests.server.table import table
from tests.waiting import next_turn, soon

LEAST_READ_S = 0.01
LETTERS = "abcdefghijklmnopqrs"
POINTS = [a + b for a in LETTERS for b in LETTERS]
GO = {"game": "go", "options": {"size": 9}}


# Studies


@pytest.mark.parametrize(
    ("head", "again", "times", "why"),
    [
        ("", ";", 20_000, "nodes"),
        ("", ";B[];W[]", 10_000, "nodes"),
        ("AB", "[aa]", 500_000, "values"),
        ("", ";PL[B]B[aa]", 100_000, "nodes"),
        ("", ";AE[aa]B[bb]AW[cc]", 60_000, "nodes"),
        ("", ";AE[aa]B[bb]AW[cc]", 7000, "moves"),
        ("RU[Japanese]", ";B[]", 3500, "moves"),
    ],
)
def test_files_with_too_much_in_them_are_refused_soon(head: str, again: str, times: int, why: str) -> None:
    """Beside a tenth of the same, so that it makes no difference how busy the machine is."""

    def read(times: int) -> float:
        begun = time.thread_time()
        with suppress(Refusal):
            studies.read_study(f"(;GM[1]SZ[19]{head}{again * times})")
        return time.thread_time() - begun

    with pytest.raises(Refusal, match=f"more than [0-9]+ {why}"):
        studies.read_study(f"(;GM[1]SZ[19]{head}{again * times})")
    assert read(times) < 100 * max(read(times // 10), LEAST_READ_S)


LONGEST_S = 0.15  # in one call of a library, for which all other threads wait


def longest_call(work: Callable[[], object]) -> float:
    """The most processor time between two calls or returns."""
    worst, last = 0.0, time.thread_time()

    def noted(*_: object) -> None:
        nonlocal worst, last
        now = time.thread_time()
        worst, last = max(worst, now - last), now

    sys.setprofile(noted)
    try:
        work()
    except Refusal:
        pass
    finally:
        sys.setprofile(None)
    return worst


@pytest.mark.parametrize(
    "body",
    [
        "C[" + "\\\n" * 900_000 + "]",
        "C[" + "\\]" * 19_000 + "a" * 1_500_000 + "]",
        "GN[" + "\n" * 900_000 + "]",
        "AB[" + "aa:" * 600_000 + "]",
        ";B[aa];W[]" * 180_000,
        "X[a]" * 450_000,
    ],
    ids=["escapes", "few escapes", "lines", "points", "moves", "values"],
)
def test_no_file_keeps_other_threads_waiting(body: str) -> None:
    text = f"(;GM[1]SZ[19]{body})"
    assert min(longest_call(lambda: studies.read_study(text)) for _ in range(2)) < LONGEST_S


def test_the_longest_file_is_read_soon() -> None:
    begun = time.thread_time()
    study = studies.read_study("(;GM[1]SZ[19];B[aa]" + ";C[x]" * (studies.MAX_NODES - 1) + ")")
    assert len(study.nodes) == 2 and len(study.nodes[1].comment) == 2 * studies.MAX_NODES - 3
    assert time.thread_time() - begun < 5


def test_going_on_after_the_end_many_times_is_cut_short() -> None:
    line = "".join(f";B[{point}];W[]" for point in POINTS[:300])
    begun = time.thread_time()
    study = studies.read_study(f"(;GM[1]SZ[19]RU[Chinese]{line};B[];W[]" + "(;B[ss])" * 3000 + ")")
    assert any("too often" in node.comment for node in study.nodes)
    assert sum(node.text == "T1" for node in study.nodes) > 100
    assert time.thread_time() - begun < 5


def test_a_study_counts_its_cells() -> None:
    nodes = [StudyNode(None), *(StudyNode(0, actions=[0]) for _ in range(4000))]
    with pytest.raises(Refusal, match="more than 3000 moves"):
        studies.write_study(Study("dominion-duel", {"n": 1000}, nodes), "json")
    with pytest.raises(Refusal, match="more than 8000 moves"):
        studies.write_study(Study("go", {"size": 9}, [StudyNode(None)] + nodes[1:] * 3), "sgf")


def test_a_record_that_is_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    text = studies.write_study(studies.read_study("(;GM[1]SZ[9];B[aa];W[bb];B[cc])"), "json")
    assert len(Record.from_json(text).moves) == 3
    monkeypatch.setattr(studies, "MAX_NODES", 2)
    with pytest.raises(Refusal, match="more than 3 moves"):
        studies.read_study(text)


def test_the_disk_is_not_filled_by_one_address(tmp_path: Path) -> None:
    with live(tmp_path) as server:
        someone, study = server.client(), {"text": "(;SZ[9]C[%s])" % ("x" * 400)}
        size = len(someone.post("/api/studies", json=study).content)
        server.service.limits = Limits({"stored": Rate(burst=2 * size + size // 2, per_second=0.001)})
        answers = [someone.post("/api/studies", json=study) for _ in "1234"]
        assert [answer.status_code for answer in answers] == [201, 201, 429, 429]
        assert int(answers[2].headers["retry-after"]) > 100
        assert someone.get(answers[1].headers["location"]).json() == answers[1].json()


# Jobs beside the event loop


@pytest.mark.anyio
async def test_an_address_computes_one_thing_at_a_time() -> None:
    heavy, going, free = Heavy(), threading.Semaphore(0), threading.Event()
    running: list[str] = []

    def job(name: str) -> str:
        running.append(name)
        going.release()
        assert free.wait(10)
        return name

    jobs = [asyncio.create_task(heavy.run("1.1.1.1", job, f"one {n}")) for n in range(MOST_ASKED)]
    await next_turn()
    with pytest.raises(TooMany):
        await heavy.run("1.1.1.1", job, "one too many")
    jobs.append(asyncio.create_task(heavy.run("2.2.2.2", job, "other")))
    for _ in range(SLOTS):
        assert await asyncio.to_thread(going.acquire, timeout=10)
    assert sorted(running) == ["one 0", "other"]
    free.set()
    assert await asyncio.gather(*jobs) == [*(f"one {n}" for n in range(MOST_ASKED)), "other"]
    assert not heavy._turns


@pytest.mark.anyio
async def test_what_a_job_raises_comes_back() -> None:
    with pytest.raises(ZeroDivisionError):
        await Heavy().run("1.1.1.1", lambda: 1 // 0)


def test_a_stop_does_not_wait_for_a_job() -> None:
    free, begun = threading.Event(), threading.Event()

    def job() -> None:
        begun.set()
        free.wait(60)

    async def leave() -> None:
        task = asyncio.create_task(Heavy().run("1.1.1.1", job))
        await soon(begun.is_set)
        task.cancel()

    started = time.monotonic()
    try:
        asyncio.run(leave())
        assert time.monotonic() - started < 30
    finally:
        free.set()
        for thread in threading.enumerate():
            if thread.name == "tengen heavy":
                assert thread.daemon
                thread.join(10)


def test_what_a_stop_cuts_off_is_told_and_is_no_traceback(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    free, begun = threading.Event(), threading.Event()

    def read(source: str, number: int) -> Study:
        begun.set()
        free.wait(60)
        raise Refusal("malformed", "nobody hears this")

    monkeypatch.setattr(studies, "read_study", read)
    monkeypatch.setattr(serve, "STOP_S", 0.1)
    with ThreadPoolExecutor(1) as threads:
        with live(tmp_path) as server:
            asked = threads.submit(server.client().post, "/api/studies", json={"text": "(;GM[1])"})
            assert begun.wait(30)
            server.server.should_exit = True
            answer = asked.result(30)
        free.set()
    assert answer.status_code == 503 and answer.json()["code"] == "unavailable"
    assert not [record for record in caplog.records if record.exc_info]


def test_large_answers_are_not_compressed_on_the_event_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    used: list[str] = []
    compress = gzip.compress

    def noted(*args: Any, **more: Any) -> bytes:
        used.append(threading.current_thread().name)
        return compress(*args, **more)

    with live(tmp_path) as server:
        someone = server.client()
        seats = [{"kind": "me"}, {"kind": "me"}]
        match = someone.post("/api/matches", json={"game": "go", "seats": seats}).json()["match"]
        monkeypatch.setattr(gzip, "compress", noted)
        monkeypatch.setattr(replies, "MIN_GZIP_BYTES", 1)
        made = someone.post("/api/studies", json={"text": "(;SZ[9];B[ee])"})
        assert someone.get(made.headers["location"]).json() == made.json()
        assert someone.post("/api/studies/export", json=made.json()).status_code == 200
        assert someone.get(f"/api/matches/{match}/record").status_code == 200
        assert someone.get(f"/api/matches/{match}/study").status_code == 200
    assert used == ["tengen heavy"] * 5


# The search


@pytest.mark.anyio
async def test_analyses_are_kept_under_a_short_name(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        place = p.Place("go", {"size": 9, "komi": 6.5}, ("/".join(["9"] * 9) + " " * 100_000, 0))
        other = p.Place("go", {"komi": 6.5, "size": 9}, place.origin)
        found = await hub.engines.analyse(place, SHORTEST_S, "k")
        assert await hub.engines.analyse(other, SHORTEST_S, "k") is found
        assert [len(name) for name in hub.engines._kept] == [32]


def test_places_larger_than_any_game_are_refused(tmp_path: Path) -> None:
    origin = "/".join(["9"] * 9)
    padded = origin + " " * (MAX_ORIGIN - len(origin))
    with live(tmp_path) as server:
        someone = server.client()

        def code(where: str, **place: Any) -> int:
            more: Any = {"/api/analysis": {"seconds": 0.05}, "/api/review": {"visits": 1}}.get(where)
            body = {**GO, **place}
            return someone.post(where, json=body if more is None else {"place": body, **more}).status_code

        for where in ("/api/line", "/api/analysis", "/api/review"):
            assert code(where, origin=[padded, 0]) == 200
            assert code(where, origin=[padded + " ", 0]) == 400
            assert code(where, moves=[[0] * (MAX_ACTIONS + 1)]) == 400
            assert code(where, moves=[[]] * (MAX_ACTIONS + 1)) == 400


def test_search_is_paid_for(tmp_path: Path) -> None:
    with live(tmp_path) as server:
        someone = server.client()
        server.service.limits = Limits({"engine": Rate(burst=2.5 * SHORTEST_S, per_second=1e-6)})
        wish = {"place": GO, "seconds": 1e-9}
        assert [someone.post("/api/analysis", json=wish).status_code for _ in "123"] == [200, 200, 429]

        server.service.limits = Limits({"engine": Rate(burst=1.01, per_second=1e-6)})
        wish = {"place": {**GO, "moves": [[40], [20]]}, "visits": 200}
        answer = someone.post("/api/review", json=wish)
        assert answer.status_code == 200 and len(answer.text.splitlines()) == 2
        assert server.service.limits._tokens("engine", "127.0.0.1") < 0
        assert someone.post("/api/review", json=wish).status_code == 429


def test_debts_are_paid_back() -> None:
    now = 0.0
    limits = Limits({"engine": Rate(burst=10, per_second=1)}, clock=lambda: now)
    limits.charge("engine", "1.1.1.1", 15)
    with pytest.raises(TooMany) as refused:
        limits.take("engine", "1.1.1.1", 1)
    assert refused.value.wait_s == pytest.approx(6)
    now = 6.0
    limits.take("engine", "1.1.1.1", 1)
    limits.take("engine", "2.2.2.2", 10)


# What comes back to whoever sent it, and to who runs the server


def test_logs_hold_nothing_that_a_terminal_obeys() -> None:
    record = logging.LogRecord("x", 20, "", 0, "GET %s", ("/api/\x1b[2J\x07\x7f\x9b\u202e\ud800é",), None)
    assert TextForm().format(record).endswith("GET /api/\\x1b[2J\\x07\\x7f\\x9b\\u202e\\ud800é")
    line = JsonForm().format(record)
    assert line.isprintable() and line.isascii()
    try:
        raise ValueError("\x1b[2J")
    except ValueError:
        record.exc_info = sys.exc_info()
    text = TextForm().format(record)
    assert text.replace("\n", "").isprintable() and text.endswith("\nValueError: \\x1b[2J")


def test_long_paths_are_cut_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "tengen.access"), live(tmp_path) as server:
        assert server.client().get("/api/" + "x" * 5000).status_code == 404
    (line,) = (record.getMessage() for record in caplog.records if "xxx" in record.getMessage())
    assert line.startswith("GET /api/xxx") and len(line) < 300


def test_refusals_do_not_repeat_everything(tmp_path: Path) -> None:
    assert len(str(Refusal("malformed", "x" * 10_000))) == LONGEST
    with live(tmp_path) as server:
        nodes = [{"parent": None}, {"parent": 0, "text": "x" * 10_000}]
        answer = server.client().post("/api/studies/export", json={**GO, "nodes": nodes})
    assert answer.status_code == 409 and len(answer.json()["message"]) == LONGEST


@pytest.mark.skipif(sys.platform == "win32", reason="has other rights")
@pytest.mark.anyio
async def test_the_database_is_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    store = await Store.open(f"sqlite:///{folder}/x.sqlite3", process="p")
    try:
        await store.ping()
        back_up(f"sqlite:///{folder}/x.sqlite3", folder / "copy.sqlite3")
        rights = {path.name: stat.S_IMODE(path.stat().st_mode) for path in [folder, *folder.iterdir()]}
    finally:
        await store.close()
    assert rights.pop("new") == 0o700
    assert {"x.sqlite3", "x.sqlite3-wal", "copy.sqlite3"} <= rights.keys() and set(rights.values()) == {0o600}


def test_a_tree_that_was_read_leaves_no_garbage_behind() -> None:
    """Of thousands of positions, which would take megabytes until somebody looks for garbage."""
    text = "(;GM[1]SZ[9]" + "".join(f"(;B[{x}{y}](;W[ii]))" for x in "abcdefgh" for y in "abcdefgh") + ")"
    studies.read_study(text)
    gc.collect()
    gc.disable()
    try:
        before = sum(type(one) is Node for one in gc.get_objects())
        assert len(studies.read_study(text).nodes) > 100
        assert sum(type(one) is Node for one in gc.get_objects()) == before
    finally:
        gc.enable()


@pytest.mark.anyio
async def test_what_a_large_file_takes_is_given_back() -> None:
    """Six thousand passes of one seat, each below the last: two hundred megabytes of positions."""
    heavy, text = Heavy(), "(;GM[1]SZ[9]" + "(;B[]" * 6000 + ")" * 6001
    before = memory_bytes()
    for _ in range(2):
        with pytest.raises(Refusal, match="more than 8000 moves"):
            await heavy.run("1.1.1.1", studies.read_study, text)
    await soon(lambda: memory_bytes() - before < 80 * 2**20)
