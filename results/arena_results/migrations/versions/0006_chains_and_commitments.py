"""the chain over a tournament's results, and the commitment to its key"""

import sqlalchemy as sa
from alembic import op
from arena_results.schema.checksums import stamp

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tournament", sa.Column("nonce", sa.String(), nullable=True))
    op.add_column("tournament", sa.Column("commitment", sa.String(), nullable=True))
    op.add_column("round", sa.Column("chain", sa.String(), nullable=True))
    for table in ("tournament", "round"):
        stamp(op.get_bind(), table)


def downgrade() -> None:
    op.drop_column("round", "chain")
    op.drop_column("tournament", "commitment")
    op.drop_column("tournament", "nonce")
    for table in ("tournament", "round"):
        stamp(op.get_bind(), table)
