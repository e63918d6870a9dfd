"""seats that were taken out"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Not as a batch: that would copy every record to a new table.
    op.add_column("match", sa.Column("expelled", sa.Text(), server_default="[]", nullable=False))


def downgrade() -> None:
    op.drop_column("match", "expelled")
