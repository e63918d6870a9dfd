"""Rounds and pairings of a tournament as tables, and the crosstable of match points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from arena_tournaments.formats.ties import Tie
from arena_tournaments.scoring.scoring import ELIMINATION
from msgspec.structs import replace

from arena.core.table import Column, Row, Table, known_values
from arena.core.tournaments.format import RoundResult
from arena.service.report.report import Report, StageReport, played_off
from arena.service.report.report_text import meeting_texts, seating_texts

PAIRINGS = (
    Column("round", "round", right=True),
    Column("board", "board", right=True, when=known_values("board")),
    Column("names", "bots"),
    Column("points", "points", right=True, when=known_values("points")),
    Column("remark", "remark", when=known_values("remark")),
)
"""The columns of the pairings of rounds."""


def points_grid(report: Report) -> Table:
    """The crosstable in match points, or mean amounts: the row against the column."""
    what = f"mean {report.unit} a match" if report.unit else "match points"
    return _points_grid(report, f"Crosstable: {what} of the row against the column")


def section_grids(report: Report) -> list[Table]:
    """Returns the crosstables of the sections that list their members; empty without any."""
    return [
        _points_grid(replace(report, table=each.lines), f"{each.title}: crosstable")
        for each in report.sections
        if each.lines
    ]


def _points_grid(report: Report, title: str) -> Table:
    cells = [[None if x is None else round(x, 3) for x in row] for row in report.crosstable]
    heads = map(str, range(1, len(report.table) + 1))
    return _grid(title, report, heads, cells)


def rounds_grid(report: Report) -> Table:
    """The standings with what each did in each round, in a few characters."""
    if report.seats > 2:
        title, texts = "Rounds: table and match points", seating_texts(report)
    else:
        title = "Rounds: opponent's line, first (w) or second (b) seat, score"
        texts = meeting_texts(report)
    return _grid(title, report, [f"R{past.round.number}" for past in report.played], texts)


def playoff_grids(report: Report, stage: StageReport) -> list[Table]:
    """Returns the rounds of each play-off after a stage, if there are any."""
    return [_playoff_grid(report, stage, tie) for tie in stage.ties if tie.rounds]


def _playoff_grid(report: Report, stage: StageReport, tie: Tie) -> Table:
    table = tuple([line for line in stage.table if line.index in tie.level])
    rounds = tuple(played_off(stage, tie))
    grid = rounds_grid(replace(report, table=table, played=rounds, scoring=ELIMINATION))
    title = f"Play-off, {tie.section}" if tie.section else "Play-off"
    return replace(grid, title=grid.title.replace("Rounds", title, 1))


def _grid(
    title: str, report: Report, heads: Iterable[str], cells: Sequence[Sequence[object]]
) -> Table:
    heads = [*heads]
    rows = [
        {"place": number, "name": line.name, **dict(zip(heads, row, strict=True))}
        for number, (line, row) in enumerate(zip(report.table, cells, strict=True), 1)
    ]
    columns = (
        Column("place", "#", right=True),
        Column("name", "bot", drop=0, names="bot"),
        *(Column(head, head, right=True) for head in heads),
    )
    return Table(title=title, columns=columns, rows=rows)


def round_table(report: Report, past: RoundResult) -> Table:
    """The pairings of one round, with who rested."""
    rows = [*_pairings(report, past)]
    number = past.round.number
    title = f"Round {number}" + (", play-off" if number in report.playoffs else "")
    return Table(title=title, columns=_columns(report)[1:], rows=rows)


def rounds_table(report: Report) -> Table:
    """The pairings of all rounds, the last round first."""
    rows = [row for past in reversed(report.counted) for row in _pairings(report, past)]
    return Table(title="Rounds", columns=_columns(report), rows=rows)


def _columns(report: Report) -> tuple[Column, ...]:
    """Returns the columns; the points of a table may continue in the next line."""
    return tuple([replace(each, right=each.right and report.seats == 2) for each in PAIRINGS])


def _pairings(report: Report, past: RoundResult) -> Iterator[Row]:
    names, number = report.names, past.round.number
    usual = "play-off" if number in report.playoffs else ""
    for board, result in enumerate(past.results, 1):
        gone = ", ".join(names[index] for index in result.forfeited)
        yield {
            "round": number,
            "board": board,
            "names": " – ".join(names[index] for index in result.pairing.seats),
            "points": " : ".join(f"{round(each, 2):g}" for each in result.points),
            "remark": "annulled" if result.void else f"forfeited by {gone}" if gone else usual,
        }
    away = [(index, "bye") for index in past.round.byes]
    away += [(each.index, "absent") for each in past.round.absent]
    for index, remark in away:
        yield {
            "round": number,
            "board": None,
            "names": names[index],
            "points": "",
            "remark": remark,
        }
