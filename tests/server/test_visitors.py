"""The lobby as it is pushed: shown once, then told what changes, to very many at little cost."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tengen.server import protocol as p
from tengen.server.matches import lobby, visitors
from tengen.server.matches.hub import Hub
from tengen.server.stamp import now_ms
from tengen.server.store.people import BlockRow
from tengen.server.store.rows import PersonRow
from tests.server.live import live
from tests.server.table import Eye, make, move, pair, person, table, until
from tests.server.test_sockets import Client
from tests.server.test_telling import Counted, longest_step

pytestmark = pytest.mark.anyio
VISITORS = 10_000


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looks at the lobby much more often than once a second."""
    for module in (lobby, visitors):
        monkeypatch.setattr(module, "FRESH_S", 0.02)


async def visit(hub: Hub, who: PersonRow | None = None) -> Eye:
    eye = Eye(who)
    await hub.visitors.enter(eye)
    return eye


def last(eye: Eye) -> p.Listed:
    return eye.all(p.Listed)[-1]


@pytest.mark.usefixtures("quick")
async def test_who_visits_is_shown_all_and_then_told_what_changes(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        one = await person(hub, "Ada")
        first = await make(hub, one)
        stranger, maker = await visit(hub), await visit(hub, one)
        assert [match.info.id for match in last(stranger).matches] == last(stranger).open == [first]
        assert last(stranger).matches[0].you == [] and last(maker).matches[0].you == [0]
        second = await make(hub, one)
        await until(lambda: len(stranger.all(p.Listed)) == len(maker.all(p.Listed)) == 2)
        for eye, you in ((stranger, []), (maker, [0])):
            assert set(last(eye).open) == {first, second}
            assert [(match.info.id, match.you) for match in last(eye).matches] == [(second, you)]
        await hub.seating.join(first, await person(hub, "Bob"))
        await until(lambda: last(stranger).playing == [first])
        assert last(stranger).open == [second]
        assert [match.info.id for match in last(stranger).matches] == [first]


async def test_moves_alone_are_told_every_few_seconds(
    sqlite_url: str, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with table(sqlite_url) as hub:
        match, one, other = await pair(hub)
        eye = await visit(hub)
        await move(hub, match, one, "D4")
        looked = hub.lobby.lists
        looks = 0

        async def counted() -> lobby.Lists:
            nonlocal looks
            looks += 1
            return await looked()

        monkeypatch.setattr(hub.lobby, "lists", counted)
        await until(lambda: looks > 5)
        assert len(eye.all(p.Listed)) == 1, "a move is worth no message to everybody"
        await make(hub, other)
        await until(lambda: len(eye.all(p.Listed)) == 2)
        assert {summary.moves for summary in last(eye).matches} == {0, 1}, "but comes with the next one"
        monkeypatch.setattr(visitors, "MOVES_S", 0.0)
        await move(hub, match, other, "E4")
        await until(lambda: [summary.moves for summary in last(eye).matches] == [2])


@pytest.mark.usefixtures("quick")
async def test_who_has_left_is_told_nothing(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        one = await person(hub)
        gone, stays = await visit(hub, one), await visit(hub)
        hub.visitors.leave(gone)
        hub.visitors.leave(gone)
        await make(hub, one)
        await until(lambda: len(stays.all(p.Listed)) == 2)
        assert len(gone.seen) == 1
        hub.visitors.leave(stays)
        await until(lambda: hub.visitors._looking is None)
        again = await visit(hub)
        assert len(last(again).matches) == 1 and len(hub.visitors) == 1


@pytest.mark.usefixtures("quick")
async def test_what_a_blocked_person_has_open_is_hidden_from_either(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        rude, ann, bob = await person(hub, "Rude"), await person(hub, "Ann"), await person(hub, "Bob")
        hers, his, theirs = await make(hub, ann), await make(hub, bob), await make(hub, rude)
        eyes = {who.name: await visit(hub, who) for who in (rude, ann, bob)}
        for eye in eyes.values():
            assert set(last(eye).open) == {hers, his, theirs}
        await hub.store.people.block(ann.id, BlockRow(rude.id, rude.name, now_ms()))
        await until(lambda: set(last(eyes["Ann"]).open) == {hers, his})
        await until(lambda: set(last(eyes["Rude"]).open) == {his, theirs})
        assert set(last(eyes["Bob"]).open) == {hers, his, theirs}
        came = await visit(hub, ann)
        assert {summary.info.id for summary in last(came).matches} == {hers, his}
        shown = [match.info.id for match in (await hub.lobby.lists()).lobby(rude.id).open]
        assert set(shown) == {his, theirs}
        await hub.store.people.unblock(ann.id, rude.id)
        await until(lambda: set(last(came).open) == {hers, his, theirs})
        assert theirs in {summary.info.id for summary in last(came).matches}, "it is new to them"
        assert [one.you for one in last(came).matches if one.info.id == hers] == [[0]]


async def test_who_visits_hears_of_their_own_matches(sqlite_url: str) -> None:
    async with table(sqlite_url) as hub:
        match, one, other = await pair(hub)
        eye, stranger = await visit(hub, one), await visit(hub, await person(hub))
        await move(hub, match, one, "D4")
        assert eye.all(p.Yours) == [p.Yours(match)]
        fresh = await make(hub, one)
        assert eye.all(p.Yours)[-1] == p.Yours(fresh)
        await hub.seating.join(fresh, other)
        assert len(eye.all(p.Yours)) > 2 and eye.all(p.Yours)[-1] == p.Yours(fresh)
        assert stranger.all(p.Yours) == []


async def test_who_visits_hears_what_another_process_does(postgres_url: str) -> None:
    async with table(postgres_url) as here, table(postgres_url) as there:
        match, one, _ = await pair(here)
        eye = await visit(there, one)
        assert last(eye).playing == [match]
        told = len(eye.all(p.Yours))
        await move(here, match, one, "D4")
        await until(lambda: len(eye.all(p.Yours)) > told)
        fresh = await make(here, one)
        await until(lambda: fresh in last(eye).open)


async def test_ten_thousand_visitors_cost_a_small_part_of_a_core(sqlite_url: str, quick: None) -> None:
    """A second of a busy lobby: the loop is never held up, and all are told within a tenth of it."""
    async with table(sqlite_url) as hub:
        one = await person(hub)
        await make(hub, one)
        order: list[object] = []
        crowd = [Counted(order) for _ in range(VISITORS)]
        begun = time.thread_time()
        for visitor in crowd:
            await hub.visitors.enter(visitor)
        assert (time.thread_time() - begun) / VISITORS < 0.001
        order.clear()

        async def changed() -> None:
            await make(hub, one)
            await until(lambda: len(order) >= VISITORS)

        begun = time.thread_time()
        held_s = await longest_step(changed())
        assert held_s < 0.02
        assert all(len(visitor.heard) == 2 for visitor in crowd)
        assert len({id(visitor.heard[1]) for visitor in crowd}) == 1, "encoded once"
        for visitor in crowd:
            hub.visitors.leave(visitor)
        assert len(hub.visitors) == 0


def test_a_socket_visits_and_leaves(tmp_path: Path) -> None:
    with live(tmp_path) as server:
        made = server.client().post(
            "/api/matches", json={"game": "go", "seats": [{"kind": "me"}, {"kind": "open"}]}
        )
        secret, match = made.json()["secret"], made.json()["match"]
        with Client(server, secret) as client:
            client.say(p.Visit())
            listed = client.hear(p.Listed)
            assert listed.open == [match] and listed.matches[0].you == [0]
            second = server.client(secret).post(
                "/api/matches", json={"game": "go", "seats": [{"kind": "me"}, {"kind": "me"}]}
            )
            assert client.hear(p.Yours).match == second.json()["match"]
            assert client.hear(p.Listed).playing == [second.json()["match"]]
            client.say(p.Visit(on=False))
            client.say(p.Ping(1))
            client.hear(p.Pong)
            assert len(server.service.hub.visitors) == 0
            client.say(p.Visit())
            client.hear(p.Listed)
            client.say(p.Hello(p.PROTOCOL))
            client.hear(p.Welcome)
            assert len(server.service.hub.visitors) == 0, "whoever it is now has not asked"
