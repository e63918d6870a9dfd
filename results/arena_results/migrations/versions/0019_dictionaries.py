"""dictionaries by which records are deflated

Stored matches stay as they are: their tournaments have no dictionary.
"""

import sqlalchemy as sa
from alembic import op
from arena_results.schema.checksums import stamp
from arena_results.schema.packing import Deflater

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "dictionary",
        sa.Column("checksum", sa.LargeBinary(), server_default=sa.text("x''"), nullable=False),
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournament.id"],
            name=op.f("fk_dictionary_tournament_id_tournament"),
        ),
        sa.PrimaryKeyConstraint("tournament_id", name=op.f("pk_dictionary")),
    )


def downgrade() -> None:
    driver = op.get_bind().connection.driver_connection
    assert driver is not None
    plain = Deflater()
    for tournament, content in driver.execute("SELECT tournament_id, content FROM dictionary"):
        known = Deflater(content)
        driver.create_function(
            "arena_plain",
            1,
            lambda record, known=known: plain.deflated(known.inflated(record)),
        )
        driver.execute(
            'UPDATE "match" SET record = arena_plain(record) WHERE tournament_id = ?', (tournament,)
        )
    op.drop_table("dictionary")
    stamp(op.get_bind(), "match")
