"""The HTTP API for what is asked once about people and matches. `ENDPOINTS` is the table; start there.

Handlers say what to do and in which order; rules, storage and wording are elsewhere.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import msgspec
from starlette.responses import Response

import tengen
from tengen.match import Match
from tengen.server.errors import Refusal
from tengen.server.games import game_infos, with_engines
from tengen.server.http import api_abuse, api_explore, api_lab, api_people, api_study, openapi
from tengen.server.http.endpoints import JSON, Call, Endpoint, Parameter
from tengen.server.http.replies import accepts, body_response
from tengen.server.http.studies import write_record
from tengen.server.limits import MAX_LIVE, MAX_OPEN, TooMany, group, work_of
from tengen.server.matches.describe import log_page, record, study
from tengen.server.protocol import (
    PROTOCOL,
    Absence,
    Created,
    Estimate,
    GameInfo,
    Join,
    Lobby,
    Log,
    Me,
    MyMatches,
    NewMatch,
    ServerInfo,
    Snapshot,
    Study,
)

PAGE = 50  # matches in a list
ROWS_A_MS = 10  # matches of somebody that are looked up
ESTIMATE_S = 1.0  # seconds of search that one costs
LARGE = 20_000  # bytes of an answer that is compressed beside the event loop
_MAX_MS = 2**53  # the largest whole number that JavaScript knows
_PLACE = re.compile(r"([0-9]{1,16})(?::([A-Za-z0-9_-]{1,64}))?")
MEDIA = {"json": "application/json", "sgf": "application/x-go-sgf"}


async def server_info(call: Call) -> Response:
    config = call.service.config
    return call.reply(
        ServerInfo(
            version=tengen.__version__,
            protocol=PROTOCOL,
            programs=sorted(config.programs),
            addresses=list(config.addresses),
            lab=api_lab.may_use(call.request, call.service),
        )
    )


async def game_list(call: Call) -> Response:
    return await call.service.shared.answer("games", _games, call.request.headers)


def _games() -> list[GameInfo]:
    return with_engines(game_infos())


@cache
def openapi_document() -> dict[str, Any]:
    return openapi.document(ENDPOINTS)


async def document(call: Call) -> Response:
    return await call.service.shared.answer("openapi", openapi_document, call.request.headers)


async def get_me(call: Call) -> Response:
    person = await call.person()
    return call.reply(Me(person.name if person else ""))


async def put_me(call: Call) -> Response:
    wanted: Me = call.body
    person, _ = await call.made_person(wanted.name)
    return call.reply(Me(person.name))


async def my_matches(call: Call) -> Response:
    before = _place(call.query("before"))
    person = await call.person()
    if person is None:
        return call.reply(MyMatches([]))
    store, limits, looked_at = call.service.store, call.service.limits, PAGE
    limits.take("work", call.address, work_of(0))
    rows = await store.matches_of(person.id, PAGE + 1, before)
    rows, more = rows[:PAGE], len(rows) > PAGE
    if more and before is None:  # a game that waits is not lost below those that were played since
        page, live = {row.id for row in rows}, await store.live_of(person.id)
        waiting = [match for match, _, _ in live if match not in page][:PAGE]
        rows = [*(await store.rows(waiting)).values(), *rows]
        looked_at += len(live)
    limits.charge("work", call.address, looked_at / ROWS_A_MS)
    return call.reply(MyMatches(await call.service.hub.summaries(rows, person), more=more))


def _place(text: str | None) -> tuple[int, str | None] | None:
    """The time and the id that a page goes on after; the id may be missing."""
    if text is None:
        return None
    if not (found := _PLACE.fullmatch(text)) or int(found[1]) > _MAX_MS:
        raise Refusal("malformed", "before must be the moved_ms of a match, a colon and its id.")
    return int(found[1]), found[2]


async def lobby(call: Call) -> Response:
    person, asked = await call.person(), call.request.headers
    found = await call.service.hub.lobby.shown(None if person is None else person.id)
    headers = {"cache-control": "no-cache", "etag": found.tag, "vary": "Accept-Encoding, Cookie"}
    if found.tag in asked.get("if-none-match", "").replace("W/", ""):
        return Response(None, 304, headers)
    if not accepts(asked, "gzip"):
        return Response(found.body, 200, headers, media_type=JSON)
    return Response(found.squeezed, 200, headers | {"content-encoding": "gzip"}, media_type=JSON)


async def create(call: Call) -> Response:
    wish: NewMatch = call.body
    limits, address = call.service.limits, call.address
    limits.take("creates", address)
    live = await _live_from(call)
    person, secret = await call.made_person(wish.name)
    if wish.name is not None:
        wish = msgspec.structs.replace(wish, name=call.service.hub.house.name(wish.name))
    made = await call.service.hub.seating.create(wish, person)
    limits.remember_made(address, [*live, made.match])
    made = msgspec.structs.replace(made, secret=secret)
    return call.reply(made, 201, location=f"/api/matches/{made.match}")


async def _live_from(call: Call) -> list[str]:
    """The matches made from this address that go on; raises TooMany when they are too many."""
    limits, address = call.service.limits, call.address
    known = limits.made(address)
    if len(known) < MAX_OPEN:
        return known
    rows = await call.service.store.rows(known)
    live = [row for row in rows.values() if row.summary.status in ("open", "playing")]
    limits.remember_made(address, [row.id for row in live])
    if len(live) >= MAX_LIVE or sum(row.summary.status == "open" for row in live) >= MAX_OPEN:
        raise TooMany(60.0, "Too many matches from here are waiting; play or cancel some first.")
    return [row.id for row in live]


async def get_match(call: Call) -> Response:
    hub, match = call.service.hub, call.parameter("match")
    call.service.limits.take("work", call.address, work_of(0))
    kept = hub.rooms.get(match) is not None
    data = await hub.snapshot(match, await call.person())
    cost = work_of(len(data), 0 if kept else hub.number_of(match))
    call.service.limits.charge("work", call.address, cost)
    if len(data) < LARGE:
        return call.finish(body_response(data, "application/json", 200, call.request.headers))
    return await call.aside(body_response, data, "application/json", 200, call.request.headers)


async def _played(call: Call) -> Match:
    """The match that is asked about, which has begun; who has it read from the store pays for that."""
    hub, limits, match_id = call.service.hub, call.service.limits, call.parameter("match")
    kept = hub.rooms.get(match_id) is not None
    limits.take("work", call.address, work_of(0))
    match = (await hub.begun_room(match_id)).match
    if not kept:
        limits.charge("work", call.address, work_of(0, len(match.events)))
    return match


async def match_events(call: Call) -> Response:
    text = call.query("after") or "0"
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise Refusal("malformed", "after must be the number of the last event that you have.")
    return await call.aside(lambda match: call.reply(log_page(match, int(text))), await _played(call))


async def join(call: Call) -> Response:
    wish: Join = call.body
    match = call.parameter("match")
    if await call.service.store.match(match) is None:
        raise Refusal("unknown", "There is no such match.")
    name = None if wish.name is None else call.service.hub.house.name(wish.name)
    person, secret = await call.made_person(name)
    seats = await call.service.hub.seating.join(match, person, wish.token, name)
    return call.reply(Created(match, seats, secret=secret))


async def cancel(call: Call) -> Response:
    person = await call.person()
    if person is None:
        if await call.service.store.match(call.parameter("match")) is None:
            raise Refusal("unknown", "There is no such match.")
        raise Refusal("stranger", "Only who made a match can cancel it.")
    await call.service.hub.seating.cancel(call.parameter("match"), person)
    return Response(status_code=204)


async def match_record(call: Call) -> Response:
    form, match = call.choice("format", ("json", "sgf")), call.parameter("match")
    played, request_headers = await _played(call), call.request.headers
    headers = {"content-disposition": f'attachment; filename="{played.game.name}-{match[:8]}.{form}"'}

    def compute() -> Response:
        text = write_record(record(played), form)
        return body_response(text.encode(), MEDIA[form], request_headers=request_headers, headers=headers)

    return await call.aside(compute)


async def match_study(call: Call) -> Response:
    found = await call.aside(study, await _played(call))
    return await call.aside(call.reply, await call.service.kept.filled(found, call.aside))


async def match_estimate(call: Call) -> Response:
    call.service.limits.take("engine", call.address, ESTIMATE_S)
    await _played(call)
    found = await call.service.hub.estimate(call.parameter("match"), group(call.address))
    return call.reply(found)


async def match_absence(call: Call) -> Response:
    await _played(call)
    person = await call.person()
    person_id = None if person is None else person.id
    return call.reply(await call.service.hub.absences.of_opponent(call.parameter("match"), person_id))


_FORMAT = Parameter("format", "json for a tengen record, sgf for SGF.", {"enum": ["json", "sgf"]})
_BEFORE = Parameter(
    "before",
    "Only matches after this one in the list: its moved_ms, a colon and its id.",
    {"type": "string", "pattern": f"^{_PLACE.pattern}$"},
)
_AFTER = Parameter(
    "after",
    "The number of the last event that you have.",
    {"type": "integer", "minimum": 0, "maximum": 999_999_999},
)
_MATCH = "/api/matches/{match:id}"

ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint("GET", "/api/server", server_info, "What this server is and offers", answer=ServerInfo),
    Endpoint(
        "GET", "/api/games", game_list, "The games, with their options and levels", answer=list[GameInfo]
    ),
    Endpoint("GET", "/api/openapi.json", document, "This document", answer=dict),
    Endpoint("GET", "/api/me", get_me, "Your nickname", answer=Me, identity=True),
    Endpoint(
        "PUT",
        "/api/me",
        put_me,
        "Takes a nickname; makes you known to the server if need be",
        body=Me,
        answer=Me,
        identity=True,
    ),
    Endpoint(
        "GET",
        "/api/me/matches",
        my_matches,
        "The matches that you have a seat in, latest first",
        answer=MyMatches,
        problems=(400,),
        query=(_BEFORE,),
        identity=True,
    ),
    Endpoint("GET", "/api/lobby", lobby, "Public matches to join or to watch", answer=Lobby, identity=True),
    Endpoint(
        "POST",
        "/api/matches",
        create,
        "Makes a match",
        body=NewMatch,
        answer=Created,
        status=201,
        problems=(409,),
        identity=True,
    ),
    Endpoint("GET", _MATCH, get_match, "All of a match", answer=Snapshot, problems=(404,), identity=True),
    Endpoint(
        "DELETE",
        _MATCH,
        cancel,
        "Cancels a match of yours that still waits",
        status=204,
        problems=(404, 409),
        identity=True,
    ),
    Endpoint(
        "POST",
        f"{_MATCH}/join",
        join,
        "Takes a free seat, or the one that the token of an invitation is for",
        body=Join,
        answer=Created,
        problems=(404, 409),
        identity=True,
    ),
    Endpoint(
        "GET",
        f"{_MATCH}/events",
        match_events,
        "The log of a match, by pages",
        answer=Log,
        problems=(400, 404, 409),
        query=(_AFTER,),
    ),
    Endpoint(
        "GET",
        f"{_MATCH}/record",
        match_record,
        "The match as a file",
        media=tuple(MEDIA.values()),
        problems=(400, 404, 409),
        query=(_FORMAT,),
    ),
    Endpoint(
        "GET",
        f"{_MATCH}/estimate",
        match_estimate,
        "How the match stands, where its players allow the question",
        answer=Estimate,
        problems=(404, 409),
        searches=True,
    ),
    Endpoint(
        "GET",
        f"{_MATCH}/absence",
        match_absence,
        "When a win over an opponent who is away can be claimed",
        answer=Absence,
        problems=(404, 409),
    ),
    Endpoint(
        "GET", f"{_MATCH}/study", match_study, "The match to look at", answer=Study, problems=(404, 409)
    ),
    *api_people.ENDPOINTS,
    *api_abuse.ENDPOINTS,
    *api_study.ENDPOINTS,
    *api_explore.ENDPOINTS,
    *api_lab.ENDPOINTS,
)
