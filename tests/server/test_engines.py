"""Machine seats and analysis: moves, offers, agreements, failures, limits and priorities."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import tengen
from tengen.match import Match, Occupant, Request, Setup
from tengen.players import manners
from tengen.server import protocol as p
from tengen.server.errors import Refusal
from tengen.server.matches import minds
from tengen.server.matches.deeds import perform
from tengen.server.matches.duties import Duty, duty
from tengen.server.matches.hub import Hub
from tengen.server.matches.minds import Mind
from tengen.server.matches.pool import Pool, Turns
from tengen.server.store.store import PersonRow
from tests.server.table import ME, Eye, ask, machine, make, move, person, refused, swept, table, until, watch
from tests.waiting import next_turn

pytestmark = pytest.mark.anyio

PASSING = Path(__file__).parents[1] / "terminal" / "passing_gtp.py"
FOUR: tuple[tuple[str, dict[str, Any], str | None], ...] = (
    ("great-kingdom", {}, "D4"),
    ("go", {"size": 9}, "D4"),
    ("kelasu", {}, None),
    ("dominion-duel", {}, "1"),
)


@pytest.mark.parametrize(("game", "options", "text"), FOUR)
async def test_a_level_answers(sqlite_url: str, game: str, options: dict[str, Any], text: str | None) -> None:
    async with table(sqlite_url) as hub:
        one = await person(hub)
        match = await make(hub, one, (ME, machine("level:2")), game, options=options)
        eye = await watch(hub, match, one)
        if text is None:
            while (now := eye.now()).view.to_move == 0:
                step = now.view.details["moves"][0]
                await ask(hub, match, one, "move", actions=[step["from"], step["targets"][0]["cell"]])
        else:
            await move(hub, match, one, text)
        await until(lambda: eye.now().view.to_move == 0 or eye.now().phase == "over")
        assert eye.now().line >= 2
        assert eye.all(p.Snapshot)[0].match.seats[1].kind == "machine"
        assert await refused(ask(hub, match, one, "claim")) in ("not-now", "over")


async def test_machines_play_each_other_to_the_end(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        one = await person(hub)
        seats = (machine("random"), machine("mcts:20"))
        match = await make(hub, one, seats, options={"size": 5, "neutral": False})
        eye = await watch(hub, match, one)
        assert eye.all(p.Snapshot)[0].you == []
        await until(lambda: eye.now().phase == "over")
        assert await refused(ask(hub, match, one, "resign")) == "stranger"


async def test_machines_alone_stand_still(sqlite_url: str) -> None:
    async with table(sqlite_url, beat_s=0.05, sweep_s=0.1) as hub:
        one = await person(hub)
        match = await make(hub, one, (machine("random"), machine("random")), "go", options={"size": 19})
        await swept(hub)
        room = await hub.rooms.find(match)
        assert room.number == 0, "nobody watches"
        eye = await watch(hub, match)
        await until(lambda: room.number > 2)
        hub.leave(room, eye)
        await until(lambda: not hub.engines.is_busy(match))
        stood = room.number
        await swept(hub)
        assert room.number == stood and room.status == "playing"
        await watch(hub, match)
        await until(lambda: room.number > stood)


async def test_limits_on_matches_of_machines(sqlite_url: str) -> None:
    async with table(sqlite_url, limits=True, engine_move_s=0.1) as hub:
        one = await person(hub)
        seats = (machine("mcts:20000"), machine("mcts:20000"))
        matches = [await make(hub, one, seats, "go") for _ in range(3)]
        eyes = [await watch(hub, match) for match in matches[:2]]
        assert await refused(make(hub, one, seats, "go")) == "too-many"
        await make(hub, await person(hub), seats, "go")
        await make(hub, one, (ME, machine("level:1")))
        hub.leave(await hub.rooms.find(matches[0]), eyes[0])
        await make(hub, one, seats, "go")


async def test_machines_think_less_while_others_wait(sqlite_url: str) -> None:
    async with table(sqlite_url, engine_move_s=3.0, engine_busy_s=1.0) as hub:
        one = await person(hub)
        match = await make(hub, one, (ME, machine("level:1")))
        room, pool = await hub.rooms.find(match), hub.engines._pool
        assert hub.engines._most_s(room, pool) == 3.0
        release = threading.Event()
        running = [asyncio.create_task(pool.run(lambda: release.wait(60), first=True, key=one.id))]
        await next_turn()
        running.append(asyncio.create_task(pool.run(lambda: True, first=True, key=one.id)))
        running.append(asyncio.create_task(pool.run(lambda: True, first=False, key="analysis")))
        await next_turn()
        assert hub.engines._most_s(room, pool) == 3.0, "nobody else waits for a move"
        running.append(asyncio.create_task(pool.run(lambda: True, first=True, key="somebody")))
        await next_turn()
        assert hub.engines._most_s(room, pool) == 1.0
        release.set()
        await asyncio.gather(*running)


async def test_a_machine_goes_on_after_a_restart(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        one = await person(hub)
        match = await make(hub, one, (ME, machine("level:1")))
        hub.engines.want = lambda match_id, here=False: None  # type: ignore[method-assign]
        await move(hub, match, one, "D4")
    async with table(sqlite_url) as hub:
        eye = await watch(hub, match, one)
        await until(lambda: eye.now().number == 2)


async def test_takebacks_and_draws(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        one = await person(hub)
        match = await make(hub, one, (ME, machine("level:1")))
        eye = await watch(hub, match, one)
        await move(hub, match, one, "D4")
        await until(lambda: eye.now().number == 2)
        await ask(hub, match, one, "offer", what="takeback")
        assert eye.now().line == 0
        await ask(hub, match, one, "offer", what="draw")
        await until(lambda: eye.kinds()[-1] == "answer")
        assert eye.now().offer is None
        if eye.now().phase == "playing":
            await ask(hub, match, one, "resign")
        await ask(hub, match, one, "offer", what="rematch")
        await until(lambda: any(info.match.rematch for info in eye.all(p.Info)))
        following = next(info.match.rematch for info in eye.all(p.Info) if info.match.rematch)
        after = await watch(hub, following, one)
        await until(lambda: after.now().number == 1)


SETTLED = "4O/XXXXX/5/OOOOO/5"  # White's stone above is dead


async def test_a_machine_agrees_on_dead_stones(sqlite_url: str) -> None:
    programs = {"passes": f"{sys.executable} {PASSING}"}
    async with table(sqlite_url, programs=programs) as hub:
        one = await person(hub)
        match = await make(
            hub,
            one,
            (ME, machine("program:passes")),
            "go",
            options={"size": 5, "komi": 0.5},
            origin=(SETTLED, 0),
        )
        eye = await watch(hub, match, one)
        await move(hub, match, one, "pass")
        await until(lambda: "suggest" in eye.kinds())
        await ask(hub, match, one, "accept", position=eye.now().position)
        await until(lambda: eye.now().phase == "over")
        outcome = eye.now().outcome
        assert outcome is not None and outcome.reason == "score"
        assert eye.kinds() == ["move", "move", "suggest", "accept", "accept"]


async def test_two_machines_agree_on_dead_stones(sqlite_url: str) -> None:
    programs = {"passes": f"{sys.executable} {PASSING}"}
    async with table(sqlite_url, programs=programs) as hub:
        one = await person(hub)
        seats = (machine("program:passes"), machine("program:passes"))
        options = {"size": 5, "komi": 0.5, "rules": "chinese"}
        match = await make(hub, one, seats, "go", options=options, origin=(SETTLED, 0))
        eye = await watch(hub, match, one)
        await until(lambda: eye.now().phase == "over")
        outcome = eye.now().outcome
        assert outcome is not None and outcome.score == (10, 10.5), "without the dead stone above"


def agreement(marks: list[int]) -> Match:
    """A stopped game that White, a machine, wins unless those chains are marked dead; Black has accepted."""
    seats = (Occupant("", "person", "x"), Occupant("", "machine", "level:1"))
    game = tengen.game("go", size=5, komi=6.5)
    match = Match(Setup(game, seats, origin=("5/XXXXX/5/OOOOO/O1O1O", 0)))
    for seat in (0, 1):
        match.apply(Request.move(seat, "pass", 0))
    for cell in marks:
        match.apply(Request.mark(0, "dead", cell, 0, True))
    match.apply(Request.accept(0, 0, match.position))
    return match


async def test_a_machine_does_not_let_itself_be_robbed() -> None:
    fair = agreement([5])
    fair.apply(Request.mark(0, "dead", 5, 0, False))
    fair.apply(Request.accept(0, 0, fair.position))
    assert duty(fair) == Duty("agree", 1)
    assert perform(Duty("agree", 1), fair, Mind())(fair, 0).kind == "accept"
    robbed = agreement([15])
    for _ in range(2):
        assert perform(Duty("agree", 1), robbed, Mind())(robbed, 0).kind == "resume"
        for _ in range(2):
            robbed.apply(Request.move(robbed.state.to_move, "pass", 0))
        robbed.apply(Request.mark(0, "dead", 15, 0, True))
        robbed.apply(Request.accept(0, 0, robbed.position))
    assert perform(Duty("agree", 1), robbed, Mind())(robbed, 0).kind == "accept"


async def test_a_machine_that_fails_forfeits(sqlite_url: str) -> None:
    programs = {"broken": f"{sys.executable} -c pass"}
    async with table(sqlite_url, programs=programs) as hub:
        one = await person(hub)
        match = await make(hub, one, (ME, machine("program:broken")), "go", options={"size": 9})
        eye = await watch(hub, match, one)
        await move(hub, match, one, "D4")
        await until(lambda: eye.now().phase == "over")
        assert eye.now().outcome == p.Outcome(0, "forfeit")
    async with table(sqlite_url) as hub:
        assert await refused(make(hub, one, (ME, machine("program:broken")), "go")) == "malformed"


async def test_a_machine_with_an_illegal_move_forfeits(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Cheat:
        name = "cheat"

        def choose(self, state: Any, seconds: float | None = None) -> list[int]:
            return [state.actions[-1]]

        def close(self) -> None:
            pass

    monkeypatch.setattr(minds, "make_player", lambda *args, **more: Cheat())
    async with table(sqlite_url) as hub:
        one = await person(hub)
        match = await make(hub, one, (ME, machine("level:1")))
        eye = await watch(hub, match, one)
        await move(hub, match, one, "D4")
        await until(lambda: eye.now().phase == "over")
        assert eye.now().outcome == p.Outcome(0, "forfeit")


async def test_what_happens_while_a_machine_thinks(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go = threading.Event(), threading.Event()

    class Slow:
        name = "slow"

        def choose(self, state: Any, seconds: float | None = None) -> list[int]:
            begun.set()
            go.wait(60)
            return [state.legal_actions()[0]]

        def close(self) -> None:
            pass

    monkeypatch.setattr(minds, "make_player", lambda *args, **more: Slow())
    async with table(sqlite_url) as hub:
        one = await person(hub)
        match = await make(hub, one, (ME, machine("level:1")))
        eye = await watch(hub, match, one)
        await move(hub, match, one, "D4")
        await until(begun.is_set)
        await ask(hub, match, one, "offer", what="takeback")
        go.set()
        await until(lambda: not hub.engines.is_busy(match))
        assert eye.kinds() == ["move", "takeback"], "the move was for a position that is gone"
        await move(hub, match, one, "D6")
        await until(lambda: eye.now().line == 2)
        assert eye.kinds() == ["move", "takeback", "move", "move"]


LONG = "mcts:20000"  # on a large board several seconds


async def thinking(hub: Hub, player: str) -> tuple[str, PersonRow, Eye]:
    """A match in which that machine has begun to think."""
    one = await person(hub)
    match = await make(hub, one, (ME, machine(player)), "go", options={"size": 19})
    eye = await watch(hub, match, one)
    await move(hub, match, one, "D4")
    await until(lambda: match in hub.engines._thoughts)
    return match, one, eye


def assert_none_ended(hub: Hub) -> None:
    """No search went on until it had a move, which is when its cost is known; how soon says too little."""
    assert not hub.engines._costs_s


@pytest.mark.parametrize(("kind", "more"), [("offer", {"what": "takeback"}), ("resign", {})])
async def test_a_search_that_nobody_needs_ends(sqlite_url: str, kind: str, more: dict[str, Any]) -> None:
    async with table(sqlite_url, engine_move_s=30.0) as hub:
        match, one, eye = await thinking(hub, LONG)
        await ask(hub, match, one, kind, **more)
        await until(lambda: not hub.engines._thoughts and not hub.engines.is_busy(match))
        assert_none_ended(hub)
        assert "abandon" not in eye.kinds() and eye.now().line < 2
        if kind == "offer":
            hub.engines._config = replace(hub.config, engine_move_s=0.1)
            await move(hub, match, one, "E5")
            await until(lambda: eye.now().line == 2)


async def test_an_offer_is_answered_by_a_machine_that_thinks(sqlite_url: str) -> None:
    async with table(sqlite_url, engine_move_s=30.0) as hub:
        match, one, eye = await thinking(hub, LONG)
        await ask(hub, match, one, "offer", what="draw")
        await until(lambda: "answer" in eye.kinds())
        assert_none_ended(hub)


async def test_a_stop_does_not_wait_for_a_search(sqlite_url: str) -> None:
    async with table(sqlite_url, engine_move_s=30.0, stop_s=20.0) as hub:
        match, _, _ = await thinking(hub, LONG)
        began = time.monotonic()
        await hub.stop()
        assert time.monotonic() - began < hub.config.stop_s
        assert_none_ended(hub)
        row = await hub.store.match(match)
        assert row is not None and row.status == "playing" and row.summary.number == 1


SLOW = """
import sys, threading
for line in sys.stdin:
    words = line.split()
    answers = {"list_commands": "genmove", "name": "slow", "protocol_version": "2", "genmove": "pass"}
    if words and words[0].isdigit():
        number, words = words[0], words[1:]
    else:
        number = ""
    if words and words[0] == "genmove" and len(sys.argv) > 1:
        threading.Event().wait()
    print(f"={number} {answers.get(words[0], '') if words else ''}\\n", flush=True)
"""


@pytest.mark.parametrize("thinks", [True, False])
async def test_no_program_is_left_behind(sqlite_url: str, tmp_path: Path, thinks: bool) -> None:
    script = tmp_path / "slow.py"
    script.write_text(SLOW)
    programs = {"slow": f"{sys.executable} {script}" + (" for-ever" if thinks else "")}
    async with table(sqlite_url, programs=programs) as hub:
        match, _, eye = await thinking(hub, "program:slow")
        mind: Any = hub.engines._mind
        if thinks:
            await until(lambda: mind._thinking)
            player: Any = mind._thinking[f"{match}/1"]
            await until(lambda: player._program)
        else:
            await until(lambda: eye.now().line == 2 and mind._players)
            player = mind._players[f"{match}/1"]
        pid = player._program.pid
        os.kill(pid, 0)
        await hub.stop()
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
        assert "abandon" not in eye.kinds()


async def test_the_share_of_a_clock() -> None:
    game = tengen.game("go", size=9)
    free = Match(Setup(game))
    assert manners.move_seconds(free, 0, 10) == 10
    short = Match(Setup(game, clock=tengen.match.Absolute(5_000)))
    assert manners.move_seconds(short, 0, 10) == pytest.approx(0.2)
    assert manners.move_seconds(short, 4_999, 10) == manners.LEAST_S
    added = Match(Setup(game, clock=tengen.match.Fischer(60_000, 4_000)))
    assert manners.move_seconds(added, 0, 10) == pytest.approx(4.4)


# Analysis


def place(moves: list[list[int]] | None = None, game: str = "great-kingdom", **options: Any) -> p.Place:
    return p.Place(game, options, None, moves or [])


async def test_analysis(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        found = await hub.engines.analyse(place([[30]]), 0.2, "me")
        assert found.to_move == 1 and found.moves and found.visits > 0
        assert await hub.engines.analyse(place([[30]]), 0.2, "you") is found
        exact = await hub.engines.analyse(place(game="dominion-duel", n=5), 1, "me")
        assert exact.proven is not None
        resumed = place([[25], [25], [-2]], game="go", size=5)
        assert (await hub.engines.analyse(resumed, 0.1, "me")).to_move == 1


IMPOSSIBLE = (
    (p.Place("chess"), "malformed"),
    (p.Place("go", {"size": 99}), "malformed"),
    (p.Place("go", {}, ("nonsense", 0)), "malformed"),
    (place([[40]]), "illegal"),
    (place([[]]), "illegal"),
    (place([[-1]]), "illegal"),
    (place([[30], [30]]), "illegal"),
    (place([[10**30]]), "illegal"),
    (place([[30, 31]]), "illegal"),
    (place([[0]], game="kelasu"), "illegal"),
    (place([[81], [81]]), "over"),
    (place([[81]] * 5000), "malformed"),
)


async def test_places_that_cannot_be(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        for wrong, code in IMPOSSIBLE:
            assert await refused(hub.engines.analyse(wrong, 0.1, "me")) == code, wrong


async def test_review(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        moves = [[30], [50], [31], [51]]
        found = [one async for one in hub.engines.review(place(moves), 50, "me")]
        assert [one.number for one in found] == [1, 2, 3, 4]
        assert [one.seat for one in found] == [0, 1, 0, 1] and all(0 <= one.win_after <= 1 for one in found)
        resumed = place([[25], [25], [-1], [12]], game="go", size=5)
        assert [one.number async for one in hub.engines.review(resumed, 20, "me")] == [1, 2, 4]


async def test_limits_of_analysis(sqlite_url: str) -> None:
    async with table(sqlite_url, analyses_per_key=2, analyses=3) as hub:

        async def one(number: int, key: str) -> str:
            try:
                await hub.engines.analyse(place([[number]]), 0.3, key)
            except Refusal as refusal:
                return refusal.code
            return "done"

        found = await asyncio.gather(*(one(i, "me") for i in range(4)), one(5, "you"), one(6, "them"))
        assert found == ["done", "done", "too-many", "too-many", "done", "too-many"]
        assert await one(7, "me") == "done"
        reading = hub.engines.review(place([[30], [50]]), 10, "me")
        await anext(reading)
        await reading.aclose()
        assert set(await asyncio.gather(one(8, "me"), one(9, "me"))) == {"done"}


async def test_who_has_used_least_is_next() -> None:
    turns: Any = Turns()
    for name in ("many 1", "many 2", "many 3", "few 1", "few 2", "one 1"):
        turns.push(name.split()[0], name)
    assert len(turns) == 6 and turns.holds_up("many")
    order = []
    for seconds in (2.0, 0.5, 0.1, 0.5, 0.1, 0.1):
        key, name = turns.pop()
        turns.charge(key, seconds)
        order.append(name)
    assert order == ["many 1", "few 1", "one 1", "few 2", "many 2", "many 3"]
    turns.push("many", "many 4")
    turns.push("late", "late 1")
    assert turns.pop() == ("late", "late 1"), "who comes late owes nothing, and is owed nothing"


async def test_seats_come_before_analysis() -> None:
    pool = Pool(1)
    order: list[str] = []
    release = threading.Event()

    def work(name: str) -> Any:
        return partial(order.append, name)

    first = asyncio.create_task(pool.run(lambda: release.wait(60), first=False))
    await next_turn()
    rest = [asyncio.create_task(pool.run(work(f"analysis {i}"), first=False)) for i in range(3)]
    await next_turn()
    rest[1].cancel()
    seat = asyncio.create_task(pool.run(work("seat"), first=True))
    await next_turn()
    release.set()
    await asyncio.gather(first, rest[0], rest[2], seat)
    assert order == ["seat", "analysis 0", "analysis 2"]
    await pool.close(1)
