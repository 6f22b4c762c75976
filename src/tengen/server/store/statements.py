"""The statements of the hot path, in the words of each database.

Each takes one JSON text for any number of rows and gives one JSON text back, so that a batch is a handful of
calls however many matches are in it: a driver lets other threads run at every row that it steps over, and
next to a busy event loop each such step can cost milliseconds.

| statement | takes | gives |
|---|---|---|
| `events` | {match id: number} | a list of [match id, event] after those, in no order |
| `seen` | a list of [match id, seat], and a time | |
| `given` | a list of match ids, as the parameter `ids` | those ids as rows, to be looked for in a query |
| `notify` | a list of payloads | |

Events are stored in a few steps with SQLite, and in one with PostgreSQL, where each is a way to a server and
back. appending.py says in which order.

| statement | takes | gives |
|---|---|---|
| `HEADS` | a list of match ids | {match id: [number of the last event, status]} |
| `INSERT` | a list of events: the columns in the order of `EVENT` | |
| `UPDATE` | a list of summaries: match id, then the columns in the order of `SUMMARY` | |
| `GO_ON` | the same, of matches that are played as before: their status is left alone | |
| `END` | a list of [match id, time of its last event] of matches that are over | |
| `APPEND` | a list of appends, each in the order of `GIVEN`, and the process | the ids that went in |
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite

from tengen.server.store.rows import Summary

EVENT = ("match_id", "number", "kind", "seat", "at_ms", "data", "position", "client_id")
SUMMARY = (
    "number",
    "moves",
    "to_move",
    "moved_ms",
    "diagram",
    "status",
    "outcome",
    "flag_at_ms",
    "machine_due",
)

_INTEGERS = {"number", "moves", "seat", "to_move", "at_ms", "moved_ms", "flag_at_ms"}
_TYPES = dict.fromkeys(_INTEGERS, "bigint") | {"machine_due": "boolean"}


def summary_values(summary: Summary) -> tuple[Any, ...]:
    """The columns of a summary in the order of `SUMMARY`, as the tables hold them."""
    outcome = None if summary.outcome is None else msgspec.json.encode(summary.outcome).decode()
    return (
        summary.number,
        summary.moves,
        summary.to_move,
        summary.moved_ms,
        summary.diagram,
        summary.status,
        outcome,
        summary.flag_at_ms,
        summary.machine_due,
    )


def insert(connection: Connection, table: Table) -> sqlite.Insert | postgresql.Insert:
    """That knows what to do about a conflict."""
    return sqlite.insert(table) if connection.dialect.name == "sqlite" else postgresql.insert(table)


@dataclass(frozen=True, slots=True)
class Statements:
    events: str
    seen: str
    given: str
    notify: str | None


def _sqlite(names: tuple[str, ...]) -> str:
    return ", ".join(f"json_extract(value, '$[{i}]') AS {name}" for i, name in enumerate(names))


def _postgres(names: tuple[str, ...], value: str = "value") -> str:
    return ", ".join(f"({value}->>{i})::{_TYPES.get(name, 'text')} AS {name}" for i, name in enumerate(names))


def _assign(names: tuple[str, ...]) -> str:
    return ", ".join(f"{name} = given.{name}" for name in names)


_ENDED = "ended_ms = CASE given.status WHEN 'over' THEN given.moved_ms END"

HEADS = """
    SELECT json_group_object(id, json_array(number, status)) FROM matches
    WHERE id IN (SELECT value FROM json_each(?))"""
INSERT = f"""
    INSERT INTO events ({", ".join(EVENT)})
    SELECT {_sqlite(EVENT)} FROM json_each(?)"""  # noqa: S608
UPDATE = f"""
    UPDATE matches SET {_assign(SUMMARY)}, {_ENDED}
    FROM (SELECT {_sqlite(("match_id", *SUMMARY))} FROM json_each(?)) AS given
    WHERE matches.id = given.match_id"""  # noqa: S608
# A column that is set is taken out of its indexes and put in again, be it the same: nearly a page a move.
GO_ON = f"""
    UPDATE matches SET {_assign(tuple(name for name in SUMMARY if name != "status"))}
    FROM (SELECT {_sqlite(("match_id", *SUMMARY))} FROM json_each(?)) AS given
    WHERE matches.id = given.match_id"""  # noqa: S608
END = """
    UPDATE seats SET ended_ms = json_extract(given.value, '$[1]') FROM json_each(?) AS given
    WHERE seats.match_id = json_extract(given.value, '$[0]')"""

# Locks the matches in the order of their ids, leaves out what others were first with, and tells of the rest:
# `told` is whether the events themselves are, `part` in which notification. The text of a JSON value is as it
# came, without spaces but in strings, where they can be written otherwise; a payload is split at spaces.
GIVEN = ("match_id", "after", "last", "part", "told", "rows", "summary")
APPEND = f"""
    WITH given AS MATERIALIZED (
        SELECT value->>0 AS match_id, (value->>1)::bigint AS after, (value->>2)::bigint AS last,
            (value->>3)::bigint AS part, (value->>4)::boolean AS told, value->5 AS rows, value->6 AS summary
        FROM json_array_elements(%s::json) AS value),
    locked AS MATERIALIZED (
        SELECT id, number FROM matches WHERE id IN (SELECT match_id FROM given)
        ORDER BY id FOR NO KEY UPDATE),
    fits AS MATERIALIZED (
        SELECT given.* FROM given JOIN locked ON id = match_id AND number = after),
    inserted AS (
        INSERT INTO events ({", ".join(EVENT)})
        SELECT match_id, {_postgres(EVENT[1:])} FROM fits, json_array_elements(rows) AS value),
    updated AS (
        UPDATE matches SET {_assign(SUMMARY)}, {_ENDED}
        FROM (SELECT match_id, {_postgres(SUMMARY, "summary")} FROM fits) AS given
        WHERE matches.id = given.match_id),
    ended AS (
        UPDATE seats SET ended_ms = (summary->>{SUMMARY.index("moved_ms")})::bigint FROM fits
        WHERE summary->>{SUMMARY.index("status")} = 'over' AND seats.match_id = fits.match_id)
    SELECT json_agg(match_id)::text, pg_notify('tengen', %s::text
        || '[' || string_agg(CASE WHEN told THEN replace(rows::text, ' ', '\\u0020') ELSE 'null' END, ',')
        || ']' || string_agg(' ' || match_id || ' ' || last, '')) FROM fits GROUP BY part"""  # noqa: S608

# CROSS JOIN keeps SQLite's planner from walking the whole table for every row that is given.
SQLITE = Statements(
    events="""
        SELECT json_group_array(json_array(match_id, json_array(
            number, kind, seat, at_ms, json(data), position, client_id)))
        FROM json_each(?) AS given CROSS JOIN events
        ON events.match_id = given.key AND events.number > given.value""",
    seen="""
        UPDATE seats SET seen_ms = max(coalesce(seen_ms, 0), ?2)
        WHERE (match_id, seat) IN (
            SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?1))""",
    given="SELECT value FROM json_each(:ids)",
    notify=None,
)

POSTGRES = Statements(
    events="""
        SELECT coalesce(json_agg(json_build_array(match_id, json_build_array(
            number, kind, seat, at_ms, data::json, position, client_id))), '[]')::text
        FROM json_each_text(%s::json) AS given JOIN events
        ON events.match_id = given.key AND events.number > given.value::bigint""",
    seen="""
        WITH given AS (
            SELECT match_id, seat FROM seats
            WHERE (match_id, seat) IN (
                SELECT value->>0, (value->>1)::bigint FROM json_array_elements(%s::json) AS value)
            ORDER BY match_id, seat FOR NO KEY UPDATE)
        UPDATE seats SET seen_ms = greatest(seats.seen_ms, %s) FROM given
        WHERE seats.match_id = given.match_id AND seats.seat = given.seat""",
    given="SELECT json_array_elements_text(CAST(:ids AS json))",
    notify="SELECT pg_notify('tengen', value) FROM json_array_elements_text(%s::json) AS value",
)
