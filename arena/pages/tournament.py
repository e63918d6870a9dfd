"""Makes the page of a tournament from its overview: facts, standings, charts, rounds, matches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from arena.core.table import Column
from arena.pages.charts import Curve, bars, curve, forest, heat_map, least_span
from arena.pages.drawing import Addresses, drawn_table
from arena.pages.event import BracketView, bracket_view, steps
from arena.pages.page import Fact, Link, Page
from arena.pages.tables import Badge, Table
from arena.pages.templates import render
from arena.service.answers.rows import Row as Record
from arena.service.charts.pictures import crosstable_chart
from arena.service.match.listing import match_table
from arena.service.public.overview import Overview
from arena.service.report.comparing import facts
from arena.service.report.comparing.endpoints import endpoint_table
from arena.service.report.report import Report, StageReport, part_of
from arena.service.report.report_text import cut_texts, ending_text, scoring_text
from arena.service.report.sums.ruling_rows import ruling_text
from arena.service.report.tables.documents import first_loss_table
from arena.service.report.tables.explain import Explanation, reason_table
from arena.service.report.tables.grids import playoff_grids, round_table, rounds_grid
from arena.service.report.tables.podium import last_bouts
from arena.service.report.tables.standings import (
    section_tables,
    short_table,
    stage_standings,
    standing_table,
    with_running,
)

MAX_EXPLAINED = 100
"""The most bots of a report that says of each why it stands where it stands."""
_NAME = Column("name", names="bot")


def bot_links(names: Iterable[str], addresses: Addresses) -> dict[str, str]:
    """Returns the addresses of bots by name."""
    return {name: addresses(_NAME, {"name": name}) for name in names}


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
        grid: Small tables side by side, each with its caption.
        folded: Tables behind their captions, closed at first.
        bracket: A bracket, if it has one.
    """

    anchor: str
    title: str
    text: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    grid: tuple[Table, ...] = ()
    curves: tuple[Curve, ...] = ()
    folded: tuple[Table, ...] = ()
    bracket: BracketView | None = None
    replays: tuple[MatchText, ...] = ()


def tournament_page(
    page: Page,
    shown: Overview,
    addresses: Addresses,
    asked: Sequence[Record] = (),
    replays: Sequence[MatchText] = (),
) -> str:
    """Returns the page of a tournament.

    Args:
        asked: Matches that are listed because somebody asked for them.
        replays: Matches that are in the page as text.
    """
    report, sections = shown.report, [*_sections(shown, addresses, asked)]
    if replays:
        text = f"{len(replays)} matches, move by move."
        sections.append(
            Section(anchor="replays", title="Replays", text=(text,), replays=tuple(replays))
        )
    return render(
        "tournament.html.jinja",
        page=page,
        lead=summary_text(shown),
        podium=steps(report, addresses),
        status=_status(shown),
        notice=_notice(shown),
        facts=drawn_facts(facts.facts(report)),
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


def drawn_facts(found: Iterable[facts.Fact], board: str = "") -> list[Fact]:
    """Returns the facts of a tournament as a page draws them.

    Args:
        board: Address of the leaderboard of its game.
    """
    return [
        Fact(
            each.label,
            Link(each.value, board) if board and each.label == "Game" else each.value,
            each.hint,
            each.proof,
        )
        for each in found
    ]


def _sections(shown: Overview, addresses: Addresses, asked: Sequence[Record]) -> Iterator[Section]:
    report = with_running(shown.report)
    table = standing_table(report, shown.ratings.ratings() if shown.ratings else None)
    least = least_span(shown.ratings.digits) if shown.ratings else 0
    standings = Section(
        anchor="standings",
        title="Standings",
        tables=(drawn_table(short_table(table), addresses, least),),
    )
    course = [*course_sections(report, addresses)]
    yield from [*course, standings] if last_bouts(report) else [standings, *course]
    yield from model_sections(report, addresses)
    yield from crosstable_section(report, addresses)
    if report.played and len(report.names) <= MAX_EXPLAINED:
        reasons = drawn_table(reason_table(report), addresses)
        full = drawn_table(msgspec.structs.replace(table, title="All columns"), addresses, least)
        yield Section(
            anchor="why",
            title="How ties are broken",
            text=scoring_texts(report),
            tables=(reasons, full),
        )
    if report.played and not report.scoring.all_meet:
        yield _rounds(report, addresses)
    yield from chart_sections(shown, addresses)
    yield from matches_sections(shown, addresses, asked)
    yield from ruling_sections(report)


def ruling_sections(report: Report, most: int | None = None) -> Iterator[Section]:
    """Yields the organiser's decisions.

    Args:
        most: How many of the latest are listed; all of them by default.
    """
    rulings = report.stored.rulings
    if not rulings:
        return
    listed = rulings if most is None else rulings[-most:]
    texts = [f"{ruling_text(each, report.names)}." for each in listed]
    if len(listed) < len(rulings):
        texts.insert(0, f"The latest {len(listed)} of {len(rulings)}.")
    yield Section(anchor="rulings", title="Rulings", text=tuple(texts))


def model_sections(report: Report, addresses: Addresses) -> Iterator[Section]:
    """Yields the language models of a tournament: illegal answers, tokens, time and cost.

    Their questions and answers are on no page of results.
    """
    if report.exchanges:
        table = endpoint_table(report.exchanges)
        yield Section(
            anchor="models",
            title="Language models",
            text=("Tokens, time and cost are means of a match.",),
            tables=(drawn_table(table, addresses),),
        )


def void_sections(report: Report, most: int) -> Iterator[Section]:
    """Yields the matches that did not count, without their reasons: these name the organiser's
    machines.

    Args:
        most: How many of them are listed.
    """
    stored = report.stored
    if not stored.void:
        return
    texts = []
    for each in stored.void[:most]:
        seats = stored.rounds[each.key.round - 1].pairings[each.key.pairing - 1].seats
        names = " against ".join(report.names[seat] for seat in seats)
        whose = "" if each.offender is None else f" of {report.names[each.offender]}"
        texts.append(f"Match {each.key}, {names}: {each.cause.value}{whose}.")
    if len(texts) < len(stored.void):
        texts.insert(0, f"The first {len(texts)} of {len(stored.void)}.")
    yield Section(anchor="void", title="Void matches", text=tuple(texts))


def course_sections(
    report: Report, addresses: Addresses, *, bracket: bool = True
) -> Iterator[Section]:
    """Yields the sections of the standings, the stages or the bracket.

    Args:
        bracket: Whether with the bracket that decides the tournament.
    """
    if report.sections:
        (one, *others), format = report.sections, report.stored.summary.format
        title = format.capitalize() if others else one.title
        yield Section(anchor="sections", title=title, grid=_grid(report, addresses))
    for number, stage in enumerate(report.stages, 1):
        last = number == len(report.stages)
        yield _stage(report, number, stage, addresses, bracket=bracket or not last)
    if bracket and report.bracket and not report.stages:
        drawn = bracket_view(report, report.bracket)
        yield Section(anchor="bracket", title="Bracket", bracket=drawn)


def crosstable_section(
    report: Report, addresses: Addresses, most: int | None = None
) -> Iterator[Section]:
    """Yields the crosstable; nothing before the first match.

    Args:
        most: Bots that it has, the first of the standings; all of them by default.
    """
    if report.stored.sums:
        chart, text = (
            crosstable_chart(report),
            (
                "The share of the points that a row took from a column, in percent, and its games "
                "won-drawn-lost. Teal is above one half, orange below."
            ),
        )
        if most is not None and len(chart.names) > most:
            text = f"The first {most} of {len(chart.names)} bots. {text}"
            chart = chart.first(most)
        table = heat_map(chart, bot_links(report.names, addresses))
        yield Section(anchor="crosstable", title="Crosstable", text=(text,), tables=(table,))


def explained_sections(found: Explanation, addresses: Addresses) -> Iterator[Section]:
    """Yields why a bot stands where it stands, a section for each stage."""
    for number, part in enumerate(found.parts, 1):
        yield Section(
            anchor=f"why-{number}",
            title=part.title or found.title,
            text=tuple(filter(None, (part.reason, part.continues))),
            tables=tuple(drawn_table(each, addresses) for each in part.tables(found.name)),
        )


def chart_sections(shown: Overview, addresses: Addresses) -> Iterator[Section]:
    """Yields how ratings grew, losses by cause, and the times of decisions."""
    links = bot_links(shown.report.names, addresses)
    if shown.curves:
        yield Section(
            anchor="history",
            title="Ratings, round by round",
            text=("By all matches up to a round; the band is the 95 % interval.",),
            curves=tuple(map(curve, shown.curves)),
        )
    if shown.ledger.won:
        yield _losses(shown, addresses, links)
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


def _stage(
    report: Report, number: int, stage: StageReport, addresses: Addresses, *, bracket: bool
) -> Section:
    title, playoffs = f"Stage {number}: {stage.format}", playoff_grids(report, stage)
    short = short_table(stage_standings(report, stage))
    table = msgspec.structs.replace(short, title=f"{title}: standings")
    return Section(
        anchor=f"stage{number}",
        title=title,
        text=(
            f"{len(stage.members)} entrants, {len(stage.played)} of {stage.rounds} rounds, "
            f"{stage.volume}.",
            *([f"Standings: {stage.scoring.summary}."] if stage.bracket else []),
            *cut_texts(report, number),
        ),
        tables=tuple(drawn_table(each, addresses) for each in (table, *playoffs)),
        grid=_grid(part_of(report, stage), addresses),
        bracket=bracket_view(report, stage.bracket, stage.members) if bracket else None,
    )


def _grid(report: Report, addresses: Addresses) -> tuple[Table, ...]:
    own = {each.title: bool(each.table) for each in report.sections}
    tables = section_tables(report)
    return tuple(
        [drawn_table(each if own[each.title] else short_table(each), addresses) for each in tables]
    )


def _rounds(report: Report, addresses: Addresses) -> Section:
    folded = tuple([drawn_table(round_table(report, past)) for past in report.counted])
    if report.bracket or report.stages:  # who is out has no rounds any more
        return Section(anchor="rounds", title="Rounds", folded=folded)
    grid = rounds_grid(report)
    text = f"In a cell: {grid.title.partition(': ')[2]}."
    table = drawn_table(msgspec.structs.replace(grid, title="Rounds"), addresses)
    return Section(anchor="rounds", title="Rounds", text=(text,), tables=(table,), folded=folded)


def _losses(shown: Overview, addresses: Addresses, links: Mapping[str, str]) -> Section:
    ledger, report = shown.ledger, shown.report
    own = dict(zip(ledger.names, ledger.bots(), strict=True))
    counts = {
        line.name: [own[line.name]["lost_by"].get(cause, 0) for cause in ledger.causes]
        for line in report.table
    }
    tables = [bars("Losses by cause", ledger.causes, counts, links)]
    if report.first_losses:
        tables.append(first_losses_table(report, addresses))
    what = "matches" if ledger.seats == 2 else "duels (each two of a table)"
    text = f"Lost {what}: on play, or by the bot's own fault."
    return Section(anchor="losses", title="Losses by cause", text=(text,), tables=tuple(tables))


def first_losses_table(report: Report, addresses: Addresses) -> Table:
    """Returns the first match that each bot lost by each of its faults."""
    return drawn_table(first_loss_table(report), addresses)


def matches_sections(
    shown: Overview, addresses: Addresses, asked: Sequence[Record] = ()
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
            table = drawn_table(match_table(title, rows), addresses)
            yield Section(anchor=anchor, title=title, text=texts, tables=(table,))
