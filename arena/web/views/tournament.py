"""A tournament: who won or leads, what is played now, its bracket, crosstable, rounds, matches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from arena_results.schema.rows import Status

from arena.pages.charts import FAULTS, bars, least_span
from arena.pages.drawing import drawn_table
from arena.pages.event import MAX_PAIRS, BracketView, bracket_view, pair_views, steps
from arena.pages.page import Fact, Link
from arena.pages.replay import SCRIPTS, SMALL_STYLES
from arena.pages.tables import Table
from arena.pages.tournament import (
    Section,
    bot_links,
    chart_sections,
    course_sections,
    crosstable_section,
    drawn_facts,
    explained_sections,
    first_losses_table,
    matches_sections,
    model_sections,
    ruling_sections,
    scoring_texts,
    void_sections,
)
from arena.service.charts.pictures import standings_chart, tells
from arena.service.match.listing import match_table
from arena.service.public.documents import (
    MAX_MATCHES,
    expected_matches,
    match_rows,
    public_document,
    public_report,
)
from arena.service.public.overview import charts_overview
from arena.service.report.comparing.facts import facts, state_text
from arena.service.report.report import Report
from arena.service.report.tables.explain import explanation, reason_table
from arena.service.report.tables.grids import rounds_table
from arena.service.report.tables.podium import final, last_bouts
from arena.service.report.tables.standings import (
    short_table,
    stage_standings,
    standing_table,
    with_running,
)
from arena.web.site.guard.pace import clock
from arena.web.site.lists import Listing, Place, listing
from arena.web.site.numbers import tournament_number, wanted_matches
from arena.web.site.season import season_anchors
from arena.web.site.site import Site
from arena.web.views.featured import Feature, feature
from arena.web.views.view import View, moment

MAX_NAMES = 60
"""Bots up to which a page has ratings; the crosstable has the first of more."""
MAX_READ = 20_000
"""Matches of a tournament up to which all are read for its charts."""
MAX_VOID = 20
"""The most void matches that the page lists."""
MAX_RULINGS = 500
"""The latest of the organiser's decisions that are listed: a season of a league has many."""
CLOSEST = 20
"""The closest matches that are listed."""
STYLES = (*SMALL_STYLES, "event.css")
SHORT_ROUND = 60.0
"""Seconds of a round below which the time left is the tournament's."""
ROUNDS = 3
"""Rounds of a bracket that has a table next to it."""
FIRST = 8
"""Rows of a table next to a bracket."""
BESIDE_BRACKET = 12
"""Bots up to which all standings are next to the bracket."""
BESIDE = frozenset({"this_round", "interval", "stage"})
"""Keys of columns that are left out there."""
DETAIL = "detail"
"""Parameter for all columns of the standings, tie-breaks among them."""


class Now(msgspec.Struct, frozen=True, kw_only=True):
    """The progress of a tournament that is not over.

    Attributes:
        left: Time left, as a clock shows it; empty while it is not known.
        of: Of what that is.
        share: The part of the same that is played, from 0 to 1.
        done: How many things are over, of how many.
    """

    left: str
    of: str
    share: float
    done: str
    things: str


def tournament(site: Site, place: Place) -> View:
    """Shows the podium or the round that is played, the standings or the bracket, and a board."""
    report, shown = _read(site, place)
    drawn = deciding_bracket(report)
    return _view(
        site,
        place,
        shown,
        report,
        "tournament",
        {
            "podium": steps(report, place.address),
            "now": progress(site, report),
            "bracket": drawn.part(ROUNDS) if drawn and DETAIL not in place.query else drawn,
            "rounds": len(drawn.rounds) if drawn else 0,
            "side": side_panel(place, report) if drawn else None,
            "beside": len(report.names) <= BESIDE_BRACKET and not report.stages,
            "standings": standings(site, place, with_running(report)),
            "notes": scoring_texts(report)[:-1] if report.ending else (),
            "feature": feature(site, place, report),
            "pairs": pair_views(report, place.address)[:MAX_PAIRS],
            "about_text": about_text(report),
            "sections": [
                *course_sections(with_running(report), place.address, bracket=drawn is None),
                *model_sections(report, place.address),
                *_faults(report, place),
                *void_sections(report, MAX_VOID),
            ],
            "facts": _facts(place, report, expected_matches(site.registry, report)),
            "detail": place.again(**{DETAIL: None if DETAIL in place.query else "yes"}),
            "detailed": DETAIL in place.query,
        },
    )


def deciding_bracket(report: Report) -> BracketView | None:
    """Returns the bracket that decides the tournament, if it has one by now."""
    members = report.stages[-1].members if report.stages else ()
    return bracket_view(report, last_bouts(report), members)


class SidePanel(msgspec.Struct, frozen=True):
    """The first of a table next to a bracket; ``whole`` leads to all of it."""

    title: str
    table: Table
    whole: Link | None


def side_panel(place: Place, report: Report) -> SidePanel:
    """Returns the first of the stage before the bracket, or else of the standings."""
    *before, _ = report.stages or (None,)
    if before and (stage := before[-1]):
        title, anchor = f"{stage.format.capitalize()} stage", f"#stage{len(before)}"
        table = stage_standings(report, stage)
    else:
        title, anchor, table = "Standings", "#standings", standing_table(report)
    table, rows = short_table(table), [*table.rows]
    without = BESIDE if before else BESIDE | {"score"}  # a bracket ranks by the round reached
    keys = [each for each in table.columns if each.key not in without]
    shown = msgspec.structs.replace(table, title=title, columns=tuple(keys), rows=rows[:FIRST])
    whole = Link(f"All {len(rows)}", anchor) if len(rows) > FIRST else None
    return SidePanel(title, drawn_table(shown, place.address), whole)


def about_text(report: Report) -> str:
    """Says in a line what is played, by how many."""
    summary, volume = report.stored.summary, report.volume
    return f"{summary.game}, {summary.ruleset}, {summary.entries} bots, {volume}"


def standings(site: Site, place: Place, report: Report, name: str = "") -> Listing:
    """Returns the standings of a tournament with their ratings, as a list of a page.

    In stages they are the standings of the present one, as long as it has no bracket.

    Args:
        name: Name of the list, where a page has several.
    """
    anchors = anchors_of(site, report)
    drawn = bool(report.stored.summary.matches) and len(report.names) <= MAX_NAMES
    ratings = standings_chart(site.boards, report, anchors) if drawn else None
    if ratings and not tells(ratings) and DETAIL not in place.query:
        ratings = None
    table = standing_table(report, ratings.ratings() if ratings else None)
    if report.stages and not report.stages[-1].bracket:
        table = stage_standings(report, report.stages[-1])
    return listing(
        table if DETAIL in place.query else short_table(table),
        place,
        things="bots",
        name=name,
        least=least_span(ratings.digits) if ratings else 0,
    )


def anchors_of(site: Site, report: Report) -> Mapping[str, float | None]:
    """Returns the ratings that are given in a tournament: in a season of the league its anchors."""
    return season_anchors(site, report.stored.summary.id, report.stored.field)


def progress(site: Site, report: Report) -> Now | None:
    """Returns how far a tournament is; ``None`` of a finished one."""
    summary, running = report.stored.summary, report.running
    if summary.status is Status.FINISHED:
        return None
    total, number = expected_matches(site.registry, report), summary.id
    share, left, of = (summary.matches / total if total else 0.0), None, "left"
    if summary.status is Status.RUNNING and total:
        left = site.pace.of(number, summary.matches, total - summary.matches).left
    if running and running.expected:
        share = running.matches / running.expected
        if summary.status is Status.RUNNING:
            ahead = running.expected - running.matches
            speed = site.pace.of(number, summary.matches, ahead, running.round.number)
            short = speed.rate is not None and running.expected < SHORT_ROUND * speed.rate
            if short and total:
                share = summary.matches / total
            else:
                left, of = speed.left, "left in the round"
    pairings = len(running.pairings) if running else 0
    counted = running is not None and pairings > 1
    return Now(
        left="" if left is None else clock(left),
        of=of,
        share=round(min(1.0, share), 3),
        done=f"{running.over} of {pairings}"
        if running and counted
        else f"{summary.matches:,}" + (f" of {total:,}" if total else ""),
        things="pairings" if counted else "matches",
    )


def _faults(report: Report, place: Place) -> Iterator[Section]:
    causes = sorted({cause for losses in report.losses for cause in losses})
    lost = {
        line.name: [report.losses[line.index].get(cause, 0) for cause in causes]
        for line in report.table
        if report.losses[line.index]
    }
    if lost:
        tables = (
            bars("Lost by faults", causes, lost, bot_links(lost, place.address), tone=FAULTS),
            first_losses_table(report, place.address),
        )
        yield Section(anchor="faults", title="Lost by faults", tables=tables)


def crosstable(site: Site, place: Place) -> View:
    """Shows what each bot took from each other."""
    report, shown = _read(site, place)
    sections = [*crosstable_section(report, place.address, MAX_NAMES)]
    return _view(site, place, shown, report, "crosstable", {"sections": sections})


def rulings(site: Site, place: Place) -> View:
    """Shows the organiser's decisions."""
    report, shown = _read(site, place)
    sections = [*ruling_sections(report, MAX_RULINGS)]
    return _view(site, place, shown, report, "rulings", {"sections": sections})


def charts(site: Site, place: Place) -> View:
    """Shows how ratings grew, losses by cause, times of decisions, and the closest matches."""
    report, shown = _read(site, place)
    anchors = anchors_of(site, report)
    found = charts_overview(site.boards, report, closest=CLOSEST, most=MAX_READ, anchors=anchors)
    sections = [*chart_sections(found, place.address), *matches_sections(found, place.address)]
    many = shown["tournament"]["matches"] > MAX_READ
    return _view(site, place, shown, report, "charts", {"sections": sections, "many": many})


def _read(site: Site, place: Place) -> tuple[Report, dict[str, Any]]:
    report = public_report(
        site.registry, site.database, tournament_number(site.database, place.words["id"])
    )
    return report, public_document(report)


def _view(
    site: Site,
    place: Place,
    shown: dict[str, Any],
    report: Report,
    template: str,
    values: dict[str, object],
) -> View:
    about = shown["tournament"]
    number, name = about["id"], about["name"] or f"tournament {about['id']}"
    lines = shown["standings"]
    leader = f"; {lines[0]['name']} leads" if lines and about["matches"] else ""
    if about["status"] == "finished" and leader:
        leader = f"; won by {lines[0]['name']}"
    shown_board = values.get("feature")
    return View(
        title=name if template == "tournament" else f"{name}: {template}",
        description=(
            f"{about['format']} of {about['entries']} bots, {about['game']}, {about['ruleset']}; "
            f"{about['matches']:,} matches, {about['status']}{leader}"
        ),
        template=template,
        values={
            "about": about,
            "name": name,
            "state": state_text(report),
            "live": about["status"] == "running",
            "projector": place.to("t", number, "projector"),
            "action": _action(place, report),
            "why": place.to("t", number, "why"),
            "tabs": [*_tabs(place, report, template)],
            **values,
        },
        section="/events",
        matches=about["matches"],
        running=about["status"] == "running",
        styles=STYLES,
        scripts=SCRIPTS if "feature" in values else (),
        light={"feature": shown_board.light} if isinstance(shown_board, Feature) else {},
    )


def _tabs(place: Place, report: Report, current: str) -> Iterator[Link]:
    parts = (
        ("Overview", "tournament", True),
        ("Crosstable", "crosstable", True),
        ("Rounds", "rounds", True),
        ("Matches", "matches", True),
        ("Charts", "charts", bool(report.stored.sums)),
        ("Rulings", "rulings", bool(report.stored.rulings)),
        ("How ties are broken", "why", current == "why"),
    )
    for text, part, there in parts:
        tail = () if part == "tournament" else (part,)
        if there or part == current:
            address = place.to("t", report.stored.summary.id, *tail)
            yield Link(text, address, part == current)


def _action(place: Place, report: Report) -> Link | None:
    """Returns the link to the final of a finished bracket."""
    decisive = final(last_bouts(report))
    if report.stored.summary.status is not Status.FINISHED or decisive is None:
        return None
    met = {*decisive.entrants}
    for made in report.stored.rounds:
        for number, pairing in enumerate(made.pairings, 1):
            if made.number == decisive.round and {*pairing.seats} == met:
                match = f"{report.stored.summary.id}.{made.number}.{number}"
                return Link(f"Watch the {decisive.name}", place.to("m", match))
    return None


def _facts(place: Place, report: Report, total: int) -> list[Fact]:
    about = report.stored.summary
    board = place.to("g", about.game, about.ruleset)
    return [
        Fact("Begun", f"{moment(about.created_at)} UTC"),
        *drawn_facts(facts(report, total), board),
    ]


def why(site: Site, place: Place) -> View:
    """Shows why each bot stands where it stands, or of one bot step by step."""
    report, shown = _read(site, place)
    if name := place.words.get("name"):
        sections = [*explained_sections(explanation(report, name), place.address)]
        values: dict[str, object] = {"sections": sections, "reasons": None}
        return _view(site, place, shown, report, "why", values)
    found = listing(reason_table(report), place, things="bots")
    values = {"sections": [], "reasons": found, "notes": scoring_texts(report)}
    return _view(site, place, shown, report, "why", values)


def rounds(site: Site, place: Place) -> View:
    """Shows the pairings of every round with their results, the last round first."""
    report, shown = _read(site, place)
    found = listing(rounds_table(report), place, things="pairings")
    pairs = pair_views(report, place.address)
    return _view(site, place, shown, report, "rounds", {"rounds": found, "pairs": pairs})


def matches(site: Site, place: Place) -> View:
    """Shows the matches, with links to their replays and the filters of ``arena matches``."""
    report, shown = _read(site, place)
    wanted = wanted_matches(place.query, shown["tournament"]["id"])
    rows = match_rows(site.database, wanted, MAX_MATCHES)
    listed = listing(match_table("Matches", rows), place, things="matches")
    more = len(rows) == MAX_MATCHES
    return _view(site, place, shown, report, "matches", {"matches": listed, "more": more})
