"""Everything of a tournament that a page about it shows, gathered as values."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from arena_results.file.database import Database
from arena_results.schema.rows import Status

from arena.plugins.registry import Registry
from arena.service.answers.rows import Row
from arena.service.boards.kept import Boards
from arena.service.charts.charts import Intervals
from arena.service.charts.pictures import rating_curves, standings_chart, times_chart
from arena.service.match.listing import Wanted, find_matches
from arena.service.public.documents import public_report
from arena.service.report.report import Report
from arena.service.report.sums.ledger import Ledger, make_ledger

FAULTS = 100
"""Matches with a fault that are listed at most."""

NO_LEDGER = Ledger((), 2, {}, {})
"""Nothing was added up."""


class Overview(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament for a page; charts are ``None`` as long as nothing is played.

    Attributes:
        ratings: The ratings by this tournament only, in the order of the standings.
        times: Times of decisions.
        curves: How ratings grew, round by round, of the first in the standings.
        ledger: What was won on play, and what by which fault.
        faults: The first matches that a fault ended, or in which a seat was eliminated.
        faulty: Number of such matches.
        closest: The closest matches.
    """

    report: Report
    ratings: Intervals | None
    times: Intervals | None
    curves: tuple[Intervals, ...]
    ledger: Ledger
    faults: tuple[Row, ...] = ()
    faulty: int = 0
    closest: tuple[Row, ...] = ()

    @property
    def finished(self) -> bool:
        """True if every match was played."""
        return self.report.stored.summary.status is Status.FINISHED


def overview(
    registry: Registry, database: Database, number: int, *, closest: int, faults: int = FAULTS
) -> Overview:
    """Gathers a stored tournament for a page.

    Args:
        closest: Number of the closest matches that are looked for.
        faults: Number of matches with faults that are listed at most.

    Raises:
        UnknownName: There is no such tournament, or its format or game is not installed.
    """
    report, boards = public_report(registry, database, number), Boards(registry, database)
    stored = report.stored
    begun = bool(stored.sums)
    faulty = sum(ending.count for _, ending in stored.endings if ending.faults)
    return Overview(
        report=report,
        ratings=standings_chart(boards, report) if begun else None,
        times=times_chart(database, number) if begun else None,
        curves=tuple(rating_curves(boards, report)),
        ledger=make_ledger(database, stored),
        faults=_faults(database, report, faults) if faulty else (),
        faulty=faulty,
        closest=_matches(database, Wanted(tournament=number, closest=closest)) if closest else (),
    )


def charts_overview(
    boards: Boards,
    report: Report,
    *,
    closest: int,
    most: int,
    anchors: Mapping[str, float | None] = {},
) -> Overview:
    """Gathers the charts of a tournament, and its closest matches.

    Args:
        most: Number of matches up to which all of them are read: for causes and times.
        anchors: As for ``rating_curves``.
    """
    database = boards.database
    number, played = report.stored.summary.id, report.stored.summary.matches
    return Overview(
        report=report,
        ratings=None,
        times=times_chart(database, number) if 0 < played <= most else None,
        curves=tuple(rating_curves(boards, report, anchors=anchors)),
        ledger=make_ledger(database, report.stored) if played <= most else NO_LEDGER,
        closest=_matches(database, Wanted(tournament=number, closest=closest)),
    )


def _matches(database: Database, wanted: Wanted) -> tuple[Row, ...]:
    _, rows = find_matches(database, wanted)
    return tuple(rows)


def _faults(database: Database, report: Report, most: int) -> tuple[Row, ...]:
    causes = sorted({cause for row in report.losses for cause in row})
    number = report.stored.summary.id
    found: dict[object, Row] = {}
    for cause in causes:
        for row in _matches(database, Wanted(tournament=number, cause=cause)):
            found.setdefault(row["match"], row)
    places = ("round", "pairing", "leg")
    rows = sorted(found.values(), key=lambda row: [*map(row.__getitem__, places)])
    return tuple(rows[:most])
