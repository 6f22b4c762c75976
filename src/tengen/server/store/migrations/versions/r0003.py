"""Ways back to who somebody is, and what the operator has a say in.

Everything is added: an older version goes on to find people by `people.secret_hash`, which stays the secret
of the device that they first came with. A device that such a version lets in gets its row when next seen.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    devices_and_keys()
    passkeys()
    blocks_and_reports()
    bans_and_notices()
    op.create_index("studies_owner", "studies", ["owner"])
    op.create_index("studies_created_ms", "studies", ["created_ms"])


def devices_and_keys() -> None:
    op.create_table(
        "devices",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("secret_hash", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("seen_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="devices_pk"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="devices_person_fk"),
        sa.UniqueConstraint("secret_hash", name="devices_secret_hash_unique"),
    )
    op.create_index("devices_person", "devices", ["person"])
    op.create_table(
        "keys",
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("person", sa.Text),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("until_ms", sa.BigInteger),
        sa.PrimaryKeyConstraint("hash", name="keys_pk"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="keys_person_fk"),
    )
    op.create_index("keys_person", "keys", ["person"])
    op.create_index("keys_until_ms", "keys", ["until_ms"])


def passkeys() -> None:
    op.create_table(
        "passkeys",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("public_key", sa.LargeBinary, nullable=False),
        sa.Column("uses", sa.BigInteger, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("used_ms", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="passkeys_pk"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="passkeys_person_fk"),
    )
    op.create_index("passkeys_person", "passkeys", ["person"])


def blocks_and_reports() -> None:
    op.create_table(
        "blocks",
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("blocked", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("person", "blocked", name="blocks_pk"),
    )
    op.create_index("blocks_blocked", "blocks", ["blocked"])
    op.create_table(
        "reports",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("reporter", sa.Text),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("person", sa.Text),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("done_ms", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="reports_pk"),
    )
    op.create_index("reports_done_ms_created_ms", "reports", ["done_ms", "created_ms"])


def bans_and_notices() -> None:
    op.create_table(
        "bans",
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("until_ms", sa.BigInteger),
        sa.Column("note", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("kind", "value", name="bans_pk"),
    )
    op.create_table(
        "notices",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("until_ms", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="notices_pk"),
    )
