"""the authors of entries, and matches that do not count"""

import sqlalchemy as sa
from alembic import op
from arena_results.schema.checksums import stamp

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "entry", sa.Column("author", sa.String(), server_default=sa.text("''"), nullable=False)
    )
    op.add_column(
        "tournament", sa.Column("void_count", sa.Integer(), server_default="0", nullable=False)
    )
    op.create_table(
        "void",
        sa.Column("checksum", sa.LargeBinary(), server_default=sa.text("x''"), nullable=False),
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("pairing", sa.Integer(), nullable=False),
        sa.Column("leg", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("cause", sa.String(), nullable=False),
        sa.Column("offender", sa.Integer(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id", "round"],
            ["round.tournament_id", "round.number"],
            name=op.f("fk_void_tournament_id_round"),
        ),
        sa.PrimaryKeyConstraint(
            "tournament_id", "round", "pairing", "leg", "attempt", name=op.f("pk_void")
        ),
    )
    for table in ("tournament", "entry"):
        stamp(op.get_bind(), table)


def downgrade() -> None:
    op.drop_table("void")
    op.drop_column("tournament", "void_count")
    op.drop_column("entry", "author")
    for table in ("tournament", "entry"):
        stamp(op.get_bind(), table)
