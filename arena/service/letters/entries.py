"""The facts of each bot in a tournament, of which its author's letter is made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec
from arena_results.file.database import Database
from arena_results.store.queries import matches
from arena_tournaments.play.rulings import void_pairings

from arena.core.record import MatchKey, PlayedMatch
from arena.core.table import Row
from arena.core.text.printable import printable_line, without_folders
from arena.match.adjudication import faults_of
from arena.service.answers.rows import Document
from arena.service.boards.bot_tables import opponents_by_entry
from arena.service.letters.decisions import Searched
from arena.service.report.report import Report, StageReport
from arena.service.report.sums.ruling_rows import ruling_text
from arena.service.report.sums.tallies import losses
from arena.service.report.tables.documents import first_loss_row, standing_rows
from arena.service.report.tables.standings import Rated, Ratings
from arena.testing.reasons import in_one_line


class Times(msgspec.Struct):
    """The time that a bot used.

    Attributes:
        answers: Number of its answers: decisions, starts and offers.
        slowest: The greatest mean time of an answer in one match, in nanoseconds.
    """

    answers: int = 0
    nanoseconds: int = 0
    slowest: float = 0.0

    @property
    def mean(self) -> float:
        """The mean time of an answer, in nanoseconds."""
        return self.nanoseconds / self.answers if self.answers else 0.0

    def add(self, answers: int, nanoseconds: int) -> None:
        """Adds a match."""
        if answers:
            self.answers += answers
            self.nanoseconds += nanoseconds
            self.slowest = max(self.slowest, nanoseconds / answers)


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """The facts of one bot.

    Attributes:
        index: Its index into the field.
        place: Its line of the standings, from 0.
        standing: Its row of the standings, as in their document.
        of: Number of bots in the standings.
        level: Number of others that share its rank.
        rated: Its rating by this tournament only.
        stages: Its rank in each stage that it reached.
        losses: Its losses by each fault, with the first; as in ``first_losses`` of the document of
            the tournament, and ``why``.
        on_play: Number of its lost matches without a fault of its own.
        forfeits: Number of its pairings that it forfeited.
        opponents: The opponents that it has met, with its results.
        searched: The search for its worst decisions; ``None`` if there was none.
        decided: The organiser's decisions about it.
    """

    index: int
    place: int
    version: str
    author: str
    standing: Row
    of: int
    level: int
    rated: Rated | None
    stages: tuple[Row, ...]
    losses: tuple[Row, ...]
    on_play: int
    forfeits: int
    opponents: tuple[Row, ...]
    times: Times
    searched: Searched | None
    decided: tuple[str, ...]

    @property
    def name(self) -> str:
        """Its name in the standings."""
        return str(self.standing["name"])

    @property
    def matches(self) -> int:
        """Number of its matches that count."""
        return sum(self.standing[key] for key in ("won", "drawn", "lost"))

    def document(self) -> Document:
        """One of ``entries`` in the JSON document of a letter."""
        interval = self.rated.interval if self.rated else None
        searched = self.searched
        return {
            "standing": {**self.standing, "version": self.version},
            "of": self.of,
            "matches": self.matches,
            "rating": interval
            and {"value": interval.value, "low": interval.low, "high": interval.high},
            "stages": list(self.stages),
            "losses": list(self.losses),
            "lost_on_play": self.on_play,
            "forfeits": self.forfeits,
            "opponents": list(self.opponents),
            "answers": self.times.answers,
            "seconds": self.times.nanoseconds / 1e9,
            "mean_ms": self.times.mean / 1e6,
            "slowest_ms": self.times.slowest / 1e6,
            "searched": searched.searched if searched else 0,
            "worst": msgspec.to_builtins(searched.worst) if searched else [],
            "rulings": list(self.decided),
        }


def entries(
    report: Report,
    database: Database,
    ratings: Ratings | None,
    searched: Mapping[int, Searched] | None,
) -> list[Entry]:
    """Returns the facts of each bot, in the order of the standings.

    Args:
        ratings: By the tournament only.
        searched: The worst decisions by index into the field; ``None`` if nothing was searched.
    """
    sums = _Sums(report, database)
    rows = standing_rows(report)
    found = []
    for place, (line, row) in enumerate(zip(report.table, rows, strict=True)):
        index, entered = line.index, report.stored.field[line.index]
        known = ratings.rated.get(line.name) if ratings and not report.means else None
        found.append(
            Entry(
                index=index,
                place=place,
                version=entered.participant.version,
                author=printable_line(entered.author),
                standing=row,
                of=len(rows),
                level=sums.ranks[line.rank] - 1,
                rated=known,
                stages=tuple(_stages(report, index)),
                losses=tuple(sums.losses.get(index, ())),
                on_play=max(0, row["lost"] - sums.faults[index]),
                forfeits=sums.forfeits[index],
                opponents=tuple(sums.opponents[index]),
                times=sums.times[index],
                searched=None if searched is None else searched.get(index, Searched(0, 0, ())),
                decided=_rulings(report, index),
            )
        )
    return found


class _Sums:
    """The sums over a tournament, by index into the field.

    Attributes:
        ranks: How many share each rank.
        losses: The rows of first losses.
        faults: Matches that count and were lost by a fault.
        forfeits: Forfeited pairings.
    """

    def __init__(self, report: Report, database: Database) -> None:
        void, names = void_pairings(report.played), report.names
        valid = [
            (key, ending)
            for key, ending in report.stored.endings
            if (key.round, key.pairing) not in void
        ]
        self.ranks = Counter(line.rank for line in report.table)
        self.faults = [sum(counts.values()) for counts in losses(valid, len(names))]
        self.opponents = opponents_by_entry((ending for _, ending in valid), names)
        self.forfeits = Counter(
            index for past in report.played for row in past.results for index in row.forfeited
        )
        self.times, whys = _measured(report, database)
        self.losses: dict[int, list[Row]] = {}
        for each in report.first_losses:
            why = whys.get((each.key, each.entrant), "")
            row = {**first_loss_row(report, each), "why": why}
            self.losses.setdefault(each.entrant, []).append(row)


def _rulings(report: Report, index: int) -> tuple[str, ...]:
    rulings = [each for each in report.stored.rulings if index in each.about]
    return tuple([ruling_text(each, report.names) for each in rulings])


def _measured(
    report: Report, database: Database
) -> tuple[list[Times], dict[tuple[MatchKey, int], str]]:
    """Reads every match once: the times of each bot, and the causes of first losses."""
    first = {each.key for each in report.first_losses}
    times = [Times() for _ in report.names]
    whys: dict[tuple[MatchKey, int], str] = {}
    for row, played in matches(database, report.stored.summary.id):
        measured = played.measurement
        for index, spent, answers in zip(
            row.seats, measured.nanoseconds, measured.requests, strict=True
        ):
            times[index].add(answers, spent)
        if row.key in first:
            whys |= {(row.key, row.seats[seat]): why for seat, why in _causes(played).items()}
    return times, whys


def _causes(played: PlayedMatch) -> dict[int, str]:
    """Returns the cause of each fault of a match in one line, by seat.

    The traceback is read only where nobody else of the match may have one.
    """
    faults = faults_of(played.record.outcome)
    error = played.measurement.error if len(faults) == 1 else ""
    return {
        fault.seat: without_folders(in_one_line(fault.reason or fault.cause.value, error))
        for fault in faults
    }


def _stages(report: Report, index: int) -> list[Row]:
    found: list[Row] = []
    for number, stage in enumerate(report.stages, 1):
        for line in stage.table:
            if line.index == index and index in stage.members:
                tally = line.matches
                found.append(
                    {
                        "stage": number,
                        "format": stage.format,
                        "section": _section(stage, index),
                        "rank": line.rank,
                        "of": len(stage.members),
                        "won": tally.won if tally else 0,
                        "drawn": tally.drawn if tally else 0,
                        "lost": tally.lost if tally else 0,
                    }
                )
    return found


def _section(stage: StageReport, index: int) -> str | None:
    members = {line.index: each.title for each in stage.sections for line in each.lines}
    return members.get(index)


def near(rows: Sequence[Row], place: int) -> list[Row]:
    """Returns the first row of standings, a row, and its neighbours."""
    return [row for at, row in enumerate(rows) if at == 0 or abs(at - place) <= 1]
