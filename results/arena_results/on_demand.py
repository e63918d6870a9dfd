"""Reads matches of a stored tournament when they are asked for, which most callers do not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TypeVar

from arena.core.errors import AlteredResults
from arena.core.record import MatchKey
from arena_results.database import Database
from arena_results.packing import unpack_floats
from arena_results.rows import StoredTournament

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


def read_returns(database: Database, stored: StoredTournament) -> dict[MatchKey, tuple[float, ...]]:
    """Returns the utilities of every match, in a fraction of the time that whole rows take.

    They are checked against the sums over them, not one by one.
    """
    with database.reading() as connection:
        file = connection.connection.driver_connection
        assert file is not None
        rows = file.execute(
            'SELECT round, pairing, leg, returns FROM "match" WHERE tournament_id = ? '
            "ORDER BY round, pairing, leg",
            (stored.summary.id,),
        )
        found = {MatchKey(*key): unpack_floats(returns) for *key, returns in rows}
        alike = Counter((key.round, key.pairing, returns) for key, returns in found.items())
        for key, ending in stored.endings:
            alike[key.round, key.pairing, ending.returns] -= ending.count
        if any(alike.values()):
            number = stored.summary.id
            raise AlteredResults(f"tournament {number}: its matches are not those of its sums")
        return found
