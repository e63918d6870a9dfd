"""The places of matches that other machines played."""

import sqlalchemy as sa
from alembic import op
from arena_results.dialects import dialect_of

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

_KEY = ("tournament_id", "round", "pairing", "leg")


def upgrade() -> None:
    tables = sa.MetaData()
    whole = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    sa.Table("match", tables, *(sa.Column(name, whole, primary_key=True) for name in _KEY))
    sa.Table(
        "place",
        tables,
        sa.Column("checksum", sa.LargeBinary(), nullable=False, server_default=sa.text("x''")),
        *(sa.Column(name, whole, nullable=False) for name in _KEY),
        sa.Column("name", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint(*_KEY, name="pk_place"),
        sa.ForeignKeyConstraint(
            _KEY, [f"match.{name}" for name in _KEY], name="fk_place_tournament_id_match"
        ),
        sqlite_with_rowid=False,
    )
    # As a new database of this kind has it: the match is there.
    _, made = dialect_of(op.get_bind()).schema(tables)
    op.get_bind().exec_driver_sql(made)
