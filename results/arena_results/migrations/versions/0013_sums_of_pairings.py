"""sums over the matches of each pairing"""

import msgspec
import sqlalchemy as sa
from alembic import op
from arena_results.schema.checksums import stamp
from arena_results.schema.packing import match_row_of
from arena_results.store.sums import sums_of

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

COLUMNS = (
    *("round", "pairing", "leg", "seats", "seed", "returns", "scores"),
    *("termination", "offender", "move", "expelled", "isolation"),
)


def upgrade() -> None:
    op.create_table(
        "tally",
        sa.Column("checksum", sa.LargeBinary(), server_default=sa.text("x''"), nullable=False),
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("pairing", sa.Integer(), nullable=False),
        sa.Column("sums", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id", "round"],
            ["round.tournament_id", "round.number"],
            name=op.f("fk_tally_tournament_id_round"),
        ),
        sa.PrimaryKeyConstraint("tournament_id", "round", "pairing", name=op.f("pk_tally")),
        sqlite_with_rowid=False,
    )
    file = op.get_bind().connection.driver_connection
    assert file is not None
    for number, mirrored in file.execute("SELECT id, mirrored FROM tournament").fetchall():
        rows = file.execute(
            f'SELECT {", ".join(COLUMNS)} FROM "match" WHERE tournament_id = ? '
            "ORDER BY round, pairing, leg",
            (number,),
        )
        for (round, pairing), sums in sums_of(map(match_row_of, rows), bool(mirrored)).items():
            file.execute(
                "INSERT INTO tally (tournament_id, round, pairing, sums) VALUES (?, ?, ?, ?)",
                (number, round, pairing, msgspec.msgpack.encode(sums)),
            )
    stamp(op.get_bind(), "tally")


def downgrade() -> None:
    op.drop_table("tally")
