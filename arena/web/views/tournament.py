"""A tournament: standings, crosstable, rounds, matches, and how fast it is played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import structs

from arena.pages.charts import FAULTS, bars, least_span
from arena.pages.page import Link
from arena.pages.standings import rated_standings
from arena.pages.tables import Badge, Column, Row
from arena.pages.tournament import (
    Places,
    Section,
    chart_sections,
    course_sections,
    digests,
    first_losses_table,
    matches_sections,
    scoring_texts,
)
from arena.service.charts.pictures import crosstable_chart, standings_chart
from arena.service.public.documents import (
    MOST_MATCHES,
    expected_matches,
    match_rows,
    public_document,
    public_report,
)
from arena.service.public.overview import charts_overview
from arena.service.report.report import Report
from arena.web.lists import Place, Raw, listing, table_listing
from arena.web.numbers import tournament_number, wanted_matches
from arena.web.season import season_anchors
from arena.web.site import Site
from arena.web.views.home import TONES
from arena.web.views.view import Fact, View, moment, trail

MOST_NAMES = 60
"""Bots up to which a page has ratings and the crosstable."""
MOST_READ = 20_000
"""Matches of a tournament up to which all are read for its charts."""
CLOSEST = 20
"""The closest matches that are listed."""


def tournament(site: Site, place: Place) -> View:
    """Shows the standings, stages or bracket, the crosstable, and lost matches by fault."""
    report, shown = _read(site, place)
    about = shown["tournament"]
    total = expected_matches(site.registry, report)
    links = {name: place.to("b", name) for name in report.names}
    drawn = about["matches"] and len(report.names) <= MOST_NAMES
    ratings = standings_chart(site.boards, report, anchors_of(site, report)) if drawn else None
    crosstable = crosstable_chart(report) if drawn else None
    return _view(
        site,
        place,
        shown,
        "tournament",
        {
            "facts": _facts(site, place, shown, report, total),
            "standings": table_listing(
                rated_standings(report, ratings),
                place,
                things="bots",
                least=least_span(ratings.digits) if ratings else 0,
            ),
            "scoring": scoring_texts(report),
            "sections": [*course_sections(report, crosstable, links), *_faults(report, place)],
            "ends": bool(total),
            "share": round(min(1.0, about["matches"] / total), 3) if total else 0,
        },
    )


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
        links = {name: place.to("b", name) for name in lost}
        tables = (
            bars("Lost by faults", causes, lost, links, tone=FAULTS),
            first_losses_table(report, _places(place)),
        )
        yield Section(anchor="faults", title="Lost by faults", tables=tables)


def _places(place: Place) -> Places:

    def match(number: str, move: int | None) -> str:
        query = {} if move is None else {"move": str(move)}
        return place.to("m", number, **query)

    return Places(match=match, bot=lambda name: place.to("b", name))


def charts(site: Site, place: Place) -> View:
    """Shows how ratings grew, losses by cause, times of decisions, and the closest matches."""
    report, shown = _read(site, place)
    links = {name: place.to("b", name) for name in report.names}
    anchors = anchors_of(site, report)
    found = charts_overview(site.boards, report, closest=CLOSEST, most=MOST_READ, anchors=anchors)
    places = _places(place)
    sections = [*chart_sections(found, places, links), *matches_sections(found, places)]
    return _view(
        site,
        place,
        shown,
        "charts",
        {"sections": sections, "many": shown["tournament"]["matches"] > MOST_READ},
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
    rounds, of = str(report.finished), f" of {total:,}" if total else ""
    facts = [
        Fact("game", Link(f"{about['game']}, {about['ruleset']}", board)),
        Fact("format", f"{about['format']}, {report.volume}"),
        Fact("rounds", f"{rounds} of {about['rounds']}" if total else rounds),
        Fact("matches", f"{about['matches']:,}{of}"),
        Fact("begun", f"{moment(report.stored.summary.created_at)} UTC"),
    ]
    if about["status"] == "running":
        rate, left = site.pace.of(about["id"], about["matches"], total)
        facts += [Fact("rate", rate), *([Fact("time left", left)] if total else [])]
    return facts + [Fact(label, value, wide=True) for label, value in digests(report)]


ROUNDS = (
    Column(key="round", head="round", number=True),
    Column(key="board", head="board", number=True),
    Column(key="names", head="bots", heading=True),
    Column(key="points", head="points", number=True),
    Column(key="note", head="remark"),
)


def rounds(site: Site, place: Place) -> View:
    """Shows the pairings of every round with their results, the last round first."""
    report, shown = _read(site, place)
    number = shown["tournament"]["id"]
    rows = [row for each in reversed(shown["rounds"]) for row in _pairings(each)]

    def cells(row: Raw) -> Row:
        at = place.to("t", number, "matches", round=row["round"])
        return {**row, "round": Link(str(row["round"]), at)}

    columns: Sequence[Column] = ROUNDS if any(row["note"] for row in rows) else ROUNDS[:-1]
    if report.seats > 2:
        columns = [_wrapping(each) if each.key == "points" else each for each in columns]
    found = listing("Rounds", columns, rows, cells, place, things="pairings")
    return _view(site, place, shown, "rounds", {"rounds": found})


def _wrapping(column: Column) -> Column:
    return structs.replace(column, number=False)


def _pairings(played: Raw) -> list[Raw]:
    rows: list[Raw] = []
    for board, pairing in enumerate(played["pairings"], 1):
        void = "annulled" if pairing.get("void") else ""
        gone = pairing.get("forfeited") or ()
        rows.append(
            {
                "round": played["round"],
                "board": board,
                "names": " – ".join(pairing["names"]),
                "points": " : ".join(f"{round(each, 2):g}" for each in pairing["points"]),
                "note": void or (f"forfeited by {', '.join(gone)}" if gone else ""),
            }
        )
    away = [(name, "bye") for name in played["byes"]]
    away += [(each["name"], "absent") for each in played.get("absent", ())]
    for name, note in away:
        rows.append(
            {"round": played["round"], "board": None, "names": name, "points": "", "note": note}
        )
    return rows


MATCHES = (
    Column(key="match", head="match", heading=True),
    Column(key="names", head="bots by seat"),
    Column(key="scores", head="score", number=True),
    Column(key="winner", head="won by"),
    Column(key="termination", head="ending"),
    Column(key="offender", head="by"),
    Column(key="decisions", head="decisions", number=True),
)


def matches(site: Site, place: Place) -> View:
    """Shows the matches, with links to their replays and the filters of ``arena matches``."""
    _, shown = _read(site, place)
    wanted = wanted_matches(place.query, shown["tournament"]["id"])
    found = match_rows(site.database, wanted, MOST_MATCHES)
    rows = [_match_raw(row) for row in found]

    def cells(row: Raw) -> Row:
        return {**row, "match": Link(row["match"], place.to("m", row["match"]))}

    listed = listing("Matches", MATCHES, rows, cells, place, things="matches")
    more = len(rows) == MOST_MATCHES
    return _view(site, place, shown, "matches", {"matches": listed, "more": more})


def _match_raw(row: Raw) -> Raw:
    seats = [key for key in row if key.startswith("name") and row[key] is not None]
    return {
        **{key: row[key] for key in ("match", "winner", "termination", "offender", "decisions")},
        "names": " – ".join(row[key] for key in seats),
        "scores": " : ".join(str(row[f"score{key[4:]}"]) for key in seats),
    }
