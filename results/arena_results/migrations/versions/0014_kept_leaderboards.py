"""kept rows of large leaderboards"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "board",
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("ruleset", sa.String(), nullable=False),
        sa.Column("rows", sa.LargeBinary(), nullable=False),
        sa.Column("fits", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("game", "ruleset", name=op.f("pk_board")),
    )


def downgrade() -> None:
    op.drop_table("board")
