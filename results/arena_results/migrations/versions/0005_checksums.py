"""checksums of rows, and how many there are"""

import sqlalchemy as sa
from alembic import op
from arena_results.schema.checksums import stamp

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

SEALED = ("tournament", "entry", "round", "match", "measurement")
COUNTED = ("entry", "round", "match")


def upgrade() -> None:
    # Not as a batch: that would copy every record to a new table.
    for table in SEALED:
        op.add_column(
            table,
            sa.Column("checksum", sa.LargeBinary(), server_default=sa.text("x''"), nullable=False),
        )
    for table in COUNTED:
        op.add_column(
            "tournament",
            sa.Column(f"{table}_count", sa.Integer(), server_default="0", nullable=False),
        )
        op.execute(
            f"UPDATE tournament SET {table}_count = "
            f'(SELECT count(*) FROM "{table}" WHERE tournament_id = tournament.id)'
        )
    for table in SEALED:
        stamp(op.get_bind(), table)


def downgrade() -> None:
    for table in COUNTED:
        op.drop_column("tournament", f"{table}_count")
    for table in SEALED:
        op.drop_column(table, "checksum")
