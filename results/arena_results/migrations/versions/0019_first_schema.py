"""The first schema that was released; those with lower numbers never were."""

from pathlib import Path

from alembic import op

revision = "0019"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    for statement in Path(__file__).with_suffix(".sql").read_text().split(";\n"):
        op.get_bind().exec_driver_sql(statement)
