"""What the store looks up: functions from a connection to rows. None of them writes or locks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

import msgspec
from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Row,
    Select,
    TextualSelect,
    and_,
    column,
    func,
    literal_column,
    select,
    text,
)

from tengen.server.store.rows import Columns, MatchRow, Outage, SeatRow, Stored, Summary, read_stored
from tengen.server.store.schema import beat as beats
from tengen.server.store.schema import claims, judgements, matches, outages, seats, studies
from tengen.server.store.statements import SUMMARY, Statements

MATCHES_A_QUERY = 200

T = TypeVar("T")

_SEAT = ("kind", "name", "player", "holder", "invitation_hash")
_seats = tuple(seats.alias(f"seat_{seat}") for seat in (0, 1))
_later = matches.alias("later")
_decode_events = msgspec.json.Decoder(list[tuple[str, Columns]]).decode


def match(connection: Connection, match_id: str) -> MatchRow | None:
    row = connection.execute(_select().where(matches.c.id == match_id)).one_or_none()
    return None if row is None else _match_row(row)


def rows(connection: Connection, statements: Statements, ids: Sequence[str]) -> dict[str, MatchRow]:
    """Those of the matches that there are."""
    found: dict[str, MatchRow] = {}
    for part in batched(ids):
        for row in connection.execute(_select().where(matches.c.id.in_(_given(statements, part)))):
            found[row.id] = _match_row(row)
    return found


def lobby(connection: Connection, limit: int, since_ms: int) -> tuple[list[MatchRow], list[MatchRow]]:
    joinable = _seats[0].c.kind == "open", _seats[1].c.kind == "open"
    alive = (matches.c.moved_ms >= since_ms) | matches.c.flag_at_ms.is_not(None)
    return (
        _listed(connection, "open", limit, joinable[0] | joinable[1]),
        _listed(connection, "playing", limit, alive),
    )


def _listed(
    connection: Connection, status: str, limit: int, *conditions: ColumnElement[bool]
) -> list[MatchRow]:
    query = _select().where(matches.c.status == status, matches.c.public, *conditions)
    query = query.order_by(matches.c.created_ms.desc(), matches.c.id).limit(limit)
    return [_match_row(row) for row in connection.execute(query)]


Place = tuple[int, str | None]  # a match in a list: when it last moved, and its id


def matches_of(
    connection: Connection, statements: Statements, person_id: str, limit: int, before: Place | None
) -> list[MatchRow]:
    """Those that go on are few; of those that have ended only so many are looked at as may be shown."""
    ids: set[str] = set()
    for of_person, ended_ms, match_id in _of_person(person_id):
        going = select(match_id).where(of_person, ended_ms.is_(None))
        ended = select(match_id).where(of_person, ended_ms > 0, *_after(ended_ms, match_id, before))
        ended = ended.order_by(ended_ms.desc(), match_id).limit(limit)
        ids |= {*connection.execute(going).scalars(), *connection.execute(ended).scalars()}
    query = _select().where(
        matches.c.id.in_(_given(statements, sorted(ids))),
        matches.c.status != "cancelled",
        *_after(matches.c.moved_ms, matches.c.id, before),
    )
    query = query.order_by(matches.c.moved_ms.desc(), matches.c.id).limit(limit)
    return [_match_row(row) for row in connection.execute(query)]


def _of_person(person_id: str) -> Iterator[tuple[ColumnElement[bool], Column[int], Column[str]]]:
    """Where matches of somebody are found, each way with an index that has these three in this order."""
    yield seats.c.holder == person_id, seats.c.ended_ms, seats.c.match_id
    yield matches.c.creator == person_id, matches.c.ended_ms, matches.c.id


def _after(at_ms: Column[int], match_id: Column[str], place: Place | None) -> list[ColumnElement[bool]]:
    """What comes after a place in a list that begins with the latest; its first part begins an index scan."""
    if place is None:
        return []
    before_ms, last_id = place
    if last_id is None:
        return [at_ms < before_ms]
    return [at_ms <= before_ms, (at_ms < before_ms) | (match_id > last_id)]


def live_of(connection: Connection, person_id: str) -> list[tuple[str, str, str | None]]:
    found: dict[str, tuple[str, str, str | None]] = {}
    for of_person, ended_ms, match_id in _of_person(person_id):
        query = select(matches.c.id, matches.c.status, matches.c.creator).where(of_person, ended_ms.is_(None))
        query = query.where(matches.c.id == match_id, matches.c.status.in_(("open", "playing")))
        found |= {row.id: (row.id, row.status, row.creator) for row in connection.execute(query)}
    return list(found.values())


def count_live(connection: Connection) -> int:
    return connection.execute(select(func.count()).where(matches.c.status == "playing")).scalar_one()


def due_flags(connection: Connection, now_ms: int, limit: int) -> list[str]:
    playing = func.coalesce(matches.c.status, "") == "playing"  # so that no index for it is used
    query = select(matches.c.id).where(matches.c.flag_at_ms <= now_ms, playing)
    return list(connection.execute(query.order_by(matches.c.flag_at_ms).limit(limit)).scalars())


def due_machines(connection: Connection, now_ms: int, limit: int) -> list[tuple[str, int]]:
    valid = and_(
        claims.c.match_id == matches.c.id,
        claims.c.number == matches.c.number,
        claims.c.until_ms > now_ms,
    )
    query = (
        select(matches.c.id, matches.c.number)
        .outerjoin(claims, valid)
        .where(literal_column("matches.machine_due"), claims.c.match_id.is_(None))
        .order_by(matches.c.moved_ms)
        .limit(limit)
    )
    return [(row.id, row.number) for row in connection.execute(query)]


def seats_seen_of(
    connection: Connection, statements: Statements, ids: Sequence[str]
) -> dict[str, tuple[int | None, int | None]]:
    """For every match that is asked about, when each seat was last seen."""
    seen: dict[tuple[str, int], int | None] = {}
    for part in batched(ids):
        query = select(seats.c.match_id, seats.c.seat, seats.c.seen_ms)
        found = connection.execute(query.where(seats.c.match_id.in_(_given(statements, part))))
        seen |= {(row.match_id, row.seat): row.seen_ms for row in found}
    return {match_id: (seen.get((match_id, 0)), seen.get((match_id, 1))) for match_id in ids}


def outages_since(connection: Connection, known_ms: int) -> list[Outage]:
    query = select(outages).where(outages.c.until_ms > known_ms).order_by(outages.c.until_ms)
    return [Outage(row.from_ms, row.until_ms) for row in connection.execute(query)]


def overheard(
    connection: Connection, now_ms: int, outage_ms: int, known_ms: int
) -> tuple[list[Outage], bool]:
    """The outages that ended after `known_ms`, and whether somebody serves."""
    last = connection.execute(select(beats)).one_or_none()
    serving = last is not None and last.stopped_ms is None and now_ms - last.at_ms <= outage_ms
    return outages_since(connection, known_ms), serving


def study(connection: Connection, study_id: str) -> bytes | None:
    return connection.execute(select(studies.c.data).where(studies.c.id == study_id)).scalar_one_or_none()


def judgements_of(connection: Connection, statements: Statements, keys: Sequence[str]) -> dict[str, bytes]:
    """What is known of those positions that something is known of."""
    found: dict[str, bytes] = {}
    for part in batched(keys):
        query = select(judgements.c.key, judgements.c.data).where(
            judgements.c.key.in_(_given(statements, part))
        )
        found.update((row.key, row.data) for row in connection.execute(query))
    return found


def study_bytes(connection: Connection) -> int:
    """How much all of them take; their lengths are found without reading them."""
    found: int | None = connection.execute(select(func.sum(func.length(studies.c.data)))).scalar_one()
    return int(found or 0)


def events_of(
    connection: Connection, statements: Statements, after: Mapping[str, int]
) -> dict[str, list[Stored]]:
    """The events after the given numbers, in order, for every match that is asked about."""
    found: dict[str, list[Stored]] = {match_id: [] for match_id in after}
    for part in batched(list(after.items())):
        asked = msgspec.json.encode(dict(part)).decode()
        answer = connection.exec_driver_sql(statements.events, (asked,)).scalar_one()
        for match_id, columns in _decode_events(answer):
            found[match_id].append(read_stored(columns))
    for log in found.values():
        log.sort(key=lambda stored: stored.event.number)
    return found


def _given(statements: Statements, ids: Sequence[str]) -> TextualSelect:
    return text(statements.given).bindparams(ids=msgspec.json.encode(ids).decode()).columns(column("value"))


def batched(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """As many at a time as one query is asked about."""
    for begin in range(0, len(items), MATCHES_A_QUERY):
        yield items[begin : begin + MATCHES_A_QUERY]


@cache
def _select() -> Select[*tuple[Any, ...]]:
    """A match with both seats and the id of its rematch in one row."""
    columns = [seat.c[name].label(f"{name}_{i}") for i, seat in enumerate(_seats) for name in _SEAT]
    joined = matches.outerjoin(_later, _later.c.rematch_of == matches.c.id)
    for i, seat in enumerate(_seats):
        joined = joined.join(seat, and_(seat.c.match_id == matches.c.id, seat.c.seat == i))
    return select(matches, _later.c.id.label("rematch"), *columns).select_from(joined)


def _match_row(row: Row[*tuple[Any, ...]]) -> MatchRow:
    values = row._mapping
    one, other = (SeatRow(**{name: values[f"{name}_{i}"] for name in _SEAT}) for i in (0, 1))
    summary: dict[str, Any] = {name: values[name] for name in SUMMARY}
    summary["outcome"] = _decode(summary["outcome"])
    origin: Sequence[Any] | None = _decode(row.origin)
    return MatchRow(
        id=row.id,
        game=row.game,
        options=_decode(row.options),
        clock=_decode(row.clock),
        origin=None if origin is None else (origin[0], origin[1]),
        public=row.public,
        created_ms=row.created_ms,
        creator=row.creator,
        started_ms=row.started_ms,
        setup=_decode(row.setup),
        rematch_of=row.rematch_of,
        rematch=row.rematch,
        seats=(one, other),
        summary=Summary(**summary),
        estimate=row.estimate,
    )


def _decode(text: str | None) -> Any:
    return None if text is None else msgspec.json.decode(text)
