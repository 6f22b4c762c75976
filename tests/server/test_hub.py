"""Matches through the hub: making, joining, every kind of request, and what watchers are told."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from tengen.games.kelasu.details import KelasuDetails
from tengen.match import Match
from tengen.server import protocol as p
from tengen.server.errors import Refusal
from tengen.server.limits import RATES
from tengen.server.matches import describe, requests
from tengen.server.matches.hub import Hub
from tengen.server.stamp import now_ms
from tests.server.conftest import Passing
from tests.server.table import (
    ME,
    OPEN,
    Eye,
    ask,
    machine,
    make,
    move,
    pair,
    person,
    refused,
    room_of,
    table,
    until,
    watch,
)

pytestmark = pytest.mark.anyio


async def test_a_whole_game_that_both_see_alike(store_url: str) -> None:
    async with table(store_url) as hub:
        match, one, other = await pair(hub)
        eyes = [await watch(hub, match, one), await watch(hub, match, other), await watch(hub, match)]
        assert [eye.all(p.Snapshot)[0].you for eye in eyes] == [[0], [1], []]
        dice = random.Random(5)
        while (now := eyes[0].now()).phase == "playing":
            who = (one, other)[now.view.to_move]
            number = await ask(
                hub, match, who, "move", actions=[dice.choice(now.legal)], position=now.position
            )
            assert number == eyes[0].now().number
        assert eyes[0].seen[-1] == eyes[1].seen[-1] == eyes[2].seen[-1]
        assert now.outcome is not None and now.legal == []
        row = await hub.store.match(match)
        assert row is not None and row.status == "over" and row.summary.outcome is not None
        stored = await hub.store.events(match)
        room = await room_of(hub, match)
        assert Match.replay(room.match.setup, [one.event for one in stored]) == room.match
        told = [event.number for message in eyes[1].all(p.Update) for event in message.events]
        assert told == list(range(1, len(stored) + 1))
        assert await refused(move(hub, match, one, "A1")) == "over"


async def test_the_same_id_counts_once(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        match, one, other = await pair(hub)
        assert await move(hub, match, one, "D4", id="first") == 1
        assert await move(hub, match, other, "D6") == 2
        assert await move(hub, match, one, "D4", id="first") == 1
        assert await ask(hub, match, one, "resign", id="first") == 1
        eye = await watch(hub, match)
        assert eye.now().number == 2
        both = [ask(hub, match, one, "move", text="E7", id="twice") for _ in range(5)]
        assert await asyncio.gather(*both) == [3] * 5


async def test_an_id_of_the_other_seat_is_not_ones_own(sqlite_url: str, passing: Passing) -> None:
    async with table(sqlite_url, gone_untimed_ms=100) as hub:
        match, one, other = await pair(hub)
        await move(hub, match, one, "D4", id="1")
        assert await refused(move(hub, match, other, "D6", id="1")) == "malformed"
        assert await move(hub, match, one, "D4", id="1") == 1
        found = await asyncio.gather(
            move(hub, match, other, "D6", id="2"),
            ask(hub, match, one, "offer", what="draw", id="2"),
            return_exceptions=True,
        )
        assert found[0] == 2 and isinstance(found[1], Refusal) and found[1].code == "malformed"
        await move(hub, match, one, "F4")
        passing(0.15)
        assert await ask(hub, match, one, "claim", id="3") == await ask(hub, match, one, "claim", id="3") == 4
        assert await refused(ask(hub, match, other, "claim", id="3")) == "malformed"


async def test_a_log_does_not_grow_for_ever(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "MOST_EVENTS", 4)
    async with table(sqlite_url) as hub:
        one = await person(hub)
        match = await make(hub, one, (ME, ME))
        for _ in range(2):
            await move(hub, match, one, "D4")
            await ask(hub, match, one, "offer", what="takeback", seat=0)
        assert await refused(move(hub, match, one, "D4")) == "not-now"
        assert await refused(ask(hub, match, one, "offer", what="draw")) == "not-now"
        assert await ask(hub, match, one, "resign", seat=0) == 5
        assert await ask(hub, match, one, "offer", what="rematch", seat=0) == 6


async def test_rematches_are_limited(sqlite_url: str) -> None:
    async with table(sqlite_url, limits=True) as hub:
        one = await person(hub)
        match = await make(hub, one, (ME, ME))
        for _ in range(int(RATES["rematches"].burst)):
            eye = await watch(hub, match, one)
            await ask(hub, match, one, "resign", seat=0)
            await ask(hub, match, one, "offer", what="rematch", seat=0)
            await until(lambda eye=eye: any(info.match.rematch for info in eye.all(p.Info)))  # type: ignore[misc]
            match = next(info.match.rematch or "" for info in eye.all(p.Info) if info.match.rematch)
        await ask(hub, match, one, "resign", seat=0)
        assert await refused(ask(hub, match, one, "offer", what="rematch", seat=0)) == "too-many"


async def test_who_may_not(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        match, one, other = await pair(hub)
        stranger = await person(hub)
        assert await refused(move(hub, match, stranger, "D4")) == "stranger"
        assert await refused(ask(hub, match, None, "resign")) == "stranger"
        assert await refused(move(hub, match, other, "D4")) == "not-your-turn"
        assert await refused(move(hub, match, one, "D4", seat=1)) == "stranger"
        assert await refused(move(hub, match, one, "E5")) == "illegal"
        assert await refused(move(hub, match, one, "nonsense")) == "illegal"
        assert await refused(ask(hub, match, one, "move")) == "malformed"
        assert await refused(ask(hub, match, one, "move", actions=[-5])) == "illegal"
        assert await refused(ask(hub, match, one, "move", actions=[])) == "malformed"
        assert await refused(ask(hub, match, one, "offer", what="money")) == "malformed"
        assert await refused(ask(hub, match, one, "mark", what="dead", cell=3)) == "not-now"
        assert await refused(ask(hub, match, one, "resign", id="machine-0")) == "malformed"
        assert await refused(ask(hub, match, one, "resign", id="x" * 65)) == "malformed"
        assert await refused(ask(hub, match, one, "resign", id="a\nb")) == "malformed"
        assert await refused(ask(hub, "nowhere", one, "resign")) == "unknown"
        assert await refused(ask(hub, "x" * 500, one, "resign")) == "unknown"
        assert (await room_of(hub, match)).number == 0


async def test_stale_requests_change_nothing(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        match, one, other = await pair(hub)
        before = (await watch(hub, match)).now().position
        await move(hub, match, one, "D4", position=before)
        assert await refused(move(hub, match, other, "D6", position=before)) == "stale"
        assert (await room_of(hub, match)).number == 1


async def test_sitting_down(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        one, other, third = [await person(hub, name) for name in ("Ada", "Bob", "Cyd")]
        match = await make(hub, one)
        eye = await watch(hub, match, other)
        assert eye.all(p.Snapshot)[0].match.status == "open"
        assert eye.now().running is None
        assert await refused(move(hub, match, one, "D4")) == "not-now"
        assert await hub.seating.join(match, one) == [0], "nobody gets a second seat"
        assert await hub.seating.join(match, other, None, "  Bob\n the  Great ") == [1]
        assert await hub.seating.join(match, other) == [1], "asking again does no harm"
        assert await refused(hub.seating.join(match, third)) == "not-now"
        begun = eye.all(p.Snapshot)[-1]
        assert begun.match.status == "playing" and begun.you == [1] and begun.now.running == 0
        assert [seat.name for seat in begun.match.seats] == ["Ada", "Bob the Great"]


async def test_only_one_of_many_gets_the_seat(store_url: str) -> None:
    async with table(store_url) as hub:
        match = await make(hub, await person(hub))
        crowd = [await person(hub) for _ in range(6)]
        found = await asyncio.gather(*(hub.seating.join(match, who) for who in crowd), return_exceptions=True)
        assert [one for one in found if one == [1]] == [[1]]
        assert sum(isinstance(one, Refusal) and one.code == "not-now" for one in found) == 5


async def test_an_invitation(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        one, other, third = [await person(hub) for _ in range(3)]
        made = await hub.seating.create(
            p.NewMatch("great-kingdom", (p.SeatWish("invited"), ME), public=False), one
        )
        assert made.you == [1] and made.invitation is not None
        assert await refused(hub.seating.join(made.match, other)) == "stranger"
        assert await refused(hub.seating.join(made.match, other, "wrong")) == "stranger"
        assert await hub.seating.join(made.match, other, made.invitation) == [0]
        assert await refused(hub.seating.join(made.match, third, made.invitation)) == "not-now"
        assert await hub.store.lobby() == ([], [])


async def test_an_invitation_gives_no_other_seat(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        one, other, third = [await person(hub) for _ in range(3)]
        made = await hub.seating.create(p.NewMatch("go", (OPEN, p.SeatWish("invited"))), one)
        assert await refused(hub.seating.join(made.match, other, "wrong")) == "stranger"
        assert await hub.seating.join(made.match, other, made.invitation) == [1]
        assert await refused(hub.seating.join(made.match, third, made.invitation)) == "stranger", (
            "it was used"
        )
        assert await hub.seating.join(made.match, third) == [0]


async def test_nothing_secret_is_told(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        one, other = await person(hub, "Ada"), await person(hub, "Bob")
        made = await hub.seating.create(p.NewMatch("go", (ME, p.SeatWish("invited"))), one)
        eye = await watch(hub, made.match, other)
        assert made.invitation is not None
        await hub.seating.join(made.match, other, made.invitation)
        await move(hub, made.match, one, "D4")
        (await room_of(hub, made.match)).tell_info()
        played = (await room_of(hub, made.match)).match
        record = describe.record(played).to_json()
        rows = await hub.summaries(await hub.store.matches_of(one.id), one)
        told = msgspec.json.encode([eye.seen, describe.study(played), rows]).decode() + record
        for secret in (one.id, other.id, one.secret_hash, other.secret_hash, made.invitation):
            assert secret not in told
        row = await hub.store.match(made.match)
        assert row is not None and made.invitation not in repr(row)


async def test_cancelling(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        one, other = await person(hub), await person(hub)
        match = await make(hub, one)
        eye = await watch(hub, match)
        assert await refused(hub.seating.cancel(match, other)) == "stranger"
        await hub.seating.cancel(match, one)
        assert eye.all(p.Info)[-1].match.status == "cancelled"
        await hub.seating.cancel(match, one)
        assert await refused(hub.seating.join(match, other)) == "over"
        assert await refused(ask(hub, match, one, "resign")) == "over"
        begun, first, _ = await pair(hub)
        assert await refused(hub.seating.cancel(begun, first)) == "not-now"


IMPOSSIBLE: tuple[dict[str, Any], ...] = (
    {"game": "chess"},
    {"options": {"size": 40}},
    {"options": {"name": 1}},
    {"options": {"nothing": 1}},
    {"clock": p.Absolute(0)},
    {"clock": p.Fischer(1000, -5)},
    {"origin": ("nonsense", 0)},
    {"origin": ("9/9/9/9/4N4/9/9/9/9", 7)},
    {"seats": (ME, machine("gtp:rm -rf /"))},
    {"seats": (ME, machine("level:99"))},
    {"seats": (ME, machine("mcts:20001"))},
    {"seats": (ME, machine("mcts:1000000"))},
    {"seats": (ME, machine("program:gnugo"))},
    {"seats": (p.SeatWish("invited"), p.SeatWish("invited"))},
    {"game": "dominion-duel", "options": {"n": 100_000}},
)


async def test_matches_that_cannot_be(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        one = await person(hub)
        for wish in IMPOSSIBLE:
            asked: dict[str, Any] = {"game": "great-kingdom", "seats": (ME, OPEN)} | wish
            assert await refused(hub.seating.create(p.NewMatch(**asked), one)) == "malformed", wish
        assert await hub.store.matches_of(one.id) == []


async def test_offers_and_takebacks(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        match, one, other = await pair(hub)
        eye = await watch(hub, match)
        await move(hub, match, one, "D4")
        assert eye.now().can_take_back == (True, False)
        await ask(hub, match, one, "offer", what="takeback")
        assert eye.now().offer == p.Offer("takeback", 0)
        assert await refused(ask(hub, match, one, "answer", what="takeback", accept=True)) == "not-now"
        await ask(hub, match, other, "answer", what="takeback", accept=True)
        assert (eye.now().line, eye.now().view.to_move) == (0, 0)
        assert eye.kinds() == ["move", "offer", "answer"]
        await ask(hub, match, other, "offer", what="draw")
        await ask(hub, match, one, "answer", what="draw", accept=True)
        assert eye.now().outcome == p.Outcome(None, "agreement")


async def test_resignation_and_a_rematch(store_url: str) -> None:
    async with table(store_url) as hub:
        match, one, other = await pair(hub, clock=p.Fischer(60_000, 1000))
        eye = await watch(hub, match, one)
        assert await refused(ask(hub, match, one, "offer", what="rematch")) == "not-now"
        await ask(hub, match, one, "resign")
        assert eye.now().outcome == p.Outcome(1, "resign")
        await ask(hub, match, other, "offer", what="rematch")
        await ask(hub, match, one, "answer", what="rematch", accept=True)
        await until(lambda: eye.all(p.Info) and eye.all(p.Info)[-1].match.rematch)
        following = eye.all(p.Info)[-1].match.rematch
        assert following is not None
        next_one = await watch(hub, following, one)
        told = next_one.all(p.Snapshot)[0]
        assert told.you == [1] and told.match.rematch_of == match and told.match.status == "playing"
        assert [seat.name for seat in told.match.seats] == ["Bob", "Ada"]
        await move(hub, following, other, "D4")
        assert len(await hub.store.matches_of(one.id)) == 2


async def test_a_hot_seat(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        one = await person(hub)
        match = await make(hub, one, (ME, ME))
        eye = await watch(hub, match, one)
        assert eye.all(p.Snapshot)[0].you == [0, 1]
        await move(hub, match, one, "D4")
        await move(hub, match, one, "D6", seat=1)
        assert await refused(move(hub, match, one, "F6", seat=1)) == "not-your-turn"
        await ask(hub, match, one, "offer", what="takeback", seat=1)
        assert eye.now().line == 1
        await ask(hub, match, one, "offer", what="draw")
        await ask(hub, match, one, "answer", what="draw", accept=False)
        await ask(hub, match, one, "resign", seat=1)
        assert eye.now().outcome == p.Outcome(0, "resign")
        assert await refused(ask(hub, match, one, "claim")) == "over"


async def test_a_turn_of_several_moves(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        match, one, other = await pair(hub, game="kelasu")
        eye = await watch(hub, match)
        before = eye.now()
        while (now := eye.now()).view.to_move == 0:
            details = msgspec.convert(now.view.details, KelasuDetails)
            step = details["moves"][0]
            actions = [step["from"], step["targets"][0]["cell"]]
            assert await refused(ask(hub, match, one, "move", actions=actions[:1])) == "illegal"
            await ask(hub, match, one, "move", actions=actions)
        assert now.line > 1 and before.view.to_move == 0
        assert await refused(ask(hub, match, one, "move", actions=actions)) == "not-your-turn"
        energy = now.view.details["energy"]
        assert energy > 0
        await ask(hub, match, one, "offer", what="takeback")
        await ask(hub, match, other, "answer", what="takeback", accept=True)
        assert eye.now().line == 0 and eye.now().position == before.position


async def test_an_agreement_on_dead_stones(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        origin = "5/XXXXX/1O3/OOOOO/5"
        match, one, other = await pair(hub, game="go", options={"size": 5, "komi": 0.5}, origin=(origin, 0))
        eye = await watch(hub, match)
        await move(hub, match, one, "pass")
        await move(hub, match, other, "pass")
        assert eye.now().phase == "agreement"
        await until(lambda: "suggest" in eye.kinds())
        assert eye.now().count is not None
        await ask(hub, match, one, "mark", what="dead", cell=11, on=True)
        marked = eye.now()
        assert marked.marking is not None and 11 in marked.marking.dead
        await ask(hub, match, other, "resume")
        assert eye.now().phase == "playing" and eye.now().view.to_move == 0
        await move(hub, match, one, "pass")
        await move(hub, match, other, "pass")
        await until(lambda: eye.kinds().count("suggest") == 2)
        assert await refused(ask(hub, match, one, "accept")) == "malformed"
        assert await refused(ask(hub, match, one, "accept", position=marked.position)) == "stale"
        await ask(hub, match, one, "accept", position=eye.now().position)
        await ask(hub, match, other, "accept", position=eye.now().position)
        done = eye.now()
        assert done.outcome is not None and done.outcome.reason == "score"
        assert [move.text for move in (await watch(hub, match)).all(p.Snapshot)[0].line] == [
            "pass",
            "pass",
            "resume Black",
            "pass",
            "pass",
        ]


async def test_catching_up(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        match, one, other = await pair(hub)
        eye = await watch(hub, match)
        marks = [eye.now().position]
        for index, text in enumerate(("D4", "D6", "F4", "F6", "B2")):
            await move(hub, match, (one, other)[index % 2], text)
            marks.append(eye.now().position)
        late = await watch(hub, match, None, 2, marks[2])
        assert [event.number for event in late.all(p.Update)[0].events] == [3, 4, 5]
        assert late.now().position == eye.now().position
        there = await watch(hub, match, None, 5, marks[5])
        assert there.all(p.Update)[0].events == [] and not there.all(p.Snapshot)
        for after, position in ((2, marks[3]), (2, None), (9, marks[5]), (0, marks[0]), (-3, marks[2])):
            lost = await watch(hub, match, None, after, position)
            assert lost.all(p.Snapshot) and not lost.all(p.Update), (after, position)


async def test_who_is_here(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        match, one, other = await pair(hub)
        room = await room_of(hub, match)
        eye = await watch(hub, match, one)
        guests: list[Eye] = [await watch(hub, match) for _ in range(3)]
        await watch(hub, match, other)
        await until(lambda: eye.all(p.Info) and eye.all(p.Info)[-1].watchers == 5)
        assert [seat.here for seat in eye.all(p.Info)[-1].match.seats] == [True, True]
        assert len(eye.all(p.Info)) <= 2, "comings are told together"
        for gone in guests:
            hub.leave(room, gone)
        await until(lambda: eye.all(p.Info)[-1].watchers == 2)


async def test_claiming_against_somebody_gone(sqlite_url: str, passing: Passing) -> None:
    async with table(sqlite_url) as hub:
        patient, quick = hub.config, replace(hub.config, gone_untimed_ms=50)
        match, one, other = await pair(hub)
        eye = await watch(hub, match, one)
        there = await watch(hub, match, other)
        assert await refused(ask(hub, match, one, "claim")) == "not-your-turn"
        await move(hub, match, one, "D4")
        hub.config = quick
        passing(0.1)
        assert await refused(ask(hub, match, one, "claim")) == "not-now", "the other is here"
        hub.config, left_ms = patient, now_ms()
        hub.leave(await room_of(hub, match), there)
        assert await refused(ask(hub, match, one, "claim")) == "not-now", "the other was here just now"
        await until(lambda: not hub._tasks)
        seen = (await hub.store.seats_seen(match))[1]
        assert seen is not None and seen >= left_ms, "other processes know it too"
        told = (await hub.absences.of_opponent(match, one.id)).claim_from_ms
        assert told is not None and told >= left_ms + patient.gone_untimed_ms, "who waits is told how long"
        assert (await hub.absences.of_opponent(match, other.id)).claim_from_ms is None, (
            "nobody claims against who waits"
        )
        assert await refused(hub.absences.of_opponent(match, "somebody")) == "stranger"
        passing((told - now_ms() - 1000) / 1000)
        assert await refused(ask(hub, match, one, "claim")) == "not-now", "a second too early"
        passing(1.0)
        assert await ask(hub, match, one, "claim", id="claim") == 2
        assert await ask(hub, match, one, "claim", id="claim") == 2
        assert eye.now().outcome == p.Outcome(0, "forfeit")
        hub.config = replace(patient, gone_after_ms=50)
        calm, first, _ = await pair(hub)
        timed, second, _ = await pair(hub, clock=p.Absolute(600_000))
        await move(hub, calm, first, "D4")
        await move(hub, timed, second, "D4")
        passing(0.1)
        assert await refused(ask(hub, calm, first, "claim")) == "not-now", "without a clock there is no hurry"
        assert await ask(hub, timed, second, "claim") == 2
        slow, first, _ = await pair(hub, clock=p.Correspondence(1))
        await move(hub, slow, first, "D4")
        passing(0.1)
        assert await refused(ask(hub, slow, first, "claim")) == "not-now"


PATIENT: dict[str, Any] = {"gone_untimed_ms": 60_000, "outage_ms": 600_000}  # more than a busy machine needs


async def test_a_claim_waits_from_the_last_move_on(sqlite_url: str, passing: Passing) -> None:
    async with table(sqlite_url, **PATIENT) as hub:
        match, one, other = await pair(hub)
        await move(hub, match, one, "D4")
        passing(61)
        await move(hub, match, other, "D6")
        await move(hub, match, one, "F4")
        assert await refused(ask(hub, match, one, "claim")) == "not-now"
        passing(61)
        assert await ask(hub, match, one, "claim") == 4


async def test_a_claim_waits_after_a_restart_and_after_an_outage(sqlite_url: str, passing: Passing) -> None:
    async with table(sqlite_url, **PATIENT) as hub:
        match, one, _ = await pair(hub)
        await move(hub, match, one, "D4")
    passing(61)
    async with table(sqlite_url, **PATIENT, beat_s=60.0) as hub:
        assert await refused(ask(hub, match, one, "claim")) == "not-now"
        passing(61)
        hub.hold()
        hub.release()
        assert await refused(ask(hub, match, one, "claim")) == "not-now"
        passing(61)
        assert await ask(hub, match, one, "claim") == 2


async def test_lists_records_and_studies(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        match, one, other = await pair(hub)
        await move(hub, match, one, "D4")
        await move(hub, match, other, "D6")
        found = await hub.summaries(await hub.store.matches_of(one.id), one)
        assert (found[0].you, found[0].moves, found[0].to_move) == ([0], 2, 0)
        assert found[0].diagram == "9/9/9/3O5/4N4/3B5/9/9/9"
        played = (await room_of(hub, match)).match
        record = describe.record(played)
        record.check()
        assert [move.text for move in record.moves] == ["D4", "D6"]
        assert [node.text for node in describe.study(played).nodes] == ["", "D4", "D6"]
        waiting = await make(hub, one)
        assert await refused(hub.begun_room(waiting)) == "not-now"


async def test_limits_on_open_matches(sqlite_url: str) -> None:
    async with table(sqlite_url, limits=True, max_open_per_person=3) as hub:
        one = await person(hub)
        for _ in range(3):
            await make(hub, one)
        assert await refused(make(hub, one)) == "too-many"
        await make(hub, await person(hub))


async def _idle(hub: Hub, match: str) -> None:
    (await room_of(hub, match)).used_at -= 1000
    hub.rooms.drop_idle(10, hub.engines.is_busy)


async def test_rooms_that_nobody_needs_leave_memory(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        match, one, other = await pair(hub)
        await move(hub, match, one, "D4", id="mine")
        eye = await watch(hub, match, one)
        await _idle(hub, match)
        assert len(hub.rooms) == 1
        hub.leave(await room_of(hub, match), eye)
        await _idle(hub, match)
        assert len(hub.rooms) == 0
        assert await move(hub, match, one, "D4", id="mine") == 1
        assert await move(hub, match, other, "D6") == 2


async def test_what_is_asked_for_once_may_be_several_events(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        match, _, _ = await pair(hub)
        room = await room_of(hub, match)
        for _ in range(2):
            assert await hub.change(room, lambda m, at_ms: (m.suspend(at_ms), m.proceed(at_ms)), "mine") == 2
        assert [stored.client_id for stored in await hub.store.events(match)] == [None, "mine"]


async def test_many_rooms_are_loaded_together(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with table(sqlite_url) as hub:
        made = [await pair(hub) for _ in range(5)]
        for match, one, _ in made:
            await move(hub, match, one, "D4")
    async with table(sqlite_url) as hub:
        reads: list[list[str]] = []
        rows = hub.store.rows

        async def counted(ids: list[str]) -> Any:
            reads.append(list(ids))
            return await rows(ids)

        monkeypatch.setattr(hub.store, "rows", counted)
        ids = [match for match, _, _ in made]
        wanted = [hub.rooms.find(one) for one in [*ids, "nobody", *ids]]
        found = await asyncio.gather(*wanted, return_exceptions=True)
        assert [getattr(room, "number", None) for room in found] == [1] * 5 + [None] + [1] * 5
        assert isinstance(found[5], Refusal) and found[5].code == "unknown"
        assert len(reads) <= 2 and sorted(one for ids in reads for one in ids) == sorted([*ids, "nobody"])
