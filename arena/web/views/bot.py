"""A bot: its versions, ratings, opponents, and why it lost."""

from __future__ import annotations

from typing import Any

import msgspec
from arena_results.boards.leaderboard import Asked, chosen

from arena.core.errors import UnknownName
from arena.core.table import Row, Table
from arena.core.text.parsing import parse_call, split_loadout, split_version
from arena.pages.charts import FAULTS, RATING_SPAN, Curve, bars, curve
from arena.pages.page import Fact
from arena.service.boards.bot_tables import (
    OPPONENTS,
    Opponents,
    opponents,
    rating_rows,
    rating_table,
)
from arena.service.boards.history import WORST
from arena.service.bots.listing import versions_table
from arena.service.charts.pictures import history_chart, versions_chart
from arena.service.public.documents import bot_document, history_document
from arena.web.site.lists import Listing, Place, listing
from arena.web.site.season import SeasonBoard, season_board
from arena.web.site.site import Site
from arena.web.views.view import View, trail

LISTS = ("ratings", "worst", "versions")
"""Names of the lists of a bot besides that of its opponents."""
ABOUT = ("kind", "author", "licence", "language", "games")
"""Facts of a bot, in their order."""


def bot(site: Site, place: Place) -> View:
    """Shows all that everybody may know of a bot, ``NAME`` or ``NAME@VERSION``.

    Raises:
        UnknownName: It does not exist, and none of that name has played.
    """
    asked = place.words["name"]
    name, version = split_version(asked)
    season = season_board(site, all_versions=True)
    ratings = _ratings(site, season, name, version)
    about: dict[str, Any] = {}
    plain = parse_call(split_loadout(name)[0])[0]
    try:
        about = bot_document(site.registry, site.boards, f"{plain}@{version}" if version else plain)
    except UnknownName:
        if not ratings:
            raise
    versions = versions_table(about.get("name", ""), about.get("versions", ()))
    met = opponents(site.database, asked)
    return View(
        title=asked,
        description=_description(asked, about, ratings),
        template="bot",
        values={
            "name": asked,
            "summary": about.get("summary") or "",
            "facts": [
                Fact(key, _text(about[key])) for key in ABOUT if about.get(key) not in (None, "")
            ],
            "versions": _named(versions, "versions", place),
            "ratings": _named(rating_table(ratings), "ratings", place, RATING_SPAN),
            "curves": _curves(site, season, name, version, ratings),
            **_opponents(met, asked, place),
            **(_history(site, asked, met.faults, place) if ratings else {"history": None}),
        },
        trail=trail(place, ("Bots", place.to("b")), (asked, "")),
        section="/b",
    )


def _opponents(met: Opponents, name: str, place: Place) -> dict[str, object]:
    table = Table(title="Opponents", columns=OPPONENTS, rows=met.rows)
    counts = {name: [*met.faults.values()]}
    faults = bars("Lost by its own faults", [*met.faults], counts, tone=FAULTS)
    return {
        "opponents": listing(table, place, things="opponents"),
        "faults": faults if met.faults else None,
    }


def _history(site: Site, name: str, faults: dict[str, int], place: Place) -> dict[str, object]:
    """Returns the values of the section on luck and mistakes.

    Args:
        faults: What the page shows already: why it lost is not shown if it says the same.
    """
    history = site.run(history_document, name)
    causes, why = history["lost_by"], None
    if causes and causes != faults:
        why = bars("Why it lost", [*causes], {name: [*causes.values()]})
    rows = [row | {"view": "all"} for row in history["worst"]]
    worst = Table(title="Worst decisions", columns=WORST, rows=rows)
    return {"history": history, "causes": why, "worst": _named(worst, "worst", place)}


def _named(table: Table, name: str, place: Place, least: float = 0) -> Listing | None:
    if not table.rows:
        return None
    return listing(table, place, things=table.title.lower(), name=name, least=least)


def _ratings(site: Site, season: SeasonBoard | None, name: str, version: str) -> list[Row]:
    """Returns the rows of a bot on all leaderboards, those of its versions side by side.

    That of the league's season is the first. It stands for one that has the same matches.
    """
    boards = [("", board) for board in site.boards.now(Asked(), all_versions=True)]
    if season is not None and season.boards:
        about, own = season.about, msgspec.structs.replace(season.asked, tournament=None)
        if [each.id for each in chosen(site.database, own)] == [about.id]:
            rules = about.game, about.ruleset
            boards = [each for each in boards if (each[1].game, each[1].ruleset) != rules]
        boards = [*((season.title, board) for board in season.boards), *boards]
    return rating_rows(boards, name, version)


def _description(name: str, about: dict[str, Any], ratings: list[Row]) -> str:
    if not ratings:
        return f"{name}: {about.get('summary') or 'it has played no match yet'}"
    best = ratings[0]
    return f"{name}: rated {best['rating']:.0f} in {best['game']}, {best['ruleset']}"


def _text(value: object) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "any"
    return str(value)


def _curves(
    site: Site, season: SeasonBoard | None, name: str, version: str, ratings: list[Row]
) -> list[Curve]:
    found: list[Curve] = []

    def of(row: Row) -> tuple[str, str, str]:
        return row["season"], row["game"], row["ruleset"]

    boards = dict.fromkeys((*of(row), row["name"]) for row in ratings if not row["unit"])
    for title, game, ruleset, entered in boards:
        rules = Asked(game=game, ruleset=ruleset)
        asked = season.asked if season and title else rules
        own = [row for row in ratings if of(row) == (title, game, ruleset)]
        charts = [history_chart(site.boards, entered, version, asked, own[0]["field"])]
        if entered == name and sum(row["name"] == name for row in own) > 1:
            charts.append(versions_chart(site.boards, name, asked))
        for chart in charts:
            if chart is None:
                continue
            shown = chart.title.replace(f"{game}, {ruleset}", title or f"{game}, {ruleset}", 1)
            of_it = f" of {entered}" if entered != name else ""
            found.append(curve(msgspec.structs.replace(chart, title=shown + of_it)))
    return found
