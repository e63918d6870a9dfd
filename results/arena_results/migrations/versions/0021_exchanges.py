"""Questions to endpoints of language models, and their answers."""

import sqlalchemy as sa
from alembic import op
from arena_results.dialects import dialect_of

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

_KEY = ("tournament_id", "round", "pairing", "leg", "seat", "decision", "attempt")
_NUMBERS = ("prompt_tokens", "cached_tokens", "completion_tokens")


def upgrade() -> None:
    tables = sa.MetaData()
    whole = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    sa.Table("tournament", tables, sa.Column("id", whole, primary_key=True))
    sa.Table(
        "exchange",
        tables,
        *(sa.Column(name, whole, nullable=False) for name in _KEY),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        *(
            sa.Column(name, whole, nullable=False)
            for name in ("replaced", "entrant", "status", "milliseconds")
        ),
        *(sa.Column(name, whole) for name in _NUMBERS),
        sa.Column("cost", sa.BigInteger()),
        *(sa.Column(name, sa.String(), nullable=False) for name in ("finish", "reading", "action")),
        sa.Column("played_for", sa.Boolean(), nullable=False),
        *(sa.Column(name, sa.LargeBinary(), nullable=False) for name in ("asked", "answer")),
        sa.PrimaryKeyConstraint(*_KEY, "digest", "replaced", name="pk_exchange"),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournament.id"], name="fk_exchange_tournament_id_tournament"
        ),
    )
    # As a new database of this kind has it: the tournament's table is there.
    _, made = dialect_of(op.get_bind()).schema(tables)
    op.get_bind().exec_driver_sql(made)
