"""A bot: its versions, ratings, opponents, and why it lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec
from arena_results.boards.leaderboard import Asked, chosen

from arena.core.errors import UnknownName
from arena.core.parsing import parse_call, split_loadout, split_version
from arena.pages.charts import FAULTS, RATING_SPAN, Curve, bars, curve
from arena.pages.drawing import axis_of, drawn_estimate
from arena.pages.page import Link
from arena.pages.tables import Badge, Column, Row
from arena.service.boards.opponents import Opponents, opponents
from arena.service.boards.table import (
    HALF,
    HALF_HEAD,
    INTERVAL_HEAD,
    RANKS,
    board_row,
    half,
    interval,
    ranks,
)
from arena.service.charts.pictures import history_chart, versions_chart
from arena.service.public.documents import bot_document, history_document
from arena.web.lists import Listing, Place, Raw, listing
from arena.web.season import SeasonBoard, season_board
from arena.web.site import Site
from arena.web.views.view import Fact, View, trail

LISTS = ("ratings", "worst", "versions")
"""Names of the lists of a bot besides that of its opponents."""
RATINGS = (
    Column(key="board", head="leaderboard", heading=True),
    Column(key="name", head="entered as"),
    Column(key="version", head="version"),
    Column(key="rank", head="#", hint=f"{RANKS}, every version with one of its own", number=True),
    Column(key="rating", head="rating", number=True, digits=0),
    Column(key="half", head=HALF_HEAD, hint=HALF, number=True, digits=0),
    Column(key="spot", head=INTERVAL_HEAD, drawn=True),
    Column(key="games", head="matches", number=True),
)
OPPONENTS = (
    Column(key="opponent", head="opponent", heading=True),
    Column(key="played", head="duels", hint="matches, or each two of a table", number=True),
    Column(key="won", head="won", number=True),
    Column(key="drawn", head="drawn", number=True),
    Column(key="lost", head="lost", number=True),
    Column(key="share", head="points", number=True),
)
WORST = (
    Column(key="match", head="match", heading=True),
    Column(key="action", head="decision"),
    Column(key="better", head="better"),
    Column(key="given_away", head="given away", hint="win probability that it cost", number=True),
)
VERSIONS = (
    Column(key="version", head="version", heading=True),
    Column(key="status", head="status"),
    Column(key="games", head="games"),
    Column(key="deterministic", head="deterministic"),
)
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
            "versions": _versions(about, place),
            "ratings": _rated(ratings, place) if ratings else None,
            "curves": _curves(site, season, name, version, ratings),
            **_opponents(met, asked, place),
            **(_history(site, asked, met.faults, place) if ratings else {"history": None}),
        },
        trail=trail(place, ("Bots", place.to("b")), (asked, "")),
        section="/b",
    )


def _opponents(met: Opponents, name: str, place: Place) -> dict[str, object]:

    def cells(row: Raw) -> Row:
        opponent = Link(row["opponent"], place.to("b", row["opponent"]))
        return {**row, "opponent": opponent, "share": f"{row['share'] * 100:.1f} %"}

    listed = listing("Opponents", OPPONENTS, met.rows, cells, place, things="opponents")
    counts = {name: [*met.faults.values()]}
    faults = bars("Lost by its own faults", [*met.faults], counts, tone=FAULTS)
    return {"opponents": listed, "faults": faults if met.faults else None}


def _history(site: Site, name: str, faults: dict[str, int], place: Place) -> dict[str, object]:
    """Returns the values of the section on luck and mistakes.

    Args:
        faults: What the page shows already: why it lost is not shown if it says the same.
    """
    history = site.run(history_document, name)
    causes, why = history["lost_by"], None
    if causes and causes != faults:
        why = bars("Why it lost", [*causes], {name: [*causes.values()]})
    worst = _named(
        "Worst decisions", "worst", WORST, map(_of_match, history["worst"]), _worst, place
    )
    return {"history": history, "causes": why, "worst": worst}


def _of_match(row: Raw) -> Raw:
    return {**row, "number": row["match"], "match": (*_numbers(row["match"]), row["move"])}


def _numbers(match: str) -> list[int]:
    return [int(each) for each in match.split(".")]


def _named(
    caption: str,
    name: str,
    columns: Sequence[Column],
    rows: Iterable[Raw],
    cells: Callable[[Raw, Place], Row],
    place: Place,
) -> Listing | None:
    listed = [*rows]
    if not listed:
        return None
    return listing(
        caption,
        columns,
        listed,
        lambda row: cells(row, place),
        place,
        things=caption.lower(),
        name=name,
    )


def _ratings(site: Site, season: SeasonBoard | None, name: str, version: str) -> list[Raw]:
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
    rows = [
        {**board_row(row), "field": len(board.rows), "season": title}
        for title, board in boards
        for row in board.rows
    ]
    return [
        row
        for row in rows
        if version in ("", row["version"])
        and name in (row["name"], parse_call(split_loadout(str(row["name"]))[0])[0])
    ]


def _description(name: str, about: dict[str, Any], ratings: list[Raw]) -> str:
    if not ratings:
        return f"{name}: {about.get('summary') or 'it has played no match yet'}"
    best = ratings[0]
    return f"{name}: rated {best['rating']:.0f} in {best['game']}, {best['ruleset']}"


def _text(value: object) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "any"
    return str(value)


def _versions(about: dict[str, Any], place: Place) -> Listing | None:
    def cells(row: Raw, place: Place) -> Row:
        own = place.to("b", f"{about['name']}@{row['version']}")
        status = Badge(row["status"], "good" if row["status"] == "enabled" else "")
        return {**row, "version": Link(row["version"], own), "status": status}

    rows = [
        {
            **{key: each[key] for key in ("version", "status", "deterministic")},
            "games": _text(each["games"]),
        }
        for each in about.get("versions", ())
    ]
    return _named("Versions", "versions", VERSIONS, rows, cells, place)


def _rated(ratings: list[Raw], place: Place) -> Listing | None:
    axis = axis_of([interval(row) for row in ratings if not row["unit"]], RATING_SPAN)
    several = len({row["name"] for row in ratings}) > 1
    columns = [
        msgspec.structs.replace(column, ticks=axis.ticks) if axis and column.drawn else column
        for column in RATINGS
        if (axis or not column.drawn) and (column.key != "name" or several)
    ]
    rows = [
        {
            **row,
            "board": row["season"] or f"{row['game']}, {row['ruleset']}",
            "half": None if row["few"] else (row["high"] - row["low"]) / 2,
        }
        for row in ratings
    ]

    def cells(row: Raw, place: Place) -> Row:
        of_rules = place.to("g", row["game"], row["ruleset"])
        return {
            **{key: row[key] for key in ("version", "rating", "games")},
            "board": Link(row["board"], place.to("league") if row["season"] else of_rules),
            "name": Link(row["name"], place.to("b", row["name"])),
            "rank": ranks(row),
            "half": half(row),
            "spot": drawn_estimate(axis, interval(row)) if axis and not row["unit"] else None,
        }

    return _named("Ratings", "ratings", columns, rows, cells, place)


def _curves(
    site: Site, season: SeasonBoard | None, name: str, version: str, ratings: list[Raw]
) -> list[Curve]:
    found: list[Curve] = []

    def of(row: Raw) -> tuple[str, str, str]:
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


def _worst(row: Raw, place: Place) -> Row:
    match = place.to("m", row["number"], view="all", move=str(row["move"]))
    return {
        "match": Link(f"{row['number']}, move {row['move']}", match),
        "action": row["action"],
        "better": row["better"],
        "given_away": f"{row['given_away'] * 100:.1f} %",
    }
