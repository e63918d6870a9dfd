"""submitted bots, and the CPU time of matches"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "submission",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("content", sa.String(), nullable=False),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("licence", sa.String(), nullable=False),
        sa.Column("games", sa.Text(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("requires", sa.Text(), nullable=False),
        sa.Column("archive", sa.LargeBinary(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("deterministic", sa.Boolean(), nullable=False),
        sa.Column("report", sa.Text(), nullable=False),
        sa.Column("submitted_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_submission")),
        sa.UniqueConstraint("name", "version", name=op.f("uq_submission_name")),
    )
    # Not as a batch: that would copy every measurement to a new table.
    op.add_column(
        "measurement",
        sa.Column("cpu_nanoseconds", sa.Text(), server_default="[]", nullable=False),
    )


def downgrade() -> None:
    op.drop_column("measurement", "cpu_nanoseconds")
    op.drop_table("submission")
