"""rulings of organisers"""

import sqlalchemy as sa
from alembic import op
from arena_results.schema.checksums import stamp

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "ruling",
        sa.Column("checksum", sa.LargeBinary(), server_default=sa.text("x''"), nullable=False),
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("entry", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("now", sa.Boolean(), nullable=False),
        sa.Column("points", sa.Float(), nullable=False),
        sa.Column("void", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("made_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournament.id"], name="fk_ruling_tournament_id_tournament"
        ),
        sa.PrimaryKeyConstraint("tournament_id", "number", name="pk_ruling"),
    )
    op.add_column(
        "tournament", sa.Column("ruling_count", sa.Integer(), server_default="0", nullable=False)
    )
    stamp(op.get_bind(), "tournament")


def downgrade() -> None:
    op.drop_column("tournament", "ruling_count")
    op.drop_table("ruling")
    stamp(op.get_bind(), "tournament")
