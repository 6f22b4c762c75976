"""The operator's tables: bans, notices to everybody, and what people have reported.

Functions take a connection inside a transaction, `HouseStore` is the async face of them.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection, delete, or_, select, update

from tengen.server.store.people import Write, forget_in
from tengen.server.store.schema import bans, matches, notices, people, reports, seats
from tengen.server.store.statements import insert

BanKind = Literal["address", "name", "drain"]
ReportKind = Literal["name", "study"]
MOST_REPORTS = 200  # that are shown


@dataclass(frozen=True, slots=True)
class BanRow:
    """`value` is an address, a network, or the shape of a name.

    Of the kind drain there is one at most, which is about processes that ran when it was made.
    """

    kind: BanKind
    value: str
    created_ms: int
    until_ms: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class NoticeRow:
    id: str
    text: str
    created_ms: int
    until_ms: int | None = None


@dataclass(frozen=True, slots=True)
class ReportRow:
    """`subject` is a match and a seat, or a study; `person` whose writing it is, as far as that is known."""

    id: str
    created_ms: int
    reporter: str | None
    address: str
    kind: ReportKind
    subject: str
    person: str | None
    text: str
    reason: str
    done_ms: int | None = None


class HouseStore:
    def __init__(self, read: Callable[..., Coroutine[Any, Any, Any]], write: Write) -> None:
        self._read, self._write = read, write

    async def bans(self, now_ms: int) -> list[BanRow]:
        """Those that hold, the latest first."""
        found: list[BanRow] = await self._read(_bans, now_ms)
        return found

    async def ban(self, row: BanRow) -> None:
        """In the place of one of the same."""
        await self._write(lambda connection: _ban(connection, row))

    async def unban(self, kind: str, value: str) -> None:
        statement = delete(bans).where(bans.c.kind == kind, bans.c.value == value)
        await self._write(lambda connection: connection.execute(statement) and None)

    async def names(self) -> list[str]:
        """Every name that somebody has."""
        found: list[str] = await self._read(_names)
        return found

    async def live(self, limit: int) -> list[str]:
        """Matches that are played, private ones too, the last moved first."""
        found: list[str] = await self._read(_live, limit)
        return found

    async def notices(self, now_ms: int) -> list[NoticeRow]:
        found: list[NoticeRow] = await self._read(_notices, now_ms)
        return found

    async def add_notice(self, row: NoticeRow) -> None:
        values = {"id": row.id, "text": row.text, "created_ms": row.created_ms, "until_ms": row.until_ms}
        await self._write(lambda connection: connection.execute(notices.insert().values(values)) and None)

    async def drop_notice(self, notice_id: str) -> None:
        statement = delete(notices).where(notices.c.id == notice_id)
        await self._write(lambda connection: connection.execute(statement) and None)

    async def add_report(self, row: ReportRow) -> None:
        await self._write(lambda connection: _add_report(connection, row))

    async def reports(self) -> list[ReportRow]:
        """Those that nobody has dealt with, the oldest first."""
        found: list[ReportRow] = await self._read(_reports)
        return found

    async def close_report(self, report_id: str, now_ms: int) -> None:
        statement = update(reports).where(reports.c.id == report_id).values(done_ms=now_ms)
        await self._write(lambda connection: connection.execute(statement) and None)


def _bans(connection: Connection, now_ms: int) -> list[BanRow]:
    holds = or_(bans.c.until_ms.is_(None), bans.c.until_ms > now_ms)
    query = select(bans).where(holds).order_by(bans.c.created_ms.desc())
    return [BanRow(*row) for row in connection.execute(query)]


def _ban(connection: Connection, row: BanRow) -> None:
    values = {
        "kind": row.kind,
        "value": row.value,
        "created_ms": row.created_ms,
        "until_ms": row.until_ms,
        "note": row.note,
    }
    statement = insert(connection, bans).values(values)
    changed = {name: statement.excluded[name] for name in ("created_ms", "until_ms", "note")}
    connection.execute(statement.on_conflict_do_update(index_elements=["kind", "value"], set_=changed))


def unname(connection: Connection, names: list[str]) -> list[str]:
    connection.execute(update(people).where(people.c.name.in_(names)).values(name=""))
    person = (seats.c.kind == "person") & seats.c.name.in_(names)
    found = connection.execute(select(seats.c.match_id, seats.c.holder).where(person)).all()
    for row in found:
        if row.holder is not None:
            forget_in(connection, row.match_id, row.holder, row.holder)
    connection.execute(update(seats).where(person).values(name=""))
    return [row.match_id for row in found]


def _names(connection: Connection) -> list[str]:
    return list(connection.execute(select(people.c.name).where(people.c.name != "").distinct()).scalars())


def _live(connection: Connection, limit: int) -> list[str]:
    query = select(matches.c.id).where(matches.c.status == "playing").order_by(matches.c.moved_ms.desc())
    return list(connection.execute(query.limit(limit)).scalars())


def _notices(connection: Connection, now_ms: int) -> list[NoticeRow]:
    holds = or_(notices.c.until_ms.is_(None), notices.c.until_ms > now_ms)
    query = select(notices).where(holds).order_by(notices.c.created_ms)
    return [NoticeRow(*row) for row in connection.execute(query)]


def _add_report(connection: Connection, row: ReportRow) -> None:
    values = {
        "id": row.id,
        "created_ms": row.created_ms,
        "reporter": row.reporter,
        "address": row.address,
        "kind": row.kind,
        "subject": row.subject,
        "person": row.person,
        "text": row.text,
        "reason": row.reason,
    }
    connection.execute(reports.insert().values(values))


def _reports(connection: Connection) -> list[ReportRow]:
    query = select(reports).where(reports.c.done_ms.is_(None)).order_by(reports.c.created_ms)
    return [ReportRow(*row) for row in connection.execute(query.limit(MOST_REPORTS))]
