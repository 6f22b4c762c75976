"""What one address can take of the event loop by asking for something large: its thread's processor time."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import httpx
import pytest
from starlette.datastructures import Headers

from tengen.server.http import passkeys
from tengen.server.http.heavy import Heavy
from tengen.server.http.shared import FRESH_S, Shared
from tengen.server.limits import Limits, Rate, TooMany
from tests.server.live import Live, live
from tests.server.table import table
from tests.server.test_telling import long_match

EVENTS = 5000
MOST_SHARE = 0.4  # of what one request costs may be the loop's, so that others do not wait for the rest
MOST_SHARED_S = 0.004  # of the loop, for what is made once for all


async def _now() -> float:
    return time.thread_time()


def share_of_the_loop(server: Live, ask: Callable[[], httpx.Response]) -> float:
    """The part of the processor time for that which the loop's thread has."""
    begun = time.process_time()
    return 3 * of_the_loop(server, ask) / (time.process_time() - begun)


def of_the_loop(server: Live, ask: Callable[[], httpx.Response]) -> float:
    """The least processor time of the loop's thread for that, of three."""
    found = []
    for _ in range(3):
        begun = asyncio.run_coroutine_threadsafe(_now(), server.loop).result(30)
        response = ask()
        assert response.status_code == 200, response.text[:300]
        found.append(asyncio.run_coroutine_threadsafe(_now(), server.loop).result(30) - begun)
    return min(found)


def test_long_matches_are_written_beside_the_loop(tmp_path: Path) -> None:
    async def make() -> str:
        async with table(f"sqlite:///{tmp_path / 'live.sqlite3'}") as hub:
            return await long_match(hub, EVENTS)

    match = asyncio.run(make())
    with live(tmp_path) as server:
        client = server.client()
        for what in ("record", "record?format=sgf", "study", "events", "absence", ""):
            path = f"/api/matches/{match}/{what}".rstrip("/")
            if what == "absence":
                assert client.get(path).status_code == 403
                continue
            assert share_of_the_loop(server, lambda path=path: client.get(path)) < MOST_SHARE, what  # type: ignore[misc]


def test_large_studies_are_read_beside_the_loop(tmp_path: Path) -> None:
    """All second moves of 9×9: nothing is known of them, and still each is looked up."""
    cells = [f"{x}{y}" for x in "abcdefghi" for y in "abcdefghi"]
    trees = (f"(;B[{one}]{''.join(f'(;W[{two}])' for two in cells if two != one)})" for one in cells)
    with live(tmp_path) as server:
        client = server.client()
        made = client.post("/api/studies", json={"text": f"(;GM[1]SZ[9]{''.join(trees)})"})
        assert made.status_code == 201, made.text[:300]
        path = f"/api/studies/{made.json()['id']}"
        assert share_of_the_loop(server, lambda: client.get(path)) < MOST_SHARE
        study = made.json()
        assert share_of_the_loop(server, lambda: client.post("/api/studies/known", json=study)) < MOST_SHARE


def test_what_is_the_same_for_all_is_made_once(tmp_path: Path) -> None:
    with live(tmp_path) as server:
        client = server.client()
        for path in ("/api/games", "/api/openapi.json"):
            first = client.get(path)
            assert of_the_loop(server, lambda path=path: client.get(path)) < MOST_SHARED_S, path  # type: ignore[misc]
            tag = first.headers["etag"]
            assert client.get(path, headers={"if-none-match": tag}).status_code == 304
            plain = client.get(path, headers={"accept-encoding": "identity"})
            assert plain.json() == first.json() and "content-encoding" not in plain.headers


def test_what_is_the_same_for_all_is_made_again_after_a_while() -> None:
    now, made = 0.0, 0

    def make() -> list[int]:
        nonlocal made
        made += 1
        return [made]

    async def ask(shared: Shared) -> bytes:
        return bytes((await shared.answer("it", make, Headers())).body)

    async def run() -> None:
        nonlocal now
        shared = Shared(lambda: now)
        assert list(await asyncio.gather(ask(shared), ask(shared))) == [b"[1]", b"[1]"]
        now = FRESH_S
        assert await ask(shared) == b"[2]"

    asyncio.run(run())


def test_a_game_that_there_is_not_costs_little(tmp_path: Path) -> None:
    with live(tmp_path) as server:
        client = server.client()

        def ask() -> httpx.Response:
            found = client.post("/api/matches", json={"game": "chess", "seats": [{"kind": "me"}] * 2})
            assert found.status_code == 400
            return client.get("/healthz")

        assert of_the_loop(server, ask) < MOST_SHARED_S


def test_passkeys_are_imported_beside_the_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[threading.Thread] = []

    def imported(name: str) -> object:
        asked.append(threading.current_thread())
        return import_module(name)

    monkeypatch.setattr(passkeys, "_imported", False)
    monkeypatch.setattr(passkeys, "import_module", imported)
    with live(tmp_path) as server:
        client = server.client(origin=f"http://localhost:{server.port}", host=f"localhost:{server.port}")
        for _ in range(2):
            assert client.post("/api/me/passkey/options").status_code == 200
    (thread,) = asked
    assert "live server" not in thread.name


@pytest.mark.anyio
async def test_who_has_had_much_aside_waits() -> None:
    now = 0.0
    limits = Limits({"aside": Rate(burst=50, per_second=10)}, clock=lambda: now)
    heavy = Heavy(limits)

    def compute() -> int:
        begun = time.thread_time()
        while time.thread_time() - begun < 0.08:
            pass
        return 1

    assert await heavy.run("1.1.1.1", compute) == 1
    with pytest.raises(TooMany):
        await heavy.run("1.1.1.1", compute)
    assert await heavy.run("2.2.2.2", compute) == 1, "others do not pay"
    now = 30.0
    assert await heavy.run("1.1.1.1", compute) == 1
