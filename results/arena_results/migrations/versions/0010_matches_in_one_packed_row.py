"""matches and their measurements in one packed row"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import msgspec
import sqlalchemy as sa
from alembic import op
from arena_results.schema.checksums import digest_of, stamp
from arena_results.schema.packing import Packer, pack, pack_floats, pack_rest, unpack_floats, usual

from arena.core.errors import ParseError
from arena.core.record import MatchRecord

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

AT_ONCE = 1000
"""Rows that are inserted in one call."""
KEY = ("tournament_id", "round", "pairing", "leg")
MATCH = (
    *("expelled", "leg", "move", "offender", "pairing", "record", "returns", "round", "scores"),
    *("seats", "seed", "termination", "tournament_id"),
)
MEASUREMENT = (
    *("cpu_nanoseconds", "error", "isolation", "leg", "nanoseconds", "pairing", "requests"),
    *("round", "tournament_id"),
)
PACKED = tuple(sorted({*MATCH, *MEASUREMENT}))
USUAL = {"termination": "rules", "isolation": "trusted"}
TUPLES = ("seats", "scores", "expelled", "nanoseconds", "requests", "cpu_nanoseconds")
RECORD = (
    *("seats", "seed", "returns", "scores"),
    *("termination", "offender", "move", "expelled", "record"),
)


def upgrade() -> None:
    _create("packed", packed=True)
    packers, digest = _packers(), digest_of("match", PACKED)
    of_match, of_measurement = digest_of("match", MATCH), digest_of("measurement", MEASUREMENT)

    def packed() -> Iterator[dict[str, Any]]:
        match = [f'"match"."{name}"' for name in (*MATCH, "checksum")]
        measurement = [f'measurement."{name}"' for name in (*MEASUREMENT, "checksum")]
        split = len(match)
        for row in _selected(
            f'{", ".join(match + measurement)} FROM "match" JOIN measurement '
            f"USING ({', '.join(KEY)}) ORDER BY {_order('match')}"
        ):
            old = dict(zip((*MATCH, "checksum"), row[:split], strict=True))
            old |= dict(zip(MEASUREMENT, row[split:-1], strict=True))
            new = _packed(packers[old["tournament_id"]], old)
            # A row that was edited does not become right by being packed.
            right = of_match(row[: split - 1]) == row[split - 1]
            right = right and of_measurement(row[split:-1]) == row[-1]
            new["checksum"] = digest([new[name] for name in PACKED]) if right else b""
            yield new

    _insert("packed", (*PACKED, "checksum"), packed())
    op.drop_table("measurement")
    op.drop_table("match")
    op.rename_table("packed", "match")


def _packed(packer: Packer, old: dict[str, Any]) -> dict[str, Any]:
    new = {name: old[name] for name in PACKED}
    new |= {name: pack(msgspec.json.decode(old[name])) for name in TUPLES}
    new["returns"] = pack_floats(msgspec.json.decode(old["returns"]))
    new |= {name: usual(old[name], default) for name, default in USUAL.items()}
    try:
        new["record"] = pack_rest(MatchRecord.from_bytes(old["record"]))
    except ParseError:
        new["record"] = b""
    return packer.completed(new, old["record"])


def downgrade() -> None:
    _create("former", packed=False)
    op.create_table(
        "measurement",
        *_key_columns(),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("nanoseconds", "requests")),
        sa.Column("isolation", sa.String(), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("cpu_nanoseconds", sa.Text(), server_default="[]", nullable=False),
        _checksum(),
        sa.ForeignKeyConstraint(
            KEY, [f"match.{name}" for name in KEY], name=op.f("fk_measurement_tournament_id_match")
        ),
        sa.PrimaryKeyConstraint(*KEY, name=op.f("pk_measurement")),
    )
    packers = _packers()

    def former() -> Iterator[dict[str, Any]]:
        names = ", ".join(f'"{name}"' for name in PACKED)
        for row in _selected(f'{names} FROM "match" ORDER BY {_order("match")}'):
            old = dict(zip(PACKED, row, strict=True))
            new = old | {name: _json(msgspec.msgpack.decode(old[name])) for name in TUPLES}
            new |= {name: old[name] or default for name, default in USUAL.items()}
            new["returns"] = _json(unpack_floats(old["returns"]))
            packer = packers[old["tournament_id"]]
            new["record"] = packer.record([old[name] for name in RECORD]).to_bytes()
            yield new

    _insert("former", MATCH, former())
    _insert("measurement", MEASUREMENT, former())
    op.drop_table("match")
    op.rename_table("former", "match")
    for table in ("match", "measurement"):
        stamp(op.get_bind(), table)


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _packers() -> defaultdict[int, Packer]:
    keys: defaultdict[int, list[str]] = defaultdict(list)
    for tournament, key in _selected(
        "tournament_id, key FROM entry JOIN participant ON participant.id = participant_id "
        'ORDER BY tournament_id, "index"'
    ):
        keys[tournament].append(key)
    found: defaultdict[int, Packer] = defaultdict(lambda: Packer("", "", "", ()))
    for number, game, ruleset, engine in _selected("id, game, ruleset, engine FROM tournament"):
        found[number] = Packer(game, ruleset, engine, keys[number])
    return found


def _order(table: str) -> str:
    return ", ".join(f'"{table}"."{name}"' for name in KEY)


def _driver() -> Any:
    return op.get_bind().connection.driver_connection


def _selected(query: str) -> Iterator[tuple[Any, ...]]:
    rows: Iterator[tuple[Any, ...]] = _driver().execute(f"SELECT {query}")
    return rows


def _insert(table: str, columns: tuple[str, ...], rows: Iterator[dict[str, Any]]) -> None:
    names = ", ".join(f'"{name}"' for name in columns)
    marks = ", ".join("?" * len(columns))
    statement = f"INSERT INTO {table} ({names}) VALUES ({marks})"
    while some := [[row[name] for name in columns] for row in islice(rows, AT_ONCE)]:
        _driver().executemany(statement, some)


def _create(name: str, packed: bool) -> None:
    """Creates the table of matches under another name, in this form or the former one."""
    kind: Callable[[], Any] = sa.LargeBinary if packed else sa.Text
    empty = None if packed else "[]"
    columns = [
        *_key_columns(),
        sa.Column("seats", kind(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("returns", kind(), nullable=False),
        sa.Column("scores", kind(), nullable=False),
        sa.Column("termination", sa.String(), nullable=packed),
        sa.Column("offender", sa.Integer(), nullable=True),
        sa.Column("move", sa.Integer(), nullable=True),
        sa.Column("record", sa.LargeBinary(), nullable=False),
        sa.Column("expelled", kind(), nullable=False, server_default=empty),
    ]
    if packed:
        columns += [
            sa.Column("nanoseconds", kind(), nullable=False),
            sa.Column("requests", kind(), nullable=False),
            sa.Column("isolation", sa.String(), nullable=True),
            sa.Column("error", sa.Text(), nullable=False),
            sa.Column("cpu_nanoseconds", kind(), nullable=False),
        ]
    op.create_table(
        name,
        *columns,
        _checksum(),
        sa.ForeignKeyConstraint(
            ["tournament_id", "round"],
            ["round.tournament_id", "round.number"],
            name=op.f("fk_match_tournament_id_round"),
        ),
        sa.PrimaryKeyConstraint(*KEY, name=op.f("pk_match")),
        sqlite_with_rowid=not packed,
    )


def _key_columns() -> list[sa.Column[Any]]:
    return [sa.Column(name, sa.Integer(), nullable=False) for name in KEY]


def _checksum() -> sa.Column[Any]:
    return sa.Column("checksum", sa.LargeBinary(), server_default=sa.text("x''"), nullable=False)
