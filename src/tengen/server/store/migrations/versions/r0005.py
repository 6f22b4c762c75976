"""When a match ended stands with it and with its seats, so that a list of many is read by pages.

An older version that runs beside this one does not write it: such a match counts as one that goes on, and is
found all the same.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

ENDED = "CASE status WHEN 'over' THEN moved_ms WHEN 'cancelled' THEN 0 END"


def upgrade() -> None:
    op.add_column("matches", sa.Column("ended_ms", sa.BigInteger))
    op.add_column("seats", sa.Column("ended_ms", sa.BigInteger))
    op.execute(f"UPDATE matches SET ended_ms = {ENDED}")  # noqa: S608
    op.execute("UPDATE seats SET ended_ms = (SELECT ended_ms FROM matches WHERE matches.id = seats.match_id)")
    # Most matches have no rematch; counted among the others, SQLite would take the index for worthless.
    some = sa.text("rematch_of IS NOT NULL")
    op.create_index("matches_rematch_of", "matches", ["rematch_of"], sqlite_where=some, postgresql_where=some)
    op.drop_index("matches_creator", "matches")
    op.drop_index("seats_holder", "seats")
    for table, person, match in (("matches", "creator", "id"), ("seats", "holder", "match_id")):
        name = f"{table}_{person}_ended_ms_{match}"
        op.create_index(name, table, [person, sa.text("ended_ms DESC"), match])
