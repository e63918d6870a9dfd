"""The ledger of a tournament: who won against whom on play, and who by which fault."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

import msgspec
from arena_results.file.database import Database
from arena_results.schema.rows import Ending, MatchRow, StoredTournament, VoidMatch
from arena_results.store.queries import match_rows, matches

from arena.core.outcome import Termination
from arena.core.record import MatchKey
from arena.core.table import Column, Table
from arena.service.answers.rows import Document

PLAY = "play"
"""The cause of what was won by playing."""
START_UP = "start-up"
"""The cause of a fault before the first decision: the bot's process or its ``start`` failed."""


class Ledger(msgspec.Struct, frozen=True):
    """The head-to-head results of a tournament by cause: its matches, or at tables each two of a
    match.

    Attributes:
        names: The field in initial order.
        seats: Seats of a full table.
        won: Number of head-to-head results by winner, loser (indices into the field) and cause:
            ``PLAY``, or the loser's fault.
        drawn: Number of drawn head-to-head results by both, the lower index first.
        void: Matches that do not count, in schedule order.
        void_pairs: Number of head-to-head results that the harness made void, by both.
    """

    names: tuple[str, ...]
    seats: int
    won: dict[tuple[int, int, str], int]
    drawn: dict[tuple[int, int], int]
    void: tuple[VoidMatch, ...] = ()
    void_pairs: dict[tuple[int, int], int] = {}

    @property
    def causes(self) -> list[str]:
        """The causes by which anything was won, play first."""
        found = {cause for _, _, cause in self.won} - {PLAY}
        return [PLAY, *sorted(found)]

    def bots(self) -> list[Document]:
        """The ledger of each bot: ``won_by`` and ``lost_by`` are numbers by cause."""
        return [
            {
                "name": name,
                "won": sum(self._won(bot, None).values()),
                "drawn": self._of(self.drawn, bot),
                "lost": sum(self._won(None, bot).values()),
                "won_by": self._won(bot, None),
                "lost_by": self._won(None, bot),
                "void": self._of(self.void_pairs, bot),
            }
            for bot, name in enumerate(self.names)
        ]

    def pairs(self) -> list[Document]:
        """The same of each bot against each that it has met: what it won, by cause."""
        met = {tuple(sorted(key[:2])) for key in (*self.won, *self.drawn, *self.void_pairs)}
        return [
            {
                "name": self.names[bot],
                "against": self.names[other],
                "won": sum(self._won(bot, other).values()),
                "drawn": self.drawn.get((min(bot, other), max(bot, other)), 0),
                "lost": sum(self._won(other, bot).values()),
                "won_by": self._won(bot, other),
                "void": self.void_pairs.get((min(bot, other), max(bot, other)), 0),
            }
            for bot in range(len(self.names))
            for other in range(len(self.names))
            if (min(bot, other), max(bot, other)) in met
        ]

    @property
    def unit(self) -> str:
        """The things that are counted: matches, or head-to-head results at tables."""
        return "matches" if self.seats == 2 else "duels (any two at a table)"

    def by_cause(self, what: str, rows: Sequence[Document]) -> Table:
        """The numbers of bots, or of pairs, by cause; a cause that nobody has takes no column.

        Args:
            what: ``"won"`` or ``"lost"``.
            rows: Of ``bots`` or of ``pairs``.
        """
        by = [row[f"{what}_by"] for row in rows]
        causes = dict.fromkeys([PLAY, *(cause for counts in by for cause in counts)])
        columns = [
            Column("name", "bot", drop=0, names="bot"),
            *([Column("against", "against", drop=0, names="bot")] if "against" in rows[0] else ()),
            Column(what, what, right=True, drop=0),
            *(Column(each, "on play" if each == PLAY else each, True, drop=2) for each in causes),
        ]
        if what == "lost":
            columns += [Column(key, key, right=True, drop=3) for key in ("drawn", "void")]
        shown = [
            row | {cause: counts.get(cause, 0) for cause in causes}
            for row, counts in zip(rows, by, strict=True)
        ]
        title = f"{what.capitalize()}, by what decided it: {self.unit}"
        return Table(title=title, columns=tuple(columns), rows=shown)

    def grid(self) -> Table:
        """The numbers that the row won against the column, and how many of them on play."""
        cells = {(each["name"], each["against"]): each for each in self.pairs()}
        heads = [str(number) for number in range(1, len(self.names) + 1)]
        rows = [
            {"number": number, "name": name}
            | {
                head: _cell(cells.get((name, other)))
                for head, other in zip(heads, self.names, strict=True)
            }
            for number, name in enumerate(self.names, 1)
        ]
        columns = (
            Column("number", "#", right=True),
            Column("name", "bot", drop=0, names="bot"),
            *(Column(head, head, right=True) for head in heads),
        )
        what = "Won by the row against the column, and in brackets how many of them on play"
        return Table(title=f"{what}: {self.unit}", columns=columns, rows=rows)

    def _won(self, winner: int | None, loser: int | None) -> dict[str, int]:
        counts: Counter[str] = Counter()
        for (one, other, cause), number in self.won.items():
            if winner in (None, one) and loser in (None, other):
                counts[cause] += number
        return {cause: counts[cause] for cause in self.causes if counts[cause]}

    def _of(self, counts: dict[tuple[int, int], int], bot: int) -> int:
        return sum(number for pair, number in counts.items() if bot in pair)


def _cell(pair: Document | None) -> str | None:
    if pair is None:
        return None
    won, on_play = pair["won"], pair["won_by"].get(PLAY, 0)
    return f"{won}" if won == on_play else f"{won} ({on_play})"


def make_ledger(database: Database, stored: StoredTournament) -> Ledger:
    """Adds up a tournament's matches."""
    number = stored.summary.id
    rows = [*match_rows(database, number)]
    failed = unstarted(database, number, rows)
    won: Counter[tuple[int, int, str]] = Counter()
    drawn: Counter[tuple[int, int]] = Counter()
    for row in rows:
        faults = {
            fault.seat: START_UP if (row.key, fault.seat) in failed else fault.cause.value
            for fault in row.faults
        }
        for one, other in duels(row.returns):
            if row.returns[one] == row.returns[other]:
                drawn[_pair(row.seats[one], row.seats[other])] += 1
            else:
                won[row.seats[one], row.seats[other], faults.get(other, PLAY)] += 1
    void: Counter[tuple[int, int]] = Counter()
    for match in stored.void:
        if match.cause is Termination.HARNESS_FAULT:
            seats = stored.rounds[match.key.round - 1].pairings[match.key.pairing - 1].seats
            void.update(_pair(*pair) for pair in combinations(seats, 2))
    largest = max((len(row.seats) for row in rows), default=2)
    return Ledger(stored.names, largest, dict(won), dict(drawn), stored.void, dict(void))


def duels(returns: Sequence[float]) -> Iterator[tuple[int, int]]:
    """Each two seats of a match, the better one first."""
    for pair in combinations(range(len(returns)), 2):
        one, other = sorted(pair, key=lambda seat: -returns[seat])
        yield one, other


def wins_by_fault(endings: Iterable[Ending], entries: int) -> tuple[dict[str, int], ...]:
    """Head-to-head results that each of the field won by a fault of the other, by cause."""
    found = [Counter[str]() for _ in range(entries)]
    for ending in endings:
        faults = {seat: cause.value for seat, cause in ending.faults}
        for one, other in duels(ending.returns) if faults else ():
            if other in faults and ending.returns[one] > ending.returns[other]:
                found[ending.seats[one]][faults[other]] += ending.count
    return tuple(dict(sorted(counts.items())) for counts in found)


def void_rows(void: Sequence[VoidMatch], names: Sequence[str], number: int) -> list[Document]:
    """The matches that do not count: which, why, and whose fault it was; without their times."""
    return [
        {
            "match": f"{number}.{each.key}",
            "attempt": each.attempt,
            "cause": each.cause.value,
            "name": None if each.offender is None else names[each.offender],
            "reason": each.reason,
        }
        for each in void
    ]


def ledger_document(ledger: Ledger, number: int) -> Document:
    """The JSON document of ``arena tournament losses``."""
    return {
        "tournament": number,
        "counts": "matches" if ledger.seats == 2 else "duels",
        "bots": ledger.bots(),
        "pairs": ledger.pairs(),
        "void": void_rows(ledger.void, ledger.names, number),
    }


def unstarted(
    database: Database, number: int, rows: Iterable[MatchRow]
) -> set[tuple[MatchKey, int]]:
    """Matches and seats whose bot failed before its first decision, but for bad loadouts.

    A record does not say so, but the measurement does: such a seat was asked once, to sit down.
    """
    causes = {fault.cause for row in rows for fault in row.faults if not fault.move}
    return {
        (row.key, fault.seat)
        for cause in sorted(causes - {Termination.ILLEGAL_ACTION})
        for row, played in matches(database, number, cause=cause)
        for fault in row.faults
        if fault.cause is cause and not fault.move and played.measurement.requests[fault.seat] <= 1
    }


def _pair(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)
