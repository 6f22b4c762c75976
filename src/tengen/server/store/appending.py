"""How appends go into a transaction, whichever database it is: which of them fit, and what is told of those.

With SQLite, which has one writer at a time, there is time to ask for the numbers of the matches and to write
what fits. With PostgreSQL all of that is one statement, which is a transaction by itself and one way there
and back; it also tells other processes, with the events themselves where there is room for them. Start
reading at `append_to_file` and `append_to_server`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

import msgspec
from msgspec import Raw
from sqlalchemy.engine.interfaces import DBAPICursor

from tengen.server.store import statements
from tengen.server.store.notify import MAX_PAYLOAD
from tengen.server.store.rows import Stored, Summary
from tengen.server.store.statements import SUMMARY, summary_values

Row = tuple[Any, ...]

_STATUS = 1 + SUMMARY.index("status")  # in a summary that begins with its match
_ENDED = itemgetter(0, 1 + SUMMARY.index("moved_ms"))
_SPACE = len("\\u0020") - 1  # what one in a string takes more in a notification


@dataclass(frozen=True, slots=True)
class Append:
    """`after` is the number that the last event of the match must have; `rows` lack the id of the match."""

    match_id: str
    after: int
    last: int
    rows: list[Row]
    summary: Row


def make_append(match_id: str, stored: Sequence[Stored], summary: Summary) -> Append:
    """Raises ValueError for events that do not follow each other, or texts that no database can hold."""
    first = stored[0].event.number if stored else 0
    rows: list[Row] = []
    for number, one in enumerate(stored, start=first):
        event, client_id = one.event, one.client_id
        if event.number != number:
            break
        if not (client_id is None or client_id.isprintable()):
            raise ValueError("a client id must be printable")
        rows.append((number, event.kind, event.seat, event.at_ms, event.data, event.position, client_id))
    if not rows or len(rows) < len(stored) or rows[-1][0] != summary.number:
        raise ValueError("an append needs events in a row, the last with the number of the summary")
    return Append(match_id, first - 1, summary.number, rows, summary_values(summary))


def append_to_file(cursor: DBAPICursor, appends: Mapping[int, Append]) -> set[int]:
    """Which of them went in, within a transaction that nobody else writes in."""
    if not appends:
        return set()
    cursor.execute(statements.HEADS, (_json(sorted({append.match_id for append in appends.values()})),))
    heads: dict[str, tuple[int, str]] = msgspec.json.decode(cursor.fetchone()[0])  # type: ignore[index]
    numbers = {match_id: number for match_id, (number, _) in heads.items()}
    rows: list[Row] = []
    summaries: dict[str, Row] = {}
    went_in = set()
    for i, append in appends.items():
        match_id = append.match_id
        if numbers.get(match_id) == append.after:
            numbers[match_id] = append.last
            rows += [(match_id, *row) for row in append.rows]
            summaries[match_id] = (match_id, *append.summary)
            went_in.add(i)
    if went_in:
        cursor.execute(statements.INSERT, (_json(rows),))
        _update_file(cursor, summaries.values(), heads)
    return went_in


def _update_file(cursor: DBAPICursor, summaries: Iterable[Row], heads: Mapping[str, tuple[int, str]]) -> None:
    """Of most matches it is only told how far they are; `heads` has the status of each until now."""
    going_on: list[Row] = []
    others: list[Row] = []
    for row in summaries:
        same = row[_STATUS] == heads[row[0]][1] == "playing"
        (going_on if same else others).append(row)
    if going_on:
        cursor.execute(statements.GO_ON, (_json(going_on),))
    if others:
        cursor.execute(statements.UPDATE, (_json(others),))
    if ended := [_ENDED(row) for row in others if row[_STATUS] == "over"]:
        cursor.execute(statements.END, (_json(ended),))


def append_to_server(cursor: DBAPICursor, appends: Sequence[Append], process: str) -> set[str]:
    """The matches whose append went in. No two may be to the same match, and the cursor commits by itself."""
    cursor.execute(statements.APPEND, (_json(_given(appends, process)), process))
    return {match_id for row in cursor.fetchall() for match_id in msgspec.json.decode(row[0])}


def _given(appends: Sequence[Append], process: str) -> list[Row]:
    """As `GIVEN` says: with the notification that each is told in, and whether its events fit into one."""
    given: list[Row] = []
    room = MAX_PAYLOAD - len(process) - len("[]")
    part, left = 0, room
    for append in appends:
        rows = msgspec.json.encode(append.rows)
        head = len(f" {append.match_id} {append.last}")
        size = len(rows) + _SPACE * rows.count(b" ") + len(",")
        told = head + size <= room
        takes = head + (size if told else len("null,"))
        if takes > left:
            part, left = part + 1, room
        left -= takes
        given.append((append.match_id, append.after, append.last, part, told, Raw(rows), append.summary))
    return given


def _json(value: list[Any]) -> str:
    return msgspec.json.encode(value).decode()
