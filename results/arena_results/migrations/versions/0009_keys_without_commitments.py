"""drawn keys from before there were commitments have an origin of their own"""

from alembic import op
from arena_results.schema.checksums import stamp

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

_CHANGE = "UPDATE tournament SET seed_origin = '{}' WHERE seed_origin = '{}' AND commitment IS NULL"


def upgrade() -> None:
    _change("drawn key", "former key")


def downgrade() -> None:
    _change("former key", "drawn key")


def _change(before: str, after: str) -> None:
    op.execute(_CHANGE.format(after, before))
    stamp(op.get_bind(), "tournament")
