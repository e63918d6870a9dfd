"""Stops a tournament when a bot crashes too often, so that an event does not run to waste."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from arena_results.schema.rows import EntryRow, MatchRow

from arena.core.errors import TooManyCrashes
from arena.core.outcome import Fault, Termination
from arena.core.record import MatchKey, PlayedMatch
from arena.match.adjudication import faults_of
from arena.plugins.options import option
from arena.service.match.replays import replay_command

MIN_MATCHES = 20
"""Matches of a bot before its crashes can stop a tournament."""


class CrashLimit:
    """Counts each bot's matches and crashes, and stops a tournament at a share of them.

    A crash is a fault of cause ``CRASH``: the bot raised, or its process died or did not start.

    Args:
        number: Number of the tournament.
        field: Its entries, by whose order bots are counted.
        names: What to call them.
        limit: The share above which the tournament stops.
        played: The matches that were played before.
    """

    def __init__(
        self,
        number: int,
        field: Sequence[EntryRow],
        names: Sequence[str],
        limit: float,
        played: Iterable[MatchRow] = (),
    ) -> None:
        self._number, self._names, self._limit = number, names, limit
        self._indices = {entry.participant.key: index for index, entry in enumerate(field)}
        self._matches: Counter[int] = Counter()
        self._crashes: Counter[int] = Counter()
        self._first: dict[int, tuple[MatchKey, int]] = {}
        for row in played:
            self._count(row.key, row.seats, row.faults)

    def add(self, played: Iterable[PlayedMatch]) -> None:
        """Counts matches, and checks."""
        for match in played:
            seats = [self._indices[seat] for seat in match.record.seats]
            self._count(match.key, seats, faults_of(match.record.outcome))
        self.check()

    def check(self) -> None:
        """Raises ``TooManyCrashes`` for the first bot of the field that is over the limit."""
        for bot in sorted(self._crashes):
            crashes, played = self._crashes[bot], self._matches[bot]
            if played >= MIN_MATCHES and crashes > self._limit * played:
                key, move = self._first[bot]
                limit = f"{option('max_crash_rate')} {self._limit:g}"
                raise TooManyCrashes(
                    f"bot {self._names[bot]} crashed in {crashes} of {played} matches "
                    f"({crashes / played:.0%}), more than {limit} allows; "
                    f"one of the first: {replay_command(self._number, key, move)}"
                )

    def _count(self, key: MatchKey, seats: Sequence[int], faults: Sequence[Fault]) -> None:
        self._matches.update(seats)
        for fault in faults:
            if fault.cause is Termination.CRASH:
                self._crashes[seats[fault.seat]] += 1
                self._first.setdefault(seats[fault.seat], (key, fault.move))
