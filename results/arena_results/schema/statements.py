"""The statements that read tournaments, made once.

To make one takes longer than most of them take to run. ``id`` is the tournament's number.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from sqlalchemy import Select, bindparam, func, select
from sqlmodel import col

from arena_results.schema import tables
from arena_results.schema.checksums import MATCH, TOURNAMENT
from arena_results.schema.tables import METADATA

COUNTED = {
    "entry": "entry_count",
    "round": "round_count",
    "match": "match_count",
    "void": "void_count",
    "ruling": "ruling_count",
    "log": "log_count",
}
"""Columns of a tournament's row that hold the number of its rows in each table."""

SUMMARIES = select(
    *TOURNAMENT.columns,
    *(
        select(func.count())
        .where(METADATA.tables[table].c.tournament_id == col(tables.Tournament.id))
        .scalar_subquery()
        for table in COUNTED
    ),
).order_by(col(tables.Tournament.id))
"""Every tournament's row, with the numbers of its other rows."""
SUMMARY = SUMMARIES.where(col(tables.Tournament.id) == bindparam("id"))
OWN_ROW = select(*TOURNAMENT.columns).where(col(tables.Tournament.id) == bindparam("id"))
"""A tournament's row only."""
ROWS_FROM = [
    select(owner).where(owner >= bindparam("id")).limit(1)
    for owner in (METADATA.tables[table].c.tournament_id for table in COUNTED)
]
"""A row of a tournament of this number or a higher, for each table that has such rows."""

KEY = ("round", "pairing", "leg")
"""Columns of a match's key, in schedule order."""
KEY_COLUMNS = tuple(METADATA.tables["match"].c[part] for part in KEY)


@cache
def matches_of(length: int, *, newest: bool = False) -> Select[*tuple[Any, ...]]:
    """Returns the statement for the matches whose keys begin with that many given numbers.

    Args:
        newest: Whether the last of the schedule come first.
    """
    given = [column == bindparam(column.name) for column in KEY_COLUMNS[:length]]
    owner = col(tables.Match.tournament_id) == bindparam("id")
    order = [each.desc() for each in KEY_COLUMNS] if newest else KEY_COLUMNS
    return select(*MATCH.columns).where(owner, *given).order_by(*order)
