"""What the store changes apart from the log: functions from a connection, inside a transaction, to a result.

All may be run again after a rollback. What is added twice with the same id is there once. The log itself is
written by journal.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, delete, literal, or_, select, update

from tengen.server.store.reads import outages_since
from tengen.server.store.rows import MatchRow, Outage, Summary
from tengen.server.store.schema import beat as beats
from tengen.server.store.schema import claims, judgements, matches, outages, people, seats, studies
from tengen.server.store.statements import SUMMARY, Statements, insert, summary_values

CLOCK_SET_BACK_MS = 60_000  # a beat that lies further ahead was made by a clock that has been corrected


def rename(connection: Connection, person_id: str, name: str) -> None:
    connection.execute(update(people).where(people.c.id == person_id).values(name=name))


def add_match(connection: Connection, row: MatchRow) -> bool:
    """False if another match is the rematch already."""
    values = {
        "id": row.id,
        "game": row.game,
        "options": _json(row.options),
        "clock": _json(row.clock),
        "origin": _json(row.origin),
        "public": row.public,
        "created_ms": row.created_ms,
        "creator": row.creator,
        "started_ms": row.started_ms,
        "setup": _json(row.setup),
        "rematch_of": row.rematch_of,
        "estimate": row.estimate,
    }
    statement = insert(connection, matches).values(values | _summary(row.summary)).on_conflict_do_nothing()
    if connection.execute(statement.returning(matches.c.id)).one_or_none() is None:
        return head(connection, row.id) is not None
    for seat, who in enumerate(row.seats):
        connection.execute(
            seats.insert().values(
                match_id=row.id,
                seat=seat,
                kind=who.kind,
                name=who.name,
                player=who.player,
                holder=who.holder,
                invitation_hash=who.invitation_hash,
            )
        )
    return True


def head(connection: Connection, match_id: str) -> Row[str, int] | None:
    """The status and number of a match, which nobody else changes until this transaction ends."""
    query = select(matches.c.status, matches.c.number).where(matches.c.id == match_id)
    return connection.execute(query.with_for_update(key_share=True)).one_or_none()


def take_seat(
    connection: Connection, match_id: str, seat: int, holder: str, name: str, invitation_hash: str | None
) -> bool:
    match = head(connection, match_id)
    if match is None or match.status != "open":
        return False
    free = seats.c.kind == "open"
    if invitation_hash is not None:
        free |= (seats.c.kind == "invited") & (seats.c.invitation_hash == invitation_hash)
    statement = update(seats).where(seats.c.match_id == match_id, seats.c.seat == seat, free)
    taken = {"kind": "person", "holder": holder, "name": name, "invitation_hash": None}
    return connection.execute(statement.values(taken)).rowcount == 1


def start(
    connection: Connection, match_id: str, setup: dict[str, Any], started_ms: int, summary: Summary
) -> bool:
    statement = update(matches).where(matches.c.id == match_id, matches.c.status == "open")
    values = _summary(summary) | {"setup": _json(setup), "started_ms": started_ms}
    return connection.execute(statement.values(values)).rowcount == 1


def cancel(connection: Connection, match_id: str) -> bool:
    statement = update(matches).where(matches.c.id == match_id, matches.c.status == "open")
    if connection.execute(statement.values(status="cancelled", ended_ms=0)).rowcount != 1:
        return False
    connection.execute(update(seats).where(seats.c.match_id == match_id).values(ended_ms=0))
    return True


def claim(
    connection: Connection, process: str, match_id: str, number: int, until_ms: int, now_ms: int
) -> bool:
    """Only where the match is still at that number, and nobody else has a claim to it that holds."""
    source = select(matches.c.id, literal(number), literal(process), literal(until_ms)).where(
        matches.c.id == match_id, matches.c.number == number
    )
    columns = ["match_id", "number", "process", "until_ms"]
    statement = insert(connection, claims).from_select(columns, source)
    statement = statement.on_conflict_do_update(
        index_elements=[claims.c.match_id],
        set_={name: statement.excluded[name] for name in columns[1:]},
        where=or_(
            claims.c.process == process,
            claims.c.until_ms <= now_ms,
            claims.c.number < number,
        ),
    )
    return connection.execute(statement.returning(claims.c.match_id)).one_or_none() is not None


def unclaim(connection: Connection, process: str, match_id: str) -> None:
    connection.execute(delete(claims).where(claims.c.match_id == match_id, claims.c.process == process))


def beat(
    connection: Connection, now_ms: int, outage_ms: int, first_ms: int | None, known_ms: int
) -> list[Outage]:
    """The outages that ended after `known_ms`. A gap of more than `outage_ms` since the last beat is one.

    For who has not beaten before, which `first_ms` is given for, that much is enough, and a server that said
    that it stops has stopped then. What an older version has begun to put right counts as well.
    """
    first = insert(connection, beats).values(id=1, at_ms=now_ms).on_conflict_do_nothing()
    if connection.execute(first.returning(beats.c.id)).one_or_none() is not None:
        return outages_since(connection, known_ms)
    found = connection.execute(select(beats).with_for_update()).one()
    later = now_ms <= found.at_ms <= now_ms + CLOCK_SET_BACK_MS
    from_ms: int | None = found.outage_from_ms
    if from_ms is None and not later:
        if first_ms is not None and found.stopped_ms is not None:
            from_ms = found.stopped_ms
        elif now_ms - found.at_ms > (outage_ms if first_ms is None else first_ms):
            from_ms = found.at_ms
    if from_ms is not None and from_ms < now_ms:
        values = {"from_ms": from_ms, "until_ms": now_ms}
        connection.execute(insert(connection, outages).values(values).on_conflict_do_nothing())
    nothing = {"outage_from_ms": None, "recoverer": None, "recover_until_ms": None, "stopped_ms": None}
    connection.execute(update(beats).values(nothing if later else nothing | {"at_ms": now_ms}))
    return outages_since(connection, known_ms)


def stopped(connection: Connection, at_ms: int) -> None:
    """That a server serves nobody from then on; another one that still does takes it back."""
    connection.execute(update(beats).values(stopped_ms=at_ms))


def seen(
    connection: Connection, statements: Statements, present: Sequence[tuple[str, int]], now_ms: int
) -> None:
    connection.exec_driver_sql(statements.seen, (msgspec.json.encode(present).decode(), now_ms))


def forget_studies(connection: Connection, before_ms: int, limit: int) -> int:
    """Deletes some of those that were made before then; how many."""
    old = select(studies.c.id).where(studies.c.created_ms < before_ms).order_by(studies.c.created_ms)
    return connection.execute(delete(studies).where(studies.c.id.in_(old.limit(limit)))).rowcount


def add_study(connection: Connection, study_id: str, owner: str | None, created_ms: int, data: bytes) -> None:
    values = {"id": study_id, "owner": owner, "created_ms": created_ms, "data": data}
    connection.execute(insert(connection, studies).values(values).on_conflict_do_nothing())


def keep_judgements(connection: Connection, found: Sequence[tuple[str, bytes]], at_ms: int) -> None:
    """In place of what was known of those positions."""
    for key, data in found:
        statement = insert(connection, judgements).values(key=key, at_ms=at_ms, data=data)
        changed = {"at_ms": statement.excluded.at_ms, "data": statement.excluded.data}
        connection.execute(statement.on_conflict_do_update(index_elements=["key"], set_=changed))


def forget_judgements(connection: Connection, most: int) -> None:
    """Leaves so many, those that were found last."""
    last = select(judgements.c.at_ms).order_by(judgements.c.at_ms.desc()).offset(most).limit(1)
    connection.execute(delete(judgements).where(judgements.c.at_ms <= last.scalar_subquery()))


def _summary(summary: Summary) -> dict[str, Any]:
    return dict(zip(SUMMARY, summary_values(summary), strict=True))


def _json(value: Any) -> str | None:
    return None if value is None else msgspec.json.encode(value).decode()
