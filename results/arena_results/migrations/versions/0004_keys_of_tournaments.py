"""keys of tournaments"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # A tournament so far had a seed, which was printed before it was played.
    with op.batch_alter_table("tournament") as batch:
        batch.alter_column("seed", existing_type=sa.BigInteger(), nullable=True)
        batch.add_column(sa.Column("key", sa.String(), nullable=True))
        batch.add_column(
            sa.Column("seed_origin", sa.String(), server_default="former seed", nullable=False)
        )
    with op.batch_alter_table("tournament") as batch:
        batch.alter_column("seed_origin", existing_type=sa.String(), server_default=None)


def downgrade() -> None:
    # This fails if there is a tournament with a key, which an earlier version could not deal.
    with op.batch_alter_table("tournament") as batch:
        batch.alter_column("seed", existing_type=sa.BigInteger(), nullable=False)
        batch.drop_column("seed_origin")
        batch.drop_column("key")
