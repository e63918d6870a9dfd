"""Letters about a tournament: rank, results, causes of losses, and worst decisions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TypeAlias

import msgspec
from arena_results.file.database import Database
from arena_results.schema.rows import Status
from arena_results.store.queries import tournament

from arena.core.errors import BadInput
from arena.core.table import Column, Table, known_values
from arena.core.text.printable import printable_line
from arena.core.tournaments.rating import BALANCE, balance_text
from arena.plugins.options import option
from arena.plugins.registry import Registry
from arena.service.answers.defaults import LETTER_DECISIONS
from arena.service.boards.bot_tables import OPPONENTS
from arena.service.boards.history import WORST
from arena.service.boards.kept import Boards
from arena.service.charts.charts import time_text
from arena.service.charts.pictures import standings_chart
from arena.service.letters.decisions import OnSearch, Searched, worst_decisions
from arena.service.letters.entries import Entry, entries, near
from arena.service.letters.letter import Letter, Passage
from arena.service.report.comparing.facts import rounds_text
from arena.service.report.report import Report, stored_report
from arena.service.report.tables.documents import FIRST_LOSSES
from arena.service.report.tables.standings import Ratings, standing_table

STAGES = (
    Column("stage", "stage", right=True),
    Column("format", "format"),
    Column("section", "section", when=known_values("section")),
    Column("rank", "rank", right=True),
    Column("of", "of", right=True),
    Column("balance", BALANCE, right=True, cell=balance_text, derived=True),
)
Link: TypeAlias = Callable[[str, int], Sequence[str]]
"""Returns the link to a match at a move, or nothing without a site."""


def tournament_letters(
    registry: Registry,
    database: Database,
    number: int,
    *,
    decisions: int = LETTER_DECISIONS,
    url: str = "",
    searching: OnSearch = lambda matches: None,
) -> list[Letter]:
    """Returns a letter for each author of a tournament, or for each bot without a known author.

    Until the tournament is finished no decision is shown, as other matches of a deal may follow.

    Args:
        decisions: Lost matches of each bot that are searched for its worst decisions; 0 for none.
        url: Address of the site on which the matches are; empty for none.
        searching: Called before the search, with the number of matches.

    Raises:
        UnknownName: There is no such tournament.
        BadInput: An argument is wrong.
        Divergence: A record does not re-execute to its contents.
    """
    if decisions < 0:
        raise BadInput(f"{decisions} decisions: expected a number from 0")
    if url and not url.startswith(("http://", "https://")):
        given = option("url", printable_line(url))
        raise BadInput(f"{given}: expected an address such as https://arena.example")
    report = stored_report(registry, tournament(database, number))
    searched: Mapping[int, Searched] | None = None
    if decisions and _finished(report):
        searched = worst_decisions(registry, database, report.stored, decisions, searching)
    ratings: Ratings | None = None
    with suppress(BadInput):  # nothing was played, or nothing is rated
        ratings = standings_chart(Boards(registry, database), report).ratings()
    by_author: dict[tuple[str, int], list[Entry]] = {}
    for each in entries(report, database, ratings, searched):
        by_author.setdefault((each.author, -1 if each.author else each.index), []).append(each)
    writer = _Writer(report, standing_table(report, ratings), url.rstrip("/"), decisions > 0)
    return [writer.letter(author, found) for (author, _), found in by_author.items()]


def _finished(report: Report) -> bool:
    return report.stored.summary.status is Status.FINISHED


class _Writer:
    """Writes the letters of one tournament.

    Args:
        url: Address of the site; empty for none.
        decisions: Whether decisions are wanted.
    """

    def __init__(self, report: Report, standings: Table, url: str, decisions: bool) -> None:
        self._report, self._url, self._decisions = report, url, decisions
        self._standings, self._rows = standings, [*standings.rows]
        self._about = report.stored.summary
        self._called = self._about.name or f"tournament {self._about.id}"

    def letter(self, author: str, found: Sequence[Entry]) -> Letter:
        """Returns the letter to an author about these bots."""
        parts = [part for each in found for part in self._entry(each)]
        return Letter(
            author=author,
            bots=tuple([each.name for each in found]),
            subject=self._subject(found),
            passages=(self._thanks(), *parts, self._closing(found)),
            facts={
                "tournament": self._about.id,
                "status": self._about.status.value,
                "entries": [each.document() for each in found],
            },
        )

    def _subject(self, found: Sequence[Entry]) -> str:
        rank, of = found[0].standing["rank"], found[0].of
        so_far = "" if _finished(self._report) else " so far"
        who = found[0].name if len(found) == 1 else f"the best of your {len(found)} bots"
        return f"{self._called}{so_far}: {who} is {ordinal(rank)} of {of}"

    def _thanks(self) -> Passage:
        about = self._about
        text = (
            f"Thank you for taking part in {self._called}, a tournament of {about.entries} bots "
            f"({about.game} {about.ruleset}, {about.format})."
        )
        if not _finished(self._report):
            text += (
                f" It is not finished: {rounds_text(self._report)} rounds are played. "
                "This letter says how it stands."
            )
        return Passage(text=text, lines=(f"{self._url}/t/{about.id}",) if self._url else ())

    def _entry(self, entry: Entry) -> Iterator[Passage]:
        table = msgspec.structs.replace(
            self._standings, title="", rows=near(self._rows, entry.place)
        )
        yield Passage(text=" ".join(_result(self._report, entry)), table=table)
        if len(entry.stages) > 1:
            yield Passage(text="Stage by stage:", table=Table(columns=STAGES, rows=entry.stages))
        if entry.decided:
            yield Passage(text=f"The organiser decided: {'; '.join(entry.decided)}.")
        yield from self._lost(entry)
        yield from _opponents(entry)
        if entry.times.answers:
            yield Passage(text=self._time(entry))
        yield from self._worst(entry)

    def _lost(self, entry: Entry) -> Iterator[Passage]:
        if not entry.losses:
            return
        columns = [each for each in FIRST_LOSSES if each.key != "name"]
        rows = [*entry.losses]
        lines = [
            line
            for row in rows
            for line in (
                f"{row['cause']}: {row['why']}",
                row["replay"],
                *self._link(row["match"], row["move"]),
            )
        ]
        faults = sum(row["losses"] for row in rows)
        text = f"{_times(faults, 'match was', 'matches were')} lost by a fault of {entry.name}:"
        yield Passage(text=text, table=Table(columns=tuple(columns), rows=rows), lines=tuple(lines))

    def _time(self, entry: Entry) -> str:
        times, limit = entry.times, self._report.spec.decision_seconds
        mean, slowest = (time_text(each / 1e6) for each in (times.mean, times.slowest))
        return (
            f"It answered {times.answers:,} times. An answer took {mean} on average, and {slowest} "
            f"in its slowest match. The limit is {limit:g} s."
        )

    def _worst(self, entry: Entry) -> Iterator[Passage]:
        searched = entry.searched
        if not self._decisions or not entry.standing["lost"]:
            return
        if searched is None:
            yield Passage(text="Its worst decisions follow when the tournament is finished.")
        elif not searched.searched:
            yield Passage(text=f"{self._about.game} has no values of decisions: none are listed.")
        else:
            of = f"{searched.searched} of " if searched.searched < searched.lost else ""
            where = f"{of}its {_times(searched.lost, 'lost match', 'lost matches')}"
            if not searched.worst:
                yield Passage(text=f"In {where} no decision gave anything away.")
                return
            rows = msgspec.to_builtins(searched.worst)
            columns = tuple([each for each in WORST if each.key != "replay"])
            lines = [
                line
                for row in rows
                for line in (row["replay"], *self._link(row["match"], row["move"]))
            ]
            yield Passage(
                text=f"Its worst decisions in {where}, with the win probability that each cost:",
                table=Table(columns=columns, rows=rows),
                lines=tuple(lines),
            )

    def _link(self, match: str, move: int) -> tuple[str, ...]:
        if not self._url:
            return ()
        view = "view=all&" if _finished(self._report) else ""
        return (f"{self._url}/m/{match}?{view}move={move}",)

    def _closing(self, found: Sequence[Entry]) -> Passage:
        replays = any(each.losses or (each.searched and each.searched.worst) for each in found)
        text = "Before you send a new version, test it:"
        if replays:
            text = (
                "The replays need the results: ask the organiser for their bundle FILE, and write "
                f"arena replay FILE instead of arena replay {self._about.id}, without the first "
                f"number of the match. {text}"
            )
        return Passage(text=text, lines=("arena check bot FILE",))


def _result(report: Report, entry: Entry) -> Iterator[str]:
    row = entry.standing
    is_now = "came" if _finished(report) else "is"
    level = f", level with {_times(entry.level, 'other', 'others')}" if entry.level else ""
    yield f"{entry.name} {is_now} {ordinal(row['rank'])} of {entry.of}{level}."
    if section := row.get("section"):
        yield f"It played in {section}."
    if not entry.matches:
        yield "It has played no match that counts."
    elif report.seats > 2:
        yield (
            f"Of {_times(entry.matches, 'match', 'matches')} it finished {row['won']} alone on "
            f"top, {row['drawn']} level on top, and {row['lost']} lower."
        )
    else:
        of = _times(entry.matches, "match", "matches")
        yield f"Of {of} it won {row['won']}, drew {row['drawn']} and lost {row['lost']}."
    if row.get("mean_amount") is not None:
        error = row["mean_amount_error"]
        half = "" if error is None else f" ± {error:.3f}"
        yield f"Its mean is {row['mean_amount']:+.3f}{half} {report.unit} per match."
    elif entry.rated is not None:
        low, high = entry.rated.interval.low, entry.rated.interval.high
        text = f"Its rating by this tournament is {entry.rated.text.split(' ')[0]}"
        if low is None or high is None:
            yield f"{text}, by too few matches for an interval."
        else:
            yield f"{text}, between {low:.0f} and {high:.0f} with 95 %."
    if entry.losses and entry.on_play:
        yield f"It lost {_times(entry.on_play, 'match', 'matches')} on play."
    if entry.forfeits:
        yield f"It forfeited {_times(entry.forfeits, 'pairing', 'pairings')}."


def _opponents(entry: Entry) -> Iterator[Passage]:
    if len({row["share"] for row in entry.opponents}) < 2:
        return
    best = max(entry.opponents, key=lambda row: (row["share"], row["played"]))
    worst = min(entry.opponents, key=lambda row: (row["share"], -row["played"]))
    rows = [{"what": "best", **best}, {"what": "worst", **worst}]
    columns = (Column("what", "result"), *OPPONENTS)
    yield Passage(
        text="Its best and its worst result against another bot:",
        table=Table(columns=columns, rows=rows),
    )


def _times(number: int, one: str, several: str) -> str:
    return f"{number:,} {one if number == 1 else several}"


def ordinal(number: int) -> str:
    """Returns a rank in words: ``1st``, ``2nd``, ``11th``."""
    end = "th" if 10 < number % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{end}"
