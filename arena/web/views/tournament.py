"""A tournament: standings, crosstable, rounds, matches, and how fast it is played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.pages.charts import bars, heat_map
from arena.pages.page import Link
from arena.pages.tables import Badge, Column, Row
from arena.service.pictures import crosstable_chart
from arena.service.public import (
    MOST_MATCHES,
    expected_matches,
    match_rows,
    public_document,
    public_report,
)
from arena.service.report import Report
from arena.web.lists import Place, Raw, listing
from arena.web.numbers import tournament_number, wanted_matches
from arena.web.site import Site
from arena.web.views.home import TONES
from arena.web.views.view import Fact, View, trail

MOST_NAMES = 60
"""Bots up to which a page has the crosstable."""


def tournament(site: Site, place: Place) -> View:
    """Shows the standings, the crosstable, and lost matches by cause."""
    report, shown = _read(site, place)
    about = shown["tournament"]
    total = expected_matches(site.registry, report)
    causes = sorted({cause for losses in report.losses for cause in losses})
    lost = {
        line.name: [report.losses[line.index].get(cause, 0) for cause in causes]
        for line in report.table
        if report.losses[line.index]
    }
    links = {name: place.to("b", name) for name in report.names}
    return _view(
        site,
        place,
        shown,
        "tournament",
        {
            "facts": _facts(site, place, shown, report, total),
            "standings": _standings(shown["standings"], about, place),
            "crosstable": heat_map(crosstable_chart(report), links)
            if about["matches"] and len(report.names) <= MOST_NAMES
            else None,
            "losses": bars("Lost by faults", causes, lost, links) if lost else None,
            "share": round(min(1.0, about["matches"] / total), 3) if total else 0,
        },
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
    parts = (("Standings", ()), ("Rounds", ("rounds",)), ("Matches", ("matches",)))
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
    facts = [
        Fact("game", Link(f"{about['game']}, {about['ruleset']}", board)),
        Fact("format", f"{about['format']}, {report.volume}"),
        Fact("rounds", f"{report.finished} of {about['rounds']}"),
        Fact("matches", f"{about['matches']:,} of {total:,}"),
    ]
    if about["status"] == "running":
        rate, left = site.pace.of(about["id"], about["matches"], total)
        facts += [Fact("rate", rate), Fact("time left", left)]
    if about["commitment"]:
        facts.append(Fact("commitment to the deals", about["commitment"], wide=True))
    if about["chain"]:
        facts.append(Fact("chain of all results", about["chain"], wide=True))
    return facts


def _standings(lines: Sequence[Raw], about: Raw, place: Place) -> object:
    breaks = list(dict.fromkeys(key for line in lines for key in line["tie_breaks"]))
    columns = [
        Column(key="rank", head="#", number=True),
        Column(key="name", head="bot", heading=True),
        Column(key="version", head="version"),
        Column(key="score", head="score", number=True),
        Column(key="won", head="won", number=True),
        Column(key="drawn", head="drawn", number=True),
        Column(key="lost", head="lost", number=True),
    ]
    optional = (
        ("average_place", "average place", 2),
        ("amount", "amount", None),
        ("mean_amount", f"{about.get('unit', '')} a match", 3),
        ("credits", "credits", None),
        ("adjusted", "without luck", 3),
        ("stage", "stage", None),
    )
    columns += [
        Column(key=key, head=head, number=key != "stage", digits=digits)
        for key, head, digits in optional
        if any(line.get(key) is not None for line in lines)
    ]
    columns += [Column(key=f"by {key}", head=key, number=True) for key in breaks]
    faults = any(line["losses_by_cause"] for line in lines)
    if faults:
        columns.append(Column(key="faults", head="lost by faults"))
    rows = [
        {
            **{key: value for key, value in line.items() if not isinstance(value, dict)},
            **{f"by {key}": line["tie_breaks"].get(key) for key in breaks},
            "faults": "; ".join(f"{each} {n}" for each, n in line["losses_by_cause"].items()),
        }
        for line in lines
    ]

    def cells(row: Raw) -> Row:
        return {**row, "name": Link(row["name"], place.to("b", row["name"]))}

    return listing("Standings", columns, rows, cells, place, things="bots")


ROUNDS = (
    Column(key="round", head="round", number=True),
    Column(key="board", head="board", number=True),
    Column(key="names", head="bots", heading=True),
    Column(key="points", head="points", number=True),
    Column(key="note", head="remark"),
)


def rounds(site: Site, place: Place) -> View:
    """Shows the pairings of every round with their results, the last round first."""
    _, shown = _read(site, place)
    number = shown["tournament"]["id"]
    rows = [row for each in reversed(shown["rounds"]) for row in _pairings(each)]

    def cells(row: Raw) -> Row:
        at = place.to("t", number, "matches", round=row["round"])
        return {**row, "round": Link(str(row["round"]), at)}

    columns = ROUNDS if any(row["note"] for row in rows) else ROUNDS[:-1]
    found = listing("Rounds", columns, rows, cells, place, things="pairings")
    return _view(site, place, shown, "rounds", {"rounds": found})


def _pairings(played: Raw) -> list[Raw]:
    """Returns the rows of a round: its pairings, and who rested."""
    rows: list[Raw] = []
    for board, pairing in enumerate(played["pairings"], 1):
        void = "annulled" if pairing.get("void") else ""
        gone = pairing.get("forfeited") or ()
        rows.append(
            {
                "round": played["round"],
                "board": board,
                "names": " – ".join(pairing["names"]),
                "points": " : ".join(f"{each:g}" for each in pairing["points"]),
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
