"""A server process of the first release, as far as PostgreSQL sees it: what it sent there, word by word.

The statements are those of the journal that came with schema 0001. They must never be brought up to date:
processes that run while others are upgraded go on saying exactly this. Start reading at `OldProcess.play`.
"""

from __future__ import annotations

import json
import random
import threading
from typing import Any

import psycopg

from tengen.match import Event, Match, Request, Setup

_HEADS = """
    SELECT coalesce(json_object_agg(id, number), '{}')::text FROM (
        SELECT id, number FROM matches
        WHERE id IN (SELECT json_array_elements_text(%s::json))
        ORDER BY id FOR NO KEY UPDATE) AS locked"""
_INSERT = """
    INSERT INTO events (match_id, number, kind, seat, at_ms, data, position, client_id)
    SELECT (value->>0)::text, (value->>1)::bigint, (value->>2)::text, (value->>3)::bigint,
        (value->>4)::bigint, (value->>5)::text, (value->>6)::text, (value->>7)::text
    FROM json_array_elements(%s::json) AS value"""
_UPDATE = """
    UPDATE matches SET number = given.number, moves = given.moves, to_move = given.to_move,
        moved_ms = given.moved_ms, diagram = given.diagram, status = given.status, outcome = given.outcome,
        flag_at_ms = given.flag_at_ms, machine_due = given.machine_due
    FROM (SELECT (value->>0)::text AS match_id, (value->>1)::bigint AS number, (value->>2)::bigint AS moves,
        (value->>3)::bigint AS to_move, (value->>4)::bigint AS moved_ms, (value->>5)::text AS diagram,
        (value->>6)::text AS status, (value->>7)::text AS outcome, (value->>8)::bigint AS flag_at_ms,
        (value->>9)::boolean AS machine_due FROM json_array_elements(%s::json) AS value) AS given
    WHERE matches.id = given.match_id"""
_EVENTS = """
    SELECT coalesce(json_agg(json_build_array(
        match_id, number, kind, seat, at_ms, data::json, position, client_id)), '[]')::text
    FROM json_each_text(%s::json) AS given JOIN events
    ON events.match_id = given.key AND events.number > given.value::bigint"""
_NOTIFY = "SELECT pg_notify('tengen', value) FROM json_array_elements_text(%s::json) AS value"
_BEAT = "UPDATE beat SET at_ms = %s"
_NEW_MATCH = """
    INSERT INTO matches (id, game, options, clock, origin, public, created_ms, creator, started_ms, setup,
        rematch_of, number, moves, to_move, moved_ms, diagram, status, outcome, flag_at_ms, machine_due)
    VALUES (%s, %s, %s, %s, NULL, true, %s, %s, %s, %s,
        NULL, 0, 0, 0, %s, %s, 'playing', NULL, NULL, false)"""
_NEW_SEAT = """
    INSERT INTO seats (match_id, seat, kind, name, player, holder) VALUES (%s, %s, 'person', %s, '', %s)"""
_SESSION = "SET lock_timeout = '5s'; SET statement_timeout = '30s'"


class OldProcess(threading.Thread):
    """Plays both seats of its matches, or one where `seats` says so, as fast as the database lets it."""

    def __init__(self, url: str, setup: Setup, matches: dict[str, tuple[int, ...]]) -> None:
        super().__init__(daemon=True)
        self._url = url.replace("+psycopg", "")
        self._setup, self._seats = setup, matches
        self._matches = {match: Match(setup) for match in matches}
        self._rng = random.Random(3)
        self.acknowledged: dict[str, int] = dict.fromkeys(matches, 0)  # the last event that was stored
        self.unavailable = 0  # times that it had to say so
        self.error: BaseException | None = None
        self.ending = threading.Event()

    def make(self, people: tuple[str, str], diagram: str) -> None:
        """Its matches, between those two."""
        setup, at_ms = self._setup.to_json(), self._setup.started_ms
        with psycopg.connect(self._url) as connection:
            for match in self._matches:
                clock, options = json.dumps(setup["clock"]), json.dumps(setup["options"])
                values = (match, setup["game"], options, clock, at_ms, people[0], at_ms, json.dumps(setup))
                connection.execute(_NEW_MATCH, (*values, at_ms, diagram))
                for seat, person in enumerate(people):
                    connection.execute(_NEW_SEAT, (match, seat, person, person))

    def run(self) -> None:
        try:
            while not self.ending.is_set():
                try:
                    with psycopg.connect(self._url) as connection:
                        connection.execute(_SESSION)
                        connection.commit()
                        self.play(connection)
                except psycopg.OperationalError:  # a lock that lasts, a deadlock: what it knows may be wrong
                    self.unavailable += 1
                    self._matches = {match: Match(self._setup) for match in self._matches}
        except BaseException as error:
            self.error = error

    def play(self, connection: psycopg.Connection) -> None:
        while not self.ending.is_set():
            for match_id in self._matches:
                self._catch_up(connection, match_id)
                self._move(connection, match_id)
            connection.execute(_BEAT, (self._setup.started_ms,))
            connection.commit()

    def _catch_up(self, connection: psycopg.Connection, match_id: str) -> None:
        """What other processes have stored."""
        match = self._matches[match_id]
        found = _one(connection.execute(_EVENTS, (json.dumps({match_id: len(match.events)}),)))
        for _, number, kind, seat, at_ms, data, position, _ in sorted(found, key=lambda row: row[1]):
            event = {"number": number, "kind": kind, "seat": seat, "at_ms": at_ms, "data": data}
            match.follow(Event.from_json(event | {"position": position}))
        connection.commit()

    def _move(self, connection: psycopg.Connection, match_id: str) -> None:
        match = self._matches[match_id]
        if match.outcome is not None or match.state.to_move not in self._seats[match_id]:
            return
        trial = match.copy()
        safe = [action for action in trial.state.legal_actions() if trial.state.play(action).outcome is None]
        if not safe:
            return
        at_ms = max([self._setup.started_ms, *(event.at_ms for event in match.events[-1:])])
        event = trial.apply(Request.move(trial.state.to_move, [self._rng.choice(safe)], at_ms))
        if _one(connection.execute(_HEADS, (json.dumps([match_id]),)))[match_id] != event.number - 1:
            connection.rollback()
            return
        row = [match_id, event.number, event.kind, event.seat, event.at_ms, json.dumps(event.data)]
        connection.execute(_INSERT, (json.dumps([[*row, event.position, f"old-{event.number}"]]),))
        summary = [
            match_id,
            event.number,
            event.number,
            trial.state.to_move,
            at_ms,
            "",
            "playing",
            None,
            None,
        ]
        connection.execute(_UPDATE, (json.dumps([[*summary, False]]),))
        connection.execute(_NOTIFY, (json.dumps([f"old {match_id} {event.number}"]),))
        connection.commit()
        self._matches[match_id] = trial
        self.acknowledged[match_id] = event.number


def _one(cursor: psycopg.Cursor[Any]) -> Any:
    row = cursor.fetchone()
    assert row is not None
    return json.loads(row[0])
