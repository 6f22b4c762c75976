"""The tables. `migrations` makes and upgrades them; this file says what they are after the last revision.

`matches` holds what is fixed about a match together with its summary, `events` its log. Values that only
Python looks into (options, clock, setup, outcome, the data of an event) are compact JSON texts. Times are
milliseconds. `matches.number` is the number of the last event: whoever appends must find it as expected,
which is how two writers at once are told apart (see journal.py). `beat` is one row: when a server last ran,
and when the last one stopped; `outages` is the time that nobody served. `matches.flag_at_ms` is on a scale
that leaves all outages out that were known when it was written, so that a new one moves all flags at once.
`judgements` is what the search found out about positions, by a digest of how they came about.
`ended_ms` of a match and of its seats is None while it waits or goes on, 0 where it was cancelled, and else
the time of its last event: lists of what somebody played are read by it.

A person has `devices`, each with a secret of its own; `people.secret_hash` is that of the first one, by which
older versions know them. `keys` are what lets somebody in once: a recovery code, the link for another device,
the challenge of a passkey; one of the kind "revoked" tells other processes of a device that is out.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
)

VERSION_TABLE = "tengen_schema"  # where Alembic keeps the revision; other programs may share a database
REVISION = "0005"  # the last one

metadata = MetaData(
    naming_convention={
        "pk": "%(table_name)s_pk",
        "fk": "%(table_name)s_%(column_0_name)s_fk",
        "uq": "%(table_name)s_%(column_0_N_name)s_unique",
        "ix": "%(table_name)s_%(column_0_N_name)s",
        "ck": "%(table_name)s_%(constraint_name)s",
    }
)

people = Table(
    "people",
    metadata,
    Column("id", Text, primary_key=True),
    Column("secret_hash", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
)

devices = Table(
    "devices",
    metadata,
    Column("id", Text, primary_key=True),
    Column("person", Text, ForeignKey("people.id"), nullable=False, index=True),
    Column("secret_hash", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("seen_ms", BigInteger, nullable=False),
)

keys = Table(
    "keys",
    metadata,
    Column("hash", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("person", Text, ForeignKey("people.id"), index=True),
    Column("created_ms", BigInteger, nullable=False),
    Column("until_ms", BigInteger, index=True),
)

passkeys = Table(
    "passkeys",
    metadata,
    Column("id", Text, primary_key=True),
    Column("person", Text, ForeignKey("people.id"), nullable=False, index=True),
    Column("public_key", LargeBinary, nullable=False),
    Column("uses", BigInteger, nullable=False),
    Column("name", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("used_ms", BigInteger),
)

blocks = Table(
    "blocks",
    metadata,
    Column("person", Text, nullable=False),
    Column("blocked", Text, nullable=False, index=True),
    Column("name", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    PrimaryKeyConstraint("person", "blocked"),
)

reports = Table(
    "reports",
    metadata,
    Column("id", Text, primary_key=True),
    Column("created_ms", BigInteger, nullable=False),
    Column("reporter", Text),
    Column("address", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("person", Text),
    Column("text", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("done_ms", BigInteger),
)
Index(None, reports.c.done_ms, reports.c.created_ms)

bans = Table(
    "bans",
    metadata,
    Column("kind", Text, nullable=False),
    Column("value", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("until_ms", BigInteger),
    Column("note", Text, nullable=False),
    PrimaryKeyConstraint("kind", "value"),
)

notices = Table(
    "notices",
    metadata,
    Column("id", Text, primary_key=True),
    Column("text", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("until_ms", BigInteger),
)

matches = Table(
    "matches",
    metadata,
    Column("id", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("options", Text, nullable=False),
    Column("clock", Text, nullable=False),
    Column("origin", Text),
    Column("public", Boolean, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("creator", Text),
    Column("started_ms", BigInteger),
    Column("setup", Text),
    Column("rematch_of", Text, ForeignKey("matches.id"), unique=True),
    Column("number", Integer, nullable=False),
    Column("moves", Integer, nullable=False),
    Column("to_move", Integer),
    Column("moved_ms", BigInteger, nullable=False),
    Column("diagram", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("outcome", Text),
    Column("flag_at_ms", BigInteger),
    Column("machine_due", Boolean, nullable=False),
    Column("estimate", Boolean, nullable=False, server_default=false()),
    Column("ended_ms", BigInteger),
)
Index(None, matches.c.status, matches.c.public, matches.c.created_ms)
Index("matches_creator_ended_ms_id", matches.c.creator, matches.c.ended_ms.desc(), matches.c.id)
_followed = text("rematch_of IS NOT NULL")
Index(None, matches.c.rematch_of, sqlite_where=_followed, postgresql_where=_followed)
_timed = text("flag_at_ms IS NOT NULL")
Index(None, matches.c.flag_at_ms, sqlite_where=_timed, postgresql_where=_timed)
_due = text("machine_due")
Index(None, matches.c.machine_due, sqlite_where=_due, postgresql_where=_due)

seats = Table(
    "seats",
    metadata,
    Column("match_id", Text, ForeignKey("matches.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("player", Text, nullable=False),
    Column("holder", Text),
    Column("invitation_hash", Text),
    Column("seen_ms", BigInteger),
    Column("ended_ms", BigInteger),
    PrimaryKeyConstraint("match_id", "seat"),
    sqlite_with_rowid=False,
)
Index("seats_holder_ended_ms_match_id", seats.c.holder, seats.c.ended_ms.desc(), seats.c.match_id)

events = Table(
    "events",
    metadata,
    Column("match_id", Text, ForeignKey("matches.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("seat", Integer),
    Column("at_ms", BigInteger, nullable=False),
    Column("data", Text, nullable=False),
    Column("position", Text, nullable=False),
    Column("client_id", Text),
    PrimaryKeyConstraint("match_id", "number"),
    UniqueConstraint("match_id", "client_id"),
    sqlite_with_rowid=False,
)

claims = Table(
    "claims",
    metadata,
    Column("match_id", Text, ForeignKey("matches.id"), primary_key=True),
    Column("number", Integer, nullable=False),
    Column("process", Text, nullable=False),
    Column("until_ms", BigInteger, nullable=False),
)

beat = Table(
    "beat",
    metadata,
    Column("id", Integer, CheckConstraint("id = 1", name="one_row"), primary_key=True, autoincrement=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("outage_from_ms", BigInteger),
    Column("recoverer", Text),
    Column("recover_until_ms", BigInteger),
    Column("stopped_ms", BigInteger),
)

outages = Table(
    "outages",
    metadata,
    Column("from_ms", BigInteger, primary_key=True, autoincrement=False),
    Column("until_ms", BigInteger, nullable=False),
)

studies = Table(
    "studies",
    metadata,
    Column("id", Text, primary_key=True),
    Column("owner", Text, index=True),
    Column("created_ms", BigInteger, nullable=False, index=True),
    Column("data", LargeBinary, nullable=False),
)

judgements = Table(
    "judgements",
    metadata,
    Column("key", Text, primary_key=True),
    Column("at_ms", BigInteger, nullable=False),
    Column("data", LargeBinary, nullable=False),
)
Index(None, judgements.c.at_ms)
