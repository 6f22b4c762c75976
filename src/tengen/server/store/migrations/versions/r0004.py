"""What was found out about positions is kept, and a match says whether its players may ask how it stands.

Everything is added, with defaults that an older version need not know.
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "judgements",
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("key", name="judgements_pk"),
    )
    op.create_index("judgements_at_ms", "judgements", ["at_ms"])
    op.add_column("matches", sa.Column("estimate", sa.Boolean, nullable=False, server_default=sa.false()))
