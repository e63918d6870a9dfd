"""requests to pause a running tournament"""

import sqlalchemy as sa
from alembic import op
from arena_results.schema.checksums import stamp

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "tournament", sa.Column("pause", sa.String(), server_default=sa.text("''"), nullable=False)
    )
    stamp(op.get_bind(), "tournament")


def downgrade() -> None:
    op.drop_column("tournament", "pause")
    stamp(op.get_bind(), "tournament")
