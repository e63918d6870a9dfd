"""Makes the page of a tournament from its overview: facts, standings, charts, rounds, matches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby

import msgspec

from arena.core.tournament import Bout, RoundResult
from arena.pages.charts import Curve, bars, curve, forest, heat_map, least_span
from arena.pages.drawing import drawn_table
from arena.pages.page import Link, Page
from arena.pages.standings import rated_standings
from arena.pages.tables import Badge, Cell, Column, Row, Table
from arena.pages.templates import render
from arena.service.answers.rows import Row as Record
from arena.service.charts.charts import HeatMap
from arena.service.public.overview import Overview
from arena.service.report.report import Report, StageReport, shown_key, shown_nonce
from arena.service.report.report_text import (
    cut_text,
    decision_text,
    ending_text,
    meeting_texts,
    scoring_text,
    seating_texts,
)
from arena.service.report.ruling_rows import ruling_text
from arena.service.report.standings import stage_standings


class Places(msgspec.Struct, frozen=True):
    """Gives the addresses that a page leads to; empty for what has no page.

    Attributes:
        match: Of a match, by ``TOURNAMENT.ROUND.PAIRING.LEG``, and a move in it.
        bot: Of a bot, by its name in the standings.
    """

    match: Callable[[str, int | None], str] = lambda _match, _move: ""
    bot: Callable[[str], str] = lambda _name: ""


class BoutView(msgspec.Struct, frozen=True):
    """A bout of a bracket: its name, and two sides with name, points and whether it won.

    Attributes:
        why: Why somebody won who has no more points than the other one; else empty.
    """

    name: str
    sides: tuple[tuple[str, str, bool], ...]
    why: str = ""


class MatchText(msgspec.Struct, frozen=True, kw_only=True):
    """A match as text, move by move, within the page of its tournament.

    Attributes:
        anchor: Name by which links find it.
    """

    anchor: str
    title: str
    text: str


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a page under a heading: text, tables, curves, a bracket, in this order.

    Attributes:
        anchor: Name by which links find it.
        folded: Tables behind their captions, closed at first.
        bouts: The bouts of a bracket by round.
    """

    anchor: str
    title: str
    text: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    curves: tuple[Curve, ...] = ()
    folded: tuple[Table, ...] = ()
    bouts: tuple[tuple[BoutView, ...], ...] = ()
    replays: tuple[MatchText, ...] = ()


def tournament_page(
    page: Page,
    shown: Overview,
    places: Places,
    asked: Sequence[Record] = (),
    replays: Sequence[MatchText] = (),
) -> str:
    """Returns the page of a tournament.

    Args:
        asked: Matches that are listed because somebody asked for them.
        replays: Matches that are in the page as text.
    """
    sections = [*_sections(shown, places, asked)]
    if replays:
        text = f"{len(replays)} matches, move by move."
        sections.append(
            Section(anchor="replays", title="Replays", text=(text,), replays=tuple(replays))
        )
    return render(
        "tournament.html.jinja",
        page=page,
        lead=summary_text(shown),
        status=_status(shown),
        notice=_notice(shown),
        facts=_facts(shown),
        sections=sections,
    )


def tournament_title(report: Report) -> str:
    """Returns the title of a tournament's page."""
    summary = report.stored.summary
    return summary.name or f"Tournament {summary.id}"


def summary_text(shown: Overview) -> str:
    """Describes a tournament and its leader in one or two sentences."""
    report = shown.report
    summary = report.stored.summary
    about = (
        f"{summary.game} {summary.ruleset}, {summary.format}: "
        f"{summary.entries} bots, {summary.matches} matches."
    )
    if not report.stored.sums:
        return about
    first = [line.name for line in report.table if line.rank == 1]
    leads = "won by" if shown.finished else "led by"
    return f"{about} {leads.capitalize()} {' and '.join(first[:3])}."


def _status(shown: Overview) -> Badge:
    status = shown.report.stored.summary.status.value
    return Badge(status, "good" if shown.finished else "warn")


def _notice(shown: Overview) -> str:
    if shown.finished:
        return ""
    report = shown.report
    return (
        f"This tournament is not over: {report.finished} of {report.stored.summary.rounds} rounds "
        f"are finished. The page shows what {report.stored.summary.matches} matches say so far; "
        "key and seeds are secret until the end."
    )


def _facts(shown: Overview) -> list[tuple[str, str, bool]]:
    report = shown.report
    summary = report.stored.summary
    over = shown.finished and not report.ending
    rounds = report.finished if over else f"{report.finished} of {summary.rounds}"
    seed = summary.seeds.seed
    origin = f"open seed {seed}" if shown.finished and seed is not None else summary.seeds.origin
    facts = [
        ("Game", summary.game, False),
        ("Ruleset", summary.ruleset, False),
        ("Format", summary.format, False),
        ("Bots", str(summary.entries), False),
        ("Rounds", str(rounds), False),
        ("Matches", f"{summary.matches:,}", False),
        ("Volume", report.volume, False),
        ("Deals", str(origin), False),
    ]
    if report.seats > 2:
        facts.insert(4, ("Seats", f"up to {report.seats}", False))
    return facts + [(label, value, True) for label, value in digests(report)]


def digests(report: Report) -> list[tuple[str, str]]:
    """Returns what the deals and results of a tournament are verified by, with its labels."""
    summary = report.stored.summary
    found = {
        "Commitment to key and nonce": summary.commitment,
        "Key": shown_key(summary),
        "Nonce": shown_nonce(summary),
        "Value function": summary.value_function
        and f"{summary.value_function}, sha256 {summary.value_hash}",
        "Result chain": report.stored.chain,
    }
    return [(label, value) for label, value in found.items() if value]


def _sections(shown: Overview, places: Places, asked: Sequence[Record]) -> Iterator[Section]:
    report = shown.report
    links = {name: places.bot(name) for name in report.names if places.bot(name)}
    table = rated_standings(report, shown.ratings)
    least = least_span(shown.ratings.digits) if shown.ratings else 0
    yield Section(
        anchor="standings",
        title="Standings",
        text=scoring_texts(report),
        tables=(drawn_table(table, links, least),),
    )
    yield from course_sections(report, shown.crosstable, links)
    if report.played and not report.scoring.all_meet:
        yield _rounds(report)
    yield from chart_sections(shown, places, links)
    yield from matches_sections(shown, places, asked)
    if rulings := report.stored.rulings:
        texts = tuple([f"{ruling_text(each, report.names)}." for each in rulings])
        yield Section(anchor="rulings", title="Rulings", text=texts)


def course_sections(
    report: Report, crosstable: HeatMap | None, links: Mapping[str, str]
) -> Iterator[Section]:
    """Yields the stages or the bracket, and the crosstable.

    Args:
        links: Addresses by the names of bots.
    """
    for number, stage in enumerate(report.stages, 1):
        yield _stage(report, number, stage)
    if report.bracket and not report.stages:
        bouts = _bracket(report, report.bracket)
        yield Section(anchor="bracket", title="Bracket", bouts=bouts)
    if crosstable:
        text = (
            "The share of the points that a row took from a column, in percent, and its games "
            "won-drawn-lost. Blue is above one half, orange below."
        )
        table = heat_map(crosstable, links)
        yield Section(anchor="crosstable", title="Crosstable", text=(text,), tables=(table,))


def chart_sections(shown: Overview, places: Places, links: Mapping[str, str]) -> Iterator[Section]:
    """Yields how ratings grew, losses by cause, and the times of decisions."""
    if shown.curves:
        yield Section(
            anchor="history",
            title="Ratings, round by round",
            text=("By all matches up to a round; the band is the 95 % interval.",),
            curves=tuple(map(curve, shown.curves)),
        )
    if shown.ledger.won:
        yield _losses(shown, places, links)
    if shown.times:
        text = f"{shown.times.axis[0].upper()}{shown.times.axis[1:]}; the axis is logarithmic."
        table = forest(shown.times, links, name="bot", value="median")
        yield Section(anchor="times", title="Time of a decision", text=(text,), tables=(table,))


def scoring_texts(report: Report) -> tuple[str, ...]:
    """Describes by which points and tie-breaks a tournament is scored, and if it ended early."""
    source = "after FIDE C.07" if report.seats > 2 else "FIDE C.07"
    if report.stages:
        scorings = {f"Scoring of the {each.format}": each.scoring for each in report.stages}
    else:
        scorings = {"Scoring": report.scoring}
    texts = [f"{name}: {scoring_text(each, source)}." for name, each in scorings.items()]
    return tuple(filter(None, [ending_text(report), *texts]))


def _stage(report: Report, number: int, stage: StageReport) -> Section:
    title = f"Stage {number}: {stage.format}"
    table = msgspec.structs.replace(stage_standings(report, stage), title=f"{title}: standings")
    return Section(
        anchor=f"stage{number}",
        title=title,
        text=(
            f"{len(stage.members)} entrants, {len(stage.played)} of {stage.rounds} rounds, "
            f"{stage.volume}.",
            *([f"Standings: {stage.scoring.summary}."] if stage.bracket else []),
            *filter(None, [cut_text(report, number)]),
        ),
        tables=(drawn_table(table),),
        bouts=_bracket(report, stage.bracket),
    )


def _bracket(report: Report, bouts: Iterable[Bout]) -> tuple[tuple[BoutView, ...], ...]:
    def place(bout: Bout) -> tuple[int, int]:  # finals above bouts of those who lost
        return bout.round, sum(side.startswith("loser") for side in bout.sides)

    by_round = groupby(sorted(bouts, key=place), key=lambda bout: bout.round)
    return tuple([tuple([_bout(report, bout) for bout in each]) for _, each in by_round])


def _bout(report: Report, bout: Bout) -> BoutView:
    sides = []
    for side, entrant in enumerate(bout.entrants):
        name = bout.sides[side] if entrant is None else report.names[entrant]
        points = f"{bout.points[side]:g}" if bout.points else ""
        if entrant is not None and entrant in bout.forfeited:
            points = f"{points} forfeited".strip()
        sides.append((name, points, entrant is not None and entrant == bout.winner))
    return BoutView(bout.name, tuple(sides), decision_text(report.names, bout))


def _rounds(report: Report) -> Section:
    folded = tuple([_round(report, past) for past in report.counted])
    if report.bracket or report.stages:  # who is out has no rounds any more
        return Section(anchor="rounds", title="Rounds", folded=folded)
    if report.seats > 2:
        text, cells = "In a cell: the table and the match points there.", seating_texts(report)
    else:
        text = "In a cell: the opponent's line, first (w) or second (b) seat, and the score."
        cells = meeting_texts(report)
    rounds = [f"R{past.round.number}" for past in report.played]
    rows: list[Row] = [
        {"place": number, "name": line.name, **dict(zip(rounds, own, strict=True))}
        for number, (line, own) in enumerate(zip(report.table, cells, strict=True), 1)
    ]
    columns = (
        Column(key="place", head="#", number=True),
        Column(key="name", head="bot", heading=True),
        *(Column(key=round, head=round, number=True) for round in rounds),
    )
    table = Table(caption="Rounds", columns=columns, rows=rows)
    return Section(anchor="rounds", title="Rounds", text=(text,), tables=(table,), folded=folded)


def _round(report: Report, past: RoundResult) -> Table:
    rows: list[Row] = []
    for board, result in enumerate(past.results, 1):
        seated = zip(result.pairing.seats, result.points, strict=True)
        parts = [f"{report.names[index]} {points:.4g}" for index, points in seated]
        remark = "void" if result.void else "forfeited" if result.forfeited else None
        rows.append({"board": board, "result": " – ".join(parts), "remark": remark})
    rows += [{"result": report.names[index], "remark": "bye"} for index in past.round.byes]
    rows += [{"result": report.names[each.index], "remark": "absent"} for each in past.round.absent]
    columns = [
        Column(key="board", head="board", number=True),
        Column(key="result", head="match points", heading=True),
    ]
    if any(row["remark"] for row in rows):
        columns.append(Column(key="remark", head="remark"))
    return Table(caption=f"Round {past.round.number}", columns=tuple(columns), rows=rows)


def _losses(shown: Overview, places: Places, links: Mapping[str, str]) -> Section:
    ledger, report = shown.ledger, shown.report
    own = dict(zip(ledger.names, ledger.bots(), strict=True))
    counts = {
        line.name: [own[line.name]["lost_by"].get(cause, 0) for cause in ledger.causes]
        for line in report.table
    }
    tables = [bars("Losses by cause", ledger.causes, counts, links)]
    if report.first_losses:
        tables.append(first_losses_table(report, places))
    what = "matches" if ledger.seats == 2 else "duels (each two of a table)"
    text = f"Lost {what}: on play, or by the bot's own fault."
    return Section(anchor="losses", title="Losses by cause", text=(text,), tables=tuple(tables))


def first_losses_table(report: Report, places: Places) -> Table:
    """Returns the first match that each bot lost by each of its faults."""
    number = report.stored.summary.id
    rows: list[Row] = [
        {
            "name": report.names[loss.entrant],
            "cause": Badge(loss.cause, "bad"),
            "count": report.losses[loss.entrant][loss.cause],
            "match": _match_link(f"{number}.{loss.key}", loss.move, places),
            "move": loss.move,
        }
        for loss in report.first_losses
    ]
    columns = (
        Column(key="name", head="bot", heading=True),
        Column(key="cause", head="cause"),
        Column(key="count", head="times", number=True),
        Column(key="match", head="first in match"),
        Column(key="move", head="at move", number=True),
    )
    return Table(caption="The first loss by each fault", columns=columns, rows=rows)


def _match_link(match: str, move: int | None, places: Places) -> Cell:
    return Link(match, places.match(match, move))


def matches_sections(
    shown: Overview, places: Places, asked: Sequence[Record] = ()
) -> Iterator[Section]:
    """Yields the lists of matches, each with links to their replays."""
    first = len(shown.faults)
    of = f" The first {first} of {shown.faulty}." if first < shown.faulty else ""
    lists = (
        ("asked", "Chosen matches", "", asked),
        ("closest", "The closest matches", "The smallest margins at the end.", shown.closest),
        ("faults", "Matches with a fault", f"A bot broke the match.{of}", shown.faults),
    )
    for anchor, title, text, rows in lists:
        if rows:
            texts = (text,) if text else ()
            table = matches_table(title, rows, places)
            yield Section(anchor=anchor, title=title, text=texts, tables=(table,))


def matches_table(caption: str, found: Sequence[Record], places: Places) -> Table:
    """Returns a table of matches, from the rows of ``arena.service.match.listing``."""
    keys = found[0].keys() if found else ()
    seats = [key.removeprefix("name") for key in keys if key.startswith("name")]
    seated = [seat for seat in seats if any(row[f"name{seat}"] for row in found)]
    rows: list[Row] = []
    for record in found:
        scores = [record[f"score{seat}"] for seat in seated]
        fault = record["offender"] or record["expelled"]
        cells: dict[str, Cell] = {f"name{seat}": record[f"name{seat}"] for seat in seated}
        cells |= {
            "match": _match_link(record["match"], record["move"], places),
            "score": " : ".join([str(score) for score in scores if score is not None]),
            "winner": record["winner"] or "drawn",
            "ending": Badge(record["termination"], "bad" if fault else ""),
            "fault": record["expelled"] or record["offender"],
            "decisions": record["decisions"],
        }
        rows.append(cells)
    columns = [
        Column(key="match", head="match"),
        *(Column(key=f"name{seat}", head=f"seat {seat}", heading=seat == "0") for seat in seated),
        Column(key="score", head="score", number=True),
        Column(key="winner", head="winner"),
        Column(key="ending", head="ending"),
        Column(key="decisions", head="moves", number=True),
    ]
    if any(row["fault"] for row in rows):
        columns.insert(-1, Column(key="fault", head="by"))
    return Table(caption=caption, columns=tuple(columns), rows=rows)
