"""Reads matches of a stored tournament when they are asked for, which most callers do not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, partial
from typing import TypeVar

from arena.core.errors import AlteredResults
from arena.core.record import MatchKey
from arena_results.dialects import dialect_of
from arena_results.file.database import Database
from arena_results.schema.packing import unpack_floats
from arena_results.schema.rows import StoredTournament

T = TypeVar("T")


class OnDemand(Mapping[MatchKey, T]):
    """A mapping that is read once, when something of it is asked for."""

    def __init__(self, read: Callable[[], dict[MatchKey, T]]) -> None:
        self._read = read

    @cached_property
    def _values(self) -> dict[MatchKey, T]:
        return self._read()

    def __getitem__(self, key: MatchKey) -> T:
        return self._values[key]

    def __iter__(self) -> Iterator[MatchKey]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


def played_spans(
    database: Database, stored: StoredTournament, round: int
) -> dict[int, list[tuple[int, int]]]:
    """Returns which matches of a round are stored: by pairing, the first and last of each row.

    No match is checked but for its key and its returns, and these are checked against the sums.

    Raises:
        AlteredResults: The matches are not those of the sums.
    """
    number = stored.summary.id
    alike: Counter[tuple[int, tuple[float, ...]]] = Counter()
    spans: dict[int, list[tuple[int, int]]] = {}
    with database.reading() as connection:
        rows = partial(dialect_of(connection).rows, connection)
        for pairing, returns, count in rows(_ALIKE, (number, round)):
            alike[pairing, unpack_floats(returns)] = count
        for pairing, first, last, count in [*rows(_LEGS, (number, round))]:
            spans[pairing] = [(first, last)]
            if count <= last - first:  # some between them are missing
                spans[pairing] = [*rows(_SPANS, (number, round, pairing))]
    for key, ending in stored.endings:
        if key.round == round:
            alike[key.pairing, ending.returns] -= ending.count
    if any(alike.values()):
        raise AlteredResults(f"tournament {number}: its matches do not agree with its sums")
    return spans


_ALIKE = """SELECT pairing, returns, count(*) FROM "match"
WHERE tournament_id = ? AND round = ? GROUP BY pairing, returns"""
_LEGS = """SELECT pairing, min(leg), max(leg), count(*) FROM "match"
WHERE tournament_id = ? AND round = ? GROUP BY pairing"""
_SPANS = """SELECT min(leg), max(leg) FROM (
SELECT leg, leg - row_number() OVER (ORDER BY leg) AS run
FROM "match" WHERE tournament_id = ? AND round = ? AND pairing = ?) AS runs
GROUP BY run ORDER BY run"""
