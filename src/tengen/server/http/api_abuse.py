"""The HTTP API against what people write: report a name or a study, and meet somebody no more.

Nobody learns who somebody is by it: a person is named by the seat that they have. Start at `ENDPOINTS`.
"""

from __future__ import annotations

import hashlib
import secrets

import msgspec
from starlette.responses import Response

from tengen.records.record import shorten
from tengen.server.errors import Refusal, no_such_match
from tengen.server.http.endpoints import Call, Endpoint, now_ms
from tengen.server.limits import group
from tengen.server.names import clean_text
from tengen.server.protocol import Block, Blocked, Report, Study
from tengen.server.store.house import ReportRow
from tengen.server.store.people import BlockRow
from tengen.server.store.rows import SeatRow

MOST_TEXT = 2000  # characters of what is reported, and
MOST_REASON = 500  # of why
MOST_BLOCKS = 500


def short_id(person_id: str) -> str:
    """By which somebody who is blocked is named to who has blocked them; it says nothing to others."""
    return hashlib.sha256(f"blocked {person_id}".encode()).hexdigest()[:24]


async def _seat(call: Call, match: str, number: int | None) -> SeatRow:
    """The seat of a person other than who asks; raises Refusal."""
    row = await call.service.store.match(match)
    if row is None:
        raise no_such_match()
    if number not in (0, 1):
        raise Refusal("malformed", "seat must be 0 or 1.")
    seat = row.seats[number]
    if seat.kind != "person" or seat.holder is None:
        raise Refusal("not-now", "Nobody has that seat.")
    return seat


async def block(call: Call) -> Response:
    wish: Block = call.body
    person = await call.known_person()
    seat = await _seat(call, wish.match, wish.seat)
    assert seat.holder is not None
    if seat.holder == person.id:
        raise Refusal("not-now", "That is you.")
    store = call.service.store.people
    if len(await store.blocks(person.id)) >= MOST_BLOCKS:
        raise Refusal("too-many", f"You have blocked {MOST_BLOCKS} people, which is the most.")
    row = BlockRow(seat.holder, seat.name, now_ms())
    await store.block(person.id, row)
    return call.reply(Blocked(short_id(row.blocked), row.name, row.created_ms), 201)


async def unblock(call: Call) -> Response:
    person, store = await call.known_person(), call.service.store.people
    for one in await store.blocks(person.id):
        if short_id(one.blocked) == call.parameter("blocked"):
            await store.unblock(person.id, one.blocked)
            return Response(status_code=204)
    raise Refusal("unknown", "You have blocked nobody like that.")


def _texts(data: bytes) -> str:
    """What somebody wrote into a study, as far as the operator is shown it."""
    study = msgspec.json.decode(data, type=Study)
    comments = (node.comment for node in study.nodes if node.comment)
    return shorten("\n".join((study.title, *(one.name for one in study.players), *comments)), MOST_TEXT)


async def report(call: Call) -> Response:
    wish: Report = call.body
    call.service.limits.take("reports", call.address)
    person = await call.person()
    if wish.study is not None:
        data = await call.service.store.study(wish.study[:64])
        if data is None:
            raise Refusal("unknown", "There is no such study.")
        written = await call.aside(_texts, data)
        kind, subject, whose = "study", wish.study, await call.service.store.people.owner_of(wish.study)
    elif wish.match is not None:
        seat = await _seat(call, wish.match, wish.seat)
        kind, subject, whose = "name", f"{wish.match}/{wish.seat}", seat.holder
        written = seat.name
    else:
        raise Refusal("malformed", "Say what you report: a match and a seat, or a study.")
    row = ReportRow(
        id=secrets.token_urlsafe(9),
        created_ms=now_ms(),
        reporter=None if person is None else person.id,
        address=group(call.address),
        kind="study" if kind == "study" else "name",
        subject=subject,
        person=whose,
        text=shorten(written, MOST_TEXT),
        reason=shorten(clean_text(wish.reason), MOST_REASON),
    )
    await call.service.store.house.add_report(row)
    return Response(status_code=204)


ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        "POST",
        "/api/reports",
        report,
        "Tells the operator of a name or a study that should not be here",
        body=Report,
        status=204,
        problems=(404, 409),
        identity=True,
    ),
    Endpoint(
        "POST",
        "/api/me/blocks",
        block,
        "You and whoever has that seat do not meet any more",
        body=Block,
        answer=Blocked,
        status=201,
        problems=(404, 409),
        identity=True,
    ),
    Endpoint(
        "DELETE",
        "/api/me/blocks/{blocked:id}",
        unblock,
        "You may meet again",
        status=204,
        problems=(404,),
        identity=True,
    ),
)
