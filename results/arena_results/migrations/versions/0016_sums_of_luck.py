"""sums over the luck of each pairing's matches"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "luck",
        sa.Column("checksum", sa.LargeBinary(), server_default=sa.text("x''"), nullable=False),
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("pairing", sa.Integer(), nullable=False),
        sa.Column("sums", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id", "round"],
            ["round.tournament_id", "round.number"],
            name=op.f("fk_luck_tournament_id_round"),
        ),
        sa.PrimaryKeyConstraint("tournament_id", "round", "pairing", name=op.f("pk_luck")),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    op.drop_table("luck")
