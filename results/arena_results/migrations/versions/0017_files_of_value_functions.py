"""files of learned value functions that were fixed"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "value_function",
        sa.Column("checksum", sa.LargeBinary(), server_default=sa.text("x''"), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_value_function")),
    )


def downgrade() -> None:
    op.drop_table("value_function")
