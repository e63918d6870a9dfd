"""Charts of what is stored: a leaderboard, a bot's versions, a crosstable, times of decisions."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import permutations
from math import ceil
from typing import TypeVar

from arena_results.boards.board_history import Event, events
from arena_results.boards.board_rows import Board, LeaderboardRow
from arena_results.boards.leaderboard import Asked
from arena_results.bots.submissions import ages
from arena_results.file.database import Database
from arena_results.schema.rows import TournamentSummary
from arena_results.store.queries import matches
from arena_results.store.queries import tournament as stored_tournament
from arena_tournaments.play.rulings import void_pairings
from arena_tournaments.spec.keys import TournamentSpec
from msgspec.structs import replace

from arena.core.errors import BadInput
from arena.core.text.parsing import join_version
from arena.core.tournaments.rating import balance
from arena.plugins.options import option
from arena.service.boards.kept import Boards
from arena.service.boards.progress import Progress
from arena.service.charts.charts import HeatMap, Interval, Intervals, Mark, time_text
from arena.service.report.report import Report

ROUNDS = 16
"""Rounds that a curve of ratings has at most."""
MIN_POINTS = 3
"""Rounds of such a curve at least: fewer show no course."""
EVENTS = 12
"""Events that a bot's history has at most."""
RATED = 2000
"""Ratings that are computed for a history at most: of a large field few events are drawn."""


def leaderboard_chart(boards: Boards, asked: Asked, *, all_versions: bool = False) -> Intervals:
    """Draws one leaderboard as a forest plot, the best first.

    Args:
        asked: Which; it is refused if there are several of the kind.

    Raises:
        UnknownName: No tournament in the database has that game or ruleset, or number.
        BadInput: Nothing was played, or there are several leaderboards of the kind.
    """
    board = _board(boards, asked, all_versions=all_versions)
    return Intervals(
        title=f"{board.game}, {board.ruleset}: leaderboard",
        axis=_axis(board.unit, board.rows),
        rows=tuple([_rated(row, _label(row, board.rows)) for row in board.rows]),
        digits=3 if board.unit else 0,
    )


def progress_chart(found: Sequence[Progress]) -> Intervals:
    """Draws the ratings of a bot's versions, the oldest first, with others that are marked.

    Args:
        found: The versions on a leaderboard; it is refused if there are several.

    Raises:
        BadInput: There are several leaderboards, or several sets of parameters.
    """
    names = dict.fromkeys(each.name for each in found)
    if len(names) > 1:
        raise BadInput(f"{len(names)} bots, of which one can be drawn: {', '.join(names)}")
    own = _only(found)
    digits = 3 if own.unit else 0
    return Intervals(
        title=f"{own.game}, {own.ruleset}: {own.name} by version",
        axis=_axis(own.unit, own.rows),
        rows=tuple([_rated(row, row.participant.version) for row in own.rows]),
        marks=tuple([Mark(name, round(row.rating, digits)) for name, row in own.anchors.items()]),
        ordered=True,
        digits=digits,
    )


def history_chart(
    boards: Boards, name: str, version: str, asked: Asked, players: int
) -> Intervals | None:
    """Draws how a bot's rating on one leaderboard grew, event by event, by finishing orders.

    After an event it is that of its latest version until then, by all matches until then; events
    after which it had met nobody of the first group have none.

    Args:
        name: The bot's, as it was entered.
        version: Of this one alone; empty for all.
        asked: The leaderboard: game and ruleset.
        players: Number of rows of the leaderboard.

    Returns:
        ``None`` where there are no two events with a rating.
    """
    age, rows = ages(boards.database), []
    most = max(2, min(EVENTS, RATED // max(1, players)))
    found = events(boards.played(asked), name, most)
    for event, board in zip(found, boards.at(asked, found), strict=True):
        own = [
            row
            for row in board.rows
            if row.participant.name == name and version in ("", row.participant.version)
        ]
        if own and (latest := max(own, key=lambda row: age[row.participant])).component == 1:
            rows.append((event.label, latest))
    if len(rows) < 2:
        return None
    several = len({row.participant.version for _, row in rows}) > 1
    return Intervals(
        title=f"{asked.game}, {asked.ruleset}: history",
        axis="rating after tournaments (T) or rounds (R), with its 95 % interval",
        rows=tuple(
            [
                replace(
                    _rated(row, f"{event}, {row.participant.version}" if several else event),
                    group=row.participant.version if several else "",
                )
                for event, row in rows
            ]
        ),
        ordered=True,
    )


def crosstable_chart(report: Report) -> HeatMap:
    """Draws a crosstable as a heat map: the points of each row against each column."""
    summary = report.stored.summary
    void = void_pairings(report.played)
    counts: dict[tuple[int, int], Counter[float]] = {}
    for key, ending in report.stored.endings:
        if (key.round, key.pairing) in void:
            continue
        for (one, mine), (other, theirs) in permutations(
            zip(ending.seats, ending.returns, strict=True), 2
        ):
            taken = (mine > theirs) + (mine == theirs) / 2
            counts.setdefault((one, other), Counter())[taken] += ending.count
    order = [line.index for line in report.table]
    return HeatMap(
        title=f"{_tournament(summary)}: crosstable",
        axis="share of the points of a row against a column, with its games won-drawn-lost",
        names=tuple([report.names[index] for index in order]),
        shares=tuple([tuple([_share(counts.get((i, j))) for j in order]) for i in order]),
        texts=tuple([tuple([_games(counts.get((i, j))) for j in order]) for i in order]),
    )


def times_chart(database: Database, tournament: int) -> Intervals:
    """Draws the times of decisions in a tournament, with the limit of one decision.

    A value is the mean time of a decision in a match, as bots are sent them; a row has the median,
    and the interval of nine matches in ten.

    Raises:
        UnknownName: There is no such tournament.
        BadInput: Nothing was played.
    """
    stored = stored_tournament(database, tournament, matches=False)
    means = [array("d") for _ in stored.field]
    for row, played in matches(database, tournament):
        times, requests = played.measurement.nanoseconds, played.measurement.requests
        for index, time, number in zip(row.seats, times, requests, strict=True):
            if number:
                means[index].append(max(time, 1) / number / 1e6)
    spec = TournamentSpec.from_json(stored.summary.spec)
    rows = [
        _times(name, sorted(each)) for name, each in zip(stored.names, means, strict=True) if each
    ]
    if not rows:
        raise BadInput(f"tournament {tournament} has no matches yet: there are no times to draw")
    return Intervals(
        title=f"{_tournament(stored.summary)}: time of a decision",
        axis="time of a decision: median match, and nine matches in ten",
        rows=tuple(sorted(rows, key=lambda row: row.value)),
        marks=(Mark("limit", spec.decision_seconds * 1000),),
        logarithmic=True,
        digits=None,
        unit="ms",
    )


def standings_chart(
    boards: Boards, report: Report, anchors: Mapping[str, float | None] = {}
) -> Intervals:
    """Draws the ratings by a tournament only, or mean amounts, in the order of its standings.

    Args:
        anchors: Ratings that are given.

    Raises:
        BadInput: Nothing was played.
        UnknownName: An anchor has played no match.
    """
    asked = _asked(report, anchors)
    board = _board(boards, asked, all_versions=True)
    rated = {row.participant: row for row in board.rows}
    lines = [(line, report.stored.field[line.index].participant) for line in report.table]
    rows = [(line.name, rated[own]) for line, own in lines if own in rated]
    return Intervals(
        title=f"{_tournament(report.stored.summary)}: ratings",
        axis=_axis(board.unit, [row for _, row in rows]),
        rows=tuple([_rated(row, name) for name, row in rows]),
        digits=3 if board.unit else 0,
    )


def _asked(report: Report, anchors: Mapping[str, float | None]) -> Asked:
    about = report.stored.summary
    return Asked(game=about.game, ruleset=about.ruleset, tournament=about.id, anchors=anchors)


def rating_curves(
    boards: Boards, report: Report, most: int = 12, anchors: Mapping[str, float | None] = {}
) -> list[Intervals]:
    """Draws how the ratings of the first of a tournament grew, round by round.

    They are by finishing orders. Rounds after which there are groups that never met have none; of
    many rounds some are drawn.

    Args:
        most: Number of bots.
        anchors: Ratings that are given, as soon as their bots have played.
    """
    summary = report.stored.summary
    begun = sorted({round for round, _ in report.stored.sums})
    if len(begun) < 2 or report.unit:
        return []
    rounds = begun[::-1][:: ceil(len(begun) / ROUNDS)][::-1]
    places = [Event(f"R{number}", (summary.id,), number) for number in rounds]
    after = {
        number: {row.participant: row for row in board.rows}
        for number, board in zip(rounds, boards.at(_asked(report, anchors), places), strict=True)
        if all(row.component == 1 for row in board.rows)
    }
    curves = []
    for line in report.table[:most]:
        own = report.stored.field[line.index].participant
        rows = [_rated(found[own], f"R{number}") for number, found in after.items() if own in found]
        if len(rows) >= MIN_POINTS and len({row.value for row in rows}) > 1:
            title = line.name
            curves.append(Intervals(title=title, axis="rating", rows=tuple(rows), ordered=True))
    return curves


def _board(boards: Boards, asked: Asked, *, all_versions: bool) -> Board:
    found = boards.now(asked, all_versions=all_versions)
    if not found:
        raise BadInput("no matches are stored yet: there are no ratings to draw")
    return _only(found)


AnyBoard = TypeVar("AnyBoard", Board, Progress)


def _only(found: Sequence[AnyBoard]) -> AnyBoard:
    if len(found) > 1:
        names = "; ".join(
            f"{option('game')} {each.game} {option('ruleset')} '{each.ruleset}'"
            f"{each.unit and ' by amount'}"
            for each in found
        )
        raise BadInput(
            f"{len(found)} leaderboards, of which one can be drawn "
            f"(or {option('tournament')}): {names}"
        )
    return found[0]


def _axis(unit: str, rows: Sequence[LeaderboardRow]) -> str:
    few = "; ? too few matches for one" if any(row.few for row in rows) else ""
    groups = "; groups never met, and do not compare" if any(_group(row) for row in rows) else ""
    return f"{f'{unit} a match' if unit else 'rating'}, with its 95 % interval{few}{groups}"


def tells(chart: Intervals) -> bool:
    """Returns whether the ratings of a chart say something: they compare, and are not all equal."""
    several = len({round(row.value, chart.digits or 0) for row in chart.rows}) > 1
    return several and not any("group" in row.note for row in chart.rows)


def _group(row: LeaderboardRow) -> str:
    return f"group {row.component}" if row.component > 1 else ""


def _tournament(summary: TournamentSummary) -> str:
    return f"tournament {summary.id}" + (f", {summary.name}" if summary.name else "")


def _rated(row: LeaderboardRow, label: str) -> Interval:
    few = row.few
    return Interval(
        label=label,
        value=row.rating,
        low=None if few else row.low,
        high=None if few else row.high,
        note=" ".join(filter(None, ["?" if few else "", _group(row)])),
    )


def _label(row: LeaderboardRow, rows: Sequence[LeaderboardRow]) -> str:
    same = sum(each.participant.name == row.participant.name for each in rows)
    return (
        join_version(row.participant.name, row.participant.version)
        if same > 1
        else row.participant.name
    )


def _share(results: Counter[float] | None) -> float | None:
    if not results:
        return None
    return sum(taken * count for taken, count in results.items()) / results.total()


def _games(results: Counter[float] | None) -> str:
    return "" if not results else balance(*(results[taken] for taken in (1.0, 0.5, 0.0)))


def _times(name: str, means: Sequence[float]) -> Interval:
    last = len(means) - 1
    return Interval(
        label=name,
        value=means[last // 2],
        low=means[last // 20],
        high=means[last - last // 20],
        note=f"slowest {time_text(means[-1])}",
    )
