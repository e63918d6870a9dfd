"""A tournament: standings, crosstable, rounds, matches, and how fast it is played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from arena.pages.charts import FAULTS, bars, least_span
from arena.pages.page import Fact, Link
from arena.pages.tables import Badge
from arena.pages.tournament import (
    Section,
    bot_links,
    chart_sections,
    course_sections,
    drawn_facts,
    explained_sections,
    first_losses_table,
    matches_sections,
    ruling_sections,
    scoring_texts,
)
from arena.service.charts.pictures import crosstable_chart, standings_chart
from arena.service.match.listing import match_table
from arena.service.public.documents import (
    MAX_MATCHES,
    expected_matches,
    match_rows,
    public_document,
    public_report,
)
from arena.service.public.overview import charts_overview
from arena.service.report.explain import explanation, reason_table
from arena.service.report.facts import facts
from arena.service.report.grids import rounds_table
from arena.service.report.report import Report
from arena.service.report.standings import standing_table
from arena.service.report.tournament_rows import TONES
from arena.web.site.lists import Listing, Place, listing
from arena.web.site.numbers import tournament_number, wanted_matches
from arena.web.site.season import season_anchors
from arena.web.site.site import Site
from arena.web.views.view import View, moment, trail

MAX_NAMES = 60
"""Bots up to which a page has ratings and the crosstable."""
MAX_READ = 20_000
"""Matches of a tournament up to which all are read for its charts."""
MAX_RULINGS = 50
"""The latest of the organiser's decisions that are listed: a season of a league has many."""
CLOSEST = 20
"""The closest matches that are listed."""


def tournament(site: Site, place: Place) -> View:
    """Shows the standings, stages or bracket, the crosstable, and lost matches by fault."""
    report, shown = _read(site, place)
    about = shown["tournament"]
    total = expected_matches(site.registry, report)
    crosstable = crosstable_chart(report) if _is_drawn(report) else None
    return _view(
        site,
        place,
        shown,
        "tournament",
        {
            "facts": _facts(site, place, shown, report, total),
            "standings": standings(site, place, report),
            "scoring": scoring_texts(report),
            "sections": [
                *course_sections(report, crosstable, place.address),
                *_faults(report, place),
                *ruling_sections(report, MAX_RULINGS),
            ],
            "ends": bool(total),
            "share": round(min(1.0, about["matches"] / total), 3) if total else 0,
        },
    )


def standings(site: Site, place: Place, report: Report, name: str = "") -> Listing:
    """Returns the standings of a tournament with their ratings, as a list of a page.

    Args:
        name: Name of the list, where a page has several.
    """
    anchors = anchors_of(site, report)
    ratings = standings_chart(site.boards, report, anchors) if _is_drawn(report) else None
    return listing(
        standing_table(report, ratings.ratings() if ratings else None),
        place,
        things="bots",
        name=name,
        least=least_span(ratings.digits) if ratings else 0,
    )


def _is_drawn(report: Report) -> bool:
    return bool(report.stored.summary.matches) and len(report.names) <= MAX_NAMES


def anchors_of(site: Site, report: Report) -> Mapping[str, float | None]:
    """Returns the ratings that are given in a tournament: in a season of the league its anchors."""
    return season_anchors(site, report.stored.summary.id, report.stored.field)


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


def charts(site: Site, place: Place) -> View:
    """Shows how ratings grew, losses by cause, times of decisions, and the closest matches."""
    report, shown = _read(site, place)
    anchors = anchors_of(site, report)
    found = charts_overview(site.boards, report, closest=CLOSEST, most=MAX_READ, anchors=anchors)
    sections = [*chart_sections(found, place.address), *matches_sections(found, place.address)]
    return _view(
        site,
        place,
        shown,
        "charts",
        {"sections": sections, "many": shown["tournament"]["matches"] > MAX_READ},
    )


def _read(site: Site, place: Place) -> tuple[Report, dict[str, Any]]:
    report = public_report(
        site.registry, site.database, tournament_number(site.database, place.words["id"])
    )
    return report, public_document(report)


def _view(
    site: Site, place: Place, shown: dict[str, Any], template: str, values: dict[str, object]
) -> View:
    about = shown["tournament"]
    number, name = about["id"], about["name"] or f"tournament {about['id']}"
    lines = shown["standings"]
    leader = f"; {lines[0]['name']} leads" if lines and about["matches"] else ""
    if about["status"] == "finished" and leader:
        leader = f"; won by {lines[0]['name']}"
    parts = (
        ("Standings", ()),
        ("Why", ("why",)),
        ("Rounds", ("rounds",)),
        ("Matches", ("matches",)),
        ("Charts", ("charts",)),
    )
    board = place.to("g", about["game"], about["ruleset"])
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
            "badge_of": Badge(about["status"], TONES.get(about["status"], "")),
            "tabs": [
                Link(text, place.to("t", number, *tail), (tail or ("tournament",))[0] == template)
                for text, tail in parts
            ],
            **values,
        },
        trail=trail(place, (f"{about['game']}, {about['ruleset']}", board), (name, "")),
        matches=about["matches"],
        running=about["status"] == "running",
    )


def _facts(
    site: Site, place: Place, shown: dict[str, Any], report: Report, total: int
) -> list[Fact]:
    about = shown["tournament"]
    board = place.to("g", about["game"], about["ruleset"])
    found = drawn_facts(facts(report, total), board)
    live = [Fact("Begun", f"{moment(report.stored.summary.created_at)} UTC")]
    if about["status"] == "running":
        rate, left = site.pace.of(about["id"], about["matches"], total)
        live += [Fact("Rate", rate), *([Fact("Time left", left)] if total else [])]
    return [*live, *found]


def why(site: Site, place: Place) -> View:
    """Shows why each bot stands where it stands, or of one bot step by step."""
    report, shown = _read(site, place)
    if name := place.words.get("name"):
        sections = [*explained_sections(explanation(report, name), place.address)]
        return _view(site, place, shown, "why", {"sections": sections, "reasons": None})
    found = listing(reason_table(report), place, things="bots")
    return _view(site, place, shown, "why", {"sections": [], "reasons": found})


def rounds(site: Site, place: Place) -> View:
    """Shows the pairings of every round with their results, the last round first."""
    report, shown = _read(site, place)
    found = listing(rounds_table(report), place, things="pairings")
    return _view(site, place, shown, "rounds", {"rounds": found})


def matches(site: Site, place: Place) -> View:
    """Shows the matches, with links to their replays and the filters of ``arena matches``."""
    _, shown = _read(site, place)
    wanted = wanted_matches(place.query, shown["tournament"]["id"])
    rows = match_rows(site.database, wanted, MAX_MATCHES)
    listed = listing(match_table("Matches", rows), place, things="matches")
    more = len(rows) == MAX_MATCHES
    return _view(site, place, shown, "matches", {"matches": listed, "more": more})
