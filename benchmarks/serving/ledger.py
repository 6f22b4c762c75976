"""What was acknowledged against what is stored, read straight from the database."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlalchemy import create_engine, text

from tengen.match import Event, Match, MatchError, Setup


@dataclass
class Ledger:
    """By match: the ids of requests with the number of the event that each was acknowledged as."""

    acknowledged: dict[str, dict[str, int]] = field(default_factory=dict)

    def add(self, match: str, client_id: str, number: int) -> str | None:
        """Notes an acknowledgement; the sentence that says what is wrong if it had another number before."""
        known = self.acknowledged.setdefault(match, {}).setdefault(client_id, number)
        return None if known == number else f"{match}: {client_id} was event {known}, then {number}."

    @property
    def count(self) -> int:
        return sum(map(len, self.acknowledged.values()))


@dataclass(frozen=True, slots=True)
class Stored:
    numbers: list[int]
    ids: dict[str, list[int]]  # the events that each client id was stored as
    position: str  # that a replay comes to
    fault: str | None


def read(database_url: str, matches: set[str]) -> dict[str, Stored]:
    """The logs of these matches, replayed."""
    engine = create_engine(database_url)
    try:
        with engine.connect() as connection:
            setups = {row.id: row.setup for row in connection.execute(text("SELECT id, setup FROM matches"))}
            rows = connection.execute(
                text(
                    "SELECT match_id, number, kind, seat, at_ms, data, position, client_id FROM events "
                    "ORDER BY match_id, number"
                )
            )
            logs: dict[str, list[tuple[Event, str | None]]] = {match: [] for match in matches}
            for row in rows:
                if row.match_id in matches:
                    event = Event.from_json({**row._mapping, "data": json.loads(row.data)})
                    logs[row.match_id].append((event, row.client_id))
    finally:
        engine.dispose()
    return {match: _stored(setups.get(match), log) for match, log in logs.items()}


def _stored(setup: str | None, log: list[tuple[Event, str | None]]) -> Stored:
    ids: dict[str, list[int]] = {}
    for event, client_id in log:
        if client_id is not None:
            ids.setdefault(client_id, []).append(event.number)
    numbers = [event.number for event, _ in log]
    try:
        if setup is None:
            raise MatchError("it is not in the table of matches")
        match = Match.replay(Setup.from_json(json.loads(setup)), [event for event, _ in log])
    except MatchError as error:
        return Stored(numbers, ids, "", str(error))
    return Stored(numbers, ids, match.position, None)


def faults(ledger: Ledger, stored: Mapping[str, Stored]) -> list[str]:
    """Every acknowledged event that is not there exactly once under its number, and every log with a gap."""
    found = []
    for match, log in stored.items():
        if log.fault is not None:
            found.append(f"{match}: the log cannot be replayed: {log.fault}")
        if log.numbers != list(range(1, len(log.numbers) + 1)):
            found.append(f"{match}: the numbers are {log.numbers[:20]}…")
    for match, ids in ledger.acknowledged.items():
        for client_id, number in ids.items():
            if (there := stored[match].ids.get(client_id, [])) != [number]:
                found.append(f"{match}: {client_id} was acknowledged as {number} and is stored as {there}.")
    return found
