"""Outages are stored once and applied when a match is read; a server that stops says so.

The columns of `beat` that an older version puts clocks right with stay, so that both can run side by side.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "outages",
        sa.Column("from_ms", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("until_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("from_ms", name="outages_pk"),
    )
    op.add_column("beat", sa.Column("stopped_ms", sa.BigInteger))
