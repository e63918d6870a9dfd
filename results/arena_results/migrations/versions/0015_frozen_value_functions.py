"""value functions that were fixed before the first match"""

import sqlalchemy as sa
from alembic import op
from arena_results.schema.checksums import stamp

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

COLUMNS = ("value_function", "value_hash")


def upgrade() -> None:
    for name in COLUMNS:
        op.add_column("tournament", sa.Column(name, sa.String(), nullable=True))
    stamp(op.get_bind(), "tournament")


def downgrade() -> None:
    for name in COLUMNS:
        op.drop_column("tournament", name)
    stamp(op.get_bind(), "tournament")
