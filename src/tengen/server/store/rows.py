"""What the store takes and gives: plain values, and the two ways in which it fails.

Times are milliseconds since 1970. Ids, secrets and invitations are texts that the caller makes up; the store
sees secrets and invitations only hashed. Nothing here checks that a setup, an option or a clock is sensible.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from msgspec import Struct

from tengen.match import Event

SeatKind = Literal["open", "invited", "person", "machine"]
MatchStatus = Literal["open", "playing", "over", "cancelled"]


class StoreError(Exception):
    """The store cannot do this at all; one sentence for whoever runs the server."""


class StoreUnavailable(StoreError):
    """The database is away, full or locked. It may or may not be stored; the call may be made again."""


@dataclass(frozen=True, slots=True)
class PersonRow:
    """`id` is not shown to others; the secret that proves who somebody is, is kept only as its hash."""

    id: str
    secret_hash: str
    name: str
    created_ms: int


@dataclass(frozen=True, slots=True)
class SeatRow:
    """Who has a seat. `holder` is a person's id; `player` is what a machine was asked for with."""

    kind: SeatKind
    name: str = ""
    player: str = ""
    holder: str | None = None
    invitation_hash: str | None = None


class Summary(Struct, frozen=True):
    """What lists show of a match, and what is looked for; written in the transaction of its events."""

    number: int  # of the last event
    moves: int
    to_move: int | None
    moved_ms: int
    diagram: str
    status: MatchStatus
    outcome: dict[str, Any] | None
    flag_at_ms: int | None  # when the running clock falls
    machine_due: bool  # whether a machine has to move


@dataclass(frozen=True, slots=True)
class MatchRow:
    """`setup` is None until the match starts; `rematch` is found by the store and ignored by `add_match`."""

    id: str
    game: str
    options: dict[str, Any]
    clock: dict[str, Any]
    origin: tuple[str, int] | None
    public: bool
    created_ms: int
    creator: str | None
    started_ms: int | None
    setup: dict[str, Any] | None
    rematch_of: str | None
    rematch: str | None
    seats: tuple[SeatRow, SeatRow]
    summary: Summary
    estimate: bool = False  # whether its players may ask how it stands though both are persons

    @property
    def status(self) -> MatchStatus:
        return self.summary.status

    @property
    def people(self) -> set[str]:
        """Who has made it or sits at it."""
        return {who for who in (self.creator, *(seat.holder for seat in self.seats)) if who is not None}


@dataclass(frozen=True, slots=True)
class LobbyRows:
    """`apart` has, for the people of open matches, whom they have blocked or were blocked by."""

    open: list[MatchRow]
    playing: list[MatchRow]
    apart: Mapping[str, Collection[str]]


@dataclass(frozen=True, slots=True)
class Outage:
    """Nobody served from one time to the other."""

    from_ms: int
    until_ms: int


class Stored(Struct, frozen=True):
    """An event with the id under which a client asked for it; the same id is never stored twice a match."""

    event: Event
    client_id: str | None = None


# The columns of an event without its match, in the order of the tables.
Columns = tuple[int, str, int | None, int, dict[str, Any], str, str | None]


def read_stored(columns: Columns) -> Stored:
    """Raises ReplayError."""
    number, kind, seat, at_ms, data, position, client_id = columns
    event = {"number": number, "kind": kind, "seat": seat, "at_ms": at_ms, "data": data, "position": position}
    return Stored(Event.from_json(event), client_id)
