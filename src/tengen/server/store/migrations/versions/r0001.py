"""The first schema."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    people_and_studies()
    matches()
    seats()
    events()
    claims_and_beat()


def people_and_studies() -> None:
    op.create_table(
        "people",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("secret_hash", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="people_pk"),
        sa.UniqueConstraint("secret_hash", name="people_secret_hash_unique"),
    )
    op.create_table(
        "studies",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("owner", sa.Text),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("id", name="studies_pk"),
    )


def matches() -> None:
    op.create_table(
        "matches",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("clock", sa.Text, nullable=False),
        sa.Column("origin", sa.Text),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("creator", sa.Text),
        sa.Column("started_ms", sa.BigInteger),
        sa.Column("setup", sa.Text),
        sa.Column("rematch_of", sa.Text),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("moves", sa.Integer, nullable=False),
        sa.Column("to_move", sa.Integer),
        sa.Column("moved_ms", sa.BigInteger, nullable=False),
        sa.Column("diagram", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("outcome", sa.Text),
        sa.Column("flag_at_ms", sa.BigInteger),
        sa.Column("machine_due", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("id", name="matches_pk"),
        sa.ForeignKeyConstraint(["rematch_of"], ["matches.id"], name="matches_rematch_of_fk"),
        sa.UniqueConstraint("rematch_of", name="matches_rematch_of_unique"),
    )
    op.create_index("matches_status_public_created_ms", "matches", ["status", "public", "created_ms"])
    op.create_index("matches_creator", "matches", ["creator"])
    for column, where in (
        ("flag_at_ms", sa.text("flag_at_ms IS NOT NULL")),
        ("machine_due", sa.text("machine_due")),
    ):
        name = f"matches_{column}"
        op.create_index(name, "matches", [column], sqlite_where=where, postgresql_where=where)


def seats() -> None:
    op.create_table(
        "seats",
        sa.Column("match_id", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("holder", sa.Text),
        sa.Column("invitation_hash", sa.Text),
        sa.Column("seen_ms", sa.BigInteger),
        sa.PrimaryKeyConstraint("match_id", "seat", name="seats_pk"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="seats_match_id_fk"),
        sqlite_with_rowid=False,
    )
    op.create_index("seats_holder", "seats", ["holder"])


def events() -> None:
    op.create_table(
        "events",
        sa.Column("match_id", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("position", sa.Text, nullable=False),
        sa.Column("client_id", sa.Text),
        sa.PrimaryKeyConstraint("match_id", "number", name="events_pk"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="events_match_id_fk"),
        sa.UniqueConstraint("match_id", "client_id", name="events_match_id_client_id_unique"),
        sqlite_with_rowid=False,
    )


def claims_and_beat() -> None:
    op.create_table(
        "claims",
        sa.Column("match_id", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("process", sa.Text, nullable=False),
        sa.Column("until_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("match_id", name="claims_pk"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="claims_match_id_fk"),
    )
    op.create_table(
        "beat",
        sa.Column("id", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("outage_from_ms", sa.BigInteger),
        sa.Column("recoverer", sa.Text),
        sa.Column("recover_until_ms", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="beat_pk"),
        sa.CheckConstraint("id = 1", name="beat_one_row"),
    )
