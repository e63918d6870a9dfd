"""what bots printed in their matches"""

import sqlalchemy as sa
from alembic import op
from arena_results.schema.checksums import stamp

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

KEY = ("tournament_id", "round", "pairing", "leg")


def upgrade() -> None:
    op.add_column(
        "tournament", sa.Column("log_count", sa.Integer(), server_default="0", nullable=False)
    )
    op.create_table(
        "log",
        sa.Column("checksum", sa.LargeBinary(), server_default=sa.text("x''"), nullable=False),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in (*KEY, "seat", "entrant")),
        sa.Column("cause", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            KEY, [f"match.{name}" for name in KEY], name=op.f("fk_log_tournament_id_match")
        ),
        sa.PrimaryKeyConstraint(*KEY, "seat", name=op.f("pk_log")),
    )
    stamp(op.get_bind(), "tournament")


def downgrade() -> None:
    op.drop_table("log")
    op.drop_column("tournament", "log_count")
    stamp(op.get_bind(), "tournament")
