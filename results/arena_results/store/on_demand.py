"""Reads matches of a stored tournament when they are asked for, which most callers do not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TypeVar

from sqlalchemy import text

from arena.core.errors import AlteredResults
from arena.core.record import MatchKey
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
        asked = {"tournament": number, "round": round}
        for pairing, returns, count in connection.execute(_ALIKE, asked):
            alike[pairing, unpack_floats(returns)] = count
        for pairing, first, last, count in connection.execute(_LEGS, asked).all():
            spans[pairing] = [(first, last)]
            if count <= last - first:  # some between them are missing
                found = connection.execute(_SPANS, {**asked, "pairing": pairing})
                spans[pairing] = [(first, last) for first, last in found]
    for key, ending in stored.endings:
        if key.round == round:
            alike[key.pairing, ending.returns] -= ending.count
    if any(alike.values()):
        raise AlteredResults(f"tournament {number}: its matches do not agree with its sums")
    return spans


_ALIKE = text("""SELECT pairing, returns, count(*) FROM "match"
WHERE tournament_id = :tournament AND round = :round GROUP BY pairing, returns""")
_LEGS = text("""SELECT pairing, min(leg), max(leg), count(*) FROM "match"
WHERE tournament_id = :tournament AND round = :round GROUP BY pairing""")
_SPANS = text("""SELECT min(leg), max(leg) FROM (
SELECT leg, leg - row_number() OVER (ORDER BY leg) AS run
FROM "match" WHERE tournament_id = :tournament AND round = :round AND pairing = :pairing) AS runs
GROUP BY run ORDER BY run""")
